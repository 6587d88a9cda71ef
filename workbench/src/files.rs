//! Reading what the user names and writing what the tool makes, with errors that say which file and why.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

/// No input file may be larger than this, in bytes: a model is text that a person wrote.
const MAX_INPUT_BYTES: u64 = 64 << 20;

/// Reads a text file.
///
/// # Errors
/// Says in one sentence what is wrong: missing, unreadable, a folder, too large, or not UTF-8 (with the offset of the
/// first bad byte).
pub fn read_text(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let file = fs::File::open(path).map_err(|e| format!("cannot open {shown}: {}", reason(&e)))?;
    let kind = file
        .metadata()
        .map_err(|e| format!("cannot read {shown}: {}", reason(&e)))?;
    if kind.is_dir() {
        return Err(format!("{shown} is a folder, not a file"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_INPUT_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| format!("cannot read {shown}: {}", reason(&e)))?;
    if bytes.len() as u64 > MAX_INPUT_BYTES {
        return Err(format!(
            "{shown} is larger than {} MiB",
            MAX_INPUT_BYTES >> 20
        ));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        format!("{shown} is not a text file: byte {at} is not UTF-8")
    })
}

/// Writes a file as a whole or not at all: to a temporary neighbour first, then by renaming it.
///
/// # Errors
/// Says in one sentence what is wrong; an old file of that name is then untouched.
pub fn write_whole(path: &Path, text: &str) -> Result<(), String> {
    let fail = |e: std::io::Error| format!("cannot write {}: {}", path.display(), reason(&e));
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder).map_err(fail)?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(fail)?;
    file.write_all(text.as_bytes()).map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

/// The operating system's reason without its error number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}
