//! Values in the executor's representation: a word for a type that has a packing, a shared structure for any other.

mod blank;
mod number;
mod order;
pub(crate) mod real;
mod shape;
mod unpacking;
mod value;
mod words;

use std::sync::Arc;

use ioa_lang::Name;
use ioa_lang::core::Rational;

pub use number::Number;
pub(crate) use order::Order;
pub(crate) use order::{Key, key};
pub use shape::{Ranks, Shape};
pub use unpacking::Unpacking;

use crate::interrupt::fault::LimitKind;
use crate::interrupt::limits::MAX_PARTS;

/// A value. Its type decides which variant it is (see [`Shape`]), so equal values are structurally equal.
///
/// Cloning never copies a collection, and changing one copies only the path to the change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A value of a type with a packing, by its code.
    Word(u64),
    /// A number.
    Int(Number),
    /// A set of a type without a packing.
    Set(Arc<Parts<imbl::OrdSet<Cell>>>),
    /// A sequence.
    Seq(Arc<Parts<imbl::Vector<Cell>>>),
    /// A tuple with a field without a packing.
    Tuple(Arc<Parts<Box<[Cell]>>>),
    /// `nil` or `embed(e)`, where `e` is of a type without a packing.
    Null(Option<Arc<Cell>>),
    /// An array over an index type of few values: the elements by the rank of their index.
    Dense(Arc<Parts<imbl::Vector<Cell>>>),
    /// An array over any other index type.
    Sparse(Arc<Parts<Sparse>>),
    /// A fraction.
    Real(Arc<Rational>),
    /// A string.
    Text(Name),
    /// A value of a union in which some variant has no packing: the variant's position, and the payload.
    Union(u32, Arc<Cell>),
    /// A map of a type without a packing.
    Map(Arc<Parts<imbl::OrdMap<Cell, Cell>>>),
    /// A multiset: the number of copies of each element, which is never 0.
    Mset(Arc<Parts<imbl::OrdMap<Cell, u64>>>),
}

/// An array that has the value `default` at all but finitely many indices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sparse {
    /// The default element.
    pub(crate) default: Cell,
    /// The elements that differ from it.
    pub(crate) entries: imbl::OrdMap<Cell, Cell>,
}

/// A collection with the number of all parts below it, by which its size is bounded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Parts<T> {
    pub(crate) items: T,
    count: u64,
}

impl<T> Parts<T> {
    /// A collection of `count` parts.
    pub(crate) fn new(items: T, count: u64) -> Result<Arc<Self>, LimitKind> {
        if count > MAX_PARTS {
            return Err(LimitKind::Value);
        }
        Ok(Arc::new(Self { items, count }))
    }
}

/// Number of bytes that one part of a cell takes at most, including its share of the nodes of trees and of a table: 27 were
/// measured in sequences of pairs, 37 in maps and sequences, and 84 in short sequences of numbers of two words.
pub(crate) const BYTES_A_PART: u64 = 88;

impl Cell {
    /// Approximate number of bytes that it takes besides those of the cell itself, if it shares nothing with others.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Word(_) | Self::Int(Number::Small(_)) | Self::Null(None) => 0,
            cell => cell.parts() * BYTES_A_PART,
        }
    }

    /// The number of parts it is made of.
    pub(crate) fn parts(&self) -> u64 {
        match self {
            Self::Word(_) | Self::Null(None) => 1,
            Self::Int(n) => n.parts(),
            Self::Set(set) => set.count,
            Self::Seq(seq) | Self::Dense(seq) => seq.count,
            Self::Tuple(fields) => fields.count,
            Self::Null(Some(inner)) | Self::Union(_, inner) => 1 + inner.parts(),
            Self::Sparse(array) => array.count,
            Self::Real(n) => real::parts(n),
            Self::Text(text) => 1 + text.len() as u64 / 8,
            Self::Map(map) => map.count,
            Self::Mset(mset) => mset.count,
        }
    }

    /// A fraction, within the bound.
    pub(crate) fn real(n: Rational) -> Result<Self, LimitKind> {
        real::bounded(n).map(Self::Real)
    }

    /// A string, within the bound.
    pub(crate) fn text(text: Name) -> Result<Self, LimitKind> {
        bounded(Self::Text(text))
    }

    /// `embed(inner)`
    pub(crate) fn embed(inner: Cell) -> Result<Self, LimitKind> {
        bounded(Self::Null(Some(Arc::new(inner))))
    }

    /// A union's value.
    pub(crate) fn variant(variant: u32, inner: Cell) -> Result<Self, LimitKind> {
        bounded(Self::Union(variant, Arc::new(inner)))
    }

    /// A map whose number of parts is known.
    pub(crate) fn map(entries: imbl::OrdMap<Cell, Cell>, count: u64) -> Result<Self, LimitKind> {
        Ok(Self::Map(Parts::new(entries, count)?))
    }

    /// A multiset. Each copy of an element counts as a part, so that the size of a full listing is bounded too.
    pub(crate) fn mset(counts: imbl::OrdMap<Cell, u64>) -> Result<Self, LimitKind> {
        let copies = counts.iter().map(|(e, n)| e.parts().saturating_mul(*n));
        let count = copies.fold(1, u64::saturating_add);
        Ok(Self::Mset(Parts::new(counts, count)?))
    }

    /// A set.
    pub(crate) fn set(items: imbl::OrdSet<Cell>) -> Result<Self, LimitKind> {
        let count = count(items.iter())?;
        Ok(Self::Set(Parts::new(items, count)?))
    }

    /// A set whose number of parts is known.
    pub(crate) fn counted_set(items: imbl::OrdSet<Cell>, count: u64) -> Result<Self, LimitKind> {
        Ok(Self::Set(Parts::new(items, count)?))
    }

    /// A sequence.
    pub(crate) fn seq(items: imbl::Vector<Cell>) -> Result<Self, LimitKind> {
        let count = count(items.iter())?;
        Ok(Self::Seq(Parts::new(items, count)?))
    }

    /// A sequence whose number of parts is known.
    pub(crate) fn counted_seq(items: imbl::Vector<Cell>, count: u64) -> Result<Self, LimitKind> {
        Ok(Self::Seq(Parts::new(items, count)?))
    }

    /// A tuple.
    pub(crate) fn tuple(fields: Box<[Cell]>) -> Result<Self, LimitKind> {
        let count = count(fields.iter())?;
        Ok(Self::Tuple(Parts::new(fields, count)?))
    }

    /// An array by the ranks of its indices.
    pub(crate) fn dense(items: imbl::Vector<Cell>, count: u64) -> Result<Self, LimitKind> {
        Ok(Self::Dense(Parts::new(items, count)?))
    }

    /// An array by its exceptions.
    pub(crate) fn sparse(
        default: Cell,
        entries: imbl::OrdMap<Cell, Cell>,
        count: u64,
    ) -> Result<Self, LimitKind> {
        let array = Sparse { default, entries };
        Ok(Self::Sparse(Parts::new(array, count)?))
    }
}

/// The value, if it is not too large.
fn bounded(cell: Cell) -> Result<Cell, LimitKind> {
    if cell.parts() > MAX_PARTS {
        return Err(LimitKind::Value);
    }
    Ok(cell)
}

/// The parts of a collection with these items.
pub(crate) fn count<'a>(items: impl Iterator<Item = &'a Cell>) -> Result<u64, LimitKind> {
    let mut total = 1_u64;
    for item in items {
        total += item.parts();
        if total > MAX_PARTS {
            return Err(LimitKind::Value);
        }
    }
    Ok(total)
}
