//! Diagnostics as people see them.

use ioa_lang::diagnostic::{Code, Diagnostic, render, summary};
use ioa_lang::syntax::parse;
use ioa_lang::{FileId, Sources, Span};

fn span(file: FileId, text: &str, part: &str) -> Span {
    let start = text.find(part).expect("the part is in the text");
    Span::new(file, start, start + part.len())
}

#[test]
fn a_mistake_is_shown_with_its_line_and_what_helps() {
    let text = "type Node\ninvariant I of A:\n  a /\\ b \\/ c\n";
    let mut sources = Sources::new();
    let file = sources.add("cell.ioa", text);
    let shown = render(&parse(file, text).diagnostics, &sources, false);
    let expected = r"error[E106]: `/\` and `\/` are mixed without parentheses
 --> cell.ioa:3:10
  |
3 |   a /\ b \/ c
  |     --   ^^ which of the two comes first?
  |     |
  |     the other one
  |
  = help: write `(a /\ b) \/ c` or `a /\ (b \/ c)`
";
    assert_eq!(shown, expected);
}

#[test]
fn diagnostics_come_sorted_and_once() {
    let text = "first\nsecond\n";
    let mut sources = Sources::new();
    let file = sources.add("two.ioa", text);
    let second = Diagnostic::warning(Code::Unexpected, span(file, text, "second"), "later");
    let first = Diagnostic::error(Code::Unexpected, span(file, text, "first"), "sooner");
    let all = [second.clone(), first.clone(), second];
    let shown = render(&all, &sources, false);
    assert!(shown.find("sooner") < shown.find("later"));
    assert_eq!(shown.matches("later").count(), 1);
    assert_eq!(summary(&all), "1 error, 1 warning");
    assert_eq!(summary(&[first.clone(), first]), "1 error");
    assert_eq!(summary(&[]), "");
    assert_eq!(render(&[], &sources, false), "");
}

#[test]
fn places_in_other_files_are_shown_too() {
    let (low, high) = ("automaton Low", "automaton High");
    let mut sources = Sources::new();
    let (first, second) = (sources.add("low.ioa", low), sources.add("high.ioa", high));
    let diagnostic = Diagnostic::error(Code::Unexpected, span(first, low, "Low"), "they differ")
        .label("here")
        .related(span(second, high, "High"), "and there");
    let shown = render(&[diagnostic], &sources, false);
    assert!(
        shown.contains("low.ioa:1:11") && shown.contains("high.ioa:1:11"),
        "{shown}"
    );
    assert!(
        shown.contains("^^^ here") && shown.contains("---- and there"),
        "{shown}"
    );
}

#[test]
fn tabs_wide_letters_and_line_ends_keep_the_caret_in_place() {
    let text = "\tx ∈ 状態 $\r\nnext\r\n";
    let mut sources = Sources::new();
    let file = sources.add("wide.ioa", text);
    let shown = render(
        &[Diagnostic::error(
            Code::Unexpected,
            span(file, text, "$"),
            "odd",
        )],
        &sources,
        false,
    );
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[3], "1 |     x ∈ 状態 $");
    assert_eq!(
        lines[4], "  |              ^",
        "two columns for each wide letter"
    );
    assert!(!shown.contains('\r') && !shown.contains('\t'));
}

#[test]
fn long_lines_are_cut_and_long_spans_end_with_their_line() {
    let text = format!("{} here {}\nbelow", "x".repeat(5000), "y".repeat(5000));
    let mut sources = Sources::new();
    let file = sources.add("long.ioa", text.clone());
    let shown = render(
        &[Diagnostic::error(
            Code::Unexpected,
            span(file, &text, "here"),
            "far out",
        )],
        &sources,
        false,
    );
    assert!(
        shown.lines().all(|line| line.chars().count() < 200),
        "{shown}"
    );
    assert!(shown.contains("here"), "{shown}");
    let whole = Span::new(file, 0, text.len());
    assert!(
        !render(
            &[Diagnostic::error(Code::Unexpected, whole, "all of it")],
            &sources,
            false
        )
        .contains("below")
    );
}

#[test]
fn a_span_that_points_nowhere_is_no_crash() {
    let mut sources = Sources::new();
    let file = sources.add("short.ioa", "é");
    let nowhere = [
        Span::new(file, 1, 1),
        Span::new(file, 5, 9),
        Span::new(FileId(7), 0, 1),
        Span::new(file, 9, 2),
    ];
    for span in nowhere {
        let shown = render(
            &[Diagnostic::error(Code::Unexpected, span, "lost")],
            &sources,
            false,
        );
        assert!(shown.starts_with("error[E101]: lost"), "{shown}");
    }
}

#[test]
fn colour_is_asked_for() {
    let text = "type 3";
    let mut sources = Sources::new();
    let file = sources.add("c.ioa", text);
    let diagnostics = parse(file, text).diagnostics;
    assert!(render(&diagnostics, &sources, true).contains('\u{1b}'));
    assert!(!render(&diagnostics, &sources, false).contains('\u{1b}'));
}
