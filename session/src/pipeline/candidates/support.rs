//! How much evidence there is for a formula where not all states are known: in how many of them each of its conditions is the only one
//! that makes it true. Without this condition the formula would be false there, so the condition is not there by chance.

use ioa_lang::core::{Expr, ExprKind, Invariant, Op, Quantifier, Type};

use super::states::StatePool;

/// What the states say of a formula in question.
#[derive(Clone, Debug)]
pub struct Question {
    /// The condition for which there is least evidence, where not all states of any instance are known.
    pub support: Option<Support>,
    /// How many of the made-up states in which the formula is false no candidate excludes.
    pub open: u64,
}

/// The condition of a formula for which there is least evidence.
#[derive(Clone, Debug)]
pub struct Support {
    /// The condition, as an invariant with the variables of the formula.
    pub condition: Invariant,
    /// In how many states it is the only one that makes the formula true.
    pub states: u64,
}

/// The condition of a formula for which there is least evidence in some states; none where all states of an instance are known.
///
/// # Errors
/// Why formulas cannot be evaluated.
pub(super) fn least(pool: &StatePool<'_>, asked: &Invariant) -> Result<Option<Support>, String> {
    if pool.is_exhaustive() {
        return Ok(None);
    }
    let (conditions, formulas): (Vec<Invariant>, Vec<Invariant>) = alone(asked).into_iter().unzip();
    let counts = pool.satisfying(&formulas)?;
    let each = conditions.into_iter().zip(counts);
    let each = each.map(|(condition, states)| Support { condition, states });
    Ok(each.min_by_key(|support| support.states))
}

/// Each condition of a formula, with a formula that says: for some values of the variables this condition is true and all others are false.
fn alone(asked: &Invariant) -> Vec<(Invariant, Invariant)> {
    let (mut prefix, mut body) = (Vec::new(), &asked.formula);
    while let ExprKind::Quantified(Quantifier::ForAll, bound, inner) = &body.kind {
        prefix.push((bound, body));
        body = inner;
    }
    let mut conditions = Vec::new();
    disjuncts(body, true, &mut conditions);
    let only = |own: usize| {
        // In the order of the text: what comes first may be what gives the rest a value.
        let each = conditions.iter().enumerate();
        let parts = each.map(|(at, condition)| match at == own {
            true => condition.clone(),
            false => negated(condition),
        });
        let mut parts: Vec<Expr> = parts.collect();
        let both = match parts.len() {
            1 => parts.swap_remove(0),
            _ => applied(Op::And, parts, body),
        };
        prefix.iter().rev().fold(both, |inner, (bound, whole)| {
            let exists = ExprKind::Quantified(Quantifier::Exists, (*bound).clone(), inner.into());
            Expr::new(exists, Type::Bool, whole.span)
        })
    };
    let with = |formula: Expr| Invariant {
        formula,
        ..asked.clone()
    };
    let each = conditions.iter().enumerate();
    each.map(|(at, condition)| (with(condition.clone()), with(only(at))))
        .collect()
}

/// The conditions each of which is enough to make a formula true, or false.
fn disjuncts(formula: &Expr, is_positive: bool, into: &mut Vec<Expr>) {
    match (&formula.kind, is_positive) {
        (ExprKind::Apply(Op::Not, parts), _) => disjuncts(&parts[0], !is_positive, into),
        (ExprKind::Apply(Op::Implies, parts), true) => {
            disjuncts(&parts[0], false, into);
            disjuncts(&parts[1], true, into);
        }
        (ExprKind::Apply(Op::Or, parts), true) | (ExprKind::Apply(Op::And, parts), false) => {
            for part in parts {
                disjuncts(part, is_positive, into);
            }
        }
        (_, true) => into.push(formula.clone()),
        (_, false) => into.push(negated(formula)),
    }
}

fn negated(formula: &Expr) -> Expr {
    match &formula.kind {
        ExprKind::Apply(Op::Not, parts) => parts[0].clone(),
        _ => applied(Op::Not, vec![formula.clone()], formula),
    }
}

/// Formulas with a connective, at the place of one that was written.
fn applied(op: Op, parts: Vec<Expr>, place: &Expr) -> Expr {
    Expr::apply(op, parts, Type::Bool, place.span)
}

#[cfg(test)]
mod tests {

    use super::super::formula_text;
    use super::*;
    use crate::study::Study;

    #[test]
    fn a_condition_speaks_for_a_formula_where_all_others_are_false() {
        let text = "\
type N
automaton A
  signature internal a
  states on: Set[N] := {}, at: Array[N, Null[N]] := constant(nil)
  transitions internal a eff on := on
invariant I of A: \\A a: N \\A b: N (at[a] ~= nil /\\ ~(a = b => b \\in on) => at[a].val = b \\/ on = {})
";
        let study = Study::of_text(text);
        let model = &study.model;
        let both = alone(&model.invariants[0]);
        let text = |stated: &Invariant| formula_text(model, stated);
        let conditions: Vec<String> = both.iter().map(|(condition, _)| text(condition)).collect();
        let expected = [
            "at[a] = nil",
            "a ~= b",
            "b \\in on",
            "at[a].val = b",
            "on = {}",
        ];
        assert_eq!(conditions, expected);
        assert_eq!(
            text(&both[3].1),
            "\\E a: N \\E b: N (at[a] ~= nil /\\ a = b /\\ b \\notin on /\\ at[a].val = b /\\ on ~= {})"
        );
    }
}
