//! Checks simulations of finite instances without a proof block by their definition, on all reachable states of both
//! automata. The high steps that answer a low one are found by search.
//!
//! Only the reachable high states are considered, and this loses nothing. A forward simulation restricted to reachable
//! states is again a forward simulation. So is a backward one, if each reachable low state is still related to some state;
//! and that is enough to show that every finite trace of the low automaton is a trace of the high one.

use std::collections::{BTreeMap, BTreeSet};

use interpreter::{Executor, Instance, Interrupt, State, StateRelation, TransitionSystem};
use ioa_lang::core::{AutomatonId, Direction, Simulation};
use ioa_lang::{Diagnostic, Name, Value};

use crate::failure::{LowStep, Side};
use crate::graph::{Edge, Graph, Seen};

/// Maximum number of pairs of a low and a high state that are compared.
pub const MAX_PAIRS: usize = 10_000_000;

/// The result of checking a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Exhausted {
    /// The reachable low states.
    pub low_states: usize,
    /// The reachable high states.
    pub high_states: usize,
    /// The pairs of them that are related.
    pub related: usize,
    /// The failure, if there is one.
    pub failure: Option<DefinitionFailure>,
}

/// A state with the names of its variables.
pub type Named = Vec<(Name, Value)>;

/// How a simulation fails.
#[derive(Clone, Debug, PartialEq)]
pub enum DefinitionFailure {
    /// In a forward simulation, a low start state is related to no high start state.
    NoStart {
        /// The low start state.
        low: Named,
    },
    /// In a forward simulation, from a high state that is related to the low state before a step, no execution fragment with
    /// the same trace leads to a high state that is related to the low state after the step.
    NoAnswer {
        /// The low state before.
        before: Named,
        /// The high state that is related to it.
        high: Named,
        /// The low step.
        step: LowStep,
        /// The low state after.
        after: Named,
    },
    /// In a backward simulation, a reachable high state is related to a low start state but is not a start state.
    NotAStart {
        /// The low start state.
        low: Named,
        /// The high state.
        high: Named,
    },
    /// In a backward simulation, a reachable low state is related to no reachable high state.
    Unrelated {
        /// The low state.
        low: Named,
    },
    /// In a backward simulation, no execution fragment with the same trace leads from a high state that is related to the
    /// low state before a step to a given high state that is related to the low state after it.
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
    /// A run-time error of the model occurred, or a limit was reached.
    Interrupted(Side, Interrupt),
    /// The low automaton itself had a run-time error, or reached a limit.
    Low(Interrupt),
    /// There are more states, or pairs of states, than the limit allows.
    TooMany,
}

/// Checks a simulation of the model, by its position, on all reachable states of the instance.
///
/// # Errors
/// Every reason why one of the automata or the relation cannot be run at these sizes.
pub fn by_definition(instance: &Instance, simulation: usize) -> Result<Exhausted, Vec<Diagnostic>> {
    let declared = &instance.model().simulations[simulation];
    let mut low = Executor::new(instance, declared.low)?;
    let mut high = Executor::new(instance, declared.high)?;
    low.check_enumerable()?;
    high.check_enumerable()?;
    by_definition_with(instance, simulation, &mut low, &mut high)
}

/// The same check, with the steps of the two automata computed by other transition systems.
///
/// # Errors
/// Every reason why the relation cannot be evaluated at these sizes.
pub fn by_definition_with(
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

/// All reachable states of both automata.
struct Compared {
    low: Graph,
    high: Graph,
    /// For each low state the high states that are related to it.
    related: Vec<BTreeSet<usize>>,
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
    ) -> Result<(), DefinitionFailure> {
        let graph = |found: Option<Graph>| found.ok_or(DefinitionFailure::TooMany);
        let low = graph(Graph::reach(self.instance, low).map_err(DefinitionFailure::Low)?)?;
        let above = |why| DefinitionFailure::Interrupted(Side::High, why);
        let high = graph(Graph::reach(self.instance, high).map_err(above)?)?;
        self.report.low_states = low.states.len();
        self.report.high_states = high.states.len();
        if low.states.len().saturating_mul(high.states.len()) > MAX_PAIRS {
            return Err(DefinitionFailure::TooMany);
        }
        let related = self.related(&low, &high)?;
        let compared = Compared { low, high, related };
        match self.simulation.direction {
            Direction::Forward => {
                self.starts_forward(&compared)?;
                self.steps_forward(&compared)
            }
            Direction::Backward => {
                self.starts_backward(&compared)?;
                self.steps_backward(&compared)
            }
        }
    }

    /// For each low state, the high states related to it. In a backward simulation there must be at least one.
    fn related(
        &mut self,
        low: &Graph,
        high: &Graph,
    ) -> Result<Vec<BTreeSet<usize>>, DefinitionFailure> {
        let mut all = Vec::with_capacity(low.states.len());
        for s in &low.states {
            let mut mine = BTreeSet::new();
            for (at, u) in high.states.iter().enumerate() {
                let holds = self.relation.holds(s, u);
                if holds.map_err(|why| DefinitionFailure::Interrupted(Side::Relation, why))? {
                    mine.insert(at);
                }
            }
            if mine.is_empty() && self.simulation.direction == Direction::Backward {
                return Err(DefinitionFailure::Unrelated {
                    low: self.named(self.simulation.low, s),
                });
            }
            self.report.related += mine.len();
            all.push(mine);
        }
        Ok(all)
    }

    fn starts_forward(&self, compared: &Compared) -> Result<(), DefinitionFailure> {
        let Compared { low, high, related } = compared;
        let starts: BTreeSet<usize> = high.starts.iter().copied().collect();
        let mut unrelated = low
            .starts
            .iter()
            .filter(|s| related[**s].is_disjoint(&starts));
        match unrelated.next() {
            None => Ok(()),
            Some(s) => Err(DefinitionFailure::NoStart {
                low: self.named(self.simulation.low, &low.states[*s]),
            }),
        }
    }

    fn steps_forward(&self, compared: &Compared) -> Result<(), DefinitionFailure> {
        let Compared { low, high, related } = compared;
        let mut images: BTreeMap<(usize, &Seen), BTreeSet<usize>> = BTreeMap::new();
        for (s, steps) in low.steps.iter().enumerate() {
            for Edge { seen, step, to: t } in steps {
                for u in &related[s] {
                    let image = images
                        .entry((*u, seen))
                        .or_insert_with(|| high.after(&BTreeSet::from([*u]), seen));
                    if image.is_disjoint(&related[*t]) {
                        return Err(DefinitionFailure::NoAnswer {
                            before: self.named(self.simulation.low, &low.states[s]),
                            high: self.named(self.simulation.high, &high.states[*u]),
                            step: step.clone(),
                            after: self.named(self.simulation.low, &low.states[*t]),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    fn starts_backward(&self, compared: &Compared) -> Result<(), DefinitionFailure> {
        let Compared { low, high, related } = compared;
        let starts: BTreeSet<usize> = high.starts.iter().copied().collect();
        for s in &low.starts {
            if let Some(u) = related[*s].difference(&starts).next() {
                return Err(DefinitionFailure::NotAStart {
                    low: self.named(self.simulation.low, &low.states[*s]),
                    high: self.named(self.simulation.high, &high.states[*u]),
                });
            }
        }
        Ok(())
    }

    fn steps_backward(&self, compared: &Compared) -> Result<(), DefinitionFailure> {
        let Compared { low, high, related } = compared;
        for (s, steps) in low.steps.iter().enumerate() {
            let mut images: BTreeMap<&Seen, BTreeSet<usize>> = BTreeMap::new();
            for Edge { seen, step, to: t } in steps {
                let image = images
                    .entry(seen)
                    .or_insert_with(|| high.after(&related[s], seen));
                if let Some(u) = related[*t].difference(image).next() {
                    return Err(DefinitionFailure::NoWay {
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
