//! Memo tables: values of terms are stored when they are first computed, indexed by the bits that they depend on.
//!
//! The same is done with the values of a parameter that satisfy what is said of it and of the parameters before it, but of
//! no state: who the neighbours of a node are, say. Then only these values are tried, and not all.
//!
//! A precondition with quantifiers inside quantifiers can take a hundred operations, and yet depend on a dozen bits of the
//! state. Then these bits are gathered into the index of a table entry, which holds the value once it has been computed.

use std::sync::atomic::{AtomicU8, AtomicU64};

use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData};
use finite::low_bits;
use interpreter::code::{Domain, Level, Word};

use super::Emitter;
use crate::analysis::{can_stop, size};
use crate::jit::kept::Kept;
use crate::reach::smear;
use crate::support::{BitGroup, Source, Support, bits_of, support};
use crate::value::{Bits, Truth};

/// Maximum number of index bits of a table.
const MAX_BITS: u32 = 18;

/// The cost of a lookup in operations, without gathering the bits.
const LOOKUP: u64 = 5;

/// The codes in a table of sets are below this number, so that a bit is left.
const SETS: u64 = 63;

/// Maximum number of index bits of a table of sets.
const MAX_BITS_OF_SETS: u32 = 12;

/// Fewer values than these are tried one by one.
const FEW: u32 = 4;

/// What the values of a parameter have to satisfy.
pub(super) struct Conditions {
    /// What the sets of the values depend on that satisfy the conditions that are about no state.
    known: Support,
    /// These conditions.
    fixed: Word,
    /// What codes the values can have.
    codes: u64,
    /// The other ones.
    pub(super) rest: Word,
}

/// A value is looked up if computing it costs this many times more.
const GAIN: u64 = 2;

impl Emitter<'_> {
    /// The bits that a term depends on, if its values are worth a table.
    pub(super) fn worth_a_table(&self, word: &Word) -> Option<Support> {
        if self.filling {
            return None;
        }
        let known = support(word, &self.slots, &self.reach)?;
        let good = known.bits() <= MAX_BITS
            && 1 << known.bits() <= self.entries
            && known.work >= GAIN * price(&known);
        good.then_some(known)
    }

    /// Approximate number of operations to obtain the truth value of a term.
    pub(super) fn effort(&self, word: &Word) -> u64 {
        match word {
            Word::And(parts) => parts.iter().map(|part| self.effort(part)).sum(),
            Word::Loop(_) | Word::Let(..) => match self.worth_a_table(word) {
                Some(known) => price(&known),
                None => size(word),
            },
            word => size(word),
        }
    }

    /// What the values of a binder have to satisfy, divided, if it is worthwhile to look up those that satisfy what is about
    /// no state.
    pub(super) fn conditions(&mut self, level: &Level) -> Option<Conditions> {
        let (codes, least) = match &level.domain {
            Domain::Below(count @ 0..SETS) => (low_bits(*count as u32), u64::from(FEW)),
            Domain::Mask(Word::Const(codes)) => (*codes, u64::from(FEW)),
            // There may be a single value.
            Domain::Mask(mask) => (self.reach.word(mask), 1),
            _ => return None,
        };
        if self.filling || codes.count_ones() < FEW || codes >> SETS != 0 {
            return None;
        }
        // Any value, as far as it matters which bits are read.
        let any = self.builder.ins().iconst(I64, 0);
        let reach = self.reach.codes(&level.domain);
        self.bind(
            level.binder.slot,
            Bits::up_to(u64::from(codes.ilog2()), any),
            reach,
        );
        let parts = match &level.filter {
            Word::And(parts) => &**parts,
            single => std::slice::from_ref(single),
        };
        let (fixed, rest): (Vec<Word>, Vec<Word>) = parts
            .iter()
            .cloned()
            .partition(|part| !can_stop(part) && self.is_fixed(part));
        let (fixed, rest) = (Word::all(fixed), Word::all(rest));
        let effort = self.effort(&fixed);
        let mut known = support(&fixed, &self.slots, &self.reach)?;
        let own = Source::Slot(level.binder.slot);
        known.groups.retain(|group| group.source != own);
        let mut offsets = known.groups.iter().flat_map(|group| &group.offset);
        let good = offsets.all(|(slot, _)| *slot != level.binder.slot)
            && known.bits() <= MAX_BITS_OF_SETS
            && (8 << known.bits()) <= self.entries
            && effort > LOOKUP
            && effort * least >= price(&known);
        good.then_some(Conditions {
            known,
            fixed,
            codes,
            rest,
        })
    }

    /// Whether a condition is about the parameters alone.
    fn is_fixed(&self, word: &Word) -> bool {
        let known = support(word, &self.slots, &self.reach);
        known.is_some_and(|known| {
            let mut groups = known.groups.iter();
            groups.all(|group| matches!(group.source, Source::Slot(_)))
        })
    }

    /// The codes of a binder's values that satisfy the conditions that are about no state.
    pub(super) fn values_of(&mut self, level: &Level, conditions: &Conditions) -> Bits {
        let (slot, codes) = (level.binder.slot, conditions.codes);
        let set = self.tabulated_set(&conditions.known, |e| {
            e.gathering(&mut |e, found| {
                e.each_bit(Bits::Known(codes), &mut |e, code| {
                    e.bind(slot, code, smear(u64::from(codes.ilog2())));
                    let holds = e.truth(&conditions.fixed);
                    e.gather(found, code, holds);
                });
            })
        });
        match &level.domain {
            Domain::Mask(mask) => {
                let mask = self.word(mask);
                self.and(set, mask)
            }
            _ => set,
        }
    }

    /// A set of codes below 63, computed by `compute` if it is not in the table yet.
    fn tabulated_set(&mut self, known: &Support, compute: impl FnOnce(&mut Self) -> Bits) -> Bits {
        let is_there = 1 << SETS;
        let entries: u64 = 1 << known.bits();
        self.entries -= 8 * entries;
        let table = (0..entries).map(|_| AtomicU64::new(0)).collect();
        let start = self.address(Kept::Sets(table));
        let key = self.gathered(&known.groups);
        let key = self.at_most(key, entries - 1);
        let distance = self.mul(key, 8);
        let place = self.add(start, distance);
        let place = self.value(place);
        let flags = MemFlagsData::trusted();
        let entry = self.builder.ins().load(I64, flags, place, 0);
        let [fill, done] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.set_cold_block(fill);
        let result = self.builder.append_block_param(done, I64);
        let there = [BlockArg::Value(entry)];
        self.builder.ins().brif(entry, done, &there, fill, &[]);
        self.enter(fill);
        self.filling = true;
        let set = compute(self);
        self.filling = false;
        let filled = self.or(set, Bits::Known(is_there));
        let filled = self.value(filled);
        self.builder.ins().store(flags, filled, place, 0);
        self.builder.ins().jump(done, &[BlockArg::Value(filled)]);
        self.enter(done);
        self.and(Bits::any(result), Bits::Known(is_there - 1))
    }

    /// The truth value of a term, computed by `compute` if it is not in the table yet.
    pub(super) fn tabulated(
        &mut self,
        known: &Support,
        compute: impl FnOnce(&mut Self) -> Truth,
    ) -> Truth {
        let key = self.gathered(&known.groups);
        let entries: u64 = 1 << known.bits();
        self.entries -= entries;
        let table = (0..entries).map(|_| AtomicU8::new(0)).collect();
        let start = self.address(Kept::Table(table));
        let key = self.at_most(key, entries - 1);
        let place = self.add(start, key);
        let place = self.value(place);
        let flags = MemFlagsData::trusted();
        let entry = self.builder.ins().load(I8, flags, place, 0);
        let [fill, done] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.set_cold_block(fill);
        let result = self.builder.append_block_param(done, I8);
        let there = [BlockArg::Value(entry)];
        self.builder.ins().brif(entry, done, &there, fill, &[]);
        self.enter(fill);
        self.filling = true;
        let truth = compute(self);
        self.filling = false;
        let truth = self.byte(truth);
        let one = self.builder.ins().iconst(I8, 1);
        let filled = self.builder.ins().iadd(truth, one);
        self.builder.ins().store(flags, filled, place, 0);
        self.builder.ins().jump(done, &[BlockArg::Value(filled)]);
        self.enter(done);
        Truth::In(self.builder.ins().ushr_imm_u(result, 1))
    }

    /// The bits of some groups, side by side.
    fn gathered(&mut self, groups: &[BitGroup]) -> Bits {
        let (mut key, mut at) = (Bits::Known(0), 0);
        for group in groups {
            let from = self.shifted(group);
            for (start, length) in runs(group.mask) {
                let part = if start >= at {
                    self.shr(from, Bits::Known(u64::from(start - at)))
                } else {
                    self.shl(from, Bits::Known(u64::from(at - start)))
                };
                let part = self.and(part, Bits::Known(low_bits(length) << at));
                key = self.or(key, part);
                at += length;
            }
        }
        key
    }

    /// The source of a group, shifted right to the group.
    fn shifted(&mut self, group: &BitGroup) -> Bits {
        let word = match group.source {
            Source::State(store, word) => {
                let word = self.stores[store as usize][word];
                Bits::any(self.builder.use_var(word))
            }
            Source::Slot(slot) => self.slot(slot),
        };
        let mut by = Bits::Known(0);
        for (slot, width) in &group.offset {
            let index = self.slot(*slot);
            let more = self.offset(index, *width);
            by = self.add(by, more);
        }
        self.shr(word, by)
    }
}

/// Approximate number of operations to look a value up.
pub(super) fn price(known: &Support) -> u64 {
    let groups = known.groups.iter();
    let gathering = groups.map(|p| 3 * runs(p.mask).count() as u64 + 2 * p.offset.len() as u64);
    LOOKUP + gathering.sum::<u64>()
}

/// The runs of adjacent bits in a mask, lowest first: the start and the length of each.
fn runs(mask: u64) -> impl Iterator<Item = (u32, u32)> {
    let starts = bits_of(mask & !(mask << 1));
    starts.map(move |start| (start, (mask >> start).trailing_ones()))
}
