//! `ioa show`: the run in a trace file, step by step.

use session::pipeline::runs;
use session::setup::Setup;
use session::study::BadInput;

use super::super::answer::Answer;
use super::{replay, run};
use crate::args::ShowArgs;
use crate::console::Console;
use crate::files;
use crate::reading;

/// Shows the run, with the model that the trace names or that the user does.
///
/// # Errors
/// Bad input, or a trace of another model.
pub(in crate::cli) fn run(args: &ShowArgs, console: &Console) -> Result<Answer, BadInput> {
    let path = &args.trace;
    let text = files::read_text(path).map_err(BadInput::message)?;
    let inputs = replay::inputs(&args.inputs, (path, &text))?;
    let study = reading::study(&inputs)?;
    let setup = replay::sized(&study, Setup::default(), (path, &text))?;
    let mut answer = Answer::about(&study);
    let study = study.evaluable(&setup).unwrap_or(study);
    let (instance, trace) = replay::of_automaton(&study, &setup, (path, &text))?;
    let steps = trace.steps.len();
    let tally = run::repeated(&study, &instance, trace, path, Some(console))?;
    answer.findings = runs::findings(&study, &setup, &[tally]);
    if let Some(stem) = replay::repeats_after(&text) {
        let repetition = replay::repetition(steps, stem);
        answer.closing.push_str(&format!("{repetition}\n"));
    }
    Ok(answer)
}
