//! `ioa debug` and `ioa repl`: an execution, forward and back, in a terminal, from a script or line by line.

mod lines;
mod screen;
mod shown;
mod subject;

use session::study::BadInput;

use super::super::answer::Answer;
use crate::args::{DebugArgs, ReplArgs};
use crate::console::Console;
use crate::files;

use lines::Lines;
use subject::Subject;

/// Debugs what the flags say, in the terminal or by a script.
///
/// # Errors
/// Bad input, a trace of another model, or a mistake in the script.
pub(in crate::cli) fn run(args: &DebugArgs, console: &Console) -> Result<Answer, BadInput> {
    let script = args.script.as_ref();
    let script = script.map(|path| files::read_text(path).map(|text| (path, text)));
    let script = script.transpose().map_err(BadInput::message)?;
    let subject = Subject::of(&args.subject)?;
    let (session, opening) = subject.session()?;
    match script {
        None => screen::run(session, &opening, console)?,
        Some((path, script)) => {
            let mut lines = Lines::new(session, console);
            lines.print(&opening)?;
            lines.script(path, &script)?;
        }
    }
    Ok(Answer::about(&subject.study))
}

/// Answers commands from standard input as they come.
///
/// # Errors
/// Bad input, or a trace of another model. A mistake in a command is only told.
pub(in crate::cli) fn repl(args: &ReplArgs, console: &Console) -> Result<Answer, BadInput> {
    let subject = Subject::of(&args.subject)?;
    let (session, opening) = subject.session()?;
    let mut lines = Lines::new(session, console);
    lines.print(&opening)?;
    lines.interactive()?;
    Ok(Answer::about(&subject.study))
}
