//! Conversion between packed values and cells that contain their parts.

use std::sync::Arc;

use finite::{Packing, Part, Wide};
use num_traits::ToPrimitive;

use super::{Cell, Shape};
use crate::state::range_overflows::RangeOverflows;

/// The conversion between the words of a value and an unpacked cell, for terms that can handle only such cells.
#[derive(Debug, PartialEq)]
pub struct Unpacking {
    part: Part,
    shape: Arc<Shape>,
}

impl Unpacking {
    /// The conversion for a value in several limbs; the shape is that of the unpacked cell.
    pub(crate) fn of_limbs(wide: Wide, shape: Arc<Shape>) -> Arc<Self> {
        let part = Part::Wide(wide);
        Arc::new(Self { part, shape })
    }

    /// The conversion for a packed sequence whose elements have this shape.
    pub(crate) fn of_sequence(packing: Packing, element: Arc<Shape>) -> Arc<Self> {
        let (part, shape) = (Part::Word(packing), Arc::new(Shape::Seq(element)));
        Arc::new(Self { part, shape })
    }

    /// The cell of a value.
    pub(crate) fn cell(&self, limbs: &[u64]) -> Cell {
        let cell = self.shape.encode(&self.part.decode(limbs));
        cell.expect("what lies in words is a value, and not too large")
    }

    /// The limbs of a cell; none if a number does not fit its place.
    pub(crate) fn encode(&self, cell: &Cell) -> Option<Vec<u64>> {
        self.part.encode(&self.shape.decode(cell), &mut |_, _| {})
    }

    /// The limbs of a cell; none if a number does not fit its place, which is then recorded.
    pub(crate) fn limbs(&self, cell: &Cell, overflows: &RangeOverflows) -> Option<Vec<u64>> {
        let mut noted = false;
        let limbs = self.part.encode(&self.shape.decode(cell), &mut |place, n| {
            noted = true;
            match n.to_i64() {
                Some(n) => overflows.note(place, n),
                None => overflows.note_beyond(),
            }
        });
        if limbs.is_none() && !noted {
            overflows.note_beyond();
        }
        limbs
    }

    /// Whether limbs are a value.
    pub(crate) fn are_codes(&self, limbs: &[u64]) -> bool {
        self.part.are_codes(limbs)
    }
}
