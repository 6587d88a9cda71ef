//! Loops inside terms: quantifiers and comprehensions.

use cranelift_codegen::ir::types::I8;
use cranelift_codegen::ir::{Block, InstBuilder};
use interpreter::code::{Domain, Fold, Loop};

use super::plan::positions;
use crate::analysis::{can_stop, size};
use crate::emit::Emitter;
use crate::emit::dictionary::quantified_by_number;
use crate::value::{Bits, Truth};

/// Maximum number of operations of a loop that is unrolled without branches. Its body must not be able to fault.
const UNROLL: u64 = 512;

impl Emitter<'_> {
    /// `\A` or `\E`.
    pub(in crate::emit) fn quantified(&mut self, turn: &Loop) -> Truth {
        if let Some(turn) = quantified_by_number(turn) {
            return self.quantified(&turn);
        }
        let all = turn.fold == Fold::All;
        if let Some(members) = self.members(turn) {
            let is_any = self.is_any(turn, &members);
            return if all { self.not(is_any) } else { is_any };
        }
        if let Some(codes) = self.codes_to_write_out(turn) {
            let mask = self.mask_of(&turn.domain);
            let mut acc = Truth::Known(all);
            for code in codes {
                let (present, value) = self.one_turn(turn, mask, code);
                let turned = if all {
                    let absent = self.not(present);
                    self.join(absent, value, false)
                } else {
                    self.join(present, value, true)
                };
                acc = self.join(acc, turned, all);
            }
            return acc;
        }
        let found = self.builder.declare_var(I8);
        let first = self.byte(Truth::Known(all));
        self.builder.def_var(found, first);
        let done = self.builder.create_block();
        self.each(&turn.domain, turn.slot, size(&turn.body), &mut |e| {
            let value = e.looked_up(&turn.body);
            let so_far = Truth::In(e.builder.use_var(found));
            let joined = e.join(so_far, value, all);
            let byte = e.byte(joined);
            e.builder.def_var(found, byte);
            if !turn.exhaustive {
                e.leave_when_settled(joined, all, done);
            }
        });
        self.builder.ins().jump(done, &[]);
        self.enter(done);
        Truth::In(self.builder.use_var(found))
    }

    fn leave_when_settled(&mut self, value: Truth, all: bool, done: Block) {
        let undecided = if all { value } else { self.not(value) };
        self.unless(undecided, done);
    }

    /// The mask of the values for which the body is true.
    pub(in crate::emit) fn collected(&mut self, turn: &Loop) -> Bits {
        if let Some(members) = self.members(turn)
            && members.limbs.len() == 1
        {
            return self.mask_of_members(turn, &members);
        }
        let codes = self.codes_to_write_out(turn);
        let is_code = |code: &u64| *code < u64::from(u64::BITS);
        if let Some(codes) = codes.filter(|codes| codes.iter().all(is_code)) {
            let mask = self.mask_of(&turn.domain);
            let mut acc = Bits::Known(0);
            for code in codes {
                let (present, value) = self.one_turn(turn, mask, code);
                let is_one = self.join(present, value, true);
                acc = self.with_bit(acc, code, is_one);
            }
            return acc;
        }
        self.gathering(&mut |e, found| {
            e.each(&turn.domain, turn.slot, size(&turn.body), &mut |e| {
                let value = e.truth(&turn.body);
                let code = e.slot(turn.slot);
                e.gather(found, code, value);
            });
        })
    }

    /// A mask, and a bit that is set if a condition holds; it is not set in the mask.
    pub(in crate::emit) fn with_bit(&mut self, mask: Bits, code: u64, holds: Truth) -> Bits {
        let bit = self.number(holds);
        let bit = self.shl(bit, Bits::Known(code));
        self.or(mask, bit)
    }

    /// The values that the loop may run through, if it is to be unrolled.
    fn codes_to_write_out(&mut self, turn: &Loop) -> Option<Vec<u64>> {
        let codes = match &turn.domain {
            Domain::Mask(mask) => positions(self.reach.word(mask)),
            Domain::Below(n) if *n <= UNROLL => (0..*n).collect(),
            Domain::Codes(codes) if codes.len() as u64 <= UNROLL => codes.to_vec(),
            _ => return None,
        };
        let operations = (size(&turn.body) + 2).saturating_mul(codes.len() as u64);
        let good = !can_stop(&turn.body) && operations <= UNROLL && self.may_unroll(operations);
        good.then_some(codes)
    }

    /// The mask of a domain; all bits for one whose values are known.
    fn mask_of(&mut self, domain: &Domain) -> Bits {
        match domain {
            Domain::Mask(mask) => self.word(mask),
            _ => Bits::Known(u64::MAX),
        }
    }

    /// Whether a value is in the domain, and the truth of the body for it.
    fn one_turn(&mut self, turn: &Loop, mask: Bits, code: u64) -> (Truth, Truth) {
        let present = match mask {
            Bits::Known(u64::MAX) => Truth::Known(true),
            mask => {
                let bit = self.shr(mask, Bits::Known(code));
                self.lowest(bit)
            }
        };
        if present == Truth::Known(false) {
            return (present, present);
        }
        self.bind(turn.slot, Bits::Known(code), code);
        (present, self.truth(&turn.body))
    }
}
