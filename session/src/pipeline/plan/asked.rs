//! The plans that a person or a study asks for.

use interpreter::run::Strategy;

use super::{Drive, Plan};
use crate::manifest::RunSection;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// Where a strategy is asked for and no number of runs, there are so many.
const RUNS_OF_STRATEGY: u64 = 100;

/// How runs are to be driven.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Driver {
    /// The schedule to run under.
    pub schedule: Option<String>,
    /// Whether a seeded scheduler draws enabled actions and their parameters.
    pub random: bool,
    /// What chooses among the enabled steps, and its depth; the runs are random then.
    pub strategy: Option<(String, Option<u32>)>,
    /// How many runs, each with a seed of its own.
    pub runs: Option<u64>,
    /// At most how many steps a run takes.
    pub steps: Option<u64>,
    /// How readily the random scheduler takes steps by some actions, relative to 1 for all others.
    pub weights: Vec<(String, f64)>,
    /// Whether runs that fail are told as they were, and not shortened.
    pub whole: bool,
    /// The temperature of a monitor that is taken for infinite; none is measured where it is not given.
    pub temperature: Option<u64>,
}

impl Plan {
    /// The plan of a study's `[[run]]`.
    ///
    /// # Errors
    /// Names that do not exist, or neither a schedule nor `random`.
    pub fn of_section(study: &Study, section: &RunSection) -> Result<Self, BadInput> {
        let drive = match (&section.schedule, section.random) {
            (Some(name), false) => Drive::Schedule(study.schedule_index(name)?),
            (None, true) => Drive::Random(study.automaton(section.automaton.as_deref())?),
            _ => {
                return Err(BadInput::message(
                    "ioa.toml: a [[run]] has either a schedule or random = true",
                ));
            }
        };
        let much = (section.runs, section.steps);
        let plan = Self {
            temperature: section.temperature,
            ..Self::of(study, drive, much, section.weight.clone())?
        };
        plan.with_strategy(study, section.strategy.as_deref(), section.depth)
    }

    /// The plan with the strategy that a section of the manifest names, if it names one.
    ///
    /// # Errors
    /// As those of [`Self::by_strategy`]; a depth without a strategy.
    pub(in crate::pipeline) fn with_strategy(
        self,
        study: &Study,
        name: Option<&str>,
        depth: Option<u32>,
    ) -> Result<Self, BadInput> {
        match (name, depth) {
            (Some(name), depth) => self.by_strategy(study, name, depth),
            (None, None) => Ok(self),
            (None, Some(_)) => Err(BadInput::message("ioa.toml: a depth is for a strategy")),
        }
    }

    /// The plans that a driver asks for or, where it does not say what drives the runs, the study's.
    ///
    /// # Errors
    /// Names that do not exist; nothing to run.
    pub fn asked(study: &Study, setup: &Setup, driver: &Driver) -> Result<Vec<Self>, BadInput> {
        let only = setup.automaton.as_deref();
        let is_random = driver.random || driver.strategy.is_some();
        let plans = match (&driver.schedule, is_random) {
            (Some(name), _) => {
                let drive = Drive::Schedule(study.schedule_index(name)?);
                match only.filter(|only| *only != drive.automaton_name(study)) {
                    Some(other) => {
                        let runs = drive.automaton_name(study);
                        return Err(BadInput::message(format!(
                            "schedule {name} runs {runs}, not {other}"
                        )));
                    }
                    None => vec![Self::single(drive)],
                }
            }
            (None, true) => vec![Self {
                runs: if driver.strategy.is_some() {
                    RUNS_OF_STRATEGY
                } else {
                    1
                },
                ..Self::single(Drive::Random(study.automaton(only)?))
            }],
            (None, false) => Self::of_study(study, only, driver)?,
        };
        let adjusted = plans.into_iter().map(|plan| plan.adjusted(study, driver));
        adjusted.collect()
    }

    /// The plan with the numbers that a driver gives.
    ///
    /// # Errors
    /// As those of [`Self::of`].
    pub fn adjusted(self, study: &Study, driver: &Driver) -> Result<Self, BadInput> {
        let adjusted = Self {
            runs: driver.runs.unwrap_or(self.runs),
            in_each: self.in_each && driver.runs.is_none(),
            steps: driver.steps.unwrap_or(self.steps),
            whole: driver.whole,
            temperature: driver.temperature.or(self.temperature),
            weights: match driver.weights.is_empty() {
                true => self.weights,
                false => self.drive.weights(study, &driver.weights)?,
            },
            ..self
        };
        match &driver.strategy {
            Some((name, depth)) => adjusted.by_strategy(study, name, *depth),
            None => Ok(adjusted),
        }
    }

    /// The study's plans or, where it has none, one run of each schedule. Where there is no schedule either, the only automaton is
    /// run: once at random or, if several runs are wanted, by strategies that take turns.
    fn of_study(study: &Study, only: Option<&str>, driver: &Driver) -> Result<Vec<Self>, BadInput> {
        let wanted = only.map(|name| study.automaton(Some(name))).transpose()?;
        let fits = |plan: &Self| wanted.is_none_or(|a| plan.drive.automaton(study) == a);
        let sections = study
            .manifest
            .runs
            .iter()
            .map(|s| Self::of_section(study, s));
        let planned: Vec<Self> = sections.collect::<Result<_, _>>()?;
        let schedules = (0..study.model.schedules.len()).map(|s| Self::single(Drive::Schedule(s)));
        for plans in [planned, schedules.collect()] {
            let fitting: Vec<Self> = plans.into_iter().filter(fits).collect();
            if !fitting.is_empty() {
                return Ok(fitting);
            }
        }
        let single = Self::single(Drive::Random(study.automaton(only)?));
        // Weights are for the random scheduler.
        let are_several = driver.runs.is_some_and(|runs| runs > 1) && driver.weights.is_empty();
        Ok(vec![match are_several {
            true => Self {
                strategies: Strategy::PORTFOLIO.to_vec(),
                ..single
            },
            false => single,
        }])
    }
}
