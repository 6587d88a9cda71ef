//! `ioa explore` visits all reachable states.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use session::numbers::parse_bytes;

use super::value::{SLIP, number, parse_seconds};
use super::{Common, LengthArgs};

/// `ioa explore`
#[derive(Args, Clone, Debug)]
pub struct ExploreArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// Look for a shortest way to a state in which this formula over the automaton's state holds.
    #[arg(long, value_name = "FORMULA")]
    pub find: Vec<String>,
    /// Say whether this formula holds in every reachable state or, if not, show a shortest way to one where it is false. Like
    /// --find, it is the only question, unless --only names others.
    #[arg(long, value_name = "FORMULA")]
    pub check: Vec<String>,
    /// Say whether a state with this formula can be reached from every reachable state or, if not, show a shortest way to one
    /// from which it cannot, and a way out from the state before.
    #[arg(long, value_name = "FORMULA")]
    pub possible: Vec<String>,
    /// With --possible: show a state from which the most steps are needed to one with the formula, and a shortest way there.
    #[arg(long, requires = "possible")]
    pub farthest: bool,
    /// Instead of questions about one automaton, follow this simulation ("Low to High") along all executions of the low
    /// automaton; without a proof block, the steps that answer are searched for.
    #[arg(long, value_name = "NAME", conflicts_with_all = [
        "find", "check", "possible", "only", "allow_deadlock", "keep_going", "depth", "symmetry",
        "swarm", "levels", "coverage", "checkpoint", "resume", "dot", "automaton",
    ])]
    pub simulation: Option<String>,
    /// Stay within the states in which this formula holds: others that are reached are checked, but no steps are taken from
    /// them.
    #[arg(long, value_name = "FORMULA")]
    pub within: Vec<String>,
    /// Take steps by an action only from states in which a formula holds, such as "send(m, p): m.number < 3", or "crash: false"
    /// to leave an action out.
    #[arg(long, value_name = "ACTION: FORMULA")]
    pub when: Vec<String>,
    /// Ignore a variable, such as a history: states that differ only in its value are treated as one, which is the first that
    /// is reached.
    #[arg(long, value_name = "VARIABLE", conflicts_with_all = [
        "symmetry", "dpor", "swarm", "possible", "checkpoint", "resume", "dot", "simulation",
    ])]
    pub ignore: Vec<String>,
    /// Check only the invariants and decide only the liveness properties that are named so, and look for deadlocks only if
    /// `deadlock` is named too.
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// Do not report states in which no action is enabled.
    #[arg(long)]
    pub allow_deadlock: bool,
    /// Do not stop at the first finding; visit all states.
    #[arg(long)]
    pub keep_going: bool,
    /// Go at most so many steps from a start state.
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// Stop when about so many states are visited.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub states: Option<u64>,
    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time: Option<f64>,
    /// Use at most so much memory, such as 500M or 2G; by default, three quarters of what is free.
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Visit only one of all states that differ only in the names of interchangeable elements, and say which sorts these are. By
    /// default, this is done where there are many states and it makes them many times fewer. All states are counted.
    #[arg(long)]
    pub symmetry: bool,
    /// Visit every state, however many differ only in names.
    #[arg(long, conflicts_with = "symmetry")]
    pub no_symmetry: bool,
    /// Take one execution of each partial order of steps instead of visiting all states, which are not kept; for models whose
    /// executions end. With --depth, executions are cut.
    #[arg(long, conflicts_with_all = ["states", "symmetry", "possible", "within", "levels", "checkpoint", "resume", "dot"])]
    pub dpor: bool,
    /// Leave out states that differ from visited ones in the order of independent steps alone: partial order reduction, which
    /// keeps invariants, witnesses and deadlocks, and does not tell how many states there are.
    #[arg(long, conflicts_with_all = [
        "dpor", "symmetry", "within", "ignore", "possible", "depth", "levels", "coverage", "checkpoint", "resume", "disk", "dot", "simulation",
    ])]
    pub por: bool,
    /// With --dpor or --por: what says which steps are independent of each other.
    #[arg(long, value_enum, default_value = "solver", value_name = "BY")]
    pub independence: IndependenceArg,
    /// Instead of visiting all states, make so many searches that go deep, each in an order of its own, with a seed and a bound on
    /// depth of its own; for models with too many states. --states says how many each may visit (by
    /// default 1,000,000), and --depth is the greatest bound (by default 10,000).
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=100_000, SLIP))]
    #[arg(conflicts_with_all = ["symmetry", "dpor", "por", "possible", "levels", "checkpoint", "resume", "dot"])]
    pub swarm: Option<u64>,
    /// Interpret the steps instead of compiling them to machine code.
    #[arg(long)]
    pub no_native: bool,
    /// Show how many states there are at each depth.
    #[arg(long)]
    pub levels: bool,
    /// Show how often each transition clause fired, which clauses have no machine code, and how states are packed.
    #[arg(long)]
    pub coverage: bool,
    /// Write the first counterexample or witness as an ITF trace. With --simulation, what the low automaton did up to the failure.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Save the search to this file at intervals and when it stops, so that --resume can continue it.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How much time there is between two checkpoints.
    #[arg(long, value_name = "SECONDS", default_value = "30", requires = "checkpoint", value_parser = parse_seconds)]
    pub checkpoint_every: f64,
    /// Keep the states in files in this folder, so that they need not fit into memory: --memory then bounds how much of them is
    /// in memory at a time. If the folder holds a search that was stopped, that search goes on. The files are removed when all states are
    /// visited.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["checkpoint", "resume", "ignore", "dpor", "swarm", "simulation"])]
    pub disk: Option<PathBuf>,
    /// Go on from this checkpoint; one of another model, of other sizes or questions is refused.
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Write the graph of the states for Graphviz, if there are at most 1,000 of them.
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// How executions are shown.
    #[command(flatten)]
    pub length: LengthArgs,
}

/// What says which steps are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum IndependenceArg {
    /// What the text says that they read and write.
    Footprints,
    /// The solver, too, which is asked whether steps commute that read and write the same.
    Solver,
}
