//! The states that obligations speak of: unknown ones, with what may be assumed of them.

use std::rc::Rc;

use super::listing::Unit;
use super::{FACT, Piece, Target};
use crate::logic::{Encoded, Env, Logic, State, Sym};
use ioa_lang::core::{AutomatonId, Direction, Setting, SortId, Store, Variable};

/// What questions have in common: the unknown states that they speak of. Units of one background share a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Background {
    /// None, and not even the axioms.
    Bare,
    /// None yet: start states are being made. Also where nothing but types and axioms may be assumed.
    Start(AutomatonId),
    /// A state of an automaton in which the invariants hold.
    State(AutomatonId),
    /// The start of a simulation.
    SimulationStart(usize),
    /// Related states of a simulation in which the invariants hold.
    Related(usize),
    /// States of a simulation of which only the invariants are known.
    Unrelated(usize),
}

impl Background {
    pub(crate) fn of(target: &Target<'_>, unit: Unit) -> Self {
        match unit {
            Unit::Axiom(_) => Self::Bare,
            Unit::Start(automaton)
            | Unit::Input(automaton, _)
            | Unit::Requirement(automaton, _) => Self::Start(automaton),
            Unit::Defined(invariant) => Self::Start(target.invariants[invariant].automaton),
            Unit::Step(automaton, _) => Self::State(automaton),
            Unit::SimulationStart(s) => Self::SimulationStart(s),
            Unit::Relation(s) => Self::Unrelated(s),
            Unit::SimulationTotal(s) => Self::State(target.model.simulations[s].low),
            Unit::SimulationStep(s, _) => match target.direction(s) {
                Direction::Forward => Self::Related(s),
                Direction::Backward => Self::Unrelated(s),
            },
        }
    }
}

impl Background {
    /// Whose assumptions hold there.
    pub(crate) fn setting(self, target: &Target<'_>) -> Setting {
        let model = target.model;
        match self {
            Self::Bare => Setting::default(),
            Self::Start(automaton) | Self::State(automaton) => model.setting([automaton]),
            Self::SimulationStart(s) | Self::Related(s) | Self::Unrelated(s) => {
                model.setting_of_simulation(&model.simulations[s])
            }
        }
    }

    /// Of each sort, whether it may matter there: the type parameters of mere components do not.
    pub(crate) fn sorts(self, target: &Target<'_>) -> Vec<bool> {
        let setting = match self {
            // An axiom may be about the type parameters of an automaton that assumes it.
            Self::Bare => target.model.every_setting(),
            _ => self.setting(target),
        };
        let sorts = (0..target.model.sorts.len()).map(SortId::at);
        sorts
            .map(|sort| target.model.is_sort_known(sort, &setting))
            .collect()
    }
}

/// The unknown states of a background, and what is assumed of them.
pub(crate) struct Ground<'a> {
    pub(crate) assume: Vec<Piece>,
    /// With the states in the stores `Pre`, or `Low`, `High` and `Block`.
    pub(crate) env: Env<'a>,
}

/// Which invariants may be assumed, by position in the target.
pub(crate) type Assumable = [bool];

impl<'a> Logic<'a> {
    /// The states of a background, with the axioms and the assumable invariants stated.
    pub(crate) fn ground(
        &'a self,
        target: &Target<'a>,
        background: Background,
        assumable: &Assumable,
    ) -> Encoded<Ground<'a>> {
        self.begin_ground();
        let mut assume = Vec::new();
        if background != Background::Bare {
            for (axiom, formula) in self.axioms(&background.setting(target))? {
                assume.push(Piece::new(&*axiom.name, formula));
            }
        }
        let mut env = Env::default();
        match background {
            Background::Bare | Background::Start(_) | Background::SimulationStart(_) => {}
            Background::State(id) => {
                let state = self.unknown_state(target, id, "")?;
                env.set_state(Store::Pre, state.clone());
                assume.extend(self.invariants(target, id, &state, assumable));
            }
            Background::Related(s) | Background::Unrelated(s) => {
                env = self.simulation_states(target, s)?;
                let declared = &target.model.simulations[s];
                for (id, store) in [(declared.low, Store::Low), (declared.high, Store::High)] {
                    if let Some(state) = env.state(store) {
                        assume.extend(self.invariants(target, id, state, assumable));
                    }
                }
                if matches!(background, Background::Related(_)) {
                    let relation = self.holds(&declared.relation, &env.item(&declared.locals))?;
                    assume.push(Piece::new("relation", relation));
                }
            }
        }
        assume.extend(self.facts());
        self.end_ground();
        Ok(Ground { assume, env })
    }

    /// What the types say about the symbols declared since the last call.
    pub(crate) fn facts(&self) -> Vec<Piece> {
        let facts = self.take_facts().into_iter();
        facts.map(|fact| Piece::new(FACT, fact)).collect()
    }

    /// An unknown state of an automaton, its symbols named after the automaton and marked with `mark`.
    pub(crate) fn unknown_state(
        &'a self,
        target: &Target<'a>,
        id: AutomatonId,
        mark: &str,
    ) -> Encoded<State<'a>> {
        let automaton = target.model.automaton(id);
        self.unknown_variables(&automaton.variables, &format!("{}.", automaton.name), mark)
    }

    pub(crate) fn unknown_variables(
        &'a self,
        variables: &'a [Variable],
        prefix: &str,
        mark: &str,
    ) -> Encoded<State<'a>> {
        let unknown = |v: &'a Variable| self.unknown(&format!("{prefix}{}{mark}", v.name), &v.ty);
        let values: Encoded<Vec<Sym<'a>>> = variables.iter().map(unknown).collect();
        Ok(Rc::new(values?))
    }

    fn simulation_states(&'a self, target: &Target<'a>, s: usize) -> Encoded<Env<'a>> {
        let declared = &target.model.simulations[s];
        // An automaton may be compared with itself.
        let mark = if declared.low == declared.high {
            "!high"
        } else {
            ""
        };
        let mut env = Env::default()
            .with(Store::Low, self.unknown_state(target, declared.low, "")?)
            .with(
                Store::High,
                self.unknown_state(target, declared.high, mark)?,
            );
        // Backward, a block's variables last no longer than an entry.
        if let (Some(proof), Direction::Forward) = (&declared.proof, declared.direction) {
            let block = self.unknown_variables(&proof.variables, "proof.", "")?;
            env.set_state(Store::Block, block);
        }
        Ok(env)
    }

    /// The assumable invariants of an automaton, in a state. One without a reading in logic is not assumed.
    pub(crate) fn invariants(
        &'a self,
        target: &Target<'a>,
        id: AutomatonId,
        state: &State<'a>,
        assumable: &Assumable,
    ) -> Vec<Piece> {
        let stated = target.invariants.iter().enumerate();
        let stated = stated.filter(|(i, v)| assumable[*i] && v.automaton == id);
        stated
            .filter_map(|(i, _)| self.invariant_before(target, i, state).ok())
            .collect()
    }

    /// The assumption that an invariant holds in the state before a step.
    pub(crate) fn invariant_before(
        &'a self,
        target: &Target<'a>,
        invariant: usize,
        state: &State<'a>,
    ) -> Encoded<Piece> {
        let stated = target.invariants[invariant];
        let env = Env::default()
            .with(Store::Pre, state.clone())
            .item(&stated.locals);
        Ok(Piece {
            label: format!("{} before", stated.name),
            invariant: Some(invariant),
            formula: self.holds(&stated.formula, &env)?,
        })
    }
}
