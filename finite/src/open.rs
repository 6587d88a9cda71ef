//! Type parameters of automata in a finite instance: which name gives the size of which parameter, and which operators and
//! axioms use parameters without a size.

use std::collections::{BTreeMap, BTreeSet};

use super::size_error::SizeError;
use ioa_lang::core::{Axiom, ExprKind, Function, Model, SortId, SortSize, Type};
use ioa_lang::diagnostic::nearest;

/// The sorts that stand for type parameters and need a size. (That of a sort of groups follows from another's.)
pub(super) fn parameters(model: &Model) -> BTreeSet<SortId> {
    let sorts = model.automata.iter().flat_map(|a| &a.parameters.sorts);
    sorts
        .filter(|sort| model.sorts[sort.index()].size == SortSize::Given)
        .copied()
        .collect()
}

/// The sizes by sort, and the mistakes in their names.
pub(super) fn by_sort(
    model: &Model,
    sizes: &BTreeMap<String, u64>,
) -> (BTreeMap<SortId, u64>, Vec<SizeError>) {
    let (mut found, mut errors) = (BTreeMap::new(), Vec::new());
    // Full names come after short ones, so that they take precedence.
    let is_whole = |name: &&String| model.sort_named(name).is_some();
    let (whole, short): (Vec<&String>, Vec<&String>) = sizes.keys().partition(is_whole);
    for name in short.into_iter().chain(whole) {
        match named(model, name) {
            Ok(sort) => drop(found.insert(sort, sizes[name])),
            Err(error) => errors.push(error),
        }
    }
    (found, errors)
}

/// The sort with this name, or the only type parameter with this short name. If several parameters have the short name,
/// those of automata that are only components do not count.
fn named(model: &Model, name: &str) -> Result<SortId, SizeError> {
    if let Some(sort) = model.sort_named(name) {
        return Ok(sort);
    }
    let mut candidates = bearing(model, name, |_| true);
    if candidates.len() > 1 {
        let whole = bearing(model, name, |automaton| !is_component(model, automaton));
        candidates = if whole.is_empty() { candidates } else { whole };
    }
    let names = |sorts: &[SortId]| -> Vec<String> {
        let name = |id: &SortId| model.sorts[id.index()].name.to_string();
        sorts.iter().map(name).collect()
    };
    let name = name.to_owned();
    match candidates[..] {
        [] => {
            let nearest = nearest(&name, model.sorts.iter().map(|s| &*s.name)).map(str::to_owned);
            Err(SizeError::UnknownSort { name, nearest })
        }
        [sort] => Ok(sort),
        _ => Err(SizeError::Ambiguous {
            name,
            sorts: names(&candidates),
        }),
    }
}

/// The type parameters of this short name that belong to some of the automata.
fn bearing(model: &Model, short: &str, of: impl Fn(&str) -> bool) -> Vec<SortId> {
    let automata = model.automata.iter().filter(|a| of(&a.name));
    let bears = |sort: SortId, automaton: &str| {
        let name = &model.sorts[sort.index()].name;
        name.strip_prefix(automaton)
            .and_then(|rest| rest.strip_prefix('.'))
            == Some(short)
    };
    automata
        .flat_map(|a| {
            let sorts = a.parameters.sorts.iter().copied();
            sorts.filter(|sort| bears(*sort, &a.name))
        })
        .collect()
}

/// Whether an automaton is a component of another.
fn is_component(model: &Model, automaton: &str) -> bool {
    let mut components = model.automata.iter().flat_map(|a| &a.components);
    components.any(|c| &*c.automaton == automaton)
}

/// Whether an operator takes or returns values of one of these sorts.
pub(super) fn is_about(function: &Function, sorts: &BTreeSet<SortId>) -> bool {
    let mut types = function.params.iter().chain([&function.result]);
    types.any(|ty| mentions(ty, sorts))
}

/// Whether an axiom mentions values of one of these sorts.
pub(super) fn is_axiom_about(model: &Model, axiom: &Axiom, sorts: &BTreeSet<SortId>) -> bool {
    let mut about = axiom.locals.iter().any(|local| mentions(&local.ty, sorts));
    axiom.formula.walk(&mut |expr| {
        about |= mentions(&expr.ty, sorts);
        if let ExprKind::Theory(function, _) = expr.kind {
            about |= is_about(&model.functions[function.index()], sorts);
        }
    });
    about
}

/// Whether values of a type are made of elements of one of these sorts. (Tuples and unions are declared outside of
/// automata, where type parameters are not known.)
fn mentions(ty: &Type, sorts: &BTreeSet<SortId>) -> bool {
    match ty {
        Type::Sort(sort) => sorts.contains(sort),
        other => other.args().into_iter().any(|part| mentions(part, sorts)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Universe;

    fn model(text: &str) -> Model {
        let mut sources = ioa_lang::Sources::new();
        sources.add("test", text);
        ioa_lang::load(&sources).model
    }

    fn sizes(
        model: &Model,
        given: &[(&str, u64)],
    ) -> Result<BTreeMap<String, u64>, Vec<SizeError>> {
        let given = given.iter().map(|(name, n)| ((*name).to_owned(), *n));
        Universe::sized(model, model.every_setting(), &given.collect())
            .map(|universe| universe.sizes(model))
    }

    const PAIR: &str = "type Node
        automaton Cell(M: type) signature internal tick states at: Node transitions internal tick
        automaton Pair(M: type) components A: Cell(M); B: Cell(M)";

    #[test]
    fn a_short_name_means_the_parameter_of_who_is_no_component() {
        let model = model(PAIR);
        let found = sizes(&model, &[("Node", 2), ("M", 3)]).unwrap();
        assert_eq!(
            found,
            BTreeMap::from([("Node".into(), 2), ("Pair.M".into(), 3)])
        );
        let found = sizes(
            &model,
            &[("Node", 2), ("Cell.M", 1), ("M", 3), ("Pair.M", 4)],
        )
        .unwrap();
        assert_eq!(found["Pair.M"], 4);
        assert_eq!(found["Cell.M"], 1);
    }

    #[test]
    fn only_type_parameters_may_go_without_a_size() {
        let model = model(PAIR);
        assert_eq!(
            sizes(&model, &[("M", 3)]),
            Err(vec![SizeError::Missing("Node".into())])
        );
        let zero = sizes(&model, &[("Node", 1), ("M", 0)]);
        assert_eq!(zero, Err(vec![SizeError::Zero("Pair.M".into())]));
    }

    #[test]
    fn a_short_name_of_several_is_refused() {
        let two = PAIR.replace(
            "components A: Cell(M); B: Cell(M)",
            "signature internal t transitions internal t",
        );
        let refused = sizes(&model(&two), &[("Node", 1), ("M", 3)]);
        let sorts = vec!["Cell.M".into(), "Pair.M".into()];
        let name = "M".into();
        assert_eq!(refused, Err(vec![SizeError::Ambiguous { name, sorts }]));
    }

    #[test]
    fn a_sort_that_nothing_is_about_needs_no_size() {
        let spare = "type Node type Spare type Spares = Set[Spare] assumes TotalOrder(Spare)
            let one(s: Spare) = 1
            automaton Cell signature internal tick states at: Node transitions internal tick";
        let node = BTreeMap::from([("Node".to_owned(), 2)]);
        assert_eq!(sizes(&model(spare), &[("Node", 2)]), Ok(node));
        let both = sizes(&model(spare), &[("Node", 2), ("Spare", 3)]).unwrap();
        assert_eq!(both["Spare"], 3, "a size that is given counts");
        for use_of_it in [
            "invariant I of Cell: \\E a, b: Spare (a < b)",
            "type Pair = tuple of a, b: Spare",
            "vocabulary V operators f: Spare -> Nat end imports V",
            "vocabulary V axioms \\E a, b: Spare (a ~= b) end imports V",
            "type Q assumes Quorums(Q, Spare)",
            "schedule S of Cell states s: Set[Spare] := {} do if s = {} then fire internal tick fi od",
        ] {
            let model = model(&format!("{spare} {use_of_it}"));
            let missing = Err(vec![SizeError::Missing("Spare".into())]);
            assert_eq!(sizes(&model, &[("Node", 2)]), missing, "{use_of_it}");
        }
    }
}
