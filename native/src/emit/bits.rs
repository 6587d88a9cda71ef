//! Words, and the operations on them. An operation on known words is computed at once (constant folding), others by the
//! code.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::Emitter;
use crate::reach::smear;
use crate::value::{Bits, Truth};

impl Emitter<'_> {
    /// A word as a value.
    pub(crate) fn value(&mut self, bits: Bits) -> Value {
        match bits {
            Bits::Known(n) => self.builder.ins().iconst(I64, n as i64),
            Bits::In { value, .. } => value,
        }
    }

    /// An operation on two words, computed at once if both are known; the result is not greater than `most`.
    pub(super) fn combine(
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

    pub(super) fn and(&mut self, a: Bits, b: Bits) -> Bits {
        match (a, b) {
            (Bits::Known(0), _) | (_, Bits::Known(0)) => Bits::Known(0),
            // A word that has no bits outside a mask does not change when it is masked.
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

    pub(super) fn or(&mut self, a: Bits, b: Bits) -> Bits {
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

    pub(super) fn xor(&mut self, a: Bits, b: Bits) -> Bits {
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
    pub(super) fn without(&mut self, a: Bits, b: Bits) -> Bits {
        match b {
            Bits::Known(b) => self.and(a, Bits::Known(!b)),
            Bits::In { value, .. } => {
                let not = Bits::any(self.builder.ins().bnot(value));
                self.and(a, not)
            }
        }
    }

    /// A word shifted left by any amount; 0 if no bit is left.
    pub(super) fn shl(&mut self, a: Bits, by: Bits) -> Bits {
        match (a, by) {
            (a, Bits::Known(0)) => a,
            (Bits::Known(0), _) | (_, Bits::Known(64..)) => Bits::Known(0),
            pair => {
                let fits = by.most() <= u64::from(a.most().leading_zeros());
                let most = match fits {
                    true => shifted_up(a.most(), by.most()),
                    false => u64::MAX,
                };
                let shift = |e: &mut Self, a, b| e.builder.ins().ishl(a, b);
                let shifted = self.combine(pair, most, shifted_up, shift);
                self.if_in_word(by, shifted)
            }
        }
    }

    /// A word shifted right by any amount; 0 if no bit is left.
    pub(super) fn shr(&mut self, a: Bits, by: Bits) -> Bits {
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

    /// The corrected result of a shift: the machine uses only the lowest six bits of the amount, so the result is 0 if the
    /// amount has others.
    pub(super) fn if_in_word(&mut self, by: Bits, shifted: Bits) -> Bits {
        let in_word = self.not_above(by, u64::from(u64::BITS) - 1);
        self.either(in_word, shifted, Bits::Known(0))
    }

    /// One of two words, depending on a condition.
    pub(super) fn either(&mut self, holds: Truth, yes: Bits, no: Bits) -> Bits {
        let holds = match holds {
            Truth::Known(true) => return yes,
            Truth::Known(false) => return no,
            Truth::In(value) => value,
        };
        let most = yes.most().max(no.most());
        let (yes, no) = (self.value(yes), self.value(no));
        Bits::up_to(most, self.builder.ins().select(holds, yes, no))
    }

    /// The minimum of a word and a number.
    pub(super) fn at_most(&mut self, a: Bits, number: u64) -> Bits {
        if a.most() <= number {
            return a;
        }
        let smaller = |e: &mut Self, a, b| e.builder.ins().umin(a, b);
        self.combine((a, Bits::Known(number)), number, u64::min, smaller)
    }

    pub(super) fn add(&mut self, a: Bits, b: Bits) -> Bits {
        match (a, b) {
            (Bits::Known(0), x) | (x, Bits::Known(0)) => x,
            pair => {
                let most = a.most().saturating_add(b.most());
                let sum = |e: &mut Self, a, b| e.builder.ins().iadd(a, b);
                self.combine(pair, most, u64::wrapping_add, sum)
            }
        }
    }

    /// A number if a condition holds, otherwise 0.
    pub(crate) fn size_if(&mut self, holds: Truth, number: u64) -> Value {
        let bit = self.number(holds);
        let size = self.mul(bit, number);
        self.value(size)
    }

    pub(super) fn mul(&mut self, a: Bits, by: u64) -> Bits {
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

    pub(super) fn compare(
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

    pub(super) fn equal(&mut self, a: Bits, b: Bits) -> Truth {
        self.compare((a, b), |a, b| a == b, IntCC::Equal)
    }

    pub(super) fn differ(&mut self, a: Bits, b: Bits) -> Truth {
        self.compare((a, b), |a, b| a != b, IntCC::NotEqual)
    }

    pub(super) fn less(&mut self, a: Bits, b: Bits) -> Truth {
        self.compare((a, b), |a, b| a < b, IntCC::UnsignedLessThan)
    }

    /// Whether a word is not greater than a number.
    pub(crate) fn not_above(&mut self, a: Bits, number: u64) -> Truth {
        if a.most() <= number {
            return Truth::Known(true);
        }
        let how = IntCC::UnsignedLessThanOrEqual;
        self.compare((a, Bits::Known(number)), |a, b| a <= b, how)
    }

    /// The lowest bit as a truth value.
    pub(super) fn lowest(&mut self, a: Bits) -> Truth {
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
    pub(super) fn number(&mut self, truth: Truth) -> Bits {
        match truth {
            Truth::Known(b) => Bits::Known(u64::from(b)),
            Truth::In(value) => Bits::up_to(1, self.builder.ins().uextend(I64, value)),
        }
    }
}

fn shifted_up(a: u64, by: u64) -> u64 {
    u32::try_from(by).map_or(0, |by| a.checked_shl(by).unwrap_or(0))
}

fn shifted_down(a: u64, by: u64) -> u64 {
    u32::try_from(by).map_or(0, |by| a.checked_shr(by).unwrap_or(0))
}
