//! Plans for runs: what drives them, how many there are, how long they may be.

use interpreter::run::{Options, Strategy, Way, Ways, Weights};
use ioa_lang::core::{ActionId, AutomatonId};

use crate::manifest::DEFAULT_STEPS;
use crate::study::{BadInput, Study};

mod asked;
pub mod command;

pub use asked::Driver;

/// What resolves the nondeterminism of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// A schedule, by its position in the model.
    Schedule(usize),
    /// The seeded random scheduler, on an automaton.
    Random(AutomatonId),
}

/// Several runs that differ in their seeds.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What drives them.
    pub drive: Drive,
    /// How many.
    pub runs: u64,
    /// Whether there are more where the theories have more interpretations: one in each of them.
    pub in_each: bool,
    /// At most how many steps each takes.
    pub steps: u64,
    /// The weights of some actions for the random scheduler; where there are none, each run draws its own.
    pub weights: Vec<(ActionId, f64)>,
    /// What chooses among the enabled steps of random runs; they take turns if they are several.
    pub strategies: Vec<Strategy>,
    /// The way of a single run, if its strategy is systematic.
    pub way: Way,
    /// Whether to go on after a run that fails: its states are samples all the same.
    pub past_failures: bool,
    /// Whether runs that fail are told as they were, and not shortened.
    pub whole: bool,
    /// The temperature of a monitor that is taken for infinite; none is measured where it is not given.
    pub temperature: Option<u64>,
}

/// What makes one of the runs of a plan differ from the others.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What chooses among its enabled steps.
    pub strategy: Strategy,
    /// Its way, if the strategy is systematic.
    pub way: Way,
    /// Its seed, and how long it may be.
    pub options: Options,
    /// How many runs a systematic strategy makes up to it; none if its seed alone determines it.
    pub number: Option<u64>,
}

impl Drive {
    /// The automaton that is run.
    #[must_use]
    pub fn automaton(self, study: &Study) -> AutomatonId {
        match self {
            Self::Schedule(schedule) => study.model.schedules[schedule].automaton,
            Self::Random(automaton) => automaton,
        }
    }

    /// The weights of actions, which are for runs in which something is drawn.
    fn weights(
        self,
        study: &Study,
        named: &[(String, f64)],
    ) -> Result<Vec<(ActionId, f64)>, BadInput> {
        if let (Self::Schedule(schedule), [_, ..]) = (self, named)
            && !study.model.schedules[schedule].program.draws()
        {
            let name = self.name(study);
            return Err(BadInput::message(format!(
                "a weight is for steps that are drawn, and schedule {name} draws none: it has no `fire any`"
            )));
        }
        let automaton = study.model.automaton(self.automaton(study));
        let of_action = |(name, weight): &(String, f64)| {
            let mut actions = automaton.actions.iter();
            match actions.position(|action| *action.name == **name) {
                Some(action) => Ok((ActionId::at(action), *weight)),
                None => Err(BadInput::message(format!(
                    "{} has no action {name} that could have a weight",
                    automaton.name
                ))),
            }
        };
        named.iter().map(of_action).collect()
    }

    /// The schedule's name, or `random`.
    #[must_use]
    pub fn name(self, study: &Study) -> String {
        match self {
            Self::Schedule(schedule) => study.model.schedules[schedule].name.to_string(),
            Self::Random(_) => "random".into(),
        }
    }

    /// The name of the automaton that is run.
    #[must_use]
    pub fn automaton_name(self, study: &Study) -> &str {
        &study.model.automaton(self.automaton(study)).name
    }
}

impl Plan {
    /// The plan of a study's section about so many runs, if it says how many, whose actions have these weights.
    ///
    /// # Errors
    /// Weights of actions that do not exist, or for a schedule.
    pub fn of(
        study: &Study,
        drive: Drive,
        (runs, steps): (Option<u64>, u64),
        weights: impl IntoIterator<Item = (String, f64)>,
    ) -> Result<Self, BadInput> {
        let weights: Vec<(String, f64)> = weights.into_iter().collect();
        Ok(Self {
            runs: runs.unwrap_or(1),
            in_each: runs.is_none(),
            steps,
            weights: drive.weights(study, &weights)?,
            ..Self::single(drive)
        })
    }

    /// The plan with a strategy, or with a portfolio of them, which the runs have instead of the random scheduler.
    ///
    /// # Errors
    /// No such strategy, no such depth; weights, or a schedule, which leave nothing to a strategy.
    fn by_strategy(self, study: &Study, name: &str, depth: Option<u32>) -> Result<Self, BadInput> {
        let strategies = match (name, depth) {
            ("portfolio", None) => Ok(Strategy::PORTFOLIO.to_vec()),
            ("portfolio", Some(_)) => {
                Err("the strategies of a portfolio have depths of their own".into())
            }
            _ => Strategy::named(name, depth).map(|strategy| vec![strategy]),
        };
        let strategies = strategies.map_err(BadInput::message)?;
        let wrong = match self.drive {
            Drive::Schedule(_) => Some(format!(
                "a strategy is for random runs, but the runs are driven by schedule {}",
                self.drive.name(study)
            )),
            Drive::Random(_) => {
                let has_use = strategies.iter().all(|s| s.draws_actions());
                let is_idle = !has_use && !self.weights.is_empty();
                is_idle.then(|| {
                    format!(
                        "a weight is for the random scheduler, but the runs have strategy {name}"
                    )
                })
            }
        };
        match wrong {
            Some(wrong) => Err(BadInput::message(wrong)),
            None => Ok(Self { strategies, ..self }),
        }
    }

    /// Whether a run that fails is shortened. A schedule says what happens in its runs, and all of it is told.
    #[must_use]
    pub fn is_shortened(&self) -> bool {
        matches!(self.drive, Drive::Random(_)) && !self.whole && !self.past_failures
    }

    /// The same plan with one strategy alone.
    #[must_use]
    pub fn only(&self, strategy: Strategy) -> Self {
        Self {
            strategies: vec![strategy],
            ..self.clone()
        }
    }

    /// The plan of one run alone.
    #[must_use]
    pub fn turn(&self, turn: &Turn) -> Self {
        Self {
            way: turn.way.clone(),
            ..self.only(turn.strategy)
        }
    }

    /// The run that these options determine, of a plan with one strategy that is not systematic.
    #[must_use]
    pub fn single_turn(&self, options: Options) -> Turn {
        Turn {
            strategy: self.strategies[0],
            way: Way::default(),
            options,
            number: None,
        }
    }

    /// The strategy of a run, by its number among those in one instance: the strategies take turns.
    #[must_use]
    pub fn strategy_of(&self, number: u64) -> Strategy {
        self.strategies[(number % self.strategies.len() as u64) as usize]
    }

    /// The ways of the runs, if their strategy is systematic.
    #[must_use]
    pub fn ways(&self) -> Option<Ways> {
        match &self.strategies[..] {
            [only] => only.ways(),
            _ => None,
        }
    }

    /// What drives the runs: the schedule's name, or what the strategy is called.
    #[must_use]
    pub fn name(&self, study: &Study) -> String {
        match (self.drive, &self.strategies[..]) {
            (Drive::Random(_), [only]) => only.to_string(),
            (Drive::Random(_), _) => "portfolio".into(),
            (Drive::Schedule(_), _) => self.drive.name(study),
        }
    }

    /// The flags that ask for what drives the runs.
    #[must_use]
    pub fn flags(&self, study: &Study) -> String {
        let automaton = study.model.automaton(self.drive.automaton(study));
        let mut flags = match self.drive {
            Drive::Schedule(_) => format!("--schedule {}", self.drive.name(study)),
            Drive::Random(_) => format!("--random --automaton {}", automaton.name),
        };
        for (action, weight) in &self.weights {
            let name = &automaton.actions[action.index()].name;
            flags.push_str(&format!(" --weight {name}={weight}"));
        }
        match &self.strategies[..] {
            [Strategy::Random] => {}
            [only] => {
                let depth = only.depth().map(|depth| format!(" --depth {depth}"));
                let name = only.name();
                flags.push_str(&format!(" --strategy {name}{}", depth.unwrap_or_default()));
            }
            _ => flags.push_str(" --strategy portfolio"),
        }
        if let Some(temperature) = self.temperature {
            flags.push_str(&format!(" --temperature {temperature}"));
        }
        if matches!(self.drive, Drive::Random(_)) && !self.is_shortened() {
            flags.push_str(" --whole");
        }
        flags
    }

    /// The weights for the random scheduler.
    #[must_use]
    pub fn drawn_by(&self, study: &Study) -> Weights {
        let automaton = study.model.automaton(self.drive.automaton(study));
        match self.weights.is_empty() {
            true => Weights::default(),
            false => Weights::given(automaton, &self.weights),
        }
    }

    /// How many runs there are where the theories have so many interpretations.
    #[must_use]
    pub fn runs_in(&self, interpretations: u64) -> u64 {
        match self.in_each {
            true => self.runs.max(interpretations),
            false => self.runs,
        }
    }

    /// A single run, in each interpretation of the theories.
    #[must_use]
    pub fn single(drive: Drive) -> Self {
        Self {
            drive,
            runs: 1,
            in_each: true,
            steps: DEFAULT_STEPS,
            weights: Vec::new(),
            strategies: vec![Strategy::Random],
            way: Way::default(),
            past_failures: false,
            whole: false,
            temperature: None,
        }
    }
}
