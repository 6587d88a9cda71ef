//! Values that are put together from the values of their parts.

use finite::{Packing, closed_values};
use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Type};

use super::super::super::Compiler;
use super::super::is_enumerable;

/// A part that has parts itself is tried as a whole if it has no more values than this.
const MAX_OF_WHOLE: u64 = 16;
/// No values are taken apart into more parts.
const MAX_PARTS: usize = 256;

/// How a value is put together.
pub(super) enum Parts {
    /// It is that of a variable.
    One(LocalId),
    /// It is a tuple of these.
    Fields(Vec<(Type, Parts)>),
    /// It is an array that has these entries at closed indices.
    Entries(Vec<(Expr, Parts)>),
    /// It is a set that has those of these closed elements whose variables are true.
    Members(Vec<(Expr, LocalId)>),
}

/// The variables that are taken apart.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) all: Vec<(LocalId, Type, Parts)>,
    /// The variables for the parts.
    pub(super) fresh: Vec<LocalId>,
}

impl Taken {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether a formula speaks of what is taken apart.
    pub(super) fn is_in(&self, formula: &Expr) -> bool {
        self.all.iter().any(|(x, ..)| formula.mentions(*x))
    }

    /// How the value of a term is put together, if it is a part of what is taken apart.
    pub(super) fn part(&self, term: &Expr) -> Option<&Parts> {
        match &term.kind {
            ExprKind::Local(x) => {
                let found = self.all.iter().find(|(own, ..)| own == x);
                found.map(|(.., parts)| parts)
            }
            ExprKind::Apply(Op::Select, args) => match self.part(&args[0])? {
                Parts::Entries(entries) => {
                    let found = entries.iter().find(|(at, _)| *at == args[1]);
                    found.map(|(_, part)| part)
                }
                _ => None,
            },
            ExprKind::Apply(Op::Field(at), args) => match self.part(&args[0])? {
                Parts::Fields(fields) => fields.get(*at as usize).map(|(_, part)| part),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Compiler<'_> {
    /// Takes a variable apart; none where it would have too many parts, or one of them too many values.
    pub(super) fn take_apart(&mut self, x: LocalId, span: Span, taken: &mut Taken) -> Option<()> {
        let ty = self.local_type(x).clone();
        let mut fresh = taken.fresh.clone();
        let parts = self.parts(&ty, span, &mut fresh)?;
        if matches!(parts, Parts::One(_)) {
            return None;
        }
        taken.fresh = fresh;
        taken.all.push((x, ty, parts));
        Some(())
    }

    /// How a value of a type is put together from variables, which are declared.
    fn parts(&mut self, ty: &Type, span: Span, fresh: &mut Vec<LocalId>) -> Option<Parts> {
        if self.is_tried_whole(ty) {
            return Some(Parts::One(self.fresh_part(ty, span, fresh)?));
        }
        match ty {
            Type::Tuple(id) => {
                let fields = self.scope.model.tuples[id.index()].fields.clone();
                let mut field =
                    |(_, ty): (_, Type)| Some((ty.clone(), self.parts(&ty, span, fresh)?));
                let fields: Option<Vec<_>> = fields.into_iter().map(&mut field).collect();
                Some(Parts::Fields(fields?))
            }
            Type::Array(index, entry) => {
                let indices = self.closed_parts(index)?.into_iter();
                let mut part = |at: Expr| Some((at, self.parts(entry, span, fresh)?));
                let entries: Option<Vec<_>> = indices.map(&mut part).collect();
                Some(Parts::Entries(entries?))
            }
            Type::Set(element) => {
                let elements = self.closed_parts(element)?.into_iter();
                let mut part = |at: Expr| Some((at, self.fresh_part(&Type::Bool, span, fresh)?));
                let members: Option<Vec<_>> = elements.map(&mut part).collect();
                Some(Parts::Members(members?))
            }
            _ => None,
        }
    }

    /// Whether all values of a type are tried. Integers are: a condition has to bound them.
    fn is_tried_whole(&self, ty: &Type) -> bool {
        let packing = || Packing::of(self.scope.model, self.scope.universe, ty);
        match ty {
            Type::Nat | Type::Int => true,
            Type::Tuple(_) | Type::Array(..) | Type::Set(_) => {
                packing().is_some_and(|packing| packing.count() <= u128::from(MAX_OF_WHOLE))
            }
            _ => packing().is_some_and(|packing| is_enumerable(&packing)),
        }
    }

    /// The values of a type of indices or elements.
    fn closed_parts(&self, ty: &Type) -> Option<Vec<Expr>> {
        closed_values(
            (self.scope.model, self.scope.universe),
            ty,
            MAX_PARTS as u64,
        )
    }

    /// A new variable for a part.
    fn fresh_part(&mut self, ty: &Type, span: Span, fresh: &mut Vec<LocalId>) -> Option<LocalId> {
        if fresh.len() >= MAX_PARTS {
            return None;
        }
        let part = self.declare(ty, span);
        fresh.push(part);
        Some(part)
    }
}

impl Parts {
    /// The value as a term.
    pub(super) fn whole(&self, ty: &Type, span: Span) -> Expr {
        let apply = |op, args| Expr::apply(op, args, ty.clone(), span);
        match (self, ty) {
            (Self::Fields(fields), _) => {
                let fields = fields.iter().map(|(ty, part)| part.whole(ty, span));
                apply(Op::Tuple, fields.collect())
            }
            (Self::Entries(entries), Type::Array(_, entry)) => {
                let mut each = entries
                    .iter()
                    .map(|(at, part)| (at, part.whole(entry, span)));
                let everywhere = each
                    .next()
                    .map(|(_, first)| apply(Op::Constant, vec![first]));
                let everywhere = everywhere.expect("a type has values");
                each.fold(everywhere, |array, (at, part)| {
                    apply(Op::Assign, vec![array, at.clone(), part])
                })
            }
            (Self::Members(members), _) => {
                let empty = || apply(Op::EmptySet, Vec::new());
                let each = members.iter().map(|(element, is_in)| {
                    let one = apply(Op::Insert, vec![element.clone(), empty()]);
                    let is_in = Expr::new(ExprKind::Local(*is_in), Type::Bool, span);
                    let kind = ExprKind::If(Box::new(is_in), Box::new(one), Box::new(empty()));
                    Expr::new(kind, ty.clone(), span)
                });
                each.reduce(|all, one| apply(Op::Union, vec![all, one]))
                    .unwrap_or_else(empty)
            }
            (Self::One(local), _) => Expr::new(ExprKind::Local(*local), ty.clone(), span),
            (Self::Entries(_), _) => unreachable!("only an array has entries"),
        }
    }
}
