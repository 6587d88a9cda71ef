//! States as rows of words, all of one width: what a search stores, compares and hashes.
//!
//! The packed part of a state is its own row. A cell that no packing covers takes one more word, its *name*: cells are
//! kept once, in a store that all searchers of one automaton share, and a name stands for exactly one cell. The name is
//! a hash of the cell (or, where two cells have one hash, one of the next free numbers), so it does not depend on the
//! order in which cells are met.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, RwLock};

use ioa_lang::core::AutomatonId;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::cell::{Cell, Shape};
use crate::instance::Instance;
use crate::layout::{Layout, State};

/// The cells are kept apart by the first bits of their names, so that threads rarely wait for each other.
const SHELF_BITS: u32 = 5;

/// About how many bytes one part of a kept cell takes, with its place among the others.
const BYTES_A_PART: u64 = 48;

/// The translation between the states of an automaton and rows. Clones share their cells.
#[derive(Clone, Debug)]
pub struct Rows<'i> {
    layout: &'i Layout,
    cells: Arc<[RwLock<Shelf>]>,
}

/// Some of the cells, by name.
#[derive(Debug, Default)]
struct Shelf {
    cells: FxHashMap<u64, Cell>,
    parts: u64,
}

impl<'i> Rows<'i> {
    /// The rows of an automaton's states.
    #[must_use]
    pub fn new(instance: &'i Instance, automaton: AutomatonId) -> Self {
        Self {
            layout: instance.layout(automaton),
            cells: (0..1 << SHELF_BITS).map(|_| RwLock::default()).collect(),
        }
    }

    /// The words of a row; never 0, so that a state without variables has a row too.
    #[must_use]
    pub fn width(&self) -> usize {
        (self.layout.words() + self.layout.cells()).max(1)
    }

    /// The bits, from the lowest on, that the word of a row uses; all if there is more than one.
    #[must_use]
    pub fn bits(&self) -> u32 {
        match self.layout.cells() {
            0 => self.layout.bits(),
            _ => u64::BITS,
        }
    }

    /// Appends a state's row.
    pub fn push(&self, state: &State, rows: &mut Vec<u64>) {
        let end = rows.len() + self.width();
        rows.extend_from_slice(&state.words);
        rows.extend(state.cells.iter().map(|cell| self.name(cell)));
        rows.resize(end, 0);
    }

    /// The state of a row.
    ///
    /// # Panics
    /// If these rows have never made it.
    #[must_use]
    pub fn state(&self, row: &[u64]) -> State {
        let (words, names) = row.split_at(self.layout.words());
        let names = &names[..self.layout.cells()];
        State {
            words: words.to_vec(),
            cells: names.iter().map(|name| self.cell(*name)).collect(),
        }
    }

    /// About how many bytes the cells take.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let shelves = self.cells.iter();
        shelves
            .map(|s| s.read().expect("no thread panics").parts * BYTES_A_PART)
            .sum()
    }

    /// All cells with their names, by name: what has to be saved with rows.
    #[must_use]
    pub fn named(&self) -> Vec<(u64, Cell)> {
        let mut all: Vec<(u64, Cell)> = Vec::new();
        for shelf in self.cells.iter() {
            let shelf = shelf.read().expect("no thread panics");
            all.extend(shelf.cells.iter().map(|(n, c)| (*n, c.clone())));
        }
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }

    /// Gives a cell the name that it had when it was saved.
    pub fn restore(&self, name: u64, cell: Cell) {
        let mut shelf = self.shelf(name).write().expect("no thread panics");
        shelf.parts += cell.parts();
        shelf.cells.insert(name, cell);
    }

    /// Whether all cells have the names that they would be given: so that equal ones have one name.
    #[must_use]
    pub fn are_named_right(&self) -> bool {
        let named = self.named();
        named.iter().all(|(name, cell)| self.name(cell) == *name)
    }

    /// Who says of rows that others have made whether they are states.
    #[must_use]
    pub fn check(&self) -> RowCheck<'_, 'i> {
        RowCheck {
            rows: self,
            fitting: FxHashSet::default(),
        }
    }

    fn shelf(&self, name: u64) -> &RwLock<Shelf> {
        &self.cells[(name >> (u64::BITS - SHELF_BITS)) as usize]
    }

    fn cell(&self, name: u64) -> Cell {
        let shelf = self.shelf(name).read().expect("no thread panics");
        shelf.cells[&name].clone()
    }

    /// The name of a cell, which is kept from now on.
    fn name(&self, cell: &Cell) -> u64 {
        let mut name = hash(cell);
        loop {
            let shelf = self.shelf(name);
            let found = {
                let shelf = shelf.read().expect("no thread panics");
                shelf.cells.get(&name).map(|kept| kept == cell)
            };
            match found {
                Some(true) => return name,
                Some(false) => name = name.wrapping_add(1),
                None => {
                    let mut shelf = shelf.write().expect("no thread panics");
                    if !shelf.cells.contains_key(&name) {
                        shelf.parts += cell.parts();
                        shelf.cells.insert(name, cell.clone());
                        return name;
                    }
                }
            }
        }
    }
}

/// Says of rows whether they are states of their automaton: whether each variable has a value of its type, and no bit is
/// set that no state uses.
#[derive(Debug)]
pub struct RowCheck<'r, 'i> {
    rows: &'r Rows<'i>,
    /// Cells, by their names, that are known to be values of variables, by the places of these.
    fitting: FxHashSet<(usize, u64)>,
}

impl RowCheck<'_, '_> {
    /// Whether a row is a state.
    pub fn is_state(&mut self, row: &[u64]) -> bool {
        let layout = self.rows.layout;
        let (words, rest) = row.split_at(layout.words());
        let (names, unused) = rest.split_at(layout.cells());
        let mut named = layout.cell_shapes().zip(names).enumerate();
        layout.are_values(words)
            && unused.iter().all(|word| *word == 0)
            && named.all(|(place, (shape, name))| self.fits((place, *name), shape))
    }

    /// Whether the cell that a name stands for is a value of a variable.
    fn fits(&mut self, (place, name): (usize, u64), shape: &Shape) -> bool {
        if self.fitting.contains(&(place, name)) {
            return true;
        }
        let shelf = self.rows.shelf(name).read().expect("no thread panics");
        let fits = shelf.cells.get(&name).is_some_and(|cell| shape.has(cell));
        if fits {
            self.fitting.insert((place, name));
        }
        fits
    }
}

/// Fx hashes poorly in the upper bits of small values; a round of multiplication spreads them.
fn hash(cell: &Cell) -> u64 {
    let mut hasher = FxHasher::default();
    cell.hash(&mut hasher);
    let mixed = (hasher.finish() ^ (hasher.finish() >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}
