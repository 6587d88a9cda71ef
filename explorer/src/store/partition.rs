//! Rows, sorted by the shard to which they belong.
//!
//! Looking up states as they come would touch another part of the memory for each, and wait for it. Sorted by shard,
//! those that belong to one are looked up together, while its part of the memory is in the nearest caches (the idea of
//! radix joins in databases: Manegold, Boncz, Kersten 2002).

use crate::store::hash::{Hash, MOST_SHARDS};

/// Some rows, by shard, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Partition {
    width: usize,
    /// The rows, and what is left of those before them where these were more.
    words: Vec<u64>,
    /// For each shard, where its rows begin; and where the last end.
    begins: Vec<usize>,
}

impl Partition {
    /// Replaces the rows; `shards` is room to work in.
    pub(crate) fn fill(
        &mut self,
        rows: &[u64],
        (width, hash): (usize, Hash),
        shards: &mut Vec<u8>,
    ) {
        shards.clear();
        shards.resize(rows.len() / width, 0);
        shards_of(rows, (width, hash), shards);
        self.sort(rows, shards, (width, hash));
    }

    /// Replaces the rows, where it is known to which shards they belong.
    pub(crate) fn sort(&mut self, rows: &[u64], shards: &[u8], (width, hash): (usize, Hash)) {
        self.width = width;
        let mut places = self.count(shards, hash.shards());
        if self.words.len() < rows.len() {
            self.words.resize(rows.len(), 0);
        }
        match width {
            1 => scatter::<1>(rows, shards, &mut places, &mut self.words),
            2 => scatter::<2>(rows, shards, &mut places, &mut self.words),
            3 => scatter::<3>(rows, shards, &mut places, &mut self.words),
            4 => scatter::<4>(rows, shards, &mut places, &mut self.words),
            5 => scatter::<5>(rows, shards, &mut places, &mut self.words),
            6 => scatter::<6>(rows, shards, &mut places, &mut self.words),
            7 => scatter::<7>(rows, shards, &mut places, &mut self.words),
            8 => scatter::<8>(rows, shards, &mut places, &mut self.words),
            _ => scatter_long(rows, shards, &mut places, &mut self.words, width),
        }
    }

    /// Notes where the rows of each shard begin and end, and gives the places of the first.
    fn count(&mut self, shards: &[u8], used: usize) -> [usize; MOST_SHARDS] {
        let mut counts = [0; MOST_SHARDS];
        for shard in shards {
            counts[usize::from(*shard)] += 1;
        }
        self.begins.clear();
        let mut places = [0; MOST_SHARDS];
        let mut end = 0;
        for (place, count) in places.iter_mut().zip(&counts[..used]) {
            *place = end;
            self.begins.push(end);
            end += count;
        }
        self.begins.push(end);
        places
    }

    /// The rows of a shard.
    pub(crate) fn rows(&self, shard: usize) -> &[u64] {
        &self.words[self.begins[shard] * self.width..self.begins[shard + 1] * self.width]
    }

    /// How many rows a shard has.
    pub(crate) fn len(&self, shard: usize) -> usize {
        self.begins[shard + 1] - self.begins[shard]
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        ((self.words.capacity() + self.begins.capacity()) * size_of::<u64>()) as u64
    }
}

/// Finds the shards that rows belong to.
pub(crate) fn shards_of(rows: &[u64], (width, hash): (usize, Hash), shards: &mut [u8]) {
    match width {
        1 => shards_by::<1>(rows, hash, shards),
        2 => shards_by::<2>(rows, hash, shards),
        3 => shards_by::<3>(rows, hash, shards),
        4 => shards_by::<4>(rows, hash, shards),
        5 => shards_by::<5>(rows, hash, shards),
        6 => shards_by::<6>(rows, hash, shards),
        7 => shards_by::<7>(rows, hash, shards),
        8 => shards_by::<8>(rows, hash, shards),
        _ => note_shards(rows.chunks_exact(width), hash, shards),
    }
}

/// The same for rows of a width that is known when this is compiled.
fn shards_by<const WIDTH: usize>(rows: &[u64], hash: Hash, shards: &mut [u8]) {
    let (rows, _) = rows.as_chunks::<WIDTH>();
    note_shards(rows.iter(), hash, shards);
}

#[inline(always)]
fn note_shards(rows: impl Iterator<Item = impl AsRef<[u64]>>, hash: Hash, shards: &mut [u8]) {
    for (shard, row) in shards.iter_mut().zip(rows) {
        *shard = hash.shard_of(hash.of(row.as_ref())) as u8;
    }
}

/// Puts each row to the others of its shard.
fn scatter<const WIDTH: usize>(
    rows: &[u64],
    shards: &[u8],
    places: &mut [usize; MOST_SHARDS],
    to: &mut [u64],
) {
    let (to, _) = to.as_chunks_mut::<WIDTH>();
    for (row, shard) in rows.as_chunks::<WIDTH>().0.iter().zip(shards) {
        let place = &mut places[usize::from(*shard)];
        to[*place] = *row;
        *place += 1;
    }
}

/// As [`scatter`], for rows of any width.
fn scatter_long(
    rows: &[u64],
    shards: &[u8],
    places: &mut [usize; MOST_SHARDS],
    to: &mut [u64],
    width: usize,
) {
    for (row, shard) in rows.chunks_exact(width).zip(shards) {
        let place = &mut places[usize::from(*shard)];
        to[*place * width..][..width].copy_from_slice(row);
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_with_its_shard_in_the_order_in_which_it_came() {
        for width in 1..11 {
            let rows: Vec<u64> = (0..1_000 * width as u64).map(|n| n / 3 % 500).collect();
            let mut partition = Partition::default();
            let few = Hash::new(width, 64);
            let hash = few.in_most_shards();
            partition.fill(&[7; 60], (width, few), &mut Vec::new());
            partition.fill(&rows, (width, hash), &mut Vec::new());
            for shard in 0..hash.shards() {
                let expected: Vec<u64> = rows
                    .chunks_exact(width)
                    .filter(|row| hash.shard_of(hash.of(row)) == shard)
                    .flatten()
                    .copied()
                    .collect();
                assert_eq!(partition.rows(shard), expected);
                assert_eq!(partition.len(shard) * width, expected.len());
            }
        }
    }
}
