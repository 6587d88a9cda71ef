//! Which components of a composition send which actions to which.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::Value;
use ioa_lang::core::{
    Action, ActionKind, Automaton, AutomatonId, ComponentId, ExprKind, LocalId, Participant,
};

use super::Instance;
use super::participants::{Compiled, every};
use crate::compile::Scope;
use crate::state::cell::Cell;

/// What one component sends to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// The component that controls the actions.
    pub from: ComponentId,
    /// The component that receives them.
    pub to: ComponentId,
    /// The actions, by position in the composition's signature.
    pub actions: Vec<usize>,
}

impl Instance {
    /// The wires of a composition: between two components, there is one for the actions that the first controls and the second
    /// receives for some values of the parameters. Where these are too many to tell, there is one for every action of both.
    #[must_use]
    pub fn wires(&self, automaton: AutomatonId) -> Vec<Wire> {
        let automaton = self.model().automaton(automaton);
        let mut all: BTreeMap<(ComponentId, ComponentId), Vec<usize>> = BTreeMap::new();
        for (at, action) in automaton.actions.iter().enumerate() {
            for ends in self.ends(automaton, action) {
                all.entry(ends).or_default().push(at);
            }
        }
        let wires = all.into_iter();
        wires
            .map(|((from, to), actions)| Wire { from, to, actions })
            .collect()
    }

    /// From which component to which an action goes.
    fn ends(&self, automaton: &Automaton, action: &Action) -> BTreeSet<(ComponentId, ComponentId)> {
        let is_leaf = |participant: &&Participant| {
            let path = &automaton.components[participant.component.index()].path;
            let inside = format!("{path}.");
            let mut others = automaton.components.iter();
            !others.any(|other| other.path.starts_with(&inside))
        };
        let parts: Vec<&Participant> = action.participants.iter().filter(is_leaf).collect();
        let parts = parts
            .iter()
            .map(|part| (part, self.parameters(action, part)));
        let (receiving, controlling): (Vec<_>, Vec<_>) =
            parts.partition(|(part, _)| part.kind == ActionKind::Input);
        let mut ends = BTreeSet::new();
        for (from, senders) in &controlling {
            for (to, receivers) in &receiving {
                let meets = match (senders, receivers) {
                    (Some(senders), Some(receivers)) => meet(senders, receivers),
                    _ => true,
                };
                if meets {
                    ends.insert((from.component, to.component));
                }
            }
        }
        ends
    }

    /// For which values of the action's parameters, as far as it depends on them, some component takes part; none where they are
    /// too many.
    fn parameters(&self, action: &Action, part: &Participant) -> Option<Vec<Valuation>> {
        let (model, universe) = (self.model(), self.universe());
        let scope = Scope {
            model,
            universe,
            stores: [None; 5],
            locals: &action.locals,
        };
        let mut wanted: BTreeSet<LocalId> = part.open.iter().copied().collect();
        part.condition.walk(&mut |expr| {
            if let ExprKind::Local(local) = expr.kind
                && local.index() < action.params.len()
            {
                wanted.insert(local);
            }
        });
        let wanted: Vec<LocalId> = wanted.into_iter().collect();
        let all = every(scope, &wanted);
        let condition = Compiled::of(scope, &part.condition)?;
        let is_met = |open: &Valuation| condition.value(&[], open) == Some(Value::Bool(true));
        let own = |mut valuation: Valuation| {
            valuation.retain(|(local, _)| local.index() < action.params.len());
            valuation
        };
        match (all.is_empty(), wanted.is_empty()) {
            (true, false) => None,
            _ => Some(all.into_iter().filter(is_met).map(own).collect()),
        }
    }
}

/// Values of some parameters.
type Valuation = Vec<(LocalId, Cell)>;

/// Whether some values agree where both say one.
fn meet(one: &[Valuation], other: &[Valuation]) -> bool {
    let agrees = |a: &Valuation, b: &Valuation| {
        a.iter().all(|(local, value)| {
            let mut same = b.iter().filter(|(other, _)| other == local);
            same.all(|(_, other)| other == value)
        })
    };
    one.iter().any(|a| other.iter().any(|b| agrees(a, b)))
}
