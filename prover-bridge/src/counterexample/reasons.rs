//! Why an obligation fails in a counterexample, so that the next one fails for another reason.
//!
//! Most of what is known of the state before a step does not matter to the failure. What does, an unsat core says: with the
//! assumptions, these facts contradict that the step cannot be taken or that the goals hold after it. In a counterexample that has
//! the same facts, perhaps of other elements, the obligation fails for the same reason.

use ioa_lang::core::SortId;
use z3::SortKind;
use z3::ast::{Ast, Bool, Dynamic};

use crate::interpretation::orders;
use crate::logic::{Logic, and};
use crate::solver::Solver;

/// No more ways to rename the elements are excluded than this.
const MAX_RENAMINGS: usize = 720;

/// How much work it may take to find each fact not to matter, in Z3's own unit.
const WORK: u32 = 200_000;

/// The facts of a counterexample that matter: why the step can be taken, and why a goal fails after it.
pub(super) struct Reason(Vec<Fact>);

/// A term, and its value.
#[derive(Clone)]
struct Fact {
    term: Dynamic,
    value: Dynamic,
}

impl Fact {
    fn stated(&self) -> Bool {
        self.term.eq(&self.value)
    }

    /// Whether it is how much something is. By how much a bound is missed is no reason of its own.
    fn is_number(&self) -> bool {
        matches!(self.term.sort_kind(), SortKind::Int | SortKind::Real)
    }
}

/// The reason for a counterexample. The solver has been told all that is assumed of the state before the step and of theories, and that
/// the step is not taken or the goals hold; `facts` are terms that say what the counterexample is. Where these do not decide that a goal
/// fails, all of them are taken for the reason.
pub(super) fn reason(
    logic: &Logic<'_>,
    solver: &mut Solver<'_>,
    facts: &[Dynamic],
    model: &z3::Model,
) -> Reason {
    let facts = facts.iter().filter_map(|term| {
        let value = in_terms(logic, term, model)?;
        let term = term.clone();
        Some(Fact { term, value })
    });
    let facts: Vec<Fact> = facts.collect();
    let literals = facts.iter().map(|fact| {
        let literal = Bool::fresh_const("fact");
        solver.assert(literal.implies(fact.stated()));
        literal
    });
    let literals: Vec<(usize, Bool)> = literals.enumerate().collect();
    Reason(match solver.core_within(literals, WORK) {
        Some((core, _)) => core.into_iter().map(|(at, _)| facts[at].clone()).collect(),
        None => facts,
    })
}

impl Reason {
    /// That a counterexample fails for another reason: other facts matter, under whatever names of the elements and for whatever
    /// numbers, if there is more to the reason than numbers.
    pub(super) fn another(&self, logic: &Logic<'_>) -> Vec<Bool> {
        let told: Vec<Bool> = self.telling().iter().map(|fact| fact.stated()).collect();
        let reason = and(&told);
        let renamings = renamings(logic).into_iter();
        let renamed = renamings.map(|elements| {
            let pairs: Vec<(&Dynamic, &Dynamic)> = elements.iter().map(|(a, b)| (a, b)).collect();
            reason.substitute(&pairs).not()
        });
        renamed.collect()
    }

    /// The facts that tell it from others.
    fn telling(&self) -> Vec<&Fact> {
        let telling: Vec<&Fact> = self.0.iter().filter(|fact| !fact.is_number()).collect();
        match telling.is_empty() {
            true => self.0.iter().collect(),
            false => telling,
        }
    }

    /// What it has in common with those that differ only in numbers and in the names of elements: the facts as text, without either.
    pub(super) fn shape(&self, logic: &Logic<'_>) -> Vec<String> {
        let shapes = renamings(logic).into_iter().map(|elements| {
            let pairs: Vec<(&Dynamic, &Dynamic)> = elements.iter().map(|(a, b)| (a, b)).collect();
            let facts = self.telling().into_iter();
            let texts =
                facts.map(|fact| without_numbers(&fact.stated().substitute(&pairs).to_string()));
            let mut texts: Vec<String> = texts.collect();
            texts.sort();
            texts.dedup();
            texts
        });
        shapes.min().unwrap_or_default()
    }
}

/// A text of the solver's with the same number in place of each.
fn without_numbers(text: &str) -> String {
    let words = text.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
    let word = |word: &str| {
        let end = word.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
        match !end.is_empty() && end.chars().all(|c| c.is_ascii_digit() || c == '.') {
            true => word.replacen(end, "0", 1),
            false => word.to_owned(),
        }
    };
    words.map(word).collect()
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
