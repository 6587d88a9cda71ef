//! The JSON document that every command can print.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use session::finding::Finding;
use session::study::Remark;

/// What a command found, for programs.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    /// The version of the form of this document; it grows when a field is renamed, removed or changes its meaning.
    pub format: u32,
    /// The command's name.
    pub command: &'static str,
    /// The exit status.
    pub exit: u8,
    /// The study's name, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<String>,
    /// The findings, in the order in which they were made.
    pub results: Vec<Finding>,
    /// What is wrong with the input, or doubtful about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Remark>,
    /// Counts that are the command's own: `distinct_states` and the like of an exploration.
    #[serde(flatten)]
    pub figures: BTreeMap<&'static str, u64>,
    /// What was written because it was asked for: the files of modules, traces, graphs, candidates and obligations, and the folders
    /// of new studies and manual pages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<PathBuf>,
    /// Wall time of the command.
    pub seconds: f64,
}

/// The form of the documents that are written now.
pub const FORMAT: u32 = 1;

impl Document {
    /// The document as text, ending in a line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("findings have string keys only");
        text.push('\n');
        text
    }
}
