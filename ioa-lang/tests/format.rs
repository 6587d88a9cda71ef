//! The formatter: one layout, reached in one step, that keeps the meaning and every comment.

use std::fs;
use std::path::{Path, PathBuf};

use ioa_lang::core::fingerprint;
use ioa_lang::format::{WIDTH, format};
use ioa_lang::source::FileId;
use ioa_lang::{Sources, load};

/// The formatted text, after looking at all that holds for every text.
#[track_caller]
fn formatted(name: &str, text: &str) -> String {
    let once = format(FileId(0), text).unwrap_or_else(|found| panic!("{name}: {found:?}"));
    let twice = format(FileId(0), &once);
    assert_eq!(
        twice.as_ref(),
        Ok(&once),
        "{name}: formatting again changes the text"
    );
    assert_eq!(
        meaning(&once),
        meaning(text),
        "{name}: the meaning changed:\n{once}"
    );
    assert_eq!(
        comments(&once),
        comments(text),
        "{name}: comments got lost or moved:\n{once}"
    );
    for line in once.lines() {
        assert_eq!(line.trim_end(), line, "{name}: blanks at the end of a line");
        let code = line.split('%').next().unwrap_or_default();
        let is_broken =
            code.trim_end().chars().count() <= WIDTH || code.split_whitespace().count() < 3;
        assert!(is_broken, "{name}: a line is too long: {line}");
    }
    once
}

/// The model, and what is said about it.
fn meaning(text: &str) -> (String, Vec<String>) {
    let mut sources = Sources::new();
    sources.add("a.ioa", text);
    let loaded = load(&sources);
    let messages = loaded.diagnostics.into_iter().map(|d| d.message).collect();
    (format!("{:?}", fingerprint(&loaded.model)), messages)
}

fn comments(text: &str) -> Vec<&str> {
    let found = text
        .split(['\n', '\r'])
        .filter_map(|line| line.find('%').map(|at| &line[at..]));
    found.map(str::trim_end).collect()
}

/// Every IOA text of the project.
fn texts() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for folder in [
        "case-studies",
        "interpreter/tests",
        "ioa-lang/tests",
        "paired-exec/tests",
        "prover-bridge/tests",
    ] {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text can be read");
        (path.display().to_string(), text)
    };
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        match path.extension().and_then(|e| e.to_str()) {
            _ if path.is_dir() => collect(&path, paths),
            Some("ioa" | "ndr") => paths.push(path),
            _ => {}
        }
    }
}

#[test]
fn every_text_of_the_project_keeps_its_meaning_and_its_comments() {
    let (mut laid_out, mut refused) = (0, 0);
    for (name, text) in texts() {
        match format(FileId(0), &text) {
            Ok(_) => {
                formatted(&name, &text);
                laid_out += 1;
            }
            Err(diagnostics) => {
                assert_ne!(diagnostics, [], "{name} is refused without a reason");
                refused += 1;
            }
        }
    }
    assert!(
        laid_out >= 25 && refused >= 3,
        "{laid_out} laid out, {refused} refused"
    );
}

/// Each gap between two tokens gets a comment, after the token and on a line of its own.
#[test]
fn a_comment_stays_wherever_it_is_put() {
    for (name, text) in texts()
        .iter()
        .filter(|(name, _)| name.ends_with("legal.ioa"))
    {
        let bare: String = text
            .lines()
            .map(|line| line.split('%').next().unwrap_or("").to_owned() + "\n")
            .collect();
        let gaps: Vec<usize> = bare
            .char_indices()
            .filter(|(_, c)| c.is_whitespace())
            .map(|(at, _)| at)
            .collect();
        for (shape, step) in [
            (" % between\n", 7),
            ("\n  % between\n", 11),
            ("\n\n% one\n\n        % two\n", 13),
        ] {
            for first in 0..step {
                let mut commented = String::new();
                let mut at = 0;
                for gap in gaps.iter().skip(first).step_by(step) {
                    commented.push_str(&bare[at..*gap]);
                    commented.push_str(shape);
                    at = *gap;
                }
                commented.push_str(&bare[at..]);
                formatted(name, &commented);
            }
        }
    }
}

#[test]
fn what_cannot_be_parsed_is_not_laid_out() {
    let refused = format(
        FileId(0),
        "automaton A\n  signature\n    input a(\n  states\n  transitions\n",
    );
    let messages = refused.expect_err("it has a mistake");
    assert!(messages[0].message.contains("expected"), "{messages:?}");
    assert!(format(FileId(0), "type A \u{1A}").is_err());
}

#[test]
fn line_ends_marks_and_blanks_become_the_same() {
    assert_eq!(formatted("none", ""), "");
    assert_eq!(formatted("blank", " \n\n\t"), "");
    assert_eq!(formatted("comment", "\n\n  % alone  "), "% alone\n");
    let text = "\u{FEFF}Type  A\r\n\r\n\r\ntype B % b\r\n% last\r\n\r\n";
    assert_eq!(
        formatted("carriage returns", text),
        "type A\n\ntype B  % b\n% last\n"
    );
    for first in [
        "automaton A\n  signature internal t\n  transitions internal t\n",
        "invariant X of A: true\n",
    ] {
        let plain = formatted("no mark", first);
        assert_eq!(formatted("mark", &format!("\u{FEFF}{first}")), plain);
        assert!(plain.starts_with(&first[..9]), "{plain}");
    }
    assert_eq!(
        formatted("old line ends", "type A % a\rtype B"),
        "type A  % a\ntype B\n"
    );
}

#[test]
fn a_random_truth_value_has_no_parentheses() {
    let schedule = |condition: &str| {
        format!(
            "automaton A\n  signature\n    internal t(b: Bool)\n  transitions\n    internal t(b)\n\n\
             schedule S of A\n  do\n    if {condition} then fire internal t({condition}) fi\n  od\n"
        )
    };
    let bare = schedule("randomBool");
    assert_eq!(formatted("bare", &bare), bare);
    assert_eq!(formatted("called", &schedule("randomBool()")), bare);
    assert_eq!(formatted("apart", &schedule("randomBool (  )")), bare);
    let other = schedule("randomBool(1)");
    assert_eq!(formatted("with an argument", &other), other);
}

/// The layout itself: a text that nobody would write, and what becomes of it.
#[test]
fn the_layout_is_the_canonical_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let found = formatted("messy.ioa", &read("messy.ioa"));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(folder.join("tidy.ioa"), &found).expect("the expectation can be written");
    }
    assert_eq!(
        found,
        read("tidy.ioa"),
        "UPDATE=1 writes the expectation anew"
    );
}
