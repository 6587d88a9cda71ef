//! What code computes, as it is known where the code is emitted.

use cranelift_codegen::ir::Value;

/// A word: a constant known at compile time, or a value that the code computes.
///
/// Each computed value has a known upper bound. The bound is derived where the code that computes the value is emitted, from
/// that code alone, so that a use of the word as an index, an amount or a part can tell whether it has to be masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bits {
    Known(u64),
    In { value: Value, most: u64 },
}

impl Bits {
    /// A word about which nothing is known.
    pub(crate) fn any(value: Value) -> Self {
        Self::up_to(u64::MAX, value)
    }

    /// A word that is not greater than `most`.
    pub(crate) fn up_to(most: u64, value: Value) -> Self {
        Self::In { value, most }
    }

    /// The same word, with the upper bound `most` known for another reason.
    pub(crate) fn limited(self, most: u64) -> Self {
        match self {
            Self::In { value, .. } => Self::up_to(most, value),
            known => known,
        }
    }

    /// The greatest value that it can have.
    pub(crate) fn most(self) -> u64 {
        match self {
            Self::Known(n) => n,
            Self::In { most, .. } => most,
        }
    }
}

/// A truth value. If the code computes it, it is in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Known(bool),
    In(Value),
}
