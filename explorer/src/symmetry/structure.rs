//! Where the elements of interchangeable sorts lie in a packed value: its form, with all that mentions none of them cut
//! off.

use std::sync::Arc;

use finite::{Dictionary, Form, Packing, Slice, payload};
use ioa_lang::core::SortId;

use super::bits::ones;
use super::renaming::Renaming;

/// What a packed value, or a part of one, consists of.
#[derive(Clone, Debug)]
pub(super) enum Structure {
    /// It has no element of those sorts.
    Plain,
    /// An element.
    Element(SortId),
    /// 0 or a code plus 1.
    Null(Box<Structure>),
    /// A mask over the codes of these.
    Set(Box<Structure>),
    /// Parts side by side.
    Fields(Vec<Slot>),
    /// Parts side by side, by the code of an index.
    Array {
        /// The index.
        index: Box<Structure>,
        /// The codes of its values.
        codes: Vec<u64>,
        /// The width of an element in bits, never 0.
        width: u32,
        /// An element.
        element: Box<Structure>,
    },
    /// A length, and above it as many parts as it says.
    Sequence {
        /// The bits of the length.
        length: u32,
        /// The width of an element in bits.
        width: u32,
        /// An element.
        element: Box<Structure>,
    },
    /// The variants in their order, each with the code of its first payload.
    Union(Vec<(u64, Structure)>),
    /// The number of a code in a dictionary.
    Numbered(Box<Structure>, Arc<Dictionary>),
}

/// A field of a tuple.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    at: u32,
    width: u32,
    part: Structure,
}

impl Slot {
    /// Its bits in the tuple's code.
    pub(super) fn slice(&self) -> Slice {
        Slice::new(self.at, self.width)
    }

    /// The field's part.
    pub(super) fn part(&self) -> &Structure {
        &self.part
    }

    /// The field's code in the tuple's.
    pub(super) fn read(&self, code: u64) -> u64 {
        self.slice().read(code)
    }
}

impl Structure {
    /// The parts of the values of a packing, where `is_moved` says which sorts matter.
    pub(super) fn of(packing: &Packing, is_moved: &dyn Fn(SortId) -> bool) -> Self {
        let of = |packing: &Packing| Self::of(packing, is_moved);
        let boxed = |packing: &Packing| Box::new(of(packing));
        let part = match &packing.form {
            Form::Sort(sort) if is_moved(*sort) => Self::Element(*sort),
            Form::Bool | Form::Sort(_) | Form::Enum(_) | Form::Char | Form::Int(..) => Self::Plain,
            Form::Null(inner) => Self::Null(boxed(inner)),
            Form::Set(element) => Self::Set(boxed(element)),
            Form::Tuple(_, fields) => Self::Fields(
                fields
                    .iter()
                    .map(|(at, field)| Slot {
                        at: *at,
                        width: field.bits,
                        part: of(field),
                    })
                    .collect(),
            ),
            // Elements without bits do not differ: neither do the arrays of them.
            Form::Array(_, element) | Form::Map(_, element) | Form::Mset(_, element)
                if element.bits == 0 =>
            {
                Self::Plain
            }
            Form::Array(index, element)
            | Form::Map(index, element)
            | Form::Mset(index, element) => Self::Array {
                index: boxed(index),
                codes: index.values().collect(),
                width: element.bits,
                element: boxed(element),
            },
            Form::Seq(length, element) => Self::Sequence {
                length: length.bits,
                width: element.slot_bits(),
                element: boxed(element),
            },
            Form::Union(_, variants) => {
                let variants = variants.iter();
                Self::Union(variants.map(|(begin, v)| (*begin, of(v))).collect())
            }
            Form::Numbered(inner, dictionary, _) => {
                Self::Numbered(boxed(inner), Arc::clone(dictionary))
            }
        };
        if part.moves() { part } else { Self::Plain }
    }

    /// Whether there are elements in it.
    pub(super) fn moves(&self) -> bool {
        match self {
            Self::Plain => false,
            Self::Element(_) => true,
            Self::Null(inner) | Self::Set(inner) | Self::Numbered(inner, _) => inner.moves(),
            Self::Fields(fields) => fields.iter().any(|f| f.part.moves()),
            Self::Array { index, element, .. } => index.moves() || element.moves(),
            Self::Sequence { element, .. } => element.moves(),
            Self::Union(variants) => variants.iter().any(|(_, variant)| variant.moves()),
        }
    }

    /// The code of the value in which every element has its new name.
    pub(super) fn renamed(&self, code: u64, renaming: &Renaming) -> u64 {
        match self {
            Self::Plain => code,
            Self::Element(sort) => renaming.image(*sort, code),
            Self::Null(_) if code == 0 => 0,
            Self::Null(inner) => inner.renamed(code - 1, renaming) + 1,
            Self::Set(element) => {
                let images = ones(code).map(|one| 1 << element.renamed(one, renaming));
                images.fold(0, |mask, one: u64| mask | one)
            }
            Self::Fields(fields) => fields.iter().fold(0, |all, field| {
                let renamed = field.part.renamed(field.read(code), renaming);
                all | shifted(renamed, field.at)
            }),
            Self::Array {
                index,
                codes,
                width,
                element,
            } => codes.iter().fold(0, |all, i| {
                let renamed = element.renamed(entry(code, *i, *width), renaming);
                let at = index.renamed(*i, renaming) as u32 * width;
                all | shifted(renamed, at)
            }),
            Self::Sequence {
                length,
                width,
                element,
            } => {
                let start = bits(code, 0, *length);
                elements(code, *length, *width).fold(start, |all, (at, code)| {
                    all | shifted(element.renamed(code, renaming), at)
                })
            }
            Self::Union(variants) => {
                let (variant, payload) = payload(variants, code);
                let (begin, inner) = &variants[variant];
                begin + inner.renamed(payload, renaming)
            }
            Self::Numbered(inner, dictionary) => {
                let renamed = inner.renamed(dictionary.code(code), renaming);
                dictionary.number(renamed).unwrap_or_else(|| {
                    // All is computed again when it has a number.
                    dictionary.meet(renamed);
                    code
                })
            }
        }
    }
}

/// The code at an index of an array with elements of so many bits.
pub(super) fn entry(code: u64, index: u64, width: u32) -> u64 {
    bits(code, index as u32 * width, width)
}

/// The elements of a sequence, each with its first bit.
pub(super) fn elements(code: u64, length: u32, width: u32) -> impl Iterator<Item = (u32, u64)> {
    let count = bits(code, 0, length) as u32;
    let places = (0..count).map(move |at| length + at * width);
    places.map(move |at| (at, bits(code, at, width)))
}

fn bits(code: u64, at: u32, width: u32) -> u64 {
    Slice::new(at, width).read(code)
}

/// A field without bits may lie after the last bit.
fn shifted(code: u64, at: u32) -> u64 {
    code.checked_shl(at).unwrap_or(0)
}
