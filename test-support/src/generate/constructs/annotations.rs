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

    /// A number that is written with its type: a natural number, or an integer made from one. If the natural number is
    /// undefined, so is the integer.
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

    /// A natural number, usually a difference that may be undefined.
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

/// The same number as an integer: a conditional whose branches have different types has the larger type.
fn integer(natural: &str) -> String {
    format!("(if true then {natural} else (-1))")
}
