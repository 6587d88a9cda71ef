//! The command line: what can be asked, with help texts that show an example.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Args, Parser, Subcommand};
use session::manifest::{MOST_UNROLLED, is_weight};
use session::pipeline::plan::Driver;
use session::pipeline::proof::auto::BUDGET;
use session::setup::Setup;

/// The version, with those of what answers depend on.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{}\nwith Z3 {}",
        env!("CARGO_PKG_VERSION"),
        prover_bridge::z3_version()
    )
});

/// Design a distributed algorithm, watch it run, and prove it correct.
#[derive(Debug, Parser)]
#[command(
    name = "ioa",
    version,
    long_version = LONG_VERSION.as_str(),
    max_term_width = 100,
    after_help = "\
Example:
  ioa verify case-studies/paxos

Exit status: 0 everything asked for holds; 1 a violation, shown by an execution; 2 bad input or usage;
3 not established (a counterexample to induction, unknown, vacuous); 130 interrupted, with what was found so far."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read and type-check files; report every mistake.
    #[command(
        after_help = "Examples:\n  ioa check case-studies/paxos/global1.ioa case-studies/paxos/cons.ioa\n  \
                      ioa check ring.ioa --sort Node=3 --interpret\n  \
                      ioa check case-studies/paxos --deep"
    )]
    Check(CheckArgs),
    /// Say what a code such as E201 in a message means, with an example.
    #[command(after_help = "Example:\n  ioa explain E201")]
    Explain(ExplainArgs),
    /// Write files in the one canonical layout. Meaning and comments stay; a file with syntax errors is left alone.
    #[command(after_help = "\
Examples:
  ioa fmt case-studies/paxos
  ioa fmt --check case-studies/paxos/cons.ioa

Exit status: 0 every file has the layout (now); 1 with --check, some file has not: the diff shows it;
2 a file cannot be read, parsed or written (the others are still formatted).")]
    Fmt(FmtArgs),
    /// Run an automaton under a schedule, at random, or as a trace file says; test the invariants at every state.
    #[command(after_help = "\
Examples:
  ioa run case-studies/paxos --schedule Contention --seed 7
  ioa run case-studies/paxos --automaton Global1 --random --steps 500 --trace run.itf.json
  ioa run case-studies/paxos --replay run.itf.json")]
    Run(RunArgs),
    /// Show the run in a trace file step by step, with what each step changed.
    #[command(
        after_help = "Examples:\n  ioa show run.itf.json\n  ioa show run.itf.json case-studies/paxos"
    )]
    Show(ShowArgs),
    /// Run specification and implementation in lockstep through the proof block of a simulation.
    #[command(
        after_help = "Example:\n  ioa pair case-studies/paxos --schedule Contention --runs 100"
    )]
    Pair(PairArgs),
    /// Propose invariants from runs.
    #[command(
        after_help = "Example:\n  ioa infer case-studies/paxos --automaton Global1 --inductive"
    )]
    Infer(InferArgs),
    /// Visit every reachable state of a finite instance, breadth first: invariants, deadlocks, shortest witnesses.
    #[command(after_help = "\
Examples:
  ioa explore case-studies/two-phase-commit --automaton TwoPhase --sort RM=7
  ioa explore case-studies/two-phase-commit --automaton TwoPhase --find 'tmState = done'
  ioa explore case-studies/paxos --automaton Global1 --depth 12 --threads 2 --json
  ioa explore case-studies/paxos --automaton Global1 --time 600 --checkpoint paxos.checkpoint
  ioa explore case-studies/paxos --automaton Global1 --resume paxos.checkpoint

Exit status: 0 what was asked holds wherever it was looked at (the verdict says whether that is everywhere);
1 a violation or a deadlock; 2 bad input; 3 a state asked for with --find was not found, or memory ran out.")]
    Explore(ExploreArgs),
    /// Prove invariants and simulations, for every size.
    #[command(after_help = "\
Examples:
  ioa prove case-studies/paxos
  ioa prove case-studies/paxos --only Inv3 --cores
  ioa prove case-studies/two-phase-commit --automaton TwoPhase --check 'tmState = done => tmPrepared = {}'
  ioa prove case-studies/two-phase-commit --auto --only Agreement
  ioa prove case-studies/paxos --smt-dir obligations
  ioa prove case-studies/lcr --bmc 4")]
    Prove(ProveArgs),
    /// Do the whole job that a study's ioa.toml describes, print one table, write one report.
    #[command(after_help = "Example:\n  ioa verify case-studies/paxos --report paxos-report")]
    Verify(VerifyArgs),
    /// Write a small study into a new folder: one that verifies as it stands and shows the shape of one.
    #[command(after_help = "Example:\n  ioa new my-lock && ioa verify my-lock")]
    New(NewArgs),
    /// Write a model, or the run in a trace file, in the form that another tool reads.
    Export(ExportArgs),
}

/// What every command takes.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// IOA files, or one folder with an ioa.toml.
    #[arg(required = true, value_name = "FILES or FOLDER")]
    pub inputs: Vec<PathBuf>,
    /// Which automaton, where there are several.
    #[arg(long, value_name = "NAME")]
    pub automaton: Option<String>,
    /// The number of elements of a sort, or of several with commas between, for whatever is run; wins over ioa.toml.
    #[arg(long = "sort", value_name = "NAME=SIZE", value_delimiter = ',', value_parser = parse_size)]
    pub sorts: Vec<(String, u64)>,
    /// The number of the only interpretation of the theories to run in, instead of all; wins over ioa.toml.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub interpretation: Option<u64>,
    /// Where all random draws come from; run k of several uses SEED + k.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// At most how many threads to use, as many as there are cores if nothing is said; proofs and explorations use them,
    /// and no result depends on them.
    #[arg(
        long,
        value_name = "N",
        default_value_t = cores(),
        hide_default_value = true,
        value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS)
    )]
    pub threads: u64,
    /// Print one JSON document and nothing else.
    #[arg(long)]
    pub json: bool,
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

/// More threads than this only get in each other's way.
const MAX_THREADS: u64 = 256;

/// How many cores this process may use.
fn cores() -> u64 {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    u64::try_from(cores).map_or(MAX_THREADS, |cores| cores.min(MAX_THREADS))
}

/// `ioa check`
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
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

/// How long a command may take.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct TimeArgs {
    /// Stop after so many seconds, and say what was found by then.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time: Option<f64>,
}

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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub runs: Option<u64>,
    /// At most how many steps a run takes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub steps: Option<u64>,
    /// How readily the random scheduler takes steps by an action, relative to 1 for all others; 0 for never.
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
            runs: self.runs,
            steps: self.steps,
            weights: self.weights.clone(),
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
    /// Repeat the run in this trace file, step by step; a trace of another model is refused.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schedule", "random", "runs", "steps", "weights"])]
    pub replay: Option<PathBuf>,
    /// Write the failing run (of several, the first that fails; the only one if there is one) as an ITF trace.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Show every run as it goes: each step, and what it changed.
    #[arg(long, conflicts_with = "json")]
    pub show: bool,
    /// How executions are shown.
    #[command(flatten)]
    pub length: LengthArgs,
}

/// How much of an execution is shown.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct LengthArgs {
    /// Show long executions from their beginning, not only their last steps. (The JSON and the page always have all.)
    #[arg(long, conflicts_with = "json")]
    pub full: bool,
}

/// `ioa show`
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// A trace that `ioa run` or `ioa explore` wrote.
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
    /// Let the low automaton repeat the run in this trace file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schedule", "random", "runs", "steps", "weights"])]
    pub replay: Option<PathBuf>,
    /// How executions are shown.
    #[command(flatten)]
    pub length: LengthArgs,
}

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
    /// Say why a formula is among the candidates or is not; where it is false, by a shortest run to such a state.
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["inductive", "output"])]
    pub why: Option<String>,
    /// Also report which candidates form an inductive set.
    #[arg(long)]
    pub inductive: bool,
    /// Write the candidates as an IOA file of invariants.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `ioa explore`
#[derive(Args, Clone, Debug)]
pub struct ExploreArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// Look for a shortest way to a state in which this formula over the automaton's state holds.
    #[arg(long, value_name = "FORMULA")]
    pub find: Vec<String>,
    /// Say whether this formula holds in every reachable state or, if not, show a shortest way to one where it is false.
    #[arg(long, value_name = "FORMULA")]
    pub check: Vec<String>,
    /// Say whether a state with this formula can be reached from every reachable state or, if not, show a shortest way to one
    /// from which it cannot.
    #[arg(long, value_name = "FORMULA")]
    pub possible: Vec<String>,
    /// Check only the invariants and decide only the liveness properties that are named so; `--only deadlock` does neither.
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// Do not report states in which no action is enabled.
    #[arg(long)]
    pub allow_deadlock: bool,
    /// Do not stop at the first finding; visit all states.
    #[arg(long)]
    pub keep_going: bool,
    /// Go no further than so many steps from a start state.
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// Stop when about so many states are visited.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub states: Option<u64>,
    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time: Option<f64>,
    /// Use at most so much memory, such as 500M or 2G; if nothing is said, three quarters of what is free.
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Visit only one of all states that differ only in the names of interchangeable elements, and say which sorts these are.
    #[arg(long)]
    pub symmetry: bool,
    /// Interpret the steps instead of compiling them to machine code.
    #[arg(long)]
    pub no_native: bool,
    /// Show how many states there are at each depth.
    #[arg(long)]
    pub levels: bool,
    /// Show how often each transition clause fired.
    #[arg(long)]
    pub coverage: bool,
    /// Write the first counterexample or witness as an ITF trace.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Save the search to this file at intervals and when it stops, so that --resume can continue it.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How much time there is between two checkpoints.
    #[arg(long, value_name = "SECONDS", default_value = "30", requires = "checkpoint", value_parser = parse_seconds)]
    pub checkpoint_every: f64,
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

/// `ioa prove`
#[derive(Args, Clone, Debug)]
pub struct ProveArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// How long it may take.
    #[command(flatten)]
    pub bound: TimeArgs,
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
    /// Seconds for the search for lemmas, all in all; what it found is shown then.
    #[arg(long, value_name = "SECONDS", default_value_t = BUDGET, requires = "auto", value_parser = parse_seconds)]
    pub budget: f64,
    /// Show every obligation with its verdict, time and resource count.
    #[arg(long)]
    pub obligations: bool,
    /// Also find out which invariants each obligation needs.
    #[arg(long)]
    pub cores: bool,
    /// Milliseconds for each obligation; where it is not proved, the search for a counterexample may take as many again.
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub timeout: u32,
    /// Solver resources for each question about an obligation (an rlimit: a count of work, not a clock).
    #[arg(long, value_name = "N")]
    pub rlimit: Option<u32>,
    /// Prove nothing, but look for executions of at most K steps that violate an invariant, at every size.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_UNROLLED)),
          conflicts_with_all = ["k_induction", "obligations", "cores", "smt_dir", "second_opinion"])]
    pub bmc: Option<u32>,
    /// Prove invariants by induction over K steps: each is assumed of K + 1 states in a row.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_UNROLLED)),
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

/// `ioa verify`
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// How long it may take.
    #[command(flatten)]
    pub bound: TimeArgs,
    /// The folder for the report (report.html and report.json).
    #[arg(long, value_name = "FOLDER", default_value = "ioa-report")]
    pub report: PathBuf,
    /// How executions are shown.
    #[command(flatten)]
    pub length: LengthArgs,
}

/// A century: what is longer is a slip, and more than a clock can count.
const MAX_SECONDS: f64 = 3.2e9;

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| format!("expected a number of seconds, found {text}"))?;
    match seconds.is_finite() && seconds > 0.0 {
        true if seconds <= MAX_SECONDS => Ok(seconds),
        true => Err("expected less than a century".into()),
        false => Err("expected more than 0 seconds".into()),
    }
}

/// `500M`, `2G`, or plain bytes; `500 MiB` too, as results say it.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let units = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];
    let short = text.strip_suffix("iB").unwrap_or(text);
    let unit = units
        .iter()
        .find_map(|(u, shift)| Some((short.strip_suffix(u)?.trim_end(), *shift)));
    let (digits, shift) = unit.unwrap_or((text, 0));
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.and_then(|n| n.checked_mul(1 << shift));
    bytes
        .filter(|n| *n > 0)
        .ok_or_else(|| format!("expected a size such as 500M or 2G, found {text}"))
}

/// `ioa new`
#[derive(Args, Clone, Debug)]
pub struct NewArgs {
    /// The folder to make; the study is called as it is.
    #[arg(value_name = "NAME")]
    pub folder: PathBuf,
    /// Print one JSON document and nothing else.
    #[arg(long)]
    pub json: bool,
}

/// `ioa export`
#[derive(Args, Clone, Debug)]
pub struct ExportArgs {
    /// In which form.
    #[command(subcommand)]
    pub form: ExportForm,
}

/// What `ioa export` can write.
#[derive(Clone, Debug, Subcommand)]
pub enum ExportForm {
    /// TLA+ modules of a finite instance, each with a .cfg for TLC.
    #[command(after_help = "\
Examples:
  ioa export tla case-studies/two-phase-commit --sort RM=3 --out modules
  ioa export tla case-studies/paxos --automaton Global1

Writes one module for each automaton and one for each simulation that is a refinement mapping. TLC counts the
states that exploring counts: tlc -workers auto TwoPhase.tla")]
    Tla(TlaArgs),
    /// The run in a trace file as a log for ShiViz, which draws what each process did and which event came before which.
    #[command(after_help = "\
Examples:
  ioa run case-studies/lcr --automaton LCR --random --trace run.itf.json
  ioa export shiviz run.itf.json --out run.log
  ioa export shiviz run.itf.json --host P

Load the file at https://bestchai.bitbucket.io/shiviz/; its first line is the regular expression that reads it.")]
    Shiviz(DrawArgs),
    /// The run in a trace file as a Mermaid diagram: a sequence diagram of its processes, or a state diagram.
    #[command(after_help = "\
Examples:
  ioa export mermaid run.itf.json
  ioa export mermaid run.itf.json --host Node --out run.mmd")]
    Mermaid(DrawArgs),
    /// The run in a trace file in the Informal Trace Format, and nothing that the format does not have.
    #[command(after_help = "Example:\n  ioa export itf run.itf.json --out strict.itf.json")]
    Itf(TraceArgs),
}

/// `ioa export itf`, and what all exports of a trace take.
#[derive(Args, Clone, Debug)]
pub struct TraceArgs {
    /// A trace that `ioa run`, `ioa explore` or `ioa pair` wrote.
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// The file to write; if nothing is said, the text is printed.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON document and nothing else.
    #[arg(long, requires = "out")]
    pub json: bool,
}

/// `ioa export shiviz` and `ioa export mermaid`
#[derive(Args, Clone, Debug)]
pub struct DrawArgs {
    /// What all exports of a trace take.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Whose events to show. For a composition: components by name, without index; by default all. For
    /// another automaton: the sort of its processes, to whose elements the actions' parameters say that a step belongs.
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
}

/// `ioa export tla`
#[derive(Args, Clone, Debug)]
pub struct TlaArgs {
    /// Common flags.
    #[command(flatten)]
    pub common: Common,
    /// The simulation, where not all are wanted: "Low to High"; its two automata are written too.
    #[arg(long, value_name = "NAME", conflicts_with = "automaton")]
    pub simulation: Option<String>,
    /// The folder to write into.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub out: PathBuf,
}

fn parse_size(text: &str) -> Result<(String, u64), String> {
    let (name, size) = text
        .split_once('=')
        .ok_or_else(|| format!("expected NAME=SIZE such as Node=3, found {text}"))?;
    let size = size
        .trim()
        .parse()
        .map_err(|_| format!("expected a number after {name}=, found {size}"))?;
    Ok((name.trim().to_owned(), size))
}

fn parse_weight(text: &str) -> Result<(String, f64), String> {
    let (name, weight) = text
        .split_once('=')
        .ok_or_else(|| format!("expected ACTION=NUMBER such as fail=0.05, found {text}"))?;
    let weight = weight
        .trim()
        .parse()
        .ok()
        .filter(|weight| is_weight(*weight));
    let weight = weight.ok_or_else(|| format!("expected 0 or a positive number after {name}="))?;
    Ok((name.trim().to_owned(), weight))
}

#[cfg(test)]
mod tests {
    use super::{Cli, Command, Parser};

    #[test]
    fn as_many_threads_as_there_are_cores_are_used_unless_the_user_says_otherwise() {
        let threads = |more: &[&str]| {
            let words = ["ioa", "prove", "a.ioa"].iter().chain(more);
            match Cli::parse_from(words).command {
                Command::Prove(args) => args.common.threads,
                other => panic!("{other:?}"),
            }
        };
        let available = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
        assert_eq!(threads(&[]), available.min(256));
        assert_eq!(threads(&["--threads", "7"]), 7);
    }
}
