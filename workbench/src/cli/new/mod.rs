//! `ioa new`: a study to begin with, which verifies as it stands, or the skeleton of a simulation. Each template is a folder
//! here.

use std::fs;
use std::path::Path;

use session::pipeline::pairs::skeleton;
use session::study::BadInput;

use super::answer::Answer;
use crate::args::{NewArgs, NewPart, NewSimulationArgs, Template};
use crate::reading;

/// The files of a study of this kind: their names and what is in them.
fn files(template: Template) -> &'static [(&'static str, &'static str)] {
    /// Files of a folder beside this one.
    macro_rules! files {
        ($folder:literal: $($name:literal)*) => {
            &[$(($name, include_str!(concat!($folder, "/", $name)))),*]
        };
    }
    match template {
        Template::Lock => {
            files!("lock": "lock.ioa" "server.ioa" "refinement.ioa" "turns.ndr" "ioa.toml")
        }
        Template::Messages => {
            files!("messages": "service.ioa" "system.ioa" "refinement.ioa" "ioa.toml")
        }
        Template::Register => {
            files!("register": "register.ioa" "caches.ioa" "refinement.ioa" "ioa.toml")
        }
        Template::Ring => files!("ring": "ring.ioa" "ioa.toml"),
        Template::Empty => files!("empty": "model.ioa" "ioa.toml"),
    }
}

/// Writes a new study into a folder of its own, or prints the skeleton of what is to be begun within one.
///
/// # Errors
/// A name that is no folder's, something of that name that is there already, or a folder that cannot be written; mistakes in
/// the files that a skeleton is for.
pub(super) fn run(args: &NewArgs) -> Result<Answer, BadInput> {
    match (&args.part, &args.folder) {
        (Some(NewPart::Simulation(args)), _) => simulation(args),
        (None, Some(folder)) => new_study(folder, args.template),
        (None, None) => Err(BadInput::message("a name for the study is missing")),
    }
}

fn new_study(folder: &Path, template: Template) -> Result<Answer, BadInput> {
    let name = study_name(folder)?;
    create(folder, &name, files(template)).map_err(BadInput::message)?;
    let shown = folder.display();
    Ok(Answer {
        closing: format!("wrote a study into {shown}; look around, then: ioa verify {shown}\n"),
        written: vec![folder.to_owned()],
        ..Answer::default()
    })
}

fn simulation(args: &NewSimulationArgs) -> Result<Answer, BadInput> {
    let study = reading::study(&args.inputs)?;
    Ok(Answer {
        closing: skeleton::simulation(&study, &args.low, &args.high)?,
        ..Answer::about(&study)
    })
}

/// The folder's own name: what stands in the manifest.
fn study_name(folder: &Path) -> Result<String, BadInput> {
    let name = folder.file_name().and_then(|name| name.to_str());
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    match name {
        Some(name) if name.chars().all(plain) => Ok(name.to_owned()),
        _ => Err(BadInput::message(format!(
            "{} does not name a study: expected letters, digits, `-`, `_` and `.`",
            folder.display()
        ))),
    }
}

/// Makes the folder, which must not be there yet, so that nothing of the user's is ever written over.
fn create(folder: &Path, name: &str, files: &[(&str, &str)]) -> Result<(), String> {
    let fail = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!("{} is there already: name another folder", folder.display())
        }
        _ => format!("cannot write {}: {e}", folder.display()),
    };
    fs::create_dir(folder).map_err(fail)?;
    for (file, text) in files {
        fs::write(folder.join(file), text.replace("NAME", name)).map_err(fail)?;
    }
    Ok(())
}
