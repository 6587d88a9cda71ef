//! What is asked of a simulation.

use ioa_lang::core::Direction;

use crate::finding::Stage;
use crate::manifest::PairSection;
use crate::pipeline::plan::{self, Drive, Plan};
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// How a simulation is to be tested.
#[derive(Clone, Debug)]
pub struct PairPlan {
    /// The simulation, by its position in the model.
    pub simulation: usize,
    /// On what.
    pub on: On,
}

/// What a simulation is tested on.
#[derive(Clone, Debug)]
pub enum On {
    /// Paired runs that differ in their seeds, driven by the low automaton's.
    Runs(Plan),
    /// All states, but no more than so many of them.
    AllStates(Option<u64>),
}

impl PairPlan {
    /// The plan of a study's `[[pair]]`.
    ///
    /// # Errors
    /// Names that do not exist, or neither a schedule nor `random`.
    pub fn of_section(study: &Study, section: &PairSection) -> Result<Self, BadInput> {
        let simulation = study.simulation_index(Some(&section.simulation))?;
        if study.model.simulations[simulation].direction == Direction::Backward {
            return Ok(Self::on_all_states(simulation, None));
        }
        let drive = match (&section.schedule, section.random, section.exhaustive) {
            (Some(name), false, false) => Drive::Schedule(study.schedule_index(name)?),
            (None, true, false) => Drive::Random(study.model.simulations[simulation].low),
            (None, false, true) => return Ok(Self::on_all_states(simulation, None)),
            _ => {
                return Err(BadInput::message(
                    "ioa.toml: a [[pair]] has one of schedule, random = true and exhaustive = true",
                ));
            }
        };
        let much = (section.runs, section.steps);
        let low = Plan::of(study, drive, much, section.weight.clone())?;
        Ok(Self::on_runs(simulation, low))
    }

    /// The plans that a driver asks for or, where it does not say what drives the runs, the study's.
    ///
    /// # Errors
    /// Names that do not exist; several simulations and none named; an automaton that is not the low one.
    pub fn asked(
        study: &Study,
        setup: &Setup,
        driver: &plan::Driver,
        simulation: Option<&str>,
    ) -> Result<Vec<Self>, BadInput> {
        let asked = driver.schedule.is_some() || driver.random;
        let of = |plan: &Self| study.model.simulations[plan.simulation].low;
        let plans = Self::planned(study, setup, driver, (simulation, asked))?;
        let Some(wanted) = &setup.automaton else {
            return Ok(plans);
        };
        let wanted = study.automaton(Some(wanted))?;
        match plans.iter().find(|plan| of(plan) != wanted) {
            Some(plan) => {
                let simulation = &study.model.simulations[plan.simulation];
                let name = study.model.simulation_name(simulation);
                let name_of = |id| &study.model.automaton(id).name;
                let (runs, wanted) = (name_of(simulation.low), name_of(wanted));
                Err(BadInput::message(format!(
                    "simulation {name} runs {runs}, not {wanted}"
                )))
            }
            None => Ok(plans),
        }
    }

    fn planned(
        study: &Study,
        setup: &Setup,
        driver: &plan::Driver,
        (simulation, asked): (Option<&str>, bool),
    ) -> Result<Vec<Self>, BadInput> {
        if !asked && simulation.is_none() && !study.manifest.pairs.is_empty() {
            let sections = study
                .manifest
                .pairs
                .iter()
                .map(|s| Self::of_section(study, s));
            let planned: Vec<Self> = sections.collect::<Result<_, _>>()?;
            let adjust = |plan: Self| match plan.on {
                On::Runs(low) => Ok(Self::on_runs(plan.simulation, low.adjusted(study, driver)?)),
                On::AllStates(most) => Ok(Self::on_all_states(plan.simulation, most)),
            };
            return planned.into_iter().map(adjust).collect();
        }
        let simulation = study.simulation_index(simulation)?;
        if study.model.simulations[simulation].direction == Direction::Backward && !asked {
            return Ok(vec![Self::on_all_states(simulation, None)]);
        }
        let low = study
            .model
            .automaton(study.model.simulations[simulation].low);
        let setup = Setup {
            automaton: Some(low.name.to_string()),
            ..setup.clone()
        };
        let plans = Plan::asked(study, &setup, driver)?;
        Ok(plans
            .into_iter()
            .map(|low| Self::on_runs(simulation, low))
            .collect())
    }

    /// By what means the question is put.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self.on {
            On::AllStates(_) => Stage::Explored,
            On::Runs(_) => Stage::Run,
        }
    }

    fn on_runs(simulation: usize, low: Plan) -> Self {
        let on = On::Runs(low);
        Self { simulation, on }
    }

    /// The plan that tests a simulation on all states, but no more than so many of them.
    #[must_use]
    pub fn on_all_states(simulation: usize, most: Option<u64>) -> Self {
        let on = On::AllStates(most);
        Self { simulation, on }
    }
}
