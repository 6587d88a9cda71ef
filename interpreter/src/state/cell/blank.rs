//! Default values: a value of each shape, with which programs begin before they assign variables or parts of them.

use ioa_lang::core::Rational;
use num_traits::Zero;

use super::{Cell, Number, Ranks, Shape};
use crate::interrupt::fault::LimitKind;
use crate::interrupt::limits::MAX_PARTS;

impl Shape {
    /// A value of this shape with the minimum number of parts. So if it has too many parts, every value of the shape has.
    ///
    /// # Errors
    /// Every value has too many parts.
    pub(crate) fn blank(&self) -> Result<Cell, LimitKind> {
        match self {
            // The code 0 is a value of every packed type.
            Self::Packed(_) | Self::Number { .. } => Ok(Cell::Word(0)),
            Self::Nat | Self::Int => Ok(Cell::Int(Number::ZERO)),
            Self::Set(_) => Cell::set(imbl::OrdSet::new()),
            Self::Seq(_) => Cell::seq(imbl::Vector::new()),
            Self::Null(_) => Ok(Cell::Null(None)),
            Self::Tuple(_, fields) => {
                let fields = fields.iter().map(|field| field.blank());
                Cell::tuple(fields.collect::<Result<_, _>>()?)
            }
            Self::Array { element, ranks, .. } => {
                Cell::everywhere(ranks.as_deref(), element.blank()?)
            }
            Self::Real => Cell::real(Rational::zero()),
            Self::Text => Cell::text("".into()),
            Self::Union(_, variants) => {
                let blanks = (0..).zip(variants);
                let blanks = blanks.filter_map(|(n, shape)| Some((n, shape.blank().ok()?)));
                let smallest = blanks.min_by_key(|(_, blank)| blank.parts());
                let (variant, blank) = smallest.ok_or(LimitKind::Value)?;
                Cell::variant(variant, blank)
            }
            Self::Map(..) => Cell::map(imbl::OrdMap::new(), 1),
            Self::Mset(_) => Cell::mset(imbl::OrdMap::new()),
        }
    }
}

impl Cell {
    /// The array with the same element everywhere, whose indices have these ranks, if they have any.
    pub(crate) fn everywhere(ranks: Option<&Ranks>, element: Cell) -> Result<Self, LimitKind> {
        let Some(ranks) = ranks else {
            let count = 1 + element.parts();
            return Self::sparse(element, imbl::OrdMap::new(), count);
        };
        // The size is checked before the array is allocated.
        let count = 1 + element.parts().saturating_mul(ranks.len() as u64);
        if count > MAX_PARTS {
            return Err(LimitKind::Value);
        }
        let items = std::iter::repeat_n(element, ranks.len());
        Self::dense(items.collect(), count)
    }
}
