//! Terms whose values the interpreter gives.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Value};
use interpreter::code::{Domain, General, Input, Plan, Slot, Word};
use interpreter::{Location, Question};
use ioa_lang::core::{Op, Store};

use super::Emitter;
use crate::asked::{Asked, MAX_LISTED, NO_ANSWER, ask};
use crate::jit::kept::Kept;
use crate::value::{Bits, Truth};

/// Where the words of an answer are found.
struct Answer {
    /// The address of the first.
    start: Bits,
    /// How many there are.
    count: Value,
    /// Whether there is an answer at all.
    is_given: Truth,
}

/// Values that the interpreter has listed.
#[derive(Clone, Copy)]
pub(super) struct Listed {
    start: Bits,
    pub(super) count: Bits,
}

impl<'f> Emitter<'f> {
    /// The value of a term that computes a word.
    pub(super) fn asked(&mut self, word: &Word) -> Bits {
        let question = Question::word(word);
        self.asked_word(question.expect("the analysis has asked this"))
    }

    /// The truth of such a term. Values are equal where their names are.
    pub(super) fn asked_truth(&mut self, word: &Word) -> Truth {
        match word {
            Word::Cell(term)
                if let General::Apply(apply) = &**term
                    && let (Op::Eq, [left, right]) = (apply.op, &*apply.args)
                    && has_name(left)
                    && has_name(right) =>
            {
                let (left, right) = (self.name(left), self.name(right));
                self.equal(left, right)
            }
            word => {
                let bits = self.asked(word);
                self.lowest(bits)
            }
        }
    }

    /// The name of the value of a general term.
    pub(super) fn name(&mut self, term: &General) -> Bits {
        match term {
            General::Load(store, cell) => self.name_in(*store, *cell),
            General::Local(slot) => self.slot(*slot),
            General::If(condition, branches) => self.name_if(condition, branches),
            term => {
                let question = Question::general(term, &Location::Cell(0));
                self.asked_word(question.expect("the analysis has asked this"))
            }
        }
    }

    /// The name of a cell of a state.
    pub(super) fn name_in(&mut self, store: Store, cell: u32) -> Bits {
        let place = self.place_of_name(cell);
        let word = self.stores[store as usize][place];
        Bits::any(self.builder.use_var(word))
    }

    /// Sets a cell of a state to the value with a name.
    pub(super) fn set_name(&mut self, store: Store, cell: u32, name: Bits) {
        let (place, name) = (self.place_of_name(cell), self.value(name));
        let word = self.stores[store as usize][place];
        self.builder.def_var(word, name);
    }

    fn place_of_name(&self, cell: u32) -> usize {
        let interpreter = self.interpreter.as_ref();
        interpreter.expect("the analysis allows it").packed + cell as usize
    }

    fn name_if(&mut self, condition: &Word, branches: &[General; 2]) -> Bits {
        let [yes, no] = branches;
        match self.truth(condition) {
            Truth::Known(true) => self.name(yes),
            Truth::Known(false) => self.name(no),
            Truth::In(value) => self.branched(value, [yes, no], Self::name),
        }
    }

    /// The limbs of the value of a general term, for a variable that lies in these fields.
    pub(super) fn asked_limbs(&mut self, term: &General, location: &Location) -> Vec<Bits> {
        let question = Question::general(term, location).expect("the analysis has asked this");
        let words = question.words().expect("the limbs are known");
        let answer = self.ask(question);
        self.unless(answer.is_given, self.bailout);
        let limbs = (0..words as u64).map(|at| self.word_at(answer.start, Bits::Known(at)));
        limbs.collect()
    }

    /// The values of a domain.
    pub(super) fn listed(&mut self, domain: &Domain, slot: Slot) -> Listed {
        let question = Question::values(domain, slot);
        self.asked_list(question.expect("the analysis has asked this"))
    }

    /// The values of the one binder of a plan that satisfy it.
    pub(super) fn listed_by(&mut self, plan: &Plan) -> Listed {
        let question = Question::valuations(plan);
        self.asked_list(question.expect("the analysis has asked this"))
    }

    /// For each of some values, in their order.
    pub(super) fn each_listed(&mut self, list: Listed, body: &mut dyn FnMut(&mut Self, Bits)) {
        self.counted_to(list.count, &mut |e, at| {
            let value = e.word_at(list.start, at);
            body(e, value);
        });
    }

    fn asked_list(&mut self, question: Question) -> Listed {
        let Answer {
            start,
            count,
            is_given,
        } = self.ask(question);
        self.unless(is_given, self.bailout);
        let count = Bits::up_to(MAX_LISTED, count);
        Listed { start, count }
    }

    fn asked_word(&mut self, question: Question) -> Bits {
        if question.inputs().is_empty() {
            let interpreter = self.interpreter.as_ref().expect("the analysis allows it");
            let known = Asked::new(question, interpreter).constant();
            let is_known = Truth::Known(known.is_some());
            return self.defined(is_known, |_| Bits::Known(known.unwrap_or(0)));
        }
        let answer = self.ask(question);
        self.defined(answer.is_given, |e| e.word_at(answer.start, Bits::Known(0)))
    }

    /// Emits a call of the interpreter.
    fn ask(&mut self, question: Question) -> Answer {
        let interpreter = self.interpreter.as_ref().expect("the analysis allows it");
        let asked = Asked::new(question, interpreter);
        let (given, start) = (asked.given.as_ptr(), asked.answer.as_ptr());
        let given = Bits::Known(given.expose_provenance() as u64);
        let start = Bits::Known(start.expose_provenance() as u64);
        for (at, input) in (0..).zip(asked.inputs()) {
            let word = match *input {
                Input::Field(store, field) => self.load(store, field),
                Input::Cell(store, cell) => self.name_in(store, cell),
                Input::Word(slot) | Input::General(slot) => self.slot(slot),
            };
            let (word, given) = (self.value(word), self.value(given));
            let flags = MemFlagsData::trusted();
            self.builder.ins().store(flags, word, given, 8 * at);
        }
        let asked = self.address(Kept::Asked(asked));
        let mut signature = Signature::new(self.builder.func.signature.call_conv);
        signature.params.push(AbiParam::new(I64));
        signature.returns.push(AbiParam::new(I64));
        let signature = self.builder.import_signature(signature);
        let function = (ask as *const ()).expose_provenance() as u64;
        let (function, asked) = (self.value(Bits::Known(function)), self.value(asked));
        let call = self
            .builder
            .ins()
            .call_indirect(signature, function, &[asked]);
        let count = self.builder.inst_results(call)[0];
        let is_given = self.differ(Bits::any(count), Bits::Known(NO_ANSWER));
        Answer {
            start,
            count,
            is_given,
        }
    }

    /// The word at a position of an answer.
    fn word_at(&mut self, start: Bits, at: Bits) -> Bits {
        let distance = self.mul(at, size_of::<u64>() as u64);
        let place = self.add(start, distance);
        let (place, flags) = (self.value(place), MemFlagsData::trusted());
        Bits::any(self.builder.ins().load(I64, flags, place, 0))
    }

    /// Emits the end of the work for a state, as far as the interpreter was asked about it.
    pub(crate) fn end_of_work(&mut self) {
        let asks = self.kept.iter().any(|kept| matches!(kept, Kept::Asked(_)));
        if let (true, Some(interpreter)) = (asks, &self.interpreter) {
            let used = self.address(Kept::Count(interpreter.used.clone()));
            let (used, none) = (self.value(used), self.value(Bits::Known(0)));
            let flags = MemFlagsData::trusted();
            self.builder.ins().store(flags, none, used, 0);
        }
    }
}

/// Whether the name of a term's value is known without asking.
fn has_name(term: &General) -> bool {
    matches!(term, General::Load(..) | General::Local(_))
}
