//! Sizes of sets: where the size is bounded, so is the number of the first elements that are in the set.

use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Type};
use num_bigint::BigInt;

use super::parts::{Parts, Taken};

impl Taken {
    /// What follows from a condition on the size of a set for its first elements: no more of them are in the set than it may have, and
    /// with all others there are as many as it must have.
    pub(super) fn counts(&self, condition: &Expr) -> Vec<Expr> {
        let orders = orders(condition).into_iter();
        let counts = orders.flat_map(|(op, [low, high])| {
            let ordered = |a, b| Expr::apply(op, vec![a, b], Type::Bool, condition.span);
            let at_most = self.firsts(low, high);
            let at_most = at_most
                .map(|(known, _)| ordered(count(&known, 0, low), high.clone()))
                .collect::<Vec<_>>();
            let at_least = self.firsts(high, low);
            let at_least = at_least
                .map(|(known, others)| ordered(low.clone(), count(&known, others, high)))
                .collect();
            [at_most, at_least].concat()
        });
        counts.collect()
    }

    /// The first elements of a set whose size a term is, the first two, and so on, and how many others there are; nothing where the other
    /// term speaks of what is taken apart too.
    fn firsts(&self, size: &Expr, other: &Expr) -> impl Iterator<Item = (Vec<LocalId>, usize)> {
        let members = self.members(size).filter(|_| !self.is_in(other));
        let members = members.unwrap_or_default();
        (1..members.len()).map(move |known| (members[..known].to_vec(), members.len() - known))
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

/// Numbers of which a condition says that the first is at most the second, or less.
fn orders(condition: &Expr) -> Vec<(Op, [&Expr; 2])> {
    match &condition.kind {
        ExprKind::Apply(Op::Eq, sides) => vec![
            (Op::Le, [&sides[0], &sides[1]]),
            (Op::Le, [&sides[1], &sides[0]]),
        ],
        ExprKind::Apply(op @ (Op::Le | Op::Lt), sides) => vec![(*op, [&sides[0], &sides[1]])],
        ExprKind::Apply(Op::Not, args) => match &args[0].kind {
            ExprKind::Apply(Op::Le, sides) => vec![(Op::Lt, [&sides[1], &sides[0]])],
            ExprKind::Apply(Op::Lt, sides) => vec![(Op::Le, [&sides[1], &sides[0]])],
            _ => Vec::new(),
        },
        _ => Vec::new(),
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
