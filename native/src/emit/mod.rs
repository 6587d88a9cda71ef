//! From the compiled form to Cranelift's intermediate language.
//!
//! An [`Emitter`] holds the function under construction. Words of states are variables of the function, so what an
//! effect sets and reads stays in registers; bound variables are plain values. What is known while the code is made
//! is computed then.

mod effect;
mod fold;
mod number;
mod plan;
mod tables;
mod truth;
mod word;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use cranelift_frontend::{FunctionBuilder, Variable};
use interpreter::Field;
use interpreter::code::Slot;
use ioa_lang::core::Store;

use self::tables::MAX_ENTRIES;
pub(crate) use self::tables::Table;
use crate::reach::Reach;

/// A word: known while the code is made, or computed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bits {
    Known(u64),
    In(Value),
}

/// A truth value, in a byte where the code computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Known(bool),
    In(Value),
}

/// A function under construction.
pub(crate) struct Emitter<'f> {
    pub(crate) builder: FunctionBuilder<'f>,
    /// The words of the states before and after, by [`Store`]; the first is the one that effects change.
    stores: [Vec<Variable>; 2],
    /// The bound variables.
    slots: Vec<Bits>,
    reach: Reach,
    /// Where to go when a term has no value.
    trouble: Block,
    /// How many more operations may be made by writing out loops.
    unrolled: u64,
    /// The tables that the function fills.
    tables: Vec<Table>,
    /// How many more entries these may have.
    entries: u64,
    /// Whether what is emitted is the computation of an entry.
    filling: bool,
}

/// Operations that one function may get by writing out its loops.
const MAX_UNROLLED: u64 = 10_000;

impl<'f> Emitter<'f> {
    /// Goes on with a function whose states have so many words.
    pub(crate) fn new(mut builder: FunctionBuilder<'f>, words: usize, trouble: Block) -> Self {
        let mut declare = || (0..words).map(|_| builder.declare_var(I64)).collect();
        let stores = [declare(), declare()];
        Self {
            builder,
            stores,
            slots: Vec::new(),
            reach: Reach::default(),
            trouble,
            unrolled: MAX_UNROLLED,
            tables: Vec::new(),
            entries: MAX_ENTRIES,
            filling: false,
        }
    }

    /// Ends the function, which needs the tables as long as it lives.
    pub(crate) fn finish(self) -> (FunctionBuilder<'f>, Vec<Table>) {
        (self.builder, self.tables)
    }

    /// Makes a block the one where troubles of what follows lead to.
    pub(crate) fn set_trouble(&mut self, trouble: Block) {
        self.trouble = trouble;
    }

    /// Takes from what may be written out; false where not so much is left, and in code that is rarely used.
    fn may_unroll(&mut self, operations: u64) -> bool {
        if self.filling {
            return false;
        }
        match self.unrolled.checked_sub(operations) {
            Some(left) => {
                self.unrolled = left;
                true
            }
            None => false,
        }
    }

    /// Loads the words of a state into the valuation before.
    pub(crate) fn load_state(&mut self, from: Value) {
        for (at, word) in self.stores[0].clone().into_iter().enumerate() {
            let flags = MemFlagsData::trusted();
            let value = self.builder.ins().load(I64, flags, from, 8 * at as i32);
            self.builder.def_var(word, value);
        }
    }

    /// The words of a valuation.
    pub(crate) fn state(&mut self, store: Store) -> Vec<Value> {
        let words = self.stores[store as usize].clone();
        words.into_iter().map(|w| self.builder.use_var(w)).collect()
    }

    /// Sets the words of a valuation.
    pub(crate) fn set_state(&mut self, store: Store, values: &[Value]) {
        for (word, value) in self.stores[store as usize].clone().into_iter().zip(values) {
            self.builder.def_var(word, *value);
        }
    }

    /// The word that a field is in.
    fn raw(&mut self, store: Store, field: Field) -> Bits {
        let word = self.stores[store as usize][field.word as usize];
        Bits::In(self.builder.use_var(word))
    }

    /// Replaces the word that a field is in.
    fn set_raw(&mut self, store: Store, field: Field, bits: Bits) {
        let value = self.value(bits);
        let word = self.stores[store as usize][field.word as usize];
        self.builder.def_var(word, value);
    }

    /// Gives a bound variable a value that has no bits but some.
    pub(crate) fn bind(&mut self, slot: Slot, value: Bits, bits: u64) {
        let at = slot as usize;
        if self.slots.len() <= at {
            self.slots.resize(at + 1, Bits::Known(0));
        }
        self.slots[at] = value;
        self.reach.bind(slot, bits);
    }

    /// The value of a bound variable.
    pub(crate) fn slot(&self, slot: Slot) -> Bits {
        self.slots[slot as usize]
    }

    /// A word as a value.
    pub(crate) fn value(&mut self, bits: Bits) -> Value {
        match bits {
            Bits::Known(n) => self.builder.ins().iconst(I64, n as i64),
            Bits::In(value) => value,
        }
    }

    /// A new block, entered from one place that is known by now.
    fn enter(&mut self, block: Block) {
        self.builder.seal_block(block);
        self.builder.switch_to_block(block);
    }

    /// Goes on where a condition holds, and leads elsewhere where it does not.
    pub(crate) fn unless(&mut self, truth: Truth, elsewhere: Block) {
        let next = self.builder.create_block();
        match truth {
            Truth::Known(true) => return,
            Truth::Known(false) => {
                self.builder.ins().jump(elsewhere, &[]);
            }
            Truth::In(value) => {
                self.builder.ins().brif(value, next, &[], elsewhere, &[]);
            }
        }
        self.enter(next);
    }

    /// An operation on two words, computed now where both are known.
    fn combine(
        &mut self,
        (a, b): (Bits, Bits),
        known: impl FnOnce(u64, u64) -> u64,
        emit: impl FnOnce(&mut Self, Value, Value) -> Value,
    ) -> Bits {
        if let (Bits::Known(a), Bits::Known(b)) = (a, b) {
            return Bits::Known(known(a, b));
        }
        let (a, b) = (self.value(a), self.value(b));
        Bits::In(emit(self, a, b))
    }

    fn and(&mut self, a: Bits, b: Bits) -> Bits {
        match (a, b) {
            (Bits::Known(0), _) | (_, Bits::Known(0)) => Bits::Known(0),
            (Bits::Known(u64::MAX), x) | (x, Bits::Known(u64::MAX)) => x,
            pair => self.combine(pair, |a, b| a & b, |e, a, b| e.builder.ins().band(a, b)),
        }
    }

    fn or(&mut self, a: Bits, b: Bits) -> Bits {
        match (a, b) {
            (Bits::Known(0), x) | (x, Bits::Known(0)) => x,
            pair => self.combine(pair, |a, b| a | b, |e, a, b| e.builder.ins().bor(a, b)),
        }
    }

    fn xor(&mut self, a: Bits, b: Bits) -> Bits {
        match (a, b) {
            (Bits::Known(0), x) | (x, Bits::Known(0)) => x,
            pair => self.combine(pair, |a, b| a ^ b, |e, a, b| e.builder.ins().bxor(a, b)),
        }
    }

    /// The first without the bits of the second.
    fn without(&mut self, a: Bits, b: Bits) -> Bits {
        match b {
            Bits::Known(b) => self.and(a, Bits::Known(!b)),
            Bits::In(b) => {
                let not = Bits::In(self.builder.ins().bnot(b));
                self.and(a, not)
            }
        }
    }

    fn shl(&mut self, a: Bits, by: Bits) -> Bits {
        match (a, by) {
            (a, Bits::Known(0)) => a,
            (Bits::Known(0), _) => Bits::Known(0),
            pair => self.combine(pair, u64_shl, |e, a, b| e.builder.ins().ishl(a, b)),
        }
    }

    fn shr(&mut self, a: Bits, by: Bits) -> Bits {
        match (a, by) {
            (a, Bits::Known(0)) => a,
            (Bits::Known(0), _) => Bits::Known(0),
            pair => self.combine(pair, u64_shr, |e, a, b| e.builder.ins().ushr(a, b)),
        }
    }

    fn add(&mut self, a: Bits, b: Bits) -> Bits {
        match (a, b) {
            (Bits::Known(0), x) | (x, Bits::Known(0)) => x,
            pair => self.combine(pair, u64::wrapping_add, |e, a, b| {
                e.builder.ins().iadd(a, b)
            }),
        }
    }

    /// A number if something holds, else 0.
    pub(crate) fn size_if(&mut self, holds: Truth, number: u64) -> Value {
        let bit = self.number(holds);
        let size = self.mul(bit, number);
        self.value(size)
    }

    fn mul(&mut self, a: Bits, by: u64) -> Bits {
        match (a, by) {
            (_, 0) => Bits::Known(0),
            (a, 1) => a,
            (a, by) if by.is_power_of_two() => {
                self.shl(a, Bits::Known(u64::from(by.trailing_zeros())))
            }
            (a, by) => {
                let pair = (a, Bits::Known(by));
                self.combine(pair, u64::wrapping_mul, |e, a, b| {
                    e.builder.ins().imul(a, b)
                })
            }
        }
    }

    fn compare(
        &mut self,
        (a, b): (Bits, Bits),
        known: impl FnOnce(u64, u64) -> bool,
        how: IntCC,
    ) -> Truth {
        if let (Bits::Known(a), Bits::Known(b)) = (a, b) {
            return Truth::Known(known(a, b));
        }
        let (a, b) = (self.value(a), self.value(b));
        Truth::In(self.builder.ins().icmp(how, a, b))
    }

    fn equal(&mut self, a: Bits, b: Bits) -> Truth {
        self.compare((a, b), |a, b| a == b, IntCC::Equal)
    }

    fn differ(&mut self, a: Bits, b: Bits) -> Truth {
        self.compare((a, b), |a, b| a != b, IntCC::NotEqual)
    }

    fn less(&mut self, a: Bits, b: Bits) -> Truth {
        self.compare((a, b), |a, b| a < b, IntCC::UnsignedLessThan)
    }

    /// The lowest bit as a truth value.
    fn lowest(&mut self, a: Bits) -> Truth {
        match a {
            Bits::Known(n) => Truth::Known(n & 1 == 1),
            Bits::In(value) => {
                let byte = self.builder.ins().ireduce(I8, value);
                let one = self.builder.ins().iconst(I8, 1);
                Truth::In(self.builder.ins().band(byte, one))
            }
        }
    }

    /// A truth value as a word.
    fn number(&mut self, truth: Truth) -> Bits {
        match truth {
            Truth::Known(b) => Bits::Known(u64::from(b)),
            Truth::In(value) => Bits::In(self.builder.ins().uextend(I64, value)),
        }
    }

    fn byte(&mut self, truth: Truth) -> Value {
        match truth {
            Truth::Known(b) => self.builder.ins().iconst(I8, i64::from(b)),
            Truth::In(value) => value,
        }
    }

    /// The truth value that a block gets from the places it is entered from.
    fn parameter(&mut self, block: Block) -> Truth {
        Truth::In(self.builder.append_block_param(block, I8))
    }
}

/// Shifts as the machine does, by the amount's lowest six bits.
fn u64_shl(a: u64, by: u64) -> u64 {
    a.wrapping_shl(by as u32)
}

fn u64_shr(a: u64, by: u64) -> u64 {
    a.wrapping_shr(by as u32)
}
