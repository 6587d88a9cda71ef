//! Indicators: numbers that are 1 where a variable has some value, and 0 elsewhere. What is in somebody's hands counts, with them,
//! as much as what lies in a heap.

use ioa_lang::core::{Expr, ExprKind, Type};

use super::counts::tests;
use super::kind::{Kind, Measure, Term, TermId};
use crate::build::number;
use crate::samples::Schema;

/// The indicators of a term, of which it is known where it stands: one for each value of an enumeration, one for a truth value, one for
/// what may be nil.
pub(crate) fn indicators(schema: &Schema, (id, term): (TermId, &Term)) -> Vec<Term> {
    let made = tests(schema, term.ty()).into_iter();
    let made = made.map(|(counted, test)| {
        let [one, none] = [1, 0].map(|n| Box::new(number(n, &Type::Nat)));
        let expr = ExprKind::If(Box::new(test(term.expr.clone())), one, none);
        Term {
            kind: Kind::Indicator(id, counted),
            expr: Expr::new(expr, Type::Nat, term.expr.span),
            measure: Some(Measure::Indicated),
            ..term.clone()
        }
    });
    made.collect()
}
