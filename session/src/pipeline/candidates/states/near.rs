//! States near a counterexample to induction that are counterexamples themselves. They tell which parts of it matter: a lemma
//! that excludes it for a reason excludes most of them too.

use std::sync::Arc;

use finite::Universe;
use interpreter::{Batch, Instance, Rows, State, Successors};
use ioa_lang::core::Invariant;
use rustc_hash::FxHashSet;

use super::StatePool;
use super::made_up::Maker;
use crate::pipeline::explore::{Steps, steps};

/// So many are enough.
const ENOUGH: usize = 48;
/// So many states are made up to find them.
const TRIED: usize = 400;

impl StatePool<'_> {
    /// States near a given one in which all of these invariants hold, and from which some step leads to where one of them, the
    /// `target`, does not. There are none if that cannot be computed.
    pub(in crate::pipeline) fn near(
        &self,
        (universe, state): (&Universe, &State),
        stated: &[Invariant],
        target: usize,
    ) -> Vec<State> {
        let mut model = self.bare.clone();
        model.invariants = stated.to_vec();
        let instance = Instance::new(Arc::new(model), universe.clone());
        let rows = Rows::new(&instance, self.automaton);
        let positions: Vec<usize> = (0..stated.len()).collect();
        let about = (self.study, &instance);
        let Ok((steps, _)) = steps(about, self.automaton, &positions, &rows, false) else {
            return Vec::new();
        };
        let layout = instance.layout(self.automaton);
        let made = Maker::new(&self.bare, universe).near(layout, state, TRIED);
        let mut breaking = Breaking {
            steps,
            target,
            batch: Batch::default(),
            steps_taken: 0,
        };
        let (mut seen, mut row): (FxHashSet<Vec<u64>>, Vec<u64>) = Default::default();
        rows.push(state, &mut row);
        seen.insert(row);
        let mut tried = 0;
        let is_new = |state: &State| {
            tried += 1;
            let mut row = Vec::new();
            rows.push(state, &mut row);
            let is_new = seen.insert(row.clone());
            is_new && !self.is_stopped() && breaking.breaks(&row)
        };
        let near: Vec<State> = made.into_iter().filter(is_new).take(ENOUGH).collect();
        let taken = breaking.steps_taken;
        self.work.visited((tried, taken), stated.len(), false);
        near
    }
}

/// Says of states whether a step breaks an invariant that holds there with all others.
struct Breaking<'i> {
    steps: Steps<'i>,
    target: usize,
    batch: Batch,
    steps_taken: u64,
}

impl Breaking<'_> {
    fn breaks(&mut self, row: &[u64]) -> bool {
        let mut broken = Vec::new();
        self.steps.check(row, &mut broken);
        if !broken.is_empty() {
            return false;
        }
        // Where some step has no result, the others still count.
        let _ = self.steps.expand(row, &mut self.batch);
        self.steps_taken += (self.batch.words.len() / row.len().max(1)) as u64;
        self.steps.check(&self.batch.words, &mut broken);
        broken.iter().any(|found| found.invariant == self.target)
    }
}
