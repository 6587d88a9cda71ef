//! What has to be shown: the proof obligations of invariants and simulations, as plain data and as formulas.
//!
//! An invariant holds of every reachable state if it holds of the start states (*initiation*) and every transition
//! clause preserves it (*consecution*), where all invariants that are to be proved together may be assumed before the
//! step. A forward simulation holds if the proof block's start state is related (*start*) and each low step is matched
//! by the fragment that the block fires (*step*); a backward one has to be total besides. What a composition requires of
//! the theories in use follows from their axioms (*requirement*). Beside these stands *definedness*: no partial
//! operator is ever applied outside its domain.

mod background;
mod backward;
mod commutation;
mod input;
mod invariant;
mod listing;
mod path;
mod query;
mod simulation;
mod step;
mod theory;
mod transition;

use ioa_lang::core::{
    ActionId, AutomatonId, AxiomId, Direction, Invariant, Model, ProofEntry, TransitionId,
};
use ioa_lang::{Name, Span};

pub(crate) use background::{Background, Ground};
pub use commutation::Firing;
pub use listing::obligations;
pub(crate) use listing::{Unit, units};
pub(crate) use query::{
    Case, FACT, Fired, Goal, Group, Moment, Piece, Role, Source, View, all_facts,
};
pub(crate) use step::{arrive, chosen, clause_env};
pub(crate) use transition::{TransitionSystem, Unrolling};

use crate::logic::{Encoded, Logic};

/// What is to be proved of a model.
#[derive(Clone, Debug)]
pub struct Target<'a> {
    /// The model.
    pub model: &'a Model,
    /// The invariants that are proved together: each may be assumed in the proof of the others.
    pub invariants: Vec<&'a Invariant>,
    /// The simulations, by their position in the model. They may use the invariants.
    pub simulations: Vec<usize>,
    /// Automata in which nothing may be undefined, besides those that the invariants and simulations speak of.
    pub automata: Vec<AutomatonId>,
}

impl<'a> Target<'a> {
    /// Everything that the model states.
    #[must_use]
    pub fn everything(model: &'a Model) -> Self {
        Self {
            model,
            invariants: model.invariants.iter().collect(),
            simulations: (0..model.simulations.len()).collect(),
            automata: (0..model.automata.len()).map(AutomatonId::at).collect(),
        }
    }

    /// Which of the assumable invariants the proof of an obligation may assume, by position: those that `uses` names, where
    /// it restricts them, and an invariant itself.
    pub(crate) fn assumable(&self, kind: Kind, assumable: &[bool]) -> Vec<bool> {
        let Some((uses, own)) = self.uses(kind) else {
            return assumable.to_vec();
        };
        let invariants = self.invariants.iter().enumerate().zip(assumable);
        let is_used = |((i, invariant), assumable): ((usize, &&Invariant), &bool)| {
            *assumable && (own == Some(i) || uses.contains(&invariant.name))
        };
        invariants.map(is_used).collect()
    }

    /// The names that `uses` lists for the proof of an obligation, and the invariant that it is about; nothing, where nothing is
    /// restricted.
    #[must_use]
    pub fn uses(&self, kind: Kind) -> Option<(&'a [Name], Option<usize>)> {
        let own = match kind {
            Kind::Consecution { invariant, .. } | Kind::Definedness(Part::Invariant(invariant)) => {
                invariant
            }
            Kind::SimulationStep {
                simulation,
                transition,
            }
            | Kind::Definedness(Part::Entry(simulation, transition)) => {
                return Some((self.entry(simulation, transition)?.uses.as_deref()?, None));
            }
            _ => return None,
        };
        Some((self.invariants[own].uses.as_deref()?, Some(own)))
    }

    /// The entry of a proof block for the action of a low clause.
    fn entry(&self, simulation: usize, transition: TransitionId) -> Option<&'a ProofEntry> {
        let stated = &self.model.simulations[simulation];
        let action = self.model.automaton(stated.low).transitions[transition.index()].action;
        let mut entries = stated.proof.iter().flat_map(|proof| &proof.entries);
        entries.find(|entry| entry.action == action)
    }

    /// Which way a simulation goes.
    pub(crate) fn direction(&self, simulation: usize) -> Direction {
        self.model.simulations[simulation].direction
    }

    /// The automata that something is to be proved of: those asked for, and those that invariants and simulations speak
    /// of, since what is proved of an automaton presumes that nothing in it is undefined.
    pub(crate) fn automata(&self) -> Vec<AutomatonId> {
        let of_invariants = self.invariants.iter().map(|i| i.automaton);
        let simulations = self.simulations.iter().map(|s| &self.model.simulations[*s]);
        let of_simulations = simulations.flat_map(|s| [s.low, s.high]);
        let mut automata: Vec<AutomatonId> = self.automata.clone();
        automata.extend(of_invariants.chain(of_simulations));
        automata.sort_unstable();
        automata.dedup();
        automata
    }
}

/// One thing to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What kind of thing, and of what.
    pub kind: Kind,
    /// How people name it: `Global1.Inv3 / abstain`. Unique in its target.
    pub name: String,
    /// The part of the source it is about.
    pub span: Span,
}

/// The kinds of obligations. Invariants are positions in [`Target::invariants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An invariant holds of every start state.
    Initiation {
        /// The invariant.
        invariant: usize,
    },
    /// A transition clause preserves an invariant.
    Consecution {
        /// The invariant.
        invariant: usize,
        /// The clause.
        transition: TransitionId,
    },
    /// The start state that the proof block makes is a start state of the high automaton, and related to the low one. In
    /// a backward simulation: all states related to a low start state are start states of the high automaton.
    SimulationStart {
        /// The simulation.
        simulation: usize,
    },
    /// In a backward simulation: every low state is related to some high state.
    SimulationTotal {
        /// The simulation.
        simulation: usize,
    },
    /// A low step is matched: each fired high action is enabled, the traces agree, and the relation holds again.
    SimulationStep {
        /// The simulation.
        simulation: usize,
        /// The low clause.
        transition: TransitionId,
    },
    /// What a composition or an instance requires of the interpretation of its theories follows from the axioms.
    Requirement {
        /// The automaton.
        automaton: AutomatonId,
        /// Which of its requirements.
        position: usize,
    },
    /// Nothing is undefined in a part of the model.
    Definedness(Part),
}

/// A part of the model in which nothing may be undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// An axiom, given those before it.
    Axiom(AxiomId),
    /// The start program and `so that` of an automaton.
    Start(AutomatonId),
    /// An invariant, given those before it.
    Invariant(usize),
    /// A transition clause: its precondition, then its effect, which has an outcome that satisfies `ensuring`.
    Transition(AutomatonId, TransitionId),
    /// An input of an automaton, which is always enabled: some clause applies to each of its parameters.
    Input(AutomatonId, ActionId),
    /// The relation of a simulation.
    Relation(usize),
    /// The `initially` of a proof block.
    Initially(usize),
    /// The proof block's entry for the action of a low clause.
    Entry(usize, TransitionId),
}

impl<'a> Logic<'a> {
    /// The obligations of a unit as formulas, in groups that share assumptions.
    pub(crate) fn groups(
        &'a self,
        target: &Target<'a>,
        ground: &Ground<'a>,
        unit: Unit,
        kinds: &[Kind],
        assumable: &[bool],
    ) -> Encoded<Vec<Group<'a>>> {
        self.begin_obligation();
        match unit {
            Unit::Start(automaton) => self.start_groups(target, automaton, kinds),
            Unit::Defined(i) => Ok(vec![self.defined_group(target, i, assumable)?]),
            Unit::Axiom(id) => Ok(vec![self.axiom_group(target, id)?]),
            Unit::Requirement(automaton, position) => {
                Ok(vec![self.requirement_group(target, automaton, position)?])
            }
            Unit::Input(automaton, action) => {
                Ok(vec![self.input_group(target, automaton, action)?])
            }
            Unit::Step(automaton, clause) => {
                self.step_groups(target, ground, (automaton, clause), kinds, assumable)
            }
            Unit::SimulationStart(s) => Ok(vec![match target.direction(s) {
                Direction::Forward => self.simulation_start_group(target, s, kinds)?,
                Direction::Backward => self.backward_start_group(target, s, assumable)?,
            }]),
            Unit::SimulationTotal(s) => {
                Ok(vec![self.backward_total_group(
                    target, ground, s, kinds, assumable,
                )?])
            }
            Unit::Relation(s) => Ok(vec![self.relation_group(target, ground, s)?]),
            Unit::SimulationStep(s, clause) => match target.direction(s) {
                Direction::Forward => {
                    self.simulation_step_groups(target, ground, (s, clause), kinds)
                }
                Direction::Backward => Ok(vec![self.backward_step_group(
                    target,
                    ground,
                    (s, clause),
                    kinds,
                    assumable,
                )?]),
            },
        }
    }
}
