//! Terms of the core, built from their parts. They stand nowhere in a text.

use ioa_lang::Span;
use ioa_lang::core::{
    AutomatonId, EnumId, Expr, ExprKind, FunctionId, LocalId, Meaning, Model, Op, StateRef, Store,
    Type, VarId,
};
use num_bigint::BigInt;

/// A state variable as a term.
pub(crate) fn state(store: Store, var: VarId, ty: &Type) -> Expr {
    let kind = ExprKind::State(StateRef { store, var });
    Expr::new(kind, ty.clone(), Span::default())
}

/// A bound variable as a term.
pub(crate) fn variable(id: LocalId, ty: &Type) -> Expr {
    Expr::new(ExprKind::Local(id), ty.clone(), Span::default())
}

/// A value of an enumeration.
pub(crate) fn enumerator(id: EnumId, at: u32) -> Expr {
    Expr::new(ExprKind::Enumerator(at), Type::Enum(id), Span::default())
}

/// An operator applied to its arguments.
pub(crate) fn apply(op: Op, args: Vec<Expr>, ty: &Type) -> Expr {
    Expr::apply(op, args, ty.clone(), Span::default())
}

/// A formula of some form.
pub(crate) fn formula(kind: ExprKind) -> Expr {
    Expr::new(kind, Type::Bool, Span::default())
}

/// A number of this type.
pub(crate) fn number(n: impl Into<BigInt>, ty: &Type) -> Expr {
    Expr::new(ExprKind::Int(n.into()), ty.clone(), Span::default())
}

/// `nil`
pub(crate) fn nil(ty: &Type) -> Expr {
    apply(Op::Nil, Vec::new(), ty)
}

/// The empty collection of a type.
pub(crate) fn empty(ty: &Type) -> Expr {
    let op = match ty {
        Type::Set(_) => Op::EmptySet,
        Type::Mset(_) => Op::EmptyMset,
        _ => Op::EmptySeq,
    };
    apply(op, Vec::new(), ty)
}

/// `element \in collection`, for sets, multisets and sequences.
pub(crate) fn member(element: Expr, collection: Expr) -> Expr {
    let op = match collection.ty {
        Type::Set(_) => Op::Member,
        Type::Mset(_) => Op::MsetMember,
        _ => Op::SeqMember,
    };
    formula(ExprKind::Apply(op, vec![element, collection]))
}

/// `a = b`
pub(crate) fn equal(a: Expr, b: Expr) -> Expr {
    formula(ExprKind::Apply(Op::Eq, vec![a, b]))
}

/// `~p`; the negation of a negation is the formula itself.
pub(crate) fn not(p: Expr) -> Expr {
    match p.kind {
        ExprKind::Apply(Op::Not, mut args) => args.swap_remove(0),
        // `b < a` is read more easily than `~a <= b`.
        ExprKind::Apply(op @ (Op::Le | Op::Lt), mut args) if args[0].ty.is_integer() => {
            args.reverse();
            let op = if op == Op::Le { Op::Lt } else { Op::Le };
            formula(ExprKind::Apply(op, args))
        }
        kind => {
            let negated = Expr::new(kind, Type::Bool, p.span);
            formula(ExprKind::Apply(Op::Not, vec![negated]))
        }
    }
}

/// The operator that orders a sort, if the automaton assumes a theory that has one.
pub(crate) fn order(model: &Model, automaton: AutomatonId, ty: &Type) -> Option<FunctionId> {
    let Type::Sort(sort) = ty else { return None };
    let setting = model.setting([automaton]);
    let mut functions = model.functions.iter().enumerate();
    let found = functions.find(|(at, function)| {
        function.meaning == Meaning::Less(*sort) && model.is_known(FunctionId::at(*at), &setting)
    });
    found.map(|(at, _)| FunctionId::at(at))
}

/// The conclusion under the premises; without premises, the conclusion itself.
pub(crate) fn implied(premises: Vec<Expr>, conclusion: Expr) -> Expr {
    if premises.is_empty() {
        return conclusion;
    }
    let premise = Expr::conjunction(premises, Span::default());
    formula(ExprKind::Apply(Op::Implies, vec![premise, conclusion]))
}

/// A term on the state after a step that is given on the state before it.
pub(crate) fn after(term: &Expr) -> Expr {
    let leaf = |kind: &ExprKind| match kind {
        ExprKind::State(state) => Some(ExprKind::State(StateRef {
            store: Store::Post,
            ..*state
        })),
        _ => None,
    };
    rebuilt(term, &leaf, &|bound| bound)
}

/// Which of the first locals, so many, a term mentions, as a mask.
pub(crate) fn mask(expr: &Expr, count: usize) -> u8 {
    let mut mask = 0;
    expr.walk(&mut |part| {
        if let ExprKind::Local(LocalId(at)) = part.kind
            && (at as usize) < count
        {
            mask |= 1 << at;
        }
    });
    mask
}

/// A copy of a term with other variables in place of its own, free ones and bound ones.
pub(crate) fn with_variables(term: &Expr, other: &dyn Fn(LocalId) -> LocalId) -> Expr {
    let leaf = |kind: &ExprKind| match kind {
        ExprKind::Local(local) => Some(ExprKind::Local(other(*local))),
        _ => None,
    };
    rebuilt(term, &leaf, other)
}

/// A copy of a term with other parts in place of some that have no parts themselves, and other variables that are bound.
pub(crate) fn rebuilt(
    term: &Expr,
    leaf: &dyn Fn(&ExprKind) -> Option<ExprKind>,
    bound: &dyn Fn(LocalId) -> LocalId,
) -> Expr {
    let one = |part: &Expr| rebuilt(part, leaf, bound);
    let boxed = |part: &Expr| Box::new(one(part));
    let each = |args: &[Expr]| args.iter().map(one).collect::<Vec<_>>();
    let kind = leaf(&term.kind).unwrap_or_else(|| match &term.kind {
        ExprKind::Apply(op, args) => ExprKind::Apply(*op, each(args)),
        ExprKind::Theory(function, args) => ExprKind::Theory(*function, each(args)),
        ExprKind::Quantified(quantifier, binders, body) => {
            let binders = binders.iter().map(|binder| bound(*binder)).collect();
            ExprKind::Quantified(*quantifier, binders, boxed(body))
        }
        ExprKind::Comprehension(binder, body) => {
            ExprKind::Comprehension(bound(*binder), boxed(body))
        }
        ExprKind::Entries(binder, body) => ExprKind::Entries(bound(*binder), boxed(body)),
        ExprKind::If(condition, then, otherwise) => {
            ExprKind::If(boxed(condition), boxed(then), boxed(otherwise))
        }
        other => other.clone(),
    });
    Expr::new(kind, term.ty.clone(), term.span)
}
