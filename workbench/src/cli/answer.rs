//! What a command has to say.

use std::collections::BTreeMap;
use std::time::Duration;

use session::finding::{self, Finding, Status};
use session::study::{Remark, Study, remarks};

use crate::console::Console;

/// What a command has to say.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// The study's name.
    pub study: Option<String>,
    /// The findings, in the order in which they were made.
    pub findings: Vec<Finding>,
    /// Counts that are the command's own, by name.
    pub figures: BTreeMap<&'static str, u64>,
    /// What they were expected to come to.
    pub expect: BTreeMap<String, finding::Verdict>,
    /// What the answer comes to beside its findings, where that is not "all holds".
    pub beside: Option<Status>,
    /// Doubts about the input, for people.
    pub warnings: String,
    /// The same for programs.
    pub remarks: Vec<Remark>,
    /// What the time went to, as far as the command knows.
    pub spent: Vec<(&'static str, Duration)>,
    /// What people read after the table and the counterexamples.
    pub closing: String,
}

impl Answer {
    /// An answer about a study, with the study's warnings.
    #[must_use]
    pub(super) fn about(study: &Study, console: &Console) -> Self {
        Self {
            study: Some(study.name.clone()),
            warnings: ioa_lang::diagnostic::render(
                &study.warnings,
                &study.sources,
                console.color_err,
            ),
            remarks: remarks(&study.warnings, &study.sources),
            ..Self::default()
        }
    }

    /// The exit status.
    #[must_use]
    pub(super) fn status(&self) -> Status {
        finding::status(&self.findings, &self.expect).max(self.beside.unwrap_or(Status::Holds))
    }
}
