//! What a search found, told by the interpreter: the way there, and what is wrong at its end.
//!
//! Native code finds, the interpreter tells. Should they ever disagree, that is a mistake of ours: it is said with what
//! was found, and takes nothing away from it.

use std::ops::ControlFlow;

use explorer::symmetry::Symmetry;
use explorer::{Finding, Question};
use interpreter::trace::Trace;
use interpreter::{Executor, Interrupt, Reason, Rows, State};

use super::search::canonicalise;

/// What a search found in a state, and the way there.
#[derive(Debug)]
pub struct Shown {
    /// What was asked.
    pub question: Question,
    /// How many steps lead to the state.
    pub depth: usize,
    /// The way.
    pub trace: Option<Trace>,
    /// The state, where there is no way to be shown.
    pub state: Option<State>,
    /// Which conjuncts of an invariant are false.
    pub reasons: Vec<Reason>,
    /// What keeps a term from having a value.
    pub interrupt: Option<Interrupt>,
    /// Whether actions are enabled where the automaton cannot go on: none of them has a result.
    pub is_blocked: bool,
    /// In what the interpreter disagrees with the search.
    pub disagreement: Option<&'static str>,
}

impl Shown {
    /// What is known of a finding from the start.
    pub(super) fn of(question: Question, depth: usize) -> Self {
        Self {
            question,
            depth,
            trace: None,
            state: None,
            reasons: Vec::new(),
            interrupt: None,
            is_blocked: false,
            disagreement: None,
        }
    }
}

/// What it takes to tell of a finding.
pub(super) struct Show<'s, 'i> {
    pub(super) executor: &'s mut Executor<'i>,
    pub(super) rows: &'s Rows<'i>,
    pub(super) symmetry: Option<&'s Symmetry>,
    /// The invariants that were checked, by position in the model.
    pub(super) invariants: &'s [usize],
}

impl Show<'_, '_> {
    /// Takes the way to a finding, given as rows, and says what is wrong at its end.
    pub(super) fn finding(&mut self, finding: &Finding, path: Option<Vec<Vec<u64>>>) -> Shown {
        let mut shown = Shown::of(finding.question, finding.depth);
        let taken = path.map(|path| {
            explorer::execution(self.executor, self.rows, &path, &|row| {
                canonicalise(self.symmetry, row);
            })
        });
        let state = match taken {
            Some(Ok(Some(trace))) => shown.trace.insert(trace).last().clone(),
            _ => {
                shown.disagreement = Some("it finds no way to the state");
                shown.state.insert(self.rows.state(&finding.state)).clone()
            }
        };
        self.look_at(&state, &mut shown);
        shown
    }

    /// Says what is wrong in the state.
    fn look_at(&mut self, state: &State, shown: &mut Shown) {
        let disagreement = match shown.question {
            Question::Invariant(position) => {
                let invariant = self.invariants[position];
                match self.executor.holds(state, invariant) {
                    Ok(true) => Some("by it the formula holds in the state"),
                    Ok(false) => {
                        shown.reasons = self.executor.why_violated(state, invariant);
                        None
                    }
                    Err(interrupt) => {
                        shown.interrupt = Some(interrupt);
                        None
                    }
                }
            }
            Question::Fault => {
                shown.interrupt = self.all_steps(state).err();
                let is_none = shown.interrupt.is_none();
                is_none.then_some("by it every step from the state has a result")
            }
            Question::Deadlock => {
                shown.is_blocked = self.enables_something(state);
                let is_alive = !self.executor.is_dead(state);
                is_alive.then_some("by it the automaton can go on from the state")
            }
        };
        shown.disagreement = shown.disagreement.or(disagreement);
    }

    /// Computes all steps from a state, for what keeps one of them from it.
    fn all_steps(&mut self, state: &State) -> Result<(), Interrupt> {
        for firing in self.executor.enabled(state)? {
            let go_on = &mut |_: &[_], _: &State| ControlFlow::Continue(());
            let _ = self.executor.each_outcome(state, &firing, go_on)?;
        }
        Ok(())
    }

    /// Whether an action is enabled in a state.
    fn enables_something(&mut self, state: &State) -> bool {
        let enabled = self.executor.enabled(state);
        enabled.is_ok_and(|firings| !firings.is_empty())
    }
}
