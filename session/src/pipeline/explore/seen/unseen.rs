//! What no visited state shows: clauses that are never enabled, premises that are never met, and which condition is to
//! blame.

use explorer::Search;
use interpreter::limits::FUEL;
use interpreter::{Blocked, Conditions, Executor, Rows};
use ioa_lang::Span;
use ioa_lang::core::TransitionId;

use super::super::visit::Steps;

/// How many of the visited states are looked at to say what was never seen.
pub(in crate::pipeline::explore) const LOOKED_AT: usize = 200_000;

/// Seconds for all that was not seen, which matters less than the answers.
pub(in crate::pipeline::explore) const PATIENCE: f64 = 2.0;

/// Of these, every so many first: a condition that holds at all is then soon seen to, however deep the states are.
const STRIDE: usize = 61;

/// A clause that no visited state enables.
#[derive(Clone, Copy, Debug)]
pub struct Never {
    /// The clause.
    pub transition: TransitionId,
    /// The condition that no state satisfied together with those before it, where it can be told.
    pub blocked_by: Option<Span>,
    /// Whether that only tells one case of a composition from another.
    pub is_other_case: bool,
}

impl Never {
    /// The clauses that never fired, by how often each did; of none is it told why.
    pub(in crate::pipeline::explore) fn among(fired: &[u64]) -> Vec<Self> {
        let clauses = fired.iter().zip((0..).map(TransitionId));
        let never = clauses.filter(|(fired, _)| **fired == 0);
        never
            .map(|(_, transition)| Self {
                transition,
                blocked_by: None,
                is_other_case: false,
            })
            .collect()
    }
}

/// An implication whose premises no visited state meets.
#[derive(Clone, Copy, Debug)]
pub struct Vacuous {
    /// The invariant it is in, by position in the model.
    pub invariant: usize,
    /// Which of the invariant's implications it is.
    pub implication: usize,
    /// Which of its premises no state satisfied together with those before it.
    pub premise: usize,
    /// Where that premise stands.
    pub blocked_by: Span,
}

impl Vacuous {
    /// Whether the first premise is never met by itself.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.premise == 0
    }

    /// Whether it is the same premise of the same implication.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let place = |one: &Self| (one.invariant, one.implication, one.premise);
        place(self) == place(other)
    }
}

/// A search that has ended, to be asked what it did not see.
pub(in crate::pipeline::explore) struct Unseen<'u, 'i> {
    pub(in crate::pipeline::explore) search: &'u Search<Steps<'i>>,
    pub(in crate::pipeline::explore) executor: &'u mut Executor<'i>,
    pub(in crate::pipeline::explore) rows: &'u Rows<'i>,
}

impl Unseen<'_, '_> {
    /// The clauses that never fired, and what kept them from it in the states that were visited first.
    pub(in crate::pipeline::explore) fn never(&mut self, fired: &[u64]) -> Vec<Never> {
        let clauses = (0..fired.len()).filter(|t| fired[*t] == 0);
        clauses
            .map(|t| {
                let transition = TransitionId::at(t);
                let conditions = self.executor.conditions(transition);
                let blocked = self.furthest(&conditions);
                Never {
                    transition,
                    blocked_by: blocked.map(|at| conditions.spans[at]),
                    is_other_case: blocked.is_some_and(|at| conditions.cases[at]),
                }
            })
            .collect()
    }

    /// The implications in invariants whose premises no visited state meets; none where not all states are looked at.
    pub(in crate::pipeline::explore) fn vacuous(&mut self, invariants: &[usize]) -> Vec<Vacuous> {
        if self.search.distinct() > LOOKED_AT as u64 {
            return Vec::new();
        }
        let mut found = Vec::new();
        for &invariant in invariants {
            let implications = self.executor.premises(invariant);
            for (implication, premises) in implications.iter().enumerate() {
                let blocked = self.furthest(premises);
                found.extend(blocked.map(|at| Vacuous {
                    invariant,
                    implication,
                    premise: at,
                    blocked_by: premises.spans[at],
                }));
            }
        }
        found
    }

    /// The condition that none of the states that are looked at satisfies together with those before it; of several, the last.
    /// None where some state satisfies all conditions, or where that is not known of one. All states together may use as much fuel as
    /// one step may.
    fn furthest(&mut self, conditions: &Conditions) -> Option<usize> {
        let mut furthest = None;
        let end = self.executor.turns().saturating_add(FUEL);
        for stride in [STRIDE, 1] {
            for row in self.search.states().take(LOOKED_AT).step_by(stride) {
                let state = self.rows.state(&row);
                let known = furthest.unwrap_or(0);
                let left = end.saturating_sub(self.executor.turns());
                match self.executor.blocked(&state, (conditions, known), left) {
                    Blocked::By(at) => furthest = Some(at),
                    Blocked::No | Blocked::Unknown => return None,
                }
            }
        }
        furthest
    }
}
