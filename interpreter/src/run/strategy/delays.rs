//! Delay bounding: Emmi, Qadeer and Rakamarić, "Delay-bounded scheduling", POPL 2011, section 3.

use rustc_hash::FxHashMap;

use super::points::Points;
use super::policy::{MOST_REMEMBERED, Policy};
use super::threads::Thread;
use crate::vm::draws::Draws;

/// Threads stand in a circle, in the order in which they first had an enabled step. One runs as long as it has an enabled step;
/// then, and at each point, the next one that has an enabled step runs.
pub(super) struct Delays {
    places: FxHashMap<Thread, u64>,
    /// The place of the thread that joins next.
    free: u64,
    /// The place of the thread whose turn it is.
    turn: u64,
    delays: Points,
}

impl Delays {
    pub(super) fn new(delays: Points) -> Self {
        Self {
            places: FxHashMap::default(),
            free: 0,
            turn: 0,
            delays,
        }
    }

    /// The position and the place of the first thread from the one whose turn it is on.
    fn next(&self, enabled: &[Thread]) -> (usize, u64) {
        let places = enabled.iter().map(|thread| self.places[thread]);
        let next = places
            .enumerate()
            .min_by_key(|(_, place)| (*place < self.turn, *place));
        next.expect("some thread has an enabled step")
    }
}

impl Policy for Delays {
    fn choose(&mut self, step: u64, enabled: &[Thread], _: &mut Draws) -> usize {
        if self.places.len() > MOST_REMEMBERED {
            self.places.retain(|thread, _| enabled.contains(thread));
        }
        for thread in enabled {
            if !self.places.contains_key(thread) {
                self.places.insert(*thread, self.free);
                self.free += 1;
            }
        }
        let (mut position, mut place) = self.next(enabled);
        for _ in self.delays.at(step) {
            self.turn = place + 1;
            (position, place) = self.next(enabled);
        }
        self.turn = place;
        position
    }
}
