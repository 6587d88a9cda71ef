//! Terms of the types that do not fit a word.

use std::sync::Arc;

use ioa_lang::Diagnostic;
use ioa_lang::core::{Expr, ExprKind, Op, Type};
use ioa_lang::diagnostic::Code;

use super::Compiler;
use crate::code::{Apply, General, Term, TypeInfo, Word};
use crate::interrupt::fault::LimitKind;
use crate::state::cell::{Cell, Number, Shape, Unpacking};
use crate::state::layout::Location;
use crate::vm::ops::applied;

impl Compiler<'_> {
    /// A term in the representation of its type.
    pub(crate) fn term(&mut self, expr: &Expr) -> Term {
        if self.is_packed(&expr.ty) {
            let word = self.word(expr);
            Term::Word(self.hoist(word))
        } else {
            Term::General(self.general(expr))
        }
    }

    /// A term of any type, as one that computes a cell.
    pub(crate) fn general(&mut self, expr: &Expr) -> General {
        self.deeper(expr.span, General::Const(Cell::Word(0)), |c| {
            c.general_here(expr)
        })
    }

    fn general_here(&mut self, expr: &Expr) -> General {
        match &expr.kind {
            ExprKind::Int(n) => self.literal(expr, Number::bounded(n.clone()).map(Cell::Int)),
            ExprKind::Random(draw, args) => {
                let args = args.iter().map(|a| self.elements(a)).collect();
                General::Draw(*draw, args, expr.span)
            }
            _ if self.is_number(&expr.ty) => General::number(self.word(expr)),
            _ if self.is_packed(&expr.ty) => General::Word(Box::new(self.word(expr))),
            ExprKind::State(state) => match self.location(*state) {
                Location::Cell(cell) => General::Load(state.store, *cell),
                Location::Limbs(place) => {
                    let limbs = place.fields().iter();
                    let limbs = limbs.map(|field| Word::Load(state.store, *field));
                    General::Unpacked(Arc::clone(place.unpacking()), limbs.collect())
                }
                Location::Bits(_) => unreachable!("a variable of this type lies in a cell"),
            },
            ExprKind::Local(local) => General::Local(local.0),
            ExprKind::Apply(op, args) => self.general_operator(expr, *op, args),
            ExprKind::If(c, a, b) => General::If(
                Box::new(self.word(c)),
                Box::new([self.general(a), self.general(b)]),
            ),
            ExprKind::Real(n) => self.literal(expr, Cell::real(n.clone())),
            ExprKind::Text(text) => self.literal(expr, Cell::text(text.clone())),
            ExprKind::Theory(function, args) => self.general_theory(expr, *function, args),
            ExprKind::Comprehension(binder, body) => self.general_comprehension(*binder, body),
            ExprKind::Entries(x, entry) => self.general_entries(expr, *x, entry),
            ExprKind::Bool(_)
            | ExprKind::Enumerator(_)
            | ExprKind::Element(_)
            | ExprKind::Char(_)
            | ExprKind::Quantified(..) => unreachable!("the types of these are packed"),
        }
    }

    /// A literal, if it is not too large.
    pub(super) fn literal(&mut self, expr: &Expr, value: Result<Cell, LimitKind>) -> General {
        General::Const(value.unwrap_or_else(|limit| {
            let message = format!("this literal is too large: {limit}");
            self.error(Diagnostic::error(Code::CannotRun, expr.span, message));
            Cell::Word(0)
        }))
    }

    /// A term whose elements are to be listed: a packed collection as a sequence of cells.
    pub(crate) fn elements(&mut self, expr: &Expr) -> General {
        let shape = self.shape(&expr.ty);
        let Some(packing) = shape.packing() else {
            return self.general(expr);
        };
        match &expr.ty {
            Type::Set(_) => General::Bits(Box::new(self.word(expr))),
            Type::Seq(element) => {
                let element = Shape::part(self.scope.model, self.scope.universe, element);
                let unpacking = Unpacking::of_sequence(packing.clone(), element);
                General::Unpacked(unpacking, Box::new([self.word(expr)]))
            }
            Type::Mset(_) => match self.members_of_multiset(expr).as_deref() {
                Some([members]) => General::Bits(Box::new(members.clone())),
                _ => unreachable!("a multiset in a word has fewer than 64 elements"),
            },
            _ => self.general(expr),
        }
    }

    /// An operator with an argument or a result that does not fit a word.
    pub(super) fn general_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> General {
        let about = self.about(expr, op, args);
        let apply = Apply {
            op,
            args: args.iter().map(|a| self.general(a)).collect(),
            about,
            span: expr.span,
        };
        // What has no value is told when it is evaluated, if it ever is. Where there are errors, terms stand for others.
        let constant = |arg: &General| match self.errors.is_empty() {
            true => arg.constant().ok_or(()),
            false => Err(()),
        };
        match applied(&apply, constant) {
            Ok(Ok(value)) => General::Const(value),
            _ => General::Apply(Box::new(apply)),
        }
    }

    fn about(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> TypeInfo {
        let array = match op {
            Op::Select | Op::Assign => &args[0].ty,
            Op::Sum => return self.count_of_indices(&args[0]),
            Op::Constant => &expr.ty,
            Op::Size if self.is_packed(&args[0].ty) => return TypeInfo::Mask,
            Op::Sub if expr.ty == Type::Nat => return TypeInfo::Nat,
            Op::Payload(_) => return TypeInfo::Variants(self.variants(&args[0].ty)),
            _ => return TypeInfo::Nothing,
        };
        match &*self.shape(array) {
            Shape::Array {
                ranks: Some(ranks), ..
            } => TypeInfo::Ranks(ranks.clone()),
            _ => TypeInfo::Nothing,
        }
    }

    /// How many numbers the sum of an array is of.
    fn count_of_indices(&mut self, array: &Expr) -> TypeInfo {
        let Type::Array(index, _) = &array.ty else {
            unreachable!("a sum is of an array");
        };
        let shape = self.shape(index);
        let count = shape
            .packing()
            .and_then(|packing| i64::try_from(packing.count()).ok());
        TypeInfo::Count(count.unwrap_or_else(|| {
            let message = "there are too many numbers in this array to add them up";
            self.error(Diagnostic::error(Code::CannotRun, array.span, message));
            0
        }))
    }
}

impl General {
    /// The value of a term that always has the same, as far as its form tells.
    fn constant(&self) -> Option<Cell> {
        match self {
            Self::Const(value) => Some(value.clone()),
            Self::Word(word) => word.constant().map(Cell::Word),
            Self::Number(word) => {
                let number = word.constant()?.cast_signed();
                Some(Cell::Int(Number::Small(number)))
            }
            Self::Unpacked(unpacking, limbs) => {
                let limbs = limbs.iter().map(Word::constant);
                Some(unpacking.cell(&limbs.collect::<Option<Vec<u64>>>()?))
            }
            _ => None,
        }
    }
}

impl Word {
    /// Its value, if it is a constant.
    fn constant(&self) -> Option<u64> {
        match self {
            Self::Const(value) => Some(*value),
            _ => None,
        }
    }
}

impl From<General> for Word {
    /// A general term that is known to compute a word.
    fn from(term: General) -> Self {
        match term {
            General::Const(Cell::Word(value)) => Self::Const(value),
            term => Self::Cell(Box::new(term)),
        }
    }
}

impl From<Word> for General {
    fn from(word: Word) -> Self {
        Self::Word(Box::new(word))
    }
}
