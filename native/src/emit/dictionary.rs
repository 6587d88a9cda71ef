//! Elements of sets and their numbers in dictionaries.

use std::sync::Arc;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use finite::{NUMBER_BITS, SPREAD, low_bits};
use interpreter::code::{Numbered, Numbering, Unnumbered};

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

    /// For each element that is meant, in the order of the numbers: at most `count`.
    pub(super) fn each_numbered(
        &mut self,
        numbered: &Numbered,
        count: u64,
        body: &mut dyn FnMut(&mut Self, Bits),
    ) {
        let masks: Vec<Bits> = numbered.masks.iter().map(|mask| self.word(mask)).collect();
        let codes = self.address(Kept::Codes(Arc::clone(&numbered.dictionary)));
        let (first, max) = (numbered.codes.0, numbered.max());
        self.each_bit_of(&masks, count, &mut |e, number| {
            let code = Bits::any(e.loaded_at(codes, number));
            let distance = e.minus(code, Bits::Known(first));
            let skip = e.builder.create_block();
            let is_meant = e.not_above(distance, max);
            e.unless(is_meant, skip);
            body(e, distance.limited(max));
            e.builder.ins().jump(skip, &[]);
            e.enter(skip);
        });
    }
}
