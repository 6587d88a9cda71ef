//! The commands about whole studies.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, LengthArgs, MemoryArgs, TimeArgs, WatchArgs};

/// `ioa verify`
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// How long it may take.
    #[command(flatten)]
    pub bound: TimeArgs,
    /// Whether it is repeated.
    #[command(flatten)]
    pub watch: WatchArgs,
    /// Whether it is proved anew.
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// The folder for the report (report.html and report.json).
    #[arg(long, value_name = "FOLDER", default_value = "ioa-report")]
    pub report: PathBuf,
    /// How executions are shown.
    #[command(flatten)]
    pub length: LengthArgs,
}

/// `ioa new`
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct NewArgs {
    /// The folder to make; the study is called as it is.
    #[arg(value_name = "NAME", required = true)]
    pub folder: Option<PathBuf>,
    /// What the study is about.
    #[arg(long, value_enum, default_value_t = Template::Lock)]
    pub template: Template,
    /// Print one JSON document and nothing else.
    #[arg(long)]
    pub json: bool,
    /// What else can be begun.
    #[command(subcommand)]
    pub part: Option<NewPart>,
}

/// What `ioa new` can begin within a study.
#[derive(Clone, Debug, Subcommand)]
pub enum NewPart {
    /// Print the skeleton of a forward simulation, with an entry of the proof block for each action.
    #[command(after_help = "\
Example:
  ioa new simulation Server Lock my-lock/lock.ioa my-lock/server.ioa")]
    Simulation(NewSimulationArgs),
}

/// `ioa new simulation`
#[derive(Args, Clone, Debug)]
pub struct NewSimulationArgs {
    /// The implementation.
    #[arg(value_name = "LOW")]
    pub low: String,
    /// The specification.
    #[arg(value_name = "HIGH")]
    pub high: String,
    /// IOA files, one folder with an ioa.toml, or files beside such a folder.
    #[arg(required = true, value_name = "FILES or FOLDER")]
    pub inputs: Vec<PathBuf>,
}

/// What a new study is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// Clients take turns at a lock, which a server implements by handing out a token.
    Lock,
    /// A service is implemented over a network that loses, repeats and reorders messages.
    Messages,
    /// A register is implemented by a memory with a cache for each process.
    Register,
    /// A token goes round a ring.
    Ring,
    /// One automaton with one action.
    Empty,
}
