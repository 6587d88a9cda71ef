//! Every reachable state, the nearest first.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{ActionKind, AutomatonId, TransitionId};

use super::{Expansion, Fault, Scope, State, Stop, World};

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// No level is expanded once there are so many states.
    pub states: usize,
    /// States at this distance from the start are visited and not expanded.
    pub depth: usize,
}

/// What there is at one distance from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// States that are reached by so many steps and not by fewer.
    pub states: u64,
    /// Their successors, each as often as there are ways to it.
    pub generated: u64,
}

/// The nearest states that have no successors because some step from them has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faulty {
    /// How many steps lead there.
    pub depth: usize,
    /// What is wrong in those states.
    pub faults: BTreeSet<Fault>,
}

/// What exploring an automaton finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// How many ways there are to make the choices of the start states.
    pub starts: u64,
    /// By depth; the last one may be one that was not expanded.
    pub levels: Vec<Level>,
    /// By clause, how many successors it gave.
    pub fired: Vec<u64>,
    /// The invariants, by position in the model, that are false or undefined somewhere, with the least depth of that.
    pub broken: BTreeMap<usize, usize>,
    /// The least depth at which the automaton cannot go on by itself.
    pub deadlock: Option<usize>,
    /// Where a step has no result.
    pub fault: Option<Faulty>,
    /// Whether all reachable states were visited, but for those behind faults.
    pub complete: bool,
}

impl Answer {
    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.levels.iter().map(|level| level.states).sum()
    }

    /// How many successors there are.
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

impl World<'_> {
    /// Explores an automaton. A state from which some step has no result counts as a state without successors.
    ///
    /// # Errors
    /// Why this reading cannot tell.
    pub fn explore(&self, automaton: AutomatonId, budget: Budget) -> Result<Answer, String> {
        let mut answer = Answer {
            fired: vec![0; self.automaton(automaton).transitions.len()],
            ..Answer::default()
        };
        let starts = match self.starts(automaton) {
            Ok(starts) => starts,
            Err(Stop::Fault(fault)) => {
                answer.blame([fault], 0);
                return Ok(answer);
            }
            Err(Stop::Beyond(why)) => return Err(why),
        };
        answer.starts = starts.len() as u64;
        let mut level: BTreeSet<State> = starts.into_iter().collect();
        let mut visited = level.clone();
        while !level.is_empty() {
            let depth = answer.levels.len();
            answer.levels.push(Level {
                states: level.len() as u64,
                generated: 0,
            });
            for state in &level {
                self.check(automaton, state, &mut answer)?;
            }
            if depth >= budget.depth || visited.len() >= budget.states {
                return Ok(answer);
            }
            let mut next = BTreeSet::new();
            for state in &level {
                let after = self.successors(automaton, state, &mut answer)?;
                next.extend(after.into_iter().filter(|state| !visited.contains(state)));
            }
            visited.extend(next.iter().cloned());
            level = next;
        }
        answer.complete = true;
        Ok(answer)
    }

    /// Tests the invariants in a state of the last level.
    fn check(
        &self,
        automaton: AutomatonId,
        state: &State,
        answer: &mut Answer,
    ) -> Result<(), String> {
        for (position, invariant) in self.model.invariants.iter().enumerate() {
            if invariant.automaton != automaton {
                continue;
            }
            let mut scope = Scope::new(&invariant.locals, state);
            match self.truth(&invariant.formula, &mut scope) {
                Ok(true) => {}
                Ok(false) | Err(Stop::Fault(_)) => {
                    let depth = answer.levels.len() - 1;
                    answer.broken.entry(position).or_insert(depth);
                }
                Err(Stop::Beyond(why)) => return Err(why),
            }
        }
        Ok(())
    }

    /// The successors of a state of the last level.
    fn successors(
        &self,
        automaton: AutomatonId,
        state: &State,
        answer: &mut Answer,
    ) -> Result<Vec<State>, String> {
        let depth = answer.levels.len() - 1;
        let expansion = self.expand(automaton, state);
        let Expansion { steps, faults } = expansion.map_err(|stop| stop.to_string())?;
        if !faults.is_empty() {
            answer.blame(faults, depth);
            return Ok(Vec::new());
        }
        let is_local = |clause: TransitionId| {
            self.automaton(automaton).action_of(clause).kind != ActionKind::Input
        };
        if !steps.iter().any(|step| is_local(step.clause)) {
            answer.deadlock.get_or_insert(depth);
        }
        for step in &steps {
            answer.fired[step.clause.index()] += step.after.len() as u64;
            answer.levels[depth].generated += step.after.len() as u64;
        }
        Ok(steps.into_iter().flat_map(|step| step.after).collect())
    }
}
