//! Prefixes of live runs, with which later runs begin: what goes wrong only after a system has come to its steady state is
//! hard to reach from a start state (Killian, Anderson, Jhala and Vahdat, section 4.2, "prefix-based search").

use interpreter::run::{Options, Threads};
use interpreter::trace::Trace;

use super::recovery::{Recovery, Stretch, Walked};
use crate::study::BadInput;

/// What the first runs that had a live state have left to the later ones.
pub(super) struct Prefixes {
    wanted: usize,
    kept: Vec<Trace>,
}

impl Prefixes {
    /// So many prefixes are wanted; with none, every run begins in a start state.
    pub(super) fn wanted(wanted: u64) -> Self {
        Self {
            wanted: usize::try_from(wanted).unwrap_or(usize::MAX),
            kept: Vec::new(),
        }
    }

    /// A run by its number: a walk from a start state or, once all prefixes are there, one that begins with a prefix. None if there
    /// was no start state.
    pub(super) fn run(
        &self,
        recovery: &Recovery<'_>,
        (number, options): (u64, Options),
        threads: Option<&mut Threads>,
    ) -> Result<Option<Walked>, BadInput> {
        let Some(prefix) = self.of_run(number) else {
            return recovery.walk(Stretch::Whole, (number, options), threads);
        };
        let stretch = Stretch::Onwards(prefix.last());
        let walked = recovery.walk(stretch, (number, options), threads)?;
        Ok(walked.map(|walked| joined(prefix, walked)))
    }

    fn of_run(&self, number: u64) -> Option<&Trace> {
        let turn = number.checked_rem(self.kept.len() as u64)?;
        let prefix = self.kept.get(usize::try_from(turn).ok()?);
        prefix.filter(|_| self.kept.len() == self.wanted)
    }

    /// Keeps a run up to its last live state, if it has one and more prefixes are wanted.
    pub(super) fn keep(&mut self, walked: &Walked) {
        if let Some(live) = walked.live
            && self.kept.len() < self.wanted
        {
            self.kept.push(Trace {
                steps: walked.trace.steps[..live].to_vec(),
                ..walked.trace.clone()
            });
        }
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
        begun: Some(before),
    }
}
