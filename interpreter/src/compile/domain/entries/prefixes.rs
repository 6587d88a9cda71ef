//! Formulas about many parts: what can be said while only the first of these have values.

use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Type};

use super::parts::Taken;
use super::written::decided;

/// Nothing is said of the first parts where that would make more formulas.
const MAX_SAID: usize = 1 << 16;

impl Taken {
    /// What a formula about the parts says of the first, of the first two, and so on: where that is false, the formula is false whatever
    /// values the others have.
    pub(super) fn prefixes(&self, formula: &Expr) -> Vec<Expr> {
        let (mut read, mut size) = (Vec::new(), 0);
        formula.walk(&mut |term| {
            size += 1;
            match term.kind {
                ExprKind::Local(x) if self.fresh.contains(&x) && !read.contains(&x) => read.push(x),
                _ => {}
            }
        });
        if read.len() < 3 || size * read.len() > MAX_SAID {
            return Vec::new();
        }
        read.sort_unstable();
        let mut said: Vec<Expr> = Vec::new();
        for known in 1..read.len() {
            let prefix = possible(formula, &read[known..], true);
            if !prefix.is_true() && said.last() != Some(&prefix) {
                said.push(prefix);
            }
        }
        said
    }
}

/// What is left of a formula while some variables are unknown. Where it is asserted, it is true whenever some values of these make the
/// formula true; where it is denied, it is false whenever some values make the formula false.
fn possible(formula: &Expr, unknown: &[LocalId], is_asserted: bool) -> Expr {
    let part = |part: &Expr, is_asserted| possible(part, unknown, is_asserted);
    let apply = |op, args| Expr::apply(op, args, Type::Bool, formula.span);
    match &formula.kind {
        ExprKind::Apply(Op::Not, args) => {
            decided(apply(Op::Not, vec![part(&args[0], !is_asserted)]))
        }
        ExprKind::Apply(op @ (Op::And | Op::Or), args) => {
            let args = args.iter().map(|arg| part(arg, is_asserted));
            decided(apply(*op, args.collect()))
        }
        ExprKind::Apply(Op::Implies, sides) => {
            let sides = vec![part(&sides[0], !is_asserted), part(&sides[1], is_asserted)];
            decided(apply(Op::Implies, sides))
        }
        _ if unknown.iter().any(|x| formula.mentions(*x)) => {
            Expr::new(ExprKind::Bool(is_asserted), Type::Bool, formula.span)
        }
        _ => formula.clone(),
    }
}
