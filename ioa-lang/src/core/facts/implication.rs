//! The implications in a formula, which can hold vacuously because their premises are never true.

use crate::core::expr::{Expr, ExprKind, LocalId};
use crate::core::operator::Op;
use crate::notation::Quantifier;

/// A part `\A x (p => q)` of a formula, with all premises on the way to what it concludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implication<'f> {
    /// The variables that it is about.
    pub locals: Vec<LocalId>,
    /// The conjuncts of its premises, from left to right.
    pub premises: Vec<&'f Expr>,
}

impl Expr {
    /// The implications of a formula below its conjunctions and universal quantifiers, from left to right.
    #[must_use]
    pub fn implications(&self) -> Vec<Implication<'_>> {
        let mut found = Vec::new();
        let nothing = Implication {
            locals: Vec::new(),
            premises: Vec::new(),
        };
        collect(self, nothing, &mut found);
        found.dedup_by(|later, earlier| later.premises == earlier.premises);
        found
    }
}

/// Adds the implications of a formula that is under some premises.
fn collect<'f>(formula: &'f Expr, mut behind: Implication<'f>, found: &mut Vec<Implication<'f>>) {
    match &formula.kind {
        ExprKind::Apply(Op::And, parts) => {
            for part in parts {
                collect(part, behind.clone(), found);
            }
        }
        ExprKind::Quantified(Quantifier::ForAll, locals, body) => {
            behind.locals.extend(locals);
            collect(body, behind, found);
        }
        ExprKind::Apply(Op::Implies, sides) if sides.len() == 2 => {
            behind.premises.extend(sides[0].conjuncts());
            collect(&sides[1], behind, found);
        }
        // Such an implication claims that something never holds, so a false premise does not make it vacuous.
        ExprKind::Bool(false) => {}
        _ if behind.premises.is_empty() => {}
        _ => found.push(behind),
    }
}

#[cfg(test)]
mod tests {
    /// For each implication, how many variables it is about and the text of its premises.
    fn implications(formula: &str) -> Vec<(usize, Vec<String>)> {
        let text = format!(
            "automaton A signature internal t states x: Int := 0 transitions internal t\n\
             invariant I of A: {formula}"
        );
        let mut sources = crate::Sources::new();
        sources.add("t.ioa", text.clone());
        let model = crate::load(&sources).model;
        let invariant = &model.invariants[0];
        let of_text = |span: crate::Span| text[span.start as usize..span.end as usize].to_owned();
        let all = invariant.formula.implications();
        all.iter()
            .map(|i| {
                let premises = i.premises.iter().map(|p| of_text(p.span));
                (i.locals.len(), premises.collect())
            })
            .collect()
    }

    #[test]
    fn premises_are_gathered_down_to_the_conclusion() {
        let none: Vec<(usize, Vec<String>)> = Vec::new();
        assert_eq!(implications("x = 0 \\/ x = 1"), none);
        assert_eq!(implications("x = 0 /\\ x = 1 => false"), none);
        assert_eq!(implications("~(x = 0 => x = 1)"), none);
        let of = |n: usize, texts: &[&str]| (n, texts.iter().map(ToString::to_string).collect());
        assert_eq!(
            implications("\\A i: Int (i = x /\\ x > 1 => \\A j: Int (j > i => x = 0))"),
            [of(2, &["i = x", "x > 1", "j > i"])]
        );
        assert_eq!(
            implications("x = 0 /\\ (x = 1 => (x = 2 /\\ x = 3 /\\ (x = 4 => x = 5)))"),
            [of(0, &["x = 1"]), of(0, &["x = 1", "x = 4"])]
        );
    }
}
