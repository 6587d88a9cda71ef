//! A simulation that is a refinement mapping, as an `INSTANCE .. WITH` that TLC can check.

use std::collections::BTreeSet;

use ioa_lang::core::{
    Expr, ExprKind, LocalId, Op, Quantifier, Simulation, SortId, StateRef, Store, VarId,
};

use super::assembly;
use super::automaton::Parts;
use super::names::SPECIFICATION;
use super::syntax::Module;
use super::syntax::{Definition, Term, Unit};
use super::writer::{Needs, Writer};

/// What determines a variable of the specification.
enum Given<'a> {
    /// A term.
    Term(&'a Expr),
    /// The elements for which a formula holds.
    Elements(LocalId, &'a Expr),
    /// An array's element for each index.
    Entries(LocalId, &'a Expr),
}

/// Writes the module of a simulation. The writer has just written the module of the implementation, `low`; the specification
/// is given with the sorts that its module needs.
pub(super) fn module<'a>(
    writer: &mut Writer<'a>,
    simulation: &'a Simulation,
    low: &Parts,
    (high, sorts): (&Parts, &BTreeSet<SortId>),
    about: &str,
) -> Module {
    let before = assembly::closed(writer);
    writer.needs.sorts.extend(sorts);
    let name = format!("{}Refines{}", low.name, high.name);
    let names = [&name, "Specification", "Refinement", "Related"].map(|n| writer.names.global(n));
    let [name, instance, property, related] = names;
    writer.begin(&simulation.locals, true);
    writer.reads.clear();
    let variables = low.variables.iter().map(|v| Term::name(&**v)).collect();
    writer.stores = [(Store::Low, variables)].into();
    let (mapping, rest) = mapping(writer, simulation);
    let with = high.variables.iter().cloned().zip(mapping.iter().cloned());
    let with = with.collect();
    writer.stores.insert(Store::High, mapping);
    let rest: Vec<Term> = rest.into_iter().map(|c| writer.term(c)).collect();
    let needs = added(writer, &before);
    let mut units = assembly::declarations(writer, &needs);
    units.extend(assembly::definitions(writer, &needs));
    let steps = Term::name(format!("{instance}!{SPECIFICATION}"));
    units.extend([
        Unit::Instance {
            name: instance,
            module: high.name.clone(),
            with,
        },
        Unit::Gap,
        Unit::Definition(Definition::new(&*property, steps)),
    ]);
    let mut invariants = Vec::new();
    if !rest.is_empty() {
        let rest = Definition::new(&*related, Term::all(rest));
        units.extend([Unit::Gap, Unit::Definition(rest)]);
        invariants.push(related);
    }
    let all = assembly::closed(writer);
    let config = assembly::config(writer, &all, SPECIFICATION, &invariants, &[property]);
    let extends = (name, &*low.name);
    Module::new(about, extends, units, config)
}

/// A term for each variable of the specification, and the remaining conjuncts of the relation.
fn mapping<'a>(writer: &mut Writer<'a>, simulation: &'a Simulation) -> (Vec<Term>, Vec<&'a Expr>) {
    let conjuncts = simulation.relation.conjuncts();
    let mut rest = conjuncts.clone();
    let mut mapping = Vec::new();
    let high = writer.model.automaton(simulation.high);
    for (at, variable) in high.variables.iter().enumerate() {
        let given = |c: &&'a Expr| Some((*c, given(c, VarId::at(at))?));
        let Some((conjunct, given)) = conjuncts.iter().find_map(given) else {
            mapping.push(writer.unsayable(
                simulation.span,
                &format!("the relation does not say what {}.{} is", high.name, variable.name),
                "a refinement mapping gives each variable of the specification as a term over those of the implementation",
            ));
            continue;
        };
        rest.retain(|c| c.id() != conjunct.id());
        mapping.push(mapped(writer, &given));
    }
    (mapping, rest)
}

/// The definitions that are needed now but were not needed before.
fn added(writer: &mut Writer<'_>, before: &Needs) -> Needs {
    let now = assembly::closed(writer);
    Needs {
        sorts: &now.sorts - &before.sorts,
        types: &now.types - &before.types,
        functions: &now.functions - &before.functions,
        helpers: &now.helpers - &before.helpers,
    }
}

/// The definition of a variable of the specification by a conjunct of the relation.
fn given(conjunct: &Expr, var: VarId) -> Option<Given<'_>> {
    match &conjunct.kind {
        ExprKind::Apply(Op::Eq | Op::Iff, args) => {
            let sides = [(&args[0], &args[1]), (&args[1], &args[0])];
            let (_, term) = sides.into_iter().find(|(side, _)| is_high(side, var))?;
            is_of_low(term).then_some(Given::Term(term))
        }
        ExprKind::Quantified(Quantifier::ForAll, binders, body) => {
            let ([binder], ExprKind::Apply(op, args)) = (&binders[..], &body.kind) else {
                return None;
            };
            let sides = [(args.first()?, args.get(1)?), (args.get(1)?, args.first()?)];
            sides
                .into_iter()
                .find_map(|(side, term)| match (op, &side.kind) {
                    (Op::Iff, ExprKind::Apply(Op::Member, inner))
                        if inner[0].is_local(*binder)
                            && is_high(&inner[1], var)
                            && is_of_low(term) =>
                    {
                        Some(Given::Elements(*binder, term))
                    }
                    (Op::Eq | Op::Iff, ExprKind::Apply(Op::Select, inner))
                        if is_high(&inner[0], var)
                            && inner[1].is_local(*binder)
                            && is_of_low(term) =>
                    {
                        Some(Given::Entries(*binder, term))
                    }
                    _ => None,
                })
        }
        _ => None,
    }
}

fn is_high(expr: &Expr, var: VarId) -> bool {
    let high = StateRef {
        store: Store::High,
        var,
    };
    matches!(expr.kind, ExprKind::State(state) if state == high)
}

fn is_of_low(expr: &Expr) -> bool {
    let mut of_low = true;
    ioa_lang::core::reads_of_expr(expr, &mut |state, _| of_low &= state.store == Store::Low);
    of_low
}

fn mapped<'a>(writer: &mut Writer<'a>, given: &Given<'a>) -> Term {
    let (binder, part) = match given {
        Given::Term(term) => return writer.term(term),
        Given::Elements(binder, part) | Given::Entries(binder, part) => (*binder, *part),
    };
    let set = writer.range(binder, &[]);
    let name = writer.enter(binder);
    let part = writer.term(part);
    writer.leave(binder);
    match given {
        Given::Entries(..) => Term::function(name, set, part),
        _ => Term::filter(name, set, part),
    }
}
