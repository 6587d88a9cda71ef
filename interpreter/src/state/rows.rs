//! States as rows of words, all of one width: what a search stores, compares and hashes.
//!
//! The packed part of a state is its own row. A cell that no packing covers is *interned*: all cells are kept once, in
//! tables that the searchers of one automaton share, and the row has one more word, the cell's *name*, which stands for
//! exactly one cell. The name is a hash of the cell, so it does not depend on the order in which cells are met; only
//! where two cells have one hash, the one that is met later gets one of the next free numbers.
//!
//! So a row of packed variables alone means the same everywhere, and any other row only beside the tables. The form that
//! means the same in another process, [`Rows::encode`], has the packed words and then each cell by value.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, RwLock};

use ioa_lang::core::AutomatonId;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::instance::Instance;
use crate::state::cell::{Cell, Shape};
use crate::state::layout::{Layout, State};

/// The cells are kept in several tables, by the first bits of their names, so that threads rarely wait for each other.
const TABLE_BITS: u32 = 5;

/// About how many bytes one part of a kept cell takes, with its place among the others.
const BYTES_A_PART: u64 = 48;

/// The translation between the states of an automaton and rows. Clones share their cells.
#[derive(Clone, Debug)]
pub struct Rows<'i> {
    layout: &'i Layout,
    cells: Arc<[RwLock<InternTable>]>,
}

/// Some of the cells, by name.
#[derive(Debug, Default)]
struct InternTable {
    cells: FxHashMap<u64, Cell>,
    parts: u64,
}

impl<'i> Rows<'i> {
    /// The rows of an automaton's states.
    #[must_use]
    pub fn new(instance: &'i Instance, automaton: AutomatonId) -> Self {
        Self {
            layout: instance.layout(automaton),
            cells: (0..1 << TABLE_BITS).map(|_| RwLock::default()).collect(),
        }
    }

    /// The same rows for the same automaton in another instance, in which its states have the same layout.
    #[must_use]
    pub fn of_instance<'j>(&self, instance: &'j Instance, automaton: AutomatonId) -> Rows<'j> {
        Rows {
            layout: instance.layout(automaton),
            cells: Arc::clone(&self.cells),
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

    /// Appends a row in the form that means the same in another process: the packed words, then for each cell the number of
    /// words that it is made of, and these.
    ///
    /// # Panics
    /// If these rows have never made it.
    pub fn encode(&self, row: &[u64], words: &mut Vec<u64>) {
        let (packed, names) = row.split_at(self.layout.words());
        words.extend_from_slice(packed);
        for name in &names[..self.layout.cells()] {
            let length = words.len();
            words.push(0);
            self.cell(*name).push_words(words);
            words[length] = (words.len() - length - 1) as u64;
        }
    }

    /// The row of an encoded state; none if the words are not the whole of one.
    #[must_use]
    pub fn decode(&self, words: &[u64]) -> Option<Vec<u64>> {
        let (packed, mut rest) = words.split_at_checked(self.layout.words())?;
        let mut row = packed.to_vec();
        for shape in self.layout.cell_shapes() {
            let (length, behind) = rest.split_first()?;
            let (cell, behind) = behind.split_at_checked(usize::try_from(*length).ok()?)?;
            let cell = Cell::of_words(cell).filter(|cell| shape.has(cell))?;
            row.push(self.name(&cell));
            rest = behind;
        }
        row.resize(self.width(), 0);
        (rest.is_empty() && self.layout.are_values(packed)).then_some(row)
    }

    /// About how many bytes the cells take.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let tables = self.cells.iter();
        tables
            .map(|s| s.read().expect("no thread panics").parts * BYTES_A_PART)
            .sum()
    }

    /// All cells with their names, by name: what has to be saved with rows.
    #[must_use]
    pub fn named(&self) -> Vec<(u64, Cell)> {
        let mut all: Vec<(u64, Cell)> = Vec::new();
        for table in self.cells.iter() {
            let table = table.read().expect("no thread panics");
            all.extend(table.cells.iter().map(|(n, c)| (*n, c.clone())));
        }
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }

    /// Gives a cell the name that it had when it was saved.
    pub fn restore(&self, name: u64, cell: Cell) {
        let mut table = self.table(name).write().expect("no thread panics");
        table.parts += cell.parts();
        table.cells.insert(name, cell);
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

    fn table(&self, name: u64) -> &RwLock<InternTable> {
        &self.cells[(name >> (u64::BITS - TABLE_BITS)) as usize]
    }

    fn cell(&self, name: u64) -> Cell {
        let table = self.table(name).read().expect("no thread panics");
        table.cells[&name].clone()
    }

    /// The name of a cell, which is kept from now on.
    fn name(&self, cell: &Cell) -> u64 {
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
        let table = self.rows.table(name).read().expect("no thread panics");
        let fits = table.cells.get(&name).is_some_and(|cell| shape.has(cell));
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
