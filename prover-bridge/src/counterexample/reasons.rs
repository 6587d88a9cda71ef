//! Why an obligation fails in a counterexample, so that the next one fails for another reason.
//!
//! Most of what is known of the state before a step does not matter to the failure. What does, an unsat core says: these facts and the
//! assumptions contradict that the goals hold after the step. In a counterexample that has the same facts, perhaps of other elements,
//! the obligation fails for the same reason.

use ioa_lang::core::SortId;
use z3::ast::{Ast, Bool, Dynamic};

use crate::interpretation::orders;
use crate::logic::{Logic, and};
use crate::solver::Solver;

/// No more ways to rename the elements are excluded than this.
const MAX_RENAMINGS: usize = 720;

/// How much work it may take to find each fact not to matter, in Z3's own unit.
const WORK: u32 = 200_000;

/// That a counterexample fails for another reason than that in `model`. The solver has been told all that is assumed, and that the
/// goals hold; `facts` are terms that say what the counterexample is. Where these do not decide that a goal fails, all of them are
/// taken for the reason.
pub(super) fn another(
    logic: &Logic<'_>,
    solver: &mut Solver<'_>,
    facts: &[Dynamic],
    model: &z3::Model,
) -> Vec<Bool> {
    let stated: Vec<Bool> = facts
        .iter()
        .filter_map(|fact| Some(fact.eq(&in_terms(logic, fact, model)?)))
        .collect();
    let literals = stated.iter().map(|fact| {
        let literal = Bool::fresh_const("fact");
        solver.assert(literal.implies(fact));
        literal
    });
    let literals: Vec<(usize, Bool)> = literals.enumerate().collect();
    let reason = match solver.core_within(literals, WORK) {
        Some((core, _)) => core.into_iter().map(|(at, _)| stated[at].clone()).collect(),
        None => stated,
    };
    let reason = and(&reason);
    let renamings = renamings(logic).into_iter();
    let renamed = renamings.map(|elements| {
        let pairs: Vec<(&Dynamic, &Dynamic)> = elements.iter().map(|(a, b)| (a, b)).collect();
        reason.substitute(&pairs).not()
    });
    renamed.collect()
}

/// What a fact is in a model: an element of a sort by its name, and anything else by its value.
fn in_terms(logic: &Logic<'_>, fact: &Dynamic, model: &z3::Model) -> Option<Dynamic> {
    let value = model.eval(fact, true)?;
    let mut elements = sorts(logic).flat_map(|sort| logic.elements(sort));
    let same = elements.find(|element| {
        element.get_sort() == value.get_sort()
            && model.eval(*element, true).as_ref() == Some(&value)
    });
    Some(same.cloned().unwrap_or(value))
}

fn sorts<'l>(logic: &Logic<'l>) -> impl Iterator<Item = SortId> + use<'l> {
    (0..logic.model.sorts.len()).map(SortId::at)
}

/// The ways to give the elements of the sorts each other's names, each as pairs of an element and its new name.
fn renamings(logic: &Logic<'_>) -> Vec<Vec<(Dynamic, Dynamic)>> {
    let mut all = vec![Vec::new()];
    for sort in sorts(logic) {
        let elements = logic.elements(sort);
        let orders = orders(elements.len() as u64);
        if orders.is_empty() || all.len() * orders.len() > MAX_RENAMINGS {
            continue;
        }
        let renamed = |order: &Vec<u32>| {
            let targets = order.iter().map(|to| &elements[*to as usize]);
            let pairs = elements.iter().zip(targets);
            let moved = pairs.filter(|(from, to)| from != to);
            moved.map(|(from, to)| (from.clone(), to.clone())).collect()
        };
        let orders: Vec<Vec<(Dynamic, Dynamic)>> = orders.iter().map(renamed).collect();
        let extended = |known: &Vec<(Dynamic, Dynamic)>| {
            let with = |more: &Vec<(Dynamic, Dynamic)>| [&known[..], &more[..]].concat();
            orders.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extended).collect();
    }
    all
}
