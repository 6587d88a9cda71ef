//! The results of the built-in operators on values.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::Value;
use ioa_lang::core::{Op, Rational, Type};
use num_bigint::{BigInt, Sign};

/// The result of a partial operator.
pub(super) enum Partial {
    Value(Value),
    Undefined,
}

impl From<Option<Value>> for Partial {
    fn from(value: Option<Value>) -> Self {
        value.map_or(Self::Undefined, Self::Value)
    }
}

impl From<Value> for Partial {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// The value of an operator that evaluates all its arguments, where the result is of type `ty`.
pub(super) fn operator(op: Op, args: &[Value], ty: &Type) -> Partial {
    let value = logic(op, args)
        .or_else(|| numbers(op, args, ty))
        .or_else(|| sets(op, args))
        .or_else(|| arrays_and_maps(op, args))
        .or_else(|| multisets(op, args))
        .or_else(|| sequences(op, args))
        .or_else(|| parts(op, args, ty));
    value.unwrap_or_else(|| panic!("{op:?} is not for {args:?}"))
}

fn logic(op: Op, args: &[Value]) -> Option<Partial> {
    use Value::{Bool, Char, Int, Real, Text};
    Some(
        Bool(match (op, args) {
            (Op::Not, [Bool(a)]) => !a,
            (Op::Iff | Op::Eq, [a, b]) => a == b,
            (Op::Lt, [Int(a), Int(b)]) => a < b,
            (Op::Le, [Int(a), Int(b)]) => a <= b,
            (Op::Lt, [Real(a), Real(b)]) => a < b,
            (Op::Le, [Real(a), Real(b)]) => a <= b,
            (Op::Lt, [Char(a), Char(b)]) => a < b,
            (Op::Le, [Char(a), Char(b)]) => a <= b,
            (Op::Lt, [Text(a), Text(b)]) => a.chars().lt(b.chars()),
            (Op::Le, [Text(a), Text(b)]) => a.chars().le(b.chars()),
            _ => return None,
        })
        .into(),
    )
}

fn numbers(op: Op, args: &[Value], ty: &Type) -> Option<Partial> {
    use Value::{Int, Real};
    let zero = BigInt::ZERO;
    Some(match (op, args) {
        (Op::Add, [Int(a), Int(b)]) => Int(a + b).into(),
        (Op::Sub, [Int(a), Int(b)]) => {
            let difference = a - b;
            let is_defined = *ty != Type::Nat || difference.sign() != Sign::Minus;
            is_defined.then_some(Int(difference)).into()
        }
        (Op::Mul, [Int(a), Int(b)]) => Int(a * b).into(),
        (Op::Neg, [Int(a)]) => Int(-a).into(),
        (Op::Div, [Int(a), Int(b)]) => remainder(a, b).map(|r| Int((a - r) / b)).into(),
        (Op::Mod, [Int(a), Int(b)]) => remainder(a, b).map(Int).into(),
        (Op::Abs, [Int(a)]) => Int(a.max(&-a).clone()).into(),
        (Op::Min, [a, b]) => a.min(b).clone().into(),
        (Op::Max, [a, b]) => a.max(b).clone().into(),
        (Op::ToReal, [Int(a)]) => Real(a.clone().into()).into(),
        (Op::Pow, [a, Int(n)]) => power(a, n, ty).into(),
        (Op::Add, [Real(a), Real(b)]) => Real(a + b).into(),
        (Op::Sub, [Real(a), Real(b)]) => Real(a - b).into(),
        (Op::Mul, [Real(a), Real(b)]) => Real(a * b).into(),
        (Op::Neg, [Real(a)]) => Real(-a).into(),
        (Op::Divide, [Real(a), Real(b)]) => (*b.numer() != zero).then(|| Real(a / b)).into(),
        (Op::Abs, [Real(a)]) => Real(a.max(&-a).clone()).into(),
        _ => return None,
    })
}

/// The remainder from 0 on, below the size of the divisor.
fn remainder(a: &BigInt, b: &BigInt) -> Option<BigInt> {
    if *b == BigInt::ZERO {
        return None;
    }
    let size = b.max(&-b).clone();
    Some(((a % &size) + &size) % &size)
}

fn power(base: &Value, exponent: &BigInt, ty: &Type) -> Option<Value> {
    let times = u32::try_from(exponent).ok()?;
    let one = match base {
        Value::Int(_) => Value::int(1),
        _ => Value::Real(Rational::from(BigInt::from(1))),
    };
    (0..times).try_fold(one, |product, _| {
        match numbers(Op::Mul, &[product, base.clone()], ty)? {
            Partial::Value(value) => Some(value),
            Partial::Undefined => None,
        }
    })
}

fn sets(op: Op, args: &[Value]) -> Option<Partial> {
    use Value::{Bool, Set};
    Some(
        match (op, args) {
            (Op::EmptySet, []) => Set(BTreeSet::new()),
            (Op::Insert, [e, Set(s)]) => Set(s.iter().chain([e]).cloned().collect()),
            (Op::Delete, [e, Set(s)]) => Set(s.iter().filter(|x| *x != e).cloned().collect()),
            (Op::Member, [e, Set(s)]) => Bool(s.contains(e)),
            (Op::Subset, [Set(s), Set(t)]) => Bool(s.is_subset(t)),
            (Op::Union, [Set(s), Set(t)]) => Set(s | t),
            (Op::Intersection, [Set(s), Set(t)]) => Set(s & t),
            (Op::Difference, [Set(s), Set(t)]) => Set(s - t),
            (Op::Size, [Set(s)]) => Value::int(s.len()),
            _ => return None,
        }
        .into(),
    )
}

fn arrays_and_maps(op: Op, args: &[Value]) -> Option<Partial> {
    use Value::{Array, Bool, Map};
    Some(match (op, args) {
        (Op::Select, [Array { entries, .. }, i]) => entries.get(i).cloned().into(),
        (Op::Sum, [Array { entries, .. }]) => {
            Value::Int(entries.values().map(integer).sum()).into()
        }
        (Op::Assign, [Array { entries, .. }, i, e]) => {
            let mut entries = entries.clone();
            entries.insert(i.clone(), e.clone());
            let array = Array {
                entries,
                default: None,
            };
            array.into()
        }
        (Op::EmptyMap, []) => Map(BTreeMap::new()).into(),
        (Op::Lookup, [Map(m), d]) => m.get(d).cloned().into(),
        (Op::Defined, [Map(m), d]) => Bool(m.contains_key(d)).into(),
        (Op::Update, [Map(m), d, r]) => {
            let entry = (d.clone(), r.clone());
            Map(m.clone().into_iter().chain([entry]).collect()).into()
        }
        (Op::Remove, [Map(m), d]) => {
            let others = m.clone().into_iter().filter(|(key, _)| key != d);
            Map(others.collect()).into()
        }
        _ => return None,
    })
}

fn integer(value: &Value) -> &BigInt {
    match value {
        Value::Int(n) => n,
        _ => panic!("{value:?} is no integer"),
    }
}

fn multisets(op: Op, args: &[Value]) -> Option<Partial> {
    use Value::{Bool, Mset};
    let one = |e: &Value| BTreeMap::from([(e.clone(), 1)]);
    let less = u64::saturating_sub;
    Some(
        match (op, args) {
            (Op::EmptyMset, []) => Mset(BTreeMap::new()),
            (Op::MsetInsert, [e, Mset(m)]) => by_counts(m, &one(e), |a, b| a + b),
            (Op::MsetDelete, [e, Mset(m)]) => by_counts(m, &one(e), less),
            (Op::MsetMember, [e, Mset(m)]) => Bool(m.contains_key(e)),
            (Op::MsetSubset, [Mset(m), Mset(n)]) => {
                Bool(by_counts(m, n, less) == Mset(BTreeMap::new()))
            }
            (Op::MsetUnion, [Mset(m), Mset(n)]) => by_counts(m, n, |a, b| a + b),
            (Op::MsetIntersection, [Mset(m), Mset(n)]) => by_counts(m, n, u64::min),
            (Op::MsetDifference, [Mset(m), Mset(n)]) => by_counts(m, n, less),
            (Op::MsetSize, [Mset(m)]) => Value::int(m.values().sum::<u64>()),
            (Op::Count, [e, Mset(m)]) => Value::int(m.get(e).copied().unwrap_or(0)),
            _ => return None,
        }
        .into(),
    )
}

/// The multiset in which the count of each element is a function of its counts in two others.
fn by_counts(
    m: &BTreeMap<Value, u64>,
    n: &BTreeMap<Value, u64>,
    count: impl Fn(u64, u64) -> u64,
) -> Value {
    let elements: BTreeSet<&Value> = m.keys().chain(n.keys()).collect();
    let counts = elements.into_iter().map(|e| {
        let (a, b) = (m.get(e).copied(), n.get(e).copied());
        (e.clone(), count(a.unwrap_or(0), b.unwrap_or(0)))
    });
    Value::Mset(counts.filter(|(_, count)| *count > 0).collect())
}

fn sequences(op: Op, args: &[Value]) -> Option<Partial> {
    use Value::{Bool, Int, Seq};
    Some(match (op, args) {
        (Op::EmptySeq, []) => Seq(Vec::new()).into(),
        (Op::Append, [Seq(s), e]) => Seq(s.iter().chain([e]).cloned().collect()).into(),
        (Op::Prepend, [e, Seq(s)]) => Seq([e].into_iter().chain(s).cloned().collect()).into(),
        (Op::Concat, [Seq(s), Seq(t)]) => Seq(s.iter().chain(t).cloned().collect()).into(),
        (Op::Head, [Seq(s)]) => s.first().cloned().into(),
        (Op::Last, [Seq(s)]) => s.last().cloned().into(),
        (Op::Tail, [Seq(s)]) => s.split_first().map(|(_, rest)| Seq(rest.to_vec())).into(),
        (Op::Init, [Seq(s)]) => s.split_last().map(|(_, rest)| Seq(rest.to_vec())).into(),
        (Op::Len, [Seq(s)]) => Value::int(s.len()).into(),
        (Op::Nth, [Seq(s), Int(n)]) => {
            let position = usize::try_from(n).ok();
            position.and_then(|n| s.get(n)).cloned().into()
        }
        (Op::SeqMember, [e, Seq(s)]) => Bool(s.contains(e)).into(),
        _ => return None,
    })
}

fn parts(op: Op, args: &[Value], ty: &Type) -> Option<Partial> {
    use Value::{Enumerator, Null, Tuple, Union};
    Some(match (op, args, ty) {
        (Op::Nil, [], _) => Null(None).into(),
        (Op::Embed, [e], _) => Null(Some(Box::new(e.clone()))).into(),
        (Op::Val, [Null(inner)], _) => inner.as_deref().cloned().into(),
        (Op::Tuple, fields, Type::Tuple(id)) => Tuple(*id, fields.to_vec()).into(),
        (Op::Field(f), [Tuple(_, fields)], _) => fields[f as usize].clone().into(),
        (Op::SetField(f), [Tuple(id, fields), e], _) => {
            let mut fields = fields.clone();
            fields[f as usize] = e.clone();
            Tuple(*id, fields).into()
        }
        (Op::Variant(n), [e], Type::Union(id)) => Union(*id, n, Box::new(e.clone())).into(),
        (Op::Payload(n), [Union(_, found, e)], _) => (n == *found).then(|| (**e).clone()).into(),
        (Op::Tag, [Union(_, n, _)], Type::Enum(id)) => Enumerator(*id, *n).into(),
        _ => return None,
    })
}
