//! Elements of sets and their numbers in dictionaries.

use std::sync::Arc;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use finite::{Dictionary, NUMBER_BITS, SPREAD, low_bits};
use interpreter::code::{
    Domain, Element, Fold, Level, Loop, Numbered, Numbering, Slot, Unnumbered, Word,
};

use super::Emitter;
use crate::jit::kept::Kept;
use crate::value::Bits;

impl Emitter<'_> {
    /// The number of a code in a dictionary. If it has none where it needs one, the interpreter records it.
    pub(super) fn numbering(&mut self, numbering: &Numbering) -> Bits {
        let Numbering {
            code,
            dictionary,
            unnumbered,
        } = numbering;
        let code = self.word(code);
        let code = self.value(code);
        let entries = self.address(Kept::Numbers(Arc::clone(dictionary)));
        let (at, number) = (self.builder.declare_var(I64), self.builder.declare_var(I64));
        let spread = self.builder.ins().imul_imm_u(code, SPREAD.cast_signed());
        let first = self
            .builder
            .ins()
            .ushr_imm_u(spread, i64::from(dictionary.shift()));
        self.builder.def_var(at, first);
        let none = self
            .builder
            .ins()
            .iconst(I64, dictionary.room().cast_signed());
        self.builder.def_var(number, none);
        let [turn, some, next, found, done] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.set_cold_block(next);
        self.builder.ins().jump(turn, &[]);
        self.builder.switch_to_block(turn);
        let place = Bits::any(self.builder.use_var(at));
        let entry = self.loaded_at(entries, place);
        let absent = match unnumbered {
            Unnumbered::IsNone => done,
            Unnumbered::Overflows(..) => self.bailout,
        };
        self.builder.ins().brif(entry, some, &[], absent, &[]);
        self.enter(some);
        let own = self.builder.ins().ushr_imm_u(entry, i64::from(NUMBER_BITS));
        let is_it = self.builder.ins().icmp(IntCC::Equal, own, code);
        self.builder.ins().brif(is_it, found, &[], next, &[]);
        self.enter(next);
        let place = self.builder.use_var(at);
        let one = self.builder.ins().iconst(I64, 1);
        let place = self.builder.ins().iadd(place, one);
        let last = dictionary.entries().len() as i64 - 1;
        let place = self.builder.ins().band_imm_u(place, last);
        self.builder.def_var(at, place);
        self.builder.ins().jump(turn, &[]);
        self.builder.seal_block(turn);
        self.enter(found);
        let known = self
            .builder
            .ins()
            .band_imm_u(entry, low_bits(NUMBER_BITS).cast_signed());
        let one = self.builder.ins().iconst(I64, 1);
        let known = self.builder.ins().isub(known, one);
        self.builder.def_var(number, known);
        self.builder.ins().jump(done, &[]);
        self.enter(done);
        Bits::up_to(dictionary.room(), self.builder.use_var(number))
    }

    /// Some numbers of the limb at a position, as bits: those that elements have by now, and the others.
    pub(super) fn numbered_by_now(
        &mut self,
        dictionary: &Arc<Dictionary>,
        limb: u64,
        numbers: u64,
    ) -> (Bits, Bits) {
        let place = self.address(Kept::Known(Arc::clone(dictionary)));
        let count = self.loaded_at(place, Bits::Known(0));
        let begin = u64::from(u64::BITS) * limb;
        let first = self.builder.ins().iconst(I64, begin.cast_signed());
        let end = self.builder.ins().umax(count, first);
        let here = self.builder.ins().isub(end, first);
        let ones = self.builder.ins().iconst(I64, -1);
        let others = self.builder.ins().ishl(ones, here);
        let none = self.builder.ins().iconst(I64, 0);
        let bits = i64::from(u64::BITS);
        let are_all = self
            .builder
            .ins()
            .icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, here, bits);
        let others = self.builder.ins().select(are_all, none, others);
        let others = self.and(Bits::any(others), Bits::Known(numbers));
        let not = self.value(others);
        let not = self.builder.ins().bnot(not);
        let known = self.and(Bits::any(not), Bits::Known(numbers));
        (known, others)
    }

    /// The code of an element, given its number.
    pub(super) fn element_numbered(&mut self, element: &Element) -> Bits {
        let number = self.word(&element.number);
        let codes = self.address(Kept::Codes(Arc::clone(&element.dictionary)));
        let last = element.dictionary.room() - 1;
        let number = self.at_most(number, last);
        Bits::up_to(element.max, self.loaded_at(codes, number))
    }

    /// For each element that is meant, in the order of the numbers.
    pub(super) fn each_numbered(
        &mut self,
        numbered: &Numbered,
        (slot, operations): (Slot, u64),
        body: &mut dyn FnMut(&mut Self),
    ) {
        let is_meant = numbered.is_meant().unwrap_or(Word::TRUE);
        self.each(&numbered.numbers(), numbered.slot, operations, &mut |e| {
            let skip = e.builder.create_block();
            e.require(&is_meant, skip);
            e.bind_word(slot, &numbered.value());
            body(e);
            e.builder.ins().jump(skip, &[]);
            e.enter(skip);
        });
    }
}

/// A level whose values are elements, as one of their numbers: what is said of a value is said of the one with a number.
pub(super) fn of_numbers(level: &Level, numbered: &Numbered) -> Level {
    let value = level.binder.slot;
    let filter = match &level.filter {
        Word::And(parts) => parts.to_vec(),
        single => vec![single.clone()],
    };
    let said = filter.into_iter().map(|part| numbered.said_of(value, part));
    let mut binder = level.binder.clone();
    binder.slot = numbered.slot;
    Level {
        binder,
        domain: numbered.numbers(),
        filter: Word::all(numbered.is_meant().into_iter().chain(said).collect()),
    }
}

/// A loop that asks for something of some or all elements, as one over their numbers; none if the elements are collected.
pub(super) fn quantified_by_number(turn: &Loop) -> Option<Loop> {
    let Domain::Numbered(numbered) = &turn.domain else {
        return None;
    };
    let said = numbered.said_of(turn.slot, turn.body.clone());
    let body = match (turn.fold, numbered.is_meant()) {
        (Fold::Collect, _) => return None,
        (_, None) => said,
        (Fold::Any, Some(is_meant)) => Word::all(vec![is_meant, said]),
        (Fold::All, Some(is_meant)) => Word::Implies(Box::new([is_meant, said])),
    };
    Some(Loop {
        slot: numbered.slot,
        domain: numbered.numbers(),
        body,
        ..turn.clone()
    })
}

/// The dictionary from which a term takes elements, if it takes some.
pub(super) fn dictionary_of(word: &Word) -> Option<Arc<Dictionary>> {
    if let Word::Element(element) = word {
        return Some(Arc::clone(&element.dictionary));
    }
    let mut found = None;
    word.children(&mut |child| {
        if found.is_none() {
            found = dictionary_of(child);
        }
    });
    found
}
