//! Truth and form of formulas that are put together.

use ioa_lang::core::{Expr, ExprKind, Local, LocalId, Op, Quantifier, Type};

use super::terms::apply;

/// Where a formula under quantifiers is true, by where its body is: `counts` says how many values each variable has.
pub(super) fn fold(
    prefix: &[Quantifier],
    counts: &[usize],
    truth: &[Option<bool>],
) -> Option<bool> {
    let Some((quantifier, rest)) = prefix.split_first() else {
        return truth[0];
    };
    let each = truth.len() / counts[0];
    let mut parts = truth
        .chunks(each)
        .map(|part| fold(rest, &counts[1..], part));
    // A quantified formula has a value where its body has one for every value.
    let is_all = *quantifier == Quantifier::ForAll;
    parts.try_fold(is_all, |before, part| {
        Some(if is_all {
            before && part?
        } else {
            before || part?
        })
    })
}

/// A disjunction that begins with a negation is an implication.
pub(super) fn implication(op: Op, mut body: Vec<Expr>) -> Expr {
    if op == Op::Or
        && let Some(at) = body
            .iter()
            .position(|part| matches!(part.kind, ExprKind::Apply(Op::Not, _)))
        && let ExprKind::Apply(Op::Not, mut premise) = body.remove(at).kind
    {
        let rest = match body.len() {
            1 => body.remove(0),
            _ => apply(Op::Or, body, Type::Bool),
        };
        return apply(Op::Implies, vec![premise.remove(0), rest], Type::Bool);
    }
    apply(op, body, Type::Bool)
}

/// The truth of a conjunction or disjunction, of which the left side guards the right one.
pub(super) fn joined(op: Op, left: Option<bool>, right: impl Fn() -> Option<bool>) -> Option<bool> {
    match (op, left?) {
        (Op::And, false) => Some(false),
        (Op::Or, true) => Some(true),
        _ => right(),
    }
}

/// How so many variables are quantified.
pub(super) fn prefixes(binders: usize) -> Vec<Vec<Quantifier>> {
    use Quantifier::{Exists, ForAll};
    let all = |quantifier| vec![quantifier; binders];
    let mut prefixes = match binders {
        0 => return vec![Vec::new()],
        3 => Vec::new(),
        _ => vec![all(Exists), all(ForAll)],
    };
    if binders > 1 {
        let mut last = all(Exists);
        last[binders - 1] = ForAll;
        prefixes.push(last);
    }
    if binders == 2 {
        prefixes.push(vec![ForAll, Exists]);
    }
    prefixes
}

/// The formula with bound variables from `first` on moved by so many places, and these variables.
pub(super) fn shifted(
    expr: &Expr,
    locals: &[Local],
    first: usize,
    by: usize,
) -> (Expr, Vec<Local>) {
    let moved = |id: LocalId| match id.index() < first {
        true => id,
        false => LocalId::at(id.index() + by),
    };
    (renumbered(expr, &moved), locals[first..].to_vec())
}

fn renumbered(expr: &Expr, moved: &dyn Fn(LocalId) -> LocalId) -> Expr {
    let go = |part: &Expr| renumbered(part, moved);
    let all = |parts: &[Expr]| parts.iter().map(go).collect();
    let kind = match &expr.kind {
        ExprKind::Local(id) => ExprKind::Local(moved(*id)),
        ExprKind::Apply(op, args) => ExprKind::Apply(*op, all(args)),
        ExprKind::Theory(function, args) => ExprKind::Theory(*function, all(args)),
        ExprKind::Quantified(quantifier, binders, body) => {
            let binders = binders.iter().map(|id| moved(*id)).collect();
            ExprKind::Quantified(*quantifier, binders, Box::new(go(body)))
        }
        other => other.clone(),
    };
    Expr::new(kind, expr.ty.clone(), expr.span)
}
