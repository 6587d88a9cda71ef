//! A search as words: what is kept of it between two rounds, so that it can be taken up again.
//!
//! All that was counted is kept, and all states of every shard, in their order; the tables are made anew. Where the states are
//! on disk, it is only kept which of the files' bytes they are. Where the words go and come from is for others to say.

mod shards;
mod words;

use std::collections::BTreeSet;
use std::sync::Arc;

use interpreter::Successors;

use crate::search::{Bounds, Finding, Question, Search};
use crate::store::disk::Disk;
use crate::store::disk::folder::Folder;
use crate::store::shard::Shard;

use shards::{put_visited, take_visited};
use words::{AT_ONCE, put_list, size, take, take_list};
pub use words::{Get, Lost, Put};

/// All that is counted adds up to less: there is room for what is counted later.
const MOST: u64 = u64::MAX / 2;

impl<S: Successors> Search<S> {
    /// Whether there is something of a search on disk that can be [saved](Self::save): that is so once its start states are
    /// known. What is saved is the search as it was when the last level was complete.
    #[must_use]
    pub fn has_settled(&self) -> bool {
        self.settled.is_some()
    }

    /// Waits until all levels of a search on disk are there: what is saved next can then be relied on.
    ///
    /// # Errors
    /// Says which file could not be written.
    pub fn sync(&mut self) -> Result<(), String> {
        self.layers.sync();
        self.trouble().map_or(Ok(()), |why| Err(why.into()))
    }

    /// Removes the files of a search on disk that only what was saved before the last time needs.
    pub fn clean(&mut self) {
        self.layers.clean();
    }

    /// Whether there are files that [`clean`](Self::clean) would remove.
    #[must_use]
    pub fn has_stale_files(&self) -> bool {
        self.layers.has_stale_files()
    }

    /// Gives all that is needed to go on from here.
    ///
    /// # Errors
    /// What `put` says.
    pub fn save<E>(&self, put: &mut Put<'_, E>) -> Result<(), E> {
        let progress = self.settled.as_ref().unwrap_or(&self.progress);
        put(&[
            self.visited.width as u64,
            self.visited.shards.len() as u64,
            self.round as u64,
            self.successors_each as u64,
            progress.expanded as u64,
            progress.starts,
            progress.quiescent,
            u64::from(self.has_started),
        ])?;
        put_list(&progress.generated, put)?;
        put_list(&progress.fired, put)?;
        put(&[u64::from(self.condensing.is_considered)])?;
        put(&[progress.findings.all().len() as u64])?;
        for finding in progress.findings.all() {
            put(&[code(finding.question), finding.depth as u64])?;
            put(&finding.state)?;
        }
        if let Some(words) = self.layers.saved() {
            return put_list(&words, put);
        }
        put_visited(&self.visited, &self.condensing, put)
    }

    /// A search that goes on where one was saved, with the same states and counts, as far as these bounds allow.
    ///
    /// # Errors
    /// The words are not such a search.
    ///
    /// # Panics
    /// If there are no means to take steps.
    pub fn restore<E>(
        steps: Vec<S>,
        bounds: Bounds,
        get: &mut Get<'_, E>,
    ) -> Result<Self, Lost<E>> {
        let width = steps[0].words();
        let mut search = Self::empty(steps, width, bounds);
        let shards = search.take_progress(get)?;
        let rows = (width, search.visited.hash);
        search.visited = take_visited(rows, shards, &mut search.condensing, get)?;
        let levels = search.progress.generated.len() + 1;
        let mut noted = search.visited.shards.iter().flat_map(Shard::levels);
        if !noted.all(|level| level.depth < levels) {
            return Err(Lost::Wrong);
        }
        search.visited.count_levels();
        match search.is_whole() {
            true => Ok(search),
            false => Err(Lost::Wrong),
        }
    }

    /// The same, of a search on disk.
    ///
    /// # Errors
    /// The words are not such a search, or the files in the folder are not those that it has written.
    ///
    /// # Panics
    /// If there are no means to take steps.
    pub fn restore_on_disk<E>(
        steps: Vec<S>,
        bounds: Bounds,
        folder: Arc<dyn Folder>,
        get: &mut Get<'_, E>,
    ) -> Result<Self, Lost<E>> {
        let width = steps[0].words();
        let mut search = Self::empty(steps, width, bounds).with_most_shards();
        let shards = search.take_progress(get)?;
        let hash = search.visited.hash;
        let words = take_list(get)?;
        let restored = Disk::restored(folder, (width, hash), &words);
        search.layers = Box::new(restored.map_err(|why| why.map_or(Lost::Wrong, Lost::File))?);
        let depth = search.progress.depth();
        let is_right = shards == hash.shards() as u64
            && search.has_started
            && search.layers.is_settled(depth)
            && !search.layers.is_settled(depth + 2);
        search.settled = Some(search.progress.clone());
        match is_right && search.is_whole() {
            true => Ok(search),
            false => Err(Lost::Wrong),
        }
    }

    /// Takes all that was counted, and gives the number of shards.
    fn take_progress<E>(&mut self, get: &mut Get<'_, E>) -> Result<u64, Lost<E>> {
        let width = self.visited.width;
        let [
            found,
            shards,
            round,
            successors_each,
            expanded,
            starts,
            quiescent,
            started,
        ] = take(get)?;
        if found != width as u64 || round == 0 || successors_each == 0 || started > 1 {
            return Err(Lost::Wrong);
        }
        self.round = size(round)?;
        self.successors_each = size(successors_each)?;
        self.progress.expanded = size(expanded)?;
        self.progress.starts = starts;
        self.progress.quiescent = quiescent;
        self.has_started = started == 1;
        self.progress.generated = take_list(get)?;
        self.progress.fired = take_list(get)?;
        let [is_considered] = take(get)?;
        if is_considered > 1 {
            return Err(Lost::Wrong);
        }
        self.condensing.is_considered = is_considered == 1;
        let [findings] = take(get)?;
        let mut questions = BTreeSet::new();
        for _ in 0..findings {
            let finding = take_finding(width, get)?;
            if !questions.insert(finding.question) {
                return Err(Lost::Wrong);
            }
            let Finding {
                question,
                state,
                depth,
            } = finding;
            self.progress.findings.report(question, state, depth);
        }
        match self.progress.generated.is_empty() {
            false => Ok(shards),
            true => Err(Lost::Wrong),
        }
    }

    /// Whether the parts of a search fit together.
    fn is_whole(&self) -> bool {
        let progress = &self.progress;
        let levels = progress.generated.len() + 1;
        let found = progress.findings.all().iter();
        let found = found.map(|f| (f.depth, &f.state[..])).collect();
        let starts = self.level_len(0) as u64;
        let can_start = match self.has_started {
            // There is at least one start state.
            true => starts > 0,
            false => levels == 2 && progress.expanded == 0 && self.distinct() == starts,
        };
        let counts = progress.generated.iter().chain(&progress.fired);
        let mut counts = counts.chain([&progress.starts, &progress.quiescent]);
        let sum = counts.try_fold(0_u64, |sum, n| sum.checked_add(*n));
        levels > 1
            && can_start
            && sum.is_some_and(|sum| sum <= MOST)
            && progress.expanded <= self.level_len(progress.depth())
            && self.has_all(&found)
    }

    /// Whether there are all these states, each of its depth; however many are asked for, each level is read once.
    fn has_all(&self, wanted: &BTreeSet<(usize, &[u64])>) -> bool {
        let depths: BTreeSet<usize> = wanted.iter().map(|(depth, _)| *depth).collect();
        let (mut rows, mut found) = (Vec::new(), 0);
        for depth in depths {
            let states = self.level_len(depth);
            for at in (0..states).step_by(AT_ONCE) {
                rows.clear();
                let positions = at..states.min(at + AT_ONCE);
                self.layers.read(&self.visited, depth, positions, &mut rows);
                let rows = rows.chunks_exact(self.visited.width);
                found += rows.filter(|row| wanted.contains(&(depth, row))).count();
            }
        }
        found == wanted.len()
    }
}

fn code(question: Question) -> u64 {
    match question {
        Question::Deadlock => 0,
        Question::Fault => 1,
        Question::Invariant(position) => position as u64 + 2,
    }
}

fn take_finding<E>(width: usize, get: &mut Get<'_, E>) -> Result<Finding, Lost<E>> {
    let [code, depth] = take(get)?;
    let mut state = vec![0; width];
    get(&mut state)?;
    Ok(Finding {
        question: match code {
            0 => Question::Deadlock,
            1 => Question::Fault,
            n => Question::Invariant(size(n - 2)?),
        },
        state,
        depth: size(depth)?,
    })
}
