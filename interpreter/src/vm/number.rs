//! Evaluating integers as words in two's complement.

use ioa_lang::Span;
use ioa_lang::core::Op;

use super::Machine;
use crate::code::{Arith, Narrow, Numbering, Unnumbered};
use crate::interrupt::fault::{FaultKind, LimitKind};
use crate::state::cell::{Cell, Number};
use crate::vm::halt::{Stop, stop};

impl Machine {
    /// An operator on integers.
    pub(super) fn arith(&mut self, arith: &Arith) -> Result<u64, Stop> {
        let a = self.word(&arith.parts[0])?.cast_signed();
        let b = match arith.parts.get(1) {
            Some(b) => self.word(b)?.cast_signed(),
            None => 0,
        };
        let fault = |kind: FaultKind| stop(kind, arith.span);
        let result = match arith.op {
            Op::Add => a.checked_add(b),
            Op::Sub => a.checked_sub(b),
            Op::Mul => a.checked_mul(b),
            Op::Neg => a.checked_neg(),
            Op::Abs => a.checked_abs(),
            Op::Div | Op::Mod if b == 0 => return Err(fault(FaultKind::DivisionByZero)),
            Op::Div => a.checked_div_euclid(b),
            Op::Mod => a.checked_rem_euclid(b),
            Op::Pow if b < 0 => return Err(fault(FaultKind::NegativeNat)),
            Op::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            Op::Min => Some(a.min(b)),
            Op::Max => Some(a.max(b)),
            op => unreachable!("{op:?} is no operator on integers"),
        };
        match result {
            Some(n) if n < 0 && arith.nat => Err(fault(FaultKind::NegativeNat)),
            Some(n) => Ok(n.cast_unsigned()),
            None => Err(self.beyond(arith.span)),
        }
    }

    /// The code of an integer at a place that has a range.
    pub(super) fn narrow(&mut self, narrow: &Narrow) -> Result<u64, Stop> {
        let n = self.word(&narrow.value)?.cast_signed();
        let code = n.wrapping_sub(narrow.low).cast_unsigned();
        if n < narrow.low || code > narrow.max {
            self.range_overflows.note(narrow.place, n);
            return Err(stop(LimitKind::RangeOverflow, narrow.span));
        }
        Ok(code)
    }

    /// The number of an element in a dictionary.
    pub(super) fn numbering(&mut self, numbering: &Numbering) -> Result<u64, Stop> {
        let code = self.word(&numbering.code)?;
        let dictionary = &numbering.dictionary;
        let Unnumbered::Overflows(place, span) = numbering.unnumbered else {
            return Ok(dictionary.number(code).unwrap_or(dictionary.room()));
        };
        match dictionary.number_of_met(code) {
            Some(number) => Ok(number),
            None => {
                self.range_overflows.note(place, code.cast_signed());
                match self.meets_all {
                    true => Ok(0),
                    false => Err(stop(LimitKind::RangeOverflow, span)),
                }
            }
        }
    }

    /// An integer as a word.
    pub(super) fn small(&self, cell: &Cell, span: Span) -> Result<u64, Stop> {
        match cell {
            Cell::Int(Number::Small(n)) => Ok(n.cast_unsigned()),
            Cell::Int(Number::Big(_)) => Err(self.beyond(span)),
            cell => unreachable!("a term of a packed type computes a word: {cell:?}"),
        }
    }

    /// The stop at an integer that does not fit a word.
    #[cold]
    pub(super) fn beyond(&self, span: Span) -> Stop {
        self.range_overflows.note_beyond();
        stop(LimitKind::RangeOverflow, span)
    }
}
