//! Where the elements of interchangeable sorts lie in a value of several words, such as a long sequence or a large set of
//! messages.

use std::ops::Range;

use finite::{Packing, Slots, WideForm};
use ioa_lang::core::SortId;

use super::bits::ones;
use super::colour::{Colours, Keys, mix, salt};
use super::renaming::Renaming;
use super::structure::Structure;

/// A value in several limbs.
#[derive(Clone, Debug)]
pub(super) enum Wide {
    /// A mask over the codes of these.
    Set(Structure),
    /// As many entries as the last limb says.
    Sequence(Entries),
    /// Entries by the code of an index.
    Array {
        /// The index.
        index: Structure,
        /// The codes of its values.
        codes: Vec<u64>,
        /// An entry for each code.
        entries: Entries,
    },
    /// Fields, each with its limbs.
    Tuple(Vec<(Range<usize>, Entries)>),
}

/// Equal parts of a value, side by side.
#[derive(Clone, Debug)]
pub(super) enum Entries {
    /// Many of them fit into a limb.
    Words(Slots, Structure),
    /// Each takes so many limbs.
    Limbs(usize, Box<Wide>),
}

impl Wide {
    /// The parts of the values of a packing, where `is_moved` says which sorts matter.
    pub(super) fn of(wide: &finite::Wide, is_moved: &dyn Fn(SortId) -> bool) -> Self {
        let part = |packing: &Packing| Structure::of(packing, is_moved);
        let words = |packing: &Packing| Entries::words(packing, is_moved);
        let array = |index: &Packing, entries: Entries| Self::Array {
            index: part(index),
            codes: index.values().collect(),
            entries,
        };
        match &wide.form {
            WideForm::Set(element) => Self::Set(part(element)),
            WideForm::Seq { element, .. } => Self::Sequence(words(element)),
            WideForm::Array(index, element) => array(index, Entries::of(element, is_moved)),
            WideForm::Map(domain, slot) => array(domain, words(slot)),
            WideForm::Mset(element, count) => array(element, words(count)),
            WideForm::Tuple(_, fields) => {
                let fields = fields.iter().scan(0, |begin, field| {
                    let from = *begin;
                    *begin += field.limbs().len();
                    Some((from..*begin, Entries::of(field, is_moved)))
                });
                Self::Tuple(fields.collect())
            }
        }
    }

    /// Whether there are elements in it.
    pub(super) fn moves(&self) -> bool {
        match self {
            Self::Set(element) => element.moves(),
            Self::Sequence(entries) => entries.moves(),
            Self::Array { index, entries, .. } => index.moves() || entries.moves(),
            Self::Tuple(fields) => fields.iter().any(|(_, field)| field.moves()),
        }
    }

    /// A number for a value, as [`Structure::colour`] gives one.
    fn colour(&self, limbs: &[u64], colours: &Colours) -> u64 {
        match self {
            Self::Set(element) => {
                let members = members(limbs).map(|m| mix(salt::SET, element.colour(m, colours)));
                members.fold(salt::SET, u64::wrapping_add)
            }
            Self::Sequence(entries) => positions(limbs).fold(salt::SEQUENCE, |all, n| {
                mix(all, entries.colour(limbs, n, colours))
            }),
            Self::Array {
                index,
                codes,
                entries,
            } => {
                let all = places(index, codes, entries, limbs).map(|i| {
                    let entry = entries.colour(limbs, *i, colours);
                    mix(index.colour(*i, colours), entry)
                });
                all.fold(salt::ARRAY, u64::wrapping_add)
            }
            Self::Tuple(fields) => fields.iter().fold(salt::FIELDS, |all, (at, field)| {
                mix(all, field.colour(&limbs[at.clone()], 0, colours))
            }),
        }
    }

    /// Adds to the key of each element that stands in a value, as [`Structure::add_keys`] does.
    pub(super) fn add_keys(&self, limbs: &[u64], place: u64, colours: &Colours, keys: &mut Keys) {
        match self {
            Self::Set(element) => {
                for member in members(limbs) {
                    let place = mix(place, element.colour(member, colours));
                    element.add_keys(member, place, colours, keys);
                }
            }
            Self::Sequence(entries) => {
                for n in positions(limbs) {
                    let place = mix(place, salt::SEQUENCE ^ (n + 1) << 8);
                    entries.add_keys(limbs, n, place, colours, keys);
                }
            }
            Self::Array {
                index,
                codes,
                entries,
            } => {
                for i in places(index, codes, entries, limbs) {
                    let entry = entries.colour(limbs, *i, colours);
                    let place = mix(place, mix(index.colour(*i, colours), entry));
                    index.add_keys(*i, mix(place, salt::INDEX), colours, keys);
                    entries.add_keys(limbs, *i, mix(place, salt::ELEMENT), colours, keys);
                }
            }
            Self::Tuple(fields) => {
                for (n, (at, field)) in (1..).zip(fields) {
                    field.add_keys(&limbs[at.clone()], 0, mix(place, n), colours, keys);
                }
            }
        }
    }

    /// Puts into `out`, which holds zeros, the value in which every element has its new name.
    pub(super) fn rename(&self, limbs: &[u64], renaming: &Renaming, out: &mut [u64]) {
        match self {
            Self::Set(element) => {
                for member in members(limbs) {
                    Slots::of(1).put(out, element.renamed(member, renaming), 1);
                }
            }
            Self::Sequence(entries) => {
                for n in positions(limbs) {
                    entries.rename(limbs, (n, n), renaming, out);
                }
                if let (Some(length), Some(out)) = (limbs.last(), out.last_mut()) {
                    *out = *length;
                }
            }
            Self::Array {
                index,
                codes,
                entries,
            } => {
                for i in places(index, codes, entries, limbs) {
                    let to = index.renamed(*i, renaming);
                    entries.rename(limbs, (*i, to), renaming, out);
                }
            }
            Self::Tuple(fields) => {
                for (at, field) in fields {
                    let (from, to) = (&limbs[at.clone()], &mut out[at.clone()]);
                    field.rename(from, (0, 0), renaming, to);
                }
            }
        }
    }
}

impl Entries {
    fn of(part: &finite::Part, is_moved: &dyn Fn(SortId) -> bool) -> Self {
        match part {
            finite::Part::Word(packing) => Self::words(packing, is_moved),
            finite::Part::Wide(wide) => {
                let limbs = Box::new(Wide::of(wide, is_moved));
                Self::Limbs(wide.limbs.len(), limbs)
            }
        }
    }

    fn words(packing: &Packing, is_moved: &dyn Fn(SortId) -> bool) -> Self {
        let part = Structure::of(packing, is_moved);
        Self::Words(Slots::of(packing.slot_bits()), part)
    }

    fn moves(&self) -> bool {
        match self {
            Self::Words(_, part) => part.moves(),
            Self::Limbs(_, wide) => wide.moves(),
        }
    }

    fn colour(&self, limbs: &[u64], at: u64, colours: &Colours) -> u64 {
        match self {
            Self::Words(slots, part) => part.colour(slots.get(limbs, at), colours),
            Self::Limbs(count, wide) => wide.colour(&limbs[run(at, *count)], colours),
        }
    }

    fn add_keys(&self, limbs: &[u64], at: u64, place: u64, colours: &Colours, keys: &mut Keys) {
        match self {
            Self::Words(slots, part) => part.add_keys(slots.get(limbs, at), place, colours, keys),
            Self::Limbs(n, wide) => wide.add_keys(&limbs[run(at, *n)], place, colours, keys),
        }
    }

    /// Renames the elements of an entry, and moves it from one place to another.
    fn rename(&self, limbs: &[u64], (at, to): (u64, u64), renaming: &Renaming, out: &mut [u64]) {
        match self {
            Self::Words(slots, part) => {
                slots.put(out, to, part.renamed(slots.get(limbs, at), renaming));
            }
            Self::Limbs(n, wide) => {
                wide.rename(&limbs[run(at, *n)], renaming, &mut out[run(to, *n)]);
            }
        }
    }
}

/// The codes of an index at which entries matter: a number is one of an element only where that element is there.
fn places<'p>(
    index: &Structure,
    codes: &'p [u64],
    entries: &'p Entries,
    limbs: &'p [u64],
) -> impl Iterator<Item = &'p u64> {
    let are_all = !matches!(index, Structure::Numbered(..));
    let is_there = move |i: &&u64| match entries {
        Entries::Words(slots, _) => are_all || slots.get(limbs, **i) != 0,
        Entries::Limbs(..) => true,
    };
    codes.iter().filter(is_there)
}

/// The limbs of an entry that takes so many.
fn run(at: u64, count: usize) -> Range<usize> {
    let from = at as usize * count;
    from..from + count
}

/// The codes of the members of a set.
fn members(limbs: &[u64]) -> impl Iterator<Item = u64> {
    let limbs = (0..).zip(limbs);
    limbs.flat_map(|(n, limb): (u64, _)| ones(*limb).map(move |one| n * u64::from(u64::BITS) + one))
}

/// The positions of a sequence, whose length is in the last limb.
fn positions(limbs: &[u64]) -> Range<u64> {
    0..limbs.last().copied().unwrap_or(0)
}
