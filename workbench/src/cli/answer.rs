//! What a command has to say.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use interpreter::Instance;
use interpreter::trace::{self, About, Trace};
use ioa_lang::diagnostic::Diagnostic;
use session::finding::{self, Finding, Status};
use session::study::{Remark, Study, remarks};

use crate::console::Console;
use crate::files::{self, Made};

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
    /// The files and folders that were written because they were asked for, except those of `--junit` and `--sarif`.
    pub written: Vec<PathBuf>,
    /// Why others could not be written.
    pub unwritten: Vec<String>,
}

impl Answer {
    /// An answer about a study, whose warnings are counted: people see them in full when they check or verify the study, and
    /// not with each question after that.
    #[must_use]
    pub(super) fn about(study: &Study) -> Self {
        Self {
            study: Some(study.name.clone()),
            warnings: warned(&study.warnings),
            remarks: remarks(&study.warnings, &study.sources),
            ..Self::default()
        }
    }

    /// An answer that shows the warnings about a study.
    #[must_use]
    pub(super) fn with_warnings(study: &Study, console: &Console) -> Self {
        let (sources, color) = (&study.sources, console.color_err);
        Self {
            warnings: ioa_lang::diagnostic::render(&study.warnings, sources, color),
            ..Self::about(study)
        }
    }

    /// Writes something into a file that was asked for, and says so. If it cannot be written, that is said after the answer, and
    /// nothing of the answer is lost.
    pub(super) fn write(&mut self, (what, made): (&str, Made), path: &Path, text: &str) {
        if self.try_write(path, text, made) {
            self.say_written(what, path);
        }
    }

    /// The same, but says nothing where it could be written. Returns whether it could.
    pub(super) fn try_write(&mut self, path: &Path, text: &str, made: Made) -> bool {
        let done = files::write_whole(path, text, made);
        let is_done = done.is_ok();
        match done {
            Ok(()) => self.written.push(path.to_owned()),
            Err(why) => self.unwritten.push(why),
        }
        is_done
    }

    /// Says that something was written into a file or folder.
    pub(super) fn wrote(&mut self, what: &str, path: &Path) {
        self.say_written(what, path);
        self.written.push(path.to_owned());
    }

    fn say_written(&mut self, what: &str, path: &Path) {
        let line = format!("wrote {what} to {}\n", path.display());
        self.closing.push_str(&line);
    }

    /// [Writes](Self::write) a trace of an instance into a file.
    pub(super) fn write_trace(
        &mut self,
        (instance, trace): (&Instance, &Trace),
        (about, what): (&About, &str),
        path: &Path,
    ) {
        let text = trace::write(instance, trace, about);
        self.write((what, Made::Trace), path, &text);
    }

    /// The exit status.
    #[must_use]
    pub(super) fn status(&self) -> Status {
        let beside = self.beside.unwrap_or(Status::Holds);
        let unwritten = match self.unwritten.is_empty() {
            true => Status::Holds,
            false => Status::BadInput,
        };
        (finding::status(&self.findings, &self.expect).max(beside)).max(unwritten)
    }
}

/// How many warnings there are, with their codes: `2 warnings about the texts (W101): ioa check shows them`.
fn warned(warnings: &[Diagnostic]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let codes: BTreeSet<&str> = warnings.iter().map(|w| w.code.name()).collect();
    let codes: Vec<&str> = codes.into_iter().collect();
    let (number, them) = match warnings {
        [_] => ("1 warning".to_owned(), "it"),
        many => (format!("{} warnings", many.len()), "them"),
    };
    format!(
        "{number} about the texts ({}): ioa check shows {them}\n",
        codes.join(", ")
    )
}
