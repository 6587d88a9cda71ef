//! Memory that belongs to code.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64};

use finite::Dictionary;

use crate::asked::Asked;

/// Memory that code reads or writes through an address compiled into it. So it is owned together with the code, and does not
/// move when its owner moves.
#[derive(Clone, Debug)]
pub(crate) enum Kept {
    /// Numbers that never change.
    Constants(Arc<[u64]>),
    /// The truth values of a term: 0 if it was not computed yet, 1 for false, 2 for true.
    Table(Arc<[AtomicU8]>),
    /// Sets of codes, each in one or several words: the first word is 0 if a set was not computed yet.
    Sets(Arc<[AtomicU64]>),
    /// A counter that the code increments.
    Count(Arc<AtomicU64>),
    /// The address of a function, once it is known.
    Address(Arc<AtomicU64>),
    /// The entries of a dictionary.
    Numbers(Arc<Dictionary>),
    /// The codes of a dictionary, by their numbers.
    Codes(Arc<Dictionary>),
    /// How many numbers there are in a dictionary.
    Known(Arc<Dictionary>),
    /// A question to the interpreter, with its answers so far.
    Asked(Arc<Asked>),
}

impl Kept {
    /// The address of its first byte.
    pub(crate) fn start(&self) -> u64 {
        let start = match self {
            Self::Constants(numbers) => numbers.as_ptr().expose_provenance(),
            Self::Table(entries) => entries.as_ptr().expose_provenance(),
            Self::Sets(entries) => entries.as_ptr().expose_provenance(),
            Self::Count(number) | Self::Address(number) => Arc::as_ptr(number).expose_provenance(),
            Self::Numbers(own) => own.entries().as_ptr().expose_provenance(),
            Self::Codes(own) => own.codes().as_ptr().expose_provenance(),
            Self::Known(own) => std::ptr::from_ref(own.known()).expose_provenance(),
            Self::Asked(asked) => Arc::as_ptr(asked).expose_provenance(),
        };
        start as u64
    }
}
