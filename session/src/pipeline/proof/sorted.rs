//! What is known about the counterexamples to induction that a proof came to.

use std::collections::{BTreeMap, BTreeSet};

use prover_bridge::{Counterexample, Outcome, Verdict};

use crate::finding::{Finding, Kind};

/// The counterexamples to an obligation, each with a name of its own; that of the first is the obligation's.
pub(super) fn counterexamples(
    outcome: &Outcome,
) -> impl Iterator<Item = (String, &Counterexample)> {
    let first = match &outcome.verdict {
        Verdict::Refuted(found) => Some(&**found),
        _ => None,
    };
    let all = first.into_iter().chain(&outcome.others);
    (1..).zip(all).map(|(number, found)| {
        let name = &outcome.obligation.name;
        let own = match number {
            1 => name.clone(),
            _ => format!("{name} ({number})"),
        };
        (own, found)
    })
}

/// What is known about counterexamples to induction.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// Of each counterexample, by name, what is known about the state before the step.
    pub(super) hints: BTreeMap<String, Hint>,
    /// What executions violate.
    pub(super) violated: Vec<Finding>,
    /// The invariants that counterexamples themselves show to be violated, by name: they begin in a start state.
    pub(super) violated_at_once: BTreeSet<String>,
}

impl Sorted {
    /// Whether an execution violates the invariant with this name.
    pub(super) fn violates(&self, invariant: &str) -> bool {
        let mut violated = self.violated.iter();
        violated.any(|finding| finding.kind == Kind::Invariant && finding.name == invariant)
            || self.violated_at_once.contains(invariant)
    }
}

/// Whether an execution reaches a state, in a sentence.
#[derive(Debug)]
pub(super) enum Reachability {
    /// One does: what is to be shown is false.
    Yes(String),
    /// None does.
    No(String),
}

impl Reachability {
    pub(super) fn words(&self) -> &str {
        match self {
            Self::Yes(words) | Self::No(words) => words,
        }
    }
}

/// What is known about the state before the step of a counterexample to induction.
#[derive(Debug)]
pub(super) struct Hint {
    /// Whether an execution reaches it; nothing, where that is not known.
    pub(super) reached: Option<Reachability>,
    /// Invariants that exclude it, as IOA text. They hold in all states that were visited, and may be false in others.
    pub(super) candidates: Vec<String>,
    /// Whether what is to be shown is proved with these: then they exclude every other such state too.
    pub(super) settle: bool,
}
