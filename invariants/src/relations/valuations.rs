//! Which samples are the first with their values in some columns.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::samples::Table;

/// For some samples, the values in columns by numbers: equal ones have the same, and there are no gaps.
struct Numbered {
    numbers: Vec<u32>,
    count: u32,
}

impl Numbered {
    /// The numbers of keys that are less than a bound.
    fn of(keys: impl Iterator<Item = u64>, bound: Option<u64>, rows: usize) -> Self {
        let mut numbers = Vec::with_capacity(rows);
        let mut count = 0;
        let mut next = |slot: &mut u32| {
            if *slot == u32::MAX {
                *slot = count;
                count += 1;
            }
            *slot
        };
        match bound.and_then(|bound| usize::try_from(bound).ok()) {
            // Where keys are few a table is quicker.
            Some(bound) if bound <= 4 * rows => {
                let mut known = vec![u32::MAX; bound];
                numbers.extend(keys.map(|key| next(&mut known[key as usize])));
            }
            _ => {
                let mut known: FxHashMap<u64, u32> = FxHashMap::default();
                numbers.extend(keys.map(|key| next(known.entry(key).or_insert(u32::MAX))));
            }
        }
        Self { numbers, count }
    }

    /// The numbers of pairs of values.
    fn and(&self, other: &Self) -> Self {
        let both = self.numbers.iter().zip(&other.numbers);
        let factor = u64::from(other.count);
        let keys = both.map(|(a, b)| u64::from(*a) * factor + u64::from(*b));
        let bound = u64::from(self.count) * factor;
        Self::of(keys, Some(bound), self.numbers.len())
    }
}

/// The values in the columns of some samples.
pub(crate) struct Valuations<'t> {
    table: &'t Table,
    rows: &'t [usize],
    columns: BTreeMap<usize, Rc<Numbered>>,
}

impl<'t> Valuations<'t> {
    /// Those of the samples in these rows.
    pub(crate) fn new(table: &'t Table, rows: &'t [usize]) -> Self {
        Self {
            table,
            rows,
            columns: BTreeMap::new(),
        }
    }

    /// Of the samples that are wanted, those that are the first with their values in some columns.
    pub(crate) fn first_of_each(&mut self, columns: &BTreeSet<usize>, wanted: &Bits) -> Bits {
        let together = columns.iter().fold(None, |all: Option<Rc<Numbered>>, at| {
            let own = self.column(*at);
            Some(match all {
                Some(all) => Rc::new(all.and(&own)),
                None => own,
            })
        });
        let count = together.as_ref().map_or(1, |together| together.count);
        let mut seen = vec![false; count as usize];
        let number = |row: usize| together.as_ref().map_or(0, |all| all.numbers[row] as usize);
        Bits::collect(self.rows.len(), |row| {
            wanted.has(row) && !std::mem::replace(&mut seen[number(row)], true)
        })
    }

    fn column(&mut self, at: usize) -> Rc<Numbered> {
        let (column, rows) = (self.table.column(at), self.rows);
        let numbered = || {
            let words = rows.iter().map(|row| column[*row]);
            Rc::new(Numbered::of(words, None, rows.len()))
        };
        Rc::clone(self.columns.entry(at).or_insert_with(numbered))
    }
}
