//! Levels in files, for searches whose states do not fit into memory.
//!
//! Duplicates are detected late (delayed duplicate detection: Stern and Dill, Using Magnetic Disk Instead of Main Memory in
//! the Murphi Verifier, 1998; Korf, Best-First Frontier Search with Delayed Duplicate Detection, 2004). Memory is a cache
//! of states that were visited, and of the candidates for the next level. When it is full, the candidates are sorted and
//! written as a *spill*, and it is made empty. Once a level is expanded, the candidates that memory and the spills hold are
//! sorted, shard by shard, and those that are in the files of visited states are removed: what is left is the next level.
//!
//! The files: `levels` has all levels, one after the other, from which they are expanded and ways are found again.
//! `known-N` has all states up to some depth in one sorted run; where memory was made empty, the levels after it are looked
//! through as well, and it is written anew once these have become many. `spills` has the candidates.
//!
//! All of these are runs of rows by shard, sorted within each. So one shard after the other, or several at a time, can be
//! settled in memory, and where there are few candidates few blocks are read.

pub(crate) mod block;
pub(crate) mod folder;
mod keep;
pub(crate) mod run;
mod sorted;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::store::Visited;
use crate::store::disk::block::{Block, Coded, Coder};
use crate::store::disk::folder::Folder;
use crate::store::disk::run::{Run, Stored};
use crate::store::disk::sorted::{merge, sort, subtract};
use crate::store::hash::Hash;
use crate::store::layers::{Layers, Place, Settled};

/// The sorted run of visited states is written anew once the levels after it have one state for so many in it,
const RECENT_PART: u64 = 4;

/// or once they are more than so many levels.
const MOST_RECENT: usize = 64;

/// The file of all levels.
const LEVELS: &str = "levels";

/// The file of candidates.
const SPILLS: &str = "spills";

/// A file with the run that it is.
#[derive(Debug)]
struct Known {
    stored: Stored,
    run: Run,
}

/// Levels in files.
#[derive(Debug)]
pub(crate) struct Disk {
    folder: Arc<dyn Folder>,
    width: usize,
    hash: Hash,
    /// All levels that are settled.
    file: Stored,
    levels: Vec<Run>,
    states: u64,
    /// All states of the first levels, so many.
    known: Option<Known>,
    covered: usize,
    /// How often `known` was written.
    written: u64,
    /// Whether states that memory does not have are in no file but that of the levels.
    is_emptied: bool,
    spills: Option<Stored>,
    spilled: Vec<Run>,
    /// The level that is being settled, and all states with it.
    next: Run,
    next_known: Option<Known>,
    /// Files that only a search needs that was saved before the last time.
    stale: Vec<String>,
    trouble: OnceLock<String>,
}

impl Disk {
    /// No levels yet, in a folder.
    pub(crate) fn new(folder: Arc<dyn Folder>, width: usize, hash: Hash) -> Result<Self, String> {
        let file = Stored::new(LEVELS.into(), folder.create(LEVELS)?);
        Ok(Self::with(folder, (width, hash), file))
    }

    fn with(folder: Arc<dyn Folder>, (width, hash): (usize, Hash), file: Stored) -> Self {
        Self {
            folder,
            width,
            hash,
            file,
            levels: Vec::new(),
            states: 0,
            known: None,
            covered: 0,
            written: 0,
            is_emptied: false,
            spills: None,
            spilled: Vec::new(),
            next: Run::default(),
            next_known: None,
            stale: Vec::new(),
            trouble: OnceLock::new(),
        }
    }

    /// Notes why something failed, if it did, and gives what it gave.
    fn noted<T>(&self, result: Result<T, String>) -> Option<T> {
        result.map_err(|why| self.trouble.set(why)).ok()
    }

    /// The candidates of a depth in one shard, sorted.
    fn sorted_candidates(
        &self,
        memory: &Visited,
        depth: usize,
        shard: usize,
    ) -> Result<Vec<u64>, String> {
        let mut rows = candidates_in(memory, depth, shard);
        for (run, stored) in self.spilled.iter().zip(self.spills.iter().cycle()) {
            self.read_all((stored, run.of_shard(shard)), &mut rows)?;
        }
        sort(&mut rows, self.width);
        Ok(rows)
    }

    fn read_all(
        &self,
        (stored, blocks): (&Stored, &[Block]),
        rows: &mut Vec<u64>,
    ) -> Result<(), String> {
        let mut blocks = blocks.iter();
        blocks.try_for_each(|block| stored.read(block, self.width, rows))
    }

    /// The levels that are in no other file, and of which memory need not know.
    fn recent(&self) -> &[Run] {
        match self.is_emptied {
            true => &self.levels[self.covered..],
            false => &[],
        }
    }

    /// Whether `known` is written anew with the level that is settled now.
    fn is_due(&self) -> bool {
        let known = self.known.as_ref().map_or(0, |known| known.run.rows());
        let is_much = (self.states - known) * RECENT_PART >= known;
        self.is_emptied && (is_much || self.levels.len() - self.covered > MOST_RECENT)
    }

    fn try_settle(
        &self,
        memory: &Visited,
        (depth, shard): (usize, usize),
        out: &mut Settled,
    ) -> Result<(), String> {
        let mut rows = self.sorted_candidates(memory, depth, shard)?;
        let known = self
            .known
            .iter()
            .map(|k| (&k.stored, k.run.of_shard(shard)));
        let recent = self.recent().iter();
        let recent = recent.map(|run| (&self.file, run.of_shard(shard)));
        for before in known.chain(recent) {
            subtract(&mut rows, self.width, before)?;
        }
        let mut coder = Coder::new(&mut out.level, shard, self.width);
        rows.chunks_exact(self.width)
            .for_each(|row| coder.push(row));
        coder.finish();
        if self.is_due() {
            let mut more = rows.clone();
            for run in self.recent() {
                self.read_all((&self.file, run.of_shard(shard)), &mut more)?;
            }
            sort(&mut more, self.width);
            let mut coder = Coder::new(&mut out.known, shard, self.width);
            match &self.known {
                Some(Known { stored, run }) => {
                    merge((stored, run.of_shard(shard)), &more, self.width, &mut coder)?;
                }
                None => more
                    .chunks_exact(self.width)
                    .for_each(|row| coder.push(row)),
            }
            coder.finish();
        }
        out.rows = rows;
        Ok(())
    }

    fn try_append(&mut self, settled: &[Settled]) -> Result<(), String> {
        if self.next_known.is_none() && self.is_due() {
            let name = known_name(self.written + 1);
            let stored = Stored::new(name.clone(), self.folder.create(&name)?);
            let run = Run::default();
            self.next_known = Some(Known { stored, run });
        }
        for Settled { level, known, .. } in settled {
            self.file.append(level, &mut self.next)?;
            if let Some(next) = &mut self.next_known {
                next.stored.append(known, &mut next.run)?;
            }
        }
        Ok(())
    }

    fn try_end_level(&mut self, memory: &mut Visited, depth: usize) -> Result<(), String> {
        let mut level = std::mem::take(&mut self.next);
        level.shrink();
        self.states += level.rows();
        self.levels.push(level);
        if let Some(next) = self.next_known.take() {
            let before = self.known.replace(next);
            self.stale.extend(before.map(|known| known.stored.name));
            self.written += 1;
            self.covered = depth + 1;
            self.is_emptied = false;
            *memory = Visited::new(self.width, self.hash);
        }
        self.spilled.clear();
        match self.spills.take() {
            Some(spills) => self.folder.remove(&spills.name),
            None => Ok(()),
        }
    }

    fn spill(&mut self, memory: &Visited, depth: usize) -> Result<(), String> {
        if self.spills.is_none() {
            let file = self.folder.create(SPILLS)?;
            self.spills = Some(Stored::new(SPILLS.into(), file));
        }
        let mut run = Run::default();
        for shard in 0..memory.shards.len() {
            let mut rows = candidates_in(memory, depth, shard);
            sort(&mut rows, self.width);
            let mut coded = Coded::default();
            let mut coder = Coder::new(&mut coded, shard, self.width);
            rows.chunks_exact(self.width)
                .for_each(|row| coder.push(row));
            coder.finish();
            if let Some(spills) = &mut self.spills {
                spills.append(&coded, &mut run)?;
            }
        }
        self.spilled.push(run);
        Ok(())
    }

    fn try_sync(&mut self) -> Result<(), String> {
        self.file.sync()?;
        match &mut self.known {
            Some(known) => known.stored.sync(),
            None => Ok(()),
        }
    }
}

/// The rows of a depth that memory has in a shard.
fn candidates_in(memory: &Visited, depth: usize, shard: usize) -> Vec<u64> {
    let mut rows = Vec::new();
    let shard = &memory.shards[shard];
    shard.states.read(shard.level(depth), &mut rows);
    rows
}

fn known_name(number: u64) -> String {
    format!("known-{number}")
}

impl Layers for Disk {
    fn len(&self, memory: &Visited) -> u64 {
        self.states + self.level_len_in(memory, self.levels.len()) as u64
    }

    fn level_len(&self, memory: &Visited, depth: usize) -> usize {
        match self.levels.get(depth) {
            Some(level) => level.rows() as usize,
            None => self.level_len_in(memory, depth),
        }
    }

    fn read(&self, _: &Visited, depth: usize, positions: Range<usize>, rows: &mut Vec<u64>) {
        let Some(level) = self.levels.get(depth) else {
            return;
        };
        for (block, part) in level.at(positions) {
            let begin = rows.len();
            if self
                .noted(self.file.read(block, self.width, rows))
                .is_none()
            {
                return;
            }
            rows.truncate(begin + part.end * self.width);
            rows.drain(begin..begin + part.start * self.width);
        }
    }

    fn read_next(&self, memory: &Visited, place: &mut Place, rows: &mut Vec<u64>) -> bool {
        while let Some(level) = self.levels.get(place.0) {
            let positions = place.1..place.1 + 1;
            if let Some((block, part)) = level.at(positions).next() {
                let end = place.1 - part.start + block.rows();
                self.read(memory, place.0, place.1..end, rows);
                place.1 = end;
                return self.trouble.get().is_none();
            }
            *place = (place.0 + 1, 0);
        }
        false
    }

    fn bytes(&self) -> u64 {
        let known = [&self.known, &self.next_known].into_iter().flatten();
        let known = known.map(|known| &known.run);
        let runs = self.levels.iter().chain(&self.spilled).chain(known);
        runs.map(|run| run.bytes() + size_of::<Run>() as u64).sum()
    }

    fn is_all_in_memory(&self) -> bool {
        self.known.is_none() && !self.is_emptied
    }

    fn reads_memory(&self) -> bool {
        true
    }

    fn is_settled(&self, depth: usize) -> bool {
        depth < self.levels.len()
    }

    fn candidates(&self, memory: &Visited, depth: usize, shard: usize) -> usize {
        let spilled = self.spilled.iter().map(|run| run.rows_of(shard));
        memory.shards[shard].level(depth).len() + spilled.sum::<usize>()
    }

    fn settle(&self, memory: &Visited, depth: usize, shard: usize, out: &mut Settled) {
        self.noted(self.try_settle(memory, (depth, shard), out));
    }

    fn append(&mut self, settled: &[Settled]) {
        let appended = self.try_append(settled);
        self.noted(appended);
    }

    fn end_level(&mut self, memory: &mut Visited, depth: usize) {
        let ended = self.try_end_level(memory, depth);
        self.noted(ended);
    }

    fn make_room(&mut self, memory: &mut Visited, depth: usize) -> bool {
        if memory.len() == 0 {
            return false;
        }
        let spilled = self.spill(memory, depth);
        self.is_emptied = true;
        *memory = Visited::new(self.width, self.hash);
        self.noted(spilled).is_some()
    }

    fn trouble(&self) -> Option<&str> {
        self.trouble.get().map(String::as_str)
    }

    fn sync(&mut self) {
        let synced = self.try_sync();
        self.noted(synced);
    }

    fn has_stale_files(&self) -> bool {
        !self.stale.is_empty()
    }

    fn clean(&mut self) {
        for name in std::mem::take(&mut self.stale) {
            let removed = self.folder.remove(&name);
            self.noted(removed);
        }
    }

    fn saved(&self) -> Option<Vec<u64>> {
        Some(self.words())
    }
}

impl Disk {
    /// The states of a depth that is not settled, where memory knows them.
    fn level_len_in(&self, memory: &Visited, depth: usize) -> usize {
        match self.is_all_in_memory() {
            true => memory.level_len(depth),
            false => 0,
        }
    }
}
