//! Integers as words, where they have ranges: in two's complement as terms and bound variables, as codes in packed
//! values.

use std::sync::Arc;

use finite::{Elements, Form, Packing};
use ioa_lang::core::{Expr, Op, Type};
use num_traits::ToPrimitive;

use super::Compiler;
use crate::code::{Arith, Binary, General, Narrow, Numbering, Term, Unnumbered, Word};
use crate::interrupt::fault::LimitKind;
use crate::state::cell::{Cell, Number};
use crate::state::layout::Location;

impl Compiler<'_> {
    /// Whether the terms of a type are integers that are computed as words.
    pub(super) fn is_number(&self, ty: &Type) -> bool {
        ty.is_integer() && self.scope.universe.ranges().is_some()
    }

    /// A literal.
    pub(super) fn numeral(&mut self, expr: &Expr, n: &num_bigint::BigInt) -> Word {
        match n.to_i64() {
            Some(n) => Word::Const(n.cast_unsigned()),
            None => {
                let value: Result<Cell, LimitKind> = Number::bounded(n.clone()).map(Cell::Int);
                Word::Cell(Box::new(self.literal(expr, value)))
            }
        }
    }

    /// An operator on integers, with an integer for a result.
    pub(super) fn arithmetic(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        Word::Arith(Box::new(Arith {
            op,
            parts: args.iter().map(|a| self.word(a)).collect(),
            nat: expr.ty == Type::Nat,
            span: expr.span,
        }))
    }

    /// A term as a part of a packed value.
    pub(super) fn code(&mut self, expr: &Expr, packing: &Packing) -> Word {
        if let Form::Numbered(inner, dictionary, place) = &packing.form {
            return Word::Number(Box::new(Numbering {
                code: self.code(expr, inner),
                dictionary: Arc::clone(dictionary),
                unnumbered: Unnumbered::Overflows(*place, expr.span),
            }));
        }
        let value = self.word(expr);
        let Form::Int(low, place) = packing.form else {
            return value;
        };
        let max = packing.max;
        if let Word::Const(n) = value {
            let code = n.wrapping_sub(low.cast_unsigned());
            if code <= max {
                return Word::Const(code);
            }
        }
        Word::Narrow(Box::new(Narrow {
            value,
            low,
            max,
            place,
            span: expr.span,
        }))
    }

    /// A value that is looked for among the elements of a set or a multiset: its code, or a number above all codes if it has none.
    pub(super) fn sought(&mut self, value: &Expr, element: &Packing) -> Word {
        let code = self.word(value);
        match &element.form {
            Form::Numbered(_, dictionary, _) => Word::Number(Box::new(Numbering {
                code,
                dictionary: Arc::clone(dictionary),
                unnumbered: Unnumbered::IsNone,
            })),
            _ => code,
        }
    }

    /// A term for a variable.
    pub(super) fn stored(
        &mut self,
        location: &Location,
        packing: Option<&Packing>,
        expr: &Expr,
    ) -> Term {
        if matches!(location, Location::Limbs(_)) && self.has_limbs(expr) {
            return self.limbs_term(expr);
        }
        if !self.is_number(&expr.ty) {
            return self.term(expr);
        }
        match (location, packing) {
            (Location::Bits(_), Some(packing)) => {
                let word = self.code(expr, packing);
                Term::Word(self.hoist(word))
            }
            _ => Term::General(self.general(expr)),
        }
    }

    /// `insert(e, s)` of a packed set.
    pub(super) fn inserted(&mut self, expr: &Expr, args: &[Expr]) -> Word {
        let element = match self.shape(&expr.ty).packing().map(|p| &p.form) {
            Some(Form::Set(element)) => (**element).clone(),
            _ => unreachable!("an operator of packed sets has one"),
        };
        let code = self.code(&args[0], &element);
        Word::binary(Binary::Insert, code, self.word(&args[1]))
    }

    /// The keys of a packed map, as a mask.
    pub(super) fn keys(&mut self, map: &Expr) -> Option<Word> {
        let shape = self.shape(&map.ty);
        let Some(Form::Map(domain, slot)) = shape.packing().map(|p| &p.form) else {
            return None;
        };
        let undefined = Word::Matches {
            parts: Box::new([self.word(map), Word::FALSE]),
            elements: Elements::new(slot.bits),
            count: domain.max as u32 + 1,
        };
        let all = domain.values().fold(0, |mask, code| mask | 1 << code);
        Some(Word::binary(Binary::AndNot, Word::Const(all), undefined))
    }
}

/// The term that a code of this packing stands for.
pub(super) fn decoded(code: Word, packing: &Packing) -> Word {
    match packing.form {
        Form::Int(0, _) => code,
        Form::Int(low, _) => Word::Offset(Box::new(code), low),
        _ => code,
    }
}

impl General {
    /// The integer that a word is.
    pub(super) fn number(word: Word) -> Self {
        Self::Number(Box::new(word))
    }
}
