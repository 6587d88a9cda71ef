//! What several commands take.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use session::setup::Setup;

use super::value::{number, parse_seconds, parse_size};

/// What every command takes.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// IOA files, one folder with an ioa.toml, or files beside such a folder; `library:channels` names a part of the library.
    #[arg(required = true, value_name = "FILES or FOLDER")]
    pub inputs: Vec<PathBuf>,
    /// Which automaton, where there are several.
    #[arg(long, value_name = "NAME")]
    pub automaton: Option<String>,
    /// The number of elements of a sort, or of several with commas between, for whatever is run; wins over ioa.toml.
    #[arg(long = "sort", value_name = "NAME=SIZE", value_delimiter = ',', value_parser = parse_size)]
    pub sorts: Vec<(String, u64)>,
    /// The number of the only interpretation of the theories to run in, instead of all; wins over ioa.toml.
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=1000, INTERPRETED))]
    pub interpretation: Option<u64>,
    /// Where all random draws come from; run k of several uses SEED + k.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// At most how many threads to use; by default, as many as there are cores. Runs, explorations and proofs use them, and no
    /// result depends on their number.
    #[arg(
        long,
        value_name = "N",
        default_value_t = cores(),
        hide_default_value = true,
        value_parser = number::<u64>(1..=MAX_THREADS, "more threads only get in each other's way")
    )]
    pub threads: u64,
    /// Print one JSON document and nothing else.
    #[arg(long)]
    pub json: bool,
    /// Also write what was found as JUnit XML, for a build server.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Also write mistakes and violations as SARIF, for a code host.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
}

impl Common {
    /// What every question is put with.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            automaton: self.automaton.clone(),
            sorts: self.sorts.clone(),
            interpretation: self.interpretation,
            seed: self.seed,
            threads: usize::try_from(self.threads).unwrap_or(1),
        }
    }
}

/// Why the numbers of interpretations are bounded.
pub(super) const INTERPRETED: &str = "to number them, the solver has to find all those before it";

/// More threads than this only get in each other's way.
const MAX_THREADS: u64 = 256;

/// How many cores this process may use.
fn cores() -> u64 {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    u64::try_from(cores).map_or(MAX_THREADS, |cores| cores.min(MAX_THREADS))
}

/// How long a command may take.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct TimeArgs {
    /// Stop after so many seconds, and say what was found by then.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time: Option<f64>,
}

/// How much of an execution is shown.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct LengthArgs {
    /// Show long executions from their beginning, not only their last steps, and all counterexamples. (The JSON and the page always have all.)
    #[arg(long, conflicts_with = "json")]
    pub full: bool,
}

/// Whether a command is repeated.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct WatchArgs {
    /// Do it again whenever one of the files that are read changes, until Ctrl-C ends it.
    #[arg(long, conflicts_with = "json")]
    pub watch: bool,
}

/// Whether proofs from before count.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct MemoryArgs {
    /// Prove everything again, also what an earlier command proved.
    #[arg(long)]
    pub fresh: bool,
}
