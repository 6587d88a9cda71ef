//! Every reachable state, the nearest first.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{ActionKind, AutomatonId};

use super::{Expansion, Fault, Scope, State, Step, Stop, World, result_or_fault};

/// The bounds of a search.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// No level is expanded once there are this many states.
    pub states: usize,
    /// States at this distance from the start are visited and not expanded.
    pub depth: usize,
}

/// The states at one distance from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The number of states at this distance.
    pub states: u64,
    /// The number of their successors, each counted once for each way to reach it.
    pub generated: u64,
}

/// The nearest states from which some step has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faulty {
    /// Their distance from the start.
    pub depth: usize,
    /// The faults in those states.
    pub faults: BTreeSet<Fault>,
}

/// The result of exploring an automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The number of ways to make the choices of the start states.
    pub starts: u64,
    /// By depth; the last one may be one that was not expanded.
    pub levels: Vec<Level>,
    /// The number of successors by each clause.
    pub fired: Vec<u64>,
    /// The invariants, by position in the model, that are false or undefined somewhere, with the least depth of that.
    pub broken: BTreeMap<usize, usize>,
    /// The least depth of a state in which no action leads on.
    pub deadlock: Option<usize>,
    /// The number of states in which only inputs lead on.
    pub quiescent: u64,
    /// The depths of states in which some step has no result, and no step has one: whether such a state is called a deadlock
    /// depends on the order of evaluation.
    pub dead: BTreeSet<usize>,
    /// Where a step has no result.
    pub fault: Option<Faulty>,
    /// Whether all reachable states were visited, except those that can be reached only through faults.
    pub complete: bool,
}

impl Answer {
    /// The number of states.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.levels.iter().map(|level| level.states).sum()
    }

    /// The number of successors.
    #[must_use]
    pub fn generated(&self) -> u64 {
        self.levels.iter().map(|level| level.generated).sum()
    }

    fn blame(&mut self, faults: impl IntoIterator<Item = Fault>, depth: usize) {
        let faulty = self.fault.get_or_insert(Faulty {
            depth,
            faults: BTreeSet::new(),
        });
        if faulty.depth == depth {
            faulty.faults.extend(faults);
        }
    }
}

/// The start of a search.
#[derive(Clone, Debug)]
pub(super) struct Started<S> {
    /// The start states, once for each way to make the choices.
    pub(super) states: Vec<S>,
    /// The faults of the ways that have no result.
    pub(super) faults: BTreeSet<Fault>,
}

/// What a state leads to.
#[derive(Clone, Debug)]
pub(super) struct Expanded<S> {
    /// Its successors, each as often as there are ways to it.
    pub(super) after: Vec<S>,
    /// The number of successors by each clause; empty if clauses are not distinguished.
    pub(super) fired: Vec<u64>,
    /// Whether an action leads on.
    pub(super) enabled: bool,
    /// Whether an action that the automaton controls leads on.
    pub(super) active: bool,
    /// The faults of the steps that have no result.
    pub(super) faults: BTreeSet<Fault>,
}

impl<S> Default for Expanded<S> {
    fn default() -> Self {
        Self {
            after: Vec::new(),
            fired: Vec::new(),
            enabled: false,
            active: false,
            faults: BTreeSet::new(),
        }
    }
}

/// Visits all states that can be reached, level by level. `broken` says which invariants a state violates. Where some step from
/// a state has no result, the others are taken.
///
/// # Errors
/// What cannot be decided for some state.
pub(super) fn breadth_first<S: Clone + Ord>(
    starts: Result<Started<S>, Stop>,
    budget: Budget,
    broken: impl Fn(&S, &mut BTreeSet<usize>) -> Result<(), Stop>,
    expand: impl Fn(&S) -> Result<Expanded<S>, Stop>,
) -> Result<Answer, String> {
    let mut answer = Answer::default();
    let Started { states, faults } = starts.map_err(|stop| stop.to_string())?;
    if !faults.is_empty() {
        answer.blame(faults, 0);
        return Ok(answer);
    }
    answer.starts = states.len() as u64;
    let mut level: BTreeSet<S> = states.into_iter().collect();
    let mut visited = level.clone();
    while !level.is_empty() {
        let depth = answer.levels.len();
        answer.levels.push(Level {
            states: level.len() as u64,
            generated: 0,
        });
        let mut found = BTreeSet::new();
        for state in &level {
            broken(state, &mut found).map_err(|stop| stop.to_string())?;
        }
        found.into_iter().for_each(|invariant| {
            answer.broken.entry(invariant).or_insert(depth);
        });
        if depth >= budget.depth || visited.len() >= budget.states {
            return Ok(answer);
        }
        let mut next = BTreeSet::new();
        for state in &level {
            let expanded = expand(state).map_err(|stop| stop.to_string())?;
            let after = answer.count(depth, expanded).into_iter();
            next.extend(after.filter(|state| !visited.contains(state)));
        }
        visited.extend(next.iter().cloned());
        level = next;
    }
    answer.complete = true;
    Ok(answer)
}

impl Answer {
    /// Counts what a state of a level leads to, and returns its successors.
    fn count<S>(&mut self, depth: usize, expanded: Expanded<S>) -> Vec<S> {
        if expanded.faults.is_empty() {
            if !expanded.enabled {
                self.deadlock.get_or_insert(depth);
            }
            self.quiescent += u64::from(expanded.enabled && !expanded.active);
        } else {
            self.blame(expanded.faults, depth);
            if !expanded.enabled {
                self.dead.insert(depth);
            }
        }
        self.levels[depth].generated += expanded.after.len() as u64;
        let clauses = self.fired.len().max(expanded.fired.len());
        self.fired.resize(clauses, 0);
        let fired = self.fired.iter_mut().zip(expanded.fired);
        fired.for_each(|(sum, n)| *sum += n);
        expanded.after
    }
}

impl World<'_> {
    /// Explores an automaton.
    ///
    /// # Errors
    /// Why this reference implementation cannot decide.
    pub fn explore(&self, automaton: AutomatonId, budget: Budget) -> Result<Answer, String> {
        let answer = breadth_first(
            self.started(automaton),
            budget,
            |state, broken| self.check(automaton, state, broken),
            |state| self.successors(automaton, state),
        );
        answer.map(|mut answer| {
            let clauses = self.automaton(automaton).transitions.len();
            answer.fired.resize(clauses, 0);
            answer
        })
    }

    pub(super) fn started(&self, automaton: AutomatonId) -> Result<Started<State>, Stop> {
        let mut faults = BTreeSet::new();
        let states = result_or_fault(self.starts(automaton), &mut faults)?;
        Ok(Started {
            states: states.unwrap_or_default(),
            faults,
        })
    }

    /// The invariants that are false or undefined in a state.
    fn check(
        &self,
        automaton: AutomatonId,
        state: &State,
        broken: &mut BTreeSet<usize>,
    ) -> Result<(), Stop> {
        for (position, invariant) in self.model.invariants.iter().enumerate() {
            if invariant.automaton != automaton {
                continue;
            }
            let mut scope = Scope::new(&invariant.locals, state);
            match self.truth(&invariant.formula, &mut scope) {
                Ok(true) => {}
                Ok(false) | Err(Stop::Fault(_)) => {
                    broken.insert(position);
                }
                Err(beyond) => return Err(beyond),
            }
        }
        Ok(())
    }

    fn successors(&self, automaton: AutomatonId, state: &State) -> Result<Expanded<State>, Stop> {
        let Expansion { steps, faults } = self.expand(automaton, state)?;
        let core = self.automaton(automaton);
        let is_local = |step: &Step| core.action_of(step.clause).kind != ActionKind::Input;
        let mut fired = vec![0; core.transitions.len()];
        for step in &steps {
            fired[step.clause.index()] += step.after.len() as u64;
        }
        Ok(Expanded {
            enabled: !steps.is_empty(),
            active: steps.iter().any(is_local),
            after: steps.into_iter().flat_map(|step| step.after).collect(),
            fired,
            faults,
        })
    }
}
