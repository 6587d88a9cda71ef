//! The coverage of runs: which clauses fired, how many steps changed nothing, and which variables ever changed.

use ioa_lang::core::{TransitionId, VarId};

use crate::state::layout::{Layout, State};
use crate::vm::Branches;

/// What the steps of some runs of one automaton have exercised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    clauses: Vec<Fired>,
    /// For each variable, whether a step changed it.
    changed: Vec<bool>,
    /// The branches that effects took.
    branches: Branches,
}

/// How often a clause fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fired {
    /// The number of its steps.
    pub steps: u64,
    /// The number of these that led back to the state that they started from.
    pub idle: u64,
    /// The number of these of which it is not known which branches they took.
    pub passed_over: u64,
}

impl Coverage {
    /// Coverage in which only the number of steps of each clause is known.
    #[must_use]
    pub fn of_clauses(steps: &[u64]) -> Self {
        let fired = |steps: &u64| Fired {
            steps: *steps,
            ..Fired::default()
        };
        Self {
            clauses: steps.iter().map(fired).collect(),
            ..Self::default()
        }
    }

    /// Adds what other runs of the automaton have exercised.
    pub fn add(&mut self, other: &Self) {
        let clauses = self.clauses.len().max(other.clauses.len());
        self.clauses.resize(clauses, Fired::default());
        for (fired, more) in self.clauses.iter_mut().zip(&other.clauses) {
            fired.steps += more.steps;
            fired.idle += more.idle;
            fired.passed_over += more.passed_over;
        }
        self.branches.extend(&other.branches);
        let variables = self.changed.len().max(other.changed.len());
        self.changed.resize(variables, false);
        for (changed, too) in self.changed.iter_mut().zip(&other.changed) {
            *changed |= too;
        }
    }

    /// How often a clause fired.
    #[must_use]
    pub fn fired(&self, clause: TransitionId) -> Fired {
        let fired = self.clauses.get(clause.index());
        fired.copied().unwrap_or_default()
    }

    /// All steps.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.clauses.iter().map(|fired| fired.steps).sum()
    }

    /// The steps that changed nothing.
    #[must_use]
    pub fn idle(&self) -> u64 {
        self.clauses.iter().map(|fired| fired.idle).sum()
    }

    /// The branches of `if` statements that effects took.
    #[must_use]
    pub fn branches(&self) -> &Branches {
        &self.branches
    }

    /// Whether a step changed the value of a variable.
    #[must_use]
    pub fn is_changed(&self, variable: VarId) -> bool {
        self.changed.get(variable.index()).copied() == Some(true)
    }
}

/// Counts the steps of one run. It makes only a few comparisons of words for each step, since random runs take millions of
/// steps a second.
pub(crate) struct Counter {
    clauses: Vec<Fired>,
    /// The bits of the packed part that some step changed.
    words: Vec<u64>,
    /// The cells that some step changed.
    cells: Vec<bool>,
}

impl Counter {
    /// No steps yet, for an automaton with the given number of clauses.
    pub(crate) fn new(clauses: usize, layout: &Layout) -> Self {
        Self {
            clauses: vec![Fired::default(); clauses],
            words: vec![0; layout.words()],
            cells: vec![false; layout.cells()],
        }
    }

    /// Counts a step between two states, and returns whether it changed nothing.
    pub(crate) fn count(&mut self, clause: TransitionId, before: &State, after: &State) -> bool {
        let mut is_idle = self.words_change(&before.words, &after.words);
        let cells = before.cells.iter().zip(&after.cells);
        for (changed, (before, after)) in self.cells.iter_mut().zip(cells) {
            // Variables that are known to change need not be compared unless the comparison decides the result.
            if (is_idle || !*changed) && before != after {
                *changed = true;
                is_idle = false;
            }
        }
        self.fire(clause, is_idle);
        is_idle
    }

    /// Counts a step between two packed states, and returns whether it changed nothing.
    pub(crate) fn count_packed(
        &mut self,
        clause: TransitionId,
        before: &[u64],
        after: &[u64],
    ) -> bool {
        let is_idle = self.words_change(before, after);
        self.fire(clause, is_idle);
        is_idle
    }

    /// Records the bits that differ, and returns whether there are none.
    fn words_change(&mut self, before: &[u64], after: &[u64]) -> bool {
        let mut any = 0;
        for (changed, (before, after)) in self.words.iter_mut().zip(before.iter().zip(after)) {
            let difference = before ^ after;
            *changed |= difference;
            any |= difference;
        }
        any == 0
    }

    fn fire(&mut self, clause: TransitionId, is_idle: bool) {
        let fired = &mut self.clauses[clause.index()];
        fired.steps += 1;
        fired.idle += u64::from(is_idle);
    }

    /// Notes of a step by a clause, which is counted as others are, that its branches are not known.
    pub(crate) fn pass_over(&mut self, clause: TransitionId) {
        self.clauses[clause.index()].passed_over += 1;
    }

    /// What the steps have exercised; their effects took these branches.
    pub(crate) fn coverage(self, layout: &Layout, branches: Branches) -> Coverage {
        let changed = layout
            .ids()
            .map(|v| layout.is_touched(v, &self.words, &self.cells));
        Coverage {
            changed: changed.collect(),
            clauses: self.clauses,
            branches,
        }
    }
}
