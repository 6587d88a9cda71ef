//! The reachable part of an automaton, with the external actions of its steps.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use interpreter::{Firing, Instance, Interrupt, State, TransitionSystem};
use ioa_lang::core::AutomatonId;
use ioa_lang::{Name, Value};

use crate::failure::LowStep;

/// Maximum number of reachable states of one automaton.
pub const MAX_STATES: usize = 50_000;

/// The visible part of a step: an external action with its parameters, or nothing for an internal one.
pub(crate) type Seen = Option<(Name, Vec<Value>)>;

/// The reachable part of an automaton.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) states: Vec<State>,
    pub(crate) starts: Vec<usize>,
    /// The steps from each state.
    pub(crate) steps: Vec<Vec<Edge>>,
}

/// A step of a graph.
pub(crate) struct Edge {
    pub(crate) seen: Seen,
    pub(crate) step: LowStep,
    pub(crate) to: usize,
}

impl Graph {
    /// The graph of all reachable states; `None` if there are too many.
    pub(crate) fn reach(
        instance: &Instance,
        system: &mut dyn TransitionSystem,
    ) -> Result<Option<Self>, Interrupt> {
        let (mut graph, mut known) = (Self::default(), BTreeMap::new());
        let _ = system.each_start(&mut |_, start| {
            let at = graph.visit(start, &mut known);
            graph.starts.push(at);
            ControlFlow::Continue(())
        })?;
        let (automaton, mut next) = (system.automaton(), 0);
        while next < graph.states.len() {
            if graph.states.len() > MAX_STATES {
                return Ok(None);
            }
            let state = graph.states[next].clone();
            let _ = system.each_step(&state, &mut |firing, _, after| {
                let step = describe(instance, automaton, firing);
                let external = step.kind.is_external();
                let seen = external.then(|| (step.action.clone(), step.params.clone()));
                let to = graph.visit(after, &mut known);
                graph.steps[next].push(Edge { seen, step, to });
                ControlFlow::Continue(())
            })?;
            next += 1;
        }
        Ok(Some(graph))
    }

    fn visit(&mut self, state: &State, known: &mut BTreeMap<State, usize>) -> usize {
        if let Some(at) = known.get(state) {
            return *at;
        }
        let at = self.states.len();
        known.insert(state.clone(), at);
        self.states.push(state.clone());
        self.steps.push(Vec::new());
        at
    }

    /// The states that internal steps lead to.
    fn silently(&self, from: &BTreeSet<usize>) -> BTreeSet<usize> {
        let (mut reached, mut open) = (from.clone(), Vec::from_iter(from.iter().copied()));
        while let Some(at) = open.pop() {
            for Edge { seen, to, .. } in &self.steps[at] {
                if seen.is_none() && reached.insert(*to) {
                    open.push(*to);
                }
            }
        }
        reached
    }

    /// The states that fragments with this trace lead to.
    pub(crate) fn after(&self, from: &BTreeSet<usize>, seen: &Seen) -> BTreeSet<usize> {
        let quiet = self.silently(from);
        if seen.is_none() {
            return quiet;
        }
        let steps = quiet.iter().flat_map(|at| &self.steps[*at]);
        let taken = steps.filter(|edge| edge.seen == *seen);
        self.silently(&taken.map(|edge| edge.to).collect())
    }
}

fn describe(instance: &Instance, automaton: AutomatonId, firing: &Firing) -> LowStep {
    let declared = instance.model().automaton(automaton);
    let clause = &declared.transitions[firing.transition.index()];
    let action = declared.action_of(firing.transition);
    LowStep {
        kind: action.kind,
        action: action.name.clone(),
        params: instance.values_of(automaton, clause.action, &firing.params),
    }
}
