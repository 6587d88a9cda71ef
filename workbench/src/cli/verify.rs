//! `ioa verify`: the whole job, one table, one report.

use chrono::Local;
use session::finding::{self, Status};
use session::host::{Host, Stop};
use session::numbers::duration;
use session::pipeline;
use session::setup::Setup;
use session::study::{BadInput, Study, remarks};

use super::answer::Answer;
use crate::args::VerifyArgs;
use crate::console::Console;
use crate::files::{self, Made};
use crate::reading;
use crate::report::Document;
use crate::report::document::FORMAT;
use crate::report::page::{self, Page};
use crate::report::terminal;

/// Verifies a study and writes its report.
///
/// # Errors
/// Bad input; a folder that cannot be written.
pub(super) fn run(args: &VerifyArgs, console: &Console) -> Result<Answer, BadInput> {
    let study = reading::study(&args.common.inputs)?;
    let setup = args.common.setup();
    let mut answer = Answer::with_warnings(&study, console);
    answer.expect.clone_from(&study.manifest.expect);
    answer.findings = pipeline::verify(&study, &setup, console)?;
    answer.beside = console.stopped().map(|stop| match stop {
        Stop::Interrupted => Status::Interrupted,
        Stop::Time => Status::NotEstablished,
    });
    let seconds = console.waited().as_secs_f64();
    let unmet = finding::unmet(&answer.findings, &answer.expect);
    let headline = page::headline(answer.status(), &answer.findings);
    let report = match write_report(args, (&study, &setup), (&answer, &unmet), seconds) {
        Ok(()) => format!("; report: {}", args.report.join(PAGE).display()),
        Err(why) => {
            answer.unwritten.push(why);
            String::new()
        }
    };
    let mut unmet: String = unmet.iter().map(|line| format!("{line}\n")).collect();
    if console.stopped() == Some(Stop::Time) {
        unmet.push_str("the time that --time allows was over before everything was answered\n");
    }
    answer.closing = format!(
        "{unmet}{}{headline} in {}{report}\n",
        terminal::recalled(&answer.findings),
        duration(seconds),
    );
    Ok(answer)
}

const PAGE: &str = "report.html";
const DATA: &str = "report.json";

fn write_report(
    args: &VerifyArgs,
    (study, setup): (&Study, &Setup),
    (answer, unmet): (&Answer, &[String]),
    seconds: f64,
) -> Result<(), String> {
    let html = page::render(&Page {
        study,
        status: answer.status(),
        findings: &answer.findings,
        unmet,
        date: &Local::now().format("%e %B %Y, %H:%M").to_string(),
        command: &session::pipeline::plan::command::command(study, setup, "verify"),
    });
    let document = Document {
        format: FORMAT,
        command: "verify",
        exit: answer.status().code(),
        study: Some(study.name.clone()),
        results: answer.findings.clone(),
        diagnostics: remarks(&study.warnings, &study.sources),
        figures: answer.figures.clone(),
        written: answer.written.clone(),
        seconds,
    };
    files::write_whole(&args.report.join(PAGE), &html, Made::Page)?;
    files::write_whole(&args.report.join(DATA), &document.to_json(), Made::Document)
}
