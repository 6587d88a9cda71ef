//! Some of the variables of a state.

use ioa_lang::core::VarId;

use super::{Layout, Location, State};

/// Where some variables lie in a state.
#[derive(Clone, Debug)]
pub struct Part {
    /// The bits, word by word.
    words: Vec<u64>,
    cells: Vec<u32>,
}

impl Part {
    /// Those of a layout.
    #[must_use]
    pub fn of(layout: &Layout, variables: impl IntoIterator<Item = VarId>) -> Self {
        let (mut words, mut cells) = (vec![0; layout.words()], Vec::new());
        for variable in variables {
            match layout.location(variable) {
                Location::Bits(field) => words[field.word()] |= field.slice().in_place(),
                Location::Limbs(limbs) => limbs
                    .fields()
                    .iter()
                    .for_each(|field| words[field.word()] |= field.slice().in_place()),
                Location::Cell(cell) => cells.push(*cell),
            }
        }
        Self { words, cells }
    }

    /// Whether the variables have the same values in two states.
    #[must_use]
    pub fn is_equal_in(&self, one: &State, other: &State) -> bool {
        let words = one.words.iter().zip(&other.words).zip(&self.words);
        let mut cells = self.cells.iter().map(|c| *c as usize);
        words.fold(0, |differ, ((a, b), read)| differ | (a ^ b) & read) == 0
            && cells.all(|c| one.cells[c] == other.cells[c])
    }
}
