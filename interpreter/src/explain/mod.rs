//! Why a formula has its value: the smallest parts of it that determine the value, with the values of the bound variables
//! that witness it.
//!
//! This is used for failures, of which there is at most one in a run. So the parts of the formula are compiled on the way
//! down, and the compiled form of the whole formula needs no book-keeping.

pub(crate) mod blocked;
pub(crate) mod inspect;
pub(crate) mod why;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use ioa_lang::core::{Expr, ExprKind, Form, Local, LocalId, Op, Quantifier, Type, reads_of_expr};
use ioa_lang::{Name, Span, Value};

use crate::code::Binder;
use crate::compile::{self, Scope};
use crate::state::cell::Shape;
use crate::vm::Machine;

/// An invariant that is false.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// Its position in the model.
    pub invariant: usize,
    /// Its name.
    pub name: Name,
    /// Why it is false.
    pub reasons: Vec<Reason>,
}

/// A part of a formula that determines its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The part.
    pub formula: Expr,
    /// Where it stands.
    pub span: Span,
    /// Its value: false, unless it is below a negation.
    pub value: bool,
    /// The bound variables that it mentions, outermost first.
    pub bindings: Vec<(Name, Value)>,
    /// The terms that occur in it, with their values.
    pub terms: Vec<(Span, Value)>,
    /// The state variables that it reads, of all automata, each once.
    pub reads: BTreeSet<Name>,
}

/// Why the conjunction of some formulas has this value, in the machine's valuations. The machine's frame must hold
/// the values of the locals in `bound`.
pub(crate) fn explain(
    machine: &mut Machine,
    scope: Scope<'_>,
    bound: &[LocalId],
    conjuncts: &[&Expr],
    value: bool,
) -> Vec<Reason> {
    let mut explainer = Explainer {
        machine,
        scope,
        bound: bound.to_vec(),
        reasons: Vec::new(),
    };
    for conjunct in conjuncts {
        // A conjunct may fault where an earlier one would have guarded it: then it is not a reason.
        if explainer.truth(conjunct) == Some(value) {
            explainer.settle(conjunct, value);
        }
    }
    explainer.reasons
}

struct Explainer<'a> {
    machine: &'a mut Machine,
    scope: Scope<'a>,
    bound: Vec<LocalId>,
    reasons: Vec<Reason>,
}

impl Explainer<'_> {
    /// Descends to the parts that make the formula have the value that it has.
    fn settle(&mut self, formula: &Expr, value: bool) {
        match (&formula.kind, value) {
            (ExprKind::Apply(Op::And, parts), false) | (ExprKind::Apply(Op::Or, parts), true) => {
                self.settle_some(parts, value);
            }
            (ExprKind::Apply(Op::And, parts), true) => {
                parts.iter().for_each(|part| self.settle(part, true));
            }
            (ExprKind::Apply(Op::Not, parts), value) => self.settle_not(formula, &parts[0], value),
            (ExprKind::Apply(Op::Implies, parts), false) => self.settle(&parts[1], false),
            (ExprKind::If(condition, a, b), value) => {
                let branch = if self.truth(condition) == Some(true) {
                    a
                } else {
                    b
                };
                self.settle(branch, value);
            }
            (ExprKind::Quantified(Quantifier::ForAll, binders, body), false) => {
                self.settle_witness(formula, binders, body, false);
            }
            (ExprKind::Quantified(Quantifier::Exists, binders, body), true) => {
                self.settle_witness(formula, binders, body, true);
            }
            _ => self.give(formula, value),
        }
    }

    /// A negated atom is itself a reason; a negated formula has parts that can be reasons.
    fn settle_not(&mut self, formula: &Expr, inner: &Expr, value: bool) {
        match &inner.kind {
            ExprKind::Apply(Op::And | Op::Or | Op::Not | Op::Implies, _)
            | ExprKind::Quantified(..) => self.settle(inner, !value),
            _ => self.give(formula, value),
        }
    }

    /// Each part that alone determines the value.
    fn settle_some(&mut self, parts: &[Expr], value: bool) {
        for part in parts {
            if self.truth(part) == Some(value) {
                self.settle(part, value);
            }
        }
    }

    /// Values of the binders for which the body has the value.
    fn settle_witness(&mut self, formula: &Expr, binders: &[LocalId], body: &Expr, value: bool) {
        if !self.find(binders, body, value) {
            self.give(formula, value);
            return;
        }
        let outer = self.bound.len();
        self.bound.extend(binders);
        self.settle(body, value);
        self.bound.truncate(outer);
    }

    /// Binds the binders to values for which the body has the value.
    fn find(&mut self, binders: &[LocalId], body: &Expr, value: bool) -> bool {
        let wanted = if value { body.clone() } else { negated(body) };
        let plan = compile::item(self.scope, |c| {
            c.plan(binders, wanted.conjuncts(), body.span)
        });
        let Ok((frame, plan)) = plan else {
            return false;
        };
        self.machine.enter(&frame);
        let found = self
            .machine
            .valuations(&plan, &mut |_| Ok(ControlFlow::Break(())));
        matches!(found, Ok(ControlFlow::Break(())))
    }

    /// The value of a formula; none if it faults.
    fn truth(&mut self, formula: &Expr) -> Option<bool> {
        match self.value(formula)? {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn value(&mut self, term: &Expr) -> Option<Value> {
        let compiled = compile::item(self.scope, |c| (c.term(term), c.shape(&term.ty)));
        let (frame, (term, shape)) = compiled.ok()?;
        self.machine.enter(&frame);
        let cell = self.machine.term(&term).ok()?;
        Some(shape.decode(&cell))
    }

    fn give(&mut self, formula: &Expr, value: bool) {
        let mut terms = Vec::new();
        self.terms(formula, &mut terms);
        let bindings = self
            .bound
            .iter()
            .map(|local| self.binding(*local))
            .collect();
        let reason = Reason {
            formula: formula.clone(),
            span: formula.span,
            value,
            bindings,
            terms,
            reads: self.reads(formula),
        };
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    fn reads(&self, formula: &Expr) -> BTreeSet<Name> {
        let mut reads = BTreeSet::new();
        reads_of_expr(formula, &mut |at, _| {
            let layout = self.scope.stores[at.store as usize];
            reads.extend(layout.map(|layout| layout.name(at.var).clone()));
        });
        reads
    }

    fn binding(&self, local: LocalId) -> (Name, Value) {
        let Local { name, ty, .. } = &self.scope.locals[local.index()];
        let shape = Shape::of(self.scope.model, self.scope.universe, ty);
        let binder = Binder {
            slot: local.0,
            packed: shape.is_packed(),
            order: None,
            may_be_numbered: false,
            shape,
            name: name.clone(),
        };
        (
            name.clone(),
            binder.shape.decode(&self.machine.bound(&binder)),
        )
    }

    /// The places of the largest terms that name a part of the state, with their values; each place once, for a term is
    /// shown by its text.
    fn terms(&mut self, expr: &Expr, found: &mut Vec<(Span, Value)>) {
        if is_path(expr) && !is_local(expr) {
            if self.is_bound(expr)
                && let Some(value) = self.value(expr)
                && !found.iter().any(|(span, _)| *span == expr.span)
            {
                found.push((expr.span, value));
            }
            return;
        }
        expr.children().for_each(|child| self.terms(child, found));
    }

    /// Whether every bound variable in the term has a value here.
    fn is_bound(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Local(local) => self.bound.contains(local),
            _ => expr.children().all(|child| self.is_bound(child)),
        }
    }
}

fn is_local(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Local(_))
}

/// Whether a term is a variable, a part of one, or the result of a theory's operator.
fn is_path(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::State(_) | ExprKind::Local(_) => true,
        // Like the value of a variable, the result of a table is not visible in the text.
        ExprKind::Theory(..) => expr.ty != Type::Bool,
        ExprKind::Apply(op, args) => {
            matches!(op.form(), Form::Index | Form::Part) && is_path(&args[0])
        }
        _ => false,
    }
}

/// The negation of a formula, with the bounds that an implication's antecedent sets kept in sight.
fn negated(formula: &Expr) -> Expr {
    let not = |e: &Expr| Expr::apply(Op::Not, vec![e.clone()], Type::Bool, e.span);
    match &formula.kind {
        ExprKind::Apply(Op::Implies, parts) => {
            let parts = vec![parts[0].clone(), not(&parts[1])];
            Expr::apply(Op::And, parts, Type::Bool, formula.span)
        }
        _ => not(formula),
    }
}
