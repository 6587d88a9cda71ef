//! Translation of the compiled form to Cranelift's intermediate language.
//!
//! An [`Emitter`] holds the function under construction. Words of states are variables of the function, so what an effect
//! sets and reads stays in registers; bound variables are plain values. What is known at compile time is computed then.

mod asked;
mod audit;
mod bits;
mod chosen;
mod dictionary;
mod effect;
mod elements;
mod loops;
mod number;
mod tables;
mod truth;
mod word;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use interpreter::Field;
use interpreter::code::Slot;
use ioa_lang::core::Store;

use crate::asked::Interpreter;
use crate::filler::Filler;
use crate::jit::kept::Kept;
use crate::reach::Reach;
use crate::value::{Bits, Truth};

/// What is known of a function that was emitted.
pub(crate) struct Finished {
    /// The memory that it needs as long as it lives.
    pub(crate) kept: Vec<Kept>,
    /// The functions that it calls to fill its tables.
    pub(crate) fillers: Vec<Filler>,
    /// The greatest number of results of one state.
    pub(crate) results: u64,
}

/// What a function uses besides states.
#[derive(Clone, Debug)]
pub(crate) struct Services {
    /// The interpreter, if the function may ask it for what it cannot compute.
    pub(crate) interpreter: Option<Interpreter>,
    /// The counter of words that exceed their assumed bounds, if auditing is on.
    pub(crate) audit: Option<Arc<AtomicU64>>,
    /// Maximum number of entries, each a byte, of all its tables.
    pub(crate) entries: u64,
}

impl Default for Services {
    fn default() -> Self {
        Self {
            interpreter: None,
            audit: None,
            entries: MAX_ENTRIES,
        }
    }
}

/// A function under construction.
pub(crate) struct Emitter<'f> {
    pub(crate) builder: FunctionBuilder<'f>,
    /// The words of the states before and after, by [`Store`]; the first is the one that effects change.
    stores: [Vec<Variable>; 2],
    /// The bound variables.
    slots: Vec<Bits>,
    reach: Reach,
    /// The block to jump to when a term has no value.
    bailout: Block,
    /// While conditions are tested for all values at once: whether the present one has no value for the present value.
    stops: Option<Truth>,
    /// How many more values of parameters the code may go through for one clause, if that is counted.
    left: Option<Variable>,
    /// How many more operations unrolled loops may add.
    unrolled: u64,
    /// The memory that the function reads and writes through fixed addresses.
    kept: Vec<Kept>,
    /// How many more table entries it may have.
    entries: u64,
    /// The functions that fill the tables of truth values.
    fillers: Vec<Filler>,
    /// Whether the code being emitted computes a table entry.
    filling: bool,
    /// The interpreter, if the code may ask it.
    interpreter: Option<Interpreter>,
    /// The counter of words that exceed their assumed bounds, if auditing is on.
    audit: Option<Arc<AtomicU64>>,
    /// Maximum number of times that the code being emitted is executed for one state.
    turns: u64,
    /// The greatest number of results of one state.
    results: u64,
}

/// Maximum number of entries of tables, each a byte, as a rule.
const MAX_ENTRIES: u64 = 1 << 21;

/// Maximum number of operations that unrolled loops may add to one function.
const MAX_UNROLLED: u64 = 10_000;

/// A function of more instructions is long.
const LONG: usize = 5_000;

impl<'f> Emitter<'f> {
    /// Begins a function on states with the given number of words.
    pub(crate) fn new(
        mut builder: FunctionBuilder<'f>,
        words: usize,
        bailout: Block,
        services: Services,
    ) -> Self {
        let mut declare = || (0..words).map(|_| builder.declare_var(I64)).collect();
        let stores = [declare(), declare()];
        Self {
            builder,
            stores,
            slots: Vec::new(),
            reach: Reach::default(),
            bailout,
            stops: None,
            left: None,
            unrolled: MAX_UNROLLED,
            kept: Vec::new(),
            entries: services.entries,
            fillers: Vec::new(),
            filling: false,
            interpreter: services.interpreter,
            audit: services.audit,
            turns: 1,
            results: 0,
        }
    }

    /// Ends the function, on the machine that it is for.
    pub(crate) fn finish(self, target: TargetFrontendConfig) -> Finished {
        self.builder.finalize(target);
        Finished {
            kept: self.kept,
            fillers: self.fillers,
            results: self.results,
        }
    }

    /// Notes that the code being emitted stores a result in each iteration.
    pub(crate) fn note_result(&mut self) {
        self.results = self.results.saturating_add(self.turns);
    }

    /// Whether the function is so long that something else had better be put into another one.
    pub(crate) fn is_long(&self) -> bool {
        self.builder.func.dfg.num_insts() > LONG
    }

    /// How many more entries its tables may have.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// The address of something that the function owns; code cannot hold any other address.
    fn address(&mut self, kept: Kept) -> Bits {
        let start = kept.start();
        self.kept.push(kept);
        Bits::Known(start)
    }

    /// The block to jump to when a term has no value, or there are too many results.
    pub(crate) fn bailout(&self) -> Block {
        self.bailout
    }

    /// Makes a block the one to which the code that follows bails out.
    pub(crate) fn set_bailout(&mut self, bailout: Block) {
        self.bailout = bailout;
    }

    /// Takes operations from the budget for unrolling. Returns false if not enough are left, and in code that is rarely
    /// executed.
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
        let word = self.stores[store as usize][field.word()];
        Bits::any(self.builder.use_var(word))
    }

    /// Replaces the word that a field is in.
    fn set_raw(&mut self, store: Store, field: Field, bits: Bits) {
        let value = self.value(bits);
        let word = self.stores[store as usize][field.word()];
        self.builder.def_var(word, value);
    }

    /// Sets a bound variable to a value that has no bits outside a mask.
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

    /// A new block whose only predecessor is known already.
    fn enter(&mut self, block: Block) {
        self.builder.seal_block(block);
        self.builder.switch_to_block(block);
    }

    /// Continues if a condition holds, and jumps elsewhere if not.
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

    /// The value of a term, if it has one. Otherwise the code bails out; or, while conditions are tested for all values at once,
    /// it is noted, and some value is taken.
    fn defined(&mut self, is_defined: Truth, value: impl FnOnce(&mut Self) -> Bits) -> Bits {
        let Some(so_far) = self.stops else {
            self.unless(is_defined, self.bailout);
            return value(self);
        };
        let stops = self.not(is_defined);
        self.stops = Some(self.join(so_far, stops, false));
        let value = value(self);
        self.either(is_defined, value, Bits::Known(0))
    }

    fn byte(&mut self, truth: Truth) -> Value {
        match truth {
            Truth::Known(b) => self.builder.ins().iconst(I8, i64::from(b)),
            Truth::In(value) => value,
        }
    }

    /// The truth value that a block receives from its predecessors.
    fn parameter(&mut self, block: Block) -> Truth {
        Truth::In(self.builder.append_block_param(block, I8))
    }
}
