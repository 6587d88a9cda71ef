//! Which rows are looked at together.

use super::block::Block;
use crate::relations::cases::Case;
use crate::relations::frame::Frame;
use crate::relations::term::Terms;
use crate::samples::{Samples, Table};

/// Rows of a block, about: enough to amortise the loop over atoms, few enough for a word of each term to stay cached.
const BLOCK_ROWS: usize = 1 << 14;
/// Samples of the first block: most of what does not hold is false in few of them, and is never looked at again. Each block has
/// this many times as many as the one before.
const FIRST_SAMPLES: usize = 64;
const GROWTH: usize = 4;
/// Rows of the largest block that is held whole.
const EVIDENCE_ROWS: usize = 1 << 15;

/// Calls `visit` with each block of the table's rows for each of some cases, where it has only the rows that belong to the case; and
/// with the position of the case.
pub(crate) fn blocks<'a>(
    (samples, table): (&'a Samples, &'a Table),
    (frame, terms): (&Frame, &'a Terms),
    cases: &[Option<Case>],
    mut visit: impl FnMut(usize, &Block<'a>),
) {
    let assignments = frame.assignments();
    let most = (BLOCK_ROWS / assignments.len().max(1)).next_multiple_of(64);
    let (mut start, mut step) = (0, FIRST_SAMPLES.min(most));
    while start < table.rows() {
        let end = table.rows().min(start + step);
        let rows: Vec<usize> = (start..end).collect();
        let mut block = Block::new((samples, table), terms, &assignments, &rows);
        for (at, case) in cases.iter().enumerate() {
            block.within(case.as_ref(), |block| visit(at, block));
        }
        (start, step) = (end, most.min(step * GROWTH));
    }
}

/// One block with samples from all over the table, or with those that belong to a case, and which samples these are.
pub(crate) fn cross_section<'a>(
    (samples, table): (&'a Samples, &'a Table),
    (frame, terms): (&Frame, &'a Terms),
    case: Option<&Case>,
) -> (Block<'a>, Vec<usize>) {
    let assignments = frame.assignments();
    let wanted = (EVIDENCE_ROWS / assignments.len().max(1)).max(64);
    let step = table.rows().div_ceil(wanted).max(1);
    let rows: Vec<usize> = (0..table.rows()).step_by(step).collect();
    let block = Block::new((samples, table), terms, &assignments, &rows);
    (block.restricted(case), rows)
}
