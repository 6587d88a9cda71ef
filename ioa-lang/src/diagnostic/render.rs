//! Diagnostics as text for a terminal or a log.

use annotate_snippets::renderer::DecorStyle;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::source::{FileId, SourceFile, Sources, Span};

/// The width that long source lines are cut to.
const WIDTH: usize = 120;

/// No more diagnostics than this are written out: nobody reads more, and on one long line each takes its own length.
const SHOWN: usize = 100;

/// Renders diagnostics, sorted by place and without repetitions: each with its line, carets, related places and help.
///
/// `color` asks for terminal escapes. The text ends in a line break, unless there is nothing to say.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let style = match color {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    let renderer = style.decor_style(DecorStyle::Ascii).term_width(WIDTH);
    let texts: Vec<Text<'_>> = sources.iter().map(|(_, file)| Text::new(file)).collect();
    let sorted = sorted(diagnostics);
    let reports = sorted.iter().take(SHOWN).map(|diagnostic| {
        let report = [group(diagnostic, &texts)];
        renderer.render(&report) + "\n"
    });
    let mut out = reports.collect::<Vec<_>>().join("\n");
    if sorted.len() > SHOWN {
        out.push_str(&format!("\n... and {} more\n", sorted.len() - SHOWN));
    }
    out
}

/// A file with the places where its lines start.
struct Text<'a> {
    file: &'a SourceFile,
    line_starts: Vec<usize>,
}

impl<'a> Text<'a> {
    fn new(file: &'a SourceFile) -> Self {
        let behind = file.text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            file,
            line_starts: std::iter::once(0).chain(behind).collect(),
        }
    }

    /// The line that holds a byte, from 0.
    fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= at) - 1
    }

    /// The bytes of some lines, without the last line break.
    fn lines(&self, first: usize, last: usize) -> Range<usize> {
        let start = self.line_starts[first];
        let end = self.line_starts.get(last + 1);
        let text = &self.file.text[start..end.copied().unwrap_or(self.file.text.len())];
        start..start + text.trim_end_matches(['\r', '\n']).len()
    }

    /// The bytes of a span, cut at the end of its first line.
    fn first_line(&self, span: Span) -> Range<usize> {
        let text = self.file.text.as_str();
        let start = text.floor_char_boundary(span.start as usize);
        let end = text.ceil_char_boundary(span.end as usize).max(start);
        let line = &text[start..end];
        let length = line.find(['\r', '\n']).unwrap_or(line.len());
        start..start + length
    }
}

/// The numbers of errors and warnings: `2 errors, 1 warning`. Empty if there are none.
#[must_use]
pub fn summary(diagnostics: &[Diagnostic]) -> String {
    let diagnostics = sorted(diagnostics);
    let count = |severity, word| {
        let number = diagnostics
            .iter()
            .filter(|d| d.severity == severity)
            .count();
        match number {
            0 => None,
            1 => Some(format!("1 {word}")),
            _ => Some(format!("{number} {word}s")),
        }
    };
    let counts = [
        count(Severity::Error, "error"),
        count(Severity::Warning, "warning"),
    ];
    counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// By place, and none twice.
fn sorted(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| (d.span, d.severity));
    sorted.dedup();
    sorted
}

fn group<'a>(diagnostic: &'a Diagnostic, texts: &[Text<'a>]) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.name());
    let help = diagnostic
        .help
        .iter()
        .map(|help| Element::from(Level::HELP.message(help.as_str())));
    title.elements(snippets(diagnostic, texts)).elements(help)
}

/// One snippet for each file that the diagnostic points into, its own file first.
fn snippets<'a>(diagnostic: &'a Diagnostic, texts: &[Text<'a>]) -> Vec<Element<'a>> {
    let related = diagnostic.related.iter().map(|(span, _)| span.file);
    let mut files = vec![diagnostic.span.file];
    for file in related {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    let snippets = files
        .into_iter()
        .filter_map(|file| snippet(diagnostic, texts, file));
    snippets.map(Element::from).collect()
}

/// The lines of one file that a diagnostic points at, from the first to the last.
fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    texts: &[Text<'a>],
    file: FileId,
) -> Option<Snippet<'a, Annotation<'a>>> {
    let text = texts.get(file.0 as usize)?;
    let primary = (
        diagnostic.span,
        diagnostic.label.as_str(),
        AnnotationKind::Primary,
    );
    let related = diagnostic.related.iter();
    let related = related.map(|(span, label)| (*span, label.as_str(), AnnotationKind::Context));
    let marks: Vec<_> = std::iter::once(primary)
        .chain(related)
        .filter(|(span, ..)| span.file == file)
        .map(|(span, label, kind)| (text.first_line(span), label, kind))
        .collect();
    let first = text.line(marks.iter().map(|(range, ..)| range.start).min()?);
    let last = text.line(marks.iter().map(|(range, ..)| range.end).max()?);
    let lines = text.lines(first, last);
    let place = |at: usize| at.min(lines.end) - lines.start;
    let annotations = marks.into_iter().map(|(range, label, kind)| {
        let annotation = kind.span(place(range.start)..place(range.end));
        match label {
            "" => annotation,
            _ => annotation.label(label),
        }
    });
    let snippet = Snippet::source(&text.file.text[lines.clone()])
        .line_start(1 + first)
        .path(text.file.name.as_str())
        .annotations(annotations);
    Some(snippet)
}
