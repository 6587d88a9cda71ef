//! Diagnostics: what is wrong with a source text, for people. The wording is chosen where the mistake is found; all
//! diagnostics are rendered in one place.

mod code;
mod render;

pub use code::Code;
pub use render::{render, summary};

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model has no meaning until this is mended.
    Error,
    /// The model has a meaning, though probably not the intended one.
    Warning,
}

/// One mistake (or doubt) at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of diagnostic it is.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong. If the reader sees only one line, it is this one.
    pub message: String,
    /// Where.
    pub span: Span,
    /// The text beside the caret: what was expected there, what was found. May be empty.
    pub label: String,
    /// Other places that matter, each with what it contributes.
    pub related: Vec<(Span, String)>,
    /// What the reader might do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    #[must_use]
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            help: Vec::new(),
        }
    }

    /// A warning at `span`.
    #[must_use]
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, span, message)
        }
    }

    /// Sets the text under the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}

/// Whether any of these is an error.
#[must_use]
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// The known name nearest to a misspelt one, if one is near enough to be worth suggesting.
#[must_use]
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = wanted.chars().count();
    // Any letter is near to any other.
    let allowed = (1 + letters / 4).min(letters.saturating_sub(1));
    known
        .into_iter()
        .filter(|name| *name != wanted)
        .map(|name| {
            (
                strsim::damerau_levenshtein(&wanted.to_lowercase(), &name.to_lowercase()),
                name,
            )
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, name)| name)
}
