//! The plain reading of formulas, for comparison: values as data, quantifiers as loops over all values.

use std::collections::{BTreeMap, BTreeSet};

use interpreter::Instance;
use ioa_lang::Value;
use ioa_lang::core::{
    Expr, ExprKind, FunctionId, LocalId, Meaning, Op, Quantifier, Rational, Type,
};
use num_bigint::BigInt;

/// The plain reading. `None` is "undefined": some term has no value, even if a quantifier would not need it.
pub(crate) struct Plain<'i> {
    pub(crate) instance: &'i Instance,
    pub(crate) state: &'i [Value],
    pub(crate) bound: BTreeMap<LocalId, Value>,
}

impl Plain<'_> {
    pub(crate) fn truth(&self, expr: &Expr) -> Option<bool> {
        match self.value(expr)? {
            Value::Bool(b) => Some(b),
            other => panic!("not a truth value: {other:?}"),
        }
    }

    fn value(&self, expr: &Expr) -> Option<Value> {
        Some(match &expr.kind {
            ExprKind::Bool(b) => Value::Bool(*b),
            ExprKind::Int(n) => Value::Int(n.clone()),
            ExprKind::Enumerator(n) => match expr.ty {
                Type::Enum(id) => Value::Enumerator(id, *n),
                _ => panic!("an enumerator is of an enumeration"),
            },
            ExprKind::State(state) => self.state[state.var.index()].clone(),
            ExprKind::Local(local) => self.bound[local].clone(),
            ExprKind::If(c, a, b) => self.value(if self.truth(c)? { a } else { b })?,
            ExprKind::Theory(f, args) => {
                let args: Option<Vec<Value>> = args.iter().map(|a| self.value(a)).collect();
                self.theory(*f, &args?)
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                Value::Bool(self.quantified(*quantifier, binders, body)?)
            }
            ExprKind::Comprehension(x, body) => {
                let ty = self.type_of(*x, body);
                let mut found = BTreeSet::new();
                for value in self.values(&ty) {
                    if self.with(*x, value.clone()).truth(body)? {
                        found.insert(value);
                    }
                }
                Value::Set(found)
            }
            ExprKind::Apply(op, args) => return self.apply(*op, args, &expr.ty),
            ExprKind::Element(_) | ExprKind::Random(..) => panic!("only schedules have these"),
            ExprKind::Real(n) => Value::Real(n.clone()),
            ExprKind::Char(c) => Value::Char(*c),
            ExprKind::Text(text) => Value::Text(text.clone()),
        })
    }

    /// The row of a table is found by counting through the values of the parameters.
    fn theory(&self, f: FunctionId, args: &[Value]) -> Value {
        let function = &self.instance.model().functions[f.index()];
        let universe = self.instance.universe();
        if function.meaning == Meaning::Axioms {
            let row = args.iter().zip(&function.params).fold(0, |row, (arg, ty)| {
                let all = self.values(ty);
                let at = all.iter().position(|v| v == arg);
                row * all.len() + at.expect("an argument of the type")
            });
            return universe.interpretation().tables[&f][row].clone();
        }
        let index = |v: &Value| match v {
            Value::Element(_, n) => u64::from(*n),
            other => panic!("not an element: {other:?}"),
        };
        let args: Vec<u64> = args.iter().map(index).collect();
        Value::Bool(universe.holds(function.meaning, &args))
    }

    fn with(&self, local: LocalId, value: Value) -> Self {
        let mut bound = self.bound.clone();
        bound.insert(local, value);
        Plain {
            instance: self.instance,
            state: self.state,
            bound,
        }
    }

    fn quantified(&self, quantifier: Quantifier, binders: &[LocalId], body: &Expr) -> Option<bool> {
        let Some((x, others)) = binders.split_first() else {
            return self.truth(body);
        };
        let ty = self.type_of(*x, body);
        let mut result = quantifier == Quantifier::ForAll;
        for value in self.values(&ty) {
            let value = self.with(*x, value).quantified(quantifier, others, body)?;
            match quantifier {
                Quantifier::ForAll => result &= value,
                Quantifier::Exists => result |= value,
            }
        }
        Some(result)
    }

    /// The type of a bound variable: that of any of its occurrences.
    fn type_of(&self, local: LocalId, body: &Expr) -> Type {
        let mut ty = None;
        body.walk(&mut |e| {
            if e.kind == ExprKind::Local(local) {
                ty = Some(e.ty.clone());
            }
        });
        ty.unwrap_or(Type::Bool)
    }

    /// All values of a type; of numbers, more than the formulas can tell apart.
    fn values(&self, ty: &Type) -> Vec<Value> {
        match ty {
            Type::Nat => (0..20).map(Value::int).collect(),
            Type::Int => (-20..20).map(Value::int).collect(),
            _ => self
                .instance
                .universe()
                .values(self.instance.model(), ty, 1 << 20)
                .unwrap(),
        }
    }

    fn apply(&self, op: Op, args: &[Expr], ty: &Type) -> Option<Value> {
        match op {
            Op::And | Op::Or => {
                for arg in args {
                    if self.truth(arg)? == (op == Op::Or) {
                        return Some(Value::Bool(op == Op::Or));
                    }
                }
                return Some(Value::Bool(op == Op::And));
            }
            Op::Implies => {
                return Some(Value::Bool(!self.truth(&args[0])? || self.truth(&args[1])?));
            }
            _ => {}
        }
        let args: Option<Vec<Value>> = args.iter().map(|a| self.value(a)).collect();
        operator(op, &args?, ty)
    }
}

fn operator(op: Op, args: &[Value], ty: &Type) -> Option<Value> {
    use Value::{Array, Bool, Int, Null, Seq, Set, Tuple};
    if let Some(value) = later_operator(op, args, ty) {
        return value;
    }
    Some(match (op, args) {
        (Op::Not, [Bool(a)]) => Bool(!a),
        (Op::Iff | Op::Eq, [a, b]) => Bool(same(a, b)),
        (Op::Lt, [Int(a), Int(b)]) => Bool(a < b),
        (Op::Le, [Int(a), Int(b)]) => Bool(a <= b),
        (Op::Add, [Int(a), Int(b)]) => Int(a + b),
        (Op::Mul, [Int(a), Int(b)]) => Int(a * b),
        (Op::Neg, [Int(a)]) => Int(-a),
        (Op::Sub, [Int(a), Int(b)]) => {
            let difference = a - b;
            (*ty == Type::Int || difference >= BigInt::ZERO).then_some(Int(difference))?
        }
        (Op::Div, [Int(a), Int(b)]) => Int((a - euclid(a, b)?) / b),
        (Op::Mod, [Int(a), Int(b)]) => Int(euclid(a, b)?),
        (Op::EmptySet, []) => Set(BTreeSet::new()),
        (Op::Insert, [e, Set(s)]) => Set(s.iter().chain([e]).cloned().collect()),
        (Op::Delete, [e, Set(s)]) => Set(s.iter().filter(|x| *x != e).cloned().collect()),
        (Op::Member, [e, Set(s)]) => Bool(s.contains(e)),
        (Op::Subset, [Set(s), Set(t)]) => Bool(s.is_subset(t)),
        (Op::Union, [Set(s), Set(t)]) => Set(s | t),
        (Op::Intersection, [Set(s), Set(t)]) => Set(s & t),
        (Op::Difference, [Set(s), Set(t)]) => Set(s - t),
        (Op::Size, [Set(s)]) => Value::int(s.len()),
        (Op::Select, [Array { entries, default }, i]) => entries
            .get(i)
            .or(default.as_deref())
            .expect("arrays are total")
            .clone(),
        (Op::Constant, [e]) => Array {
            entries: BTreeMap::new(),
            default: Some(Box::new(e.clone())),
        },
        (Op::Assign, [Array { entries, default }, i, e]) => {
            let mut entries = entries.clone();
            entries.insert(i.clone(), e.clone());
            Array {
                entries,
                default: default.clone(),
            }
        }
        (Op::EmptySeq, []) => Seq(Vec::new()),
        (Op::Head, [Seq(s)]) => s.first()?.clone(),
        (Op::Last, [Seq(s)]) => s.last()?.clone(),
        (Op::Len, [Seq(s)]) => Value::int(s.len()),
        (Op::Nth, [Seq(s), Int(n)]) => s.get(usize::try_from(n).ok()?)?.clone(),
        (Op::SeqMember, [e, Seq(s)]) => Bool(s.contains(e)),
        (Op::Nil, []) => Null(None),
        (Op::Embed, [e]) => Null(Some(Box::new(e.clone()))),
        (Op::Val, [Null(inner)]) => (**inner.as_ref()?).clone(),
        (Op::Tuple, fields) => match ty {
            Type::Tuple(id) => Tuple(*id, fields.to_vec()),
            _ => panic!("a tuple is of a tuple type"),
        },
        (Op::Field(f), [Tuple(_, fields)]) => fields[f as usize].clone(),
        (Op::SetField(f), [Tuple(id, fields), e]) => {
            let mut fields = fields.clone();
            fields[f as usize] = e.clone();
            Tuple(*id, fields)
        }
        (op, args) => panic!("{op:?} of {args:?}"),
    })
}

/// The operators on fractions, text, unions, maps and multisets; none for others.
fn later_operator(op: Op, args: &[Value], ty: &Type) -> Option<Option<Value>> {
    use Value::{Bool, Char, Enumerator, Int, Map, Mset, Real, Text, Union};
    let total = match (op, args) {
        (Op::Lt, [Real(a), Real(b)]) => Bool(a < b),
        (Op::Le, [Real(a), Real(b)]) => Bool(a <= b),
        (Op::Lt, [Char(a), Char(b)]) => Bool(a < b),
        (Op::Le, [Char(a), Char(b)]) => Bool(a <= b),
        (Op::Lt, [Text(a), Text(b)]) => Bool(a.chars().lt(b.chars())),
        (Op::Le, [Text(a), Text(b)]) => Bool(a.chars().le(b.chars())),
        (Op::Add, [Real(a), Real(b)]) => Real(a + b),
        (Op::Sub, [Real(a), Real(b)]) => Real(a - b),
        (Op::Mul, [Real(a), Real(b)]) => Real(a * b),
        (Op::Neg, [Real(a)]) => Real(-a),
        (Op::Abs, [Real(a)]) => Real(if *a < -a.clone() { -a } else { a.clone() }),
        (Op::Min, [a, b]) => if a < b { a } else { b }.clone(),
        (Op::Max, [a, b]) => if a < b { b } else { a }.clone(),
        (Op::Abs, [Int(a)]) => Int(if *a < BigInt::ZERO { -a } else { a.clone() }),
        (Op::ToReal, [Int(a)]) => Real(Rational::new(a.clone(), 1.into())),
        (Op::Divide, [Real(a), Real(b)]) => {
            return Some((*b.numer() != BigInt::ZERO).then(|| Real(a / b)));
        }
        (Op::Pow, [a, Int(n)]) => return Some(power(a, n)),
        (Op::Variant(variant), [value]) => match ty {
            Type::Union(id) => Union(*id, variant, Box::new(value.clone())),
            _ => panic!("a variant is of a union"),
        },
        (Op::Tag, [Union(_, variant, _)]) => match ty {
            Type::Enum(id) => Enumerator(*id, *variant),
            _ => panic!("a tag is of an enumeration"),
        },
        (Op::Payload(variant), [Union(_, found, value)]) => {
            return Some((variant == *found).then(|| (**value).clone()));
        }
        (Op::EmptyMap, []) => Map(BTreeMap::new()),
        (Op::Lookup, [Map(m), d]) => return Some(m.get(d).cloned()),
        (Op::Defined, [Map(m), d]) => Bool(m.contains_key(d)),
        (Op::Update, [Map(m), d, r]) => {
            let new = [(d.clone(), r.clone())];
            Map(m.clone().into_iter().chain(new).collect())
        }
        (Op::Remove, [Map(m), d]) => Map(m.clone().into_iter().filter(|(k, _)| k != d).collect()),
        (Op::EmptyMset, []) => Mset(BTreeMap::new()),
        (Op::MsetInsert, [e, Mset(m)]) => multiset(m, &of_one(e), |a, b| a + b),
        (Op::MsetDelete, [e, Mset(m)]) => multiset(m, &of_one(e), u64::saturating_sub),
        (Op::MsetMember, [e, Mset(m)]) => Bool(m.contains_key(e)),
        (Op::Count, [e, Mset(m)]) => Value::int(m.get(e).copied().unwrap_or(0)),
        (Op::MsetSize, [Mset(m)]) => Value::int(m.values().sum::<u64>()),
        (Op::MsetSubset, [Mset(a), Mset(b)]) => {
            Bool(multiset(a, b, u64::saturating_sub) == Mset(BTreeMap::new()))
        }
        (Op::MsetUnion, [Mset(a), Mset(b)]) => multiset(a, b, |a, b| a + b),
        (Op::MsetIntersection, [Mset(a), Mset(b)]) => multiset(a, b, u64::min),
        (Op::MsetDifference, [Mset(a), Mset(b)]) => multiset(a, b, u64::saturating_sub),
        _ => return None,
    };
    Some(Some(total))
}

fn power(base: &Value, exponent: &BigInt) -> Option<Value> {
    if *exponent < BigInt::ZERO {
        return None;
    }
    let one = match base {
        Value::Int(_) => Value::int(1),
        _ => Value::Real(Rational::new(1.into(), 1.into())),
    };
    let times = u32::try_from(exponent).expect("a small exponent");
    (0..times).try_fold(one, |product, _| {
        operator(Op::Mul, &[product, base.clone()], &Type::Int)
    })
}

pub(crate) type Counts = BTreeMap<Value, u64>;

fn of_one(element: &Value) -> Counts {
    Counts::from([(element.clone(), 1)])
}

fn multiset(a: &Counts, b: &Counts, combine: impl Fn(u64, u64) -> u64) -> Value {
    let count = |counts: &Counts, e: &Value| counts.get(e).copied().unwrap_or(0);
    let elements: BTreeSet<&Value> = a.keys().chain(b.keys()).collect();
    let counts = elements
        .into_iter()
        .map(|e| (e.clone(), combine(count(a, e), count(b, e))));
    Value::Mset(counts.filter(|(_, n)| *n > 0).collect())
}

/// Equality, where an array may be given by its entries or by a default.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (
            Value::Array {
                entries: x,
                default: d,
            },
            Value::Array {
                entries: y,
                default: e,
            },
        ) => {
            let at = |entries: &BTreeMap<Value, Value>, default: &Option<Box<Value>>, i: &Value| {
                entries.get(i).or(default.as_deref()).cloned()
            };
            let mut indices = x.keys().chain(y.keys());
            indices.all(|i| at(x, d, i) == at(y, e, i))
        }
        _ => a == b,
    }
}

fn euclid(a: &BigInt, b: &BigInt) -> Option<BigInt> {
    if *b == BigInt::ZERO {
        return None;
    }
    let size = if *b < BigInt::ZERO { -b } else { b.clone() };
    Some(((a % &size) + &size) % &size)
}
