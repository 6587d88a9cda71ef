//! The commands that the tool prints, for a person to repeat what it did.

use crate::setup::Setup;
use crate::study::Study;

/// A text as one word of a command line.
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A file's name as one word of a command line: quoted only where a shell would take it for something else.
#[must_use]
pub fn word(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._-/:,+@%=".contains(c);
    match !name.is_empty() && name.chars().all(is_plain) {
        true => name.to_owned(),
        false => quoted(name),
    }
}

/// The beginning of a command that the tool prints: the study, the sizes and the interpretation that were asked for.
#[must_use]
pub fn command(study: &Study, setup: &Setup, verb: &str) -> String {
    let mut text = format!("ioa {verb} {}", study.inputs);
    for (name, size) in &setup.sorts {
        text.push_str(&format!(" --sort {name}={size}"));
    }
    if let Some(number) = setup.interpretation {
        text.push_str(&format!(" --interpretation {number}"));
    }
    text
}
