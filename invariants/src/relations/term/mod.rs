//! Terms over a frame: variables, array elements under quantified indices, parts, sizes, counts.

mod computed;
mod counts;
mod indicators;
mod kind;
mod terms;

pub(crate) use counts::tests;
pub(crate) use kind::{Counted, Kind, Measure, Place, Term, TermId};
pub(crate) use terms::{Readable, Terms};
