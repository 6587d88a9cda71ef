//! Backward simulations of finite instances: the definition itself, checked on all reachable states of both automata.
//!
//! Of the high states only the reachable ones are looked at. That loses nothing of what a backward simulation shows: one
//! restricted to reachable states is one whenever each reachable low state keeps something that it is related to, and
//! that alone suffices for every finite trace of the low automaton to be one of the high automaton.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use interpreter::{Executor, Firing, Instance, Interrupt, State, StateRelation, TransitionSystem};
use ioa_lang::core::{AutomatonId, Simulation};
use ioa_lang::{Diagnostic, Name, Value};

use crate::failure::{LowStep, Side};

/// No more reachable states of one automaton than this are looked at.
pub const MAX_STATES: usize = 50_000;

/// No more pairs of a low and a high state than this are compared.
pub const MAX_PAIRS: usize = 10_000_000;

/// What came of the check of a backward simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Exhausted {
    /// The reachable low states.
    pub low_states: usize,
    /// The reachable high states.
    pub high_states: usize,
    /// The pairs of them that are related.
    pub related: usize,
    /// What fails, if anything does.
    pub failure: Option<Broken>,
}

/// A state with the names of its variables.
pub type Named = Vec<(Name, Value)>;

/// How a backward simulation fails.
#[derive(Clone, Debug, PartialEq)]
pub enum Broken {
    /// A reachable high state is related to a low start state and is no start state.
    NotAStart {
        /// The low start state.
        low: Named,
        /// The high state.
        high: Named,
    },
    /// A reachable low state is related to no reachable high state.
    Unrelated {
        /// The low state.
        low: Named,
    },
    /// From no high state related to the low one before the step does a fragment with the same trace lead to the high
    /// state after it.
    NoWay {
        /// The low state before.
        before: Named,
        /// The low step.
        step: LowStep,
        /// The low state after.
        after: Named,
        /// The high state that is related to it.
        high: Named,
    },
    /// The model went wrong, or a limit was hit.
    Interrupted(Side, Interrupt),
    /// The low automaton went wrong by itself, or a limit was hit there.
    Low(Interrupt),
    /// There are more states, or pairs of them, than are looked at.
    TooMany,
}

/// Checks a backward simulation of the model, by its position, on all reachable states of the instance.
///
/// # Errors
/// Every reason why one of the automata or the relation cannot be run at these sizes.
pub fn backward(instance: &Instance, simulation: usize) -> Result<Exhausted, Vec<Diagnostic>> {
    let declared = &instance.model().simulations[simulation];
    let mut low = Executor::new(instance, declared.low)?;
    let mut high = Executor::new(instance, declared.high)?;
    low.check_enumerable()?;
    high.check_enumerable()?;
    backward_by(instance, simulation, &mut low, &mut high)
}

/// The same check with the steps of the two automata as others compute them.
///
/// # Errors
/// Every reason why the relation cannot be evaluated at these sizes.
pub fn backward_by(
    instance: &Instance,
    simulation: usize,
    low: &mut dyn TransitionSystem,
    high: &mut dyn TransitionSystem,
) -> Result<Exhausted, Vec<Diagnostic>> {
    let mut check = Check {
        instance,
        simulation: &instance.model().simulations[simulation],
        relation: StateRelation::new(instance, simulation, 0)?,
        report: Exhausted {
            low_states: 0,
            high_states: 0,
            related: 0,
            failure: None,
        },
    };
    if let Err(broken) = check.run(low, high) {
        check.report.failure = Some(broken);
    }
    Ok(check.report)
}

/// What is seen of a step: an external action with its parameters; nothing of an internal one.
type Seen = Option<(Name, Vec<Value>)>;

/// The reachable part of an automaton.
#[derive(Default)]
struct Graph {
    states: Vec<State>,
    starts: Vec<usize>,
    /// The steps from each state.
    steps: Vec<Vec<Edge>>,
}

/// A step of a graph.
struct Edge {
    seen: Seen,
    step: LowStep,
    to: usize,
}

impl Graph {
    /// All states that can be reached; `None` where there are too many.
    fn reach(
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

    /// The states that steps of which nothing is seen lead to.
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
    fn after(&self, from: &BTreeSet<usize>, seen: &Seen) -> BTreeSet<usize> {
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

struct Check<'i> {
    instance: &'i Instance,
    simulation: &'i Simulation,
    relation: StateRelation<'i>,
    report: Exhausted,
}

impl Check<'_> {
    fn run(
        &mut self,
        low: &mut dyn TransitionSystem,
        high: &mut dyn TransitionSystem,
    ) -> Result<(), Broken> {
        let graph = |found: Option<Graph>| found.ok_or(Broken::TooMany);
        let low = graph(Graph::reach(self.instance, low).map_err(Broken::Low)?)?;
        let above = |why| Broken::Interrupted(Side::High, why);
        let high = graph(Graph::reach(self.instance, high).map_err(above)?)?;
        self.report.low_states = low.states.len();
        self.report.high_states = high.states.len();
        if low.states.len().saturating_mul(high.states.len()) > MAX_PAIRS {
            return Err(Broken::TooMany);
        }
        let related = self.related(&low, &high)?;
        self.starts(&low, &high, &related)?;
        self.steps(&low, &high, &related)
    }

    /// For each low state the high states related to it; there must be some.
    fn related(&mut self, low: &Graph, high: &Graph) -> Result<Vec<BTreeSet<usize>>, Broken> {
        let mut all = Vec::with_capacity(low.states.len());
        for s in &low.states {
            let mut mine = BTreeSet::new();
            for (at, u) in high.states.iter().enumerate() {
                let holds = self.relation.holds(s, u);
                if holds.map_err(|why| Broken::Interrupted(Side::Relation, why))? {
                    mine.insert(at);
                }
            }
            if mine.is_empty() {
                return Err(Broken::Unrelated {
                    low: self.named(self.simulation.low, s),
                });
            }
            self.report.related += mine.len();
            all.push(mine);
        }
        Ok(all)
    }

    fn starts(&self, low: &Graph, high: &Graph, related: &[BTreeSet<usize>]) -> Result<(), Broken> {
        let starts: BTreeSet<usize> = high.starts.iter().copied().collect();
        for s in &low.starts {
            if let Some(u) = related[*s].difference(&starts).next() {
                return Err(Broken::NotAStart {
                    low: self.named(self.simulation.low, &low.states[*s]),
                    high: self.named(self.simulation.high, &high.states[*u]),
                });
            }
        }
        Ok(())
    }

    fn steps(&self, low: &Graph, high: &Graph, related: &[BTreeSet<usize>]) -> Result<(), Broken> {
        for (s, steps) in low.steps.iter().enumerate() {
            let mut images: BTreeMap<&Seen, BTreeSet<usize>> = BTreeMap::new();
            for Edge { seen, step, to: t } in steps {
                let image = images
                    .entry(seen)
                    .or_insert_with(|| high.after(&related[s], seen));
                if let Some(u) = related[*t].difference(image).next() {
                    return Err(Broken::NoWay {
                        before: self.named(self.simulation.low, &low.states[s]),
                        step: step.clone(),
                        after: self.named(self.simulation.low, &low.states[*t]),
                        high: self.named(self.simulation.high, &high.states[*u]),
                    });
                }
            }
        }
        Ok(())
    }

    fn named(&self, automaton: AutomatonId, state: &State) -> Named {
        let values = self.instance.layout(automaton).values(state);
        values.map(|(name, value)| (name.clone(), value)).collect()
    }
}
