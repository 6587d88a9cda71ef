//! The commands that look at texts alone.

use clap::Args;

use super::{Common, TimeArgs, WatchArgs};

/// `ioa check`
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// How long it may take.
    #[command(flatten)]
    pub bound: TimeArgs,
    /// Whether it is repeated.
    #[command(flatten)]
    pub watch: WatchArgs,
    /// Also show the interpretation of uninterpreted operators at the sizes given.
    #[arg(long)]
    pub interpret: bool,
    /// Also look for what cannot be meant at the sizes given: clauses that never happen, invariants that say nothing,
    /// components that do not fit. --sort asks for it too.
    #[arg(long)]
    pub deep: bool,
}

/// `ioa fmt`
#[derive(Args, Clone, Debug)]
pub struct FmtArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// Change nothing; show what would change.
    #[arg(long)]
    pub check: bool,
}

/// `ioa explain`
#[derive(Args, Clone, Debug)]
pub struct ExplainArgs {
    /// The code, as it stands in a message: `E201`.
    #[arg(value_name = "CODE")]
    pub code: String,
}

/// `ioa library`
#[derive(Args, Clone, Debug)]
pub struct LibraryArgs {
    /// The part whose text is printed, such as `channels`; without one, the parts and their automata are listed.
    #[arg(value_name = "PART")]
    pub part: Option<String>,
}
