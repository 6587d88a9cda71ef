//! The states of a search in memory as words: how they are condensed, and those of each shard in their order.

use super::words::{AT_ONCE, Get, Lost, Put, put_list, size, take, take_list};
use crate::search::condense::known::Condensing;
use crate::store::Visited;
use crate::store::condensed::{Condensed, Differences};
use crate::store::hash::Hash;
use crate::store::shard::Shard;

/// Puts all states, and how they are condensed.
pub(super) fn put_visited<E>(
    visited: &Visited,
    known: &Condensing,
    put: &mut Put<'_, E>,
) -> Result<(), E> {
    put_condensed(visited.condensed.as_ref(), known, put)?;
    let mut shards = visited.shards.iter();
    shards.try_for_each(|shard| put_shard(shard, put))
}

/// All states that were put, in so many shards, whose rows take so many words and are hashed so as they come.
pub(super) fn take_visited<E>(
    (width, whole): (usize, Hash),
    shards: u64,
    known: &mut Condensing,
    get: &mut Get<'_, E>,
) -> Result<Visited, Lost<E>> {
    let mut visited = take_condensed((width, whole), known, get)?;
    if shards != visited.shards.len() as u64 {
        visited.spread_empty();
    }
    if shards != visited.shards.len() as u64 {
        return Err(Lost::Wrong);
    }
    let width = visited.stored_width();
    let Visited {
        shards,
        hash,
        condensed,
        ..
    } = &mut visited;
    for (number, shard) in shards.iter_mut().enumerate() {
        let kind = Kind {
            number,
            hash: *hash,
            width,
            condensed: condensed.as_ref(),
        };
        take_shard(shard, &kind, get)?;
    }
    Ok(visited)
}

/// Puts how states are condensed: two empty lists if they are not.
fn put_condensed<E>(
    condensed: Option<&Condensed>,
    known: &Condensing,
    put: &mut Put<'_, E>,
) -> Result<(), E> {
    let Some(condensed) = condensed else {
        return put(&[0, 0]);
    };
    let Differences { first, bits } = condensed.differences();
    put_list(first, put)?;
    put_list(bits, put)?;
    put(&[known.times, known.begin.quiescent])?;
    put_list(&known.begin.fired, put)
}

/// No states yet, which will be stored as was put.
fn take_condensed<E>(
    (width, whole): (usize, Hash),
    known: &mut Condensing,
    get: &mut Get<'_, E>,
) -> Result<Visited, Lost<E>> {
    let (first, bits) = (take_list(get)?, take_list(get)?);
    match (first.len(), bits.len()) {
        (0, 0) => Ok(Visited::new(width, whole)),
        lengths if lengths == (width, width) => {
            let condensed = Condensed::of(&Differences { first, bits });
            let condensed = condensed.ok_or(Lost::Wrong)?;
            [known.times, known.begin.quiescent] = take(get)?;
            known.begin.fired = take_list(get)?;
            Ok(Visited::condensed(width, whole, condensed))
        }
        _ => Err(Lost::Wrong),
    }
}

fn put_shard<E>(shard: &Shard, put: &mut Put<'_, E>) -> Result<(), E> {
    let levels = shard.levels().iter();
    let levels: Vec<u64> = levels
        .flat_map(|l| [l.depth as u64, l.begin as u64])
        .collect();
    put_list(&levels, put)?;
    let states = &shard.states;
    put(&[states.len() as u64])?;
    let mut rows = Vec::new();
    for at in (0..states.len()).step_by(AT_ONCE) {
        rows.clear();
        states.read(at..states.len().min(at + AT_ONCE), &mut rows);
        put(&rows)?;
    }
    Ok(())
}

/// What the rows of a shard have in common.
struct Kind<'v> {
    /// The shard's number.
    number: usize,
    /// How the rows are hashed.
    hash: Hash,
    /// Their words.
    width: usize,
    /// How they are condensed, if they are.
    condensed: Option<&'v Condensed>,
}

impl Kind<'_> {
    /// Whether a row may belong to the shard.
    fn has(&self, row: &[u64]) -> bool {
        let is_row = self.condensed.is_none_or(|condensed| condensed.is_row(row));
        is_row
            && !self.hash.is_beyond(row[0])
            && self.hash.shard_of(self.hash.of(row)) == self.number
    }
}

fn take_shard<E>(shard: &mut Shard, kind: &Kind<'_>, get: &mut Get<'_, E>) -> Result<(), Lost<E>> {
    let levels = take_list(get)?;
    let [states] = take(get)?;
    let states = size(states)?;
    let ends = levels.chunks(2).skip(1).map(|l| l.get(1).copied());
    let mut ends = ends.chain([Some(states as u64)]);
    for level in levels.chunks(2) {
        let (&[depth, begin], Some(Some(end))) = (level, ends.next()) else {
            return Err(Lost::Wrong);
        };
        if begin != shard.states.len() as u64 {
            return Err(Lost::Wrong);
        }
        take_states(shard, kind, size(end)?, get)?;
        shard.note_level(size(depth)?, size(begin)?);
        if shard
            .levels()
            .last()
            .is_none_or(|l| l.depth as u64 != depth)
        {
            return Err(Lost::Wrong);
        }
    }
    match shard.states.len() == states {
        true => Ok(()),
        false => Err(Lost::Wrong),
    }
}

/// Inserts the next states into a shard, up to so many.
fn take_states<E>(
    shard: &mut Shard,
    kind: &Kind<'_>,
    end: usize,
    get: &mut Get<'_, E>,
) -> Result<(), Lost<E>> {
    let width = kind.width;
    let mut rows = vec![0; AT_ONCE.max(width)];
    while shard.states.len() < end {
        let count = (end - shard.states.len()).min(rows.len() / width);
        let rows = &mut rows[..count * width];
        get(rows)?;
        for row in rows.chunks_exact(width) {
            if !kind.has(row) || !shard.states.insert(row) {
                return Err(Lost::Wrong);
            }
        }
    }
    Ok(())
}
