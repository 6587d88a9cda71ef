//! Backward simulations by their definition (Lynch and Vaandrager, Forward and Backward Simulations, part I, section 4):
//! every reachable state and every pair of states is checked.

use std::collections::BTreeSet;

use ioa_lang::Name;
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Simulation};

use super::{Fault, Scope, State, Stop, World, result_or_fault};

/// The conditions of the definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// Each reachable low state is related to some reachable high state.
    Total,
    /// Every high state that is related to a low start state is a start state.
    Start,
    /// For each high state that is related to the low state after a step, some execution fragment with the same trace leads
    /// to it from a high state that is related to the low state before the step.
    Step,
}

/// The facts about a relation between two automata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backward {
    /// The number of reachable low states.
    pub low: usize,
    /// The number of reachable high states.
    pub high: usize,
    /// The number of related pairs.
    pub related: usize,
    /// The conditions that are violated.
    pub broken: BTreeSet<Condition>,
    /// The faults of steps, start states and the relation; if there are any, the other fields are empty.
    pub faults: BTreeSet<Fault>,
}

/// An external action with the values of its parameters; none for an internal one.
type Seen = Option<(Name, Vec<Value>)>;

/// The reachable part of an automaton.
#[derive(Default)]
struct Graph {
    states: BTreeSet<State>,
    starts: BTreeSet<State>,
    steps: BTreeSet<(State, Seen, State)>,
}

impl World<'_> {
    /// Checks a relation against the definition. No automaton may have more states than `most`.
    ///
    /// # Errors
    /// Why this reference implementation cannot decide.
    pub fn backward(&self, simulation: &Simulation, most: usize) -> Result<Backward, String> {
        let mut found = Backward::default();
        let judged = self.judge(simulation, most, &mut found);
        judged.map_err(|stop| stop.to_string())?;
        Ok(found)
    }

    fn judge(
        &self,
        simulation: &Simulation,
        most: usize,
        found: &mut Backward,
    ) -> Result<(), Stop> {
        let low = self.reachable(simulation.low, most, &mut found.faults)?;
        let high = self.reachable(simulation.high, most, &mut found.faults)?;
        let mut related = BTreeSet::new();
        for s in &low.states {
            for u in &high.states {
                let mut scope = Scope::new(&simulation.locals, s);
                scope.post = u;
                let holds = self.truth(&simulation.relation, &mut scope);
                if result_or_fault(holds, &mut found.faults)? == Some(true) {
                    related.insert((s, u));
                }
            }
        }
        if !found.faults.is_empty() {
            return Ok(());
        }
        (found.low, found.high) = (low.states.len(), high.states.len());
        found.related = related.len();
        let images = |s: &State| -> BTreeSet<State> {
            let pairs = related.iter().filter(|(low, _)| *low == s);
            pairs.map(|(_, high)| (*high).clone()).collect()
        };
        if low.states.iter().any(|s| images(s).is_empty()) {
            found.broken.insert(Condition::Total);
        }
        if low
            .starts
            .iter()
            .any(|s| !images(s).is_subset(&high.starts))
        {
            found.broken.insert(Condition::Start);
        }
        for (before, seen, after) in &low.steps {
            if !images(after).is_subset(&high.after(images(before), seen)) {
                found.broken.insert(Condition::Step);
            }
        }
        Ok(())
    }

    fn reachable(
        &self,
        automaton: AutomatonId,
        most: usize,
        faults: &mut BTreeSet<Fault>,
    ) -> Result<Graph, Stop> {
        let started = self.started(automaton)?;
        faults.extend(started.faults);
        let mut graph = Graph {
            starts: started.states.iter().cloned().collect(),
            ..Graph::default()
        };
        let mut open = started.states;
        while let Some(state) = open.pop() {
            if !graph.states.insert(state.clone()) {
                continue;
            }
            if graph.states.len() > most {
                return Err(Stop::Beyond("too many states".into()));
            }
            let expansion = self.expand(automaton, &state)?;
            faults.extend(expansion.faults);
            for step in expansion.steps {
                let action = self.automaton(automaton).action_of(step.clause);
                let values = step.params[..action.params.len()].to_vec();
                let is_seen = action.kind.is_external();
                let seen: Seen = is_seen.then(|| (action.name.clone(), values));
                for after in step.after {
                    open.push(after.clone());
                    graph.steps.insert((state.clone(), seen.clone(), after));
                }
            }
        }
        Ok(graph)
    }
}

impl Graph {
    /// The states to which fragments with this trace lead.
    fn after(&self, from: BTreeSet<State>, seen: &Seen) -> BTreeSet<State> {
        let quiet = self.silently(from);
        match seen {
            None => quiet,
            Some(_) => self.silently(self.one_step(&quiet, seen)),
        }
    }

    fn silently(&self, from: BTreeSet<State>) -> BTreeSet<State> {
        let mut reached = from;
        loop {
            let before = reached.len();
            reached.extend(self.one_step(&reached, &None));
            if reached.len() == before {
                return reached;
            }
        }
    }

    fn one_step(&self, from: &BTreeSet<State>, seen: &Seen) -> BTreeSet<State> {
        let steps = self.steps.iter();
        let taken = steps.filter(|(before, label, _)| label == seen && from.contains(before));
        taken.map(|(_, _, after)| after.clone()).collect()
    }
}
