//! Terms of packed types, as bit operations.

use ioa_lang::Diagnostic;
use ioa_lang::core::{Expr, ExprKind, LocalId, Op, OpFamily, SortId, StateRef};
use ioa_lang::diagnostic::Code;

use super::Compiler;
use super::number::decoded;
use crate::code::{Binary, General, Word};
use crate::state::layout::{Field, Location};

impl Compiler<'_> {
    /// A term of a packed type.
    pub(crate) fn word(&mut self, expr: &Expr) -> Word {
        self.deeper(expr.span, Word::FALSE, |c| c.word_here(expr))
    }

    fn word_here(&mut self, expr: &Expr) -> Word {
        match &expr.kind {
            ExprKind::Bool(b) => Word::Const(u64::from(*b)),
            ExprKind::Enumerator(n) => Word::Const(u64::from(*n)),
            ExprKind::Element(n) => self.element(expr, *n),
            ExprKind::State(state) => match self.location(*state) {
                Location::Bits(field) => self.loaded(*state, *field),
                // An integer without a range.
                Location::Cell(cell) => Word::Cell(Box::new(General::Load(state.store, *cell))),
                Location::Limbs(_) => unreachable!("a variable of this type is a word"),
            },
            ExprKind::Local(local) => Word::Local(local.0),
            ExprKind::Apply(op, args) => self.word_operator(expr, *op, args),
            ExprKind::Theory(function, args) => self.theory(expr, *function, args),
            ExprKind::If(c, a, b) => Word::If(Box::new([self.word(c), self.word(a), self.word(b)])),
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, body)
            }
            ExprKind::Comprehension(binder, body) => {
                self.packed_comprehension(&expr.ty, *binder, body)
            }
            ExprKind::Entries(x, entry) => self.packed_entries(expr, *x, entry),
            ExprKind::Int(n) => self.numeral(expr, n),
            ExprKind::Random(..) => Word::Cell(Box::new(self.general(expr))),
            ExprKind::Char(c) => Word::Const(u64::from(*c)),
            ExprKind::Real(_) | ExprKind::Text(_) => {
                unreachable!("the types of these are not packed")
            }
        }
    }

    fn loaded(&mut self, state: StateRef, field: Field) -> Word {
        let load = Word::Load(state.store, field);
        match self.layout(state).shape(state.var).packing() {
            Some(packing) => decoded(load, packing),
            None => load,
        }
    }

    fn element(&mut self, expr: &Expr, n: u32) -> Word {
        if let ioa_lang::core::Type::Sort(sort) = &expr.ty
            && u64::from(n) >= self.scope.universe.size(*sort)
        {
            self.no_such_element(expr, *sort, n);
        }
        Word::Const(u64::from(n))
    }

    fn no_such_element(&mut self, expr: &Expr, sort: SortId, n: u32) {
        let name = &self.scope.model.sorts[sort.index()].name;
        let size = self.scope.universe.size(sort);
        let message = format!("{name}#{n} does not exist: {name} has {size} elements here");
        let help = format!("the elements are {name}#0 to {name}#{}", size - 1);
        self.error(Diagnostic::error(Code::CannotRun, expr.span, message).help(help));
    }

    fn word_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        match op {
            Op::Not => Word::Not(Box::new(self.word(&args[0]))),
            Op::And => Word::all(args.iter().map(|a| self.word(a)).collect()),
            Op::Or => Word::Or(args.iter().map(|a| self.word(a)).collect()),
            Op::Implies => Word::Implies(self.pair(args)),
            Op::Iff => Word::Binary(Binary::Equal, self.pair(args)),
            Op::Member if let Some(listed) = self.listed(&args[1]) => {
                self.one_of(&args[0], &listed)
            }
            _ if args.iter().any(|a| !self.is_packed(&a.ty)) => {
                if let Some(word) = self.of_limbs(expr, op, args) {
                    return word;
                }
                Word::from(self.general_operator(expr, op, args))
            }
            _ => self.packed_operator(expr, op, args),
        }
    }

    pub(super) fn pair(&mut self, args: &[Expr]) -> Box<[Word; 2]> {
        Box::new([self.word(&args[0]), self.word(&args[1])])
    }

    /// The elements of a set that is written out, of a type that is not packed although that of its elements is. None of
    /// them can fault, so it does not matter which are evaluated.
    fn listed<'e>(&mut self, set: &'e Expr) -> Option<Vec<&'e Expr>> {
        let elements = written_out(set)?;
        let is_element = |c: &mut Self, e: &Expr| c.is_packed(&e.ty) && c.is_total(e);
        let good = !self.is_packed(&set.ty) && elements.iter().all(|e| is_element(self, e));
        good.then_some(elements)
    }

    /// Whether a value is one of some others.
    fn one_of(&mut self, value: &Expr, others: &[&Expr]) -> Word {
        let slot = self.temporary();
        let value = self.word(value);
        let same = others.iter().map(|other| {
            let other = self.word(other);
            Word::binary(Binary::Equal, Word::Local(slot), other)
        });
        let same = Word::Or(same.collect());
        Word::Let(slot, Box::new([value, same]))
    }

    /// An operator all of whose arguments are packed, as is its result.
    fn packed_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        match op {
            Op::Eq => match self.is_of_variant(args) {
                Some(is_it) => is_it,
                None => Word::Binary(Binary::Equal, self.pair(args)),
            },
            Op::EmptySet | Op::EmptyMset | Op::EmptyMap | Op::Nil => Word::FALSE,
            Op::Insert => self.inserted(expr, args),
            // An integer that has no code is a bit that no set has.
            Op::Delete => Word::Binary(Binary::Delete, self.pair(args)),
            Op::Member => Word::Binary(Binary::Member, self.pair(args)),
            Op::Subset => Word::Binary(Binary::Subset, self.pair(args)),
            Op::Union => Word::Binary(Binary::Or, self.pair(args)),
            Op::Intersection => Word::Binary(Binary::And, self.pair(args)),
            Op::Difference => Word::Binary(Binary::AndNot, self.pair(args)),
            Op::Size => Word::Count(Box::new(self.word(&args[0]))),
            Op::Lt if args[0].ty.is_integer() => Word::Binary(Binary::SignedLess, self.pair(args)),
            Op::Le if args[0].ty.is_integer() => {
                let [left, right] = *self.pair(args);
                Word::Not(Box::new(Word::binary(Binary::SignedLess, right, left)))
            }
            // Of other packed types, only characters have these.
            Op::Lt => Word::Binary(Binary::Less, self.pair(args)),
            Op::Le => {
                let [left, right] = *self.pair(args);
                Word::Not(Box::new(Word::binary(Binary::Less, right, left)))
            }
            _ => match op.family() {
                OpFamily::Null => self.null_operator(expr, op, args),
                OpFamily::Array => self.array_operator(expr, op, args),
                OpFamily::Tuple => self.tuple_operator(expr, op, args),
                OpFamily::Map => self.map_operator(expr, op, args),
                OpFamily::Union => self.union_operator(expr, op, args),
                OpFamily::Sequence => self.sequence_operator(expr, op, args),
                OpFamily::Multiset => self.multiset_operator(expr, op, args),
                OpFamily::Arithmetic => self.arithmetic(expr, op, args),
                _ => Word::from(self.general_operator(expr, op, args)),
            },
        }
    }

    /// All codes of a type as a mask, where they fit one.
    pub(super) fn all_codes(&mut self, local: LocalId) -> Option<u64> {
        let ty = self.local_type(local).clone();
        let shape = self.shape(&ty);
        let packing = shape.packing().filter(|p| p.is_complete())?;
        (packing.max < 64).then(|| packing.values().fold(0, |mask, code| mask | 1 << code))
    }
}

/// The elements of a set that is built of them one by one.
pub(super) fn written_out(mut set: &Expr) -> Option<Vec<&Expr>> {
    let mut elements = Vec::new();
    while let ExprKind::Apply(Op::Insert, args) = &set.kind {
        elements.push(&args[0]);
        set = &args[1];
    }
    matches!(set.kind, ExprKind::Apply(Op::EmptySet, _)).then_some(elements)
}
