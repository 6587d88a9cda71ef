//! Looking the sets up.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value};
use cranelift_frontend::Variable;
use finite::low_bits;
use interpreter::code::{Domain, Level, Slot, Word};

use super::{Chosen, Conditions, LIMB, entry_words, is_full, last_code};
use crate::emit::Emitter;
use crate::emit::dictionary::dictionary_of;
use crate::emit::loops::plan::positions;
use crate::jit::kept::Kept;
use crate::reach::smear;
use crate::support::Support;
use crate::value::Bits;

/// A loop of so many operations is not unrolled: there is one table for all values of its variable.
const ONE_TABLE: u64 = u64::MAX / 2;

/// The sets for more values of a variable than these are looked up one after the other.
const MAX_UNROLLED: u32 = 24;

/// The position of the bit that says that a set is there.
const THERE: u64 = LIMB - 1;

/// A binder, with the codes that its values can have, a mask in limbs.
type Values<'c> = (Slot, &'c [u64]);

/// A table of the sets of a binder's values that satisfy a condition.
struct SetTable<'w> {
    /// Where it begins.
    start: Bits,
    /// What the index is made of.
    known: Support,
    condition: &'w Word,
    slot: Slot,
    /// The codes that the values can have.
    codes: &'w [u64],
}

impl Emitter<'_> {
    /// The codes of a binder's values that satisfy the conditions that are looked up, in limbs.
    pub(in crate::emit) fn values_of(
        &mut self,
        level: &Level,
        conditions: &Conditions,
    ) -> Vec<Bits> {
        let (slot, codes) = (level.binder.slot, &*conditions.codes);
        let mut set: Vec<Bits> = match &level.domain {
            Domain::Mask(mask) => vec![self.word(mask)],
            Domain::Masks(masks) => masks.iter().map(|mask| self.word(mask)).collect(),
            _ => codes.iter().copied().map(Bits::Known).collect(),
        };
        for condition in &conditions.chosen {
            let more = self.values_by(condition, (slot, codes));
            set = self.common(&set, &more);
        }
        set
    }

    /// What two sets have in common.
    pub(super) fn common(&mut self, a: &[Bits], b: &[Bits]) -> Vec<Bits> {
        let limbs = a.iter().zip(b);
        limbs.map(|(a, b)| self.and(*a, *b)).collect()
    }

    /// The codes of a binder's values, given with those it can have, that satisfy a condition.
    pub(super) fn values_by(&mut self, condition: &Chosen, values: Values<'_>) -> Vec<Bits> {
        match condition {
            Chosen::Looked(condition) => {
                if let Some(set) = self.known_set(condition, values) {
                    return set;
                }
                let table = self.table_of(condition, values);
                self.looked_up_in(&table)
            }
            Chosen::Each(domain, other, condition) => {
                if let Chosen::Looked(condition) = &**condition
                    && let Some(codes) = few_codes(domain)
                {
                    return self.in_each_row((domain, *other, &codes), condition, values);
                }
                self.in_all(domain, *other, values.1, &mut |e| {
                    e.values_by(condition, values)
                })
            }
        }
    }

    /// What is in the sets for all values of a variable.
    fn in_all(
        &mut self,
        domain: &Domain,
        other: Slot,
        codes: &[u64],
        set: &mut dyn FnMut(&mut Self) -> Vec<Bits>,
    ) -> Vec<Bits> {
        let begin = |limb: &u64| {
            let all = self.builder.ins().iconst(I64, limb.cast_signed());
            let left = self.builder.declare_var(I64);
            self.builder.def_var(left, all);
            left
        };
        let left: Vec<Variable> = codes.iter().map(begin).collect();
        self.each(domain, other, ONE_TABLE, &mut |e| {
            let set = set(e);
            let so_far = e.limbs_in(&left, codes);
            let both = e.common(&so_far, &set);
            for (left, both) in left.iter().zip(both) {
                let both = e.value(both);
                e.builder.def_var(*left, both);
            }
        });
        self.limbs_in(&left, codes)
    }

    /// The limbs of a set of codes that lies in variables.
    fn limbs_in(&mut self, variables: &[Variable], codes: &[u64]) -> Vec<Bits> {
        let limbs = variables.iter().zip(codes);
        limbs
            .map(|(limb, codes)| Bits::up_to(smear(*codes), self.builder.use_var(*limb)))
            .collect()
    }

    /// What is in the sets for all values of a variable, which are few and known, where these sets are in one table. They are
    /// read without a branch; only if one of them is not there yet are they looked up one by one.
    fn in_each_row(
        &mut self,
        (domain, other, each): (&Domain, Slot, &[u64]),
        condition: &Word,
        values: Values<'_>,
    ) -> Vec<Bits> {
        let most = each.last().copied().unwrap_or(0);
        self.bind_any(other, most, domain);
        let table = self.table_of(condition, values);
        let reach = self.reach.codes(domain);
        let mut read = vec![Bits::Known(u64::MAX); table.words()];
        for code in each {
            self.bind(other, Bits::Known(*code), reach);
            let (_, entry) = self.entry(&table);
            let entry: Vec<Bits> = entry.into_iter().map(Bits::any).collect();
            read = self.common(&read, &entry);
        }
        let read: Vec<Value> = read.into_iter().map(|word| self.value(word)).collect();
        let are_there = self.shr(Bits::any(read[0]), Bits::Known(THERE));
        let are_there = self.value(are_there);
        self.or_else(&table, are_there, &read, &mut |e| {
            e.in_all(domain, other, values.1, &mut |e| e.looked_up_in(&table))
        })
    }

    /// The set of an entry that was read from a table if it is there, and otherwise what `fill` computes.
    fn or_else(
        &mut self,
        table: &SetTable<'_>,
        is_there: Value,
        entry: &[Value],
        fill: &mut dyn FnMut(&mut Self) -> Vec<Bits>,
    ) -> Vec<Bits> {
        let [absent, done] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.set_cold_block(absent);
        let limbs = &entry[table.ahead()..];
        let result: Vec<Value> = limbs
            .iter()
            .map(|_| self.builder.append_block_param(done, I64))
            .collect();
        let there: Vec<BlockArg> = limbs.iter().copied().map(BlockArg::Value).collect();
        let ins = self.builder.ins();
        ins.brif(is_there, done, &there, absent, &[]);
        self.enter(absent);
        let filled = fill(self);
        let filled: Vec<BlockArg> = filled
            .into_iter()
            .map(|limb| BlockArg::Value(self.value(limb)))
            .collect();
        self.builder.ins().jump(done, &filled);
        self.enter(done);
        let limbs = result.into_iter().zip(table.codes);
        limbs
            .map(|(limb, codes)| self.and(Bits::any(limb), Bits::Known(smear(*codes))))
            .collect()
    }

    /// Gives a variable some value, at most the last of these codes.
    pub(super) fn bind_one_of(&mut self, slot: Slot, codes: &[u64]) {
        let most = last_code(codes);
        let any = self.builder.ins().iconst(I64, 0);
        self.bind(slot, Bits::up_to(most, any), smear(most));
    }

    /// A table of the sets of a binder's values that satisfy a condition.
    fn table_of<'w>(&mut self, condition: &'w Word, (slot, codes): Values<'w>) -> SetTable<'w> {
        self.bind_one_of(slot, codes);
        let known = self.support_beside(condition, slot);
        let known = known.expect("it was found when this was chosen");
        let words = entry_words(codes) << known.bits();
        self.entries -= size_of::<u64>() as u64 * words;
        let table: Arc<[AtomicU64]> = (0..words).map(|_| AtomicU64::new(0)).collect();
        if let Some(dictionary) = dictionary_of(condition) {
            dictionary.note_computed(&table);
        }
        SetTable {
            start: self.address(Kept::Sets(table)),
            known,
            condition,
            slot,
            codes,
        }
    }

    /// The place of the entry of a table for the present values of all variables, and the words of the entry. Another thread may
    /// write it meanwhile: what it writes last is read first.
    fn entry(&mut self, table: &SetTable<'_>) -> (Value, Vec<Value>) {
        let key = self.gathered(&table.known.groups);
        let key = self.at_most(key, low_bits(table.known.bits()));
        let distance = self.mul(key, (size_of::<u64>() * table.words()) as u64);
        let place = self.add(table.start, distance);
        let place = self.value(place);
        let flags = MemFlagsData::trusted();
        let first = match table.words() {
            1 => self.builder.ins().load(I64, flags, place, 0),
            _ => self.builder.ins().atomic_load(I64, flags, place),
        };
        let mut words = vec![first];
        for at in 1..table.words() {
            let offset = (size_of::<u64>() * at) as i32;
            words.push(self.builder.ins().load(I64, flags, place, offset));
        }
        (place, words)
    }

    /// Writes a set into the entry of a table, the word that says that it is there last.
    fn write_entry(&mut self, table: &SetTable<'_>, place: Value, set: &[Bits]) {
        let flags = MemFlagsData::trusted();
        let ahead = table.ahead();
        for (at, limb) in (ahead..).zip(set).filter(|(at, _)| *at > 0) {
            let limb = self.value(*limb);
            let offset = (size_of::<u64>() * at) as i32;
            self.builder.ins().store(flags, limb, place, offset);
        }
        let first = if ahead == 0 { set[0] } else { Bits::Known(0) };
        let first = self.or(first, Bits::Known(1 << THERE));
        let first = self.value(first);
        let ins = self.builder.ins();
        match table.words() {
            1 => ins.store(flags, first, place, 0),
            _ => ins.atomic_store(flags, first, place),
        };
    }

    /// The set of a table for the present values of all variables, which is computed if it is not there yet.
    fn looked_up_in(&mut self, table: &SetTable<'_>) -> Vec<Bits> {
        let (place, entry) = self.entry(table);
        self.or_else(table, entry[0], &entry, &mut |e| {
            let set = e.computed_set(table);
            e.write_entry(table, place, &set);
            set
        })
    }

    /// A set of a table, computed value by value. Elements that have no number yet are taken to be in it.
    fn computed_set(&mut self, table: &SetTable<'_>) -> Vec<Bits> {
        let reach = smear(last_code(table.codes));
        let dictionary = dictionary_of(table.condition);
        self.filling = true;
        let limbs = (0..).zip(table.codes).map(|(at, codes)| {
            let (known, unknown) = match &dictionary {
                Some(dictionary) => self.numbered_by_now(dictionary, at, *codes),
                None => (Bits::Known(*codes), Bits::Known(0)),
            };
            let set = self.gathering(&mut |e, found| {
                e.each_bit(known, &mut |e, bit| {
                    let code = e.add(bit, Bits::Known(LIMB * at));
                    e.bind(table.slot, code, reach);
                    let holds = e.truth(table.condition);
                    e.gather(found, bit, holds);
                });
            });
            self.or(set, unknown)
        });
        let set = limbs.collect();
        self.filling = false;
        set
    }
}

impl SetTable<'_> {
    /// The words of an entry.
    fn words(&self) -> usize {
        entry_words(self.codes) as usize
    }

    /// How many words of an entry come before the limbs of its set.
    fn ahead(&self) -> usize {
        usize::from(is_full(self.codes))
    }
}

/// The values that a variable runs through, if these are few and known.
fn few_codes(domain: &Domain) -> Option<Vec<u64>> {
    let mask = match domain {
        Domain::Below(count @ 0..=LIMB) => low_bits(*count as u32),
        Domain::Mask(Word::Const(mask)) => *mask,
        _ => return None,
    };
    (mask.count_ones() <= MAX_UNROLLED).then(|| positions(mask))
}
