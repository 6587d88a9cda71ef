//! The fragments of the high automaton that have a given trace.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use interpreter::{Choice, Executor, Firing, Instance, Interrupt, Shape, State, TransitionSystem};
use ioa_lang::core::{ActionId, ActionKind, AutomatonId};
use ioa_lang::{Name, Value};
use rustc_hash::FxHashMap;

/// What is seen of a step: an external action with its kind and parameters; nothing of an internal one.
pub(super) type Seen = Option<(ActionKind, Name, Vec<Value>)>;

/// A high step in an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HighStepTaken {
    /// The action.
    pub action: ActionId,
    /// Its parameters.
    pub params: Vec<Value>,
    /// What its hidden parameters and choices took, with the names of the variables.
    pub using: Vec<(Name, Value)>,
}

/// A fragment that answers a low step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its steps.
    pub steps: Vec<HighStepTaken>,
    /// The position of the high state that it leads to.
    pub to: usize,
}

/// No more fragments than this are kept for one state that they lead to.
const WAYS: usize = 6;
/// No more high states than this are looked at for one answer.
const LOOKED_AT: usize = 400;

/// The high automaton as far as it was looked at.
pub(super) struct High<'e, 'i> {
    instance: &'i Instance,
    executor: &'e mut Executor<'i>,
    longest: usize,
    states: Vec<State>,
    known: FxHashMap<State, usize>,
    steps: Vec<Option<Vec<Edge>>>,
    is_cut: bool,
}

#[derive(Clone)]
struct Edge {
    taken: HighStepTaken,
    seen: Seen,
    to: usize,
}

/// Where a fragment has come: a high state, and whether the external action was taken.
type Place = (usize, bool);

impl<'e, 'i> High<'e, 'i> {
    pub(super) fn new(
        instance: &'i Instance,
        executor: &'e mut Executor<'i>,
        longest: usize,
    ) -> Self {
        Self {
            instance,
            executor,
            longest,
            states: Vec::new(),
            known: FxHashMap::default(),
            steps: Vec::new(),
            is_cut: false,
        }
    }

    pub(super) fn state(&self, position: usize) -> &State {
        &self.states[position]
    }

    /// Whether some fragment might have gone on beyond what was searched.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(super) fn into_states(self) -> Vec<State> {
        self.states
    }

    pub(super) fn starts(&mut self) -> Result<Vec<usize>, Interrupt> {
        let (mut starts, states, known) = (Vec::new(), &mut self.states, &mut self.known);
        let _ = self.executor.each_start(&mut |_, start| {
            let at = visit(states, known, start);
            if !starts.contains(&at) {
                starts.push(at);
            }
            ControlFlow::Continue(())
        })?;
        Ok(starts)
    }

    /// The shortest fragments that show this and nothing else, to each state that they lead to.
    pub(super) fn answers(&mut self, from: usize, seen: &Seen) -> Result<Vec<Answer>, Interrupt> {
        type Ways = BTreeMap<Place, Vec<Vec<HighStepTaken>>>;
        let mut found: Ways = BTreeMap::new();
        let mut layer: Ways = BTreeMap::from([((from, seen.is_none()), vec![Vec::new()])]);
        for length in 0..=self.longest {
            let mut next: Ways = BTreeMap::new();
            for (place, ways) in &layer {
                if length == self.longest || found.len() >= LOOKED_AT {
                    self.is_cut = true;
                    break;
                }
                for (edge, place) in self.edges_along(*place, seen)? {
                    if found.contains_key(&place) || layer.contains_key(&place) {
                        continue;
                    }
                    let longer = next.entry(place).or_default();
                    for way in ways.iter().take(WAYS.saturating_sub(longer.len())) {
                        longer.push([&way[..], std::slice::from_ref(&edge.taken)].concat());
                    }
                }
            }
            found.append(&mut layer);
            layer = next;
            if layer.is_empty() {
                break;
            }
        }
        let done = found.into_iter().filter(|((_, is_done), _)| *is_done);
        let each = done.flat_map(|((to, _), ways)| {
            let answer = move |steps| Answer { steps, to };
            ways.into_iter().map(answer)
        });
        Ok(each.collect())
    }

    /// The steps that a fragment may go on with, each with where it comes to.
    fn edges_along(
        &mut self,
        (at, is_done): Place,
        seen: &Seen,
    ) -> Result<Vec<(Edge, Place)>, Interrupt> {
        let edges = self.edges(at)?.iter();
        let along = edges.filter_map(|edge| match &edge.seen {
            None => Some((edge.clone(), (edge.to, is_done))),
            shown if !is_done && shown == seen => Some((edge.clone(), (edge.to, true))),
            _ => None,
        });
        Ok(along.collect())
    }

    fn edges(&mut self, at: usize) -> Result<&[Edge], Interrupt> {
        self.steps
            .resize(self.states.len().max(self.steps.len()), None);
        if self.steps[at].is_none() {
            let state = self.states[at].clone();
            let (instance, automaton) = (self.instance, self.executor.automaton());
            let (states, known) = (&mut self.states, &mut self.known);
            let mut edges: Vec<Edge> = Vec::new();
            let _ = self
                .executor
                .each_step(&state, &mut |firing, choices, after| {
                    let (action, params, seen) = described(instance, automaton, firing);
                    let using = used(instance, automaton, firing, choices);
                    let to = visit(states, known, after);
                    edges.extend(using.map(|using| Edge {
                        taken: HighStepTaken {
                            action,
                            params,
                            using,
                        },
                        seen,
                        to,
                    }));
                    ControlFlow::Continue(())
                })?;
            self.steps.resize(self.states.len(), None);
            self.steps[at] = Some(edges);
        }
        Ok(self.steps[at].as_deref().unwrap_or_default())
    }
}

/// The action and the parameters of a step, and what is seen of it.
pub(super) fn described(
    instance: &Instance,
    automaton: AutomatonId,
    firing: &Firing,
) -> (ActionId, Vec<Value>, Seen) {
    let declared = instance.model().automaton(automaton);
    let id = declared.transitions[firing.transition.index()].action;
    let params = instance.values_of(automaton, id, &firing.params);
    let action = &declared.actions[id.index()];
    let is_external = action.kind.is_external();
    let seen = is_external.then(|| (action.kind, action.name.clone(), params.clone()));
    (id, params, seen)
}

/// What the hidden parameters and choices of a step took, in the order in which a `fire` gives them; none where a relation
/// left a variable open, which no `fire` can choose.
fn used(
    instance: &Instance,
    automaton: AutomatonId,
    firing: &Firing,
    choices: &[Choice],
) -> Option<Vec<(Name, Value)>> {
    let model = instance.model();
    let clause = &model.automaton(automaton).transitions[firing.transition.index()];
    let hidden = clause.hidden.iter().map(|id| id.index());
    let hidden = hidden.zip(&firing.hidden);
    let chosen = choices.iter().map(|c| (c.local as usize, &c.value));
    let each = hidden.chain(chosen).map(|(local, cell)| {
        let local = clause.locals.get(local)?;
        let shape = Shape::of(model, instance.universe(), &local.ty);
        Some((local.name.clone(), shape.decode(cell)))
    });
    each.collect()
}

/// The position of a state, which may be new.
pub(super) fn visit(
    all: &mut Vec<State>,
    known: &mut FxHashMap<State, usize>,
    state: &State,
) -> usize {
    *known.entry(state.clone()).or_insert_with(|| {
        all.push(state.clone());
        all.len() - 1
    })
}
