//! Values that a predicate names and that may satisfy it. The solver is not good at guessing sequences and arrays that exist.

use ioa_lang::core::{Expr, ExprKind, LocalId, Op};

/// Terms that a variable equals in some case of a predicate: `tail(q)` and `init(q)` for `x` in `x = tail(q) \/ x \in {init(q)}`.
pub(super) fn witnesses(x: LocalId, predicate: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    collect(x, predicate, &mut found);
    found.retain(|term| !term.mentions(x));
    found
}

fn collect<'e>(x: LocalId, condition: &'e Expr, found: &mut Vec<&'e Expr>) {
    let ExprKind::Apply(op, args) = &condition.kind else {
        return;
    };
    match (op, &args[..]) {
        (Op::And | Op::Or, parts) => parts.iter().for_each(|part| collect(x, part, found)),
        (Op::Eq, [one, other]) if one.is_local(x) => found.push(other),
        (Op::Eq, [one, other]) if other.is_local(x) => found.push(one),
        (Op::Member, [element, set]) if element.is_local(x) => elements(set, found),
        _ => {}
    }
}

/// The elements that a set is written with.
fn elements<'e>(set: &'e Expr, found: &mut Vec<&'e Expr>) {
    if let ExprKind::Apply(Op::Insert, args) = &set.kind
        && let [element, rest] = &args[..]
    {
        found.push(element);
        elements(rest, found);
    }
}
