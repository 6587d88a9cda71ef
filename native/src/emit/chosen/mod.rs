//! Tables of sets: which values of a parameter satisfy what is said of it, for all values at once.
//!
//! Who the neighbours of a node are is about no state: the set of them is looked up, and only they are tried. What is said for
//! all values of another variable becomes an intersection: of "no earlier queen attacks this column", each earlier queen
//! gives the set of the columns that it leaves, from a table by the places of the two rows and its own column.

mod lookup;
mod members;
mod tested;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types::I64;
use finite::low_bits;
use interpreter::code::{Binary, Domain, Fold, Level, Loop, Slot, Word};

use super::Emitter;
use super::dictionary::dictionary_of;
use super::tables::{LOOKUP, price};
use crate::analysis::can_stop;
use crate::support::{Source, Support, support};
use crate::value::Bits;

/// The bits of a limb.
const LIMB: u64 = u64::BITS as u64;

/// Maximum number of limbs of a set.
const MAX_LIMBS: u64 = finite::MAX_LIMBS as u64;

/// Maximum number of index bits of a table of sets.
const MAX_BITS: u32 = 13;

/// Fewer values than these are tried one by one.
const FEW: u32 = 4;

/// Of so many values, one is in a set of the state, as a rule.
const SPARSE: u32 = 16;

/// What the values of a parameter have to satisfy.
pub(super) struct Conditions {
    /// The conditions whose sets of values are looked up.
    chosen: Vec<Chosen>,
    /// What codes the values can have, a mask in limbs.
    codes: Box<[u64]>,
    /// The other conditions.
    pub(super) rest: Word,
}

/// A condition on the values of a parameter.
enum Chosen {
    /// The set of the values is in one table.
    Looked(Word),
    /// A condition is to hold for all values of another variable, where each of these gives a set.
    Each(Domain, Slot, Box<Self>),
}

/// What is known of a parameter before it has a value.
struct Values<'c> {
    slot: Slot,
    /// What codes they can have, a mask in limbs.
    codes: &'c [u64],
    /// So many values there are as a rule.
    expected: u64,
    /// What is done for each value takes at least so many operations where it is worthwhile to look the values up.
    least: u64,
    /// So many more words there can be in tables.
    room: u64,
}

impl Emitter<'_> {
    /// What the values of a binder have to satisfy, divided, if it is worthwhile to look up those that satisfy a part of it.
    pub(super) fn conditions(&mut self, level: &Level) -> Option<Conditions> {
        let codes = self.limbs_of(&level.domain)?;
        let all: u32 = codes.iter().map(|limb| limb.count_ones()).sum();
        if self.filling || all < FEW {
            return None;
        }
        let (expected, least) = match &level.domain {
            Domain::Below(_) | Domain::Codes(_) | Domain::Mask(Word::Const(_)) => (FEW, LOOKUP + 1),
            _ => (
                all.div_ceil(SPARSE),
                LOOKUP / u64::from(all.div_ceil(SPARSE)) + 1,
            ),
        };
        let slot = level.binder.slot;
        // Any value, as far as it matters which bits are read.
        self.bind_any(slot, last_code(&codes), &level.domain);
        let parts = parts_of(&level.filter);
        // What is written after a condition that can stop must not hide that it does.
        let certain = parts.iter().take_while(|part| !can_stop(part)).count();
        let (parts, hidden) = parts.split_at(certain);
        let (fixed, others): (Vec<Word>, Vec<Word>) =
            parts.iter().cloned().partition(|part| self.is_fixed(part));
        let mut values = Values {
            slot,
            codes: &codes,
            expected: u64::from(expected),
            least,
            room: self.entries / size_of::<u64>() as u64,
        };
        let (mut chosen, mut rest) = (Vec::new(), Vec::new());
        // What is about the parameters alone is one condition, and first: it costs one lookup.
        for part in std::iter::once(Word::all(fixed)).chain(others) {
            let condition = self.chosen(&part, &mut values);
            // A table says nothing of elements that had no number when it was made.
            if condition.is_none() || dictionary_of(&part).is_some() {
                rest.push(part);
            }
            chosen.extend(condition);
        }
        rest.extend_from_slice(hidden);
        let rest = Word::all(rest);
        (!chosen.is_empty()).then_some(Conditions {
            chosen,
            codes,
            rest,
        })
    }

    /// The codes that the values of a domain can have, a mask in limbs, if they are not too many.
    fn limbs_of(&mut self, domain: &Domain) -> Option<Box<[u64]>> {
        let masks = match domain {
            Domain::Below(count @ 1..) if *count <= LIMB * MAX_LIMBS => {
                let begins = (0..count.div_ceil(LIMB)).map(|limb| LIMB * limb);
                let limbs = begins.map(|begin| low_bits((count - begin).min(LIMB) as u32));
                return Some(limbs.collect());
            }
            Domain::Codes(codes) if codes.iter().all(|code| *code < LIMB * MAX_LIMBS) => {
                let last = codes.iter().copied().max()?;
                let mut limbs = vec![0; (last / LIMB + 1) as usize];
                for code in codes.iter() {
                    limbs[(code / LIMB) as usize] |= 1 << (code % LIMB);
                }
                return Some(limbs.into());
            }
            Domain::Mask(mask) => std::slice::from_ref(mask),
            Domain::Masks(masks) if masks.len() as u64 <= MAX_LIMBS => masks,
            _ => return None,
        };
        Some(masks.iter().map(|mask| self.reach.word(mask)).collect())
    }

    /// Binds a variable to a value of which nothing is known but that it is of a domain.
    fn bind_any(&mut self, slot: Slot, most: u64, domain: &Domain) {
        let any = self.builder.ins().iconst(I64, 0);
        let reach = self.reach.codes(domain);
        self.bind(slot, Bits::up_to(most, any), reach);
    }

    /// Whether a condition is about the parameters alone.
    fn is_fixed(&self, word: &Word) -> bool {
        let known = support(word, &self.slots, &self.reach);
        known.is_some_and(|known| {
            let mut groups = known.groups.iter();
            groups.all(|group| matches!(group.source, Source::Slot(_)))
        })
    }

    /// A condition as sets that are looked up, if that is worthwhile.
    fn chosen(&mut self, part: &Word, values: &mut Values<'_>) -> Option<Chosen> {
        if can_stop(part) {
            return None;
        }
        if self.is_worth_sets(part, values) {
            return Some(Chosen::Looked(part.clone()));
        }
        let turn = for_all(part).and_then(|turn| self.over_any(turn, values.slot))?;
        let most = self.reach.as_mask(&turn.domain).checked_ilog2()?;
        self.bind_any(turn.slot, u64::from(most), &turn.domain);
        let body = self.chosen(&turn.body, values)?;
        Some(Chosen::Each(turn.domain, turn.slot, Box::new(body)))
    }

    /// A loop over values that another variable has no part in, made of one that may run through others for each value of the
    /// variable: what is said of these is then said where they are among them.
    fn over_any(&mut self, mut turn: Loop, slot: Slot) -> Option<Loop> {
        let mask = match &turn.domain {
            Domain::Below(1..) => return Some(turn),
            Domain::Mask(mask) => mask,
            _ => return None,
        };
        let (mut apart, mut by_slot) = (Vec::new(), Vec::new());
        divide(mask, slot, &mut apart, &mut by_slot);
        let among = by_slot.iter().map(|mask| {
            let own = Word::Local(turn.slot);
            Word::binary(Binary::Member, own, (*mask).clone())
        });
        let among = Word::all(among.collect());
        let all = apart
            .into_iter()
            .cloned()
            .reduce(|all, mask| Word::binary(Binary::And, all, mask));
        let all = all.unwrap_or_else(|| Word::Const(self.reach.word(mask)));
        if among != Word::TRUE {
            turn.body = Word::Implies(Box::new([among, turn.body]));
        }
        turn.domain = Domain::Mask(all);
        Some(turn)
    }

    /// Whether a table has room for the sets of the values that satisfy a condition, and saves work.
    fn is_worth_sets(&self, part: &Word, values: &mut Values<'_>) -> bool {
        let Some(known) = self.support_beside(part, values.slot) else {
            return false;
        };
        let effort = self.effort(part);
        let more_limbs = 2 * (values.codes.len() as u64 - 1);
        let words = entry_words(values.codes) << known.bits().min(MAX_BITS);
        let good = known.bits() <= MAX_BITS
            && words <= values.room
            && effort >= values.least
            && effort * values.expected >= price(&known) + more_limbs;
        if good {
            values.room -= words;
        }
        good
    }

    /// What a condition depends on beside a variable, if the variable does not determine which bits are read.
    fn support_beside(&self, part: &Word, slot: Slot) -> Option<Support> {
        let mut known = support(part, &self.slots, &self.reach)?;
        known
            .groups
            .retain(|group| group.source != Source::Slot(slot));
        let mut offsets = known.groups.iter().flat_map(|group| &group.offset);
        offsets.all(|(by, _)| *by != slot).then_some(known)
    }
}

/// The parts of a conjunction.
fn parts_of(filter: &Word) -> &[Word] {
    match filter {
        Word::And(parts) => parts,
        single => std::slice::from_ref(single),
    }
}

/// The greatest code of a mask in limbs.
fn last_code(codes: &[u64]) -> u64 {
    let limbs = (0..).zip(codes);
    let last = limbs.filter_map(|(at, limb)| Some(LIMB * at + u64::from(limb.checked_ilog2()?)));
    last.last().unwrap_or(0)
}

/// The words that a set of some codes takes in a table, where one bit of the first says that the set is there: it is the
/// highest bit of the first limb, or of a word before it if that bit stands for a code.
fn entry_words(codes: &[u64]) -> u64 {
    codes.len() as u64 + u64::from(is_full(codes))
}

/// Whether the highest bit of the first limb stands for a code.
fn is_full(codes: &[u64]) -> bool {
    codes[0] >> (LIMB - 1) != 0
}

/// A condition as a loop that asks for something of all values of a variable, with what is named or supposed outside the loop
/// named or supposed inside instead.
fn for_all(word: &Word) -> Option<Loop> {
    match word {
        Word::Loop(turn) if turn.fold == Fold::All => Some((**turn).clone()),
        Word::Implies(parts) => {
            let mut turn = for_all(&parts[1])?;
            turn.body = Word::Implies(Box::new([parts[0].clone(), turn.body]));
            Some(turn)
        }
        Word::Let(slot, parts) => {
            let mut turn = for_all(&parts[1])?;
            let is_named = match &turn.domain {
                Domain::Below(_) => false,
                Domain::Mask(mask) => mentions(mask, *slot),
                _ => true,
            };
            let body = Box::new([parts[0].clone(), turn.body]);
            turn.body = Word::Let(*slot, body);
            (!is_named).then_some(turn)
        }
        _ => None,
    }
}

/// Divides a mask into masks of which it is the intersection: those that a variable has no part in, and the others.
fn divide<'w>(mask: &'w Word, slot: Slot, apart: &mut Vec<&'w Word>, others: &mut Vec<&'w Word>) {
    match mask {
        mask if !mentions(mask, slot) => apart.push(mask),
        Word::Binary(Binary::And, parts) => {
            let parts = parts.iter();
            parts.for_each(|part| divide(part, slot, apart, others));
        }
        mask => others.push(mask),
    }
}

/// Whether a term may read a variable.
pub(super) fn mentions(word: &Word, slot: Slot) -> bool {
    let mut found = match word {
        Word::Local(own) => *own == slot,
        Word::Cell(_) => true,
        Word::Loop(turn) => !matches!(
            turn.domain,
            Domain::Below(_) | Domain::Codes(_) | Domain::Mask(_) | Domain::Masks(_)
        ),
        _ => false,
    };
    word.children(&mut |child| found |= mentions(child, slot));
    found
}
