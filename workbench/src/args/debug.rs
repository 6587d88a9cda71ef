//! The debugger, in a terminal, from a script, or line by line.

use std::path::PathBuf;

use clap::Args;
use session::setup::Setup;

use super::value::parse_size;

/// What is debugged.
#[derive(Args, Clone, Debug)]
pub struct SubjectArgs {
    /// IOA files, one folder with an ioa.toml, or both; where a trace is opened, those that it names if none are named here.
    #[arg(value_name = "FILES or FOLDER", required_unless_present = "replay")]
    pub inputs: Vec<PathBuf>,
    /// Which automaton, where there are several.
    #[arg(long, value_name = "NAME", conflicts_with = "replay")]
    pub automaton: Option<String>,
    /// The number of elements of a sort, or of several with commas between; wins over ioa.toml.
    #[arg(long = "sort", value_name = "NAME=SIZE", value_delimiter = ',', value_parser = parse_size)]
    pub sorts: Vec<(String, u64)>,
    /// The number of the interpretation of the theories to run in; wins over ioa.toml.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub interpretation: Option<u64>,
    /// Where all random draws come from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Open the run in this trace file; a trace of another model is refused.
    #[arg(long, value_name = "TRACE")]
    pub replay: Option<PathBuf>,
}

impl SubjectArgs {
    /// What every question is put with.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            automaton: self.automaton.clone(),
            sorts: self.sorts.clone(),
            interpretation: self.interpretation,
            seed: self.seed,
            ..Setup::default()
        }
    }
}

/// `ioa debug`
#[derive(Args, Clone, Debug)]
pub struct DebugArgs {
    /// What is debugged.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// Take the commands from this file, one a line, and print the answers; stop at the first mistake.
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
}

/// `ioa repl`
#[derive(Args, Clone, Debug)]
pub struct ReplArgs {
    /// What is debugged.
    #[command(flatten)]
    pub subject: SubjectArgs,
}
