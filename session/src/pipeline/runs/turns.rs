//! Which runs a plan makes, one after the other.

use interpreter::run::{Options, Report, Way, Ways};

use crate::instances::Interpreted;
use crate::pipeline::plan::{Plan, Turn};

/// The runs of a plan, which take turns at some instances.
pub(super) struct Turns<'p> {
    plan: &'p Plan,
    seed: u64,
    /// For each instance, the ways of a systematic strategy there; with other strategies, there are always more runs.
    ways: Vec<Option<Ways>>,
}

impl<'p> Turns<'p> {
    pub(super) fn new(plan: &'p Plan, seed: u64, instances: &Interpreted) -> Self {
        let places = 0..instances.count();
        Self {
            plan,
            seed,
            ways: places.map(|_| plan.ways()).collect(),
        }
    }

    /// The run with a number, from 0; none if those in its instance have gone all ways.
    pub(super) fn next(&self, run: u64) -> Option<Turn> {
        let (place, number) = self.place(run);
        let (way, seed, of_ways) = match &self.ways[place] {
            // In another call, a systematic strategy may have this instance for itself.
            Some(ways) => (ways.way()?.clone(), number, Some(number + 1)),
            None => (Way::default(), run, None),
        };
        Some(Turn {
            strategy: self.plan.strategy_of(number),
            way,
            options: Options {
                seed: self.seed.wrapping_add(seed),
                steps: self.plan.steps,
            },
            number: of_ways,
        })
    }

    /// Notes how a run has gone.
    pub(super) fn pass(&mut self, run: u64, report: &Report) {
        let (place, _) = self.place(run);
        if let Some(ways) = &mut self.ways[place] {
            ways.pass(&report.met);
        }
    }

    /// Whether all ways have been gone, in all instances.
    pub(super) fn are_over(&self) -> bool {
        let mut ways = self.ways.iter();
        ways.all(|ways| ways.as_ref().is_some_and(|ways| ways.way().is_none()))
    }

    /// The place of the instance of a run, and its number there.
    fn place(&self, run: u64) -> (usize, u64) {
        let places = self.ways.len() as u64;
        ((run % places) as usize, run / places)
    }
}
