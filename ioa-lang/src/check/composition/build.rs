//! A transition clause of a composition in the making.

use super::component::ComponentInstance;
use super::role::Role;
use super::shared::{follows, simplified};
use crate::core::{
    ActionId, Cases, CopyPlaces, Expr, Local, LocalId, Place, StateRef, Stmt, StmtKind, Store,
    Transition, VarId, fresh_copy,
};
use crate::source::{Name, Span};

/// How many rows the determinators of joined clauses may have together: the least common multiple of theirs.
pub(super) const ROW_LIMIT: usize = 1024;

/// A clause of the composition in the making. Its first locals are the parameters.
#[derive(Clone)]
pub(super) struct Build {
    pub(super) locals: Vec<Local>,
    pub(super) arity: usize,
    pub(super) applies: Vec<Expr>,
    cases: Cases,
    pre: Vec<Expr>,
    hidden: Vec<LocalId>,
    det: Vec<Vec<Expr>>,
    /// The last clause with hidden parameters.
    chooser: Option<Span>,
    /// Two clauses with hidden parameters whose determinators cannot be joined.
    pub(super) apart: Option<(Span, Span)>,
    pub(super) effect: Vec<Stmt>,
    unconstrained: Vec<VarId>,
    ensuring: Vec<Expr>,
    /// The component that refuses the action.
    pub(super) refused: Option<Name>,
}

impl Build {
    pub(super) fn new(locals: Vec<Local>, arity: usize) -> Self {
        Self {
            locals,
            arity,
            applies: Vec::new(),
            cases: Cases::default(),
            pre: Vec::new(),
            hidden: Vec::new(),
            det: Vec::new(),
            chooser: None,
            apart: None,
            effect: Vec::new(),
            unconstrained: Vec::new(),
            ensuring: Vec::new(),
            refused: None,
        }
    }

    /// Asks this of the parameters, as a clause of a component does.
    pub(super) fn require(&mut self, condition: Expr) {
        for part in simplified(condition).into_conjuncts() {
            if !follows(&part, &self.applies) {
                self.applies.push(part);
            }
        }
    }

    /// Asks this of the parameters, to tell the case of this clause from others.
    pub(super) fn sort_out(&mut self, condition: Expr) {
        let before = self.applies.len();
        self.require(condition);
        (before..self.applies.len()).for_each(|position| self.cases.add(position));
    }

    /// Asks no more than the first conditions.
    pub(super) fn ask_only(&mut self, first: usize) {
        self.applies.truncate(first);
        self.cases.truncate(first);
    }

    /// Adds all that a clause of a component says.
    pub(super) fn take(
        &mut self,
        part: &ComponentInstance<'_>,
        clause: &Transition,
        indices: &[Expr],
        params: &[Expr],
    ) {
        let mut copier = part.copier(indices, &clause.locals, &mut self.locals);
        copier.values = clause
            .params
            .iter()
            .copied()
            .zip(params.iter().cloned())
            .collect();
        let applies = copier.expr(&clause.applies);
        let hidden: Vec<LocalId> = clause.hidden.iter().map(|h| copier.rebind(*h)).collect();
        let det: Vec<Vec<Expr>> = clause.det.iter().map(|row| copier.exprs(row)).collect();
        let pre = copier.expr(&clause.pre);
        let effect = copier.stmts(&clause.effect);
        let ensuring = copier.expr(&clause.ensuring);
        for (position, conjunct) in applies.into_conjuncts().into_iter().enumerate() {
            match clause.cases.contains(position) {
                true => self.sort_out(conjunct),
                false => self.require(conjunct),
            }
        }
        self.hand_out(hidden, det, clause.span);
        self.pre.push(pre);
        self.effect.extend(effect);
        self.ensuring.push(ensuring);
        if let Some(inner) = &clause.refused {
            self.refused = Some(part.qualified(inner));
        }
        for var in &clause.unconstrained {
            self.free(part, *var, indices, clause.span);
        }
    }

    /// Names the parameters as the clause does that controls the action, where nothing else has the name.
    pub(super) fn name_as(&mut self, clause: &Transition) {
        for (at, param) in clause.params.iter().enumerate() {
            let written = &clause.locals[param.index()];
            let mut others = (0..).zip(&self.locals).filter(|(other, _)| *other != at);
            if others.all(|(_, other)| other.name != written.name) {
                let own = &mut self.locals[at];
                (own.name, own.span) = (written.name.clone(), written.span);
            }
        }
    }

    /// Adds hidden parameters and their determinator: the rows of both are used side by side, and each begins again after
    /// its last row.
    fn hand_out(&mut self, hidden: Vec<LocalId>, det: Vec<Vec<Expr>>, span: Span) {
        if hidden.is_empty() {
            return;
        }
        let first = std::mem::take(&mut self.det);
        match (self.chooser.replace(span), first.len(), det.len()) {
            (None, ..) => self.det = det,
            (Some(_), 0, 0) => {}
            (Some(_), m, n) if m > 0 && n > 0 && period(m, n) <= ROW_LIMIT => {
                self.det = (0..period(m, n))
                    .map(|turn| {
                        let row = first[turn % m].iter().chain(&det[turn % n]);
                        row.map(|term| fresh_copy(term, &mut self.locals)).collect()
                    })
                    .collect();
            }
            (Some(other), ..) => self.apart = Some((other, span)),
        }
        self.hidden.extend(hidden);
    }

    /// Leaves open what a variable of the component becomes: of an array only the component's own element.
    fn free(&mut self, part: &ComponentInstance<'_>, var: VarId, indices: &[Expr], span: Span) {
        let variable = &part.automaton.variables[var.index()];
        let ty = part.ty(&variable.ty);
        let mut copier = part.copier(indices, &[], &mut self.locals);
        let own = copier.place(&Place {
            root: StateRef {
                store: Store::Pre,
                var,
            },
            path: Vec::new(),
            ty: ty.clone(),
            span,
        });
        if indices.is_empty() {
            self.unconstrained.push(own.root.var);
            return;
        }
        let binder = LocalId::at(self.locals.len());
        self.locals.push(Local {
            name: variable.name.clone(),
            ty,
            span,
        });
        let kind = StmtKind::Choose {
            place: own,
            binder,
            predicate: Expr::truth(span),
            det: Vec::new(),
        };
        self.effect.push(Stmt::made(kind, span));
    }

    /// The same for parameters for which a component has no clause, though the action is an input of it: the step is a
    /// fault.
    pub(super) fn refuse(mut self, by: &Role<'_, '_>) -> Self {
        self.refused = Some(by.part.name.name.clone());
        self.effect.clear();
        self.unconstrained.clear();
        self.ensuring = vec![Expr::falsehood(by.part.span)];
        self
    }

    pub(super) fn finish(self, action: ActionId, span: Span) -> Transition {
        Transition {
            action,
            params: (0..self.arity).map(LocalId::at).collect(),
            locals: self.locals,
            hidden: self.hidden,
            det: self.det,
            applies: Expr::conjunction(self.applies, span),
            cases: self.cases,
            pre: Expr::conjunction(self.pre, span),
            effect: self.effect,
            unconstrained: self.unconstrained,
            ensuring: Expr::conjunction(self.ensuring, span),
            refused: self.refused,
            span,
        }
    }
}

/// The number of draws after which two determinators with the given numbers of rows are both at their first rows again.
fn period(m: usize, n: usize) -> usize {
    num_integer::lcm(m, n)
}
