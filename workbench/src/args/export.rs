//! `ioa export` writes what other tools read.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Common;

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
    /// The events of the run in a trace file as an SVG picture: components across, steps down, messages as arrows.
    #[command(after_help = "Example:\n  ioa export svg run.itf.json --out run.svg")]
    Svg(DrawArgs),
    /// The same as a page of HTML, through which keys and clicks step both ways; it needs no network.
    #[command(after_help = "Example:\n  ioa export html run.itf.json --out run.html")]
    Html(DrawArgs),
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
    /// The file to write; by default, the text is printed.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON document and nothing else.
    #[arg(long, requires = "out")]
    pub json: bool,
}

/// `ioa export shiviz`, `mermaid`, `svg` and `html`
#[derive(Args, Clone, Debug)]
pub struct DrawArgs {
    /// What all exports of a trace take.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Whose events to show. For a composition: components by name, without index; by default all. For any automaton: the sort
    /// of its processes, to whose elements the actions' parameters say that a step belongs.
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
