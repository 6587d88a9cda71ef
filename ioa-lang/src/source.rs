//! Source files and the spans that point into them.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A name as the user wrote it. Cheap to clone: every later stage shares the text.
pub type Name = Arc<str>;

/// Index of a file in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A range of bytes `start..end` in one source file.
///
/// A span hashes to nothing: two cores that differ only in layout or comments have the same
/// [fingerprint](crate::core::fingerprint), so a trace survives a reformatting of its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Hash for Span {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Span {
    /// The span of `start..end` in `file`.
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            file,
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// Whether another span lies in this one.
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that covers both, which must lie in one file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.file, other.file);
        Self {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// One source file: its name as shown to the user, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name shown in diagnostics, as the user gave it.
    pub name: String,
    /// The text.
    pub text: String,
    /// Whether it is part of a library: of its automata only those belong to a model that other files need.
    pub library: bool,
}

/// All source files of a model, in the order in which they were given.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

/// A position for people: file name, line and column, both counted from 1, the column in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file's name.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Sources {
    /// No files yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and returns its index.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.add_file(SourceFile {
            name: name.into(),
            text: text.into(),
            library: false,
        })
    }

    /// Adds a file or a part of a library, and returns its index.
    pub fn add_file(&mut self, file: SourceFile) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).expect("fewer than 2^32 files"));
        self.files.push(file);
        id
    }

    /// The file with this index.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files with their indices.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The text under a span; empty where the span points nowhere.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.files
            .get(span.file.0 as usize)
            .and_then(|file| file.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    /// Where a span starts, for people.
    #[must_use]
    pub fn location(&self, span: Span) -> Location {
        let Some(file) = self.files.get(span.file.0 as usize) else {
            return Location {
                file: "<unknown>".into(),
                line: 1,
                column: 1,
            };
        };
        let before = file.text.get(..span.start as usize).unwrap_or(&file.text);
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Location {
            file: file.name.clone(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sources, Span};

    fn one_line(text: &str) -> String {
        let mut sources = Sources::new();
        let file = sources.add("a.ioa", text);
        sources.one_line(Span::new(file, 0, text.len()))
    }

    #[test]
    fn comments_are_dropped_and_white_space_is_folded() {
        assert_eq!(one_line(" a /\\   % why\n\t b=c "), "a /\\ b=c");
    }

    #[test]
    fn a_literal_stays_as_it_is_written() {
        for text in [r#"rate = "50 %  off" % ten"#, r"sign = '%' % a sign"] {
            let (term, _) = text.rsplit_once(" % ").expect("a comment ends it");
            assert_eq!(one_line(text), term);
        }
    }
}
