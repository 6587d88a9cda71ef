//! Prefixes of live runs, with which later runs begin: what goes wrong only after a system has come to its steady state is
//! hard to reach from a start state (Killian, Anderson, Jhala and Vahdat, section 4.2, "prefix-based search").

use interpreter::run::{Threads, Ways};
use interpreter::trace::Trace;

use super::recovery::{Recovery, Stretch, Walked};
use crate::pipeline::plan::Plan;
use crate::study::BadInput;

/// With what runs begin: a start state, or what the first runs that had a live state have left to the later ones.
pub(super) struct Prefixes<'p> {
    plan: &'p Plan,
    wanted: usize,
    /// The ways from the start states, if the strategy is systematic.
    ways: Option<Ways>,
    kept: Vec<Prefix>,
    /// Whether a limit has kept a run from going on.
    is_cut: bool,
}

/// A prefix of a live run.
struct Prefix {
    trace: Trace,
    /// The ways from its end, if the strategy is systematic.
    ways: Option<Ways>,
}

impl Prefix {
    fn is_over(&self) -> bool {
        is_over(self.ways.as_ref())
    }
}

impl<'p> Prefixes<'p> {
    /// So many prefixes are wanted for the runs of a plan; with none, every run begins in a start state.
    pub(super) fn wanted(plan: &'p Plan, wanted: u64) -> Self {
        Self {
            plan,
            wanted: usize::try_from(wanted).unwrap_or(usize::MAX),
            ways: plan.ways(),
            kept: Vec::new(),
            is_cut: false,
        }
    }

    /// Whether all ways have been gone to their ends.
    pub(super) fn has_all(&self) -> bool {
        self.are_over() && !self.is_cut
    }

    /// Whether there is no other run, for all ways have been gone.
    pub(super) fn are_over(&self) -> bool {
        match self.are_used() {
            true => self.kept.iter().all(Prefix::is_over),
            false => is_over(self.ways.as_ref()),
        }
    }

    /// A run by its number and with a seed: a walk from a start state or, once all prefixes are there, one that begins with a
    /// prefix. None if there was no start state.
    pub(super) fn run(
        &mut self,
        recovery: &Recovery<'_>,
        (number, seed): (u64, u64),
        threads: Option<&mut Threads>,
    ) -> Result<Option<Walked>, BadInput> {
        let turn = |ways: &Option<Ways>| {
            let way = ways.as_ref().and_then(Ways::way).cloned();
            recovery.turn((number, seed), way)
        };
        let Some(prefix) = self.of_run(number) else {
            let walked = recovery.walk(Stretch::Whole, turn(&self.ways), threads)?;
            pass(&mut self.ways, walked.as_ref());
            return Ok(walked);
        };
        let stretch = Stretch::Onwards(prefix.trace.last());
        let walked = recovery.walk(stretch, turn(&prefix.ways), threads)?;
        pass(&mut prefix.ways, walked.as_ref());
        Ok(walked.map(|walked| joined(&prefix.trace, walked)))
    }

    /// Whether runs begin with prefixes, for all are there.
    fn are_used(&self) -> bool {
        self.wanted > 0 && self.kept.len() == self.wanted
    }

    /// The prefix with which a run begins, if it does not begin in a start state.
    fn of_run(&mut self, number: u64) -> Option<&mut Prefix> {
        if !self.are_used() {
            return None;
        }
        let mut left: Vec<_> = self.kept.iter_mut().filter(|p| !p.is_over()).collect();
        let turn = number.checked_rem(left.len() as u64)?;
        Some(left.swap_remove(turn as usize))
    }

    /// Notes how a run has ended, and keeps it up to its last live state, if it has one and more prefixes are wanted.
    pub(super) fn keep(&mut self, walked: &Walked) {
        self.is_cut |= walked.is_cut;
        if let Some(live) = walked.live
            && self.kept.len() < self.wanted
        {
            self.kept.push(Prefix {
                trace: Trace {
                    steps: walked.trace.steps[..live].to_vec(),
                    ..walked.trace.clone()
                },
                ways: self.plan.ways(),
            });
        }
    }
}

fn is_over(ways: Option<&Ways>) -> bool {
    ways.is_some_and(|ways| ways.way().is_none())
}

/// Goes on to the next way after a walk.
fn pass(ways: &mut Option<Ways>, walked: Option<&Walked>) {
    if let Some(ways) = ways {
        ways.pass(walked.map_or(&[], |walked| &walked.met));
    }
}

/// The run that a prefix and a walk from its last state are together. That state is live.
fn joined(prefix: &Trace, walked: Walked) -> Walked {
    let before = prefix.steps.len();
    let mut trace = prefix.clone();
    trace.steps.extend(walked.trace.steps);
    Walked {
        trace,
        live: Some(before + walked.live.unwrap_or(0)),
        not_live: walked.not_live.map(|at| before + at),
        begun: Some(before),
        met: walked.met,
        is_cut: walked.is_cut,
    }
}
