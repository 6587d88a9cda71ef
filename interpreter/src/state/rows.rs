//! States as rows of words, all of one width: what a search stores, compares and hashes.
//!
//! The packed part of a state is its own row. An unpacked cell is [interned](Interned), and the row contains its name.
//!
//! So a row without cells has the same meaning everywhere, while any other row has a meaning only together with the tables.
//! The form that has the same meaning in another process, [`Rows::encode`], consists of the packed words and then each cell
//! by value.

use ioa_lang::core::AutomatonId;
use rustc_hash::FxHashSet;

use crate::instance::Instance;
use crate::state::cell::{Cell, Shape};
use crate::state::interned::Interned;
use crate::state::layout::{Layout, State};

/// The translation between the states of an automaton and rows. Clones share their cells.
#[derive(Clone, Debug)]
pub struct Rows<'i> {
    layout: &'i Layout,
    cells: Interned,
}

impl<'i> Rows<'i> {
    /// The rows of an automaton's states.
    #[must_use]
    pub fn new(instance: &'i Instance, automaton: AutomatonId) -> Self {
        Self {
            layout: instance.layout(automaton),
            cells: Interned::default(),
        }
    }

    /// The same rows for the same automaton in another instance, in which its states have the same layout.
    #[must_use]
    pub fn of_instance<'j>(&self, instance: &'j Instance, automaton: AutomatonId) -> Rows<'j> {
        Rows {
            layout: instance.layout(automaton),
            cells: self.cells.clone(),
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
        rows.extend(state.cells.iter().map(|cell| self.cells.name(cell)));
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
            cells: names.iter().map(|name| self.cells.cell(*name)).collect(),
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
            self.cells.cell(*name).push_counted(words);
        }
    }

    /// The row of an encoded state; none if the words are not exactly one encoded state.
    #[must_use]
    pub fn decode(&self, words: &[u64]) -> Option<Vec<u64>> {
        let (packed, mut rest) = words.split_at_checked(self.layout.words())?;
        let mut row = packed.to_vec();
        for shape in self.layout.cell_shapes() {
            let (cell, behind) = Cell::split_counted(rest)?;
            row.push(shape.has(&cell).then(|| self.cells.name(&cell))?);
            rest = behind;
        }
        row.resize(self.width(), 0);
        (rest.is_empty() && self.layout.are_values(packed)).then_some(row)
    }

    /// The cells that the rows contain by name.
    #[must_use]
    pub fn cells(&self) -> &Interned {
        &self.cells
    }

    /// A validator for rows from outside.
    #[must_use]
    pub fn check(&self) -> RowCheck<'_, 'i> {
        RowCheck {
            rows: self,
            fitting: FxHashSet::default(),
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
        let fits = self.rows.cells.has(name, |cell| shape.has(cell));
        if fits {
            self.fitting.insert((place, name));
        }
        fits
    }
}
