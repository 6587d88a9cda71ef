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
//! | tuple | the fields side by side, those lowest whose values use their bits best |
//! | `Array[I, E]` | the element for index code i in bits `i*w .. (i+1)*w`, `w` the width of `E` |
//! | `Map[D, R]` | as `Array[D, Null[R]]`, nil where nothing is defined |
//! | union | the code of the payload, above all codes that the variants before it can have |
//! | Char | the character's number, in 21 bits |
//! | `Seq[T]`, where its length has a range | the length, then the elements side by side, 0 behind the last |
//! | `Mset[T]`, where its counts have a range | the count for element code i in bits `i*w .. (i+1)*w` |
//! | an element of a set or multiset, where it has a [`Dictionary`] | the number of its code there |
//! | Int, Nat, where they have a range | the distance from the range's lower end; see [`Ranges`] |
//!
//! What needs more bits may lie in several words: see [`Wide`].
//!
//! Equal values have equal codes, and codes of one type are ordered as this table says, so a code can serve as a key.

mod coder;
mod codes;
mod misfits;
mod numbered;
mod slice;
mod slots;
#[cfg(test)]
mod tests;
mod wide;

pub use numbered::{collections, types_with_numbers};
pub use slice::{Elements, Slice, low_bits};
pub use slots::{MAX_LIMBS, Slots};
pub use wide::{Misfit, Part, Wide, WideForm};

use std::sync::Arc;

use super::{Dictionary, MAX_CODE_BITS, Place, Range, Ranges, Universe};
use ioa_lang::core::{AutomatonId, EnumId, Model, SortId, TupleId, Type, UnionId, VarId};

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
    /// The variants in their order, each with the code of its first payload: the codes of the others follow that one.
    Union(UnionId, Vec<(u64, Packing)>),
    /// The length, which is an integer with a range, then as many elements as that allows.
    Seq(Box<Packing>, Box<Packing>),
    /// The element, and an integer with a range: how often each element is there, side by side, by the element's code.
    Mset(Box<Packing>, Box<Packing>),
    /// A character's number.
    Char,
    /// The distance of an integer from the lower end of the range of some place, given by its number among the
    /// [`Ranges`].
    Int(i64, u32),
    /// The number of a code of this packing in a dictionary, which belongs to the place with a number among the [`Ranges`].
    Numbered(Box<Packing>, Arc<Dictionary>, u32),
}

impl Packing {
    /// The packing of a type, or `None` if its values are infinitely many or need more than 64 bits. (The integers
    /// themselves have none: see [`of_variable`](Self::of_variable).)
    #[must_use]
    pub fn of(model: &Model, universe: &Universe, ty: &Type) -> Option<Self> {
        // An integer is packed as a part of this very type, if at all.
        let part = |position, part: &Type| match part {
            Type::Nat | Type::Int => Self::number(universe, &Place::Part(ty.clone(), position)),
            part => Self::of(model, universe, part),
        };
        match ty {
            Type::Bool => Some(Self::new(1, Form::Bool)),
            Type::Sort(id) => Some(Self::new(universe.size(*id) - 1, Form::Sort(*id))),
            Type::Enum(id) => {
                let count = model.enumerations[id.index()].values.len() as u64;
                Some(Self::new(count - 1, Form::Enum(*id)))
            }
            Type::Char => Some(Self::new(u64::from(char::MAX), Form::Char)),
            Type::Null(inner) => Self::null(part(0, inner)?),
            Type::Set(element) => Self::set(part(0, element)?),
            Type::Tuple(id) => {
                let fields = (0..).zip(&model.tuples[id.index()].fields);
                let fields = fields.map(|(position, (_, ty))| part(position, ty));
                Self::tuple(*id, fields.collect::<Option<_>>()?)
            }
            Type::Union(id) => {
                let variants = (0..).zip(&model.unions[id.index()].variants);
                let variants = variants.map(|(position, (_, ty))| part(position, ty));
                Self::union(*id, variants.collect::<Option<_>>()?)
            }
            Type::Array(index, element) => {
                // An array has an element for every index.
                let index = part(0, index).filter(Self::is_complete)?;
                let element = part(1, element)?;
                let (bits, max) = slots(&index, &element)?;
                let form = Form::Array(Box::new(index), Box::new(element));
                Some(Self { bits, max, form })
            }
            Type::Map(domain, range) => {
                let (domain, slot) = (part(0, domain)?, Self::null(part(1, range)?)?);
                let (bits, max) = slots(&domain, &slot)?;
                let form = Form::Map(Box::new(domain), Box::new(slot));
                Some(Self { bits, max, form })
            }
            Type::Seq(element) => {
                let length = Self::number(universe, &Place::length_of(ty))?;
                Self::sequence(length, part(0, element)?)
            }
            Type::Mset(element) => {
                let count = Self::number(universe, &Place::count_of(ty))?;
                Self::multiset(part(0, element)?, count)
            }
            Type::Nat | Type::Int | Type::Real | Type::String => None,
        }
    }

    /// The packing of an automaton's variable: that of its type, or of the range that it has as an integer.
    #[must_use]
    pub fn of_variable(
        model: &Model,
        universe: &Universe,
        (automaton, variable): (AutomatonId, VarId),
        ty: &Type,
    ) -> Option<Self> {
        if ty.is_integer() {
            return Self::number(universe, &Place::Variable(automaton, variable));
        }
        Self::of(model, universe, ty)
    }

    /// Whether it has a code for every value of its type: not where integers are packed, of which a range is.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        match &self.form {
            Form::Bool | Form::Sort(_) | Form::Enum(_) | Form::Char => true,
            Form::Null(part) | Form::Set(part) => part.is_complete(),
            Form::Tuple(_, fields) => fields.iter().all(|(_, field)| field.is_complete()),
            Form::Array(index, element) | Form::Map(index, element) => {
                index.is_complete() && element.is_complete()
            }
            Form::Union(_, variants) => variants.iter().all(|(_, v)| v.is_complete()),
            Form::Int(..) | Form::Seq(..) | Form::Mset(..) | Form::Numbered(..) => false,
        }
    }

    /// The bits that an element of a sequence takes, or a count of a multiset: never none, so that its place can be computed.
    #[must_use]
    pub fn slot_bits(&self) -> u32 {
        self.bits.max(1)
    }

    /// The packing of an integer at a place that has a range.
    fn number(universe: &Universe, place: &Place) -> Option<Self> {
        let (number, range) = universe
            .ranges()
            .and_then(|ranges: &Ranges| ranges.get(place))?;
        let Range { low, .. } = range;
        Some(Self::new(range.span(), Form::Int(low, number)))
    }

    /// The packing of the elements of a type of sets or multisets, by their numbers in a dictionary if they have one. Where a word has a
    /// bit for each code, nothing would be gained.
    fn numbered(self, universe: &Universe, whole: &Type) -> Self {
        let is_large = self.max >= u64::from(u64::BITS) && self.bits <= MAX_CODE_BITS;
        let ranges = universe.ranges().filter(|_| is_large);
        match ranges.and_then(|ranges| ranges.dictionary(&Place::Part(whole.clone(), 0))) {
            Some((number, dictionary)) => Self::new(
                dictionary.room() - 1,
                Form::Numbered(Box::new(self), Arc::clone(dictionary), number),
            ),
            None => self,
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

    fn sequence(length: Self, element: Self) -> Option<Self> {
        let slots = length.max.checked_mul(u64::from(element.slot_bits()))?;
        let bits = u32::try_from(slots).ok()?.checked_add(length.bits)?;
        if bits > u64::BITS {
            return None;
        }
        let max = (0..length.max).fold(length.max, |word, slot| {
            slot_at(&length, &element, slot).replaced(word, element.max)
        });
        let form = Form::Seq(Box::new(length), Box::new(element));
        Some(Self { bits, max, form })
    }

    fn multiset(element: Self, count: Self) -> Option<Self> {
        let (bits, max) = slots(&element, &count)?;
        let form = Form::Mset(Box::new(element), Box::new(count));
        Some(Self { bits, max, form })
    }

    /// A field that uses all codes of its bits leaves no hole among the codes of the tuple. So the others lie above it: the
    /// codes end earlier, and the holes are longer. A set of tuples then takes fewer bits.
    fn tuple(id: TupleId, fields: Vec<Self>) -> Option<Self> {
        let bits = fields
            .iter()
            .try_fold(0_u32, |bits, field| bits.checked_add(field.bits))?;
        if bits > u64::BITS {
            return None;
        }
        let mut order: Vec<usize> = (0..fields.len()).collect();
        // Of two fields, the one of whose codes a greater part is used.
        order.sort_by(|a, b| {
            let used = |field: &Self, other: &Self| (u128::from(field.max) + 1) << other.bits;
            let (a, b) = (&fields[*a], &fields[*b]);
            used(b, a).cmp(&used(a, b))
        });
        let (mut end, mut max, mut begins) = (0, 0, vec![0; fields.len()]);
        for field in order {
            begins[field] = end;
            max |= shl(fields[field].max, end);
            end += fields[field].bits;
        }
        Some(Self {
            bits,
            max,
            form: Form::Tuple(id, begins.into_iter().zip(fields).collect()),
        })
    }

    /// The variants take as many codes as they need, for a set of such values has a bit for each of them. Those of one variant
    /// begin with a word of the set or lie within one, so that they can be taken out of it.
    fn union(id: UnionId, variants: Vec<Self>) -> Option<Self> {
        let (mut next, mut max, mut placed) = (0_u64, 0, Vec::new());
        for (at, variant) in variants.into_iter().enumerate() {
            // The first one may take the whole word, if it is the only one.
            let begin = match at {
                0 => 0,
                _ => aligned(next, variant.max)?,
            };
            max = begin.checked_add(variant.max)?;
            next = max.saturating_add(1);
            placed.push((begin, variant));
        }
        Some(Self::new(max, Form::Union(id, placed)))
    }
}

/// Where a variant with the codes up to `max` may begin, from this code on: its bits in a set lie within one word, or begin with one.
fn aligned(from: u64, max: u64) -> Option<u64> {
    let word = u64::from(u64::BITS);
    match from % word + max.min(word) < word {
        true => Some(from),
        false => from.checked_next_multiple_of(word),
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

/// Where an element of a packed sequence lies.
fn slot_at(length: &Packing, element: &Packing, slot: u64) -> Slice {
    let bits = element.slot_bits();
    Slice::new(length.bits + bits * slot as u32, bits)
}

/// The position of the variant that a union's code is of, and the code of its payload. Each variant is given with the code of its first
/// payload.
#[must_use]
pub fn payload<T>(variants: &[(u64, T)], word: u64) -> (usize, u64) {
    let after = variants.partition_point(|(begin, _)| *begin <= word);
    let variant = after.saturating_sub(1);
    (variant, word - variants[variant].0)
}

/// `word << by`, where a shift by 64 (of the empty field at the end of a full word) gives 0.
fn shl(word: u64, by: u32) -> u64 {
    word.checked_shl(by).unwrap_or(0)
}
