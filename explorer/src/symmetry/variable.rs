//! A state variable in which interchangeable elements lie.

use finite::{MAX_LIMBS, Universe};
use interpreter::{Field, Layout, Location};
use ioa_lang::core::{Model, SortId, VarId};

use super::colour::{Colours, Keys};
use super::renaming::Renaming;
use super::structure::Structure;
use super::wide::Wide;

/// Where a variable lies, and where the elements lie in it.
#[derive(Clone, Debug)]
pub(super) enum Variable {
    /// In some bits of a word.
    Word(Field, Structure),
    /// In some bits of several words.
    Limbs(Vec<Field>, Wide),
}

impl Variable {
    /// A variable in a layout, if elements of the sorts that matter lie in it.
    pub(super) fn of(
        (model, universe): (&Model, &Universe),
        (layout, variable): (&Layout, VarId),
        is_moved: &dyn Fn(SortId) -> bool,
    ) -> Option<Self> {
        match layout.location(variable) {
            Location::Bits(field) => {
                let part = Structure::of(layout.shape(variable).packing()?, is_moved);
                part.moves().then_some(Self::Word(*field, part))
            }
            Location::Limbs(limbs) => {
                let wide = finite::Wide::of(model, universe, layout.ty(variable))?;
                let wide = Wide::of(&wide, is_moved);
                wide.moves()
                    .then(|| Self::Limbs(limbs.fields().to_vec(), wide))
            }
            Location::Cell(_) => None,
        }
    }

    /// Adds to the key of each element that stands in the variable, where `place` stands for the variable.
    pub(super) fn add_keys(&self, row: &[u64], place: u64, colours: &Colours, keys: &mut Keys) {
        match self {
            Self::Word(field, part) => part.add_keys(field.read(row), place, colours, keys),
            Self::Limbs(fields, wide) => {
                let limbs = &read(fields, row)[..fields.len()];
                wide.add_keys(limbs, place, colours, keys);
            }
        }
    }

    /// Whether the variable's value stays as it is when elements are renamed.
    pub(super) fn is_fixed(&self, row: &[u64], renaming: &Renaming) -> bool {
        match self {
            Self::Word(field, part) => {
                let code = field.read(row);
                part.renamed(code, renaming) == code
            }
            Self::Limbs(fields, wide) => {
                let limbs = read(fields, row);
                renamed(wide, &limbs[..fields.len()], renaming) == limbs
            }
        }
    }

    /// Gives the elements in the variable new names.
    pub(super) fn rename(&self, row: &mut [u64], renaming: &Renaming) {
        match self {
            Self::Word(field, part) => field.write(row, part.renamed(field.read(row), renaming)),
            Self::Limbs(fields, wide) => {
                let limbs = read(fields, row);
                let limbs = renamed(wide, &limbs[..fields.len()], renaming);
                for (field, limb) in fields.iter().zip(limbs) {
                    field.write(row, limb);
                }
            }
        }
    }
}

/// The limbs of a variable, and zeros after them.
fn read(fields: &[Field], row: &[u64]) -> [u64; MAX_LIMBS] {
    let mut limbs = [0; MAX_LIMBS];
    for (limb, field) in limbs.iter_mut().zip(fields) {
        *limb = field.read(row);
    }
    limbs
}

/// The limbs in which elements have new names, and zeros after them.
fn renamed(wide: &Wide, limbs: &[u64], renaming: &Renaming) -> [u64; MAX_LIMBS] {
    let mut out = [0; MAX_LIMBS];
    wide.rename(limbs, renaming, &mut out[..limbs.len()]);
    out
}
