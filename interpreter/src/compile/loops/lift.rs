//! Computes a predicate on a small type as a mask: for all values at once, by bit operations, instead of one by one.
//!
//! Only terms that cannot fault are lifted, since they are also evaluated at values that a guard might have excluded.

use finite::{Elements, Form};
use ioa_lang::core::{Expr, ExprKind, LocalId, Op};

use super::super::Compiler;
use crate::code::{Binary, Word};

impl Compiler<'_> {
    /// Whether [`Compiler::lift`] applies.
    pub(in crate::compile) fn is_liftable(&mut self, expr: &Expr, x: LocalId) -> bool {
        if !expr.mentions(x) {
            return self.is_total(expr);
        }
        match &expr.kind {
            ExprKind::Apply(Op::Not | Op::And | Op::Or | Op::Implies | Op::Iff, args) => {
                args.iter().all(|a| self.is_liftable(a, x))
            }
            ExprKind::Apply(Op::Eq, args) => {
                self.is_equation(&args[0], &args[1], x) || self.is_equation(&args[1], &args[0], x)
            }
            ExprKind::Apply(Op::Member, args) => self.is_membership(&args[0], &args[1], x),
            ExprKind::Apply(Op::MsetMember, args) => {
                let is_free = self.is_free_collection(&args[1], x);
                is_free && args[0].is_local(x)
            }
            ExprKind::Theory(_, args) => self.is_liftable_theory(args, x),
            _ => false,
        }
    }

    /// `x = t` or `a[x] = t`.
    fn is_equation(&mut self, left: &Expr, right: &Expr, x: LocalId) -> bool {
        self.is_free(right, x) && (left.is_local(x) || self.column_of(left, x).is_some())
    }

    /// `x \in s`, `[.., x, ..] \in s`, or `e \in a[x]`.
    fn is_membership(&mut self, element: &Expr, set: &Expr, x: LocalId) -> bool {
        if self.is_free(set, x) {
            return element.is_local(x) || self.place_in_tuple(element, x).is_some();
        }
        self.is_free(element, x) && self.column_of(set, x).is_some()
    }

    /// The position of `x` in a tuple whose other parts are free of it.
    fn place_in_tuple(&mut self, tuple: &Expr, x: LocalId) -> Option<usize> {
        let ExprKind::Apply(Op::Tuple, parts) = &tuple.kind else {
            return None;
        };
        let place = parts.iter().position(|part| part.is_local(x))?;
        let mut others = parts.iter().enumerate().filter(|(at, _)| *at != place);
        others
            .all(|(_, part)| self.is_free(part, x))
            .then_some(place)
    }

    fn is_free(&mut self, expr: &Expr, x: LocalId) -> bool {
        // An integer may have no code to compare with.
        let is_code = self.is_packed(&expr.ty) && !expr.ty.is_integer();
        is_code && !expr.mentions(x) && self.is_total(expr)
    }

    /// Whether a term that lies in words is free of `x`.
    fn is_free_collection(&mut self, expr: &Expr, x: LocalId) -> bool {
        self.is_word_or_limbs(expr) && !expr.mentions(x) && self.is_total(expr)
    }

    /// The array `a` of a term `a[x]`.
    fn column_of<'e>(&mut self, expr: &'e Expr, x: LocalId) -> Option<&'e Expr> {
        match &expr.kind {
            ExprKind::Apply(Op::Select, args)
                if args[1].is_local(x) && self.is_free(&args[0], x) =>
            {
                Some(&args[0])
            }
            _ => None,
        }
    }

    /// The values of `x`, out of those in `all`, for which a liftable predicate holds.
    pub(in crate::compile) fn lift(&mut self, expr: &Expr, x: LocalId, all: u64) -> Word {
        if !expr.mentions(x) {
            let parts = [self.word(expr), Word::Const(all), Word::FALSE];
            return Word::If(Box::new(parts));
        }
        match &expr.kind {
            ExprKind::Apply(Op::Eq, args) if self.is_equation(&args[0], &args[1], x) => {
                self.lift_equation(&args[0], &args[1], x, all)
            }
            ExprKind::Apply(Op::Eq, args) => self.lift_equation(&args[1], &args[0], x, all),
            ExprKind::Apply(Op::Member, args) => self.lift_membership(&args[0], &args[1], x, all),
            ExprKind::Apply(Op::MsetMember, args) => {
                match self.members_of_multiset(&args[1]).as_deref() {
                    Some([members]) => members.clone(),
                    _ => unreachable!("a mask has a bit for each value of the variable"),
                }
            }
            ExprKind::Apply(op, args) => {
                let args: Vec<Word> = args.iter().map(|a| self.lift(a, x, all)).collect();
                connect(*op, args, all)
            }
            ExprKind::Theory(function, _) => self.lift_theory(expr, *function, x, all),
            _ => unreachable!("only liftable predicates are lifted"),
        }
    }

    fn lift_equation(&mut self, left: &Expr, right: &Expr, x: LocalId, all: u64) -> Word {
        let value = self.word(right);
        match self.column_of(left, x) {
            Some(array) => {
                let (elements, count) = self.columns(array);
                let parts = Box::new([self.word(array), value]);
                let found = Word::Matches {
                    parts,
                    elements,
                    count,
                };
                // Not every number between the codes of an index type need be a code.
                Word::binary(Binary::And, found, Word::Const(all))
            }
            None => Word::binary(Binary::Insert, value, Word::FALSE),
        }
    }

    fn lift_membership(&mut self, element: &Expr, set: &Expr, x: LocalId, all: u64) -> Word {
        if element.is_local(x) {
            return self.word(set);
        }
        let (array, bit, (elements, count)) = match self.column_of(set, x) {
            Some(array) => (array, self.word(element), self.columns(array)),
            None => self.lift_in_tuple(element, set, x, all),
        };
        let parts = Box::new([self.word(array), bit]);
        let column = Word::Column {
            parts,
            elements,
            count,
        };
        Word::binary(Binary::And, column, Word::Const(all))
    }

    /// A set of tuples, the bit in it of a tuple around the value of `x` that has code 0, and how far the bits of the
    /// next values are apart and how many they are.
    fn lift_in_tuple<'e>(
        &mut self,
        element: &Expr,
        set: &'e Expr,
        x: LocalId,
        all: u64,
    ) -> (&'e Expr, Word, (Elements, u32)) {
        let ExprKind::Apply(Op::Tuple, parts) = &element.kind else {
            unreachable!("only liftable predicates are lifted");
        };
        let place = self.place_in_tuple(element, x);
        let (slice, _) = self.field(&element.ty, place.unwrap_or(0));
        let count = u64::BITS - all.leading_zeros();
        let bit = self.tuple_but(element, parts, place);
        (set, bit, (Elements::new(1 << slice.shift()), count))
    }

    /// The elements of a packed array, and how many there are.
    fn columns(&mut self, array: &Expr) -> (Elements, u32) {
        match self.shape(&array.ty).packing().map(|p| &p.form) {
            Some(Form::Array(index, element)) => {
                (Elements::new(element.bits), index.max as u32 + 1)
            }
            _ => unreachable!("an array that is read by columns is packed"),
        }
    }
}

/// A connective on masks.
fn connect(op: Op, mut args: Vec<Word>, all: u64) -> Word {
    let not = |word| Word::binary(Binary::AndNot, Word::Const(all), word);
    match op {
        Op::And => return balanced(Binary::And, &mut args),
        Op::Or => return balanced(Binary::Or, &mut args),
        _ => {}
    }
    let mut args = args.into_iter();
    let first = args.next().unwrap_or(Word::FALSE);
    match op {
        Op::Not => not(first),
        Op::Implies => args.fold(not(first), |a, b| Word::binary(Binary::Or, a, b)),
        Op::Iff => not(args.fold(first, |a, b| Word::binary(Binary::Xor, a, b))),
        _ => unreachable!("{op:?} is not lifted"),
    }
}

/// All words, of which there is at least one, joined by an associative operator into a balanced tree, since there may be
/// thousands.
fn balanced(op: Binary, words: &mut Vec<Word>) -> Word {
    if words.len() < 2 {
        return words.pop().unwrap_or(Word::FALSE);
    }
    let mut right = words.split_off(words.len() / 2);
    let left = balanced(op, words);
    Word::binary(op, left, balanced(op, &mut right))
}
