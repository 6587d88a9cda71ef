//! What a search found: the way there with its labels, and what is wrong at its end.
//!
//! A search finds states by whatever engine it has. Labels, and the reasons for an answer, come from the interpreter.
//! Should the two ever disagree, that is a mistake of ours: the finding becomes an internal error, which keeps all that
//! was found.

use std::fmt;
use std::ops::ControlFlow;

use explorer::symmetry::Symmetry;
use explorer::{Canonical, Finding, Path, Question};
use interpreter::trace::Trace;
use interpreter::{Executor, Interrupt, Reason, Rows, State};

use super::super::symmetry::canonicalise;
use crate::interpretation::World;

/// What a search found in a state, and the way there.
#[derive(Debug)]
pub struct Shown {
    /// Where it was found.
    pub world: World,
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
    /// In what the engine of the search and the interpreter disagree, if they do.
    pub disagreement: Option<Disagreement>,
    /// How many steps the way had before some of them were left out, if it was shortened.
    pub shortened: Option<usize>,
}

/// A disagreement between the engine of a search and the interpreter.
#[derive(Debug)]
pub enum Disagreement {
    /// They take different steps.
    Step(Box<explorer::Disagreement>),
    /// They answer a question about a state differently.
    Answer {
        /// The engine that found the state.
        finder: &'static str,
        /// What the interpreter says of the state.
        instead: &'static str,
    },
    /// The search finds no way to a state that it has visited.
    NoPath,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(disagreement) => write!(f, "{disagreement}"),
            Self::Answer { finder, instead } => {
                write!(
                    f,
                    "{finder} found the state, and by the interpreter {instead}"
                )
            }
            Self::NoPath => write!(f, "no step of a visited state leads to the state"),
        }
    }
}

impl Shown {
    /// What is known of a finding from the start.
    pub(in crate::pipeline::explore) fn of(
        world: &World,
        question: Question,
        depth: usize,
    ) -> Self {
        Self {
            world: world.clone(),
            question,
            depth,
            trace: None,
            state: None,
            reasons: Vec::new(),
            interrupt: None,
            is_blocked: false,
            disagreement: None,
            shortened: None,
        }
    }
}

/// What it takes to tell of a finding.
pub(in crate::pipeline::explore) struct Show<'s, 'i> {
    pub(in crate::pipeline::explore) world: &'s World,
    pub(in crate::pipeline::explore) executor: &'s mut Executor<'i>,
    pub(in crate::pipeline::explore) rows: &'s Rows<'i>,
    pub(in crate::pipeline::explore) symmetry: Option<&'s Symmetry>,
    /// The invariants that were checked, by position in the model.
    pub(in crate::pipeline::explore) invariants: &'s [usize],
}

impl Show<'_, '_> {
    /// Gives the way to a finding its labels, and says what is wrong at its end.
    pub(in crate::pipeline::explore) fn finding(
        &mut self,
        finding: &Finding,
        path: Option<&Path>,
    ) -> Shown {
        let mut shown = Shown::of(self.world, finding.question, finding.depth);
        match path {
            Some(path) => self.label(path, &mut shown),
            None => shown.disagreement = Some(Disagreement::NoPath),
        }
        let end = shown
            .trace
            .as_ref()
            .filter(|_| shown.disagreement.is_none());
        let state = match end {
            Some(trace) => trace.last().clone(),
            None => shown.state.insert(self.rows.state(&finding.state)).clone(),
        };
        let finder = path.map_or("the search", |path| path.engine);
        self.look_at(&state, finder, &mut shown);
        shown
    }

    /// Says what is wrong at the end of an execution that the interpreter has taken.
    pub(in crate::pipeline::explore) fn execution(
        &mut self,
        question: Question,
        trace: Trace,
    ) -> Shown {
        let mut shown = Shown::of(self.world, question, trace.steps.len());
        let end = trace.last().clone();
        shown.trace = Some(trace);
        self.look_at(&end, "the search", &mut shown);
        shown
    }

    /// Reads the labels of a path from the interpreter.
    fn label(&mut self, path: &Path, shown: &mut Shown) {
        let symmetry = self.symmetry.filter(|symmetry| symmetry.order() > 1);
        let canonical = |row: &mut [u64]| canonicalise(symmetry, row);
        let canonical = symmetry.map(|_| &canonical as &Canonical<'_>);
        let labelled = explorer::label(path, self.executor, self.rows, canonical);
        shown.trace = labelled.trace;
        shown.disagreement = labelled.disagreement.map(Disagreement::Step);
    }

    /// Says what is wrong in the state.
    fn look_at(&mut self, state: &State, finder: &'static str, shown: &mut Shown) {
        let instead = match shown.question {
            Question::Invariant(position) => {
                let invariant = self.invariants[position];
                match self.executor.holds(state, invariant) {
                    Ok(true) => Some("the formula holds in it"),
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
                is_none.then_some("every step from it has a result")
            }
            Question::Deadlock => {
                shown.is_blocked = self.enables_something(state);
                let is_alive = !self.executor.is_dead(state);
                is_alive.then_some("the automaton can go on from it")
            }
        };
        let answer = instead.map(|instead| Disagreement::Answer { finder, instead });
        shown.disagreement = shown.disagreement.take().or(answer);
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
