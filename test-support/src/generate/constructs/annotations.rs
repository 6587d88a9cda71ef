//! Terms that are written with their types.

use super::types::Ty;
use crate::generate::Generator;

impl Generator {
    /// A term of any type with that type.
    pub(in crate::generate) fn annotated(&mut self, ty: &Ty, depth: u32) -> String {
        let term = self.term(ty, depth);
        match ty {
            Ty::Int if !self.annotates => integer(&term),
            ty => format!("(({term}):{})", ty.text()),
        }
    }

    /// A number whose type stands beside it: a natural one, or an integer that is made of one. What has no value as a natural
    /// number has none as the integer either.
    pub(in crate::generate) fn written_number(&mut self, ty: &Ty, depth: u32) -> String {
        let natural = self.written_natural(depth);
        match (ty, self.pick(&[0, 0, 1, 2])) {
            (Ty::Int, 0) if self.annotates => format!("({natural}:Int)"),
            (Ty::Int, 0) => integer(&natural),
            (Ty::Int, 1) => format!("({} + {natural})", self.atom(&Ty::Int, depth)),
            (Ty::Int, _) if self.annotates => format!("(({natural}:Int):Int - 1)"),
            (Ty::Int, _) => format!("({} - 1)", integer(&natural)),
            _ => natural,
        }
    }

    /// A natural number, more often than not a difference that may have no value.
    fn written_natural(&mut self, depth: u32) -> String {
        let term = match self.once_in(3) {
            true => self.term(&Ty::Nat, depth),
            false => format!(
                "{} - {}",
                self.atom(&Ty::Nat, depth),
                self.atom(&Ty::Nat, depth)
            ),
        };
        match self.once_in(3) && self.annotates {
            true => format!("natural({term})"),
            false => format!("(({term}):Nat)"),
        }
    }
}

/// The same number as an integer: of two alternatives that are not of one type, the larger type is meant.
fn integer(natural: &str) -> String {
    format!("(if true then {natural} else (-1))")
}
