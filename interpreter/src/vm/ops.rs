//! The built-in operators on cells. They do not know places in the source; the caller adds them.

use std::sync::Arc;

use ioa_lang::Name;
use ioa_lang::core::{Op, Rational};
use num_traits::Signed;

use super::collections;
use crate::code::{Apply, General, TypeInfo};
use crate::interrupt::fault::{FaultKind, LimitKind, UnplacedInterrupt};
use crate::state::cell::{Cell, Number, Parts, Ranks, real};

type Set = Arc<Parts<imbl::OrdSet<Cell>>>;
type Seq = Arc<Parts<imbl::Vector<Cell>>>;

/// The value of an operator, whose arguments are evaluated in order by `value`; an error if this has one.
///
/// # Errors
/// The second result says why an operator has no value for these arguments.
pub(crate) fn applied<E>(
    Apply {
        op, args, about, ..
    }: &Apply,
    mut value: impl FnMut(&General) -> Result<Cell, E>,
) -> Result<Result<Cell, UnplacedInterrupt>, E> {
    if *op == Op::Tuple {
        let fields = args.iter().map(value);
        return Ok(Cell::tuple(fields.collect::<Result<_, _>>()?).map_err(Into::into));
    }
    Ok(match &**args {
        [] => constant(*op),
        [a] => unary(*op, about, value(a)?),
        [a, b] => binary(*op, about, value(a)?, value(b)?),
        [a, b, c] => ternary(*op, about, value(a)?, value(b)?, value(c)?).map_err(Into::into),
        _ => unreachable!("no operator but the tuple has more than three arguments"),
    })
}

/// An operator without arguments.
fn constant(op: Op) -> Result<Cell, UnplacedInterrupt> {
    Ok(match op {
        Op::EmptySet => Cell::counted_set(imbl::OrdSet::new(), 1)?,
        Op::EmptySeq => Cell::counted_seq(imbl::Vector::new(), 1)?,
        Op::EmptyMap => Cell::map(imbl::OrdMap::new(), 1)?,
        Op::EmptyMset => Cell::mset(imbl::OrdMap::new())?,
        Op::Nil => Cell::Null(None),
        _ => unreachable!("{op:?} has arguments"),
    })
}

/// An operator with one argument.
fn unary(op: Op, about: &TypeInfo, a: Cell) -> Result<Cell, UnplacedInterrupt> {
    match (op, a) {
        (Op::Neg, Cell::Int(n)) => Ok(Cell::Int(n.neg()?)),
        (Op::Abs, Cell::Int(n)) => Ok(Cell::Int(n.abs()?)),
        (Op::Size, Cell::Word(mask)) if *about == TypeInfo::Mask => {
            Ok(Cell::Int(Number::Small(i64::from(mask.count_ones()))))
        }
        (Op::Size, Cell::Set(set)) => Ok(Cell::Int(set.items.len().into())),
        (Op::Len, Cell::Seq(seq)) => Ok(Cell::Int(seq.items.len().into())),
        (Op::Head | Op::Tail | Op::Last | Op::Init, Cell::Seq(seq)) => end(op, &seq),
        (Op::MsetSize, Cell::Mset(mset)) => Ok(Cell::Int(collections::size(&mset.items))),
        (Op::ToReal, Cell::Int(n)) => Ok(Cell::real(Rational::from_integer(n.to_big()))?),
        (Op::Neg, Cell::Real(n)) => Ok(Cell::real(-&*n)?),
        (Op::Abs, Cell::Real(n)) => Ok(Cell::real(n.abs())?),
        (Op::Embed, cell) => Ok(Cell::embed(cell)?),
        (Op::Variant(variant), cell) => Ok(Cell::variant(variant, cell)?),
        (Op::Tag, Cell::Union(variant, _)) => Ok(Cell::Word(u64::from(variant))),
        (Op::Payload(variant), Cell::Union(found, inner)) if variant == found => {
            Ok(Arc::unwrap_or_clone(inner))
        }
        (Op::Payload(variant), Cell::Union(found, _)) => match about {
            TypeInfo::Variants(names) => {
                Err(other_variant(names, variant as usize, found as usize).into())
            }
            _ => unreachable!("whoever compiles a payload names the variants"),
        },
        (Op::Val, Cell::Null(Some(inner))) => Ok(Arc::unwrap_or_clone(inner)),
        (Op::Val, Cell::Null(None)) => Err(FaultKind::ValueOfNil.into()),
        (Op::Field(field), Cell::Tuple(tuple)) => Ok(tuple.items[field as usize].clone()),
        (Op::Constant, cell) => everywhere(about, cell),
        (Op::Sum, array) => sum(about, &array),
        (op, cell) => unreachable!("{op:?} of {cell:?}"),
    }
}

/// An operator with two arguments.
fn binary(op: Op, about: &TypeInfo, a: Cell, b: Cell) -> Result<Cell, UnplacedInterrupt> {
    match (op, a, b) {
        (Op::Eq, a, b) => Ok(truth(a == b)),
        (Op::Lt, Cell::Int(a), Cell::Int(b)) => Ok(truth(a < b)),
        (Op::Le, Cell::Int(a), Cell::Int(b)) => Ok(truth(a <= b)),
        (op, Cell::Int(a), Cell::Int(b)) => arithmetic(op, about, &a, &b).map(Cell::Int),
        (op, Cell::Real(a), Cell::Real(b)) => reals(op, &a, &b),
        (Op::Pow, Cell::Real(a), Cell::Int(n)) => Ok(Cell::real(real::pow(&a, &n)?)?),
        (Op::Lt, Cell::Text(a), Cell::Text(b)) => Ok(truth(a < b)),
        (Op::Le, Cell::Text(a), Cell::Text(b)) => Ok(truth(a <= b)),
        (Op::Lookup, Cell::Map(map), key) => collections::lookup(&map, &key),
        (Op::Defined, Cell::Map(map), key) => Ok(truth(map.items.contains_key(&key))),
        (Op::Remove, Cell::Map(map), key) => Ok(collections::remove(map, &key)?),
        (Op::MsetInsert | Op::MsetDelete, e, Cell::Mset(mset)) => {
            Ok(collections::recount(op, &mset.items, e)?)
        }
        (Op::MsetMember, e, Cell::Mset(mset)) => Ok(truth(mset.items.contains_key(&e))),
        (Op::Count, e, Cell::Mset(mset)) => {
            let count = collections::count(&mset.items, &e);
            Ok(Cell::Int(Number::Small(
                i64::try_from(count).unwrap_or(i64::MAX),
            )))
        }
        (op, Cell::Mset(a), Cell::Mset(b)) => collections::multisets(op, &a.items, &b.items),
        (Op::Select, array, index) => Ok(select(about, &array, &index)),
        (Op::Nth, Cell::Seq(seq), Cell::Int(n)) => nth(&seq, &n),
        (Op::SeqMember, e, Cell::Seq(seq)) => Ok(truth(seq.items.contains(&e))),
        (Op::Append, Cell::Seq(seq), e) => Ok(push(&seq, e, imbl::Vector::push_back)?),
        (Op::Prepend, e, Cell::Seq(seq)) => Ok(push(&seq, e, imbl::Vector::push_front)?),
        (Op::Concat, Cell::Seq(a), Cell::Seq(b)) => {
            // Each counts itself as one part.
            let parts = Cell::Seq(a.clone()).parts() + Cell::Seq(b.clone()).parts() - 1;
            let mut items = a.items.clone();
            items.append(b.items.clone());
            Ok(Cell::counted_seq(items, parts)?)
        }
        (Op::SetField(field), Cell::Tuple(tuple), value) => {
            let mut fields = tuple.items.clone();
            fields[field as usize] = value;
            Ok(Cell::tuple(fields)?)
        }
        (Op::Insert, e, Cell::Set(set)) => Ok(insert(set, e)?),
        (Op::Delete, e, Cell::Set(set)) => Ok(delete(set, &e)?),
        (Op::Member, e, Cell::Set(set)) => Ok(truth(set.items.contains(&e))),
        (op, Cell::Set(a), Cell::Set(b)) => sets(op, &a, &b),
        (op, a, b) => unreachable!("{op:?} of {a:?} and {b:?}"),
    }
}

fn truth(b: bool) -> Cell {
    Cell::Word(u64::from(b))
}

fn arithmetic(
    op: Op,
    about: &TypeInfo,
    a: &Number,
    b: &Number,
) -> Result<Number, UnplacedInterrupt> {
    Ok(match op {
        Op::Add => a.add(b)?,
        Op::Sub => {
            let difference = a.sub(b)?;
            if *about == TypeInfo::Nat && difference.is_negative() {
                return Err(FaultKind::NegativeNat.into());
            }
            difference
        }
        Op::Mul => a.mul(b)?,
        Op::Div => a.div(b)?,
        Op::Mod => a.modulo(b)?,
        Op::Pow => a.pow(b)?,
        Op::Min => a.min(b).clone(),
        Op::Max => a.max(b).clone(),
        _ => unreachable!("{op:?} is no operator on numbers"),
    })
}

fn reals(op: Op, a: &Rational, b: &Rational) -> Result<Cell, UnplacedInterrupt> {
    Ok(match op {
        Op::Lt => truth(a < b),
        Op::Le => truth(a <= b),
        Op::Add => Cell::real(a + b)?,
        Op::Sub => Cell::real(a - b)?,
        Op::Mul => Cell::real(a * b)?,
        Op::Divide => Cell::real(real::divide(a, b)?)?,
        Op::Min => Cell::real(a.min(b).clone())?,
        Op::Max => Cell::real(a.max(b).clone())?,
        _ => unreachable!("{op:?} is no operator on fractions"),
    })
}

/// The fault that a value of a union is of another variant than the requested one.
pub(super) fn other_variant(names: &[Name], expected: usize, found: usize) -> FaultKind {
    FaultKind::OtherVariant {
        expected: names[expected].clone(),
        found: names[found].clone(),
    }
}

fn end(op: Op, seq: &Seq) -> Result<Cell, UnplacedInterrupt> {
    let mut items = seq.items.clone();
    let end = match op {
        Op::Head | Op::Tail => items.pop_front(),
        _ => items.pop_back(),
    };
    let end = end.ok_or(FaultKind::EmptySequence)?;
    if matches!(op, Op::Head | Op::Last) {
        return Ok(end);
    }
    let parts = Cell::Seq(seq.clone()).parts() - end.parts();
    Ok(Cell::counted_seq(items, parts)?)
}

fn nth(seq: &Seq, n: &Number) -> Result<Cell, UnplacedInterrupt> {
    let element = n.to_usize().and_then(|n| seq.items.get(n));
    element.cloned().ok_or_else(|| {
        let index = n.to_big().to_string();
        FaultKind::IndexOutOfRange {
            index,
            len: seq.items.len(),
        }
        .into()
    })
}

fn push(
    seq: &Seq,
    element: Cell,
    add: impl FnOnce(&mut imbl::Vector<Cell>, Cell),
) -> Result<Cell, LimitKind> {
    let parts = Cell::Seq(seq.clone()).parts() + element.parts();
    let mut items = seq.items.clone();
    add(&mut items, element);
    Cell::counted_seq(items, parts)
}

fn insert(set: Set, element: Cell) -> Result<Cell, LimitKind> {
    let (before, more) = (Cell::Set(set.clone()).parts(), element.parts());
    let mut items = set.items.clone();
    match items.insert(element) {
        Some(_) => Ok(Cell::Set(set)),
        None => Cell::counted_set(items, before + more),
    }
}

fn delete(set: Set, element: &Cell) -> Result<Cell, LimitKind> {
    let before = Cell::Set(set.clone()).parts();
    let mut items = set.items.clone();
    match items.remove(element) {
        Some(_) => Cell::counted_set(items, before - element.parts()),
        None => Ok(Cell::Set(set)),
    }
}

fn sets(op: Op, a: &Set, b: &Set) -> Result<Cell, UnplacedInterrupt> {
    let (a, b) = (&a.items, &b.items);
    Ok(match op {
        Op::Subset => truth(a.is_subset(b)),
        Op::Union => Cell::set(a.clone().union(b.clone()))?,
        Op::Intersection => Cell::set(a.iter().filter(|e| b.contains(*e)).cloned().collect())?,
        Op::Difference => Cell::set(a.iter().filter(|e| !b.contains(*e)).cloned().collect())?,
        _ => unreachable!("{op:?} is no operator on sets"),
    })
}

fn everywhere(about: &TypeInfo, element: Cell) -> Result<Cell, UnplacedInterrupt> {
    let ranks = match about {
        TypeInfo::Ranks(ranks) => Some(&**ranks),
        _ => None,
    };
    Ok(Cell::everywhere(ranks, element)?)
}

/// The sum of the numbers in an array.
fn sum(about: &TypeInfo, array: &Cell) -> Result<Cell, UnplacedInterrupt> {
    let add = |total: Number, number: &Cell| Ok(total.add(integer(number))?);
    let total = match (about, array) {
        (_, Cell::Dense(array)) => array.items.iter().try_fold(Number::ZERO, add),
        (TypeInfo::Count(count), Cell::Sparse(array)) => {
            let entries = &array.items.entries;
            let elsewhere = Number::Small(count - i64::try_from(entries.len()).unwrap_or(*count));
            let elsewhere = integer(&array.items.default).mul(&elsewhere)?;
            entries.values().try_fold(elsewhere, add)
        }
        (_, cell) => unreachable!("not an array of finitely many numbers: {cell:?}"),
    };
    total.map(Cell::Int)
}

fn integer(cell: &Cell) -> &Number {
    match cell {
        Cell::Int(n) => n,
        cell => unreachable!("not a number: {cell:?}"),
    }
}

fn rank(ranks: &Ranks, index: &Cell) -> usize {
    match index {
        Cell::Word(code) => ranks.rank(*code),
        cell => unreachable!("ranks are of words: {cell:?}"),
    }
}

fn select(about: &TypeInfo, array: &Cell, index: &Cell) -> Cell {
    match (about, array) {
        (TypeInfo::Ranks(ranks), Cell::Dense(array)) => array.items[rank(ranks, index)].clone(),
        (_, Cell::Sparse(array)) => {
            let element = array.items.entries.get(index);
            element.unwrap_or(&array.items.default).clone()
        }
        (_, cell) => unreachable!("not an array: {cell:?}"),
    }
}

/// An operator with three arguments.
fn ternary(op: Op, about: &TypeInfo, whole: Cell, at: Cell, part: Cell) -> Result<Cell, LimitKind> {
    match (op, whole) {
        (Op::Update, Cell::Map(map)) => collections::update(&map, at, part),
        (_, array) => assign(about, array, at, part),
    }
}

/// `assign(array, index, element)`
fn assign(about: &TypeInfo, array: Cell, index: Cell, element: Cell) -> Result<Cell, LimitKind> {
    let parts = array.parts();
    match (about, array) {
        (TypeInfo::Ranks(ranks), Cell::Dense(array)) => {
            let mut items = array.items.clone();
            let more = element.parts();
            let old = items.set(rank(ranks, &index), element);
            Cell::dense(items, parts + more - old.parts())
        }
        (_, Cell::Sparse(array)) => {
            let (default, mut entries) = (array.items.default.clone(), array.items.entries.clone());
            let own = index.parts();
            let mut count = parts;
            if let Some(old) = entries.remove(&index) {
                count -= own + old.parts();
            }
            if element != default {
                count += own + element.parts();
                entries.insert(index, element);
            }
            Cell::sparse(default, entries, count)
        }
        (_, cell) => unreachable!("not an array: {cell:?}"),
    }
}

/// The parts of a sequence of these items, for tests of the arithmetic above.
#[cfg(test)]
fn recount(cell: &Cell) -> u64 {
    match cell {
        Cell::Seq(seq) => crate::state::cell::count(seq.items.iter()).unwrap(),
        Cell::Set(set) => crate::state::cell::count(set.items.iter()).unwrap(),
        _ => unreachable!(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(n: i64) -> Cell {
        Cell::Int(Number::Small(n))
    }

    #[test]
    fn parts_are_counted_right_through_every_operation() {
        let apply =
            |op, a: &Cell, b: &Cell| binary(op, &TypeInfo::Nothing, a.clone(), b.clone()).unwrap();
        let mut seq = constant(Op::EmptySeq).unwrap();
        for n in 0..5 {
            seq = apply(Op::Append, &seq, &int(n));
            seq = apply(Op::Prepend, &int(-n), &seq);
        }
        seq = apply(Op::Concat, &seq, &seq.clone());
        assert_eq!((seq.parts(), recount(&seq)), (21, 21));
        let tail = unary(Op::Tail, &TypeInfo::Nothing, seq).unwrap();
        assert_eq!((tail.parts(), recount(&tail)), (20, 20));

        let mut set = constant(Op::EmptySet).unwrap();
        for n in [1, 2, 2, 3] {
            set = apply(Op::Insert, &int(n), &set);
        }
        set = apply(Op::Delete, &int(7), &apply(Op::Delete, &int(1), &set));
        assert_eq!((set.parts(), recount(&set)), (3, 3));
    }

    #[test]
    fn a_value_that_grows_without_end_is_a_limit() {
        let mut seq = binary(
            Op::Append,
            &TypeInfo::Nothing,
            constant(Op::EmptySeq).unwrap(),
            int(1),
        )
        .unwrap();
        let error = loop {
            match binary(Op::Concat, &TypeInfo::Nothing, seq.clone(), seq) {
                Ok(longer) => seq = longer,
                Err(error) => break error,
            }
        };
        assert_eq!(error, LimitKind::Value.into());
    }

    #[test]
    fn arrays_that_are_equal_everywhere_are_equal() {
        let zero = everywhere(&TypeInfo::Nothing, int(0)).unwrap();
        let one = assign(&TypeInfo::Nothing, zero.clone(), int(5), int(1)).unwrap();
        assert_ne!(one, zero);
        assert_eq!(select(&TypeInfo::Nothing, &one, &int(5)), int(1));
        assert_eq!(
            assign(&TypeInfo::Nothing, one, int(5), int(0)).unwrap(),
            zero
        );
    }
}
