//! Probabilistic concurrency testing (PCT): Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010, section 3, which
//! Deligiannis et al., "Uncovering bugs in distributed storage systems during testing (not in production!)", FAST 2016,
//! section 3.2, apply to machines that send messages.

use rustc_hash::FxHashMap;

use super::points::Points;
use super::policy::{MOST_REMEMBERED, Policy};
use super::threads::Thread;
use crate::vm::draws::Draws;

/// The priorities that threads begin with are drawn among so many, so that hardly any two are the same.
const DRAWN: u64 = 1 << 60;

/// The enabled thread of the highest priority runs. At the i-th point the thread that would run gets priority i, which is below
/// all priorities that threads begin with.
pub(super) struct Priorities {
    of: FxHashMap<Thread, u64>,
    changes: Points,
}

impl Priorities {
    pub(super) fn new(changes: Points) -> Self {
        Self {
            of: FxHashMap::default(),
            changes,
        }
    }

    /// The position of the thread of the highest priority.
    fn highest(&self, enabled: &[Thread]) -> usize {
        let positions = 0..enabled.len();
        let highest = positions
            .rev()
            .max_by_key(|position| self.of[&enabled[*position]]);
        highest.expect("some thread has an enabled step")
    }
}

impl Policy for Priorities {
    fn choose(&mut self, step: u64, enabled: &[Thread], draws: &mut Draws) -> usize {
        if self.of.len() > MOST_REMEMBERED {
            self.of.retain(|thread, _| enabled.contains(thread));
        }
        for thread in enabled {
            let begins_with = || self.changes.count() + draws.below(DRAWN);
            self.of.entry(*thread).or_insert_with(begins_with);
        }
        let mut highest = self.highest(enabled);
        for number in self.changes.at(step) {
            self.of.insert(enabled[highest], number);
            highest = self.highest(enabled);
        }
        highest
    }
}
