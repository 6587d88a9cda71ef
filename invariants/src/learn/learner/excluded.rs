//! What clauses exclude, found out once for each block.

use rustc_hash::FxHashMap;

use super::super::evidence::Evidence;
use super::super::search::FrameSearch;
use super::super::search::excluding::Excluding;

/// How many states of each block are made up.
pub(super) fn made_up(evidence: &dyn Evidence) -> Vec<usize> {
    let blocks = 0..evidence.universes().len();
    blocks.map(|block| evidence.states(block).1).collect()
}

/// What a clause excludes in the first blocks: so many.
#[derive(Debug, Default)]
pub(super) struct Excluded {
    blocks: usize,
    states: Vec<u64>,
}

/// The made-up states of so many in each block that a clause of a frame excludes. What was found out before is known.
pub(super) fn excluded<'k>(
    known: &'k mut FxHashMap<(usize, Vec<usize>), Excluded>,
    (frame, at, clause): (&FrameSearch, usize, &Vec<usize>),
    (excluding, counts): (&mut Excluding<'_>, &[usize]),
    evidence: &dyn Evidence,
) -> &'k [u64] {
    let known = known.entry((at, clause.clone())).or_default();
    let blocks = counts.iter().enumerate().skip(known.blocks);
    for (block, count) in blocks.filter(|(_, count)| **count > 0) {
        evidence.spend(frame.looks(clause, block, *count));
        let states = excluding.violators(clause, block, *count);
        known.states.extend(states);
    }
    known.blocks = counts.len();
    &known.states
}
