//! Findings on the terminal: one table, then each counterexample step by step.

use std::fmt::Write;
use std::time::Duration;

use comfy_table::{Attribute, Cell, Color, ContentArrangement, Table, presets};
use session::finding::{Finding, Status, Verdict};
use session::numbers::{count, duration};
use session::story::{Binding, Blame, Frame, Story};

/// How to draw: with colour or without, and how many columns there are.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether escape sequences may be used.
    pub color: bool,
    /// Width in characters; `None` where the output is not a terminal.
    pub width: Option<u16>,
}

/// The findings as a table.
#[must_use]
pub fn table(findings: &[Finding], style: Style) -> String {
    let mut table = plain_table(style);
    table.set_header(["what", "name", "verdict", "scope", "evidence", "time"]);
    for finding in findings {
        table.add_row([
            Cell::new(finding.kind.word()),
            Cell::new(&finding.name),
            verdict_cell(finding.verdict, style),
            Cell::new(finding.scope.words()),
            Cell::new(&finding.summary),
            Cell::new(finding.seconds.map(duration).unwrap_or_default()),
        ]);
    }
    format!("{table}\n")
}

/// How long the user waited in all, and for what: the rows of a table say only what each of them took.
#[must_use]
pub fn waited(all: Duration, spent: &[(&str, Duration)]) -> String {
    let known = spent.iter().map(|(_, time)| *time).sum();
    let rest = ("the rest", all.saturating_sub(known));
    let parts = spent.iter().chain((!spent.is_empty()).then_some(&rest));
    let parts: Vec<String> = parts
        .map(|(what, time)| format!("{what} {}", duration(time.as_secs_f64())))
        .collect();
    let parts = match parts.is_empty() {
        true => String::new(),
        false => format!(": {}", parts.join(", ")),
    };
    format!("{} in all{parts}\n", duration(all.as_secs_f64()))
}

fn plain_table(style: Style) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(style.width.unwrap_or(140).max(60));
    if style.color {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

fn verdict_cell(verdict: Verdict, style: Style) -> Cell {
    let cell = Cell::new(verdict.word());
    if !style.color {
        return cell;
    }
    match verdict.status() {
        Status::Holds => cell.fg(Color::Green),
        Status::NotEstablished => cell.fg(Color::Yellow).add_attribute(Attribute::Bold),
        Status::Violation | Status::BadInput => cell.fg(Color::Red).add_attribute(Attribute::Bold),
    }
}

/// The findings' items, such as the obligations of a proof, as a table.
#[must_use]
pub fn items(findings: &[Finding], style: Style) -> String {
    let mut table = plain_table(style);
    let items = || findings.iter().flat_map(|f| &f.items);
    let is_second = items().any(|item| item.opinion.is_some());
    let mut header = vec!["item", "verdict", "", "cost", "time"];
    header.extend(is_second.then_some("second opinion"));
    table.set_header(header);
    for item in items() {
        let figures: Vec<String> = item
            .figures
            .iter()
            .map(|(n, v)| format!("{n} {}", count(*v)))
            .collect();
        let mut row = vec![
            Cell::new(&item.name),
            item.verdict
                .map_or_else(|| Cell::new(""), |v| verdict_cell(v, style)),
            Cell::new(&item.text),
            Cell::new(figures.join(", ")),
            Cell::new(item.seconds.map(duration).unwrap_or_default()),
        ];
        let opinion = item.opinion.as_ref().map_or("", |opinion| &opinion.text);
        row.extend(is_second.then(|| Cell::new(opinion)));
        table.add_row(row);
    }
    format!("{table}\n")
}

/// What is true and hardly meant, a warning a line.
#[must_use]
pub fn warnings(findings: &[Finding], style: Style) -> String {
    let mut out = String::new();
    for warning in findings.iter().flat_map(|f| &f.warnings) {
        push_line(
            &mut out,
            &format!("{}: {warning}", paint("warning", "1;33", style)),
        );
    }
    out
}

/// What went wrong in the findings that do not hold: each counterexample, and the command that shows it again.
#[must_use]
pub fn failures(findings: &[Finding], style: Style) -> String {
    let mut out = String::new();
    for finding in findings {
        for story in &finding.stories {
            out.push('\n');
            out.push_str(&self::story(story, style));
        }
        if let Some(command) = &finding.replay {
            writeln!(out, "  see it again: {command}").expect("writing to a string");
        }
    }
    out
}

/// One counterexample.
#[must_use]
pub fn story(story: &Story, style: Style) -> String {
    let mut out = String::new();
    push_line(&mut out, &paint(&story.headline, "1;31", style));
    if story.omitted > 0 {
        push_line(
            &mut out,
            &format!(
                "  ... {} earlier steps, not shown",
                count(story.omitted as u64)
            ),
        );
    }
    for frame in &story.frames {
        push_frame(&mut out, frame, style);
    }
    for blame in &story.blame {
        push_blame(&mut out, blame, style);
    }
    for note in &story.notes {
        push_line(&mut out, &format!("  note: {note}"));
    }
    out
}

fn push_frame(out: &mut String, frame: &Frame, style: Style) {
    let step = frame.step.map(|n| format!("{n}: ")).unwrap_or_default();
    push_line(out, &format!("  {step}{}", paint(&frame.title, "1", style)));
    if frame.values.is_empty() && frame.step.is_some() {
        push_line(out, "       nothing changed");
    }
    let width = frame
        .values
        .iter()
        .map(|v| v.name.chars().count())
        .max()
        .unwrap_or(0);
    for Binding { name, value, was } in &frame.values {
        let was = was
            .as_ref()
            .map(|was| paint(&format!("   (was {was})"), "2", style));
        let padding = " ".repeat(width - name.chars().count());
        push_line(
            out,
            &format!(
                "       {name}{padding} = {value}{}",
                was.unwrap_or_default()
            ),
        );
    }
}

fn push_blame(out: &mut String, blame: &Blame, style: Style) {
    let false_ = paint("false", "1;31", style);
    push_line(out, &format!("  {false_}: {}", blame.formula));
    push_line(out, &format!("         at {}", blame.location));
    let bindings: Vec<String> = blame
        .bindings
        .iter()
        .map(|b| format!("{} = {}", b.name, b.value))
        .collect();
    if !bindings.is_empty() {
        push_line(out, &format!("         with {}", bindings.join(", ")));
    }
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// The text in an ANSI style, or plain where there is no colour.
#[must_use]
pub fn paint(text: &str, code: &str, style: Style) -> String {
    if style.color {
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_waited_for_adds_up() {
        let seconds = Duration::from_secs;
        assert_eq!(waited(seconds(3), &[]), "3.00 s in all\n");
        assert_eq!(
            waited(
                seconds(22),
                &[("proofs", seconds(2)), ("counterexamples", seconds(19))]
            ),
            "22.00 s in all: proofs 2.00 s, counterexamples 19.00 s, the rest 1.00 s\n"
        );
    }

    #[test]
    fn a_story_shows_what_changed_and_what_is_false() {
        let told = story(
            &Story {
                headline: "invariant Small of Counter is violated".into(),
                frames: vec![Frame {
                    title: "internal bump".into(),
                    step: Some(3),
                    values: vec![Binding {
                        name: "n".into(),
                        value: "3".into(),
                        was: Some("2".into()),
                    }],
                }],
                omitted: 1200,
                blame: vec![Blame {
                    formula: "n < 3".into(),
                    location: "counter.ioa:9:3".into(),
                    bindings: vec![Binding::new("k", "1")],
                }],
                notes: vec![],
            },
            Style {
                color: false,
                width: None,
            },
        );
        assert_eq!(
            told,
            "invariant Small of Counter is violated\n  ... 1,200 earlier steps, not shown\n  3: internal bump\n       \
             n = 3   (was 2)\n  false: n < 3\n         at counter.ioa:9:3\n         with k = 1\n"
        );
    }
}
