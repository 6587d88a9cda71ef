//! States as rows of words, all of one width: what a search stores, compares and hashes.
//!
//! The packed part of a state is its own row. An unpacked cell is *interned*: each distinct cell is stored once, in tables
//! that all searchers of an automaton share, and the row contains a word for it, the cell's *name*, which stands for exactly
//! one cell. The name is the hash of the cell, so it does not depend on the order in which cells are found. The exception is
//! a hash collision: then the cell that is found later gets one of the next free numbers.
//!
//! So a row without cells has the same meaning everywhere, while any other row has a meaning only together with the tables.
//! The form that has the same meaning in another process, [`Rows::encode`], consists of the packed words and then each cell
//! by value.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, RwLock};

use ioa_lang::core::AutomatonId;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::instance::Instance;
use crate::state::cell::{Cell, Shape};
use crate::state::layout::{Layout, State};

/// The number of tables for cells, which are selected by the first bits of the names, so that threads rarely wait for each
/// other.
const TABLE_BITS: u32 = 5;

/// Number of bytes that one part of a stored cell takes at most, including its share of the table and of the nodes of trees: 27 were
/// measured in sequences of pairs, 37 in maps and sequences, and 84 in short sequences of numbers of two words.
const BYTES_A_PART: u64 = 88;

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
    /// If the row was not made by these rows.
    #[must_use]
    pub fn state(&self, row: &[u64]) -> State {
        let (words, names) = row.split_at(self.layout.words());
        let names = &names[..self.layout.cells()];
        State {
            words: words.to_vec(),
            cells: names.iter().map(|name| self.cell(*name)).collect(),
        }
    }

    /// Appends a row in the form that has the same meaning in another process: the packed words, then for each cell the
    /// number of its words, and these words.
    ///
    /// # Panics
    /// If the row was not made by these rows.
    pub fn encode(&self, row: &[u64], words: &mut Vec<u64>) {
        let (packed, names) = row.split_at(self.layout.words());
        words.extend_from_slice(packed);
        for name in &names[..self.layout.cells()] {
            self.cell(*name).push_counted(words);
        }
    }

    /// The row of an encoded state; none if the words are not exactly one encoded state.
    #[must_use]
    pub fn decode(&self, words: &[u64]) -> Option<Vec<u64>> {
        let (packed, mut rest) = words.split_at_checked(self.layout.words())?;
        let mut row = packed.to_vec();
        for shape in self.layout.cell_shapes() {
            let (cell, behind) = Cell::split_counted(rest)?;
            row.push(shape.has(&cell).then(|| self.name(&cell))?);
            rest = behind;
        }
        row.resize(self.width(), 0);
        (rest.is_empty() && self.layout.are_values(packed)).then_some(row)
    }

    /// Approximate number of bytes that the cells take.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let tables = self.cells.iter();
        tables
            .map(|s| s.read().expect("no thread panics").parts * BYTES_A_PART)
            .sum()
    }

    /// All cells with their names, sorted by name. They must be saved together with rows.
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

    /// A validator for rows from outside.
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

    /// Interns a cell and returns its name.
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

/// Checks whether rows are states of their automaton: each variable must have a value of its type, and no unused bit may be
/// set.
#[derive(Debug)]
pub struct RowCheck<'r, 'i> {
    rows: &'r Rows<'i>,
    /// The names of cells that are known to be valid values, for the place of each variable.
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

    /// Whether the cell with a name is a value of a variable.
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
