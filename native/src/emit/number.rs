//! Relations between numbers: sizes of packed sets and what is computed from them.
//!
//! The survey has found bounds for every number, within which nothing can overflow.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use interpreter::code::{Apply, General};
use interpreter::{Cell, Number};
use ioa_lang::core::Op;

use super::{Bits, Emitter, Truth};

impl Emitter<'_> {
    /// A relation between two numbers.
    pub(super) fn numeric_relation(&mut self, general: &General) -> Truth {
        let General::Apply(apply) = general else {
            unreachable!("the survey keeps other general terms out");
        };
        let Apply { op, args, .. } = &**apply;
        let (a, b) = (self.numeral(&args[0]), self.numeral(&args[1]));
        match op {
            Op::Eq => self.equal(a, b),
            Op::Lt => self.compare((a, b), |a, b| (a as i64) < b as i64, IntCC::SignedLessThan),
            Op::Le => {
                let less_or_equal = IntCC::SignedLessThanOrEqual;
                self.compare((a, b), |a, b| a as i64 <= b as i64, less_or_equal)
            }
            _ => unreachable!("the survey keeps other operators out"),
        }
    }

    /// A number, in two's complement.
    fn numeral(&mut self, general: &General) -> Bits {
        match general {
            General::Const(Cell::Int(Number::Small(n))) => Bits::Known(*n as u64),
            General::Apply(apply) => self.computed(apply),
            _ => unreachable!("the survey keeps other general terms out"),
        }
    }

    fn computed(&mut self, apply: &Apply) -> Bits {
        let Apply { op, args, .. } = apply;
        if let (Op::Size, General::Word(set)) = (op, &args[0]) {
            return match self.word(set) {
                Bits::Known(set) => Bits::Known(u64::from(set.count_ones())),
                Bits::In(set) => Bits::In(self.builder.ins().popcnt(set)),
            };
        }
        let (a, b) = (self.numeral(&args[0]), self.numeral(&args[1]));
        match op {
            Op::Add => self.add(a, b),
            Op::Sub => self.combine((a, b), u64::wrapping_sub, |e, a, b| {
                e.builder.ins().isub(a, b)
            }),
            Op::Mul => self.combine((a, b), u64::wrapping_mul, |e, a, b| {
                e.builder.ins().imul(a, b)
            }),
            _ => unreachable!("the survey keeps other operators out"),
        }
    }
}
