//! Validates cells from outside: whether a cell is a value of a type, with the right shape at all levels, correct counts,
//! and the canonical representation.

use super::{Cell, Parts, Shape};

impl Shape {
    /// Whether a cell is a value of this shape.
    pub(crate) fn has(&self, cell: &Cell) -> bool {
        match (self, cell) {
            (Self::Packed(packing), Cell::Word(code)) => packing.is_code(*code),
            (Self::Number { nat }, Cell::Word(n)) => !nat || n.cast_signed() >= 0,
            (Self::Nat, Cell::Int(n)) => !n.is_negative(),
            (Self::Int, Cell::Int(_))
            | (Self::Real, Cell::Real(_))
            | (Self::Text, Cell::Text(_))
            | (Self::Null(_), Cell::Null(None)) => true,
            (Self::Null(element), Cell::Null(Some(inner))) => element.has(inner),
            (Self::Set(element), Cell::Set(set)) => {
                counts(set, set.items.iter()) && set.items.iter().all(|e| element.has(e))
            }
            (Self::Seq(element), Cell::Seq(seq)) => {
                counts(seq, seq.items.iter()) && seq.items.iter().all(|e| element.has(e))
            }
            (Self::Tuple(_, shapes), Cell::Tuple(tuple)) => {
                let mut fields = shapes.iter().zip(&tuple.items);
                shapes.len() == tuple.items.len()
                    && counts(tuple, tuple.items.iter())
                    && fields.all(|(shape, field)| shape.has(field))
            }
            (Self::Array { .. }, cell) => self.has_array(cell),
            (Self::Union(_, variants), Cell::Union(variant, inner)) => {
                let shape = variants.get(*variant as usize);
                shape.is_some_and(|shape| shape.has(inner))
            }
            (Self::Map(domain, range), Cell::Map(map)) => {
                let mut entries = map.items.iter();
                counts(map, map.items.iter().flat_map(|(d, r)| [d, r]))
                    && entries.all(|(d, r)| domain.has(d) && range.has(r))
            }
            (Self::Mset(element), Cell::Mset(mset)) => {
                let mut counts = mset.items.iter();
                counts.all(|(e, copies)| *copies > 0 && element.has(e))
            }
            _ => false,
        }
    }

    fn has_array(&self, cell: &Cell) -> bool {
        let Self::Array {
            index,
            element,
            ranks,
        } = self
        else {
            return false;
        };
        match (ranks, cell) {
            (Some(ranks), Cell::Dense(array)) => {
                array.items.len() == ranks.len()
                    && counts(array, array.items.iter())
                    && array.items.iter().all(|e| element.has(e))
            }
            (None, Cell::Sparse(array)) => {
                let (default, entries) = (&array.items.default, &array.items.entries);
                let parts = entries.iter().flat_map(|(i, e)| [i, e]);
                let is_exception = |e: &Cell| e != default && element.has(e);
                counts(array, parts.chain([default]))
                    && element.has(default)
                    && entries.iter().all(|(i, e)| index.has(i) && is_exception(e))
            }
            _ => false,
        }
    }
}

/// Whether the recorded number of parts of a collection is correct.
fn counts<'c, T>(collection: &Parts<T>, parts: impl Iterator<Item = &'c Cell>) -> bool {
    super::count(parts) == Ok(collection.count)
}
