//! A part of the visited set: the states whose hash begins with the same bits.
//!
//! An open-addressed table with linear probing, into which states are only ever inserted. The place of a state is its
//! hash, scaled to the table's size ("fast range", Lemire 2019), so the table may be of any size: it grows by half, which
//! leaves less room unused than doubling. A state of one word is its own entry; of a longer state the entry has the
//! position among the shard's states and some bits of the hash, so that unequal states are rarely compared.
//! Either way membership is exact.

use crate::arena::Arena;

/// Shards: enough for the growth of one to be short, and for any number of threads.
pub(crate) const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_BITS: u32 = 6;

/// The entries of an empty table.
const LEAST: usize = 64;

/// The bits of an entry that are a position.
const POSITION_BITS: u32 = 40;

/// No entry.
const NONE: u64 = 0;

/// A part of the visited set.
#[derive(Debug)]
pub(crate) struct Shard {
    width: usize,
    table: Vec<u64>,
    /// Whether the state is there whose entry would be [`NONE`].
    has_none: bool,
    /// The states, in the order in which they were inserted.
    pub(crate) states: Arena,
    /// For each depth, the position of its first state.
    pub(crate) levels: Vec<usize>,
}

/// Which shard a hash belongs to.
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARD_BITS)) as usize
}

/// The hash of a row: multiplications that carry every bit upwards, and shifts that bring it down again.
#[inline]
pub(crate) fn hash(row: &[u64]) -> u64 {
    match row {
        [word] => mix(*word),
        _ => row.iter().fold(0, |hash, word| mix(hash ^ word)),
    }
}

#[inline]
fn mix(word: u64) -> u64 {
    let hash = (word ^ (word >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Shard {
    /// An empty one, for rows of this width.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            table: vec![NONE; LEAST],
            has_none: false,
            states: Arena::new(width),
            levels: Vec::new(),
        }
    }

    /// The words of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Where the search for a hash begins.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        let scaled = u128::from(hash << SHARD_BITS) * self.table.len() as u128;
        (scaled >> u64::BITS) as usize
    }

    /// The entry at the first place of a hash: reading it early brings it into the cache.
    #[inline]
    pub(crate) fn first(&self, hash: u64) -> u64 {
        self.table[self.place(hash)]
    }

    /// The entry of a state of one word.
    #[inline]
    pub(crate) fn entry(word: u64) -> u64 {
        !word
    }

    /// Whether a state is there.
    pub(crate) fn contains(&self, hash: u64, row: &[u64]) -> bool {
        match row {
            [word] if Self::entry(*word) == NONE => self.has_none,
            [word] => self.find_word(hash, Self::entry(*word)).is_ok(),
            _ => self.find_row(hash, row).is_ok(),
        }
    }

    /// Inserts a state unless it is there; whether it was not. There has to be [room](Self::reserve).
    pub(crate) fn insert(&mut self, hash: u64, row: &[u64]) -> bool {
        match row {
            [word] if Self::entry(*word) == NONE => {
                if std::mem::replace(&mut self.has_none, true) {
                    return false;
                }
            }
            [word] => match self.find_word(hash, Self::entry(*word)) {
                Ok(()) => return false,
                Err(free) => self.table[free] = Self::entry(*word),
            },
            _ => match self.find_row(hash, row) {
                Ok(()) => return false,
                Err(free) => self.table[free] = self.position_entry(hash, self.states.len()),
            },
        }
        self.states.push(row);
        true
    }

    /// Finds an entry, or the free place where it belongs.
    #[inline]
    fn find_word(&self, hash: u64, entry: u64) -> Result<(), usize> {
        self.probe(hash, |found| found == entry)
    }

    fn find_row(&self, hash: u64, row: &[u64]) -> Result<(), usize> {
        let mark = mark(hash);
        self.probe(hash, |found| {
            found >> POSITION_BITS == mark && self.states.row(position(found)) == row
        })
    }

    #[inline]
    fn probe(&self, hash: u64, is_it: impl Fn(u64) -> bool) -> Result<(), usize> {
        let mut place = self.place(hash);
        loop {
            let found = self.table[place];
            if found == NONE {
                return Err(place);
            }
            if is_it(found) {
                return Ok(());
            }
            place += 1;
            if place == self.table.len() {
                place = 0;
            }
        }
    }

    fn position_entry(&self, hash: u64, position: usize) -> u64 {
        mark(hash) << POSITION_BITS | (position as u64 + 1)
    }

    /// Makes room for so many more states.
    pub(crate) fn reserve(&mut self, more: usize) {
        let size = self.size_for(more);
        if size == self.table.len() {
            return;
        }
        self.table = Vec::new();
        self.table = vec![NONE; size];
        for at in 0..self.states.len() {
            let row = self.states.row(at);
            let hash = hash(row);
            let entry = match row {
                [word] => Self::entry(*word),
                _ => self.position_entry(hash, at),
            };
            if entry != NONE
                && let Err(free) = self.probe(hash, |_| false)
            {
                self.table[free] = entry;
            }
        }
    }

    /// The size of a table with room for so many more states: at most three quarters full, so that runs of entries stay short.
    fn size_for(&self, more: usize) -> usize {
        let states = self.states.len() + more;
        let mut size = self.table.len();
        while states * 4 > size * 3 {
            size += size / 2;
        }
        size
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.table.len() * size_of::<u64>()) as u64 + self.states.bytes()
    }

    /// The bytes it takes with so many more states.
    pub(crate) fn bytes_with(&self, more: usize) -> u64 {
        let table = self.size_for(more) * size_of::<u64>();
        table as u64 + Arena::bytes_of(self.states.len() + more, self.width)
    }
}

/// The bits of a hash that are kept with a position.
fn mark(hash: u64) -> u64 {
    hash & (u64::MAX >> POSITION_BITS)
}

/// The position in an entry.
fn position(entry: u64) -> usize {
    (entry & (u64::MAX >> (u64::BITS - POSITION_BITS))) as usize - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(shard: &mut Shard, row: &[u64]) -> bool {
        shard.reserve(1);
        shard.insert(hash(row), row)
    }

    #[test]
    fn every_row_is_inserted_once_however_the_table_grows() {
        for width in 1..4 {
            let mut shard = Shard::new(width);
            let row = |n: u64| -> Vec<u64> { (0..width as u64).map(|w| n / (w + 1)).collect() };
            for n in 0..20_000 {
                assert!(insert(&mut shard, &row(n)), "{n}");
                assert!(!insert(&mut shard, &row(n / 2)));
            }
            assert_eq!(shard.states.len(), 20_000);
            assert!((0..20_000).all(|n| shard.contains(hash(&row(n)), &row(n))));
            assert!(!shard.contains(hash(&row(20_000)), &row(20_000)));
        }
    }

    #[test]
    fn the_row_of_ones_is_a_state_like_any_other() {
        let mut shard = Shard::new(1);
        let ones = [u64::MAX];
        assert!(!shard.contains(hash(&ones), &ones));
        assert!(insert(&mut shard, &ones));
        assert!(!insert(&mut shard, &ones));
        shard.reserve(10_000);
        assert!(shard.contains(hash(&ones), &ones));
        assert_eq!(shard.states.len(), 1);
    }

    #[test]
    fn what_is_foretold_of_memory_comes_true() {
        let mut shard = Shard::new(2);
        let foretold = shard.bytes_with(5_000);
        shard.reserve(5_000);
        for n in 0..5_000 {
            shard.insert(hash(&[n, 1]), &[n, 1]);
        }
        assert_eq!(shard.bytes(), foretold);
    }
}
