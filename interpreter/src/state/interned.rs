//! Cells that are stored once and stand in rows by name.
//!
//! Each distinct cell is stored in tables that all searchers of an automaton share, and a word stands for it, the cell's *name*.
//! The name is the hash of the cell, so it does not depend on the order in which cells are found. The exception is a hash
//! collision: then the cell that is found later gets one of the next free numbers. Two names are equal if and only if the cells
//! are.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, RwLock};

use rustc_hash::{FxHashMap, FxHasher};

use crate::state::cell::{BYTES_A_PART, Cell};

/// The number of tables for cells, which are selected by the first bits of the names, so that threads rarely wait for each
/// other.
const TABLE_BITS: u32 = 5;

/// Cells by name. Clones share them.
#[derive(Clone, Debug)]
pub struct Interned {
    tables: Arc<[RwLock<InternTable>]>,
}

/// Some of the cells.
#[derive(Debug, Default)]
struct InternTable {
    cells: FxHashMap<u64, Cell>,
    parts: u64,
}

impl Default for Interned {
    fn default() -> Self {
        Self {
            tables: (0..1 << TABLE_BITS).map(|_| RwLock::default()).collect(),
        }
    }
}

impl Interned {
    /// Approximate number of bytes that the cells take.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let tables = self.tables.iter();
        tables
            .map(|s| s.read().expect("no thread panics").parts * BYTES_A_PART)
            .sum()
    }

    /// All cells with their names, sorted by name. They must be saved together with rows.
    #[must_use]
    pub fn named(&self) -> Vec<(u64, Cell)> {
        let mut all: Vec<(u64, Cell)> = Vec::new();
        for table in self.tables.iter() {
            let table = table.read().expect("no thread panics");
            all.extend(table.cells.iter().map(|(n, c)| (*n, c.clone())));
        }
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }

    /// Restores a cell with the name that it had when it was saved.
    pub fn restore(&self, name: u64, cell: Cell) {
        let mut table = self.table(name).write().expect("no thread panics");
        table.parts += cell.parts();
        table.cells.insert(name, cell);
    }

    /// Whether all cells have the names that they would be given, so that equal cells have the same name.
    #[must_use]
    pub fn are_named_right(&self) -> bool {
        let named = self.named();
        named.iter().all(|(name, cell)| self.name(cell) == *name)
    }

    /// Whether there is a cell with a name, and something is true of it.
    pub(crate) fn has(&self, name: u64, is_so: impl FnOnce(&Cell) -> bool) -> bool {
        let table = self.table(name).read().expect("no thread panics");
        table.cells.get(&name).is_some_and(is_so)
    }

    fn table(&self, name: u64) -> &RwLock<InternTable> {
        &self.tables[(name >> (u64::BITS - TABLE_BITS)) as usize]
    }

    /// The cell with a name.
    pub(crate) fn cell(&self, name: u64) -> Cell {
        let table = self.table(name).read().expect("no thread panics");
        table.cells[&name].clone()
    }

    /// Interns a cell and returns its name.
    pub(crate) fn name(&self, cell: &Cell) -> u64 {
        let mut name = hash(cell);
        loop {
            let table = self.table(name);
            let found = {
                let table = table.read().expect("no thread panics");
                table.cells.get(&name).map(|kept| kept == cell)
            };
            match found {
                Some(true) => return name,
                Some(false) => name = name.wrapping_add(1),
                None => {
                    let mut table = table.write().expect("no thread panics");
                    if !table.cells.contains_key(&name) {
                        table.parts += cell.parts();
                        table.cells.insert(name, cell.clone());
                        return name;
                    }
                }
            }
        }
    }
}

/// Fx hashes poorly in the upper bits of small values; a round of multiplication spreads them.
fn hash(cell: &Cell) -> u64 {
    let mut hasher = FxHasher::default();
    cell.hash(&mut hasher);
    let mixed = (hasher.finish() ^ (hasher.finish() >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}
