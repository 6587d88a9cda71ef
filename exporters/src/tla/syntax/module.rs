//! A module as a whole.

use super::layout;
use super::tree::Unit;

/// A module with its configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name; TLA+ requires the file to have this name.
    pub name: String,
    /// The module as a text.
    pub text: String,
    /// Its contents, as trees.
    pub units: Vec<Unit>,
    /// The `.cfg` for TLC.
    pub config: String,
}

impl Module {
    /// A module with a name, the modules that it extends, and its contents.
    pub(crate) fn new(
        about: &str,
        (name, extends): (String, &str),
        units: Vec<Unit>,
        config: String,
    ) -> Self {
        let body = layout::text(&units);
        let text = format!("{about}\n---- MODULE {name} ----\nEXTENDS {extends}\n\n{body}====\n");
        Self {
            name,
            text,
            units,
            config,
        }
    }
}
