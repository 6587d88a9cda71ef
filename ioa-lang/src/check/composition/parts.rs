//! The components of a composition, with their actual parameters.

use std::collections::{BTreeMap, BTreeSet};

use super::shared::simplified;
use crate::check::axioms;
use crate::check::checker::{Checker, Want};
use crate::check::instance::{Copier, Embedding, Instance, array_over, term_of};
use crate::check::parameters::OpenParameter;
use crate::check::report::{Report, duplicate, wrong_number};
use crate::check::scope::Scope;
use crate::check::theories;
use crate::check::world::{Namespace, Variables, World};
use crate::core::{
    ActionId, ActionKind, Automaton, AutomatonId, Component, ComponentId, Expr, ExprKind, Local,
    LocalId, Op, Participant, Quantifier, Requirement, Substitution, Task, Transition, Type,
    Variable, fresh_copy,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};
use crate::syntax::ast::{self, Actual, AutomatonItem, ComponentItem, Ident, TypeExpr};

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

/// Maximum number of components of a composition, including those of its components. Nested compositions can multiply.
const MAX_COMPONENTS: usize = 500;

/// All components, if all were understood.
pub(super) fn parts<'w>(
    item: &AutomatonItem,
    world: &'w World,
    report: &mut Report,
) -> Option<Vec<ComponentInstance<'w>>> {
    let mut seen: BTreeMap<&Name, Span> = BTreeMap::new();
    let mut parts: Vec<Option<ComponentInstance<'w>>> = Vec::new();
    let (mut id, mut first_variable) = (0, 0);
    for component in item.components.iter().flatten() {
        let mut part = part(item, component, world, report);
        if let Some(first) = seen.insert(&component.name.name, component.name.span) {
            report.add(duplicate("the component", &component.name, first));
            part = None;
        }
        if let Some(part) = &mut part {
            (part.id, part.first_variable) = (ComponentId::at(id), first_variable);
            id += 1 + part.automaton.components.len();
            first_variable += part.automaton.variables.len();
            if id > MAX_COMPONENTS {
                report.add(
                    Diagnostic::error(Code::ManyComponents, component.span, "a composition of too many components")
                        .label(format!("with all that they are composed of, more than {MAX_COMPONENTS}"))
                        .help("components that differ in an index alone are one: `P[i: Node]: Process(i)`"),
                );
                return None;
            }
        }
        parts.push(part);
    }
    if parts.is_empty() {
        report.add(
            Diagnostic::error(
                Code::ComposedOfNothing,
                item.span,
                "a composition of nothing",
            )
            .label("no components"),
        );
        return None;
    }
    parts.into_iter().collect()
}

/// One component, which stands first.
pub(super) fn part<'w>(
    item: &AutomatonItem,
    component: &ComponentItem,
    world: &'w World,
    report: &mut Report,
) -> Option<ComponentInstance<'w>> {
    let id = world.automaton_named(&component.automaton, report);
    let mut checker = Checker::new(world, report, Scope::empty());
    let indices: Vec<_> = component
        .indices
        .iter()
        .map(|index| checker.bind_written(index))
        .collect();
    let predicate = checker.optional_formula(component.predicate.as_ref(), component.span);
    let instance = id.and_then(|id| actuals(component, id, &mut checker));
    let locals = checker.scope.locals;
    indices.into_iter().collect::<Option<Vec<_>>>()?;
    let (id, mut instance) = (id?, instance?);
    take_theories(item, component, id, &mut instance, world, report)?;
    Some(ComponentInstance {
        name: component.name.clone(),
        id: ComponentId(0),
        automaton: world.cores[id.index()].as_ref()?,
        clauses: &world.clauses[id.index()].understood,
        variables: &world.header(id).variables,
        arity: component.indices.len(),
        locals,
        predicate: predicate?,
        instance,
        condition: world.open[id.index()].condition.as_ref()?,
        first_variable: 0,
        span: component.span,
    })
}

/// The actual parameters in the place of the open ones.
fn actuals(
    component: &ComponentItem,
    id: AutomatonId,
    checker: &mut Checker<'_, '_>,
) -> Option<Instance> {
    let open = &checker.world.open[id.index()];
    let (expected, found) = (open.params.len(), component.actuals.len());
    if expected != found {
        let what = format!("`{}`", component.automaton.name);
        let diagnostic = wrong_number(component.span, &what, "parameter", expected, found);
        checker
            .report
            .add(diagnostic.related(open.span, "its heading"));
        return None;
    }
    let mut instance = Instance::default();
    let mut complete = true;
    for (param, actual) in open.params.iter().zip(&component.actuals) {
        complete &= match param {
            None => false,
            Some(OpenParameter::Sort(sort)) => match actual_type(actual, checker) {
                Some(ty) => instance.sorts.insert(*sort, ty).is_none(),
                None => false,
            },
            Some(OpenParameter::Value(function, ty)) => {
                // If a type was not understood, values of that type are not reported.
                let ty = complete.then(|| instance.ty(ty));
                let heading = (open.span, "its heading".to_owned());
                match actual_term(actual, ty.as_ref(), &heading, checker) {
                    Some(term) => {
                        let meant = crate::check::instance::Denotation::Term(term);
                        instance.functions.insert(*function, meant).is_none()
                    }
                    None => false,
                }
            }
        };
    }
    complete.then_some(instance)
}

fn actual_type(actual: &Actual, checker: &mut Checker<'_, '_>) -> Option<Type> {
    let written = match actual {
        Actual::Type(ty) => Some(ty.clone()),
        Actual::Term(term) => as_type(term),
    };
    match (written, actual) {
        (Some(ty), _) => checker.world.resolve(&ty, checker.report),
        (None, Actual::Term(term)) => {
            checker.error(Code::WrongType, term.span, "a type is expected here");
            None
        }
        (None, Actual::Type(_)) => None,
    }
}

/// A term that may as well be read as a type: `String`, `Set[Node]`, `Cell.M`.
fn as_type(term: &ast::Expr) -> Option<TypeExpr> {
    let (name, args) = match &term.kind {
        ast::ExprKind::Name(name) => (name.clone(), Vec::new()),
        ast::ExprKind::Index(base, arg) => (as_type(base)?.name, vec![as_type(arg)?]),
        ast::ExprKind::Field(base, field) => {
            let base = as_type(base)?.name;
            let name = Name::from(format!("{}.{}", base.name, field.name));
            let span = term.span;
            (Ident { name, span }, Vec::new())
        }
        _ => return None,
    };
    let span = term.span;
    Some(TypeExpr { name, args, span })
}

fn actual_term(
    actual: &Actual,
    ty: Option<&Type>,
    heading: &(Span, String),
    checker: &mut Checker<'_, '_>,
) -> Option<Expr> {
    match actual {
        Actual::Term(term) => checker.term(term, Want::of(ty, Some(heading))),
        Actual::Type(written) => {
            checker.error(
                Code::WrongType,
                written.span,
                "a value is expected here, and not a type",
            );
            None
        }
    }
}

/// The theories that the component's automaton assumes, as they are in the composition.
fn take_theories(
    item: &AutomatonItem,
    component: &ComponentItem,
    id: AutomatonId,
    instance: &mut Instance,
    world: &World,
    report: &mut Report,
) -> Option<()> {
    let namespace = world.namespaces.get(&Namespace::Automaton(id));
    let mut missing = None;
    for key in namespace.iter().flat_map(|namespace| &namespace.theories) {
        let types = key.1.iter().map(|ty| instance.ty(ty)).collect();
        let actual = (key.0.clone(), types);
        let meant = match theories::by_itself(&actual) {
            Some(meant) => Some(meant),
            None if world.is_assumed(&actual) => world.theories.get(&actual).cloned(),
            None => None,
        };
        let (Some(old), Some(new)) = (world.theories.get(key), meant) else {
            missing = missing.or(Some(axioms::written(&actual, world)));
            continue;
        };
        for (old, new) in old.iter().zip(new) {
            if let crate::check::instance::Denotation::Function(old) = old {
                instance.functions.insert(*old, new);
            }
        }
    }
    let Some(missing) = missing else {
        return Some(());
    };
    let (name, automaton) = (&component.name.name, &component.automaton.name);
    report.add(
        Diagnostic::error(
            Code::ComponentNeeds,
            component.span,
            format!("`{automaton}` needs {missing} for the component `{name}`"),
        )
        .label(format!("{missing} is not assumed here"))
        .help(format!(
            "write `assumes {missing}` in the heading of {}",
            item.name.name
        )),
    );
    None
}

/// The requirements of the components' automata on their parameters, and on their own components.
pub(super) fn requirements(
    parts: &[ComponentInstance<'_>],
    report: &mut Report,
) -> Option<Vec<Requirement>> {
    let mut requirements = Some(Vec::new());
    for part in parts {
        let mut all = part.inner_requirements();
        if !part.condition.formula.is_true() {
            let otherwise = format!(
                "the parameters of `{}` are not what `{}` asks of them",
                part.name.name, part.automaton.name
            );
            let required =
                part.required(otherwise, &part.condition.locals, &part.condition.formula);
            if super::shared::evidently(&required.formula) == Some(false) {
                let asked = part.condition.formula.span;
                report.add(
                    Diagnostic::error(Code::ComponentRefused, part.span, required.otherwise)
                        .related(asked, "what it asks"),
                );
                requirements = None;
                continue;
            }
            all.push(required);
        }
        requirements
            .iter_mut()
            .for_each(|list| list.append(&mut all));
    }
    requirements
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

    fn required(&self, otherwise: String, source: &[Local], formula: &Expr) -> Requirement {
        let mut locals = Vec::new();
        let formula = self.for_all_indices(source, formula, &mut locals);
        Requirement {
            otherwise,
            locals,
            formula,
            span: self.span,
        }
    }

    fn inner_requirements(&self) -> Vec<Requirement> {
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
