//! A model at finite sizes, compiled once.

pub(crate) mod automaton;
mod closed;
pub(crate) mod compiled;
pub(crate) mod participants;
mod requirement;
pub(crate) mod schedule;
pub(crate) mod simulation;
pub(crate) mod wires;

use std::sync::Arc;

use finite::{Ranges, Universe};
use ioa_lang::core::{ActionId, AutomatonId, Fingerprint, Model, fingerprint};
use ioa_lang::{Diagnostic, Value};

use crate::compile::{Scope, Stores};
use crate::instance::automaton::AutomatonCode;
use crate::instance::schedule::ScheduleCode;
use crate::instance::simulation::SimulationCode;
use crate::interrupt::cancel::Cancel;
use crate::state::cell::{Cell, Shape};
use crate::state::layout::Layout;
use crate::state::range_overflows::RangeOverflows;

/// A finite instance of a model, ready to run. Running does not change it, so threads can share it.
#[derive(Debug)]
pub struct Instance {
    model: Arc<Model>,
    universe: Universe,
    automata: Vec<AutomatonCode>,
    schedules: Vec<Result<ScheduleCode, Vec<Diagnostic>>>,
    simulations: Vec<Result<SimulationCode, Vec<Diagnostic>>>,
    range_overflows: Arc<RangeOverflows>,
    cancel: Arc<Cancel>,
}

impl Instance {
    /// Compiles the model at the sizes of the universe.
    ///
    /// An item that cannot be run at these sizes (because it quantifies over infinitely many or too many values, or names an
    /// element that does not exist) does not prevent others from being run. Whatever uses it reports it, and
    /// [`Instance::errors`] lists all such items.
    #[must_use]
    pub fn new(model: Arc<Model>, universe: Universe) -> Self {
        let automata: Vec<AutomatonCode> = (0..model.automata.len())
            .map(|a| AutomatonCode::compile(&model, &universe, AutomatonId::at(a)))
            .collect();
        let schedules = model.schedules.iter().map(|schedule| {
            let layout = &automata[schedule.automaton.index()].layout;
            ScheduleCode::compile(&model, &universe, layout, schedule)
        });
        let schedules = schedules.collect();
        let simulations = model.simulations.iter().map(|simulation| {
            let low = &automata[simulation.low.index()].layout;
            let high = &automata[simulation.high.index()].layout;
            SimulationCode::compile(&model, &universe, (low, high), simulation)
        });
        let simulations = simulations.collect();
        Self {
            range_overflows: Arc::new(RangeOverflows::of(universe.ranges())),
            cancel: Arc::default(),
            model,
            universe,
            automata,
            schedules,
            simulations,
        }
    }

    /// The same instance with its integers packed in these ranges; as general values where there are none.
    #[must_use]
    pub fn in_ranges(&self, ranges: Option<Ranges>) -> Self {
        let universe = self.universe.clone().with_ranges(ranges);
        Self::new(Arc::clone(&self.model), universe)
    }

    /// Every reason why some item cannot be run at these sizes.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        let automata = self.automata.iter().flat_map(AutomatonCode::errors);
        let schedules = self
            .schedules
            .iter()
            .filter_map(|s| s.as_ref().err())
            .flatten();
        let simulations = self
            .simulations
            .iter()
            .filter_map(|s| s.as_ref().err())
            .flatten();
        automata.chain(schedules).chain(simulations)
    }

    /// The requirements of an automaton that the instance does not meet: that components fit together, that parameters
    /// satisfy a `where`, that a type parameter has a size.
    pub fn unmet(&self, automaton: AutomatonId) -> impl Iterator<Item = &Diagnostic> {
        self.automata[automaton.index()].unmet.iter()
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The integers that did not fit their ranges. If there is one, no computed result is valid.
    #[must_use]
    pub fn range_overflows(&self) -> &Arc<RangeOverflows> {
        &self.range_overflows
    }

    /// The flag that cancels work on the instance.
    #[must_use]
    pub fn cancel(&self) -> &Arc<Cancel> {
        &self.cancel
    }

    /// The sizes, and the meaning of the theories.
    #[must_use]
    pub fn universe(&self) -> &Universe {
        &self.universe
    }

    /// The layout of an automaton's states.
    #[must_use]
    pub fn layout(&self, automaton: AutomatonId) -> &Layout {
        &self.automata[automaton.index()].layout
    }

    /// A fingerprint of what a trace of the automaton depends on: its text except for layout, the types and theories it may
    /// use, the sizes, and the tables of uninterpreted operators.
    #[must_use]
    pub fn fingerprint(&self, automaton: AutomatonId) -> Fingerprint {
        let model = &self.model;
        let types = (
            &model.sorts,
            &model.enumerations,
            &model.tuples,
            &model.unions,
            &model.functions,
        );
        fingerprint(&(types, model.automaton(automaton), &self.universe))
    }

    /// The plain values of an action's parameters.
    #[must_use]
    pub fn values_of(
        &self,
        automaton: AutomatonId,
        action: ActionId,
        params: &[Cell],
    ) -> Vec<Value> {
        let declared = &self.model.automaton(automaton).actions[action.index()].params;
        let shapes = declared
            .iter()
            .map(|(_, ty)| Shape::of(&self.model, &self.universe, ty));
        shapes
            .zip(params)
            .map(|(shape, cell)| shape.decode(cell))
            .collect()
    }

    pub(crate) fn automaton(&self, automaton: AutomatonId) -> &AutomatonCode {
        &self.automata[automaton.index()]
    }

    pub(crate) fn schedule(&self, schedule: usize) -> Result<&ScheduleCode, Vec<Diagnostic>> {
        self.schedules[schedule].as_ref().map_err(Clone::clone)
    }

    pub(crate) fn simulation(&self, simulation: usize) -> Result<&SimulationCode, Vec<Diagnostic>> {
        self.simulations[simulation].as_ref().map_err(Clone::clone)
    }

    /// The scope of terms that read these valuations.
    pub(crate) fn scope<'a>(
        &'a self,
        stores: Stores<'a>,
        locals: &'a [ioa_lang::core::Local],
    ) -> Scope<'a> {
        Scope {
            model: &self.model,
            universe: &self.universe,
            stores,
            locals,
        }
    }
}
