//! A module as a whole.

use super::layout;
use super::tree::Unit;

/// A module with its configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name; TLA+ wants its file to be called so.
    pub name: String,
    /// The module as a text.
    pub text: String,
    /// What stands in it, as trees.
    pub units: Vec<Unit>,
    /// The `.cfg` for TLC.
    pub config: String,
}

impl Module {
    /// A module that is called so and extends others, with what stands in it.
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
