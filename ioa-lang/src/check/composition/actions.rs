//! The actions of a composition: private ones kept apart, external ones of one name joined.

use std::collections::BTreeMap;

use super::build::Build;
use super::clauses;
use super::component::{ComponentInstance, for_all};
use super::role::{Role, role, signature, some_role, terms};
use super::shared::{evidently, exclude, follows};
use crate::check::instance::term_of;
use crate::check::report::Report;
use crate::check::world::World;
use crate::core::{
    Action, ActionId, ActionKind, Expr, Local, LocalId, Op, Participant, Requirement, Substitution,
    Transition, Type, fresh_copy,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Name;

/// The actions that components share.
#[derive(Default)]
pub(super) struct Joined {
    pub(super) actions: Vec<Action>,
    pub(super) transitions: Vec<Transition>,
    pub(super) requirements: Vec<Requirement>,
}

/// An action of a component.
#[derive(Clone, Copy)]
struct Contribution<'a, 'w> {
    part: &'a ComponentInstance<'w>,
    id: ActionId,
    action: &'a Action,
}

/// Joins the actions of the components, if they are compatible.
pub(super) fn join(
    parts: &[ComponentInstance<'_>],
    world: &World,
    report: &mut Report,
) -> Option<Joined> {
    let mut joined = Joined::default();
    let mut external: Vec<Vec<Contribution<'_, '_>>> = Vec::new();
    let mut groups: BTreeMap<&Name, usize> = BTreeMap::new();
    let mut compatible = true;
    for part in parts {
        for (id, action) in (0..).map(ActionId).zip(&part.automaton.actions) {
            let contribution = Contribution { part, id, action };
            if action.kind == ActionKind::Internal {
                joined.private(&contribution);
                continue;
            }
            let group = *groups.entry(&action.name).or_insert_with(|| {
                external.push(Vec::new());
                external.len() - 1
            });
            external[group].push(contribution);
        }
    }
    for part in parts {
        let private = part.automaton.actions.iter();
        for action in private.filter(|action| action.kind == ActionKind::Internal) {
            let Some(group) = groups.get(&action.name) else {
                continue;
            };
            compatible = false;
            report.add(not_private(part, action, &external[*group][0]));
        }
    }
    for group in &external {
        compatible &= joined.external(group, world, report).is_some();
    }
    compatible.then_some(joined)
}

fn not_private(
    part: &ComponentInstance<'_>,
    action: &Action,
    other: &Contribution<'_, '_>,
) -> Diagnostic {
    let name = &action.name;
    let message = format!(
        "`{name}` is internal in `{}`, but an action that `{}` shares",
        part.name.name, other.part.name.name
    );
    Diagnostic::error(Code::NotPrivate, part.span, message)
        .label("an internal action is private")
        .related(action.span, format!("internal in {}", part.automaton.name))
        .related(
            other.action.span,
            format!("external in {}", other.part.automaton.name),
        )
        .help("give one of the two another name; a monitor observes internal actions")
}

impl Joined {
    /// `a` of the component is `P.a` of the composition, with the indices as the first parameters.
    fn private(&mut self, contribution: &Contribution<'_, '_>) {
        let (part, action) = (contribution.part, contribution.action);
        let mut locals = Vec::new();
        let indices = part.bind_indices(&mut locals);
        let mut params: Vec<(Name, Type)> = locals
            .iter()
            .map(|local| (local.name.clone(), local.ty.clone()))
            .collect();
        let taken: Vec<Name> = params.iter().map(|(name, _)| name.clone()).collect();
        let own = parameters(part, action, &taken, &mut locals);
        params.extend(
            locals[indices.len()..]
                .iter()
                .map(|local| (local.name.clone(), local.ty.clone())),
        );
        let heads = locals.clone();
        let predicate = signature(part, action, &indices, &own, &mut locals);
        let id = ActionId::at(self.actions.len());
        let whole = Participant {
            component: part.id,
            kind: ActionKind::Internal,
            open: Vec::new(),
            condition: fresh_copy(&predicate, &mut locals),
            index: indices.clone(),
        };
        let participants = part.participants(contribution.id, whole, &own, &mut locals);
        self.actions.push(Action {
            name: part.qualified(&action.name),
            kind: ActionKind::Internal,
            params,
            locals,
            predicate,
            participants,
            span: action.span,
        });
        for clause in part.clauses.iter().filter(|c| c.action == contribution.id) {
            let mut build = Build::new(heads.clone(), heads.len());
            let exists = part.exists(&indices, &mut build.locals);
            build.sort_out(exists);
            build.take(part, clause, &indices, &own);
            self.transitions.push(build.finish(id, clause.span));
        }
    }

    /// An action that components share, or one of them with the environment.
    fn external(
        &mut self,
        group: &[Contribution<'_, '_>],
        world: &World,
        report: &mut Report,
    ) -> Option<()> {
        agree(group, world, report)?;
        let controls = |c: &&Contribution<'_, '_>| c.action.kind == ActionKind::Output;
        let leader = group.iter().find(controls).unwrap_or(&group[0]);
        let mut heads = Vec::new();
        let params = parameters(leader.part, leader.action, &[], &mut heads);
        let roles: Vec<Role<'_, '_>> = group
            .iter()
            .map(|c| role((c.part, c.id), &heads, &params))
            .collect();
        let (outputs, inputs): (Vec<_>, Vec<_>) = roles
            .into_iter()
            .partition(|role| role.action.kind == ActionKind::Output);
        self.one_controls(&outputs, report)?;
        self.nothing_left(&outputs, &inputs);
        let id = ActionId::at(self.actions.len());
        let (kind, in_charge) = match outputs.is_empty() {
            true => (ActionKind::Input, &inputs),
            false => (ActionKind::Output, &outputs),
        };
        let mut locals = heads.clone();
        let predicate = some_role(in_charge, &mut locals);
        let mut participants: Vec<Participant> = Vec::new();
        for role in outputs.iter().chain(&inputs) {
            let whole = role.participant(&mut locals);
            participants.extend(role.part.participants(role.id, whole, &params, &mut locals));
        }
        self.actions.push(Action {
            name: leader.action.name.clone(),
            kind,
            params: heads
                .iter()
                .map(|local| (local.name.clone(), local.ty.clone()))
                .collect(),
            locals,
            predicate,
            participants,
            span: leader.action.span,
        });
        let joined = clauses::join(&heads, &params, &outputs, &inputs, report)?;
        self.requirements.extend(joined.requirements);
        let transitions = joined.builds.into_iter();
        self.transitions
            .extend(transitions.map(|(build, span)| build.finish(id, span)));
        Some(())
    }

    /// No action is an output of two components.
    fn one_controls(&mut self, outputs: &[Role<'_, '_>], report: &mut Report) -> Option<()> {
        let mut fine = Some(());
        for role in outputs {
            if !role.open.is_empty() {
                report.add(controlled_by_all(role));
                fine = None;
            }
        }
        for (position, first) in outputs.iter().enumerate() {
            for second in &outputs[position + 1..] {
                if exclude(&first.condition, &second.condition) {
                    continue;
                }
                let both = overlap(first, second);
                if evidently(&both.formula) == Some(false) {
                    report.add(
                        Diagnostic::error(Code::ControlledTwice, second.part.span, both.otherwise)
                            .label("one component at most controls an action")
                            .related(
                                first.action.span,
                                format!("output of {}", first.part.automaton.name),
                            )
                            .related(
                                second.action.span,
                                format!("output of {}", second.part.automaton.name),
                            ),
                    );
                    fine = None;
                } else {
                    self.requirements.push(both);
                }
            }
        }
        fine
    }

    /// Where components control an action, they do so for all parameters for which others receive it: the core knows no
    /// action that is an output for some parameters and an input for others.
    fn nothing_left(&mut self, outputs: &[Role<'_, '_>], inputs: &[Role<'_, '_>]) {
        if outputs.is_empty() {
            return;
        }
        for input in inputs {
            let known = std::slice::from_ref(&input.condition);
            if outputs
                .iter()
                .any(|output| follows(&output.condition, known))
            {
                continue;
            }
            let mut locals = input.locals.clone();
            let controlled = some_role(outputs, &mut locals);
            let span = input.part.span;
            let premise = input.condition.clone();
            let body = Expr::apply(Op::Implies, vec![premise, controlled], Type::Bool, span);
            let heads = input.action.params.len() + input.open.len();
            let binders = terms(&locals[..heads]);
            self.requirements.push(Requirement {
                otherwise: controlled_for_others(outputs, input),
                formula: for_all(&binders, body),
                locals,
                span,
            });
        }
    }
}

fn controlled_for_others(outputs: &[Role<'_, '_>], input: &Role<'_, '_>) -> String {
    let params = &input.locals[..input.action.params.len()];
    let params: Vec<&str> = params.iter().map(|local| &*local.name).collect();
    let action = match params.is_empty() {
        true => input.action.name.to_string(),
        false => format!("{}({})", input.action.name, params.join(", ")),
    };
    let mut others: Vec<String> = outputs
        .iter()
        .map(|o| format!("`{}`", o.part.name.name))
        .collect();
    others.dedup();
    format!(
        "`{action}`, which is an output of {} for other parameters, is an input of `{}` and an output of no component",
        others.join(" and "),
        input.part.name.name
    )
}

fn controlled_by_all(role: &Role<'_, '_>) -> Diagnostic {
    let (name, part) = (&role.action.name, &role.part.name.name);
    let open = role.open_locals();
    let open: Vec<&str> = open.map(|id| &*role.locals[id.index()].name).collect();
    let open = open.join(", ");
    Diagnostic::error(
        Code::ControlledTwice,
        role.part.span,
        format!("`{name}` is an output of `{part}` for several `{open}` and the same parameters"),
    )
    .label("one component at most controls an action")
    .related(
        role.action.span,
        "its signature does not say whose action it is",
    )
    .help(format!(
        "give `{name}` a parameter that tells the components apart: `const {open}` in the signature"
    ))
}

/// The condition that no two components control an action together.
fn overlap(first: &Role<'_, '_>, second: &Role<'_, '_>) -> Requirement {
    let heads = first.action.params.len();
    let mut locals = first.locals.clone();
    let values = terms(&locals[..heads]);
    let values = (0..).map(LocalId).zip(values);
    let other = Substitution::new(&second.locals, &mut locals, values).copy(&second.condition);
    let span = second.part.span;
    let both = Expr::conjunction([first.condition.clone(), other], span);
    let not = Expr::apply(Op::Not, vec![both], Type::Bool, span);
    Requirement {
        otherwise: format!(
            "`{}` is an output of both `{}` and `{}`",
            first.action.name, first.part.name.name, second.part.name.name
        ),
        formula: for_all(&terms(&locals[..heads]), not),
        locals,
        span,
    }
}

/// Adds a local for each parameter of an action, and returns them as terms.
fn parameters(
    part: &ComponentInstance<'_>,
    action: &Action,
    taken: &[Name],
    locals: &mut Vec<Local>,
) -> Vec<Expr> {
    let mut params = Vec::new();
    for (name, ty) in &action.params {
        let mut name = name.to_string();
        while taken.iter().any(|other| **other == *name) {
            name.push('_');
        }
        let local = Local {
            name: name.into(),
            ty: part.ty(ty),
            span: action.span,
        };
        params.push(term_of(LocalId::at(locals.len()), &local));
        locals.push(local);
    }
    params
}

/// Whether all components give the action the same parameters.
fn agree(group: &[Contribution<'_, '_>], world: &World, report: &mut Report) -> Option<()> {
    let types = |c: &Contribution<'_, '_>| -> Vec<Type> {
        let params = c.action.params.iter();
        params.map(|(_, ty)| c.part.ty(ty)).collect()
    };
    let shown = |types: &[Type]| {
        let names: Vec<String> = types.iter().map(|ty| world.model.type_name(ty)).collect();
        format!("({})", names.join(", "))
    };
    let first = types(&group[0]);
    let mut agreed = Some(());
    for other in &group[1..] {
        let found = types(other);
        if found == first {
            continue;
        }
        agreed = None;
        let message = format!(
            "`{}` has parameters {} in `{}`, but {} in `{}`",
            other.action.name,
            shown(&first),
            group[0].part.name.name,
            shown(&found),
            other.part.name.name
        );
        report.add(
            Diagnostic::error(Code::DifferentParameters, other.part.span, message)
                .label("components share the actions of one name")
                .related(
                    group[0].action.span,
                    format!("the signature in {}", group[0].part.automaton.name),
                )
                .related(
                    other.action.span,
                    format!("the signature in {}", other.part.automaton.name),
                ),
        );
    }
    agreed
}
