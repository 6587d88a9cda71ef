//! Clauses as invariants: for all values of the frame's variables, if everything is defined, one of the literals.

mod general;
mod simplest;

use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, Invariant, Local, LocalId, Model, Op, Quantifier, Substitution,
    Type,
};
use ioa_lang::{Name, Span};

use super::frame::Frame;
use super::term::Term;
pub use general::Less;
pub(super) use general::{General, Way};
pub(super) use simplest::simplest;

use crate::build::{apply, equal, formula, implied, mask, nil, not, variable};

/// The atom of a literal, and whether it is not negated.
pub(crate) fn literal(position: usize) -> (usize, bool) {
    (position / 2, position.is_multiple_of(2))
}

/// What a clause says, as an invariant of an automaton.
pub(crate) fn invariant(
    _model: &Model,
    automaton: AutomatonId,
    (frame, locals): (&Frame, &[Local]),
    literals: &[(&Term, bool)],
    name: Name,
) -> Invariant {
    let count = frame.binders.len();
    let mut premises: Vec<Expr> = Vec::new();
    let mut conclusions: Vec<Expr> = Vec::new();
    for guard in literals.iter().flat_map(|(atom, _)| &atom.guards) {
        if !premises.contains(guard) {
            premises.push(guard.clone());
        }
    }
    for (atom, is_positive) in literals {
        match is_positive {
            true => conclusions.push(atom.expr.clone()),
            false if !premises.contains(&atom.expr) => premises.push(atom.expr.clone()),
            false => {}
        }
    }
    // People ask what follows where something is there.
    while conclusions.len() > 1
        && let Some(at) = conclusions.iter().position(says_nothing_is_there)
    {
        premises.push(not(conclusions.remove(at)));
    }
    embedded(&mut premises, &conclusions);
    if conclusions.is_empty() {
        let last = premises.pop().map(denied);
        conclusions.extend(last);
    }
    let used = premises
        .iter()
        .chain(&conclusions)
        .fold(0, |m, e| m | mask(e, count));
    // Where a variable has infinitely many values, what it ranges over has to stand first.
    let ranges = frame.premises(used);
    premises.retain(|premise| !ranges.contains(premise));
    let supposed = ranges.into_iter().chain(frame.shape(used));
    let premises: Vec<Expr> = supposed.chain(premises).collect();
    let conclusion = match conclusions.len() {
        1 => conclusions.swap_remove(0),
        _ => formula(ExprKind::Apply(Op::Or, conclusions)),
    };
    let body = implied(premises, conclusion);
    let (locals, formula) = quantified(frame, locals, used, &body);
    Invariant {
        name,
        automaton,
        locals,
        formula,
        uses: None,
        span: Span::default(),
    }
}

/// Whether a formula is `x = nil` or `x = {}`.
fn says_nothing_is_there(formula: &Expr) -> bool {
    let ExprKind::Apply(Op::Eq, sides) = &formula.kind else {
        return false;
    };
    let is_none = |side: &Expr| {
        matches!(
            side.kind,
            ExprKind::Apply(Op::Nil | Op::EmptySet | Op::EmptyMset | Op::EmptySeq, _)
        )
    };
    sides.iter().any(is_none)
}

/// Says `x = embed(y)` in place of the premises `x ~= nil` and `x.val = y`, where nothing else speaks of `x.val`.
fn embedded(premises: &mut Vec<Expr>, conclusions: &[Expr]) {
    let mut at = 0;
    while at < premises.len() {
        let found = embedding(&premises[at]).filter(|found| {
            let (before, after) = (&premises[..at], &premises[at + 1..]);
            let mut others = before.iter().chain(after).chain(conclusions);
            premises.contains(&found.present) && !others.any(|other| speaks_of(other, &found.value))
        });
        if let Some(found) = found {
            premises[at] = found.whole;
            premises.retain(|premise| *premise != found.present);
            at = 0;
        } else {
            at += 1;
        }
    }
}

/// What a term has as its value.
struct Embedding {
    /// `x ~= nil`
    present: Expr,
    /// `x = embed(y)`
    whole: Expr,
    /// `x.val`
    value: Expr,
}

/// What `x.val = y` says together with `x ~= nil`.
fn embedding(premise: &Expr) -> Option<Embedding> {
    let ExprKind::Apply(Op::Eq, sides) = &premise.kind else {
        return None;
    };
    let is_value = |side: &&Expr| matches!(side.kind, ExprKind::Apply(Op::Val, _));
    let value = sides.iter().find(is_value)?;
    let other = sides.iter().find(|side| *side != value)?;
    let ExprKind::Apply(_, parts) = &value.kind else {
        return None;
    };
    let optional = &parts[0];
    let is_alike = other.is_total() && other.ty == value.ty && !speaks_of(other, value);
    is_alike.then(|| {
        let inner = apply(Op::Embed, vec![other.clone()], &optional.ty);
        Embedding {
            present: not(equal(optional.clone(), nil(&optional.ty))),
            whole: equal(optional.clone(), inner),
            value: value.clone(),
        }
    })
}

/// Whether a term occurs in a formula.
fn speaks_of(formula: &Expr, term: &Expr) -> bool {
    let mut occurs = false;
    formula.walk(&mut |part| occurs |= part == term);
    occurs
}

/// The negation of a formula, with that of `\E x (p /\ q)` as `\A x (p => ~q)`, and that of `\A x (p => q \/ r)` as
/// `\E x (p /\ ~q /\ ~r)`.
fn denied(formula: Expr) -> Expr {
    let (ty, span) = (formula.ty.clone(), formula.span);
    let (quantifier, binders, body) = match formula.kind {
        ExprKind::Quantified(Quantifier::Exists, binders, body) => {
            let mut parts = body.into_conjuncts();
            let last = parts.pop().map_or(Expr::truth(span), denied);
            (Quantifier::ForAll, binders, implied(parts, last))
        }
        ExprKind::Quantified(Quantifier::ForAll, binders, body) => {
            (Quantifier::Exists, binders, refuted(*body))
        }
        _ => return not(formula),
    };
    let kind = ExprKind::Quantified(quantifier, binders, Box::new(body));
    Expr::new(kind, ty, span)
}

/// The negation of `p => q \/ r` as `p /\ ~q /\ ~r`.
fn refuted(formula: Expr) -> Expr {
    let span = formula.span;
    match formula.kind {
        ExprKind::Apply(Op::Implies, mut sides) => {
            let conclusion = sides.pop().map(refuted);
            Expr::conjunction(sides.into_iter().chain(conclusion), span)
        }
        ExprKind::Apply(Op::Or, parts) => Expr::conjunction(parts.into_iter().map(refuted), span),
        kind => denied(Expr::new(kind, Type::Bool, span)),
    }
}

/// The body under quantifiers for the variables that are used, every bound variable with a local of its own.
fn quantified(frame: &Frame, locals: &[Local], used: u8, body: &Expr) -> (Vec<Local>, Expr) {
    let mut target: Vec<Local> = Vec::new();
    let mut values = Vec::new();
    for (at, binder) in frame.binders.iter().enumerate() {
        if used >> at & 1 == 1 {
            let id = LocalId::at(target.len());
            target.push(binder.clone());
            values.push((LocalId::at(at), variable(id, &binder.ty)));
        }
    }
    let binders: Vec<LocalId> = (0..target.len()).map(LocalId::at).collect();
    let body = Substitution::new(locals, &mut target, values).copy(body);
    let whole = match binders.is_empty() {
        true => body,
        false => Expr::new(
            ExprKind::Quantified(Quantifier::ForAll, binders, Box::new(body)),
            Type::Bool,
            Span::default(),
        ),
    };
    (target, whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ioa_lang::Sources;
    use ioa_lang::print::{self, Context};

    #[test]
    fn what_is_not_so_of_all_is_said_of_some_and_the_other_way_round() {
        let text = |formula: &str| {
            format!(
                "type Node
automaton A
  signature internal idle
  states s, t: Set[Node] := {{}}
  transitions internal idle
invariant I of A: {formula}
"
            )
        };
        let denied = |formula: &str| {
            let mut sources = Sources::default();
            sources.add("a.ioa", text(formula));
            let model = ioa_lang::load(&sources).model;
            let stated = &model.invariants[0];
            let context = Context::automaton(&model, stated.automaton, &stated.locals);
            print::expr(&model, &context, &denied(stated.formula.clone()))
        };
        let cases = [
            (
                "\\E n: Node \\A m: Node (m \\in s => m = n \\/ m \\in t)",
                "\\A n: Node \\E m: Node (m \\in s /\\ m ~= n /\\ m \\notin t)",
            ),
            (
                "\\A n: Node (n \\in s /\\ n \\in t)",
                "\\E n: Node (~(n \\in s /\\ n \\in t))",
            ),
            (
                "\\E n: Node (n \\in s /\\ n \\notin t)",
                "\\A n: Node (n \\in s => n \\in t)",
            ),
            ("s = t", "s ~= t"),
        ];
        for (formula, expected) in cases {
            assert_eq!(denied(formula), expected);
        }
    }
}
