//! `ioa debug` and `ioa repl`: an execution, forward and back, in a terminal, from a script or line by line.

mod lines;
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
    let Some(path) = &args.script else {
        return Err(BadInput::message(
            "the debugger reads its commands from a file: name one with --script, or type them into `ioa repl`",
        ));
    };
    let script = files::read_text(path).map_err(BadInput::message)?;
    let subject = Subject::of(&args.subject)?;
    let (debugger, opening) = subject.debugger()?;
    let mut lines = Lines::new(&subject, debugger, console);
    lines.print(&opening)?;
    lines.script(path, &script)?;
    Ok(Answer::about(&subject.study, console))
}

/// Answers commands from standard input as they come.
///
/// # Errors
/// Bad input, or a trace of another model. A mistake in a command is only told.
pub(in crate::cli) fn repl(args: &ReplArgs, console: &Console) -> Result<Answer, BadInput> {
    let subject = Subject::of(&args.subject)?;
    let (debugger, opening) = subject.debugger()?;
    let mut lines = Lines::new(&subject, debugger, console);
    lines.print(&opening)?;
    lines.interactive()?;
    Ok(Answer::about(&subject.study, console))
}
