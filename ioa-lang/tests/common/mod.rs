//! Fixtures: IOA text with the expected diagnostics written beside the lines that cause them.
//!
//! `%! error: text` (or `warning:`) at the end of a line expects one diagnostic that starts on this line and whose
//! message contains the text; `%! help: text` and `%! note: text` expect it among the help, or the label and the other
//! places, of a diagnostic of this line. A line may carry several. Errors and warnings must be listed in full, the rest
//! need not.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use ioa_lang::diagnostic::Code;
use ioa_lang::{Diagnostic, Severity, Sources, Span};

/// Something that a fixture expects.
struct Expectation {
    line: usize,
    kind: String,
    text: String,
}

/// Compares every `.ioa` fixture of a folder with what `diagnose` says about it.
pub(crate) fn verify_folder(folder: &str, diagnose: impl Fn(&Sources) -> Vec<Diagnostic>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of fixtures is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "ioa"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no fixtures in {}", folder.display());
    let mut complaints = String::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a fixture can be read");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut sources = Sources::new();
        sources.add(name, text.clone());
        let found = diagnose(&sources);
        complaints.push_str(&compare(&text, &sources, &found));
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// What is expected and was not found, and what was found and is not expected.
fn compare(text: &str, sources: &Sources, found: &[Diagnostic]) -> String {
    let mut complaints = String::new();
    let mut unexpected: Vec<&Diagnostic> = found.iter().collect();
    let line_of = |d: &Diagnostic| sources.location(d.span).line;
    let name = &sources.location(Span::default()).file;
    for expected in expectations(text) {
        let met = match &*expected.kind {
            "help" | "note" => found
                .iter()
                .any(|d| line_of(d) == expected.line && accompanies(d, &expected)),
            _ => {
                let position = unexpected.iter().position(|d| {
                    line_of(d) == expected.line
                        && severity(d) == expected.kind
                        && d.message.contains(&expected.text)
                });
                position
                    .map(|position| unexpected.remove(position))
                    .is_some()
            }
        };
        if !met {
            let Expectation { line, kind, text } = expected;
            writeln!(complaints, "{name}:{line}: not found: {kind}: {text}").expect("a string");
        }
    }
    for d in unexpected {
        let place = sources.location(d.span);
        let kind = severity(d);
        writeln!(complaints, "{place}: not expected: {kind}: {}", d.message).expect("a string");
    }
    complaints
}

fn accompanies(diagnostic: &Diagnostic, expected: &Expectation) -> bool {
    let contains = |text: &String| text.contains(&expected.text);
    if expected.kind == "help" {
        return diagnostic.help.iter().any(contains);
    }
    contains(&diagnostic.label) || diagnostic.related.iter().any(|(_, text)| contains(text))
}

fn severity(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn expectations(text: &str) -> Vec<Expectation> {
    let mut expectations = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for expected in line.split("%!").skip(1) {
            let (kind, text) = expected
                .split_once(':')
                .unwrap_or_else(|| panic!("line {}: `%! kind: text`", number + 1));
            let kind = kind.trim().to_owned();
            assert!(
                ["error", "warning", "help", "note"].contains(&&*kind),
                "line {}: no such kind of diagnostic: {kind}",
                number + 1
            );
            expectations.push(Expectation {
                line: number + 1,
                kind,
                text: text.trim().to_owned(),
            });
        }
    }
    expectations
}

/// The harness itself must say no.
#[test]
fn unmet_and_unlisted_diagnostics_are_complaints() {
    let text = "first %! error: one\nsecond\n";
    let mut sources = Sources::new();
    let file = sources.add("t.ioa", text);
    let at = |start| Span::new(file, start, start + 1);
    let right = Diagnostic::error(Code::Unexpected, at(0), "this is one mistake");
    assert_eq!(compare(text, &sources, std::slice::from_ref(&right)), "");
    let elsewhere = Diagnostic::error(Code::Unexpected, at(20), "this is one mistake");
    let complaints = compare(text, &sources, &[elsewhere]);
    assert!(complaints.contains("t.ioa:1: not found: error: one"));
    assert!(
        complaints.contains("t.ioa:2:1: not expected: error"),
        "{complaints}"
    );
    let milder = Diagnostic::warning(Code::Unexpected, at(0), "this is one mistake");
    assert!(!compare(text, &sources, &[milder]).is_empty());
}
