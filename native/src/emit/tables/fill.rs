//! Calls of the functions that fill memo tables, and what these do.
//!
//! A loop that is unrolled looks its condition up in a table for each turn, but one function fills all of these. It hardly ever
//! runs, so a call of it is made to disturb the code around as little as possible: the function takes what the term depends on
//! from memory, puts the value into the table, and preserves all registers.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value};
use cranelift_frontend::FunctionBuilder;
use interpreter::code::{Slot, Word};

use crate::emit::chosen::mentions;
use crate::emit::{Emitter, Services};
use crate::filler::Filler;
use crate::jit::kept::Kept;
use crate::reach::smear;
use crate::support::{Source, Support};
use crate::value::Bits;

/// The bytes of a word.
const WORD: i32 = size_of::<u64>() as i32;

impl<'f> Emitter<'f> {
    /// Emits a function that fills tables of a function on states with so many words.
    pub(crate) fn filling(
        mut builder: FunctionBuilder<'f>,
        frame: Value,
        filler: &Filler,
        words: usize,
        audit: Option<Arc<AtomicU64>>,
    ) -> Self {
        let undefined = builder.create_block();
        // What is in a table is never asked.
        let interpreter = None;
        let services = Services {
            interpreter,
            audit,
            ..Services::default()
        };
        let mut e = Self::new(builder, words, undefined, services);
        e.filling = true;
        let flags = MemFlagsData::trusted();
        let place = e.builder.ins().load(I64, flags, frame, 0);
        for (at, (source, bits)) in (1..).zip(&filler.sources) {
            let value = e.builder.ins().load(I64, flags, frame, WORD * at);
            match *source {
                Source::State(store, word) => {
                    let word = e.stores[store as usize][word];
                    e.builder.def_var(word, value);
                }
                Source::Slot(slot) => e.bind(slot, Bits::up_to(smear(*bits), value), *bits),
            }
        }
        let truth = e.truth_anew(&filler.word);
        let truth = e.byte(truth);
        let one = e.builder.ins().iconst(I8, 1);
        let entry = e.builder.ins().iadd(truth, one);
        e.builder.ins().store(flags, entry, place, 0);
        e.builder.ins().return_(&[]);
        e.enter(undefined);
        e.builder.ins().return_(&[]);
        e
    }

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
