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

pub(crate) use self::tables::Kept;
use self::tables::MAX_ENTRIES;
use crate::expand::Emitted;
use crate::reach::{Reach, smear};

/// A word: known while the code is made, or computed by it.
///
/// What is computed is known not to be greater than some number. This is found out where the code that computes it is
/// emitted, from that code alone, so that whoever uses the word as an index, an amount or a part can see whether it has
/// to be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bits {
    Known(u64),
    In { value: Value, most: u64 },
}

impl Bits {
    /// A word of which nothing is known.
    pub(crate) fn any(value: Value) -> Self {
        Self::up_to(u64::MAX, value)
    }

    /// A word that is not greater than `most`.
    pub(crate) fn up_to(most: u64, value: Value) -> Self {
        Self::In { value, most }
    }

    /// The same word, which is known for another reason not to be greater than `most`.
    fn limited(self, most: u64) -> Self {
        match self {
            Self::In { value, .. } => Self::up_to(most, value),
            known => known,
        }
    }

    /// The greatest value that it can have.
    pub(crate) fn most(self) -> u64 {
        match self {
            Self::Known(n) => n,
            Self::In { most, .. } => most,
        }
    }
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
    /// What the function reads and fills by its address.
    kept: Vec<Kept>,
    /// How many more entries these may have.
    entries: u64,
    /// Whether what is emitted is the computation of an entry.
    filling: bool,
    /// How often what is emitted is run for one state, at most.
    turns: u64,
    /// The greatest number of results of one state.
    results: u64,
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
            kept: Vec::new(),
            entries: MAX_ENTRIES,
            filling: false,
            turns: 1,
            results: 0,
        }
    }

    /// Ends the function.
    pub(crate) fn finish(self) -> Emitted<'f> {
        Emitted {
            builder: self.builder,
            kept: self.kept,
            results: self.results,
        }
    }

    /// Notes that what is emitted stores a result in each turn.
    pub(crate) fn note_result(&mut self) {
        self.results = self.results.saturating_add(self.turns);
    }

    /// The address of something that the function keeps: there is no other way for code to hold one.
    fn address(&mut self, kept: Kept) -> Bits {
        let start = kept.start();
        self.kept.push(kept);
        Bits::Known(start)
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
        Bits::any(self.builder.use_var(word))
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
            Bits::In { value, .. } => value,
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

    /// An operation on two words, computed now where both are known; the result is not greater than `most`.
    fn combine(
        &mut self,
        (a, b): (Bits, Bits),
        most: u64,
        known: impl FnOnce(u64, u64) -> u64,
        emit: impl FnOnce(&mut Self, Value, Value) -> Value,
    ) -> Bits {
        if let (Bits::Known(a), Bits::Known(b)) = (a, b) {
            return Bits::Known(known(a, b));
        }
        let (a, b) = (self.value(a), self.value(b));
        Bits::up_to(most, emit(self, a, b))
    }

    fn and(&mut self, a: Bits, b: Bits) -> Bits {
        match (a, b) {
            (Bits::Known(0), _) | (_, Bits::Known(0)) => Bits::Known(0),
            // A word that has no other bits than a mask is not cut by it.
            (Bits::Known(mask), x) | (x, Bits::Known(mask)) if smear(x.most()) & !mask == 0 => x,
            pair => {
                let most = a.most().min(b.most());
                self.combine(
                    pair,
                    most,
                    |a, b| a & b,
                    |e, a, b| e.builder.ins().band(a, b),
                )
            }
        }
    }

    fn or(&mut self, a: Bits, b: Bits) -> Bits {
        match (a, b) {
            (Bits::Known(0), x) | (x, Bits::Known(0)) => x,
            pair => {
                let most = smear(a.most() | b.most());
                self.combine(
                    pair,
                    most,
                    |a, b| a | b,
                    |e, a, b| e.builder.ins().bor(a, b),
                )
            }
        }
    }

    fn xor(&mut self, a: Bits, b: Bits) -> Bits {
        match (a, b) {
            (Bits::Known(0), x) | (x, Bits::Known(0)) => x,
            pair => {
                let most = smear(a.most() | b.most());
                self.combine(
                    pair,
                    most,
                    |a, b| a ^ b,
                    |e, a, b| e.builder.ins().bxor(a, b),
                )
            }
        }
    }

    /// The first without the bits of the second.
    fn without(&mut self, a: Bits, b: Bits) -> Bits {
        match b {
            Bits::Known(b) => self.and(a, Bits::Known(!b)),
            Bits::In { value, .. } => {
                let not = Bits::any(self.builder.ins().bnot(value));
                self.and(a, not)
            }
        }
    }

    /// A word shifted up: 0 where no bit is left, however far it is shifted.
    fn shl(&mut self, a: Bits, by: Bits) -> Bits {
        match (a, by) {
            (a, Bits::Known(0)) => a,
            (Bits::Known(0), _) | (_, Bits::Known(64..)) => Bits::Known(0),
            pair => {
                let room = u64::from(a.most().leading_zeros());
                let most = match by.most() {
                    by if by <= room => a.most() << by,
                    _ => u64::MAX,
                };
                let shift = |e: &mut Self, a, b| e.builder.ins().ishl(a, b);
                let shifted = self.combine(pair, most, shifted_up, shift);
                self.if_in_word(by, shifted)
            }
        }
    }

    /// A word shifted down: 0 where no bit is left, however far it is shifted.
    fn shr(&mut self, a: Bits, by: Bits) -> Bits {
        match (a, by) {
            (a, Bits::Known(0)) => a,
            (Bits::Known(0), _) | (_, Bits::Known(64..)) => Bits::Known(0),
            pair => {
                let most = match by {
                    Bits::Known(by) => a.most() >> by,
                    Bits::In { .. } => a.most(),
                };
                let shift = |e: &mut Self, a, b| e.builder.ins().ushr(a, b);
                let shifted = self.combine(pair, most, shifted_down, shift);
                self.if_in_word(by, shifted)
            }
        }
    }

    /// What a shift gave, for the machine shifts by the lowest six bits of the amount: 0 if the amount has others.
    fn if_in_word(&mut self, by: Bits, shifted: Bits) -> Bits {
        let in_word = self.not_above(by, u64::from(u64::BITS) - 1);
        self.either(in_word, shifted, Bits::Known(0))
    }

    /// The one word or the other, as something holds or not.
    fn either(&mut self, holds: Truth, yes: Bits, no: Bits) -> Bits {
        let holds = match holds {
            Truth::Known(true) => return yes,
            Truth::Known(false) => return no,
            Truth::In(value) => value,
        };
        let most = yes.most().max(no.most());
        let (yes, no) = (self.value(yes), self.value(no));
        Bits::up_to(most, self.builder.ins().select(holds, yes, no))
    }

    /// A word, or a number where the word is greater.
    fn at_most(&mut self, a: Bits, number: u64) -> Bits {
        if a.most() <= number {
            return a;
        }
        let smaller = |e: &mut Self, a, b| e.builder.ins().umin(a, b);
        self.combine((a, Bits::Known(number)), number, u64::min, smaller)
    }

    fn add(&mut self, a: Bits, b: Bits) -> Bits {
        match (a, b) {
            (Bits::Known(0), x) | (x, Bits::Known(0)) => x,
            pair => {
                let most = a.most().saturating_add(b.most());
                let sum = |e: &mut Self, a, b| e.builder.ins().iadd(a, b);
                self.combine(pair, most, u64::wrapping_add, sum)
            }
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
                let most = a.most().saturating_mul(by);
                let product = |e: &mut Self, a, b| e.builder.ins().imul(a, b);
                self.combine(pair, most, u64::wrapping_mul, product)
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

    /// Whether a word is not greater than a number.
    fn not_above(&mut self, a: Bits, number: u64) -> Truth {
        if a.most() <= number {
            return Truth::Known(true);
        }
        let how = IntCC::UnsignedLessThanOrEqual;
        self.compare((a, Bits::Known(number)), |a, b| a <= b, how)
    }

    /// The lowest bit as a truth value.
    fn lowest(&mut self, a: Bits) -> Truth {
        match a {
            Bits::Known(n) => Truth::Known(n & 1 == 1),
            Bits::In { value, .. } => {
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
            Truth::In(value) => Bits::up_to(1, self.builder.ins().uextend(I64, value)),
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

fn shifted_up(a: u64, by: u64) -> u64 {
    u32::try_from(by)
        .ok()
        .and_then(|by| a.checked_shl(by))
        .unwrap_or(0)
}

fn shifted_down(a: u64, by: u64) -> u64 {
    u32::try_from(by)
        .ok()
        .and_then(|by| a.checked_shr(by))
        .unwrap_or(0)
}
