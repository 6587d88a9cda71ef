//! When and how the states of a search are condensed.
//!
//! It is done between two levels, once there are enough states to be worth it. In which bits states differ is learnt from those
//! that were visited, and from walks that go on from some of them: what happens late in an execution is met by walks long before
//! the search comes to it. Where a successor is beyond nevertheless, its bits are added, and the level is begun again.

pub(super) mod known;
#[cfg(test)]
mod tests;

use interpreter::{Batch, Successors};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::search::condense::known::Begin;
use crate::search::round::words_in;
use crate::search::{Search, Status};
use crate::store::condensed::{Condensed, Differences};
use crate::store::layers::Place;

/// With fewer states than this a search is done before it pays.
const ENOUGH: u64 = 1 << 17;

/// So many walks are made at once, each of so many steps.
const WALKS: usize = 128;
const STEPS: usize = 64;

/// States that were beyond so often are stored as they come from then on.
const MOST_TIMES: u64 = 8;

impl<S: Successors> Search<S> {
    /// Notes what is counted when a level begins.
    pub(super) fn note_begin(&mut self) {
        self.condensing.begin = Begin {
            fired: self.progress.fired.clone(),
            quiescent: self.progress.quiescent,
        };
    }

    /// Whether it has to be considered now if states are condensed.
    pub(super) fn is_condensing_due(&self) -> bool {
        // Steps that are left out depend on the states that were visited when they were, and what stands for others in a view on
        // those that were met before. So walks must not be made, nor levels begun again.
        !self.layers.reads_memory()
            && !self.workers[0].steps.takes_some()
            && !self.workers[0].steps.remembers()
            && self.visited.condensed.is_none()
            && !self.condensing.is_considered
            && self.visited.width > 1
            && self.distinct() >= ENOUGH
            && self.visited.bytes() < self.bounds.memory / 2
    }

    /// Condenses the states if that pays.
    pub(super) fn condense(&mut self) {
        self.condensing.is_considered = true;
        let mut differences = Differences::none(&self.at(self.progress.depth(), 0));
        let (mut place, mut rows) = (Place::default(), Vec::new());
        while self.layers.read_next(&self.visited, &mut place, &mut rows) {
            differences.note(&rows);
            rows.clear();
        }
        self.walk(&mut differences);
        if let Some(condensed) = Condensed::of(&differences) {
            self.give_up_round();
            self.visited.store_as(Some(condensed));
        }
    }

    /// Whether successors of the last round cannot be stored as the states are.
    pub(super) fn is_beyond(&self) -> bool {
        self.expanded.iter().any(|expanded| expanded.is_beyond())
    }

    /// Begins the level again, with states that are stored in such a way that there is room for the successors of the last round.
    pub(super) fn condense_anew(&mut self) -> Status {
        let Some(before) = self.visited.condensed.as_ref() else {
            return Status::Going;
        };
        let mut differences = before.differences().clone();
        for expanded in &self.expanded {
            differences.add(&expanded.beyond);
        }
        self.give_up_round();
        self.condensing.times += 1;
        let condensed = if self.condensing.times < MOST_TIMES {
            self.walk(&mut differences);
            Condensed::of(&differences)
        } else {
            None
        };
        let width = condensed
            .as_ref()
            .map_or(self.visited.width, Condensed::width);
        // While states are moved, they are in memory in both forms.
        let growth = width.div_ceil(self.visited.stored_width()) as u64;
        if self.visited.bytes() * (1 + growth) > self.bounds.memory {
            return Status::Memory;
        }
        self.visited.store_as(condensed);
        let Begin { fired, quiescent } = self.condensing.begin.clone();
        self.progress.fired = fired;
        self.progress.quiescent = quiescent;
        self.progress.expanded = 0;
        if let Some(generated) = self.progress.generated.last_mut() {
            *generated = 0;
        }
        Status::Going
    }

    /// Looks at states that follow those of the present level.
    fn walk(&mut self, differences: &mut Differences) {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let (depth, width) = (self.progress.depth(), self.visited.width);
        let level = self.level_len(depth);
        let mut rows: Vec<u64> = Vec::new();
        for at in (0..level).step_by(level.div_ceil(WALKS).max(1)) {
            rows.extend(self.at(depth, at));
        }
        let mut batch = Batch {
            room: Some(words_in(self.free())),
            ..Batch::default()
        };
        for _ in 0..self.steps_ahead() {
            let mut expanded = self.workers[0].steps.expand(&rows, &mut batch);
            while self.numbers_met() {
                expanded = self.workers[0].steps.expand(&rows, &mut batch);
            }
            if expanded.is_err() {
                return;
            }
            differences.note(&batch.words);
            let mut begin = 0;
            for (row, end) in rows.chunks_exact_mut(width).zip(&batch.ends) {
                let end = *end as usize;
                if begin < end {
                    let next = rng.random_range(begin..end);
                    row.copy_from_slice(&batch.words[next * width..][..width]);
                }
                begin = end;
            }
        }
    }

    /// How many steps walks may go on from the present level.
    fn steps_ahead(&self) -> usize {
        let most = self.bounds.depth.unwrap_or(usize::MAX);
        STEPS.min(most.saturating_sub(self.progress.depth()))
    }
}
