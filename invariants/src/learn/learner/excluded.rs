//! What clauses exclude, found out once for each block as far as there is memory to keep it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::columns::Columns;
use super::super::evidence::Evidence;
use super::super::search::FrameSearch;
use super::super::search::excluding::Excluding;

/// About how many bytes a clause takes beside the states that it excludes.
const BESIDE_STATES: usize = 200;

/// How many states of each block are made up.
pub(super) fn made_up(evidence: &dyn Evidence) -> Vec<usize> {
    let blocks = 0..evidence.universes().len();
    blocks.map(|block| evidence.states(block).1).collect()
}

/// A clause of a frame.
type Key = (usize, Vec<usize>);

/// What clauses exclude, as far as it is kept.
#[derive(Debug, Default)]
pub(super) struct Excluded {
    known: FxHashMap<Key, Known>,
    /// What the last clause excludes for which there was no memory.
    last: Vec<u64>,
}

/// What a clause excludes in the first blocks: so many.
#[derive(Debug, Default)]
struct Known {
    blocks: usize,
    states: Vec<u64>,
}

impl Known {
    fn bytes(&self) -> u64 {
        (BESIDE_STATES + self.states.len() * size_of::<u64>()) as u64
    }
}

impl Excluded {
    /// The made-up states of so many in each block that a clause of a frame excludes. What was found out before is known, unless there
    /// was no memory for it.
    pub(super) fn by(
        &mut self,
        (frame, at, clause): (&FrameSearch, usize, &Vec<usize>),
        (excluding, counts): (&mut Excluding<'_>, &[usize]),
        (evidence, columns): (&dyn Evidence, &mut Columns),
    ) -> &[u64] {
        let key = (at, clause.clone());
        let before = self.known.remove(&key);
        columns.gives_back(before.as_ref().map_or(0, Known::bytes));
        let mut known = before.unwrap_or_default();
        let blocks = counts.iter().enumerate().skip(known.blocks);
        for (block, count) in blocks.filter(|(_, count)| **count > 0) {
            evidence.spend(frame.looks(clause, block, *count));
            let states = excluding.violators(clause, block, *count);
            known.states.extend(states);
        }
        known.blocks = counts.len();
        if columns.spares(known.bytes()) {
            return &self.known.entry(key).or_insert(known).states;
        }
        self.last = known.states;
        &self.last
    }

    /// Forgets what clauses exclude that do not hold any more; these are the clauses of each frame.
    pub(super) fn forget(&mut self, clauses: &[Option<Vec<Vec<usize>>>], columns: &mut Columns) {
        let each = clauses.iter().map(|own| own.iter().flatten().collect());
        let wanted: Vec<FxHashSet<&Vec<usize>>> = each.collect();
        self.known.retain(|(frame, clause), known| {
            let is_wanted = wanted[*frame].contains(clause);
            if !is_wanted {
                columns.gives_back(known.bytes());
            }
            is_wanted
        });
    }
}
