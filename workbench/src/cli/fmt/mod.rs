//! `ioa fmt`: write files in the canonical layout, or show how they differ from it.

mod diff;

use std::path::Path;

use ioa_lang::format::format;
use session::finding::Status;
use session::study::{BadInput, Remark};

use super::answer::Answer;
use crate::args::FmtArgs;
use crate::files;
use crate::reading;

/// Formats the inputs, each by itself.
///
/// # Errors
/// Every file that cannot be read, parsed or written, with the mistakes in it. The others are formatted all the same.
pub(super) fn run(args: &FmtArgs) -> Result<Answer, BadInput> {
    let mut job = Job {
        check: args.check,
        ..Job::default()
    };
    for path in reading::paths(&args.common.inputs)? {
        if let Err(message) = job.file(&path) {
            job.bad.messages.push(message);
        }
    }
    job.answer()
}

/// The work on several files.
#[derive(Default)]
struct Job {
    check: bool,
    files: usize,
    /// The differences from the canonical layout.
    diffs: String,
    changed: Vec<Remark>,
    bad: BadInput,
}

impl Job {
    fn file(&mut self, path: &Path) -> Result<(), String> {
        let shown = path.display().to_string();
        let text = files::read_text(path)?;
        let file = self.bad.sources.add(shown.clone(), text.clone());
        self.files += 1;
        match format(file, &text) {
            Err(mistakes) => self.bad.diagnostics.extend(mistakes),
            Ok(tidy) if tidy == text => {}
            Ok(tidy) if self.check => {
                self.differs(shown.clone(), &text, &tidy);
                let title = format!("{shown} (formatted)");
                let diff = diff::unified((&shown, &text), (&title, &tidy));
                self.diffs.push_str(&diff);
            }
            Ok(tidy) if !matches!(format(file, &tidy), Ok(again) if again == tidy) => {
                // Whatever the mistake in the layout, nothing of a file may be lost by it.
                return Err(format!(
                    "{shown} is left unchanged: formatting it twice would not give the same text as formatting it once"
                ));
            }
            Ok(tidy) => {
                files::replace_whole(path, &tidy)?;
                self.differs(shown, &text, &tidy);
            }
        }
        Ok(())
    }

    /// Remembers that a file has, or had, another layout.
    fn differs(&mut self, file: String, text: &str, tidy: &str) {
        let same = text
            .lines()
            .zip(tidy.lines())
            .take_while(|(old, new)| old == new);
        let message = match self.check {
            true => "not in the canonical layout",
            false => "formatted",
        };
        self.changed.push(Remark {
            kind: "layout",
            severity: "warning",
            code: None,
            message: message.to_owned(),
            line: Some(same.count() + 1),
            file: Some(file),
            column: None,
            help: Vec::new(),
        });
    }

    fn answer(self) -> Result<Answer, BadInput> {
        if !self.bad.diagnostics.is_empty() || !self.bad.messages.is_empty() {
            return Err(self.bad);
        }
        let done = match self.check {
            true => "would change",
            false => "formatted",
        };
        let names = self.changed.iter().flat_map(|remark| &remark.file);
        let mut closing = self.diffs;
        closing.extend(names.map(|name| format!("{done}: {name}\n")));
        let files = match self.files {
            1 => "1 file".to_owned(),
            many => format!("{many} files"),
        };
        closing.push_str(&format!("{files}, {done}: {}\n", self.changed.len()));
        Ok(Answer {
            beside: (self.check && !self.changed.is_empty()).then_some(Status::Violation),
            remarks: self.changed,
            closing,
            ..Answer::default()
        })
    }
}
