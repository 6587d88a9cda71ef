//! IOA text in the guide, with the expected diagnostics as comments at the lines that cause them.
//!
//! `% error: message` at the end of a line, or on lines of its own below it, states a diagnostic that starts on that
//! line: `error` and `warning` in full and with the whole message, `help` and `note` where the guide cares to show
//! them.

use ioa_lang::{Diagnostic, Severity};

const KINDS: [&str; 4] = ["error", "warning", "help", "note"];

/// As wide as a line of the guide may become before an expectation moves to the next line.
const WIDTH: usize = 100;

/// Something that is said of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    kind: &'static str,
    text: String,
}

/// A line of code with what is expected of it.
#[derive(Debug)]
struct Line<'a> {
    /// The line without expectations.
    code: &'a str,
    expected: Vec<Said>,
}

/// What differs between the expectations of a listing and the diagnostics of its lines (each with its line, from 0), and
/// the listing as it should be.
pub(crate) fn compare(text: &str, found: &[(usize, &Diagnostic)]) -> (Vec<String>, String) {
    let mut complaints = Vec::new();
    let mut updated = String::new();
    for (numbers, line) in lines(text) {
        let of_line = found.iter().filter(|(number, _)| numbers.contains(number));
        let diagnostics: Vec<&Diagnostic> = of_line.map(|(_, diagnostic)| *diagnostic).collect();
        let missing = line.differences(&diagnostics);
        let mut said: Vec<Said> = match missing.is_empty() {
            true => line.expected.clone(),
            false => diagnostics
                .iter()
                .flat_map(|diagnostic| facts(diagnostic, false))
                .collect(),
        };
        said.dedup();
        let at = numbers.start;
        complaints.extend(
            missing
                .into_iter()
                .map(|what| format!("line {}: {what}", at + 1)),
        );
        updated.push_str(&written(line.code, &said));
    }
    (complaints, updated)
}

impl Line<'_> {
    fn differences(&self, diagnostics: &[&Diagnostic]) -> Vec<String> {
        let mut differences = Vec::new();
        let facts: Vec<Said> = diagnostics.iter().flat_map(|d| facts(d, true)).collect();
        for expected in &self.expected {
            if !facts.iter().any(|fact| fact == expected) {
                differences.push(format!("not found: {}: {}", expected.kind, expected.text));
            }
        }
        for fact in facts
            .iter()
            .filter(|fact| matches!(fact.kind, "error" | "warning"))
        {
            if !self.expected.contains(fact) {
                differences.push(format!("not expected: {}: {}", fact.kind, fact.text));
            }
        }
        differences
    }
}

/// What a diagnostic says; with its notes where they are asked for.
fn facts(diagnostic: &Diagnostic, notes: bool) -> Vec<Said> {
    let kind = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let said = |kind, text: &String| Said {
        kind,
        text: text.clone(),
    };
    let mut facts = vec![said(kind, &diagnostic.message)];
    facts.extend(diagnostic.help.iter().map(|text| said("help", text)));
    if notes {
        let related = diagnostic.related.iter().map(|(_, text)| text);
        let texts = std::iter::once(&diagnostic.label).chain(related);
        facts.extend(texts.map(|text| said("note", text)));
    }
    facts
}

/// The lines of code of a listing, each with the numbers of all its lines.
fn lines(text: &str) -> Vec<(std::ops::Range<usize>, Line<'_>)> {
    let mut lines: Vec<(std::ops::Range<usize>, Line<'_>)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let (code, expected) = split(line);
        match lines.last_mut() {
            Some((numbers, last)) if code.trim().is_empty() && expected.is_some() => {
                last.expected.extend(expected);
                numbers.end = number + 1;
            }
            _ => lines.push((
                number..number + 1,
                Line {
                    code,
                    expected: expected.into_iter().collect(),
                },
            )),
        }
    }
    lines
}

/// A line without the expectation at its end.
fn split(line: &str) -> (&str, Option<Said>) {
    for kind in KINDS {
        if let Some(at) = line.find(&format!("% {kind}: ")) {
            let text = line[at + kind.len() + 4..].trim().to_owned();
            return (line[..at].trim_end(), Some(Said { kind, text }));
        }
    }
    (line, None)
}

fn written(code: &str, said: &[Said]) -> String {
    let comment = |said: &Said| format!("% {}: {}", said.kind, said.text);
    let indent = " ".repeat(code.len() - code.trim_start().len());
    let mut rest = said;
    let mut out = code.to_owned();
    if let [first, more @ ..] = said
        && code.chars().count() + 2 + comment(first).chars().count() <= WIDTH
    {
        out.push_str(&format!("  {}", comment(first)));
        rest = more;
    }
    out.push('\n');
    for said in rest {
        out.push_str(&format!("{indent}{}\n", comment(said)));
    }
    out
}

#[test]
fn what_is_not_expected_and_what_is_not_found_are_complaints() {
    let mut sources = ioa_lang::Sources::new();
    let file = sources.add("t.ioa", "");
    let at = ioa_lang::Span::new(file, 0, 0);
    let bad = Diagnostic::error(ioa_lang::diagnostic::Code::Unexpected, at, "this is bad")
        .help("mend it");
    let text = "one  % error: this is bad\ntwo\n  % help: mend it\n";
    assert_eq!(
        compare(text, &[(0, &bad)]).0,
        ["line 2: not found: help: mend it"]
    );
    assert_eq!(
        compare(text, &[(0, &bad), (1, &bad)]).0,
        ["line 2: not expected: error: this is bad"]
    );
    assert_eq!(compare("one  % error: this\n", &[(0, &bad)]).0.len(), 2);
    let (complaints, updated) = compare("one % error: old\ntwo % a comment\n", &[(1, &bad)]);
    assert_eq!(complaints.len(), 2);
    assert_eq!(
        updated,
        "one\ntwo % a comment  % error: this is bad\n% help: mend it\n"
    );
    assert_eq!(
        compare(&updated, &[(1, &bad)]),
        (Vec::new(), updated.clone())
    );
}
