//! The commands that run automata, and show runs.

use std::path::PathBuf;

use clap::Args;
use session::pipeline::plan::Driver;

use super::value::{SLIP, number, parse_weight};
use super::{Common, LengthArgs, TimeArgs};

/// How runs are driven.
#[derive(Args, Clone, Debug, Default)]
pub struct DriverArgs {
    /// The schedule to run under.
    #[arg(long, value_name = "NAME", conflicts_with = "random")]
    pub schedule: Option<String>,
    /// Let a seeded scheduler draw enabled actions and their parameters.
    #[arg(long)]
    pub random: bool,
    /// How many runs, each with a seed of its own.
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=1_000_000_000, SLIP))]
    pub runs: Option<u64>,
    /// At most how many steps a run takes.
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=1_000_000_000_000, SLIP))]
    pub steps: Option<u64>,
    /// How readily steps by an action are drawn, by the random scheduler or `fire any`, relative to 1 for all others; 0 for
    /// never.
    #[arg(long = "weight", value_name = "ACTION=NUMBER", value_delimiter = ',', value_parser = parse_weight)]
    pub weights: Vec<(String, f64)>,
}

impl DriverArgs {
    /// How runs are to be driven.
    #[must_use]
    pub fn driver(&self) -> Driver {
        Driver {
            schedule: self.schedule.clone(),
            random: self.random,
            strategy: None,
            runs: self.runs,
            steps: self.steps,
            weights: self.weights.clone(),
            whole: false,
            temperature: None,
        }
    }
}

/// What random runs are like: which of the enabled steps they take, and how they are shown.
#[derive(Args, Clone, Debug, Default)]
pub struct DrawnArgs {
    /// What chooses among the enabled steps of random runs: random, pct, delays, preemptions, or portfolio, which lets
    /// them take turns, as several runs do where nothing else is asked for; or, one run after the other in all ways, divergences or
    /// depth-first.
    #[arg(long, value_name = "NAME", conflicts_with = "schedule")]
    pub strategy: Option<String>,
    /// The depth of the strategy: how many ordering constraints, delays, preemptions or divergences it has room for, or how many
    /// steps are tried in all ways.
    #[arg(long, value_name = "N", requires = "strategy")]
    pub depth: Option<u32>,
    /// Show a random run that fails as it was, without shortening it.
    #[arg(long)]
    pub whole: bool,
}

impl DrawnArgs {
    /// How runs are to be driven that are also asked for by these flags.
    fn driver(&self, driver: &DriverArgs) -> Driver {
        let strategy = self.strategy.clone();
        Driver {
            strategy: strategy.map(|name| (name, self.depth)),
            whole: self.whole,
            ..driver.driver()
        }
    }
}

/// `ioa run`
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// How long it may take.
    #[command(flatten)]
    pub bound: TimeArgs,
    /// How the runs are driven.
    #[command(flatten)]
    pub driver: DriverArgs,
    /// What random runs are like.
    #[command(flatten)]
    pub drawn: DrawnArgs,
    /// End a run where a monitor has been hot in so many states without being cold, which is taken for infinite: a heuristic.
    #[arg(long, value_name = "N", conflicts_with_all = ["live", "replay"], value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub temperature: Option<u64>,
    /// Look for a run that ends where no state with this formula can be reached any more, and for the step that made it so.
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["schedule", "show", "whole"])]
    pub live: Option<String>,
    /// With --live: at most how many states that follow a state are visited to find out whether it is dead; if there are more,
    /// random walks are made instead.
    #[arg(long, value_name = "N", requires = "live", default_value_t = 20_000, value_parser = number::<u64>(0..=100_000_000, SLIP))]
    pub states: u64,
    /// With --live: how many random walks are made from a state to look for one where the formula holds.
    #[arg(long, value_name = "N", requires = "live", default_value_t = 60, value_parser = number::<u64>(1..=1_000_000, SLIP))]
    pub walks: u64,
    /// With --live: the first so many runs with a live state are kept, and all later ones begin with one of them, up to its last
    /// live state.
    #[arg(long, value_name = "N", requires = "live", value_parser = number::<u64>(1..=1_000_000, SLIP))]
    pub prefixes: Option<u64>,
    /// Repeat the run in this trace file, step by step; a trace of another model is refused.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schedule", "random", "runs", "steps", "weights", "strategy", "whole", "live"])]
    pub replay: Option<PathBuf>,
    /// Write the failing run (of several, the first that fails; the only one if there is one) as an ITF trace. With --live, the
    /// execution that gets to a state with the formula instead is written beside it: NAME.live.itf.json beside NAME.itf.json.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Show every run as it goes: each step, and what it changed.
    #[arg(long, conflicts_with = "json")]
    pub show: bool,
    /// Show how often each transition clause fired, and how often that changed nothing.
    #[arg(long, conflicts_with = "live")]
    pub coverage: bool,
    /// How executions are shown.
    #[command(flatten)]
    pub length: LengthArgs,
}

impl RunArgs {
    /// How runs are to be driven.
    #[must_use]
    pub fn driver(&self) -> Driver {
        Driver {
            temperature: self.temperature,
            ..self.drawn.driver(&self.driver)
        }
    }
}

/// `ioa show`
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// A trace that `ioa run`, `ioa explore` or `ioa pair` wrote.
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// The files of the model, or its folder; where none is named, those that the trace names.
    #[arg(value_name = "FILES or FOLDER")]
    pub inputs: Vec<PathBuf>,
}

/// `ioa pair`
#[derive(Args, Clone, Debug)]
pub struct PairArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// How long it may take.
    #[command(flatten)]
    pub bound: TimeArgs,
    /// How the low automaton's runs are driven.
    #[command(flatten)]
    pub driver: DriverArgs,
    /// The simulation, where there are several: "Low to High".
    #[arg(long, value_name = "NAME")]
    pub simulation: Option<String>,
    /// What random runs are like.
    #[command(flatten)]
    pub drawn: DrawnArgs,
    /// Let the low automaton repeat the run in this trace file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schedule", "random", "runs", "steps", "weights", "strategy", "whole"])]
    pub replay: Option<PathBuf>,
    /// Propose a relation and a proof block, and say how far they hold. `--simulation "Low to High"` names the automata.
    #[arg(long, conflicts_with_all = ["schedule", "random", "runs", "steps", "weights", "replay", "strategy", "whole", "trace"])]
    pub suggest: bool,
    /// Write what the low automaton did in the run that fails, up to the failure, as an ITF trace.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// How executions are shown.
    #[command(flatten)]
    pub length: LengthArgs,
}

impl PairArgs {
    /// How the low automaton's runs are to be driven.
    #[must_use]
    pub fn driver(&self) -> Driver {
        self.drawn.driver(&self.driver)
    }
}
