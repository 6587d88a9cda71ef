//! States from which a formula stays possible, and dead ones, from which it does not.

use std::sync::Arc;

use explorer::Limits;
use finite::Universe;
use interpreter::{Instance, State, States};
use invariants::learn::Evidence;
use ioa_lang::core::Invariant;

use super::StatePool;
use super::block::{Block, has};
use super::visits::{Asked, Reach, Visit};
use crate::pipeline::explore::TimeLimit;
use crate::pipeline::liveness::{Life, life};

impl StatePool<'_> {
    /// Visits all states of an instance, as [`visit_in`](Self::visit_in) does, and tells the dead ones apart; the candidates are
    /// tested on the others. If there are too many states, nothing is known of any.
    pub(super) fn visit_alive(
        &self,
        universe: &Universe,
        (formula, asked): (&Invariant, Asked<'_>),
        reach: Reach,
    ) -> Result<Visit, String> {
        let instance = Instance::new(Arc::new(self.bare.clone()), universe.clone());
        let limits = Limits {
            states: reach.states,
            memory: reach.memory,
        };
        let limit = TimeLimit::new(instance.cancel(), Some(reach.seconds), self.host);
        let found = life(self.study, &instance, formula, limits, &limit)?;
        drop(limit);
        let Some(Life { alive, dead }) = found else {
            return Ok(Visit::default());
        };
        let distinct = alive.len() as u64;
        // The candidates are counted where they are evaluated.
        self.work.visited((distinct, 0), 0, true);
        let block = Block::new(universe.clone(), alive.into_iter().collect(), States::new());
        let mut refuted = Vec::new();
        if !asked.candidates.is_empty() {
            let truths = self.truths_in(&block, asked.candidates)?;
            let first = |truth: &[u64]| (0..block.reached.len()).find(|at| !has(truth, *at));
            for (at, truth) in truths.iter().enumerate() {
                let state = first(&truth.reached).map(|state| block.reached.get(state));
                refuted.extend(state.map(|state| (at, state)));
            }
        }
        Ok(Visit {
            is_complete: true,
            is_left: false,
            is_native: false,
            distinct,
            all: distinct,
            states: evenly(block.reached.iter(), asked.states),
            is_found: false,
            dead: evenly(dead.into_iter(), asked.states),
            refuted,
        })
    }

    /// In how many dead states each formula is false, how many dead states there are, and in how many no formula is false.
    pub(in crate::pipeline::candidates) fn falsified(
        &mut self,
        formulas: &[Invariant],
    ) -> Result<(Vec<u64>, u64, u64), String> {
        let mut falsified = vec![0; formulas.len()];
        let (mut all, mut open) = (0, 0);
        for block in 0..self.universes().len() {
            let dead = self.states(block).1;
            let truths = self.truths(block, formulas)?;
            for state in 0..dead {
                let mut is_open = true;
                for (count, truth) in falsified.iter_mut().zip(&truths) {
                    if !has(&truth.made_up, state) {
                        *count += 1;
                        is_open = false;
                    }
                }
                open += u64::from(is_open);
            }
            all += dead as u64;
        }
        Ok((falsified, all, open))
    }
}

/// So many of the states at most, evenly chosen.
fn evenly(states: impl ExactSizeIterator<Item = State>, most: usize) -> States {
    let step = states.len().div_ceil(most.max(1)).max(1);
    states.step_by(step).collect()
}
