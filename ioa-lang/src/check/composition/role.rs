//! A component's part in an action that it shares with others.

use super::component::{ComponentInstance, quantified};
use super::shared::simplified;
use super::start::mentions;
use crate::check::instance::term_of;
use crate::core::{
    Action, ActionId, Expr, ExprKind, Local, LocalId, Op, Participant, Quantifier, Substitution,
};
use crate::source::Span;

/// A component's part in a joined action, in terms of the action's parameters.
pub(super) struct Role<'a, 'w> {
    pub(super) part: &'a ComponentInstance<'w>,
    pub(super) id: ActionId,
    pub(super) action: &'a Action,
    /// The terms for the indices; where one is not determined, a local of its own in `locals`.
    pub(super) indices: Vec<Expr>,
    /// The locals that stand for the indices that are not determined.
    pub(super) open: Vec<Expr>,
    /// The parameters, then the locals for open indices, then the variables bound in `condition`.
    pub(super) locals: Vec<Local>,
    /// For which parameters (and open indices) the action is in the component's signature.
    pub(super) condition: Expr,
}

impl Role<'_, '_> {
    /// The component's part in the action, whose first locals are the parameters, in terms of the action's locals.
    pub(super) fn participant(&self, locals: &mut Vec<Local>) -> Participant {
        let params = terms(&self.locals[..self.action.params.len()]);
        let values = (0..).map(LocalId).zip(params);
        let mut copy = Substitution::new(&self.locals, locals, values);
        let open = self.open_locals().map(|local| copy.rebind(local)).collect();
        Participant {
            component: self.part.id,
            kind: self.action.kind,
            open,
            index: self.indices.iter().map(|index| copy.copy(index)).collect(),
            condition: copy.copy(&self.condition),
        }
    }

    /// The locals that stand for the indices that are not determined.
    pub(super) fn open_locals(&self) -> impl Iterator<Item = LocalId> {
        self.open.iter().filter_map(|index| match index.kind {
            ExprKind::Local(id) => Some(id),
            _ => None,
        })
    }
}

/// Finds the indices that the signature determines: where a parameter must equal an index, that is the index.
pub(super) fn role<'a, 'w>(
    (part, id): (&'a ComponentInstance<'w>, ActionId),
    heads: &[Local],
    params: &[Expr],
) -> Role<'a, 'w> {
    let action = &part.automaton.actions[id.index()];
    let mut scratch = heads.to_vec();
    let unknown = part.bind_indices(&mut scratch);
    let condition = signature(part, action, &unknown, params, &mut scratch);
    let parts = condition.conjuncts();
    let determined = |index: &Expr| {
        parts.iter().find_map(|part| match &part.kind {
            ExprKind::Apply(Op::Eq, args) => {
                let [a, b] = &args[..] else { return None };
                let is_param = |e: &Expr| params.iter().any(|param| param.kind == e.kind);
                match (a.kind == index.kind, b.kind == index.kind) {
                    (false, true) if is_param(a) => Some(a.clone()),
                    (true, false) if is_param(b) => Some(b.clone()),
                    _ => None,
                }
            }
            _ => None,
        })
    };
    let known: Vec<Option<Expr>> = unknown.iter().map(determined).collect();
    let mut locals = heads.to_vec();
    let (mut indices, mut open) = (Vec::new(), Vec::new());
    for (known, local) in known.into_iter().zip(&part.locals) {
        indices.push(known.unwrap_or_else(|| {
            locals.push(local.clone());
            let index = term_of(LocalId::at(locals.len() - 1), local);
            open.push(index.clone());
            index
        }));
    }
    let condition = signature(part, action, &indices, params, &mut locals);
    Role {
        part,
        id,
        action,
        indices,
        open,
        locals,
        condition,
    }
}

/// For which parameters the action is in the component's signature, if there is such a component.
pub(super) fn signature(
    part: &ComponentInstance<'_>,
    action: &Action,
    indices: &[Expr],
    params: &[Expr],
    locals: &mut Vec<Local>,
) -> Expr {
    let exists = part.exists(indices, locals);
    let mut copier = part.copier(indices, &action.locals, locals);
    copier.values = (0..).map(LocalId).zip(params.iter().cloned()).collect();
    let predicate = copier.expr(&action.predicate);
    simplified(Expr::conjunction([exists, predicate], part.span))
}

/// The condition that some of the components have the action in their signature.
pub(super) fn some_role(roles: &[Role<'_, '_>], locals: &mut Vec<Local>) -> Expr {
    let span = roles[0].part.span;
    let mut cases: Vec<Vec<Expr>> = Vec::new();
    for role in roles {
        let heads = role.action.params.len();
        let values = terms(&role.locals[..heads]);
        let values = (0..).map(LocalId).zip(values);
        let mut copy = Substitution::new(&role.locals, locals, values);
        let open: Vec<LocalId> = role.open_locals().map(|id| copy.rebind(id)).collect();
        let condition = copy.copy(&role.condition);
        let binders: Vec<Expr> = open
            .into_iter()
            .map(|id| term_of(id, &locals[id.index()].clone()))
            .collect();
        // A condition that is the same for all of the components bounds the parameters directly.
        let (about, mut alone): (Vec<Expr>, Vec<Expr>) = condition
            .into_conjuncts()
            .into_iter()
            .partition(|part| mentions(part, &binders));
        if !about.is_empty() {
            let about = Expr::conjunction(about, span);
            alone.push(quantified(Quantifier::Exists, &binders, about));
        }
        cases.push(alone);
    }
    some_case(cases, span)
}

/// The condition that all members of one of several lists hold; members that occur in every list are stated once.
fn some_case(mut cases: Vec<Vec<Expr>>, span: Span) -> Expr {
    let (first, others) = cases.split_first().expect("an action has a component");
    let is_common = |part: &&Expr| others.iter().all(|case| case.contains(part));
    let common: Vec<Expr> = first.iter().filter(is_common).cloned().collect();
    for case in &mut cases {
        case.retain(|part| !common.contains(part));
    }
    let rest = cases.into_iter().map(|case| Expr::conjunction(case, span));
    let rest = Expr::disjunction(rest.collect(), span);
    Expr::conjunction(common.into_iter().chain([rest]), span)
}

/// Some locals, from the first on, as terms.
pub(super) fn terms(locals: &[Local]) -> Vec<Expr> {
    (0..)
        .map(LocalId)
        .zip(locals)
        .map(|(id, local)| term_of(id, local))
        .collect()
}
