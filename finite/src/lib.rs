//! Finite instances: sizes for the sorts, a fixed interpretation of the theories, and values packed into words.
//!
//! This is data about a model, not execution: the interpreter computes on packed words, the detector keeps its samples
//! in columns of them, and neither has to know the other.
//!
//! **Boundary.** [`Universe`] says what a model's sorts and theories are at given sizes, and [`Packing`] how values are stored in a
//! word. [`Slice`] and [`Elements`] say which bits of a word are read and replaced together, [`closed_values`] which values
//! there are, [`Groups`] which sets the groups of an instance are, [`natural_arrangements`] which rings and lines have a natural
//! meaning, and [`intervals`] and [`Ranges`] between which numbers integers stay.
//!
//! **What it never knows.** How steps are taken, and what is asked about them.

mod arrangement;
mod closed;
mod dictionary;
mod groups;
mod interpretation;
mod intervals;
mod mentioned;
mod open;
mod packing;
mod ranges;
mod size_error;
mod universe;

pub use arrangement::{is_interchangeable, is_true_naturally, natural_arrangements, natural_table};
pub use closed::{closed_term, closed_values};
pub use dictionary::{Dictionary, MAX_CODE_BITS, MOST as MOST_NUMBERS, NUMBER_BITS, SPREAD};
pub use groups::{Groups, group_sorts};
pub use intervals::intervals;
pub use packing::{
    Elements, Form, MAX_LIMBS, Misfit, Packing, Part, Slice, Slots, Wide, WideForm, collections,
    low_bits, payload, types_with_numbers,
};
pub use ranges::{GUESS, NARROW_GUESS, Place, Range, Ranges};
pub use size_error::SizeError;
pub use universe::{Interpretation, MAX_SORT_SIZE, Universe};
