//! `ioa infer` proposes invariants.

use std::path::PathBuf;

use clap::Args;

use super::{Common, DriverArgs, TimeArgs};
use session::numbers::parse_bytes;

/// `ioa infer`
#[derive(Args, Clone, Debug)]
pub struct InferArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// How long it may take.
    #[command(flatten)]
    pub bound: TimeArgs,
    /// How the runs that give the samples are driven; where nothing is said, by all schedules and at random.
    #[command(flatten)]
    pub driver: DriverArgs,
    /// Use about so much memory at most, such as 500M or 2G, for states and the truth of formulas in them; if nothing is said, 2G.
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Say why a formula is among the candidates or is not; where it is false, by a shortest run to such a state.
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["inductive", "output"])]
    pub why: Option<String>,
    /// Show only the candidates that matter for this invariant or simulation: that exclude counterexamples to its induction, and
    /// to theirs.
    #[arg(long = "for", value_name = "NAME", conflicts_with_all = ["why", "stated"])]
    pub purpose: Option<String>,
    /// Propose formulas that are false in *dead* states, from which no way leads to a state where this formula holds, and true in
    /// all others: safety properties that are violated on the way to a dead state.
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["why", "purpose", "stated", "inductive"])]
    #[arg(conflicts_with_all = ["schedule", "random", "runs", "steps", "weights"])]
    pub possible: Option<String>,
    /// Also say which of the invariants that are stated are reported, or implied by what is reported.
    #[arg(long, conflicts_with = "why")]
    pub stated: bool,
    /// Also report which candidates form an inductive set.
    #[arg(long)]
    pub inductive: bool,
    /// Write the candidates as an IOA file of invariants.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
