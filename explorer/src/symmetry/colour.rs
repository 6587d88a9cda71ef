//! What can be said about an element in a state without naming any: a number that permutations carry along.
//!
//! The elements have *colours*; elements that have not been told apart yet have the same. From them follows a number for
//! each part of a state, in which the parts of sets and arrays are added up, so that their order does not matter. An
//! element's *key* sums up the places in which it stands: renaming the elements of a state, with their colours, renames
//! the keys and changes none. That two numbers may be equal by chance does no harm: elements are then told apart later.

use finite::payload;
use ioa_lang::core::SortId;

use super::bits::ones;
use super::structure::{Structure, elements, entry};

/// By sort and element, the elements' colours.
pub(super) type Colours = Vec<Vec<u64>>;

/// By sort and element, the elements' keys.
pub(super) type Keys = Vec<Vec<u64>>;

/// Spreads all bits of a number over all bits of the result, and back again in no way that matters.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let x = (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ x >> 29
}

/// What stands for the parts of different kinds.
pub(super) mod salt {
    pub(in crate::symmetry) const NIL: u64 = 1;
    pub(in crate::symmetry) const SOME: u64 = 2;
    pub(in crate::symmetry) const SET: u64 = 3;
    pub(in crate::symmetry) const FIELDS: u64 = 4;
    pub(in crate::symmetry) const ARRAY: u64 = 5;
    pub(in crate::symmetry) const INDEX: u64 = 6;
    pub(in crate::symmetry) const ELEMENT: u64 = 7;
    pub(in crate::symmetry) const UNION: u64 = 8;
    pub(in crate::symmetry) const SEQUENCE: u64 = 9;
}

impl Structure {
    /// A number for a value.
    pub(super) fn colour(&self, code: u64, colours: &Colours) -> u64 {
        match self {
            Self::Plain => code,
            Self::Element(sort) => colours[sort.index()][code as usize],
            Self::Null(_) if code == 0 => salt::NIL,
            Self::Null(inner) => mix(salt::SOME, inner.colour(code - 1, colours)),
            Self::Set(element) => {
                let ones = ones(code).map(|one| mix(salt::SET, element.colour(one, colours)));
                ones.fold(salt::SET, u64::wrapping_add)
            }
            Self::Fields(fields) => fields.iter().fold(salt::FIELDS, |all, field| {
                mix(all, field.part().colour(field.read(code), colours))
            }),
            Self::Array {
                index,
                codes,
                width,
                element,
            } => {
                let entries = codes.iter().map(|i| {
                    let element = element.colour(entry(code, *i, *width), colours);
                    mix(index.colour(*i, colours), element)
                });
                entries.fold(salt::ARRAY, u64::wrapping_add)
            }
            Self::Sequence {
                length,
                width,
                element,
            } => elements(code, *length, *width).fold(salt::SEQUENCE, |all, (_, code)| {
                mix(all, element.colour(code, colours))
            }),
            Self::Union(variants) => {
                let (variant, payload) = payload(variants, code);
                let inner = variants[variant].1.colour(payload, colours);
                mix(salt::UNION ^ (variant as u64) << 8, inner)
            }
            Self::Numbered(inner, dictionary) => inner.colour(dictionary.code(code), colours),
        }
    }

    /// Adds to the key of each element that stands in a value: in which place, where `place` stands for the value's.
    pub(super) fn add_keys(&self, code: u64, place: u64, colours: &Colours, keys: &mut Keys) {
        match self {
            Self::Plain => {}
            Self::Element(sort) => add(keys, *sort, code, place),
            Self::Null(_) if code == 0 => {}
            Self::Null(inner) => inner.add_keys(code - 1, mix(place, salt::SOME), colours, keys),
            Self::Set(element) => {
                for one in ones(code) {
                    let place = mix(place, element.colour(one, colours));
                    element.add_keys(one, place, colours, keys);
                }
            }
            Self::Fields(fields) => {
                for (n, field) in (1..).zip(fields) {
                    let code = field.read(code);
                    field.part().add_keys(code, mix(place, n), colours, keys);
                }
            }
            Self::Array {
                index,
                codes,
                width,
                element,
            } => {
                for i in codes {
                    let code = entry(code, *i, *width);
                    let (a, b) = (index.colour(*i, colours), element.colour(code, colours));
                    let place = mix(place, mix(a, b));
                    index.add_keys(*i, mix(place, salt::INDEX), colours, keys);
                    element.add_keys(code, mix(place, salt::ELEMENT), colours, keys);
                }
            }
            Self::Sequence {
                length,
                width,
                element,
            } => {
                for (n, (_, code)) in (1..).zip(elements(code, *length, *width)) {
                    let place = mix(place, salt::SEQUENCE ^ n << 8);
                    element.add_keys(code, place, colours, keys);
                }
            }
            Self::Union(variants) => {
                let (variant, payload) = payload(variants, code);
                let place = mix(place, salt::UNION ^ (variant as u64) << 8);
                variants[variant].1.add_keys(payload, place, colours, keys);
            }
            Self::Numbered(inner, dictionary) => {
                inner.add_keys(dictionary.code(code), place, colours, keys);
            }
        }
    }
}

/// Adds one place in which an element stands.
pub(super) fn add(keys: &mut Keys, sort: SortId, element: u64, place: u64) {
    let key = &mut keys[sort.index()][element as usize];
    *key = key.wrapping_add(mix(place, salt::ELEMENT));
}
