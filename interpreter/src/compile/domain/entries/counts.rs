//! Sizes of sets: where the size is bounded, so is the number of the first elements that are in the set.

use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Type};
use num_bigint::BigInt;

use super::parts::{Parts, Taken};

impl Taken {
    /// What follows from a condition on the size of a set for its first elements: no more of them are in the set than it may have, and
    /// with all others there are as many as it must have.
    pub(super) fn counts(&self, condition: &Expr) -> Vec<Expr> {
        let Some((op, [low, high])) = comparison(condition) else {
            return Vec::new();
        };
        let ordered = |a, b| Expr::apply(op, vec![a, b], Type::Bool, condition.span);
        let of = |size: &Expr, other: &Expr| {
            let members = self.members(size).filter(|_| !self.is_in(other));
            let members = members.unwrap_or_default();
            (1..members.len()).map(move |known| (members[..known].to_vec(), members.len() - known))
        };
        let at_most = of(low, high).map(|(known, _)| ordered(count(&known, 0, low), high.clone()));
        let at_least =
            of(high, low).map(|(known, others)| ordered(low.clone(), count(&known, others, high)));
        let mut counts: Vec<Expr> = at_most.chain(at_least).collect();
        if let ExprKind::Apply(Op::Eq, sides) = &condition.kind {
            let [low, high] = [&sides[1], &sides[0]];
            let opposite = Expr::apply(
                Op::Le,
                vec![low.clone(), high.clone()],
                Type::Bool,
                condition.span,
            );
            counts.extend(self.counts(&opposite));
        }
        counts
    }

    /// The variables for the elements of a set whose size a term is.
    fn members(&self, size: &Expr) -> Option<Vec<LocalId>> {
        match &size.kind {
            ExprKind::Apply(Op::Size, args) => match self.part(&args[0])? {
                Parts::Members(members) => Some(members.iter().map(|(_, part)| *part).collect()),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Numbers of which a condition says that the first is at most the second, or less. An equation says the opposite as well.
fn comparison(condition: &Expr) -> Option<(Op, [&Expr; 2])> {
    match &condition.kind {
        ExprKind::Apply(Op::Eq, sides) => Some((Op::Le, [&sides[0], &sides[1]])),
        ExprKind::Apply(op @ (Op::Le | Op::Lt), sides) => Some((*op, [&sides[0], &sides[1]])),
        ExprKind::Apply(Op::Not, args) => match &args[0].kind {
            ExprKind::Apply(Op::Le, sides) => Some((Op::Lt, [&sides[1], &sides[0]])),
            ExprKind::Apply(Op::Lt, sides) => Some((Op::Le, [&sides[1], &sides[0]])),
            _ => None,
        },
        _ => None,
    }
}

/// How many variables are true, and some more; `like` is a number of the same type.
fn count(variables: &[LocalId], more: usize, like: &Expr) -> Expr {
    let term = |kind| Expr::new(kind, like.ty.clone(), like.span);
    let number = |n: usize| term(ExprKind::Int(BigInt::from(n)));
    let one = |variable: &LocalId| {
        let is_true = Expr::new(ExprKind::Local(*variable), Type::Bool, like.span);
        let (one, none) = (Box::new(number(1)), Box::new(number(0)));
        term(ExprKind::If(Box::new(is_true), one, none))
    };
    variables.iter().map(one).fold(number(more), |sum, one| {
        Expr::apply(Op::Add, vec![sum, one], like.ty.clone(), like.span)
    })
}
