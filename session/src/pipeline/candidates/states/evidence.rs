//! What the search for lemmas asks of the states.

use finite::Universe;
use interpreter::{State, States};
use invariants::learn::{Evidence, Truth};
use ioa_lang::core::{Expr, Invariant, Local, Type};

use super::block::Block;
use super::{FOR_LAST_LOOK, StatePool};
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
        self.truths_unless_stopped(&self.blocks[block], formulas, within)
    }

    fn second_look(&mut self, candidates: &[Invariant]) -> Result<Vec<bool>, String> {
        let mut refuted = vec![false; candidates.len()];
        self.looked.survived.clear();
        self.is_whole = false;
        let laborious = &self.laborious;
        self.elsewhere
            .sort_by_key(|place| laborious.contains(&place.label));
        for at in 0..self.elsewhere.len() {
            if self.is_spent() {
                return Ok(refuted);
            }
            // What takes long is looked at once the rest refutes nothing; where states are kept it does not take long.
            let is_laborious = self.laborious.contains(&self.elsewhere[at].label);
            if is_laborious && !self.budget.keeps && refuted.contains(&true) {
                break;
            }
            if self.tests_at(at, candidates, &mut refuted) {
                // What refuted something is asked first the next time.
                self.elsewhere[..=at].rotate_right(1);
            }
        }
        self.is_whole = !refuted.contains(&true);
        Ok(refuted)
    }

    fn last_look(&mut self, candidates: &[Invariant], is_final: bool) -> Vec<bool> {
        self.looks_last(candidates, is_final)
    }

    fn make_up(&mut self, formulas: &[Invariant]) -> Result<bool, String> {
        self.drawn += 1;
        // The first block is the richest one; of the others, every second one takes part each time.
        let takes_part = |at: &usize| {
            let block = &self.blocks[*at];
            let is_its_turn = *at == 0 || (*at as u64 + self.drawn).is_multiple_of(2);
            is_its_turn && !block.made_up.is_empty() && !block.reached.is_empty()
        };
        let rich: Vec<usize> = (0..self.blocks.len()).filter(takes_part).collect();
        let mut is_any = false;
        for at in rich {
            let room = self.room();
            let block = self.misses(at, formulas, room)?;
            is_any |= block.is_some();
            if block.as_ref().is_some_and(|block| block.bytes() >= room) {
                self.lacks_memory();
            }
            self.blocks.extend(block);
        }
        Ok(is_any)
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn begins(&mut self, variables: &[Local]) {
        let types = variables.iter().map(|local| self.bare.type_name(&local.ty));
        let over = match variables {
            [] => "without quantifiers".to_owned(),
            _ => format!("over {}", types.collect::<Vec<_>>().join(", ")),
        };
        self.progress.say(&format!("looking for clauses {over}"));
    }

    fn spend(&self, looks: u64) {
        self.work.looked(looks);
    }

    fn left(&self) -> f64 {
        if self.is_stopped() {
            return 0.0;
        }
        let time = self.started.seconds() / self.budget.seconds / (1.0 - FOR_LAST_LOOK);
        let done = self.work.done() - self.before;
        let work = done as f64 / self.budget.work as f64;
        1.0 - time.max(work)
    }
}

impl StatePool<'_> {
    /// Tests the candidates that are not refuted at an instance elsewhere; says whether some are refuted there. The states that
    /// refute them are learnt from.
    fn tests_at(&mut self, at: usize, candidates: &[Invariant], refuted: &mut [bool]) -> bool {
        let place = self.elsewhere[at].clone();
        let mut open = self.untested(&place, candidates);
        open.retain(|at| !refuted[*at]);
        let asked: Vec<Invariant> = open.iter().map(|at| candidates[*at].clone()).collect();
        if !asked.is_empty() {
            let number = counted(asked.len() as u64, "candidate");
            self.progress
                .say(&format!("testing {number} at {}", place.label));
        }
        // An instance that has too many start states, say, shows nothing.
        let Some(found) = self.look_once(&place, &asked) else {
            return false;
        };
        if found.refuted.is_empty() {
            let survived = &mut self.looked.survived;
            survived.retain(|other| other.label != found.visited.label);
            survived.push(found.visited);
            return false;
        }
        let mut states: Vec<State> = Vec::new();
        for (candidate, state) in found.refuted {
            refuted[open[candidate]] = true;
            if !states.contains(&state) {
                states.push(state);
            }
        }
        self.blocks.push(Block::new(
            place.universe,
            states.into_iter().collect(),
            States::new(),
        ));
        true
    }
}
