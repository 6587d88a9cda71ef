//! The command line: what can be asked, with help texts that show an example.

mod common;
mod debug;
mod execution;
mod explore;
mod export;
mod infer;
mod prove;
mod shell;
mod study;
mod text;
mod unheeded;
mod value;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub use common::{Common, LengthArgs, MemoryArgs, TimeArgs, WatchArgs};
pub use debug::{DebugArgs, ReplArgs, SubjectArgs};
pub use execution::{DriverArgs, PairArgs, RunArgs, ShowArgs};
pub use explore::{ExploreArgs, IndependenceArg};
pub use export::{DrawArgs, ExportArgs, ExportForm, TlaArgs, TraceArgs};
pub use infer::InferArgs;
pub use prove::ProveArgs;
pub use shell::{CompletionsArgs, ManArgs};
pub use study::{NewArgs, NewPart, NewSimulationArgs, Template, VerifyArgs};
pub use text::{CheckArgs, ExplainArgs, FmtArgs, LibraryArgs};

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

/// The command line as help, completions and manual pages show it.
#[must_use]
pub fn command() -> clap::Command {
    unheeded::hidden(Cli::command())
}

/// Reads a command line.
///
/// # Errors
/// Why it is none, or which of its options has no effect.
pub fn parse(
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> clap::error::Result<Cli> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(words)?;
    match unheeded::refusal(&mut command, &matches) {
        Some(refusal) => Err(refusal),
        None => Cli::from_arg_matches(&matches),
    }
}

impl Command {
    /// The inputs whose changes are watched, if the command is to be repeated.
    #[must_use]
    pub fn watched(&self) -> Option<&[PathBuf]> {
        let (watch, common) = match self {
            Self::Check(args) => (args.watch, &args.common),
            Self::Prove(args) => (args.watch, &args.common),
            Self::Verify(args) => (args.watch, &args.common),
            _ => return None,
        };
        watch.watch.then_some(&common.inputs)
    }

    /// What the command shares with others, if it is about a model.
    #[must_use]
    pub fn common(&self) -> Option<&Common> {
        match self {
            Self::Check(args) => Some(&args.common),
            Self::Fmt(args) => Some(&args.common),
            Self::Run(args) => Some(&args.common),
            Self::Pair(args) => Some(&args.common),
            Self::Infer(args) => Some(&args.common),
            Self::Explore(args) => Some(&args.common),
            Self::Prove(args) => Some(&args.common),
            Self::Verify(args) => Some(&args.common),
            Self::Explain(_)
            | Self::Library(_)
            | Self::Show(_)
            | Self::Debug(_)
            | Self::Repl(_)
            | Self::New(_)
            | Self::Export(_)
            | Self::Completions(_)
            | Self::Man(_) => None,
        }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read and type-check files; report every mistake.
    #[command(
        after_help = "Examples:\n  ioa check case-studies/paxos/global1.ioa case-studies/paxos/cons.ioa\n  \
                      ioa check ring.ioa --sort Node=3 --interpret\n  \
                      ioa check case-studies/paxos --deep\n  \
                      ioa check case-studies/paxos --watch"
    )]
    Check(CheckArgs),
    /// Say what a code such as E201 in a message means, with an example.
    #[command(after_help = "Example:\n  ioa explain E201")]
    Explain(ExplainArgs),
    /// List the library of environments (channels, failures, membership) that models compose with, or print a part of it.
    #[command(after_help = "\
Examples:
  ioa library
  ioa library channels
  ioa explore my-protocol.ioa library:channels")]
    Library(LibraryArgs),
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
    /// Walk through a run in both directions, take other branches, and ask why.
    #[command(after_help = "\
Examples:
  ioa debug case-studies/lcr --automaton LCR --sort Node=3
  ioa debug --replay run.itf.json
  ioa debug --replay run.itf.json --script session.txt

`ioa repl` answers the same commands line by line; `help` lists them.")]
    Debug(DebugArgs),
    /// Answer the debugger's commands line by line: evaluate terms, take steps, go back, ask why.
    #[command(after_help = "\
Examples:
  ioa repl case-studies/lcr --automaton LCR --sort Node=3
  echo 'enabled' | ioa repl lock.ioa --sort P=2")]
    Repl(ReplArgs),
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
    #[command(after_help = "\
Examples:
  ioa new my-lock && ioa verify my-lock
  ioa new --template messages my-service
  ioa new simulation Server Lock my-lock/lock.ioa my-lock/server.ioa")]
    New(NewArgs),
    /// Write a model, or the run in a trace file, in the form that another tool reads.
    Export(ExportArgs),
    /// Print what a shell needs to complete commands and flags.
    #[command(after_help = "\
Examples:
  ioa completions bash > ~/.local/share/bash-completion/completions/ioa
  ioa completions zsh > ~/.zfunc/_ioa
  ioa completions fish > ~/.config/fish/completions/ioa.fish")]
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder.
    #[command(after_help = "Example:\n  ioa man ~/.local/share/man/man1")]
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::{Command, parse};

    #[test]
    fn as_many_threads_as_there_are_cores_are_used_unless_the_user_says_otherwise() {
        let threads = |more: &[&str]| {
            let words = ["ioa", "prove", "a.ioa"].iter().chain(more);
            match parse(words).expect("a command").command {
                Command::Prove(args) => args.common.threads,
                other => panic!("{other:?}"),
            }
        };
        let available = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
        assert_eq!(threads(&[]), available.min(256));
        assert_eq!(threads(&["--threads", "7"]), 7);
    }
}
