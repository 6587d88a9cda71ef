//! Levels that are settled once the one before is expanded, because memory does not know all states.

use std::ops::Range;
use std::sync::Arc;

use interpreter::Successors;

use crate::search::round::{Inserted, share};
use crate::search::{Bounds, Search, Status};
use crate::store::Visited;
use crate::store::disk::Disk;
use crate::store::disk::folder::Folder;
use crate::store::layers::Settled;

/// The candidates of the shards that are settled at once may use one part in so many of the memory.
const SHARE: u64 = 32;

impl<S: Successors> Search<S> {
    /// A search that has yet to [`start`](Self::start), with its states in a folder, by as many threads as there are means
    /// to take steps.
    ///
    /// # Errors
    /// Says which file cannot be made.
    ///
    /// # Panics
    /// If there are no means to take steps.
    pub fn begin_on_disk(
        steps: Vec<S>,
        bounds: Bounds,
        folder: Arc<dyn Folder>,
    ) -> Result<Self, String> {
        let mut search = Self::begin(steps, bounds).with_most_shards();
        let Visited { width, hash, .. } = search.visited;
        search.layers = Box::new(Disk::new(folder, width, hash)?);
        Ok(search)
    }

    /// The same search, before there are any states, in as many shards as there can be: those of files are never split.
    pub(super) fn with_most_shards(mut self) -> Self {
        let Visited { width, hash, .. } = self.visited;
        self.visited = Visited::new(width, hash.in_most_shards());
        self
    }

    /// The depth whose states have to be settled before the search goes on.
    pub(super) fn unsettled(&self) -> Option<usize> {
        let depth = self.progress.depth();
        let is_expanded = self.progress.expanded == self.level_len(depth);
        match self.layers.is_settled(depth) {
            false => Some(depth),
            true => (is_expanded && !self.layers.is_settled(depth + 1)).then_some(depth + 1),
        }
    }

    /// Finds out which states of a depth are new, checks them, and goes on to them.
    pub(super) fn settle(&mut self, depth: usize) -> Status {
        let are_checked = self.layers.is_all_in_memory();
        if !are_checked {
            self.give_up_round();
        }
        let mut from = 0;
        while from < self.visited.shards.len() && self.layers.trouble().is_none() {
            let shards = self.some_shards(from, depth);
            from = shards.end;
            self.settle_shards(shards, depth, are_checked);
        }
        self.layers.end_level(&mut self.visited, depth);
        if self.layers.trouble().is_some() {
            return Status::Trouble;
        }
        if depth > self.progress.depth() {
            self.begin_level();
        }
        self.settled = Some(self.progress.clone());
        Status::Going
    }

    /// The next shards, of which there are as many as there is room to settle at once.
    fn some_shards(&self, from: usize, depth: usize) -> Range<usize> {
        let bytes_each = (size_of::<u64>() * self.visited.width) as u64;
        let mut room = self.bounds.memory / SHARE / bytes_each;
        let fits = |shard: &usize| {
            let candidates = self.layers.candidates(&self.visited, depth, *shard) as u64;
            let fits = *shard == from || candidates <= room;
            room = room.saturating_sub(candidates);
            fits
        };
        let shards = from..self.visited.shards.len();
        from..from + shards.take_while(fits).count()
    }

    fn settle_shards(&mut self, shards: Range<usize>, depth: usize, are_checked: bool) {
        let mut settled: Vec<(Settled, Inserted)> = Vec::new();
        settled.resize_with(shards.len(), Default::default);
        let (layers, memory) = (&*self.layers, &self.visited);
        share(
            self.threads.as_ref(),
            &mut self.workers,
            shards.zip(&mut settled),
            |worker, (shard, (settled, inserted))| {
                layers.settle(memory, depth, shard, settled);
                if !are_checked {
                    inserted.broken = worker.broken_in(&settled.rows);
                }
            },
        );
        let (settled, inserted): (Vec<_>, Vec<_>) = settled.into_iter().unzip();
        self.note_broken(&inserted, depth);
        self.layers.append(&settled);
    }
}
