//! The components of a composition, with their actual parameters.

use std::collections::BTreeMap;

use super::component::ComponentInstance;
use crate::check::axioms;
use crate::check::checker::{Checker, Want};
use crate::check::instance::Instance;
use crate::check::ordered;
use crate::check::parameters::OpenParameter;
use crate::check::report::{Report, duplicate, wrong_number};
use crate::check::scope::Scope;
use crate::check::world::{Namespace, World};
use crate::core::{AutomatonId, ComponentId, Expr, Requirement, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};
use crate::syntax::ast::{self, Actual, AutomatonItem, ComponentItem, Ident, TypeExpr};

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
        let meant = match ordered::by_itself(&actual) {
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
