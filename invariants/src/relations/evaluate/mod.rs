//! Terms and atoms evaluated over a block of rows.
//!
//! A block is a run of samples times the assignments of a frame. For each assignment there is a segment of whole
//! 64-bit words, so that a sample has the same bit in every segment.

mod block;
mod parts;
mod rows;
mod values;

pub(crate) use block::Block;
pub(crate) use rows::{blocks, cross_section};
