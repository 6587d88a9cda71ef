//! Looking the sets up.

use std::sync::atomic::AtomicU64;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value};
use finite::low_bits;
use interpreter::code::{Domain, Level, Slot, Word};

use super::{Chosen, Conditions, SETS};
use crate::emit::Emitter;
use crate::emit::plan::positions;
use crate::jit::kept::Kept;
use crate::reach::smear;
use crate::support::Support;
use crate::value::Bits;

/// A loop of so many operations is not unrolled: there is one table for all values of its variable.
const ONE_TABLE: u64 = u64::MAX / 2;

/// The sets for more values of a variable than these are looked up one after the other.
const MAX_UNROLLED: u32 = 24;

/// A table of the sets of a binder's values that satisfy a condition.
struct SetTable<'w> {
    /// Where it begins.
    start: Bits,
    /// What the index is made of.
    known: Support,
    condition: &'w Word,
    slot: Slot,
    /// The codes that the values can have.
    codes: u64,
}

impl Emitter<'_> {
    /// The codes of a binder's values that satisfy the conditions that are looked up.
    pub(in crate::emit) fn values_of(&mut self, level: &Level, conditions: &Conditions) -> Bits {
        let (slot, codes) = (level.binder.slot, conditions.codes);
        let mut set = match &level.domain {
            Domain::Mask(mask) => self.word(mask),
            _ => Bits::Known(codes),
        };
        for condition in &conditions.chosen {
            let more = self.values_by(condition, (slot, codes));
            set = self.and(set, more);
        }
        set
    }

    /// The codes of a binder's values, given with those it can have, that satisfy a condition.
    fn values_by(&mut self, condition: &Chosen, values: (Slot, u64)) -> Bits {
        match condition {
            Chosen::Looked(condition) => {
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
        codes: u64,
        set: &mut dyn FnMut(&mut Self) -> Bits,
    ) -> Bits {
        let all = self.builder.ins().iconst(I64, codes.cast_signed());
        let left = self.builder.declare_var(I64);
        self.builder.def_var(left, all);
        self.each(domain, other, ONE_TABLE, &mut |e| {
            let set = set(e);
            let so_far = Bits::up_to(smear(codes), e.builder.use_var(left));
            let both = e.and(so_far, set);
            let both = e.value(both);
            e.builder.def_var(left, both);
        });
        Bits::up_to(smear(codes), self.builder.use_var(left))
    }

    /// What is in the sets for all values of a variable, which are few and known, where these sets are in one table. They are
    /// read without a branch; only if one of them is not there yet are they looked up one by one.
    fn in_each_row(
        &mut self,
        (domain, other, each): (&Domain, Slot, &[u64]),
        condition: &Word,
        values: (Slot, u64),
    ) -> Bits {
        let most = each.last().copied().unwrap_or(0);
        self.bind_any(other, most, domain);
        let table = self.table_of(condition, values);
        let (reach, among) = (self.reach.codes(domain), smear(values.1));
        let mut read = Bits::Known(u64::MAX);
        for code in each {
            self.bind(other, Bits::Known(*code), reach);
            let (_, entry) = self.entry(&table);
            read = self.and(read, Bits::any(entry));
        }
        let [fill, done] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.set_cold_block(fill);
        let result = self.builder.append_block_param(done, I64);
        let are_there = self.shr(read, Bits::Known(SETS));
        let (are_there, read) = (self.value(are_there), self.value(read));
        let there = [BlockArg::Value(read)];
        self.builder.ins().brif(are_there, done, &there, fill, &[]);
        self.enter(fill);
        let filled = self.in_all(domain, other, values.1, &mut |e| e.looked_up_in(&table));
        let filled = self.value(filled);
        self.builder.ins().jump(done, &[BlockArg::Value(filled)]);
        self.enter(done);
        self.and(Bits::any(result), Bits::Known(among))
    }

    /// A table of the sets of a binder's values that satisfy a condition.
    fn table_of<'w>(&mut self, condition: &'w Word, (slot, codes): (Slot, u64)) -> SetTable<'w> {
        let most = u64::from(codes.ilog2());
        let any = self.builder.ins().iconst(I64, 0);
        self.bind(slot, Bits::up_to(most, any), smear(most));
        let known = self.support_beside(condition, slot);
        let known = known.expect("it was found when this was chosen");
        let entries: u64 = 1 << known.bits();
        self.entries -= size_of::<u64>() as u64 * entries;
        let table = (0..entries).map(|_| AtomicU64::new(0)).collect();
        SetTable {
            start: self.address(Kept::Sets(table)),
            known,
            condition,
            slot,
            codes,
        }
    }

    /// The place of the entry of a table for the present values of all variables, and the entry.
    fn entry(&mut self, table: &SetTable<'_>) -> (Value, Value) {
        let key = self.gathered(&table.known.groups);
        let key = self.at_most(key, low_bits(table.known.bits()));
        let distance = self.mul(key, size_of::<u64>() as u64);
        let place = self.add(table.start, distance);
        let place = self.value(place);
        let flags = MemFlagsData::trusted();
        (place, self.builder.ins().load(I64, flags, place, 0))
    }

    /// The set of a table for the present values of all variables, which is computed if it is not there yet.
    fn looked_up_in(&mut self, table: &SetTable<'_>) -> Bits {
        let (place, entry) = self.entry(table);
        let [fill, done] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.set_cold_block(fill);
        let result = self.builder.append_block_param(done, I64);
        let there = [BlockArg::Value(entry)];
        self.builder.ins().brif(entry, done, &there, fill, &[]);
        self.enter(fill);
        let set = self.computed_set(table);
        let filled = self.or(set, Bits::Known(1 << SETS));
        let filled = self.value(filled);
        let flags = MemFlagsData::trusted();
        self.builder.ins().store(flags, filled, place, 0);
        self.builder.ins().jump(done, &[BlockArg::Value(filled)]);
        self.enter(done);
        self.and(Bits::any(result), Bits::Known(smear(table.codes)))
    }

    /// A set of a table, computed value by value.
    fn computed_set(&mut self, table: &SetTable<'_>) -> Bits {
        let reach = smear(u64::from(table.codes.ilog2()));
        self.filling = true;
        let set = self.gathering(&mut |e, found| {
            e.each_bit(Bits::Known(table.codes), &mut |e, code| {
                e.bind(table.slot, code, reach);
                let holds = e.truth(table.condition);
                e.gather(found, code, holds);
            });
        });
        self.filling = false;
        set
    }
}

/// The values that a variable runs through, if these are few and known.
fn few_codes(domain: &Domain) -> Option<Vec<u64>> {
    let mask = match domain {
        Domain::Below(count @ 0..SETS) => low_bits(*count as u32),
        Domain::Mask(Word::Const(mask)) => *mask,
        _ => return None,
    };
    (mask.count_ones() <= MAX_UNROLLED).then(|| positions(mask))
}
