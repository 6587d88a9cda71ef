//! Values of finite types as bits of one word.
//!
//! A type with at most 64 bits of information has a *packing*: a fixed layout that the executor computes on directly.
//!
//! | type | bits |
//! |---|---|
//! | Bool | 1 |
//! | sort, enumeration of n values | the index, in as many bits as n - 1 needs |
//! | `Null[T]` | 0 for nil, else the code of the value plus 1 |
//! | `Set[T]` | one bit for each code of `T`, if `T` has at most 64 |
//! | tuple | the fields side by side, the first lowest |
//! | `Array[I, E]` | the element for index code i in bits `i*w .. (i+1)*w`, `w` the width of `E` |
//! | `Map[D, R]` | as `Array[D, Null[R]]`, nil where nothing is defined |
//! | union | the payload in as many bits as the widest needs, above it the variant's position |
//! | Char | the character's number, in 21 bits |
//!
//! Equal values have equal codes, and codes of one type are ordered as this table says, so a code can serve as a key.

use std::collections::{BTreeMap, BTreeSet};

use super::Universe;
use crate::core::{EnumId, Model, SortId, TupleId, Type, UnionId};
use crate::value::Value;

/// How values of one finite type lie in a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Packing {
    /// Width in bits, at most 64.
    pub bits: u32,
    /// The largest code; codes below it need not all be values (a field may not use all its bits).
    pub max: u64,
    /// What the bits mean.
    pub form: Form,
}

/// What the bits of a packed value mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A truth value.
    Bool,
    /// An element's index.
    Sort(SortId),
    /// A position in an enumeration.
    Enum(EnumId),
    /// 0 or a code plus 1.
    Null(Box<Packing>),
    /// A mask over the element's codes.
    Set(Box<Packing>),
    /// Fields with their offsets in bits.
    Tuple(TupleId, Vec<(u32, Packing)>),
    /// Elements side by side, by the index's code.
    Array(Box<Packing>, Box<Packing>),
    /// Slots side by side, by the key's code: each a [`Form::Null`] of the range.
    Map(Box<Packing>, Box<Packing>),
    /// A payload in the given number of bits, below its variant's position; the variants in their order.
    Union(UnionId, u32, Vec<Packing>),
    /// A character's number.
    Char,
}

/// The numbers that are no characters: what UTF-16 reserves for surrogates.
const NO_CHARACTERS: std::ops::Range<u64> = 0xd800..0xe000;

impl Packing {
    /// The packing of a type, or `None` where its values are infinitely many or need more than 64 bits.
    #[must_use]
    pub fn of(model: &Model, universe: &Universe, ty: &Type) -> Option<Self> {
        let of = |ty: &Type| Self::of(model, universe, ty);
        match ty {
            Type::Bool => Some(Self::new(1, Form::Bool)),
            Type::Sort(id) => Some(Self::new(universe.size(*id) - 1, Form::Sort(*id))),
            Type::Enum(id) => {
                let count = model.enumerations[id.index()].values.len() as u64;
                Some(Self::new(count - 1, Form::Enum(*id)))
            }
            Type::Char => Some(Self::new(u64::from(char::MAX), Form::Char)),
            Type::Null(inner) => Self::null(of(inner)?),
            Type::Set(element) => Self::set(of(element)?),
            Type::Tuple(id) => {
                let fields = model.tuples[id.index()].fields.iter();
                Self::tuple(*id, fields.map(|(_, ty)| of(ty)).collect::<Option<_>>()?)
            }
            Type::Union(id) => {
                let variants = model.unions[id.index()].variants.iter();
                Self::union(*id, variants.map(|(_, ty)| of(ty)).collect::<Option<_>>()?)
            }
            Type::Array(index, element) => {
                let (index, element) = (of(index)?, of(element)?);
                let (bits, max) = slots(&index, &element)?;
                let form = Form::Array(Box::new(index), Box::new(element));
                Some(Self { bits, max, form })
            }
            Type::Map(domain, range) => {
                let (domain, slot) = (of(domain)?, Self::null(of(range)?)?);
                let (bits, max) = slots(&domain, &slot)?;
                let form = Form::Map(Box::new(domain), Box::new(slot));
                Some(Self { bits, max, form })
            }
            Type::Nat | Type::Int | Type::Real | Type::String | Type::Mset(_) | Type::Seq(_) => {
                None
            }
        }
    }

    fn new(max: u64, form: Form) -> Self {
        let bits = u64::BITS - max.leading_zeros();
        Self { bits, max, form }
    }

    fn null(inner: Self) -> Option<Self> {
        let max = inner.max.checked_add(1)?;
        Some(Self::new(max, Form::Null(Box::new(inner))))
    }

    fn set(element: Self) -> Option<Self> {
        if element.max > 63 {
            return None;
        }
        let max = element.values().fold(0, |mask, code| mask | 1 << code);
        Some(Self::new(max, Form::Set(Box::new(element))))
    }

    fn tuple(id: TupleId, fields: Vec<Self>) -> Option<Self> {
        let (mut bits, mut max, mut placed) = (0, 0, Vec::new());
        for field in fields {
            if bits + field.bits > u64::BITS {
                return None;
            }
            max |= shl(field.max, bits);
            placed.push((bits, field.clone()));
            bits += field.bits;
        }
        Some(Self {
            bits,
            max,
            form: Form::Tuple(id, placed),
        })
    }

    fn union(id: UnionId, variants: Vec<Self>) -> Option<Self> {
        let width = variants.iter().map(|v| v.bits).max()?;
        let last = variants.len() as u64 - 1;
        let bits = width + (u64::BITS - last.leading_zeros());
        if bits > u64::BITS {
            return None;
        }
        let max = shl(last, width) | variants.last()?.max;
        let form = Form::Union(id, width, variants);
        Some(Self { bits, max, form })
    }

    /// Whether a word is the code of a value.
    #[must_use]
    pub fn is_code(&self, word: u64) -> bool {
        if word > self.max {
            return false;
        }
        match &self.form {
            Form::Bool | Form::Sort(_) | Form::Enum(_) => true,
            Form::Null(inner) => word == 0 || inner.is_code(word - 1),
            Form::Set(_) => word & !self.max == 0,
            Form::Tuple(_, fields) => fields
                .iter()
                .all(|(at, f)| f.is_code(field(word, *at, f.bits))),
            Form::Array(index, element) | Form::Map(index, element) => (0..=index.max).all(|i| {
                let code = element.slot(word, i);
                if index.is_code(i) {
                    element.is_code(code)
                } else {
                    code == 0
                }
            }),
            Form::Union(_, width, variants) => {
                let (variant, payload) = parts(word, *width);
                variants[variant as usize].is_code(payload)
            }
            Form::Char => !NO_CHARACTERS.contains(&word),
        }
    }

    /// The code at a place of a row of such codes.
    fn slot(&self, word: u64, place: u64) -> u64 {
        field(word, self.bits * place as u32, self.bits)
    }

    /// The codes of all values, ascending. There may be very many: bound what you take.
    pub fn values(&self) -> impl Iterator<Item = u64> + '_ {
        (0..=self.max).filter(|word| self.is_code(*word))
    }

    /// The codes of all values, ascending, or `None` where there are more than `limit`.
    #[must_use]
    pub fn codes(&self, limit: u64) -> Option<Vec<u64>> {
        if self.count() > u128::from(limit) {
            return None;
        }
        let mut out = Vec::new();
        self.enumerate(&mut out);
        Some(out)
    }

    /// How many values there are.
    #[must_use]
    pub fn count(&self) -> u128 {
        match &self.form {
            Form::Bool | Form::Sort(_) | Form::Enum(_) => u128::from(self.max) + 1,
            Form::Null(inner) => inner.count() + 1,
            Form::Set(element) => 1 << element.count(),
            Form::Tuple(_, fields) => fields
                .iter()
                .fold(1, |n: u128, (_, f)| n.saturating_mul(f.count())),
            Form::Array(index, element) | Form::Map(index, element) => {
                (0..index.count()).fold(1, |n: u128, _| n.saturating_mul(element.count()))
            }
            Form::Union(_, _, variants) => variants
                .iter()
                .fold(0, |n: u128, v| n.saturating_add(v.count())),
            Form::Char => u128::from(self.max + 1 - (NO_CHARACTERS.end - NO_CHARACTERS.start)),
        }
    }

    /// Appends the codes of all values, ascending, without trying words that are no codes.
    fn enumerate(&self, out: &mut Vec<u64>) {
        match &self.form {
            Form::Bool | Form::Sort(_) | Form::Enum(_) => out.extend(0..=self.max),
            Form::Null(inner) => {
                out.push(0);
                let from = out.len();
                inner.enumerate(out);
                out[from..].iter_mut().for_each(|code| *code += 1);
            }
            Form::Set(_) => {
                // The next subset of a mask in ascending order: (s - mask) & mask.
                let mut subset = 0_u64;
                loop {
                    out.push(subset);
                    if subset == self.max {
                        break;
                    }
                    subset = subset.wrapping_sub(self.max) & self.max;
                }
            }
            Form::Tuple(_, fields) => {
                product(fields.iter().map(|(at, f)| (*at, f)), out);
            }
            Form::Array(index, element) | Form::Map(index, element) => {
                let slots: Vec<u64> = index.values().collect();
                product(
                    slots.iter().map(|i| (element.bits * *i as u32, &**element)),
                    out,
                );
            }
            Form::Union(_, width, variants) => {
                for (variant, payload) in (0..).zip(variants) {
                    let from = out.len();
                    payload.enumerate(out);
                    let variant = shl(variant, *width);
                    out[from..].iter_mut().for_each(|code| *code |= variant);
                }
            }
            Form::Char => {
                out.extend(0..NO_CHARACTERS.start);
                out.extend(NO_CHARACTERS.end..=self.max);
            }
        }
    }

    /// The value that a code stands for.
    #[must_use]
    pub fn decode(&self, word: u64) -> Value {
        match &self.form {
            Form::Bool => Value::Bool(word != 0),
            Form::Sort(id) => Value::Element(*id, word as u32),
            Form::Enum(id) => Value::Enumerator(*id, word as u32),
            Form::Null(inner) => Value::Null((word != 0).then(|| Box::new(inner.decode(word - 1)))),
            Form::Set(element) => Value::Set(
                (0..=element.max)
                    .filter(|code| word >> code & 1 == 1)
                    .map(|code| element.decode(code))
                    .collect::<BTreeSet<_>>(),
            ),
            Form::Tuple(id, fields) => Value::Tuple(
                *id,
                fields
                    .iter()
                    .map(|(at, f)| f.decode(field(word, *at, f.bits)))
                    .collect(),
            ),
            Form::Array(index, element) => Value::Array {
                entries: index
                    .values()
                    .map(|i| (index.decode(i), element.decode(element.slot(word, i))))
                    .collect::<BTreeMap<_, _>>(),
                default: None,
            },
            Form::Map(domain, slot) => {
                let entries = domain
                    .values()
                    .map(|d| (d, slot.decode(slot.slot(word, d))));
                let defined = entries.filter_map(|(d, slot)| match slot {
                    Value::Null(Some(value)) => Some((domain.decode(d), *value)),
                    _ => None,
                });
                Value::Map(defined.collect())
            }
            Form::Union(id, width, variants) => {
                let (variant, payload) = parts(word, *width);
                let value = variants[variant as usize].decode(payload);
                Value::Union(*id, variant as u32, Box::new(value))
            }
            Form::Char => {
                let number = u32::try_from(word).ok().and_then(char::from_u32);
                Value::Char(number.unwrap_or(char::REPLACEMENT_CHARACTER))
            }
        }
    }

    /// The code of a value, or `None` if it is not a value of this type.
    #[must_use]
    pub fn encode(&self, value: &Value) -> Option<u64> {
        let word = match (&self.form, value) {
            (Form::Bool, Value::Bool(b)) => u64::from(*b),
            (Form::Sort(id), Value::Element(sort, i)) if id == sort => u64::from(*i),
            (Form::Enum(id), Value::Enumerator(of, i)) if id == of => u64::from(*i),
            (Form::Null(_), Value::Null(None)) => 0,
            (Form::Null(inner), Value::Null(Some(value))) => inner.encode(value)? + 1,
            (Form::Set(element), Value::Set(values)) => values
                .iter()
                .try_fold(0, |mask, v| Some(mask | 1 << element.encode(v)?))?,
            (Form::Tuple(id, fields), Value::Tuple(of, values))
                if id == of && fields.len() == values.len() =>
            {
                fields
                    .iter()
                    .zip(values)
                    .try_fold(0, |word, ((at, f), v)| Some(word | shl(f.encode(v)?, *at)))?
            }
            (Form::Array(index, element), Value::Array { entries, default }) => {
                index.values().try_fold(0, |word, i| {
                    let value = entries.get(&index.decode(i)).or(default.as_deref())?;
                    Some(word | shl(element.encode(value)?, element.bits * i as u32))
                })?
            }
            (Form::Map(domain, slot), Value::Map(entries)) => {
                entries.iter().try_fold(0, |word, (key, value)| {
                    let Form::Null(range) = &slot.form else {
                        return None;
                    };
                    let code = range.encode(value)? + 1;
                    Some(word | shl(code, slot.bits * domain.encode(key)? as u32))
                })?
            }
            (Form::Union(id, width, variants), Value::Union(of, variant, value)) if id == of => {
                let payload = variants.get(*variant as usize)?.encode(value)?;
                shl(u64::from(*variant), *width) | payload
            }
            (Form::Char, Value::Char(c)) => u64::from(*c),
            _ => return None,
        };
        self.is_code(word).then_some(word)
    }
}

/// Width and largest code of `element`s side by side, one for each code of `index`, if they fit a word.
fn slots(index: &Packing, element: &Packing) -> Option<(u32, u64)> {
    let slots = index.max.checked_add(1)?;
    let bits = slots.checked_mul(u64::from(element.bits))?;
    if bits > 64 || slots > 64 {
        return None;
    }
    let max = index.values().fold(0, |word, i| {
        word | shl(element.max, element.bits * i as u32)
    });
    Some((bits as u32, max))
}

/// The variant and the payload of a union's code.
fn parts(word: u64, width: u32) -> (u64, u64) {
    (word.checked_shr(width).unwrap_or(0), field(word, 0, width))
}

/// `word << by`, where a shift by 64 (of the empty field at the end of a full word) gives 0.
fn shl(word: u64, by: u32) -> u64 {
    word.checked_shl(by).unwrap_or(0)
}

/// The `bits` bits of `word` from bit `at` on.
fn field(word: u64, at: u32, bits: u32) -> u64 {
    let mask = if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    };
    word.checked_shr(at).unwrap_or(0) & mask
}

/// Appends all words that have a code of each packing at its offset; offsets ascend, so the words do.
fn product<'a>(fields: impl DoubleEndedIterator<Item = (u32, &'a Packing)>, out: &mut Vec<u64>) {
    let mut words = vec![0_u64];
    for (at, packing) in fields.rev() {
        let mut codes = Vec::new();
        packing.enumerate(&mut codes);
        words = words
            .iter()
            .flat_map(|word| codes.iter().map(move |code| word | shl(*code, at)))
            .collect();
    }
    out.append(&mut words);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Enumeration, Family, Meaning, Sort, SortSize, TupleType, UnionType};
    use crate::source::Span;

    fn instance() -> (Model, Universe) {
        let sort = |name: &str, size| Sort {
            name: name.into(),
            size,
            span: Span::default(),
        };
        let model = Model {
            sorts: vec![
                sort("Node", SortSize::Given),
                sort("Quorum", SortSize::GroupsOf(Family::Majorities, SortId(0))),
            ],
            tuples: vec![TupleType {
                name: "Vote".into(),
                fields: vec![
                    ("by".into(), Type::Sort(SortId(0))),
                    ("yes".into(), Type::Bool),
                ],
                span: Span::default(),
            }],
            enumerations: vec![Enumeration {
                name: "tags".into(),
                values: vec!["to".into(), "vote".into(), "none".into()],
                span: Span::default(),
            }],
            unions: vec![UnionType {
                name: "Item".into(),
                variants: vec![
                    ("to".into(), Type::Sort(SortId(0))),
                    ("vote".into(), Type::Tuple(TupleId(0))),
                    ("none".into(), Type::null(Type::Bool)),
                ],
                tags: EnumId(0),
                span: Span::default(),
            }],
            ..Model::default()
        };
        let universe = Universe::new(&model, &BTreeMap::from([("Node".into(), 3)])).unwrap();
        (model, universe)
    }

    fn types() -> Vec<Type> {
        let node = Type::Sort(SortId(0));
        let vote = Type::Tuple(TupleId(0));
        vec![
            Type::Bool,
            node.clone(),
            Type::Sort(SortId(1)),
            vote.clone(),
            Type::null(node.clone()),
            Type::null(vote.clone()),
            Type::set(node.clone()),
            Type::set(vote.clone()),
            Type::set(Type::set(node.clone())),
            Type::array(node.clone(), Type::null(Type::Bool)),
            Type::array(vote.clone(), Type::null(node.clone())),
            Type::Union(UnionId(0)),
            Type::set(Type::Union(UnionId(0))),
            Type::map(node.clone(), Type::Bool),
            Type::map(node.clone(), Type::Union(UnionId(0))),
            Type::map(Type::Union(UnionId(0)), Type::Bool),
            Type::null(Type::map(node, vote)),
        ]
    }

    #[test]
    fn every_value_has_one_code_and_every_code_one_value() {
        let (model, universe) = instance();
        for ty in types() {
            let packing = Packing::of(&model, &universe, &ty).unwrap();
            let codes = packing.codes(1 << 20).unwrap();
            assert_eq!(codes.len() as u128, packing.count(), "{ty:?}");
            assert!(codes.is_sorted(), "{ty:?}");
            if packing.max < 1 << 16 {
                assert_eq!(codes, packing.values().collect::<Vec<_>>(), "{ty:?}");
            }
            for code in codes {
                assert_eq!(packing.encode(&packing.decode(code)), Some(code), "{ty:?}");
            }
        }
    }

    #[test]
    fn a_character_is_its_number() {
        let (model, universe) = instance();
        let packing = Packing::of(&model, &universe, &Type::Char).unwrap();
        for c in ['\0', 'a', '\u{d7ff}', '\u{e000}', char::MAX] {
            let code = packing.encode(&Value::Char(c)).unwrap();
            assert_eq!(packing.decode(code), Value::Char(c));
        }
        let codes = packing.codes(1 << 21).unwrap();
        assert_eq!(codes.len() as u128, packing.count());
        assert!(codes.iter().all(|code| packing.is_code(*code)) && codes.is_sorted());
        assert!(!packing.is_code(0xd800) && !packing.is_code(0x11_0000));
    }

    #[test]
    fn a_value_of_another_type_has_no_code() {
        let (model, universe) = instance();
        let of = |ty: &Type| Packing::of(&model, &universe, ty).unwrap();
        let node = |n| Value::Element(SortId(0), n);
        let item = of(&Type::Union(UnionId(0)));
        let tagged = |variant, value| Value::Union(UnionId(0), variant, Box::new(value));
        assert!(item.encode(&tagged(0, node(2))).is_some());
        assert_eq!(item.encode(&tagged(0, node(3))), None);
        assert_eq!(item.encode(&tagged(1, node(0))), None);
        assert_eq!(item.encode(&tagged(3, node(0))), None);
        let map = of(&Type::map(Type::Sort(SortId(0)), Type::Bool));
        let entry = |key, value| Value::Map(BTreeMap::from([(key, value)]));
        assert!(map.encode(&entry(node(2), Value::Bool(false))).is_some());
        assert_eq!(map.encode(&entry(node(3), Value::Bool(false))), None);
        assert_eq!(map.encode(&entry(node(1), node(1))), None);
    }

    #[test]
    fn what_does_not_fit_a_word_has_no_packing() {
        let (model, universe) = instance();
        let set_of_sets = Type::set(Type::set(Type::Sort(SortId(0))));
        assert!(Packing::of(&model, &universe, &Type::set(set_of_sets)).is_none());
        assert!(Packing::of(&model, &universe, &Type::seq(Type::Bool)).is_none());
        assert!(Packing::of(&model, &universe, &Type::Int).is_none());
    }

    #[test]
    fn three_nodes_have_four_majorities() {
        let (_, universe) = instance();
        assert_eq!(universe.size(SortId(1)), 4);
        let meaning = Meaning::InGroup {
            member: SortId(0),
            group: SortId(1),
        };
        assert!(universe.holds(meaning, &[0, 0]) && !universe.holds(meaning, &[2, 0]));
    }
}
