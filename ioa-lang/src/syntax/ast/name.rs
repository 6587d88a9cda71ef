//! Names.

use crate::source::{Name, Span};

/// A name at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name, primes included.
    pub name: Name,
    /// Its place in the source.
    pub span: Span,
}
