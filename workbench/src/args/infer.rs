//! `ioa infer` proposes invariants.

use std::path::PathBuf;

use clap::Args;

use super::{Common, DriverArgs, TimeArgs};
use session::numbers::parse_bytes;
use session::pipeline::candidates::Naming;

/// `ioa infer`
#[derive(Args, Clone, Debug)]
pub struct InferArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// How long it may take.
    #[command(flatten)]
    pub bound: TimeArgs,
    /// Do less work, above all when candidates are tested at the end: this ends sooner, but less is found, and more of it may be false.
    #[arg(long)]
    pub quick: bool,
    /// How the runs that give the samples are driven; by default, by all schedules and at random.
    #[command(flatten)]
    pub driver: DriverArgs,
    /// What is looked at.
    #[command(flatten)]
    pub focus: FocusArgs,
    /// Take so much memory at most, such as 500M or 2G, as far as the program does not take more by itself; by default, 4G.
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Say why a formula is or is not among the candidates; if it is false somewhere, show a shortest run to such a state.
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

/// What is looked at.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What is looked at")]
pub struct FocusArgs {
    /// Propose formulas only about these variables, and describe only the steps of these actions; the name of a component stands for
    /// all of its variables and actions.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub look_at: Vec<String>,
    /// Propose nothing about these variables, and do not describe the steps of these actions.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub leave_out: Vec<String>,
    /// Treat this term as if it were a variable, such as `max(n, m)` or `size(waiting[i])`; an unknown name in it is a variable
    /// of a sort or an enumeration.
    #[arg(long = "term", value_name = "TERM")]
    pub terms: Vec<String>,
    /// Also propose what holds where this condition is true, and what holds where it is false.
    #[arg(long = "split", value_name = "FORMULA")]
    pub splits: Vec<String>,
}

impl FocusArgs {
    /// What is named.
    #[must_use]
    pub fn naming(&self) -> Naming {
        Naming {
            look_at: self.look_at.clone(),
            leave_out: self.leave_out.clone(),
            terms: self.terms.clone(),
            splits: self.splits.clone(),
        }
    }
}
