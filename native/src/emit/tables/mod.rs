//! Memo tables: values of terms are stored when they are first computed, indexed by the bits that they depend on.
//!
//! A precondition with quantifiers inside quantifiers can take a hundred operations, and yet depend on a dozen bits of the
//! state. Then these bits are gathered into the index of a table entry, which holds the value once it has been computed.

mod fill;

use std::sync::atomic::AtomicU8;

use cranelift_codegen::ir::types::I8;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData};
use finite::low_bits;
use interpreter::code::Word;

use crate::analysis::size;
use crate::emit::Emitter;
use crate::jit::kept::Kept;
use crate::support::{BitGroup, Source, Support, bits_of, support};
use crate::value::{Bits, Truth};

/// Maximum number of index bits of a table.
const MAX_BITS: u32 = 18;

/// The cost of a lookup in operations, without gathering the bits.
pub(super) const LOOKUP: u64 = 5;

/// A value is looked up if computing it costs this many times more.
const GAIN: u64 = 2;

impl Emitter<'_> {
    /// The bits that a term depends on, if its values are worth a table.
    pub(super) fn worth_a_table(&self, word: &Word) -> Option<Support> {
        if self.filling || self.stops.is_some() {
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

    /// The truth value of a term, which is computed if it is not in the table yet.
    pub(super) fn tabulated(&mut self, known: &Support, word: &Word) -> Truth {
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
        self.fill(word, known, place);
        let filled = self.builder.ins().load(I8, flags, place, 0);
        let there = [BlockArg::Value(filled)];
        let ins = self.builder.ins();
        ins.brif(filled, done, &there, self.bailout, &[]);
        self.enter(done);
        Truth::In(self.builder.ins().ushr_imm_u(result, 1))
    }

    /// The bits of some groups, side by side.
    pub(super) fn gathered(&mut self, groups: &[BitGroup]) -> Bits {
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

    /// The word that bits are read from.
    fn source(&mut self, source: Source) -> Bits {
        match source {
            Source::State(store, word) => {
                let word = self.stores[store as usize][word];
                Bits::any(self.builder.use_var(word))
            }
            Source::Slot(slot) => self.slot(slot),
        }
    }

    /// The source of a group, shifted right to the group.
    fn shifted(&mut self, group: &BitGroup) -> Bits {
        let word = self.source(group.source);
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
