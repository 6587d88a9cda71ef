//! `ioa completions` and `ioa man`: what the command line itself says, for shells and for `man`.

use session::study::BadInput;

use super::answer::Answer;
use crate::args::{self, CompletionsArgs, ManArgs};

/// Prints a script that completes commands and flags.
pub(super) fn completions(args: &CompletionsArgs) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "ioa", &mut script);
    Answer {
        closing: String::from_utf8_lossy(&script).into_owned(),
        ..Answer::default()
    }
}

/// Writes a page for each command.
///
/// # Errors
/// The folder cannot be written.
pub(super) fn man(args: &ManArgs) -> Result<Answer, BadInput> {
    let fail = |e: std::io::Error| {
        BadInput::message(format!("cannot write into {}: {e}", args.folder.display()))
    };
    std::fs::create_dir_all(&args.folder).map_err(fail)?;
    clap_mangen::generate_to(args::command(), &args.folder).map_err(fail)?;
    let mut answer = Answer::default();
    answer.wrote("the manual pages", &args.folder);
    Ok(answer)
}
