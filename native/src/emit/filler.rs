//! Functions that fill memo tables: they compute a term whose value is not in its table yet.
//!
//! A loop that is unrolled looks its condition up in a table for each turn, but one function fills all of these. It hardly ever
//! runs, so a call of it is made to disturb the code around as little as possible: the function takes what the term depends on
//! from memory, puts the value into the table, and preserves all registers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{
    AbiParam, InstBuilder, MemFlagsData, SigRef, Signature, StackSlot, StackSlotData,
    StackSlotKind, Value,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use interpreter::code::{Slot, Word};

use super::Emitter;
use super::chosen::mentions;
use crate::jit::kept::Kept;
use crate::reach::smear;
use crate::support::{Source, Support};
use crate::value::Bits;

/// A function that computes a term and puts its truth value into a table, unless the term has no value.
pub(crate) struct Filler {
    word: Word,
    /// What the term is computed from, with the bits that each can have.
    sources: Vec<(Source, u64)>,
    /// Where a caller puts the place of the table's entry, and then the sources.
    frame: StackSlot,
    signature: SigRef,
    address: Arc<AtomicU64>,
}

impl Filler {
    /// How it is called: with the address of the caller's frame.
    pub(crate) fn signature() -> Signature {
        let mut signature = Signature::new(CallConv::PreserveAll);
        signature.params.push(AbiParam::new(I64));
        signature
    }

    /// Lets the callers know where the function is.
    pub(crate) fn lies_at(&self, address: *const u8) {
        let address = address.expose_provenance() as u64;
        self.address.store(address, Ordering::Relaxed);
    }

    /// Emits the function, where a state has so many words.
    pub(crate) fn emit<'f>(
        &self,
        mut builder: FunctionBuilder<'f>,
        frame: Value,
        (words, audit): (usize, Option<Arc<AtomicU64>>),
    ) -> Emitter<'f> {
        let undefined = builder.create_block();
        let mut e = Emitter::new(builder, words, undefined, audit);
        e.filling = true;
        let flags = MemFlagsData::trusted();
        let place = e.builder.ins().load(I64, flags, frame, 0);
        for (at, (source, bits)) in (1..).zip(&self.sources) {
            let value = e.builder.ins().load(I64, flags, frame, WORD * at);
            match *source {
                Source::State(store, word) => {
                    let word = e.stores[store as usize][word];
                    e.builder.def_var(word, value);
                }
                Source::Slot(slot) => e.bind(slot, Bits::up_to(smear(*bits), value), *bits),
            }
        }
        let truth = e.truth_anew(&self.word);
        let truth = e.byte(truth);
        let one = e.builder.ins().iconst(I8, 1);
        let entry = e.builder.ins().iadd(truth, one);
        e.builder.ins().store(flags, entry, place, 0);
        e.builder.ins().return_(&[]);
        e.enter(undefined);
        e.builder.ins().return_(&[]);
        e
    }
}

/// The bytes of a word.
const WORD: i32 = size_of::<u64>() as i32;

impl Emitter<'_> {
    /// Emits a call of the function that computes an entry of a table, given with what the term depends on.
    pub(super) fn fill(&mut self, word: &Word, known: &Support, place: Value) {
        let sources = self.sources(word, known);
        let mut values = vec![place];
        for (source, _) in &sources {
            let bits = self.source(*source);
            values.push(self.value(bits));
        }
        let Filler {
            frame,
            signature,
            ref address,
            ..
        } = *self.filler(word, sources);
        let address = Kept::Address(Arc::clone(address));
        for (at, value) in (0..).zip(values) {
            self.builder.ins().stack_store(I64, value, frame, WORD * at);
        }
        let address = self.address(address);
        let address = self.value(address);
        let flags = MemFlagsData::trusted();
        let function = self.builder.ins().load(I64, flags, address, 0);
        let frame = self.builder.ins().stack_addr(I64, frame, 0);
        self.builder
            .ins()
            .call_indirect(signature, function, &[frame]);
    }

    /// What a term is computed from: what it depends on, and variables whose values are known here, but not in a function that
    /// is called from elsewhere, too.
    fn sources(&mut self, word: &Word, known: &Support) -> Vec<(Source, u64)> {
        let mut found: Vec<Source> = Vec::new();
        for group in &known.groups {
            found.push(group.source);
            found.extend(group.offset.iter().map(|(slot, _)| Source::Slot(*slot)));
        }
        let is_known = |slot: &Slot| matches!(self.slot(*slot), Bits::Known(_));
        let slots = (0..self.slots.len())
            .map(|slot| slot as Slot)
            .filter(is_known);
        found.extend(slots.filter(|slot| mentions(word, *slot)).map(Source::Slot));
        let mut sources = Vec::new();
        for source in found {
            let bits = match source {
                Source::State(..) => u64::MAX,
                Source::Slot(slot) => self.reach.word(&Word::Local(slot)),
            };
            if !sources.contains(&(source, bits)) {
                sources.push((source, bits));
            }
        }
        sources
    }

    /// The function that computes a term from these sources.
    fn filler(&mut self, word: &Word, sources: Vec<(Source, u64)>) -> &Filler {
        let is_same = |one: &Filler| one.word == *word && one.sources == sources;
        let at = match self.fillers.iter().position(is_same) {
            Some(at) => at,
            None => {
                let bytes = size_of::<u64>() * (1 + sources.len());
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes as u32, 3);
                self.fillers.push(Filler {
                    word: word.clone(),
                    sources,
                    frame: self.builder.create_sized_stack_slot(data),
                    signature: self.builder.import_signature(Filler::signature()),
                    address: Arc::default(),
                });
                self.fillers.len() - 1
            }
        };
        &self.fillers[at]
    }
}
