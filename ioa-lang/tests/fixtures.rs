//! Every file in `tests/fixtures` says beside each line what is wrong with it: `%! error: message`, and where the advice
//! matters, `%! help: advice`. A mistake that is not expected fails the test, and so does an expectation not met.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ioa_lang::syntax::parse;
use ioa_lang::{Diagnostic, Severity, Sources};

/// A line and what is said there.
type Remark = (usize, String);

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let entries = fs::read_dir(folder).expect("there are fixtures");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    paths
}

/// What a fixture says that it expects.
fn expected(text: &str) -> BTreeSet<Remark> {
    let lines = text.lines().zip(1..);
    let remarks = lines.flat_map(|(line, number)| {
        let remarks = line.split("%!").skip(1);
        remarks.map(move |remark| (number, remark.trim().to_string()))
    });
    remarks.collect()
}

/// What the parser says; advice only where the fixture asks for it.
fn actual(text: &str, expected: &BTreeSet<Remark>) -> BTreeSet<Remark> {
    let mut sources = Sources::new();
    let file = sources.add("fixture", text);
    let remarks = |diagnostic: &Diagnostic| {
        let line = sources.location(diagnostic.span).line;
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let message = (line, format!("{severity}: {}", diagnostic.message));
        let help = diagnostic
            .help
            .iter()
            .map(|help| (line, format!("help: {help}")));
        let help: Vec<Remark> = help.filter(|remark| expected.contains(remark)).collect();
        [message].into_iter().chain(help).collect::<Vec<_>>()
    };
    parse(file, text)
        .diagnostics
        .iter()
        .flat_map(remarks)
        .collect()
}

#[test]
fn fixtures_get_the_diagnostics_they_expect() {
    let mut wrong = String::new();
    for path in fixtures() {
        let text = fs::read_to_string(&path).expect("readable");
        let expected = expected(&text);
        let actual = actual(&text, &expected);
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for (line, remark) in expected.difference(&actual) {
            wrong += &format!("{name}:{line}: expected, but not said: {remark}\n");
        }
        for (line, remark) in actual.difference(&expected) {
            wrong += &format!("{name}:{line}: said, but not expected: {remark}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_comparison_can_fail() {
    let expected_remarks = expected("type Node %! error: nothing\n");
    assert_eq!(expected_remarks.len(), 1);
    assert!(actual("type Node\n", &expected_remarks).is_empty());
    assert_eq!(actual("type\n", &BTreeSet::new()).len(), 1);
}
