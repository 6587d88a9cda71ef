//! Where partial operators have values: what formulas show that are evaluated before them.
//!
//! In `x ~= nil /\ p(x.val)` the value of `x.val` matters only if `x` is not `nil`, and then there is one.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::core::expr::{Expr, ExprKind};
use crate::core::operator::{Op, Undefined};
use crate::core::types::Type;

/// What is known to be true where a term is evaluated.
#[derive(Clone, Debug, Default)]
pub struct Known<'e> {
    /// Formulas, with their truth values, of which no connective is the outermost operator.
    atoms: Vec<(&'e Expr, bool)>,
}

/// How much is known; see [`Known::forget`].
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

impl<'e> Known<'e> {
    /// What is known if these formulas are true.
    pub fn of(formulas: impl IntoIterator<Item = &'e Expr>) -> Self {
        let mut known = Self::default();
        for formula in formulas {
            known.learn(formula, true);
        }
        known
    }

    /// Notes what follows from a formula that is true, or false.
    pub fn learn(&mut self, formula: &'e Expr, outcome: bool) {
        match (&formula.kind, outcome) {
            (ExprKind::Apply(Op::Not, args), _) => self.learn(&args[0], !outcome),
            (ExprKind::Apply(Op::And, args), true) | (ExprKind::Apply(Op::Or, args), false) => {
                args.iter().for_each(|arg| self.learn(arg, outcome));
            }
            (ExprKind::Apply(Op::Implies, args), false) => {
                self.learn(&args[0], true);
                self.learn(&args[1], false);
            }
            _ => self.atoms.push((formula, outcome)),
        }
    }

    /// How much is known now.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark(self.atoms.len())
    }

    /// Forgets what was learnt after a mark.
    pub fn forget(&mut self, mark: Mark) {
        self.atoms.truncate(mark.0);
    }

    /// Whether a term has a value: each partial operator in it is shown to have one.
    #[must_use]
    pub fn defines(&self, term: &Expr) -> bool {
        self.defines_outermost(term) && term.children().all(|child| self.defines(child))
    }

    /// Whether the outermost operator of a term has a value if its arguments have values. A random draw is not taken for
    /// one: it must not be drawn early.
    #[must_use]
    pub fn defines_outermost(&self, term: &Expr) -> bool {
        let (op, args) = match &term.kind {
            ExprKind::Apply(op, args) => (*op, &args[..]),
            kind => return !matches!(kind, ExprKind::Random(..)),
        };
        match (op.undefined(&term.ty), args) {
            (None, _) => true,
            (Some(Undefined::NoValue), [null]) => self.is_some(null),
            (Some(Undefined::NoEntry), [map, key]) => self.has_entry(map, key),
            (Some(Undefined::EmptySequence), [sequence]) => self.is_filled(sequence),
            (Some(Undefined::OutOfRange), [sequence, at]) => {
                self.compares(|low, high, is_strict| {
                    is_strict && same(low, at) && is_length(high, sequence)
                })
            }
            (Some(Undefined::DivisionByZero), [_, divisor]) => self.is_not_zero(divisor),
            (Some(Undefined::NegativeNat), [from, less]) => self.is_at_most(less, from),
            (Some(Undefined::WrongVariant), [union]) => self.has_variant(union, op.part()),
            (Some(_), _) => false,
        }
    }

    fn is_some(&self, null: &Expr) -> bool {
        self.equates(|term, other, outcome| {
            same(term, null)
                && match &other.kind {
                    ExprKind::Apply(Op::Nil, _) => !outcome,
                    ExprKind::Apply(Op::Embed, _) => outcome,
                    _ => false,
                }
        })
    }

    fn has_entry(&self, map: &Expr, key: &Expr) -> bool {
        self.applies(Op::Defined, |args| {
            same(&args[0], map) && same(&args[1], key)
        })
    }

    fn is_filled(&self, sequence: &Expr) -> bool {
        let is_empty = |e: &Expr| matches!(e.kind, ExprKind::Apply(Op::EmptySeq, _));
        self.equates(|term, other, outcome| !outcome && same(term, sequence) && is_empty(other))
            || self.applies(Op::SeqMember, |args| same(&args[1], sequence))
            || self.is_positive(|term| is_length(term, sequence))
    }

    fn is_not_zero(&self, divisor: &Expr) -> bool {
        let is_zero = |term: &Expr| number(term).is_some_and(Zero::is_zero);
        number(divisor).is_some_and(|n| !n.is_zero())
            || self
                .equates(|term, other, outcome| !outcome && same(term, divisor) && is_zero(other))
            || self.is_positive(|term| same(term, divisor))
            || self
                .compares(|low, high, is_strict| is_strict && same(low, divisor) && is_zero(high))
    }

    fn is_at_most(&self, less: &Expr, more: &Expr) -> bool {
        let is_one = number(less).is_some_and(One::is_one);
        self.compares(|low, high, _| same(low, less) && same(high, more))
            || is_one && self.is_positive(|term| same(term, more))
    }

    fn has_variant(&self, union: &Expr, variant: u32) -> bool {
        self.equates(|tag, name, outcome| {
            let is_tag = |args: &[Expr]| args.iter().all(|of| same(of, union));
            outcome
                && matches!(&tag.kind, ExprKind::Apply(Op::Tag, args) if is_tag(args))
                && name.kind == ExprKind::Enumerator(variant)
        })
    }

    /// Whether a number that is meant is known to be above zero.
    fn is_positive(&self, is_meant: impl Fn(&Expr) -> bool) -> bool {
        self.compares(|low, high, is_strict| {
            let is_above = |low: &BigInt| low.is_positive() || is_strict && low.is_zero();
            is_meant(high) && number(low).is_some_and(is_above)
        }) || self.equates(|term, other, outcome| {
            let is_zero = number(other).is_some_and(Zero::is_zero);
            !outcome && term.ty == Type::Nat && is_meant(term) && is_zero
        })
    }

    /// Whether some equation that is true or false is meant, read from either side.
    fn equates(&self, is_meant: impl Fn(&Expr, &Expr, bool) -> bool) -> bool {
        self.atoms.iter().any(|(atom, outcome)| match &atom.kind {
            ExprKind::Apply(Op::Eq, args) => {
                is_meant(&args[0], &args[1], *outcome) || is_meant(&args[1], &args[0], *outcome)
            }
            _ => false,
        })
    }

    /// Whether some comparison that is true is meant: of the lower side with the higher one, which is strict or not.
    fn compares(&self, is_meant: impl Fn(&Expr, &Expr, bool) -> bool) -> bool {
        self.atoms
            .iter()
            .any(|(atom, outcome)| match (&atom.kind, outcome) {
                (ExprKind::Apply(op @ (Op::Lt | Op::Le), args), true) => {
                    is_meant(&args[0], &args[1], *op == Op::Lt)
                }
                (ExprKind::Apply(op @ (Op::Lt | Op::Le), args), false) => {
                    is_meant(&args[1], &args[0], *op == Op::Le)
                }
                _ => false,
            })
    }

    /// Whether some application of an operator that is true is meant.
    fn applies(&self, op: Op, is_meant: impl Fn(&[Expr]) -> bool) -> bool {
        self.atoms.iter().any(|(atom, outcome)| {
            *outcome
                && matches!(&atom.kind, ExprKind::Apply(of, args) if *of == op && is_meant(args))
        })
    }
}

/// Whether a term is the length of a sequence.
fn is_length(term: &Expr, sequence: &Expr) -> bool {
    matches!(&term.kind, ExprKind::Apply(Op::Len, args) if same(&args[0], sequence))
}

/// The number that a term is written as, also where it is taken for a real one.
fn number(term: &Expr) -> Option<&BigInt> {
    match &term.kind {
        ExprKind::Int(n) => Some(n),
        ExprKind::Apply(Op::ToReal, args) => number(&args[0]),
        _ => None,
    }
}

/// Whether two terms have the same value. Two random draws need not have.
fn same(left: &Expr, right: &Expr) -> bool {
    let mut draws = false;
    left.walk(&mut |term| draws |= matches!(term.kind, ExprKind::Random(..)));
    left == right && !draws
}
