//! How the values of a type become words.

use finite::{Packing, Universe};
use ioa_lang::core::{Model, Type};

/// What the words of a column mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The packed code.
    Packed(Packing),
    /// A number, as the bits of an `i64`.
    Number,
    /// The index of a value in the [`Pool`](super::Pool).
    Interned,
}

impl Encoding {
    /// The encoding of a type's values.
    #[must_use]
    pub fn of(model: &Model, universe: &Universe, ty: &Type) -> Self {
        if ty.is_integer() {
            return Self::Number;
        }
        Packing::of(model, universe, ty).map_or(Self::Interned, Self::Packed)
    }

    /// The packing, where there is one.
    #[must_use]
    pub fn packing(&self) -> Option<&Packing> {
        match self {
            Self::Packed(packing) => Some(packing),
            Self::Number | Self::Interned => None,
        }
    }
}
