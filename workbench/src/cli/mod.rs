//! The `ioa` command line: one file a command, and here what all of them share.

mod answer;
mod check;
mod execution;
mod explore;
mod export;
mod fmt;
mod infer;
mod new;
mod prove;
mod shell;
mod texts;
mod verify;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use session::finding::Status;
use session::host::{Host, Stop};
use session::study::BadInput;

use crate::args::{self, Command, ExportForm};
use crate::console::{Console, interrupt};
use crate::files::{self, Made};
use crate::report::document::FORMAT;
use crate::report::{Document, junit, sarif, terminal};
use crate::watch::rounds;

use answer::Answer;
use execution::{debug, pair, run, show};
use texts::{explain, library};

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let command = args::parse(std::env::args_os())
        .unwrap_or_else(|refused| refused.exit())
        .command;
    if let Some(inputs) = command.watched().filter(|_| !rounds::is_round()) {
        return rounds::run(inputs);
    }
    let (name, json) = describe(&command);
    let mut console = Console::new(json, in_full(&command))
        .with_all(matches!(&command, Command::Prove(args) if args.all))
        .within(seconds_allowed(&command));
    if recalls_proofs(&command) {
        console = console.remembering();
    }
    if is_long(&command) {
        interrupt::heed();
    }
    if rounds::is_round() {
        interrupt::heed_end_of_input();
    }
    let answer = execute(&command, &console);
    let waited = console.waited();
    let seconds = waited.as_secs_f64();
    let mut status = match &answer {
        Ok(answer) => answer.status(),
        Err(_) => Status::BadInput,
    };
    if console.stopped() == Some(Stop::Interrupted) {
        console.complain("interrupted: what follows is what was found so far\n");
        status = status.max(Status::Interrupted);
    }
    if let Some(trouble) = console.trouble_with_proofs() {
        console.warns(&trouble);
    }
    if let Err(message) = write_for_pipelines(&command, &answer) {
        console.complain(&format!("error: {message}\n"));
        status = status.max(Status::BadInput);
    }
    let unwritten = answer.as_ref().map_or(Vec::new(), |a| a.unwritten.clone());
    let said = if json {
        console.print(&document(name, status, answer, seconds).to_json())
    } else {
        // What `verify` says last has the time in it.
        let is_study = matches!(command, Command::Verify(_));
        speak(&console, answer, (!is_study).then_some(waited))
    };
    for message in unwritten {
        console.complain(&format!("error: {message}\n"));
    }
    match said {
        Ok(()) => ExitCode::from(status.code()),
        Err(message) => {
            console.complain(&format!("error: {message}\n"));
            ExitCode::from(Status::BadInput.code())
        }
    }
}

/// The command's name, and whether it speaks to a program.
fn describe(command: &Command) -> (&'static str, bool) {
    match command {
        Command::Check(args) => ("check", args.common.json),
        Command::Explain(_) => ("explain", false),
        Command::Library(_) => ("library", false),
        Command::Fmt(args) => ("fmt", args.common.json),
        Command::Run(args) => ("run", args.common.json),
        Command::Show(_) => ("show", false),
        Command::Debug(_) => ("debug", false),
        Command::Repl(_) => ("repl", false),
        Command::Pair(args) => ("pair", args.common.json),
        Command::Infer(args) => ("infer", args.common.json),
        Command::Explore(args) => ("explore", args.common.json),
        Command::Prove(args) => ("prove", args.common.json),
        Command::Verify(args) => ("verify", args.common.json),
        Command::New(args) => ("new", args.json),
        Command::Completions(_) => ("completions", false),
        Command::Man(_) => ("man", false),
        Command::Export(args) => match &args.form {
            ExportForm::Tla(args) => ("export tla", args.common.json),
            ExportForm::Shiviz(args) => ("export shiviz", args.trace.json),
            ExportForm::Mermaid(args) => ("export mermaid", args.trace.json),
            ExportForm::Svg(args) => ("export svg", args.trace.json),
            ExportForm::Html(args) => ("export html", args.trace.json),
            ExportForm::Itf(args) => ("export itf", args.json),
        },
    }
}

/// Writes what was found in the forms that others' pipelines read, where that is asked for.
fn write_for_pipelines(command: &Command, answer: &Result<Answer, BadInput>) -> Result<(), String> {
    let Some(common) = command.common() else {
        return Ok(());
    };
    let (findings, remarks, expect) = match answer {
        Ok(answer) => (&answer.findings[..], &answer.remarks, &answer.expect),
        Err(bad) => (&[][..], &bad.remarks(), &BTreeMap::new()),
    };
    if let Some(path) = &common.sarif {
        files::write_whole(path, &sarif::render(remarks, findings, expect), Made::Sarif)?;
    }
    if let Some(path) = &common.junit {
        let study = match answer {
            Ok(answer) => answer.study.as_deref(),
            Err(_) => None,
        };
        let xml = junit::render(study.unwrap_or("ioa"), remarks, findings, expect)?;
        files::write_whole(path, &xml, Made::Junit)?;
    }
    Ok(())
}

/// Whether a command may take so long that what it found by then is worth having when it is interrupted.
fn is_long(command: &Command) -> bool {
    matches!(
        command,
        Command::Debug(_)
            | Command::Repl(_)
            | Command::Run(_)
            | Command::Pair(_)
            | Command::Infer(_)
            | Command::Explore(_)
            | Command::Prove(_)
            | Command::Verify(_)
    )
}

/// Whether a command need not prove again what an earlier one proved.
fn recalls_proofs(command: &Command) -> bool {
    match command {
        Command::Prove(args) => !args.memory.fresh,
        Command::Verify(args) => !args.memory.fresh,
        _ => false,
    }
}

/// How many seconds all of a command may take. (An exploration of one automaton has a bound of its own, which checkpoints
/// know of.)
fn seconds_allowed(command: &Command) -> Option<f64> {
    match command {
        Command::Check(args) => args.bound.time,
        Command::Run(args) => args.bound.time,
        Command::Pair(args) => args.bound.time,
        Command::Infer(args) => args.bound.time,
        Command::Prove(args) => args.bound.time,
        Command::Verify(args) => args.bound.time,
        Command::Explore(args) if args.simulation.is_some() => args.time,
        _ => None,
    }
}

/// Whether executions are to be shown from their beginning.
fn in_full(command: &Command) -> bool {
    match command {
        Command::Run(args) => args.length.full,
        Command::Pair(args) => args.length.full,
        Command::Explore(args) => args.length.full,
        Command::Prove(args) => args.length.full,
        Command::Verify(args) => args.length.full,
        _ => false,
    }
}

fn execute(command: &Command, console: &Console) -> Result<Answer, BadInput> {
    match command {
        Command::Check(args) => check::run(args, console),
        Command::Explain(args) => explain::run(args),
        Command::Library(args) => library::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Run(args) => run::run(args, console),
        Command::Prove(args) => prove::run(args, console),
        Command::Show(args) => show::run(args, console),
        Command::Debug(args) => debug::run(args, console),
        Command::Repl(args) => debug::repl(args, console),
        Command::Pair(args) => pair::run(args, console),
        Command::Infer(args) => infer::run(args, console),
        Command::Explore(args) => explore::run(args, console),
        Command::Verify(args) => verify::run(args, console),
        Command::New(args) => new::run(args),
        Command::Export(args) => export::run(args),
        Command::Completions(args) => Ok(shell::completions(args)),
        Command::Man(args) => shell::man(args),
    }
}

fn document(
    command: &'static str,
    status: Status,
    answer: Result<Answer, BadInput>,
    seconds: f64,
) -> Document {
    let answer = answer.unwrap_or_else(|bad| Answer {
        remarks: bad.remarks(),
        ..Answer::default()
    });
    Document {
        format: FORMAT,
        command,
        exit: status.code(),
        study: answer.study,
        results: answer.findings,
        diagnostics: answer.remarks,
        figures: answer.figures,
        written: answer.written,
        seconds,
    }
}

/// Shows people the answer of a command: results on standard output, warnings and errors on standard error. Where the time
/// that they waited is given, a table is shown with it; otherwise the findings are those of a study, shown as an overview.
fn speak(
    console: &Console,
    answer: Result<Answer, BadInput>,
    waited: Option<Duration>,
) -> Result<(), String> {
    let answer = match answer {
        Ok(answer) => answer,
        Err(bad) => {
            console.complain(&bad.render(console.color_err));
            return Ok(());
        }
    };
    console.complain(&answer.warnings);
    if !answer.findings.is_empty() {
        match waited {
            Some(waited) => {
                console.print(&terminal::table(&answer.findings, console.style))?;
                console.print(&terminal::waited(waited, &answer.spent))?;
            }
            None => console.print(&terminal::overview(&answer.findings, console.style))?,
        }
        console.print(&terminal::warnings(&answer.findings, console.style))?;
        console.print(&terminal::failures(&answer.findings, console.style))?;
    }
    console.print(&answer.closing)
}
