//! States that a proof wants excluded: whether they are reached, and where they are put for clauses to be chosen by them.

use finite::Universe;
use interpreter::{State, States};
use invariants::learn::{Evidence, ones};
use ioa_lang::core::Invariant;

use super::StatePool;
use super::block::Block;
use super::visits::{Asked, Place};

/// So many instances of sizes that were not tried before are looked at, because states of them are to be excluded.
const MAX_FOUND: usize = 3;

/// Whether a state is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pipeline) enum Reached {
    /// Some execution leads to it.
    Yes,
    /// It is none of all reachable states.
    No,
    /// It is none of so many states that were visited.
    NotAmong(u64),
}

impl StatePool<'_> {
    /// Whether some invariant is seen to be false in a state of the blocks, or in one that a second look finds.
    ///
    /// # Errors
    /// Why they cannot be tested.
    pub(in crate::pipeline) fn refutes(
        &mut self,
        invariants: &[Invariant],
    ) -> Result<bool, String> {
        for block in 0..self.blocks.len() {
            let states = self.blocks[block].reached.len();
            let Some(truths) = self.truths_within(block, invariants, &[])? else {
                return Ok(false);
            };
            if truths.iter().any(|truth| truth.reached != ones(states)) {
                return Ok(true);
            }
        }
        Ok(self.second_look(invariants)?.contains(&true))
    }

    /// Has more to spend: until so much work is done in all.
    pub(in crate::pipeline) fn spends_until(&mut self, done: u64) {
        self.budget.work = self.budget.work.max(done.saturating_sub(self.before));
    }

    /// Takes in states of which nothing is known, as if they were made up; returns their block.
    pub(in crate::pipeline) fn add_excluded(
        &mut self,
        universe: &Universe,
        states: Vec<State>,
    ) -> usize {
        self.looks_at(universe);
        self.blocks.push(Block::new(
            universe.clone(),
            States::new(),
            states.into_iter().collect(),
        ));
        self.blocks.len() - 1
    }

    /// From now on candidates have to survive an instance as well if its sizes are among none of those that were tried, all its states
    /// can be visited, and there are not many others of this kind: clauses that hold on a ring of three nodes mostly do not tell
    /// one of four from those.
    fn looks_at(&mut self, universe: &Universe) {
        // With as many nodes there may be fewer quorums than usual: such instances are new as well.
        let sizes = universe.sizes(&self.bare);
        let found: Vec<&Place> = self.elsewhere.iter().filter(|p| p.is_found()).collect();
        let mut known = self.all.iter().filter(|place| place.sizes == sizes);
        let is_new = known.next().is_none() && found.iter().all(|p| p.universe != *universe);
        let is_wanted = is_new && found.len() < MAX_FOUND;
        let visited = || self.visit_in(universe, Asked::default(), self.budget.visited);
        if is_wanted && visited().is_ok_and(|found| found.is_complete) {
            let place = Place::found(universe, sizes, found.len() + 1);
            self.elsewhere.insert(0, place);
        }
    }

    /// Takes in a state that is known to be reached.
    pub(in crate::pipeline) fn add_reached(&mut self, universe: &Universe, state: State) {
        self.blocks.push(Block::new(
            universe.clone(),
            States::from_iter([state]),
            States::new(),
        ));
    }

    /// Whether a state of an instance is reached there.
    ///
    /// # Errors
    /// Why that cannot be found out.
    pub(in crate::pipeline) fn reaches(
        &self,
        universe: &Universe,
        state: &State,
    ) -> Result<Reached, String> {
        let asked = Asked {
            sought: Some(state),
            ..Asked::default()
        };
        let found = self.visit_in(universe, asked, self.budget.look)?;
        Ok(match (found.is_found, found.is_complete) {
            (true, _) => Reached::Yes,
            (false, true) => Reached::No,
            (false, false) => Reached::NotAmong(found.distinct),
        })
    }

    /// Which of some invariants are false in a reached state of an instance, as far as it is visited.
    ///
    /// # Errors
    /// Why they cannot be tested.
    pub(in crate::pipeline) fn refuted_at(
        &self,
        universe: &Universe,
        invariants: &[Invariant],
    ) -> Result<Vec<bool>, String> {
        let asked = Asked {
            candidates: invariants,
            ..Asked::default()
        };
        let found = self.visit_in(universe, asked, self.budget.look)?;
        let is_refuted = |at| found.refuted.iter().any(|(candidate, _)| *candidate == at);
        Ok((0..invariants.len()).map(is_refuted).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use finite::Universe;
    use invariants::learn::Evidence;
    use ioa_lang::core::AutomatonId;

    use super::super::{Budget, StatePool};
    use crate::host::Silent;
    use crate::pipeline::candidates::Thoroughness;
    use crate::setup::Setup;
    use crate::study::Study;

    const LAMPS: &str = "\
type Lamp
automaton Lamps
  signature
    internal light(l: Lamp)
  states
    lit: Set[Lamp] := {}
  transitions
    internal light(l)
      pre size(lit) < 7
      eff lit := insert(l, lit)
invariant Six of Lamps: size(lit) <= 6
invariant Seven of Lamps: size(lit) <= 7
";

    #[test]
    fn candidates_have_to_survive_the_sizes_of_what_is_to_be_excluded() {
        let study = Study::of_text(LAMPS);
        let setup = |lamps| Setup {
            sorts: vec![("Lamp".into(), lamps)],
            ..Setup::default()
        };
        let budget = Budget {
            tried: 1,
            ..Thoroughness::QUICK.budget
        };
        let id = AutomatonId::at(0);
        let two = setup(2);
        let about = ((&study, &two), id);
        let pool = StatePool::gather(about.0, about.1, (budget, Rc::default()), &Silent);
        let mut pool = pool.expect("sizes that fit");
        let stated = &study.model.invariants;
        assert_eq!(pool.second_look(stated), Ok(vec![false, false]));
        let setting = study.model.setting([id]);
        let universe: Universe = study.universe(&setup(8), setting).expect("sizes that fit");
        pool.add_excluded(&universe, Vec::new());
        assert_eq!(pool.second_look(stated), Ok(vec![true, false]));
    }
}
