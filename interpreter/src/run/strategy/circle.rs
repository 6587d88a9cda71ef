//! Threads that have their turns one after the other.

use rustc_hash::FxHashMap;

use super::policy::MOST_REMEMBERED;
use super::threads::Thread;

/// Threads stand in a circle, in the order in which they first had an enabled step. One has its turn as long as it has an
/// enabled step, and then the next one that has.
#[derive(Default)]
pub(super) struct Circle {
    places: FxHashMap<Thread, u64>,
    /// The place of the thread that joins next.
    free: u64,
    /// The place of the thread whose turn it is.
    turn: u64,
}

impl Circle {
    /// Has threads join that are new; these have an enabled step.
    pub(super) fn join(&mut self, enabled: &[Thread]) {
        if self.places.len() > MOST_REMEMBERED {
            self.places.retain(|thread, _| enabled.contains(thread));
        }
        for thread in enabled {
            if !self.places.contains_key(thread) {
                self.places.insert(*thread, self.free);
                self.free += 1;
            }
        }
    }

    /// The position of the first thread from the one whose turn it is on.
    pub(super) fn next(&self, enabled: &[Thread]) -> usize {
        let places = enabled.iter().map(|thread| self.places[thread]);
        let next = places
            .enumerate()
            .min_by_key(|(_, place)| (*place < self.turn, *place));
        next.expect("some thread has an enabled step").0
    }

    /// Gives a thread its turn.
    pub(super) fn give(&mut self, thread: Thread) {
        self.turn = self.places[&thread];
    }

    /// Gives the turn to the place after a thread.
    pub(super) fn skip(&mut self, thread: Thread) {
        self.turn = self.places[&thread] + 1;
    }
}
