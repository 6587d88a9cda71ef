//! `provided P`: a clause is enabled only if its outcome satisfies `P`, so that a step is a relation between two states.
//!
//! Nothing of this is left in the core. A variable that `P` alone decides gets its new value from a hidden parameter. What `P` says of the
//! state after the step is said in terms of the state before it, as a part of the precondition.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::checker::Checker;
use crate::core::{
    Expr, ExprKind, Local, LocalId, Model, Place, Projection, StateRef, Stmt, StmtKind, Store,
    VarId, Variable, fresh_copy, places_of_stmts,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// What `provided` adds to a clause.
pub(super) struct Relation {
    /// Parameters for the new values of the variables that it alone decides.
    pub(super) hidden: Vec<LocalId>,
    /// What it says, in terms of the state before the step.
    pub(super) condition: Expr,
    /// The assignments of the hidden parameters.
    pub(super) assignments: Vec<Stmt>,
}

impl Checker<'_, '_> {
    /// Reads a condition on the states before and after a step as a part of the precondition. `open` are those of the variables
    /// that it mentions and the effect leaves as they are.
    pub(super) fn relation(
        &mut self,
        condition: &Expr,
        effect: &[Stmt],
        (variables, open): (Vec<Variable>, &[VarId]),
    ) -> Option<Relation> {
        let (mut hidden, mut assignments) = (Vec::new(), Vec::new());
        let mut after = Outcome {
            model: self.model(),
            variables,
            locals: std::mem::take(&mut self.scope.locals),
            values: BTreeMap::new(),
        };
        after.run(effect);
        for var in open {
            let store = Store::Pre;
            let root = StateRef { store, var: *var };
            let place = Place {
                root,
                path: Vec::new(),
                ty: after.variables[var.index()].ty.clone(),
                span: condition.span,
            };
            let id = after.parameter(&self.variable_name(root), &place);
            let value = Expr::new(ExprKind::Local(id), place.ty.clone(), condition.span);
            hidden.push(id);
            after.values.insert(*var, Ok(value.clone()));
            let assign = StmtKind::Assign(place, value);
            assignments.push(Stmt::made(assign, condition.span));
        }
        let said = after.said(condition, Store::Post);
        let said = said.map(|said| fresh_copy(&said, &mut after.locals));
        self.scope.locals = after.locals;
        match said {
            Ok(condition) => Some(Relation {
                hidden,
                condition,
                assignments,
            }),
            Err(written) => {
                self.report.add(
                    Diagnostic::error(Code::NoLoop, written, "`for` cannot stand here")
                        .label("`provided` asks what this loop writes, before the step")
                        .help("say what each entry becomes: `a := [x: T -> ..]`"),
                );
                None
            }
        }
    }
}

/// The state after some statements, as terms over the state before them.
struct Outcome<'m> {
    model: &'m Model,
    variables: Vec<Variable>,
    locals: Vec<Local>,
    values: Values,
}

/// The values of the variables that are written; or the loop that writes one, whose outcome no term says.
type Values = BTreeMap<VarId, Result<Expr, Span>>;

impl Outcome<'_> {
    fn run(&mut self, statements: &[Stmt]) {
        for statement in statements {
            match &statement.kind {
                StmtKind::Assign(place, value) => {
                    let value = self.assigned(place, value);
                    self.values.insert(place.root.var, value);
                }
                StmtKind::If {
                    branches,
                    otherwise,
                } => self.branch(branches, otherwise),
                StmtKind::For { body, .. } => {
                    for var in written(body) {
                        self.values.insert(var, Err(statement.span));
                    }
                }
                StmtKind::Choose { .. }
                | StmtKind::While(..)
                | StmtKind::Fire(_)
                | StmtKind::FireAny(_) => {
                    unreachable!("the effect of a clause with `provided` has none of these")
                }
            }
        }
    }

    /// What the variable becomes to which a place belongs.
    fn assigned(&mut self, place: &Place, value: &Expr) -> Result<Expr, Span> {
        let mut place = place.clone();
        for projection in &mut place.path {
            if let Projection::Index(index) | Projection::Entry(index) = projection {
                *index = self.now(index)?;
            }
        }
        let whole = self.now(&self.before(place.root.var, place.span))?;
        Ok(place.updated(self.model, whole, self.now(value)?))
    }

    fn branch(&mut self, branches: &[(Expr, Vec<Stmt>)], otherwise: &[Stmt]) {
        let before = self.values.clone();
        let (mut cases, mut changed) = (Vec::new(), written(otherwise));
        for (condition, body) in branches {
            let condition = self.now(condition);
            self.run(body);
            changed.extend(written(body));
            let after = std::mem::replace(&mut self.values, before.clone());
            cases.push((condition, after));
        }
        self.run(otherwise);
        for var in changed {
            let last = self.value(&self.values, var);
            let value = cases.iter().rev().fold(last, |others, (condition, after)| {
                let (condition, value) = (condition.clone()?, self.value(after, var)?);
                let (ty, span) = (value.ty.clone(), value.span);
                let parts = [condition, value, others?].map(Box::new);
                let [condition, value, others] = parts;
                Ok(Expr::new(ExprKind::If(condition, value, others), ty, span))
            });
            self.values.insert(var, value);
        }
    }

    fn value(&self, values: &Values, var: VarId) -> Result<Expr, Span> {
        let unchanged = || Ok(self.before(var, Span::default()));
        values.get(&var).cloned().unwrap_or_else(unchanged)
    }

    /// A variable in the state before the statements.
    fn before(&self, var: VarId, span: Span) -> Expr {
        let store = Store::Pre;
        let kind = ExprKind::State(StateRef { store, var });
        Expr::new(kind, self.variables[var.index()].ty.clone(), span)
    }

    /// A term of the statements as it is after those that were run.
    fn now(&mut self, term: &Expr) -> Result<Expr, Span> {
        let copy = fresh_copy(term, &mut self.locals);
        self.said(&copy, Store::Pre)
    }

    /// A term with the values of the variables that it reads in a store. No two copies of a value bind the same variables.
    fn said(&mut self, term: &Expr, store: Store) -> Result<Expr, Span> {
        if let ExprKind::State(state) = term.kind
            && state.store == store
        {
            let value = match self.values.get(&state.var) {
                Some(value) => value.clone()?,
                None => self.before(state.var, term.span),
            };
            let copy = fresh_copy(&value, &mut self.locals);
            return Ok(copy.retyped(term.ty.clone(), term.span));
        }
        let mut unsaid = None;
        let whole = term.with_parts(&mut |part| {
            self.said(part, store).unwrap_or_else(|span| {
                unsaid.get_or_insert(span);
                part.clone()
            })
        });
        unsaid.map_or(Ok(whole), Err)
    }

    /// A hidden parameter for the new value of a variable.
    fn parameter(&mut self, variable: &str, place: &Place) -> LocalId {
        let mut name = format!("{variable}'");
        while self.locals.iter().any(|local| *local.name == *name) {
            name.push('\'');
        }
        self.locals.push(Local {
            name: name.into(),
            ty: place.ty.clone(),
            span: place.span,
        });
        LocalId::at(self.locals.len() - 1)
    }
}

/// The variables that statements write.
fn written(statements: &[Stmt]) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    places_of_stmts(statements, &mut |place| {
        found.insert(place.root.var);
    });
    found
}
