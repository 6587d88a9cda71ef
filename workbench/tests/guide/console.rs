//! Commands in the guide, with what they print.
//!
//! A line that starts with `$ ` is a command; what follows is what it prints, on standard output and then on standard
//! error. A line `...` stands for any lines, `...` within a line for any text, and what is measured (durations, memory,
//! rates) for any measure. An exit status that is not 0 is stated at the end: `(exit status 1)`.

use std::path::Path;
use std::process::Command;

/// What differs between what a block says its commands print and what they do print, and the block as it should be.
pub(crate) fn compare(text: &str, folder: &Path) -> (Vec<String>, String) {
    let mut complaints = Vec::new();
    let mut updated = String::new();
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        updated.push_str(&format!("{line}\n"));
        let Some(command) = line.strip_prefix("$ ") else {
            complaints.push(format!("not a command: {line}"));
            continue;
        };
        let mut expected = Vec::new();
        while let Some(line) = rest.next_if(|line| !line.starts_with("$ ")) {
            expected.push(line);
        }
        let printed = run(command, folder);
        let printed: Vec<&str> = printed.lines().collect();
        match matches(&expected, &printed) {
            true => expected
                .iter()
                .for_each(|line| updated.push_str(&format!("{line}\n"))),
            false => {
                complaints.push(format!("$ {command}\n{}", printed.join("\n")));
                printed
                    .iter()
                    .for_each(|line| updated.push_str(&format!("{line}\n")));
            }
        }
    }
    (complaints, updated)
}

/// Runs a command line that starts with `ioa` or `cat`, and says what it printed.
fn run(command: &str, folder: &Path) -> String {
    let words = words(command);
    let (program, args) = words.split_first().expect("a command has a name");
    let program = match program.as_str() {
        "ioa" => env!("CARGO_BIN_EXE_ioa"),
        "cat" => "cat",
        other => panic!("the guide runs `ioa` and `cat` alone, not `{other}`"),
    };
    let output = Command::new(program)
        .args(args)
        .current_dir(folder)
        .env("IOA_CACHE", "")
        .output()
        .unwrap_or_else(|e| panic!("{command}: {e}"));
    let mut printed = String::from_utf8_lossy(&output.stdout).into_owned();
    printed.push_str(&String::from_utf8_lossy(&output.stderr));
    match output.status.code() {
        Some(0) => printed,
        Some(code) => printed + &format!("(exit status {code})\n"),
        None => panic!("{command} was killed"),
    }
}

/// The words of a command line; double quotes hold blanks together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in command.split('"').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// Whether what is printed is as expected. An elision does not cover the exit status.
fn matches(expected: &[&str], printed: &[&str]) -> bool {
    let (expected, printed) = (whole_rows(expected), whole_rows(printed));
    let (expected, printed) = (status_apart(&expected), status_apart(&printed));
    expected.1 == printed.1 && lines_match(expected.0, printed.0)
}

/// The lines, where rows of a table that go on in the next line are one: where they break depends on how wide the
/// column of the durations is.
fn whole_rows(lines: &[&str]) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    for line in lines {
        let (last, more) = (whole.last().and_then(|last| cells(last)), cells(line));
        match (last, more) {
            (Some(last), Some(more)) if more[0].is_empty() && more.len() == last.len() => {
                let joined = last.iter().zip(&more).map(|(a, b)| format!("{a} {b}"));
                let row = format!("│ {} │", joined.collect::<Vec<_>>().join(" ┆ "));
                whole.pop();
                whole.push(row);
            }
            _ => whole.push((*line).to_owned()),
        }
    }
    whole
}

/// The cells of a row of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.strip_prefix('│')?.strip_suffix('│')?;
    Some(inside.split('┆').map(str::trim).collect())
}

/// The lines without the exit status at their end, and the exit status.
fn status_apart(lines: &[String]) -> (&[String], Option<&str>) {
    match lines {
        [before @ .., last] if last.starts_with("(exit status ") => (before, Some(last)),
        _ => (lines, None),
    }
}

fn lines_match(expected: &[String], printed: &[String]) -> bool {
    match (expected, printed) {
        ([], []) => true,
        ([first, more @ ..], _) if first == "..." => {
            (0..=printed.len()).any(|skip| lines_match(more, &printed[skip..]))
        }
        ([first, more @ ..], [line, rest @ ..]) => {
            line_matches(first, line) && lines_match(more, rest)
        }
        _ => false,
    }
}

fn line_matches(expected: &str, printed: &str) -> bool {
    let (expected, printed) = (normal(expected), normal(printed));
    let mut parts = expected.split("...");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

/// Units of what is measured: durations, memory, rates.
const UNITS: [&str; 15] = [
    "ns",
    "us",
    "ms",
    "s",
    "min",
    "B",
    "KiB",
    "MiB",
    "GiB",
    "states/s",
    "representatives/s",
    "generated/s",
    "orders/s",
    "steps/s",
    "bytes/state",
];

/// A line with each measured quantity replaced by a sign, and without what depends on the width of a table.
fn normal(line: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in line.split_whitespace() {
        let is_unit = UNITS.contains(&word.trim_end_matches([',', ';']));
        match words.last_mut() {
            Some(last) if is_unit && is_number(last) => *last = "<measured>",
            _ => words.push(word),
        }
    }
    let joined = words.join(" ");
    let mut out = String::with_capacity(joined.len());
    for c in joined.chars() {
        let is_rule = matches!(c, '─' | '═' | '╌');
        if !(is_rule && out.ends_with(c)) {
            out.push(c);
        }
    }
    out
}

/// `12`, `3.4`, `5,678`
fn is_number(word: &str) -> bool {
    word.replace(',', "").parse::<f64>().is_ok()
}

#[test]
fn lines_match_with_elisions_and_whatever_time_it_took() {
    let yes =
        |expected: &[&str], printed: &[&str]| assert!(matches(expected, printed), "{expected:?}");
    let no =
        |expected: &[&str], printed: &[&str]| assert!(!matches(expected, printed), "{expected:?}");
    yes(&["a ... c", "..."], &["a b c", "d", "e"]);
    yes(&["...", "e"], &["a b c", "d", "e"]);
    yes(
        &["│ x │ 3.2 ms │", "└───┴───┘"],
        &["│ x │ 12 s   │", "└───┴──────┘"],
    );
    yes(
        &[
            "│ x ┆ one two ┆ 3 ms │",
            "│   ┆ three   ┆      │",
            "│ y ┆ ... ┆ │",
        ],
        &[
            "│ x ┆ one       ┆ 3.25 ms │",
            "│   ┆ two three ┆         │",
            "│ y ┆ z ┆ │",
        ],
    );
    no(&["│ x ┆ one two │"], &["│ x ┆ one │", "│ y ┆ two │"]);
    yes(
        &["1,234 states/s, 64 KiB; all"],
        &["987 states/s, 1.5 MiB; all"],
    );
    no(&["1,234 states, depth 3"], &["987 states, depth 3"]);
    no(&["a ... d"], &["a b c"]);
    no(&["a"], &["a", "b"]);
    no(&["..."], &["a", "(exit status 1)"]);
    no(&["a", "b"], &["a"]);
    no(&["3 ms"], &["3 steps"]);
    no(&["ab...bc"], &["abc"]);
}

#[test]
fn quotes_hold_words_together() {
    assert_eq!(
        words("ioa pair \"A to B\" -x"),
        ["ioa", "pair", "A to B", "-x"]
    );
}
