//! Numbers: sizes of packed sets, integers that have ranges, and what is computed from them.
//!
//! The analysis has found bounds for every number that is computed, and within them nothing can overflow.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use interpreter::code::{Apply, Arith, General, Narrow};
use interpreter::{Cell, Number};
use ioa_lang::core::Op;

use super::Emitter;
use crate::reach::MAX_EXPONENT;
use crate::value::{Bits, Truth};

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
            Op::Lt => self.below(a, b),
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
            let set = self.word(set);
            return self.count(set);
        }
        let (a, b) = (self.numeral(&args[0]), self.numeral(&args[1]));
        self.operator(*op, a, b)
    }

    /// An operator on two numbers. A divisor must not be 0.
    fn operator(&mut self, op: Op, a: Bits, b: Bits) -> Bits {
        match op {
            Op::Add => self.add(a, b),
            Op::Sub => self.minus(a, b),
            Op::Neg => self.minus(Bits::Known(0), a),
            Op::Mul => {
                let most = a.most().saturating_mul(b.most());
                let product = |e: &mut Self, a, b| e.builder.ins().imul(a, b);
                self.combine((a, b), most, u64::wrapping_mul, product)
            }
            Op::Div | Op::Mod => self.divided(op, a, b),
            Op::Abs => {
                let below = self.below(a, Bits::Known(0));
                let opposite = self.minus(Bits::Known(0), a);
                self.either(below, opposite, a)
            }
            Op::Pow => self.power(a, b),
            Op::Min => self.combine(
                (a, b),
                natural(a, b, u64::min),
                |a, b| a.cast_signed().min(b.cast_signed()).cast_unsigned(),
                |e, a, b| e.builder.ins().smin(a, b),
            ),
            Op::Max => self.combine(
                (a, b),
                natural(a, b, u64::max),
                |a, b| a.cast_signed().max(b.cast_signed()).cast_unsigned(),
                |e, a, b| e.builder.ins().smax(a, b),
            ),
            _ => unreachable!("the survey keeps other operators out"),
        }
    }

    /// The quotient or the remainder of a division by a natural number. A division by 0 is never computed.
    fn divided(&mut self, op: Op, a: Bits, b: Bits) -> Bits {
        if !is_natural(a) {
            return self.divided_below(op, a, b);
        }
        match op {
            Op::Div => self.combine(
                (a, b),
                a.most(),
                |a, b| a.checked_div(b).unwrap_or(0),
                |e, a, b| e.builder.ins().udiv(a, b),
            ),
            _ => self.combine(
                (a, b),
                a.most().min(b.most()),
                |a, b| a.checked_rem(b).unwrap_or(0),
                |e, a, b| e.builder.ins().urem(a, b),
            ),
        }
    }

    /// The same where the dividend may be below zero: the machine rounds towards 0, the quotient is rounded down.
    fn divided_below(&mut self, op: Op, a: Bits, b: Bits) -> Bits {
        let remainder = self.combine(
            (a, b),
            u64::MAX,
            |a, b| {
                let remainder = a.cast_signed().checked_rem(b.cast_signed());
                remainder.unwrap_or(0).cast_unsigned()
            },
            |e, a, b| e.builder.ins().srem(a, b),
        );
        let below = self.below(remainder, Bits::Known(0));
        if op == Op::Mod {
            let raised = self.add(remainder, b);
            return self.either(below, raised, remainder).limited(b.most());
        }
        let quotient = self.combine(
            (a, b),
            u64::MAX,
            |a, b| {
                let quotient = a.cast_signed().checked_div(b.cast_signed());
                quotient.unwrap_or(0).cast_unsigned()
            },
            |e, a, b| e.builder.ins().sdiv(a, b),
        );
        let below = self.number(below);
        self.minus(quotient, below)
    }

    /// A power, by repeated squaring. The analysis has shown that the result fits a word, and the exponent a few bits. Bits
    /// that squares lose at the upper end of a word do not belong to the result.
    fn power(&mut self, base: Bits, exponent: Bits) -> Bits {
        let (mut result, mut square) = (Bits::Known(1), base);
        for bit in 0..=MAX_EXPONENT.ilog2() {
            let taken = self.shr(exponent, Bits::Known(u64::from(bit)));
            let taken = self.lowest(taken);
            let product = self.operator(Op::Mul, result, square);
            result = self.either(taken, product, result);
            square = self.operator(Op::Mul, square, square);
        }
        // Nothing is known about products that are not used.
        match result {
            Bits::In { value, .. } => Bits::any(value),
            known => known,
        }
    }

    /// An operator on integers that have ranges. Undefined results are left to the interpreter.
    pub(super) fn arith(&mut self, arith: &Arith) -> Bits {
        let a = self.word(&arith.parts[0]);
        let b = match arith.parts.get(1) {
            Some(second) => self.word(second),
            None => Bits::Known(0),
        };
        if matches!(arith.op, Op::Div | Op::Mod) {
            let some = self.differ(b, Bits::Known(0));
            self.unless(some, self.bailout);
        }
        let result = self.operator(arith.op, a, b);
        if arith.nat && arith.op == Op::Sub {
            let below = self.below(result, Bits::Known(0));
            let is_nat = self.not(below);
            return self.defined(is_nat, |_| result);
        }
        result
    }

    /// The code of an integer at a place that has a range. If the integer does not fit, the interpreter records it.
    pub(super) fn narrow(&mut self, narrow: &Narrow) -> Bits {
        let value = self.word(&narrow.value);
        let code = self.minus(value, Bits::Known(narrow.low.cast_unsigned()));
        let fits = self.not_above(code, narrow.max);
        self.defined(fits, |_| code.limited(narrow.max))
    }

    /// How many bits are 1.
    pub(super) fn count(&mut self, set: Bits) -> Bits {
        match set {
            Bits::Known(set) => Bits::Known(u64::from(set.count_ones())),
            Bits::In { value, most } => {
                let bits = u64::BITS - most.leading_zeros();
                Bits::up_to(u64::from(bits), self.builder.ins().popcnt(value))
            }
        }
    }

    /// Whether one number is less than another.
    pub(super) fn below(&mut self, a: Bits, b: Bits) -> Truth {
        let known = |a: u64, b: u64| a.cast_signed() < b.cast_signed();
        self.compare((a, b), known, IntCC::SignedLessThan)
    }

    /// The stronger of two lower bounds (true) or upper bounds.
    pub(super) fn stronger(&mut self, low: bool, a: Bits, b: Bits) -> Bits {
        self.operator(if low { Op::Max } else { Op::Min }, a, b)
    }

    pub(super) fn minus(&mut self, a: Bits, b: Bits) -> Bits {
        match b {
            Bits::Known(0) => a,
            _ => {
                let difference = |e: &mut Self, a, b| e.builder.ins().isub(a, b);
                self.combine((a, b), u64::MAX, u64::wrapping_sub, difference)
            }
        }
    }
}

/// Whether a number is known to be at least zero.
fn is_natural(number: Bits) -> bool {
    number.most() <= i64::MAX.cast_unsigned()
}

/// The bound that follows from the bounds of two numbers if neither number is negative.
fn natural(a: Bits, b: Bits, bound: impl FnOnce(u64, u64) -> u64) -> u64 {
    match is_natural(a) && is_natural(b) {
        true => bound(a.most(), b.most()),
        false => u64::MAX,
    }
}
