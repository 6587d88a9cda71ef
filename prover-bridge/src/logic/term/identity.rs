//! What identifies symbolic values.

use std::sync::atomic::{AtomicU64, Ordering};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use z3::ast::Dynamic;

/// Which function it is: each has an identity of its own, whatever it computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FunctionId(u64);

impl FunctionId {
    pub(super) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What identifies a value: values of one identity are equal, though equal values may have several.
pub(crate) type Identity = Vec<Key>;

/// A part of an identity. It keeps its term alive, so no other term can take its place.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A term, which Z3 shares between equal ones.
    Term(Dynamic),
    Function(FunctionId),
}

/// What is known about values, by their identity. The numbers of functions differ from run to run, and so does the order of a
/// table. So this one keeps and drops its entries in the order in which they came up: Z3 reuses the numbers of terms that were
/// freed, and makes choices by these numbers.
pub(crate) type ByIdentity<T> = IndexMap<Identity, T, FxBuildHasher>;
