//! `ioa prove` proves for every size.

use std::path::PathBuf;

use clap::Args;
use session::manifest::MOST_UNROLLED;
use session::pipeline::proof::auto::BUDGET;

use super::value::{number, parse_seconds};
use super::{Common, LengthArgs, MemoryArgs, TimeArgs, WatchArgs};

/// Why there is a bound on how many steps are unrolled.
const UNROLLED: &str = "each step is one more copy of the model in every question to the solver, which answers none that long";

/// `ioa prove`
#[derive(Args, Clone, Debug)]
pub struct ProveArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// How long it may take.
    #[command(flatten)]
    pub bound: TimeArgs,
    /// How much is shown.
    #[command(flatten)]
    pub length: LengthArgs,
    /// Whether it is repeated.
    #[command(flatten)]
    pub watch: WatchArgs,
    /// Names of invariants or simulations ("Low to High"); everything where none is named.
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// Say whether this formula holds in every reachable state, for every size, with the help of the study's invariants;
    /// nothing else is reported unless --only names it.
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["smt_dir", "second_opinion"])]
    pub check: Vec<String>,
    /// Find the lemmas too: what --only names, or else everything, is proved without the help of any other invariant that is
    /// stated, and the lemmas that this needs are shown as text.
    #[arg(long, conflicts_with_all = ["bmc", "k_induction", "smt_dir", "second_opinion", "obligations", "cores"])]
    pub auto: bool,
    /// How much the search for lemmas may do, in seconds of work on an ordinary machine. The work is counted, not timed, so that the
    /// same command finds the same lemmas. What was found is shown at the end
    #[arg(long, value_name = "SECONDS", default_value_t = BUDGET, requires = "auto", value_parser = parse_seconds)]
    pub budget: f64,
    /// Whether it is proved anew.
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// Show every obligation with its verdict, time and resource count.
    #[arg(long)]
    pub obligations: bool,
    /// Show counterexamples for up to five reasons to each obligation that fails: in each of them, other facts of the state before the
    /// step matter.
    #[arg(long, conflicts_with_all = ["auto", "bmc", "k_induction"])]
    pub all: bool,
    /// Show of every obligation in which fragment of logic it lies: EPR with the arrows between its sorts, or which formulas
    /// leave it, and why.
    #[arg(long, conflicts_with_all = ["auto", "bmc", "k_induction"])]
    pub fragments: bool,
    /// Also find out which invariants each obligation needs.
    #[arg(long)]
    pub cores: bool,
    /// Write which invariants each proof needs as a graph: for Mermaid if the file's name ends in .mmd, and else for Graphviz.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bmc", "k_induction"])]
    pub graph: Option<PathBuf>,
    /// Write the first counterexample to induction (with --bmc, the first execution) as an ITF trace, which `ioa debug --replay`
    /// opens. It begins in a state that need not be reachable.
    #[arg(long, value_name = "FILE", conflicts_with = "auto")]
    pub trace: Option<PathBuf>,
    /// Milliseconds for each obligation, and as many again for the search for a counterexample, if the limit on the work does not
    /// end them before.
    #[arg(long, value_name = "MS", default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub timeout: u32,
    /// Work that the solver may do for each obligation (an rlimit: counted, not timed), and as much again for the search for a
    /// counterexample; 20000000 where none is given. If one is given, each obligation is asked by itself from the beginning, so that
    /// its costs are the same whatever else is asked.
    #[arg(long, value_name = "N")]
    pub rlimit: Option<u32>,
    /// Decide every obligation so many times, each time with other names, another order of the assumptions and another seed,
    /// and say which verdicts waver and what each costs from least to most; what wavers is not called proved.
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true,
          value_parser = clap::value_parser!(u32).range(1..=1000), conflicts_with_all = ["auto", "bmc", "k_induction"])]
    pub repeat: u32,
    /// Prove nothing, but look for executions of at most K steps that violate an invariant, at every size.
    #[arg(long, value_name = "K", value_parser = number::<u32>(0..=u64::from(MOST_UNROLLED), UNROLLED),
          conflicts_with_all = ["k_induction", "obligations", "cores", "smt_dir", "second_opinion"])]
    pub bmc: Option<u32>,
    /// Prove invariants by induction over K steps: each is assumed of K + 1 states in a row.
    #[arg(long, value_name = "K", value_parser = number::<u32>(0..=u64::from(MOST_UNROLLED), UNROLLED),
          conflicts_with_all = ["obligations", "cores", "smt_dir", "second_opinion"])]
    pub k_induction: Option<u32>,
    /// Write every obligation asked for as an SMT-LIB 2 file into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub smt_dir: Option<PathBuf>,
    /// Give every obligation to a second solver too (cvc5), and say where it agrees.
    #[arg(long)]
    pub second_opinion: bool,
    /// The second solver: a program that answers the SMT-LIB 2 file that it is given.
    #[arg(
        long,
        value_name = "PROGRAM",
        default_value = "cvc5",
        requires = "second_opinion"
    )]
    pub second_solver: PathBuf,
    /// Milliseconds that the second solver has for each obligation.
    #[arg(long, value_name = "MS", default_value_t = 10_000, requires = "second_opinion", value_parser = clap::value_parser!(u32).range(1..))]
    pub second_timeout: u32,
}
