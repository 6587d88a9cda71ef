//! What the search for lemmas asks of the states.

use finite::Universe;
use interpreter::State;
use invariants::learn::{Evidence, Truth};
use ioa_lang::core::{Expr, Invariant, Type};

use super::StatePool;
use super::block::Block;
use crate::numbers::counted;

impl Evidence for StatePool<'_> {
    fn universes(&self) -> Vec<&Universe> {
        self.blocks.iter().map(|block| &block.universe).collect()
    }

    fn states(&self, block: usize) -> (usize, usize) {
        let block = &self.blocks[block];
        (block.reached.len(), block.made_up.len())
    }

    fn held(&self, block: usize, ty: &Type) -> Vec<Expr> {
        let held = self.blocks[block].held(&self.bare, self.automaton);
        let values = held.elements.get(ty).into_iter().flatten();
        let terms = values.map(|value| finite::closed_term(&self.bare, value, ty));
        // Elements that no term stands for, such as sets, are not quantified over.
        terms.collect::<Option<_>>().unwrap_or_default()
    }

    fn longest(&self, block: usize, ty: &Type) -> usize {
        let held = self.blocks[block].held(&self.bare, self.automaton);
        held.longest.get(ty).copied().unwrap_or(0)
    }

    fn truths(&mut self, block: usize, formulas: &[Invariant]) -> Result<Vec<Truth>, String> {
        self.truths_in(&self.blocks[block], formulas)
    }

    fn truths_within(
        &mut self,
        block: usize,
        formulas: &[Invariant],
        within: &[Option<&Truth>],
    ) -> Result<Option<Vec<Truth>>, String> {
        let asked = (self.study, self.stating(formulas), self.automaton);
        let is_stopped = || self.is_stopped();
        self.blocks[block].truths_within(asked, within, (&self.work, &is_stopped))
    }

    fn second_look(&mut self, candidates: &[Invariant]) -> Result<Vec<bool>, String> {
        let mut refuted = vec![false; candidates.len()];
        self.looked.survived.clear();
        self.is_whole = false;
        for at in 0..self.elsewhere.len() {
            if self.is_spent() {
                return Ok(refuted);
            }
            let place = self.elsewhere[at].clone();
            let mut open = self.untested(&place, candidates);
            open.retain(|at| !refuted[*at]);
            let asked: Vec<Invariant> = open.iter().map(|at| candidates[*at].clone()).collect();
            let number = counted(asked.len() as u64, "candidate");
            self.progress
                .say(&format!("testing {number} at {}", place.label));
            // An instance that has too many start states, say, shows nothing.
            let Some(found) = self.look_once(&place, &asked) else {
                continue;
            };
            if found.refuted.is_empty() {
                self.looked.survived.push(found.visited);
                continue;
            }
            let mut states: Vec<State> = Vec::new();
            for (candidate, state) in found.refuted {
                refuted[open[candidate]] = true;
                if !states.contains(&state) {
                    states.push(state);
                }
            }
            // What refuted something is asked first the next time.
            self.elsewhere[..=at].rotate_right(1);
            self.blocks
                .push(Block::new(place.universe, states, Vec::new()));
        }
        self.is_whole = !refuted.contains(&true);
        Ok(refuted)
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn spend(&self, looks: u64) {
        self.work.looked(looks);
    }

    fn left(&self) -> f64 {
        if self.is_stopped() {
            return 0.0;
        }
        let time = self.started.seconds() / self.budget.seconds;
        let done = self.work.done() - self.before;
        let work = done as f64 / self.budget.work as f64;
        1.0 - time.max(work)
    }
}
