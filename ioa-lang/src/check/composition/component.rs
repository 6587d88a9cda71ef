//! One component of a composition: what belongs to it, as it is named in the whole.

use std::collections::{BTreeMap, BTreeSet};

use super::shared::simplified;
use crate::check::instance::{Copier, Embedding, Instance, array_over, term_of};
use crate::check::world::Variables;
use crate::core::{
    ActionId, ActionKind, Automaton, Component, ComponentId, Expr, ExprKind, Local, LocalId, Op,
    Participant, Quantifier, Requirement, Substitution, Task, Transition, Type, Variable,
    fresh_copy,
};
use crate::source::{Name, Span};
use crate::syntax::ast::Ident;

/// A component: an automaton with actual parameters, one for each value of its indices.
pub(super) struct ComponentInstance<'w> {
    pub(super) name: Ident,
    /// Its position among the components of the core; those that it is composed of follow it.
    pub(super) id: ComponentId,
    pub(super) automaton: &'w Automaton,
    pub(super) clauses: &'w [Transition],
    /// The declarations of the automaton's variables.
    pub(super) variables: &'w Variables,
    /// The indices, then what else is bound in `predicate` and in the actual parameters.
    pub(super) locals: Vec<Local>,
    /// How many indices there are.
    pub(super) arity: usize,
    /// For which indices there is such a component.
    pub(super) predicate: Expr,
    pub(super) instance: Instance,
    /// The condition on the automaton's parameters.
    pub(super) condition: &'w crate::check::parameters::Condition,
    pub(super) first_variable: usize,
    pub(super) span: Span,
}

impl<'w> ComponentInstance<'w> {
    /// The types of the indices.
    pub(super) fn index_types(&self) -> Vec<Type> {
        let indices = &self.locals[..self.arity];
        indices.iter().map(|local| local.ty.clone()).collect()
    }

    pub(super) fn ty(&self, ty: &Type) -> Type {
        self.instance.ty(ty)
    }

    /// Adds locals for the indices to an item, and returns them as terms.
    pub(super) fn bind_indices(&self, target: &mut Vec<Local>) -> Vec<Expr> {
        let indices = self.locals[..self.arity].iter();
        indices
            .map(|local| {
                target.push(local.clone());
                term_of(LocalId::at(target.len() - 1), local)
            })
            .collect()
    }

    /// A copier of what belongs to the component with these indices.
    pub(super) fn copier<'a, 't>(
        &'a self,
        indices: &'a [Expr],
        source: &'a [Local],
        target: &'t mut Vec<Local>,
    ) -> Copier<'a, 't> {
        Copier {
            embedding: Embedding {
                instance: &self.instance,
                locals: &self.locals,
                indices,
                variables: &self.automaton.variables,
                first_variable: self.first_variable,
            },
            source,
            target,
            values: BTreeMap::new(),
        }
    }

    /// The condition that there is a component with these indices.
    pub(super) fn exists(&self, indices: &[Expr], target: &mut Vec<Local>) -> Expr {
        let indices = (0..).map(LocalId).zip(indices.iter().cloned());
        Substitution::new(&self.locals, target, indices).copy(&self.predicate)
    }

    /// `\A i (there is such a component => formula)`
    pub(super) fn for_all_indices(
        &self,
        source: &[Local],
        formula: &Expr,
        target: &mut Vec<Local>,
    ) -> Expr {
        let indices = self.bind_indices(target);
        let exists = self.exists(&indices, target);
        let formula = self.copier(&indices, source, target).expr(formula);
        let span = formula.span;
        let body = match exists.is_true() {
            true => formula,
            false => Expr::apply(Op::Implies, vec![exists, formula], Type::Bool, span),
        };
        for_all(&indices, body)
    }

    pub(super) fn required(
        &self,
        otherwise: String,
        source: &[Local],
        formula: &Expr,
    ) -> Requirement {
        let mut locals = Vec::new();
        let formula = self.for_all_indices(source, formula, &mut locals);
        Requirement {
            otherwise,
            locals,
            formula,
            span: self.span,
        }
    }

    pub(super) fn inner_requirements(&self) -> Vec<Requirement> {
        let inner = self.automaton.requirements.iter();
        inner
            .map(|inner| {
                let otherwise = format!("in `{}`: {}", self.name.name, inner.otherwise);
                self.required(otherwise, &inner.locals, &inner.formula)
            })
            .collect()
    }

    /// The name that something of the component has in the composition.
    pub(super) fn qualified(&self, name: &Name) -> Name {
        Name::from(format!("{}.{name}", self.name.name))
    }

    /// Its variables, as those of the composition.
    pub(super) fn variables(&self) -> Vec<Variable> {
        let variables = self.automaton.variables.iter();
        variables
            .map(|variable| Variable {
                name: self.qualified(&variable.name),
                ty: array_over(&self.index_types(), self.ty(&variable.ty)),
                component: Some(
                    variable
                        .component
                        .map_or(self.id, |inner| self.inner(inner)),
                ),
                span: variable.span,
            })
            .collect()
    }

    /// A component of this component.
    fn inner(&self, id: ComponentId) -> ComponentId {
        ComponentId::at(self.id.index() + 1 + id.index())
    }

    /// Itself and the components that it is composed of.
    pub(super) fn components(&self) -> Vec<Component> {
        let indices: Vec<(Name, Type)> = self.locals[..self.arity]
            .iter()
            .map(|local| (local.name.clone(), local.ty.clone()))
            .collect();
        let own = Component {
            path: self.name.name.clone(),
            indices: indices.clone(),
            automaton: self.automaton.name.clone(),
            span: self.span,
        };
        let inner = self.automaton.components.iter().map(|inner| {
            let more = inner.indices.iter();
            let more = more.map(|(name, ty)| (name.clone(), self.ty(ty)));
            Component {
                path: self.qualified(&inner.path),
                indices: indices.iter().cloned().chain(more).collect(),
                ..inner.clone()
            }
        });
        [own].into_iter().chain(inner).collect()
    }

    /// Its part in an action, or the parts of its own components. `whole` is its part if it is not a composition.
    pub(super) fn participants(
        &self,
        action: ActionId,
        whole: Participant,
        params: &[Expr],
        target: &mut Vec<Local>,
    ) -> Vec<Participant> {
        let action = &self.automaton.actions[action.index()];
        if action.participants.is_empty() {
            return vec![whole];
        }
        let inner = action.participants.iter();
        inner
            .map(|inner| {
                let known = fresh_copy(&whole.condition, target);
                let mut copier = self.copier(&whole.index, &action.locals, target);
                copier.values = (0..).map(LocalId).zip(params.iter().cloned()).collect();
                let open = inner.open.iter().map(|local| copier.rebind(*local));
                let open = whole.open.iter().copied().chain(open).collect();
                let condition = copier.expr(&inner.condition);
                Participant {
                    component: self.inner(inner.component),
                    kind: inner.kind,
                    open,
                    index: [&whole.index[..], &copier.exprs(&inner.index)].concat(),
                    condition: simplified(Expr::conjunction([known, condition], self.span)),
                }
            })
            .collect()
    }

    /// Its fairness classes, one for each value of its indices.
    pub(super) fn tasks(&self, ids: &BTreeMap<Name, ActionId>) -> Vec<Task> {
        let tasks = self.automaton.tasks.iter();
        tasks.filter_map(|task| self.task(task, ids)).collect()
    }

    fn task(&self, task: &Task, ids: &BTreeMap<Name, ActionId>) -> Option<Task> {
        let mut locals = Vec::new();
        let indices = self.bind_indices(&mut locals);
        let mut copier = self.copier(&indices, &task.locals, &mut locals);
        for position in 0..task.locals.len() {
            copier.rebind(LocalId::at(position));
        }
        let mut actions = Vec::new();
        for (id, args) in &task.actions {
            let action = &self.automaton.actions[id.index()];
            let args = copier.exprs(args);
            if action.kind == ActionKind::Internal {
                let args = indices.iter().cloned().chain(args).collect();
                actions.push((*ids.get(&self.qualified(&action.name))?, args));
            } else {
                actions.push((*ids.get(&action.name)?, args));
            }
        }
        Some(Task {
            fairness: task.fairness,
            locals,
            actions,
            span: task.span,
        })
    }
}

/// `\A x (body)` for bound variables that are given as terms.
pub(super) fn for_all(binders: &[Expr], body: Expr) -> Expr {
    quantified(Quantifier::ForAll, binders, body)
}

/// Bound variables that the body does not mention are left out, since every type has a value: nobody needs to try all values of
/// a parameter on which nothing depends.
pub(super) fn quantified(quantifier: Quantifier, binders: &[Expr], body: Expr) -> Expr {
    let mut mentioned = BTreeSet::new();
    body.walk(&mut |term| {
        if let ExprKind::Local(id) = term.kind {
            mentioned.insert(id);
        }
    });
    let binders: Vec<LocalId> = binders
        .iter()
        .filter_map(|binder| match binder.kind {
            ExprKind::Local(id) if mentioned.contains(&id) => Some(id),
            _ => None,
        })
        .collect();
    if binders.is_empty() {
        return body;
    }
    let span = body.span;
    Expr::new(
        ExprKind::Quantified(quantifier, binders, Box::new(body)),
        Type::Bool,
        span,
    )
}
