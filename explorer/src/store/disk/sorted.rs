//! Sets of rows as sorted lists.

use std::cmp::Ordering;

use crate::store::disk::block::{Block, Coder};
use crate::store::disk::run::Stored;

/// Sorts rows and leaves out those that come twice.
pub(crate) fn sort(rows: &mut Vec<u64>, width: usize) {
    match width {
        1 => {
            rows.sort_unstable();
            rows.dedup();
        }
        2 => sort_arrays::<2>(rows),
        3 => sort_arrays::<3>(rows),
        4 => sort_arrays::<4>(rows),
        _ => {
            let mut all: Vec<&[u64]> = rows.chunks_exact(width).collect();
            all.sort_unstable();
            all.dedup();
            *rows = all.concat();
        }
    }
}

fn sort_arrays<const WIDTH: usize>(rows: &mut Vec<u64>) {
    let (all, _) = rows.as_chunks_mut::<WIDTH>();
    all.sort_unstable();
    let mut kept = 0;
    for at in 0..all.len() {
        if kept == 0 || all[kept - 1] != all[at] {
            all[kept] = all[at];
            kept += 1;
        }
    }
    rows.truncate(kept * WIDTH);
}

/// Removes from sorted rows those that are in some blocks of a file. Blocks in which there can be none are not read.
pub(crate) fn subtract(
    rows: &mut Vec<u64>,
    width: usize,
    (stored, blocks): (&Stored, &[Block]),
) -> Result<(), String> {
    let mut block_rows = Vec::new();
    // Rows before `kept` stay; those from `next` on are yet to be looked for.
    let (mut kept, mut next) = (0, 0);
    for (number, block) in blocks.iter().enumerate() {
        let end = blocks.get(number + 1).map(|after| after.least);
        while next < rows.len() && rows[next] < block.least {
            keep(rows, width, &mut kept, &mut next);
        }
        if next == rows.len() {
            break;
        }
        if end.is_some_and(|end| rows[next] > end) {
            continue;
        }
        block_rows.clear();
        stored.read(block, width, &mut block_rows)?;
        let mut others = block_rows.chunks_exact(width).peekable();
        while next < rows.len() {
            let Some(other) = others.peek() else { break };
            match rows[next..next + width].cmp(other) {
                Ordering::Less => keep(rows, width, &mut kept, &mut next),
                Ordering::Equal => next += width,
                Ordering::Greater => drop(others.next()),
            }
        }
    }
    while next < rows.len() {
        keep(rows, width, &mut kept, &mut next);
    }
    rows.truncate(kept);
    Ok(())
}

fn keep(rows: &mut [u64], width: usize, kept: &mut usize, next: &mut usize) {
    if kept != next {
        rows.copy_within(*next..*next + width, *kept);
    }
    *kept += width;
    *next += width;
}

/// Writes the rows of some blocks of a file and sorted ones, none of which is there.
pub(crate) fn merge(
    (stored, blocks): (&Stored, &[Block]),
    more: &[u64],
    width: usize,
    coder: &mut Coder<'_>,
) -> Result<(), String> {
    let (mut rows, mut more) = (Vec::new(), more.chunks_exact(width).peekable());
    for block in blocks {
        rows.clear();
        stored.read(block, width, &mut rows)?;
        for row in rows.chunks_exact(width) {
            while let Some(other) = more.next_if(|other| *other < row) {
                coder.push(other);
            }
            coder.push(row);
        }
    }
    more.for_each(|row| coder.push(row));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_come_once() {
        for width in 1..7 {
            let row = |n: u64| (0..width as u64).map(move |w| n * 7_919 % 101 / (w + 1));
            let mut rows: Vec<u64> = (0..500).flat_map(row).collect();
            let mut expected: Vec<Vec<u64>> =
                rows.chunks_exact(width).map(<[u64]>::to_vec).collect();
            expected.sort();
            expected.dedup();
            sort(&mut rows, width);
            assert_eq!(rows, expected.concat());
        }
    }
}
