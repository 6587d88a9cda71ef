//! Exploration tree bounding: Aronis, Fritchie and Sagonas, "Testing and Verifying Chain Repair Methods for CORFU Using
//! Stateless Model Checking", iFM 2017, section 3; here over single steps, without the races that a search would reverse.

use std::collections::VecDeque;

use super::ways::{Guide, Order, Way};

/// Runs that diverge so many times at most from the first one: first it, then those that diverge once, then those that do so
/// twice, and so on, and of these the ones that diverge earlier before the others.
///
/// The alternatives that a run meets after its last divergence are numbered. The way of a run has, for each divergence, the
/// number of the alternative that it takes.
pub(super) struct Divergences {
    bound: usize,
    /// The ways with which others begin, with the number of alternatives that a run has met after them; the others of the
    /// first one begin at `next`.
    waiting: VecDeque<(Way, u64)>,
    next: u64,
}

impl Divergences {
    pub(super) fn new(bound: u32) -> Self {
        Self {
            bound: bound as usize,
            waiting: VecDeque::new(),
            next: 0,
        }
    }
}

impl Order for Divergences {
    fn after(&mut self, way: Way, met: &[u64]) -> Option<Way> {
        if way.0.len() < self.bound {
            self.waiting.push_back((way, met.iter().sum()));
        }
        while let Some((Way(before), alternatives)) = self.waiting.front() {
            if self.next < *alternatives {
                let way = before.iter().copied().chain([self.next]);
                self.next += 1;
                return Some(Way(way.collect()));
            }
            self.waiting.pop_front();
            self.next = 0;
        }
        None
    }
}

/// Takes the first state and the first steps, but for the divergences of a way.
pub(super) struct Diverging {
    /// The divergences that are left.
    way: VecDeque<u64>,
    /// How many alternatives were met since the last one.
    met: u64,
}

impl Diverging {
    pub(super) fn of(Way(way): Way) -> Self {
        Self {
            way: way.into(),
            met: 0,
        }
    }
}

impl Guide for Diverging {
    fn leads(&self) -> bool {
        true
    }

    fn choose(&mut self, among: u64) -> Option<u64> {
        let before = self.met;
        self.met += among - 1;
        let next = self.way.front().copied();
        let Some(alternative) = next.filter(|number| *number < self.met) else {
            return Some(0);
        };
        self.way.pop_front();
        self.met = 0;
        Some(1 + alternative - before)
    }

    fn met(&self) -> Vec<u64> {
        vec![self.met]
    }
}
