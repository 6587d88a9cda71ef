//! The order in which values are counted when one of them is drawn: it does not depend on how they lie in memory.
//!
//! A draw is a number, and stands for the value with that position among those that are possible. The steps of a run would depend on
//! whether its states are packed, and in which ranges, if the values were counted by their codes. So they are counted in the order that
//! they have where integers have no ranges.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use finite::Universe;
use ioa_lang::core::{Model, Type};
use rustc_hash::FxHashMap;

use super::{Cell, Shape};

/// For types with so many codes at most, the position of each is computed once.
const FEW: u64 = 1 << 12;

/// Of other codes, so many are remembered with what their values are compared by: few of them occur.
const REMEMBERED: usize = 1 << 16;

/// The order of the values of a type, which is not that of their codes.
#[derive(Debug)]
pub(crate) struct Order {
    /// How values are represented here,
    here: Arc<Shape>,
    /// and where integers have no ranges.
    plain: Arc<Shape>,
    /// The positions of codes, if there are few.
    ranks: OnceLock<Vec<u32>>,
    /// What the values of some codes are compared by, if there are many.
    known: RwLock<FxHashMap<u64, Cell>>,
}

/// What a value is compared by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// Its position among all values of the type.
    Rank(u32),
    /// A number.
    Number(i64),
    /// Its representation where integers have no ranges.
    Plain(Cell),
}

impl PartialEq for Order {
    fn eq(&self, other: &Self) -> bool {
        (&self.here, &self.plain) == (&other.here, &other.plain)
    }
}

impl Order {
    /// The order of the values of a type that are represented so; none if it is that of their codes anyway, whatever the ranges are.
    pub(crate) fn of(
        model: &Model,
        universe: &Universe,
        ty: &Type,
        here: &Arc<Shape>,
    ) -> Option<Arc<Self>> {
        if ty.is_integer() || !depends_on_ranges(model, ty) {
            return None;
        }
        let plain = match universe.ranges() {
            Some(_) => Shape::of(model, &universe.clone().with_ranges(None), ty),
            None => Arc::clone(here),
        };
        Some(Arc::new(Self {
            here: Arc::clone(here),
            plain,
            ranks: OnceLock::new(),
            known: RwLock::default(),
        }))
    }

    /// What a value is compared by.
    fn key(&self, cell: &Cell) -> Key {
        let (Cell::Word(code), Some(packing)) = (cell, self.here.packing()) else {
            return Key::Plain(self.plain(cell));
        };
        if packing.max > FEW {
            return Key::Plain(self.plain_of_code(*code));
        }
        let ranks = self.ranks.get_or_init(|| self.ranks());
        // A number that does not fit its range is noted, and all is done again.
        let rank = usize::try_from(*code).ok().and_then(|code| ranks.get(code));
        Key::Rank(rank.copied().unwrap_or(u32::MAX))
    }

    /// The value of one of many codes, as it is represented where integers have no ranges.
    fn plain_of_code(&self, code: u64) -> Cell {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(plain) = known.get(&code) {
            return plain.clone();
        }
        drop(known);
        let plain = self.plain(&Cell::Word(code));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < REMEMBERED {
            known.insert(code, plain.clone());
        }
        plain
    }

    /// A value as it is represented where integers have no ranges.
    fn plain(&self, cell: &Cell) -> Cell {
        if self.here == self.plain {
            return cell.clone();
        }
        let plain = self.plain.encode(&self.here.decode(cell));
        plain.unwrap_or_else(|| cell.clone())
    }

    fn ranks(&self) -> Vec<u32> {
        let Some(packing) = self.here.packing() else {
            return Vec::new();
        };
        let mut codes: Vec<u64> = packing.values().collect();
        codes.sort_by_cached_key(|code| self.plain(&Cell::Word(*code)));
        let mut ranks = vec![0; packing.max as usize + 1];
        for (rank, code) in (0..).zip(codes) {
            ranks[code as usize] = rank;
        }
        ranks
    }
}

/// What a value of a variable is compared by, whose values have this order if there is one.
pub(crate) fn key(shape: &Shape, order: Option<&Order>, cell: &Cell) -> Key {
    match (order, cell) {
        (Some(order), _) => order.key(cell),
        (None, Cell::Word(word)) if matches!(shape, Shape::Number { .. }) => {
            Key::Number(word.cast_signed())
        }
        (None, cell) => Key::Plain(cell.clone()),
    }
}

/// Whether the codes of a type depend on the ranges of integers, lengths or counts.
fn depends_on_ranges(model: &Model, ty: &Type) -> bool {
    match ty {
        Type::Nat | Type::Int | Type::Seq(_) | Type::Mset(_) => true,
        other => {
            let mut parts = model.parts_of(other).into_iter();
            parts.any(|part| depends_on_ranges(model, part))
        }
    }
}
