//! How the values of a type are represented in a finite instance, and the conversion to and from plain values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use finite::{Packing, Universe};
use ioa_lang::Value;
use ioa_lang::core::{Model, TupleId, Type, UnionId};

use super::{Cell, Number};

/// Maximum number of indices of a dense array; larger arrays are sparse.
const MAX_DENSE: u64 = 1 << 12;

/// The representation of a type's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A word: [`Cell::Word`].
    Packed(Packing),
    /// [`Cell::Int`], not negative.
    Nat,
    /// [`Cell::Int`].
    Int,
    /// [`Cell::Word`]: an integer in two's complement. It represents terms and bound variables if integers have ranges.
    Number {
        /// Whether it is a `Nat`.
        nat: bool,
    },
    /// [`Cell::Set`].
    Set(Arc<Shape>),
    /// [`Cell::Seq`].
    Seq(Arc<Shape>),
    /// [`Cell::Null`].
    Null(Arc<Shape>),
    /// [`Cell::Tuple`].
    Tuple(TupleId, Vec<Arc<Shape>>),
    /// [`Cell::Dense`] if there are ranks, otherwise [`Cell::Sparse`].
    Array {
        /// The index type's shape.
        index: Arc<Shape>,
        /// The element type's shape.
        element: Arc<Shape>,
        /// The order of the indices, if there are few of them.
        ranks: Option<Arc<Ranks>>,
    },
    /// [`Cell::Real`].
    Real,
    /// [`Cell::Text`].
    Text,
    /// [`Cell::Union`].
    Union(UnionId, Vec<Arc<Shape>>),
    /// [`Cell::Map`].
    Map(Arc<Shape>, Arc<Shape>),
    /// [`Cell::Mset`].
    Mset(Arc<Shape>),
}

/// The codes of a packed type in ascending order; the rank of a code is its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks {
    codes: Arc<[u64]>,
}

impl Ranks {
    fn of(index: &Shape) -> Option<Arc<Self>> {
        let packing = index.packing().filter(|p| p.is_complete());
        let codes = packing?.codes(MAX_DENSE)?;
        Some(Arc::new(Self {
            codes: codes.into(),
        }))
    }

    /// The codes, in ascending order.
    pub(crate) fn codes(&self) -> Arc<[u64]> {
        Arc::clone(&self.codes)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The rank of a code.
    pub(crate) fn rank(&self, code: u64) -> usize {
        // The codes of most types are 0, 1, 2, ...
        match self.codes.get(code as usize) {
            Some(at) if *at == code => code as usize,
            _ => self.codes.partition_point(|c| *c < code),
        }
    }
}

impl Shape {
    /// The representation of a type's values, as terms and bound variables.
    #[must_use]
    pub fn of(model: &Model, universe: &Universe, ty: &Type) -> Arc<Self> {
        if ty.is_integer() && universe.ranges().is_some() {
            let nat = *ty == Type::Nat;
            return Arc::new(Self::Number { nat });
        }
        Self::part(model, universe, ty)
    }

    /// The representation of a type's values as variables, and as parts of values that have no packing.
    pub(crate) fn part(model: &Model, universe: &Universe, ty: &Type) -> Arc<Self> {
        if let Some(packing) = Packing::of(model, universe, ty) {
            return Arc::new(Self::Packed(packing));
        }
        let of = |ty: &Type| Self::part(model, universe, ty);
        Arc::new(match ty {
            Type::Nat => Self::Nat,
            Type::Set(element) => Self::Set(of(element)),
            Type::Seq(element) => Self::Seq(of(element)),
            Type::Null(element) => Self::Null(of(element)),
            Type::Tuple(id) => {
                let fields = &model.tuples[id.index()].fields;
                Self::Tuple(*id, fields.iter().map(|(_, ty)| of(ty)).collect())
            }
            Type::Array(index, element) => {
                let (index, element) = (of(index), of(element));
                let ranks = Ranks::of(&index);
                Self::Array {
                    index,
                    element,
                    ranks,
                }
            }
            Type::Real => Self::Real,
            Type::String => Self::Text,
            Type::Union(id) => {
                let variants = &model.unions[id.index()].variants;
                Self::Union(*id, variants.iter().map(|(_, ty)| of(ty)).collect())
            }
            Type::Map(domain, range) => Self::Map(of(domain), of(range)),
            Type::Mset(element) => Self::Mset(of(element)),
            // The other types always have a packing.
            Type::Int | Type::Bool | Type::Char | Type::Sort(_) | Type::Enum(_) => Self::Int,
        })
    }

    /// The packing, where there is one.
    #[must_use]
    pub fn packing(&self) -> Option<&Packing> {
        match self {
            Self::Packed(packing) => Some(packing),
            _ => None,
        }
    }

    /// Whether values are words.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        matches!(self, Self::Packed(_) | Self::Number { .. })
    }

    /// The plain value that a cell stands for.
    ///
    /// # Panics
    /// If the cell is not of this shape.
    #[must_use]
    pub fn decode(&self, cell: &Cell) -> Value {
        match (self, cell) {
            (Self::Packed(packing), Cell::Word(code)) => packing.decode(*code),
            (Self::Nat | Self::Int | Self::Number { .. }, Cell::Int(n)) => Value::Int(n.to_big()),
            (Self::Number { .. }, Cell::Word(n)) => Value::Int(n.cast_signed().into()),
            (Self::Set(element), Cell::Set(set)) => {
                Value::Set(set.items.iter().map(|c| element.decode(c)).collect())
            }
            (Self::Seq(element), Cell::Seq(seq)) => {
                Value::Seq(seq.items.iter().map(|c| element.decode(c)).collect())
            }
            (Self::Null(element), Cell::Null(inner)) => {
                Value::Null(inner.as_ref().map(|c| Box::new(element.decode(c))))
            }
            (Self::Tuple(id, shapes), Cell::Tuple(fields)) => {
                let fields = shapes.iter().zip(&fields.items);
                Value::Tuple(*id, fields.map(|(shape, c)| shape.decode(c)).collect())
            }
            (
                Self::Array {
                    index,
                    element,
                    ranks,
                },
                cell,
            ) => decode_array(index, element, ranks.as_deref(), cell),
            (Self::Real, Cell::Real(n)) => Value::Real((**n).clone()),
            (Self::Text, Cell::Text(text)) => Value::Text(text.clone()),
            (Self::Union(id, variants), Cell::Union(variant, inner)) => {
                let inner = variants[*variant as usize].decode(inner);
                Value::Union(*id, *variant, Box::new(inner))
            }
            (Self::Map(domain, range), Cell::Map(map)) => {
                let entries = map.items.iter();
                Value::Map(
                    entries
                        .map(|(d, r)| (domain.decode(d), range.decode(r)))
                        .collect(),
                )
            }
            (Self::Mset(element), Cell::Mset(mset)) => {
                let counts = mset.items.iter();
                Value::Mset(counts.map(|(e, n)| (element.decode(e), *n)).collect())
            }
            _ => unreachable!("a cell of another shape: {cell:?}"),
        }
    }

    /// The cell of a plain value, or `None` if it is not a value of this type (or too large).
    #[must_use]
    pub fn encode(&self, value: &Value) -> Option<Cell> {
        match (self, value) {
            (Self::Packed(packing), value) => packing.encode(value).map(Cell::Word),
            (Self::Nat | Self::Number { nat: true }, Value::Int(n))
                if n.sign() == num_bigint::Sign::Minus =>
            {
                None
            }
            (Self::Number { .. }, Value::Int(n)) => {
                i64::try_from(n).ok().map(|n| Cell::Word(n.cast_unsigned()))
            }
            (Self::Nat | Self::Int, Value::Int(n)) => {
                Number::bounded(n.clone()).ok().map(Cell::Int)
            }
            (Self::Set(element), Value::Set(values)) => {
                let items = values.iter().map(|v| element.encode(v));
                Cell::set(items.collect::<Option<_>>()?).ok()
            }
            (Self::Seq(element), Value::Seq(values)) => {
                let items = values.iter().map(|v| element.encode(v));
                Cell::seq(items.collect::<Option<_>>()?).ok()
            }
            (Self::Null(_), Value::Null(None)) => Some(Cell::Null(None)),
            (Self::Null(element), Value::Null(Some(value))) => {
                Cell::embed(element.encode(value)?).ok()
            }
            (Self::Real, Value::Real(n)) => Cell::real(n.clone()).ok(),
            (Self::Text, Value::Text(text)) => Cell::text(text.clone()).ok(),
            (Self::Union(id, variants), Value::Union(of, variant, value)) if id == of => {
                let inner = variants.get(*variant as usize)?.encode(value)?;
                Cell::variant(*variant, inner).ok()
            }
            (Self::Map(domain, range), Value::Map(entries)) => encode_map(domain, range, entries),
            (Self::Mset(element), Value::Mset(counts)) => {
                let counts = counts.iter().filter(|(_, n)| **n > 0);
                let counts = counts.map(|(e, n)| Some((element.encode(e)?, *n)));
                Cell::mset(counts.collect::<Option<_>>()?).ok()
            }
            (Self::Tuple(id, shapes), Value::Tuple(of, values))
                if id == of && shapes.len() == values.len() =>
            {
                let fields = shapes.iter().zip(values);
                let fields = fields.map(|(shape, v)| shape.encode(v));
                Cell::tuple(fields.collect::<Option<_>>()?).ok()
            }
            (
                Self::Array {
                    index,
                    element,
                    ranks,
                },
                Value::Array { entries, default },
            ) => {
                let default = match default {
                    Some(value) => Some(element.encode(value)?),
                    None => None,
                };
                match ranks {
                    Some(ranks) => encode_dense(index, element, ranks, entries, default.as_ref()),
                    None => encode_sparse(index, element, entries, default?),
                }
            }
            _ => None,
        }
    }
}

fn decode_array(index: &Shape, element: &Shape, ranks: Option<&Ranks>, cell: &Cell) -> Value {
    match (ranks, cell) {
        (Some(ranks), Cell::Dense(array)) => {
            let indices = ranks
                .codes
                .iter()
                .map(|code| index.decode(&Cell::Word(*code)));
            let elements = array.items.iter().map(|c| element.decode(c));
            Value::Array {
                entries: indices.zip(elements).collect(),
                default: None,
            }
        }
        (None, Cell::Sparse(array)) => {
            let entries = array.items.entries.iter();
            Value::Array {
                entries: entries
                    .map(|(i, e)| (index.decode(i), element.decode(e)))
                    .collect(),
                default: Some(Box::new(element.decode(&array.items.default))),
            }
        }
        _ => unreachable!("a cell of another shape: {cell:?}"),
    }
}

fn encode_dense(
    index: &Shape,
    element: &Shape,
    ranks: &Ranks,
    entries: &BTreeMap<Value, Value>,
    default: Option<&Cell>,
) -> Option<Cell> {
    let known: BTreeSet<u64> = ranks.codes.iter().copied().collect();
    let mut given = BTreeMap::new();
    for (i, e) in entries {
        let Cell::Word(code) = index.encode(i)? else {
            return None;
        };
        given.insert(known.contains(&code).then_some(code)?, element.encode(e)?);
    }
    let items = ranks
        .codes
        .iter()
        .map(|code| given.get(code).or(default).cloned());
    let items: imbl::Vector<Cell> = items.collect::<Option<_>>()?;
    let count = super::count(items.iter()).ok()?;
    Cell::dense(items, count).ok()
}

fn encode_map(domain: &Shape, range: &Shape, entries: &BTreeMap<Value, Value>) -> Option<Cell> {
    let (mut map, mut count) = (imbl::OrdMap::new(), 1);
    for (d, r) in entries {
        let (d, r) = (domain.encode(d)?, range.encode(r)?);
        count += d.parts() + r.parts();
        map.insert(d, r);
    }
    Cell::map(map, count).ok()
}

fn encode_sparse(
    index: &Shape,
    element: &Shape,
    entries: &BTreeMap<Value, Value>,
    default: Cell,
) -> Option<Cell> {
    let mut map = imbl::OrdMap::new();
    let mut count = 1 + default.parts();
    for (i, e) in entries {
        let (i, e) = (index.encode(i)?, element.encode(e)?);
        if e != default {
            count += i.parts() + e.parts();
            map.insert(i, e);
        }
    }
    Cell::sparse(default, map, count).ok()
}
