//! The operators on maps and multisets without a packing.

use std::sync::Arc;

use ioa_lang::core::Op;

use crate::interrupt::fault::{FaultKind, LimitKind, UnplacedInterrupt};
use crate::state::cell::{Cell, Number, Parts};

type Map = Arc<Parts<imbl::OrdMap<Cell, Cell>>>;
type Counts = imbl::OrdMap<Cell, u64>;

/// `m[d]`
pub(super) fn lookup(map: &Map, key: &Cell) -> Result<Cell, UnplacedInterrupt> {
    let entry = map.items.get(key).cloned();
    entry.ok_or_else(|| FaultKind::UndefinedEntry.into())
}

/// `update(m, d, r)`
pub(super) fn update(map: &Map, key: Cell, value: Cell) -> Result<Cell, LimitKind> {
    let (own, more) = (key.parts(), value.parts());
    let mut count = Cell::Map(map.clone()).parts() + more;
    let mut items = map.items.clone();
    match items.insert(key, value) {
        Some(old) => count -= old.parts(),
        None => count += own,
    }
    Cell::map(items, count)
}

/// `remove(m, d)`
pub(super) fn remove(map: Map, key: &Cell) -> Result<Cell, LimitKind> {
    let before = Cell::Map(map.clone()).parts();
    let mut items = map.items.clone();
    match items.remove(key) {
        Some(old) => Cell::map(items, before - key.parts() - old.parts()),
        None => Ok(Cell::Map(map)),
    }
}

/// The number of copies of an element in a multiset.
pub(super) fn count(counts: &Counts, element: &Cell) -> u64 {
    counts.get(element).copied().unwrap_or(0)
}

/// `size(m)`
pub(super) fn size(counts: &Counts) -> Number {
    let size = counts.values().fold(0_u64, |sum, n| sum.saturating_add(*n));
    // The number of elements of a multiset is bounded by the maximum number of parts of a value.
    Number::Small(i64::try_from(size).unwrap_or(i64::MAX))
}

/// `insert(e, m)` and `delete(e, m)`
pub(super) fn recount(op: Op, counts: &Counts, element: Cell) -> Result<Cell, LimitKind> {
    let before = count(counts, &element);
    let after = match op {
        Op::MsetInsert => before.saturating_add(1),
        _ => before.saturating_sub(1),
    };
    let mut counts = counts.clone();
    set(&mut counts, element, after);
    Cell::mset(counts)
}

fn set(counts: &mut Counts, element: Cell, count: u64) {
    if count == 0 {
        counts.remove(&element);
    } else {
        counts.insert(element, count);
    }
}

/// An operator on two multisets.
pub(super) fn multisets(op: Op, a: &Counts, b: &Counts) -> Result<Cell, UnplacedInterrupt> {
    let combine = |with: fn(u64, u64) -> u64, keys: &mut dyn Iterator<Item = &Cell>| {
        let mut counts = a.clone();
        for element in keys {
            let combined = with(count(a, element), count(b, element));
            set(&mut counts, element.clone(), combined);
        }
        Cell::mset(counts)
    };
    Ok(match op {
        Op::MsetSubset => {
            let within = a.iter().all(|(element, n)| *n <= count(b, element));
            Cell::Word(u64::from(within))
        }
        Op::MsetUnion => combine(u64::saturating_add, &mut b.keys())?,
        Op::MsetIntersection => combine(u64::min, &mut a.keys())?,
        Op::MsetDifference => combine(u64::saturating_sub, &mut b.keys())?,
        _ => unreachable!("{op:?} is no operator on multisets"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mset(elements: &[u64]) -> Counts {
        let mut counts = Counts::new();
        for e in elements {
            *counts.entry(Cell::Word(*e)).or_insert(0) += 1;
        }
        counts
    }

    fn of(cell: Result<Cell, UnplacedInterrupt>) -> (Counts, u64) {
        let cell = cell.unwrap();
        let parts = cell.parts();
        match cell {
            Cell::Mset(mset) => (mset.items.clone(), parts),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn multisets_count() {
        let (a, b) = (mset(&[1, 1, 2]), mset(&[1, 3]));
        assert_eq!(
            of(multisets(Op::MsetUnion, &a, &b)),
            (mset(&[1, 1, 1, 2, 3]), 6)
        );
        assert_eq!(of(multisets(Op::MsetIntersection, &a, &b)), (mset(&[1]), 2));
        assert_eq!(
            of(multisets(Op::MsetDifference, &a, &b)),
            (mset(&[1, 2]), 3)
        );
        assert_eq!(of(multisets(Op::MsetDifference, &b, &a)), (mset(&[3]), 2));
        assert_eq!(multisets(Op::MsetSubset, &b, &a), Ok(Cell::Word(0)));
        assert_eq!(
            multisets(Op::MsetSubset, &mset(&[1, 2]), &a),
            Ok(Cell::Word(1))
        );
    }

    #[test]
    fn a_multiset_that_grows_without_end_is_a_limit() {
        let mut counts = mset(&[1]);
        let error = loop {
            match multisets(Op::MsetUnion, &counts, &counts) {
                Ok(Cell::Mset(more)) => counts = more.items.clone(),
                other => break other,
            }
        };
        assert_eq!(error, Err(LimitKind::Value.into()));
    }

    #[test]
    fn the_parts_of_a_map_are_counted_through_every_operator() {
        let Ok(Cell::Map(empty)) = Cell::map(imbl::OrdMap::new(), 1) else {
            panic!("a map");
        };
        let put = |map: &Map, key, value| match update(map, Cell::Word(key), Cell::Word(value)) {
            Ok(Cell::Map(map)) => map,
            other => panic!("{other:?}"),
        };
        let map = put(&put(&put(&empty, 1, 7), 2, 7), 1, 8);
        assert_eq!(Cell::Map(map.clone()).parts(), 5);
        let map = remove(map, &Cell::Word(1)).unwrap();
        assert_eq!(map.parts(), 3);
        let Cell::Map(map) = map else { panic!("a map") };
        assert_eq!(
            lookup(&map, &Cell::Word(1)),
            Err(FaultKind::UndefinedEntry.into())
        );
        assert_eq!(remove(map, &Cell::Word(2)).unwrap(), Cell::Map(empty));
    }
}
