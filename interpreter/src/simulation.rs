//! Evaluation of a simulation: the relation between two states, and the high steps that answer a low one.

use ioa_lang::diagnostic::Code;
use std::ops::ControlFlow;

use ioa_lang::core::{self, ActionId, Store};
use ioa_lang::{Diagnostic, Name, Value};

use crate::explain::{Reason, explain};
use crate::instance::Instance;
use crate::instance::simulation::{BlockCode, SimulationCode, stores};
use crate::interrupt::fault::Interrupt;
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::vm::draws::{Draws, Stream};
use crate::vm::exec::{Call, Context};
use crate::vm::halt::Stop;
use crate::vm::halt::interrupt;
use crate::vm::oracle::Oracle;
use crate::vm::{Branches, Machine};

/// Evaluates the relation of a simulation.
#[derive(Debug)]
pub struct StateRelation<'i> {
    instance: &'i Instance,
    simulation: &'i core::Simulation,
    code: &'i SimulationCode,
    machine: Machine,
}

impl<'i> StateRelation<'i> {
    /// The relation of a simulation of the model, by its position.
    ///
    /// # Errors
    /// Every reason why it cannot be evaluated.
    pub fn new(
        instance: &'i Instance,
        simulation: usize,
        seed: u64,
    ) -> Result<Self, Vec<Diagnostic>> {
        let code = instance.simulation(simulation)?;
        let mut machine = Machine::new(seed, instance.range_overflows());
        machine.store_mut(Store::Block).clone_from(&code.blank);
        Ok(Self {
            instance,
            simulation: &instance.model().simulations[simulation],
            code,
            machine,
        })
    }

    /// Whether the relation holds between two states.
    ///
    /// # Errors
    /// A fault of the model in the relation, or a limit.
    pub fn holds(&mut self, low: &State, high: &State) -> Result<bool, Interrupt> {
        let relation = &self.code.relation;
        self.load(low, high);
        self.machine.enter(&relation.frame);
        match self.machine.word(&relation.body) {
            Ok(value) => Ok(value != 0),
            Err(stop) => Err(interrupt(*stop, &relation.frame)),
        }
    }

    /// Why the relation does not hold between two states.
    pub fn explain(&mut self, low: &State, high: &State) -> Vec<Reason> {
        self.load(low, high);
        let layout = |automaton| self.instance.layout(automaton);
        let stores = stores(
            layout(self.simulation.low),
            layout(self.simulation.high),
            &self.code.own,
        );
        let scope = self.instance.scope(stores, &self.simulation.locals);
        explain(
            &mut self.machine,
            scope,
            &[],
            &[&self.simulation.relation],
            false,
        )
    }

    fn load(&mut self, low: &State, high: &State) {
        self.machine.store_mut(Store::Low).clone_from(low);
        self.machine.store_mut(Store::High).clone_from(high);
    }
}

/// Executes the step correspondence of a simulation, and keeps the values of the proof block's own variables.
#[derive(Debug)]
pub struct Correspondence<'i> {
    relation: StateRelation<'i>,
    block: &'i BlockCode,
    draws: Draws,
}

impl<'i> Correspondence<'i> {
    /// The correspondence of a simulation of the model, by its position.
    ///
    /// # Errors
    /// Every reason why it cannot be run, for instance that the simulation has no proof block.
    pub fn new(
        instance: &'i Instance,
        simulation: usize,
        seed: u64,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut relation = StateRelation::new(instance, simulation, seed)?;
        let Some(block) = &relation.code.block else {
            let message =
                "this simulation has no proof block, so there is no step correspondence to run";
            let help = "add `proof` with one entry for each action of the low automaton; \
                        `ioa pair --suggest` proposes one";
            let span = relation.simulation.span;
            return Err(vec![
                Diagnostic::error(Code::CannotFollow, span, message).help(help),
            ]);
        };
        let draws = Draws::new(seed, Stream::Choices);
        relation.machine.branches = Some(Branches::new());
        Ok(Self {
            relation,
            block,
            draws,
        })
    }

    /// Initialises the block's own variables and computes the high start state. Variables that the block does not assign are
    /// taken from `otherwise`, a start state of the high automaton.
    ///
    /// # Errors
    /// A fault of the model, or a limit.
    pub fn start(&mut self, low: &State, otherwise: &State) -> Result<State, Interrupt> {
        let program = &self.block.initially;
        self.relation.load(low, otherwise);
        let blank = &self.relation.code.blank;
        self.relation
            .machine
            .store_mut(Store::Block)
            .clone_from(blank);
        self.relation.machine.enter(&program.frame);
        let mut context = Fragment {
            draws: &mut self.draws,
            fire: &mut |_, _| None,
        };
        match self.relation.machine.run(&program.body, &mut context) {
            Ok(_) => Ok(self.relation.machine.store(Store::High).clone()),
            Err(stop) => Err(interrupt(*stop, &program.frame)),
        }
    }

    /// Runs the entry of a low action, from the low state before the step and the high state. `fire` is called for each high
    /// step with the high state before it, and returns the state after it; `None` ends the entry.
    ///
    /// # Errors
    /// A fault of the model in the entry, or a limit.
    pub fn fragment(
        &mut self,
        (action, params): (ActionId, &[Cell]),
        low: &State,
        high: &State,
        fire: &mut dyn FnMut(&Call, &State) -> Option<State>,
    ) -> Result<(), Interrupt> {
        let entry = &self.block.entries[action.index()];
        self.relation.load(low, high);
        self.relation.machine.enter(&entry.program.frame);
        for (binder, value) in entry.params.iter().zip(params) {
            self.relation.machine.bind(binder.slot, value.clone());
        }
        let mut context = Fragment {
            draws: &mut self.draws,
            fire,
        };
        match self.relation.machine.run(&entry.program.body, &mut context) {
            Ok(_) => Ok(()),
            Err(stop) => Err(interrupt(*stop, &entry.program.frame)),
        }
    }

    /// Whether the relation holds between two states (and the block's own variables).
    ///
    /// # Errors
    /// A fault of the model in the relation, or a limit.
    pub fn related(&mut self, low: &State, high: &State) -> Result<bool, Interrupt> {
        self.relation.holds(low, high)
    }

    /// Why the relation does not hold between two states.
    pub fn explain(&mut self, low: &State, high: &State) -> Vec<Reason> {
        self.relation.explain(low, high)
    }

    /// The values of the block's own variables, with which to [resume](Self::resume).
    #[must_use]
    pub fn own_state(&self) -> &State {
        self.relation.machine.store(Store::Block)
    }

    /// Restores earlier values of the block's own variables.
    pub fn resume(&mut self, own: &State) {
        self.relation
            .machine
            .store_mut(Store::Block)
            .clone_from(own);
    }

    /// Whether the block has made a random draw with more than one possible result.
    #[must_use]
    pub fn has_drawn(&self) -> bool {
        self.draws.has_decided()
    }

    /// The branches of the block's `if` statements that were taken.
    #[must_use]
    pub fn branches(self) -> Branches {
        self.relation.machine.branches.unwrap_or_default()
    }

    /// The block's own variables with their values.
    pub fn own(&self) -> impl Iterator<Item = (&Name, Value)> {
        self.relation
            .code
            .own
            .values(self.relation.machine.store(Store::Block))
    }
}

/// The environment of a proof block's programs.
struct Fragment<'f> {
    draws: &'f mut Draws,
    fire: &'f mut dyn FnMut(&Call, &State) -> Option<State>,
}

impl Context for Fragment<'_> {
    fn oracle(&mut self) -> &mut dyn Oracle {
        self.draws
    }

    fn fire(&mut self, machine: &mut Machine, call: Call) -> Result<ControlFlow<()>, Stop> {
        let Some(after) = (self.fire)(&call, machine.store(Store::High)) else {
            return Ok(ControlFlow::Break(()));
        };
        *machine.store_mut(Store::High) = after;
        machine.refuel();
        Ok(ControlFlow::Continue(()))
    }
}
