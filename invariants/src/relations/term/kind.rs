//! What a term is: what it is made of, and what is known about it.

use std::collections::BTreeSet;

use ioa_lang::Span;
use ioa_lang::core::{Expr, Op, Type};

use crate::build::{equal, nil, not};

/// A position in [`Terms`](super::Terms).
pub(crate) type TermId = usize;

/// What a term is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A column of the samples.
    Column(usize),
    /// A quantified variable.
    Bound(usize),
    /// `a[i]`
    Select(TermId, TermId),
    /// `x.val`, defined where `x` is not nil.
    Val(TermId),
    /// `p.f`
    Field(TermId, u32),
    /// `size(s)`
    Size(TermId),
    /// `len(s)`
    Len(TermId),
    /// `defined(m, d)`
    Defined(TermId, TermId),
    /// `m[d]`, defined where the map is.
    Entry(TermId, TermId),
    /// `tag(x)`
    Tag(TermId),
    /// `tag(x) = num`: nothing but a guard, since the tag says it too.
    IsVariant(TermId, u32),
    /// `x.num`, defined where that is the variant of `x`.
    Payload(TermId, u32),
    /// How many elements of an array are such.
    Count(TermId, Counted),
    /// How many elements of an array are a quantified variable, carry it, or contain it.
    Occurrences(TermId, TermId),
    /// `sum(a)`
    Sum(TermId),
    /// 1 where a term is such, and 0 elsewhere.
    Indicator(TermId, Counted),
    /// A term that somebody gave.
    Own(Place),
    /// Whether such a term has a value: nothing but a guard.
    OwnDefined(Place),
    /// What is computed from other numbers: nothing but a side of a condition.
    Computed(Computed),
}

/// Where the columns of a term are that somebody gave: its own is this far after the first, for each of the quantified variables
/// its value times a distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) first: usize,
    pub(crate) args: Vec<(TermId, usize)>,
}

/// How a number is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Computed {
    /// It is a term.
    Term(TermId),
    /// It is always the same.
    Number(i64),
    /// By an operator.
    Applied(Op, Vec<Self>),
}

impl Computed {
    /// The number, by those of the terms. Where a number is too large for a word, the largest or the least word stands for it.
    pub(crate) fn value(&self, number: &dyn Fn(TermId) -> i64) -> i64 {
        match self {
            Self::Term(id) => number(*id),
            Self::Number(n) => *n,
            Self::Applied(op, args) => {
                let arg = |at: usize| args[at].value(number);
                match op {
                    Op::Add => arg(0).saturating_add(arg(1)),
                    Op::Sub => arg(0).saturating_sub(arg(1)),
                    Op::Mul => arg(0).saturating_mul(arg(1)),
                    Op::Min => arg(0).min(arg(1)),
                    Op::Max => arg(0).max(arg(1)),
                    Op::Abs => arg(0).saturating_abs(),
                    other => unreachable!("{other:?} computes nothing"),
                }
            }
        }
    }

    /// The terms that it takes.
    pub(super) fn terms(&self) -> Vec<TermId> {
        match self {
            Self::Term(id) => vec![*id],
            Self::Number(_) => Vec::new(),
            Self::Applied(_, args) => args.iter().flat_map(Self::terms).collect(),
        }
    }
}

/// What a number counts. Sizes are compared with those of the same elements, and what is counted with numbers of the model alone: what
/// two of them have to do with each other is better said about the elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// A number of the model.
    Declared,
    /// Elements of this type.
    Elements(Type),
    /// What an array maps to a value.
    Counted,
    /// What the numbers in an array add up to. It is compared with numbers of the model, and with other sums.
    Summed,
    /// Whether a variable has a value. It is compared with nothing, and only a part of balances.
    Indicated,
}

/// A term with what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) kind: Kind,
    /// The term of the core.
    pub(crate) expr: Expr,
    /// The quantified variables in it, as a mask.
    pub(crate) binders: u8,
    /// The columns in it.
    pub(crate) columns: BTreeSet<usize>,
    /// Terms that must not be nil, or that must be true, for this one to be defined, outermost first.
    pub(crate) guards: Vec<TermId>,
    /// Set for numbers.
    pub(crate) measure: Option<Measure>,
}

impl Term {
    pub(crate) fn ty(&self) -> &Type {
        &self.expr.ty
    }

    /// Whether it is a size, or a count.
    pub(crate) fn counts(&self) -> bool {
        matches!(self.measure, Some(Measure::Elements(_) | Measure::Counted))
    }

    /// Whether relations of the term are looked for.
    pub(crate) fn is_subject(&self) -> bool {
        !matches!(
            self.kind,
            Kind::IsVariant(..) | Kind::OwnDefined(_) | Kind::Indicator(..) | Kind::Computed(_)
        )
    }

    /// The formula that says that what the term guards is defined.
    pub(crate) fn as_guard(&self) -> Expr {
        match self.ty() {
            ty @ Type::Null(_) => not(equal(self.expr.clone(), nil(ty))),
            _ => self.expr.clone(),
        }
    }
}

/// What is counted of the elements of an array, or indicated of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Those with this code: the value true, or one of an enumeration.
    Code(u64),
    /// Those that are not nil.
    Present,
}

impl Term {
    /// An operator applied to the term.
    pub(super) fn part(&self, kind: Kind, op: Op, ty: &Type) -> Self {
        self.applied(kind, op, vec![self.expr.clone()], ty)
    }

    /// An operator applied to the term and an index: the result also speaks of what the index speaks of.
    pub(super) fn at(&self, index: &Self, kind: Kind, op: Op, ty: &Type) -> Self {
        let args = vec![self.expr.clone(), index.expr.clone()];
        let mut made = self.applied(kind, op, args, ty);
        made.binders |= index.binders;
        made.columns.extend(&index.columns);
        made
    }

    fn applied(&self, kind: Kind, op: Op, args: Vec<Expr>, ty: &Type) -> Self {
        Self {
            kind,
            expr: Expr::apply(op, args, ty.clone(), Span::default()),
            binders: self.binders,
            columns: self.columns.clone(),
            guards: self.guards.clone(),
            measure: measure(ty),
        }
    }
}

pub(super) fn leaf(kind: Kind, expr: Expr) -> Term {
    Term {
        measure: measure(&expr.ty),
        kind,
        expr,
        binders: 0,
        columns: BTreeSet::new(),
        guards: Vec::new(),
    }
}

/// What a number of the model measures.
fn measure(ty: &Type) -> Option<Measure> {
    ty.is_integer().then_some(Measure::Declared)
}
