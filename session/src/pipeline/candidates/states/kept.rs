//! Tests of candidates at places. The states of instances that are looked at again and again are kept: visiting them takes
//! longer than testing a few formulas on them.

use interpreter::States;
use ioa_lang::core::Invariant;

use super::StatePool;
use super::block::{Block, Kept, has};
use super::looked::{Look, Visited};
use super::visits::Place;
use super::visits::{Asked, Visit};
use crate::setup::Setup;

/// So many of the states that refute a candidate are learnt from, at most: with one at a time the next candidate would
/// often be refuted by what is beside it.
const REFUTING: usize = 40;

impl StatePool<'_> {
    /// The candidates that were not tested at a place before.
    pub(super) fn untested(&self, place: &Place, candidates: &[Invariant]) -> Vec<usize> {
        let known = self.tested.get(&place.label);
        let is_open = |at: &usize| {
            known.is_none_or(|known| !known.survivors.contains(&candidates[*at].formula))
        };
        (0..candidates.len()).filter(is_open).collect()
    }

    /// Tests candidates at a place, and remembers which survive. Nothing if the place shows nothing.
    pub(super) fn look_once(&mut self, place: &Place, candidates: &[Invariant]) -> Option<Look> {
        let known = self.tested.get(&place.label);
        if let Some(known) = known.filter(|_| candidates.is_empty()) {
            return Some(Look {
                visited: known.visited.clone()?,
                refuted: Vec::new(),
            });
        }
        let found = self.look(place, candidates).ok();
        let found = found.filter(|found| !found.refuted.is_empty() || found.distinct > 0);
        let visited = found.as_ref().map(|found| Visited {
            label: place.label.clone(),
            states: found.distinct,
            is_reduced: false,
            is_whole: found.is_complete,
        });
        let refuted = found.map_or_else(Vec::new, |found| found.refuted);
        let known = self.tested.entry(place.label.clone()).or_default();
        let holds = |at: &usize| refuted.iter().all(|(other, _)| other != at);
        let survivors = (0..candidates.len()).filter(holds);
        known
            .survivors
            .extend(survivors.map(|at| candidates[at].formula.clone()));
        known.visited.clone_from(&visited);
        Some(Look {
            visited: visited?,
            refuted,
        })
    }

    /// Tests candidates at a place, on states that are kept if the budget says so.
    pub(super) fn look(
        &mut self,
        place: &Place,
        candidates: &[Invariant],
    ) -> Result<Visit, String> {
        if self.alive.is_some() || !self.budget.keeps {
            return self.visit(place, candidates);
        }
        if !self.kept.contains_key(&place.label) {
            let kept = self.keep(place)?;
            self.kept.insert(place.label.clone(), kept);
        }
        let kept = &self.kept[&place.label];
        let truths = self.truths_unless_stopped(&kept.block, candidates, &[]);
        let truths = truths?.ok_or("the tests were stopped")?;
        let count = kept.block.reached.len();
        let refuting = |reached: &[u64]| -> Vec<usize> {
            let all = (0..count).filter(|at| !has(reached, *at));
            let all: Vec<usize> = all.collect();
            let step = all.len().div_ceil(REFUTING).max(1);
            all.into_iter().step_by(step).collect()
        };
        let refuted = truths.iter().enumerate().flat_map(|(at, truth)| {
            let states = refuting(&truth.reached).into_iter();
            states.map(move |state| (at, kept.block.reached.get(state)))
        });
        Ok(Visit {
            is_complete: kept.is_complete,
            distinct: kept.distinct,
            refuted: refuted.collect(),
            ..Visit::default()
        })
    }

    fn keep(&self, place: &Place) -> Result<Kept, String> {
        let asked = Asked {
            states: usize::MAX,
            bound: place.bound,
            ..Asked::default()
        };
        let mut found = self.visit_in(&place.universe, asked, self.budget.look)?;
        let count = usize::try_from(self.budget.look).unwrap_or(usize::MAX);
        self.add_far(place, &mut found, count);
        Ok(Kept {
            is_complete: found.is_complete,
            distinct: found.distinct,
            block: Block::new(place.universe.clone(), found.states, States::new()),
        })
    }

    /// The setup of the first instance that refutes an invariant.
    ///
    /// # Errors
    /// Why it cannot be tested in any instance.
    pub(in crate::pipeline) fn refuting(
        &self,
        invariant: &Invariant,
        setup: &Setup,
    ) -> Result<Option<Setup>, String> {
        let (mut is_tested, mut obstacle) = (false, None);
        for place in &self.all {
            let asked = std::slice::from_ref(invariant);
            let found = match self.visit(place, asked) {
                Ok(found) => found,
                Err(why) => {
                    obstacle = Some(why);
                    continue;
                }
            };
            is_tested = true;
            if !found.refuted.is_empty() {
                let is_chosen = !place.universe.interpretation().tables.is_empty();
                return Ok(Some(Setup {
                    sorts: place.sizes.clone().into_iter().collect(),
                    interpretation: is_chosen.then_some(place.theories.number),
                    ..setup.clone()
                }));
            }
        }
        match obstacle {
            Some(why) if !is_tested => Err(why),
            _ => Ok(None),
        }
    }
}
