//! What is wrong with what the user gave.

use ioa_lang::Sources;
use ioa_lang::diagnostic::{self, Diagnostic};
use serde::Serialize;

/// A diagnostic for programs.
#[derive(Clone, Debug, Serialize)]
pub struct Remark {
    /// `diagnostic`
    pub kind: &'static str,
    /// `error` or `warning`
    pub severity: &'static str,
    /// What kind of mistake it is, where it is in a text: `ioa explain` tells more of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// What is wrong.
    pub message: String,
    /// The file, where the remark is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Advice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub help: Vec<String>,
}

/// Why a command cannot begin: what is wrong with the input or the request.
#[derive(Debug, Default)]
pub struct BadInput {
    /// The texts that the diagnostics point into.
    pub sources: Sources,
    /// What is wrong with the texts.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong otherwise: a missing file, an unknown name, a bad size.
    pub messages: Vec<String>,
}

impl BadInput {
    /// A mistake that is in no text.
    #[must_use]
    pub fn message(message: impl Into<String>) -> Self {
        Self {
            messages: vec![message.into()],
            ..Self::default()
        }
    }

    /// The mistakes as people read them.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        let mut out = diagnostic::render(&self.diagnostics, &self.sources, color);
        for message in &self.messages {
            out.push_str(&format!("error: {message}\n"));
        }
        out
    }

    /// The mistakes for programs.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark> {
        let plain = self.messages.iter().map(|message| Remark {
            kind: "diagnostic",
            severity: "error",
            code: None,
            message: message.clone(),
            file: None,
            line: None,
            column: None,
            help: Vec::new(),
        });
        remarks(&self.diagnostics, &self.sources)
            .into_iter()
            .chain(plain)
            .collect()
    }
}

/// Diagnostics for programs.
#[must_use]
pub fn remarks(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Remark> {
    diagnostics
        .iter()
        .map(|d| {
            let at = sources.location(d.span);
            Remark {
                kind: "diagnostic",
                severity: match d.severity {
                    diagnostic::Severity::Error => "error",
                    diagnostic::Severity::Warning => "warning",
                },
                code: Some(d.code.name()),
                message: d.message.clone(),
                file: Some(at.file),
                line: Some(at.line),
                column: Some(at.column),
                help: d.help.clone(),
            }
        })
        .collect()
}
