//! What the answer to a question about a state depends on, for all values of the question's parameters together.

use ioa_lang::core::{
    Automaton, Expr, ExprKind, LocalId, Transition, VarId, exprs_of_stmts, places_of_stmts,
};

use super::footprint::Access;
use super::reads::{each_read, has_choices};
use crate::instance::automaton::conditions;

/// What a question with parameters reads. A question is whether a clause is enabled, or whether a formula holds.
///
/// It is an over-approximation, like a [`Footprint`](super::Footprint).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    looks: Vec<WatchedVariable>,
}

/// A variable that a question reads.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WatchedVariable {
    variable: VarId,
    /// If the question reads only one cell, the parameters whose values are its indices, where these are parameters.
    indices: Vec<Option<LocalId>>,
}

impl Watch {
    /// For each clause, what determines whether it has a step with a given label: see
    /// [`Footprint::conditions`](super::Footprint::conditions).
    #[must_use]
    pub fn of_clauses(automaton: &Automaton) -> Vec<Self> {
        automaton.transitions.iter().map(Self::of_clause).collect()
    }

    fn of_clause(clause: &Transition) -> Self {
        let params = [clause.params.as_slice(), &clause.hidden].concat();
        let mut watch = Self::default();
        for condition in conditions(clause) {
            watch.read(condition, &params);
        }
        if has_choices(clause) {
            exprs_of_stmts(&clause.effect, &mut |term| watch.read(term, &params));
            watch.read(&clause.ensuring, &params);
            places_of_stmts(&clause.effect, &mut |place| {
                // A variable of which only a part is written is also read.
                if !place.path.is_empty() {
                    watch.note(place.root.var, Vec::new());
                }
            });
        }
        watch
    }

    /// The questions that determine whether a formula holds: one for each of its [conjuncts](Expr::scoped_conjuncts), with the
    /// variables bound by quantifiers around the conjunct as parameters. If the formula is false or undefined in some state, the answer to one
    /// of these questions is no, for some values of its parameters.
    #[must_use]
    pub fn of_formula(formula: &Expr) -> Vec<Self> {
        let conjuncts = formula.scoped_conjuncts().into_iter();
        let watch = |(bound, conjunct): (Vec<LocalId>, &Expr)| {
            let mut watch = Self::default();
            watch.read(conjunct, &bound);
            watch
        };
        conjuncts.map(watch).collect()
    }

    /// The variables on which the answer depends.
    pub fn variables(&self) -> impl Iterator<Item = VarId> + '_ {
        self.looks.iter().map(|look| look.variable)
    }

    /// Whether the answer, for some values of the parameters, may depend on both.
    #[must_use]
    pub fn depends_on_both(&self, one: &Access, other: &Access) -> bool {
        let at = |access: &Access| {
            let variable = access.variable;
            self.looks
                .iter()
                .filter(move |look| look.variable == variable)
        };
        let may_be_asked_together = |a: &WatchedVariable, b: &WatchedVariable| {
            let of_one = a.indices.iter().zip(&one.cell);
            of_one.into_iter().all(|(param, index)| {
                let mut of_other = b.indices.iter().zip(&other.cell);
                // A parameter has one value at a time, so it denotes the same index in both places.
                of_other.all(|(p, i)| param.is_none() || param != p || index == i)
            })
        };
        at(one).any(|a| at(other).any(|b| may_be_asked_together(a, b)))
    }

    fn read(&mut self, term: &Expr, params: &[LocalId]) {
        let param = |index: &&Expr| match &index.kind {
            ExprKind::Local(local) if params.contains(local) => Some(*local),
            _ => None,
        };
        each_read(term, &mut |variable, indices| {
            self.note(variable, indices.iter().map(param).collect());
        });
    }

    fn note(&mut self, variable: VarId, indices: Vec<Option<LocalId>>) {
        let look = WatchedVariable { variable, indices };
        if !self.looks.contains(&look) {
            self.looks.push(look);
        }
    }
}
