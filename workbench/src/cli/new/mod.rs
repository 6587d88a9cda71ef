//! `ioa new`: a study to begin with, which verifies as it stands.

use std::fs;
use std::path::Path;

use session::study::BadInput;

use super::answer::Answer;
use crate::args::NewArgs;

/// The files of a new study.
const FILES: [(&str, &str); 5] = [
    ("lock.ioa", include_str!("lock.ioa")),
    ("server.ioa", include_str!("server.ioa")),
    ("refinement.ioa", include_str!("refinement.ioa")),
    ("turns.ndr", include_str!("turns.ndr")),
    ("ioa.toml", include_str!("ioa.toml")),
];

/// Writes a new study into a folder of its own.
///
/// # Errors
/// A name that is no folder's, something of that name that is there already, or a folder that cannot be written.
pub(super) fn run(args: &NewArgs) -> Result<Answer, BadInput> {
    let folder = &args.folder;
    let name = study_name(folder)?;
    create(folder, &name).map_err(BadInput::message)?;
    let shown = folder.display();
    Ok(Answer {
        closing: format!("wrote a study into {shown}; look around, then: ioa verify {shown}\n"),
        ..Answer::default()
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
fn create(folder: &Path, name: &str) -> Result<(), String> {
    let fail = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!("{} is there already: name another folder", folder.display())
        }
        _ => format!("cannot write {}: {e}", folder.display()),
    };
    fs::create_dir(folder).map_err(fail)?;
    for (file, text) in FILES {
        fs::write(folder.join(file), text.replace("NAME", name)).map_err(fail)?;
    }
    Ok(())
}
