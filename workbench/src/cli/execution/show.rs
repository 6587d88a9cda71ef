//! `ioa show`: the run in a trace file, step by step.

use std::path::PathBuf;

use interpreter::trace;
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
    let origin = trace::origin(&text).map_err(|e| reading::refused(path, &e))?;
    let inputs = match args.inputs.is_empty() {
        true => origin.inputs.iter().map(Into::into).collect(),
        false => args.inputs.clone(),
    };
    let missing = inputs.iter().find(|input: &&PathBuf| !input.exists());
    let trouble = match missing {
        _ if inputs.is_empty() => Some("does not say where its model is".to_owned()),
        Some(missing) if args.inputs.is_empty() => {
            let named = missing.display();
            Some(format!(
                "says that its model is {named}, which is not there"
            ))
        }
        _ => None,
    };
    if let Some(trouble) = trouble {
        let shown = path.display();
        return Err(BadInput::message(format!(
            "{shown} {trouble}: name the model's files after it"
        )));
    }
    let study = reading::study(&inputs)?;
    let setup = replay::sized(&study, Setup::default(), (path, &text))?;
    let (instance, trace) = replay::of_automaton(&study, &setup, (path, &text))?;
    let mut answer = Answer::about(&study, console);
    let tally = run::repeated(&study, &instance, trace, path, Some(console))?;
    answer.findings = runs::findings(&study, &setup, &[tally]);
    Ok(answer)
}
