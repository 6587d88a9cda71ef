//! What is asked of a simulation.

use ioa_lang::core::{AutomatonId, Direction, Extent};

use crate::finding::Stage;
use crate::manifest::{MANIFEST_NAME, PairSection};
use crate::pipeline::plan::command::quoted;
use crate::pipeline::plan::{self, Drive, Plan};
use crate::setup::Setup;
use crate::study::{BadInput, Formula, Study, asks_something};

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
    /// All states within these bounds.
    AllStates(Bounds),
}

/// How far a simulation is followed along all executions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// How many pairs of states are visited at most.
    pub states: Option<u64>,
    /// How many bytes they take at most.
    pub memory: Option<u64>,
    /// Formulas about the low automaton: from states in which one is false no steps are followed.
    pub within: Vec<String>,
    /// Conditions `action(x): P` under which steps of the low automaton are followed.
    pub when: Vec<String>,
    /// Whether both automata and the block are interpreted, which finds the same.
    pub are_interpreted: bool,
}

impl Bounds {
    /// No more than so many pairs of states.
    #[must_use]
    pub fn of_states(most: u64) -> Self {
        Self {
            states: Some(most),
            ..Self::default()
        }
    }

    fn of_section(section: &PairSection) -> Self {
        Self {
            states: section.states,
            memory: None,
            within: section.within.clone(),
            when: section.when.clone(),
            are_interpreted: false,
        }
    }

    /// The study with the formulas of these bounds as its last invariants and its low automaton restricted, and the positions of
    /// these invariants.
    ///
    /// # Errors
    /// What is wrong with the formulas and conditions.
    pub(super) fn asked(
        &self,
        study: &Study,
        low: AutomatonId,
    ) -> Result<(Study, Vec<usize>), BadInput> {
        for text in &self.within {
            asks_something("--within", text)?;
        }
        let formulas = self.within.iter().map(|text| Formula {
            place: "--within",
            name: text,
            text,
        });
        let (sources, within) = study.formulas((low, Extent::OneInstance), formulas)?;
        let invariants = [study.model.invariants.clone(), within].concat();
        let positions = study.model.invariants.len()..invariants.len();
        let study = study.stating(sources, invariants);
        Ok((study.restricted(low, &self.when)?, positions.collect()))
    }

    /// The flags that set these bounds.
    #[must_use]
    pub(super) fn flags(&self) -> String {
        let states = self.states.map(|most| format!(" --states {most}"));
        let memory = self.memory.map(|bytes| format!(" --memory {bytes}"));
        let of = |flag: &str, texts: &[String]| -> String {
            let each = texts.iter().map(|text| format!(" {flag} {}", quoted(text)));
            each.collect()
        };
        let (within, when) = (of("--within", &self.within), of("--when", &self.when));
        let (states, memory) = (states.unwrap_or_default(), memory.unwrap_or_default());
        let interpreted = if self.are_interpreted {
            " --no-native"
        } else {
            ""
        };
        format!("{states}{memory}{within}{when}{interpreted}")
    }
}

impl PairPlan {
    /// The plan of a study's `[[pair]]`.
    ///
    /// # Errors
    /// Names that do not exist, or neither a schedule nor `random`.
    pub fn of_section(study: &Study, section: &PairSection) -> Result<Self, BadInput> {
        let simulation = study.simulation_index(Some(&section.simulation))?;
        if study.model.simulations[simulation].direction == Direction::Backward {
            return Ok(Self::on_all_states(simulation, Bounds::of_section(section)));
        }
        let bounds = Bounds::of_section(section);
        if section.exhaustive && section.strategy.is_some() {
            return Err(BadInput::message(format!(
                "{MANIFEST_NAME}: a strategy is for random runs, but a [[pair]] that is exhaustive follows all executions"
            )));
        }
        if !section.exhaustive && bounds != Bounds::default() {
            return Err(BadInput::message(format!(
                "{MANIFEST_NAME}: states, within and when of a [[pair]] bound the search that exhaustive = true asks for"
            )));
        }
        let drive = match (&section.schedule, section.random, section.exhaustive) {
            (Some(name), false, false) => Drive::Schedule(study.schedule_index(name)?),
            (None, true, false) => Drive::Random(study.model.simulations[simulation].low),
            (None, false, true) => return Ok(Self::on_all_states(simulation, bounds)),
            _ => {
                return Err(BadInput::message(format!(
                    "{MANIFEST_NAME}: a [[pair]] has one of schedule, random = true and exhaustive = true",
                )));
            }
        };
        let much = (section.runs, section.steps);
        let low = Plan::of(study, drive, much, section.weight.clone())?;
        let low = low.with_strategy(study, section.strategy.as_deref(), section.depth)?;
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
        let asked = driver.schedule.is_some() || driver.random || driver.strategy.is_some();
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
                On::AllStates(bounds) => Ok(Self::on_all_states(plan.simulation, bounds)),
            };
            return planned.into_iter().map(adjust).collect();
        }
        let simulation = study.simulation_index(simulation)?;
        if study.model.simulations[simulation].direction == Direction::Backward && !asked {
            return Ok(vec![Self::on_all_states(simulation, Bounds::default())]);
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

    /// The plan that tests a simulation on all states within some bounds.
    #[must_use]
    pub fn on_all_states(simulation: usize, bounds: Bounds) -> Self {
        let on = On::AllStates(bounds);
        Self { simulation, on }
    }
}
