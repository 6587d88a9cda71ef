//! Threads: what steps are steps of, for strategies that were made for programs with threads.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use ioa_lang::Value;
use ioa_lang::core::{ActionId, ActionKind, Automaton, AutomatonId, Participant, TransitionId};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::instance::Instance;
use crate::instance::participants::{Participants, TakesPart};
use crate::state::cell::{Cell, Shape};

/// A thread by a number of its own. If two had the same number, they would be scheduled as one, which any two may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::run) struct Thread(u64);

/// Threads without those that came before, in the order in which they come.
pub(super) fn distinct(threads: impl Iterator<Item = Thread>, into: &mut Vec<Thread>) {
    let mut seen = FxHashSet::default();
    into.clear();
    into.extend(threads.filter(|thread| seen.insert(*thread)));
}

/// What is looked up is forgotten where there is more of it than this.
const MOST_KNOWN: usize = 1 << 16;

/// The threads of an automaton: the component that controls the action; where none does, or one controls all of them, the
/// task of the action; where there is none, the action with its parameters.
#[derive(Debug)]
pub struct Threads {
    /// For each clause, its action.
    actions: Vec<ActionId>,
    /// For each action, the components that take part in it.
    participants: Vec<Participants>,
    /// For each action, the shapes of its parameters.
    shapes: Vec<Vec<Arc<Shape>>>,
    /// Whether several components control actions, so that they can be told apart by their components.
    has_components: bool,
    /// The first task of each action that has one.
    tasks: FxHashMap<(ActionId, Vec<Value>), usize>,
    /// By clause and then by parameters, what was looked up before.
    known: Vec<FxHashMap<Vec<Cell>, Thread>>,
    /// How many are known.
    count: usize,
}

/// What makes a thread.
#[derive(Hash)]
enum Made {
    Component(usize, Vec<Value>),
    Task(usize),
    Action(ActionId, Vec<Value>),
}

impl Threads {
    /// The threads of an automaton whose tasks are these, each with its actions and their parameters.
    #[must_use]
    pub fn new(
        instance: &Instance,
        automaton: AutomatonId,
        tasks: &[Vec<(ActionId, Vec<Value>)>],
    ) -> Self {
        let (model, universe) = (instance.model(), instance.universe());
        let declared = model.automaton(automaton);
        let clauses = declared.transitions.iter();
        let actions = declared.actions.iter();
        let mut of_action = FxHashMap::default();
        for (number, members) in tasks.iter().enumerate() {
            for member in members {
                of_action.entry(member.clone()).or_insert(number);
            }
        }
        Self {
            actions: clauses.map(|clause| clause.action).collect(),
            participants: actions
                .clone()
                .map(|action| Participants::of((model, universe), action))
                .collect(),
            shapes: actions
                .map(|action| {
                    let types = action.params.iter().map(|(_, ty)| ty);
                    types.map(|ty| Shape::of(model, universe, ty)).collect()
                })
                .collect(),
            has_components: has_components(declared),
            tasks: of_action,
            known: vec![FxHashMap::default(); declared.transitions.len()],
            count: 0,
        }
    }

    /// The thread of a step by a clause with these parameters of its action.
    pub(super) fn of(&mut self, clause: TransitionId, params: &[Cell]) -> Thread {
        if let Some(thread) = self.known[clause.index()].get(params) {
            return *thread;
        }
        if self.count >= MOST_KNOWN {
            self.known.iter_mut().for_each(FxHashMap::clear);
            self.count = 0;
        }
        let mut hasher = FxHasher::default();
        self.made(self.actions[clause.index()], params)
            .hash(&mut hasher);
        let thread = Thread(hasher.finish());
        self.known[clause.index()].insert(params.to_vec(), thread);
        self.count += 1;
        thread
    }

    fn made(&self, action: ActionId, params: &[Cell]) -> Made {
        let mut parts = self.participants[action.index()].taking_part(params);
        let controls = |part: &TakesPart| self.has_components && part.kind != ActionKind::Input;
        if let Some(part) = parts.find(controls) {
            return Made::Component(part.component.index(), part.index);
        }
        let values = self.shapes[action.index()].iter().zip(params);
        let values = values.map(|(shape, cell)| shape.decode(cell)).collect();
        let key = (action, values);
        match self.tasks.get(&key) {
            Some(task) => Made::Task(*task),
            None => Made::Action(key.0, key.1),
        }
    }
}

/// Whether more than one component controls actions; those that differ in their indices alone are several.
fn has_components(automaton: &Automaton) -> bool {
    let actions = automaton.actions.iter();
    let parts = actions.flat_map(|action| &action.participants);
    let mut controlling = parts.filter(|part| part.kind != ActionKind::Input);
    let Some(first) = controlling.next() else {
        return false;
    };
    let is_other = |part: &Participant| part.component != first.component;
    !first.index.is_empty() || controlling.any(is_other)
}
