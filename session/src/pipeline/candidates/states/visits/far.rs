//! States far from the start. Where an instance has too many states to visit all of them, a search breadth first comes to those
//! near the start only, in which little has happened; random runs come to others.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::Arc;

use finite::Universe;
use interpreter::run::{self, Event, Observer, Options};
use interpreter::{Instance, State, States};
use ioa_lang::core::Invariant;

use super::places::Place;
use super::seen::Seen;
use super::visit::{Visit, Visitor, words};
use crate::pipeline::candidates::states::StatePool;
use crate::pipeline::candidates::states::block::{Block, has};
use crate::pipeline::explore::TimeLimit;

/// So many elements of a sort are several.
const SEVERAL: u64 = 3;
/// Runs that are made, at most: the seed of the first, their number, and the steps of each of them.
#[derive(Clone, Copy)]
struct Runs {
    first: u64,
    count: u64,
    steps: u64,
}

/// To learn from.
const SHORT: Runs = Runs {
    first: 0,
    count: 400,
    steps: 60,
};
/// To test on what no short execution leads to.
const LONG: Runs = Runs {
    first: 0,
    count: 80,
    steps: 300,
};
/// To test on what an execution leads to that is neither among the first ones nor one of those that go far. None of these is learnt
/// from.
const BRIEF: Runs = Runs {
    first: SHORT.count,
    count: 2_000,
    steps: 60,
};

/// One of so many states of runs is among the few that are looked at first.
const FEW: usize = 16;

impl Visitor<'_> {
    /// Different states of random runs, each of which draws how often it does what: about so many, or fewer.
    ///
    /// # Errors
    /// Why the automaton cannot be run.
    fn far(
        &self,
        universe: &Universe,
        (count, seconds): (usize, f64),
        (runs, room): (Runs, u64),
    ) -> Result<States, String> {
        let instance = Instance::new(Arc::new(self.bare.clone()), universe.clone());
        let limit = TimeLimit::new(instance.cancel(), Some(seconds), self.host);
        let mut passed = Passed::default();
        let mut steps = 0;
        for seed in runs.first..runs.first + runs.count {
            let is_enough = passed.states.len() >= count || passed.states.bytes() >= room;
            if is_enough || limit.is_over() {
                break;
            }
            let options = Options {
                seed,
                steps: runs.steps,
            };
            let report = run::random(&instance, self.automaton, options, &mut passed);
            steps += report.map_err(words)?.steps;
        }
        let states = passed.states.len() as u64;
        self.work.visited((states, steps), 0, false);
        Ok(passed.states)
    }
}

impl StatePool<'_> {
    /// Adds states of random runs to those of a visit that came to its end too soon: so many, about.
    pub(in crate::pipeline::candidates::states) fn add_far(
        &self,
        place: &Place,
        found: &mut Visit,
        count: usize,
    ) {
        if !found.is_complete && place.bound.is_none() && self.alive.is_none() {
            let far = self.far(place, count).unwrap_or_default();
            let mut near = Seen::of(found.states.iter());
            let before = found.states.len();
            found
                .states
                .extend(far.iter().filter(|state| near.is_new(state)));
            found.distinct += (found.states.len() - before) as u64;
        }
    }

    /// States of random runs of an instance, about so many.
    ///
    /// # Errors
    /// Why it cannot be run.
    pub(super) fn far(&self, place: &Place, count: usize) -> Result<States, String> {
        self.visitor().far(
            &place.universe,
            (count, self.time_left()),
            (SHORT, self.room()),
        )
    }

    /// The states of brief random runs of an instance, and those of long ones: a few of each first, then the others. The two are apart
    /// from each other, for what becomes large in long runs does not fit into words, so that formulas about it take longer.
    pub(in crate::pipeline::candidates::states) fn passed(&self, place: &Place) -> [[Block; 2]; 2] {
        let made = [BRIEF, LONG].map(|runs| {
            let all = (usize::MAX, self.time_left());
            let visitor = self.visitor();
            let made = visitor.far(&place.universe, all, (runs, self.room() / 2));
            made.unwrap_or_default()
        });
        [true, false].map(|is_few| {
            made.each_ref().map(|states| {
                let each = states.iter().enumerate();
                let some = each.filter(|(at, _)| at.is_multiple_of(FEW) == is_few);
                let some = some.map(|(_, state)| state).collect();
                Block::new(place.universe.clone(), some, States::new())
            })
        })
    }

    /// The candidates that are false in some reached state of blocks, each with such a state; nothing if all was stopped meanwhile.
    pub(in crate::pipeline::candidates::states) fn refuted_in(
        &self,
        blocks: &[Block],
        candidates: &[Invariant],
    ) -> Option<Vec<(usize, State)>> {
        let mut refuted: Vec<(usize, State)> = Vec::new();
        for block in blocks {
            let is_open = |at: &usize| refuted.iter().all(|(other, _)| other != at);
            let open: Vec<usize> = (0..candidates.len()).filter(is_open).collect();
            let tested: Vec<Invariant> = open.iter().map(|at| candidates[*at].clone()).collect();
            let truths = self.truths_unless_stopped(block, &tested, &[]);
            // What cannot be evaluated shows nothing.
            let truths = truths.unwrap_or_else(|_| Some(Vec::new()))?;
            let found = truths.iter().zip(open).filter_map(|(truth, at)| {
                let mut states = 0..block.reached.len();
                let state = states.find(|state| !has(&truth.reached, *state))?;
                Some((at, block.reached.get(state)))
            });
            refuted.extend(found.collect::<Vec<_>>());
        }
        Some(refuted)
    }
}

/// The instance among those with too many states to visit all from which most is to be learnt: a small one that has several elements
/// of each sort.
pub(super) fn telling<'p>(places: impl Iterator<Item = &'p Place>) -> Option<&'p Place> {
    places.min_by_key(|place| telling_key(place))
}

/// Of instances, the one with the least key tells most.
pub(in crate::pipeline::candidates::states) fn telling_key(place: &Place) -> (Reverse<u64>, u64) {
    let least = place.sizes.values().min().copied().unwrap_or(0);
    let all = place.sizes.values().sum();
    (Reverse(least.min(SEVERAL)), all)
}

/// The states that runs come through, each once.
#[derive(Default)]
struct Passed {
    states: States,
    known: Seen,
}

impl Passed {
    fn note(&mut self, state: &State) -> ControlFlow<()> {
        if self.known.is_new(state) {
            self.states.push(state);
        }
        ControlFlow::Continue(())
    }
}

impl Observer for Passed {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        self.note(state)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        self.note(event.post)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use invariants::learn::Evidence;
    use ioa_lang::core::AutomatonId;

    use crate::host::Silent;
    use crate::pipeline::candidates::Thoroughness;
    use crate::pipeline::candidates::states::{Budget, StatePool};
    use crate::setup::Setup;
    use crate::study::Study;

    /// Lamps that are switched on one after the other. Of 16 of them, the first thousand states have three on at most.
    const LAMPS: &str = "\
type Lamp
automaton Street
  signature
    internal switch(l: Lamp)
  states
    on: Set[Lamp] := {}
  transitions
    internal switch(l)
      pre l \\notin on
      eff on := insert(l, on)
invariant FewAreOn of Street: size(on) <= 10
invariant AllAreLamps of Street: size(on) <= 16
";

    #[test]
    fn long_runs_refute_what_all_small_instances_and_the_beginnings_of_others_do_not() {
        let study = Study::of_text(LAMPS);
        let setup = Setup {
            sorts: vec![("Lamp".into(), 16)],
            ..Setup::default()
        };
        let budget = Budget {
            visited: 1_000,
            look: 1_000,
            keeps: true,
            ..Thoroughness::QUICK.budget
        };
        let about = ((&study, &setup), AutomatonId::at(0));
        let pool = StatePool::gather(about.0, about.1, (budget, Rc::default()), &Silent);
        let mut pool = pool.expect("sizes that fit");
        assert!(pool.is_exhaustive());
        let refuted = pool.second_look(&study.model.invariants);
        assert_eq!(refuted.expect("both can be tested"), [true, false]);
    }
}
