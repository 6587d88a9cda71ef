//! Findings on the terminal: one table, then each counterexample step by step.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use comfy_table::{Attribute, Cell, Color, ContentArrangement, Table, presets};
use session::finding::{Finding, Status, Verdict};
use session::numbers::{count, counted, duration};
use session::pipeline::proof::RECALLED;
use session::story::{Binding, Blame, Frame, Story};

use super::defects::defects;
use super::overview;

/// How to draw: with colour or without, and how many columns there are.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether escape sequences may be used.
    pub color: bool,
    /// Width in characters; `None` where the output is not a terminal.
    pub width: Option<u16>,
    /// Whether executions are shown from their beginning, however long they are.
    pub full: bool,
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

/// Says how many obligations an earlier command proved, if it did.
#[must_use]
pub fn recalled(findings: &[Finding]) -> String {
    let count = |what| -> u64 { findings.iter().filter_map(|f| f.figures.get(what)).sum() };
    match (count(RECALLED), count("obligations")) {
        (0, _) => String::new(),
        (some, all) => {
            format!("{some} of {all} obligations were proved before (--fresh proves them again)\n")
        }
    }
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
        Status::NotEstablished | Status::Interrupted => {
            cell.fg(Color::Yellow).add_attribute(Attribute::Bold)
        }
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
        let warning = format!("{}: {warning}", paint("warning", "1;33", style));
        push_wrapped(&mut out, "", &warning, style);
    }
    out
}

/// Sentences, one a line, that are continued below themselves where the terminal is too narrow.
#[must_use]
pub fn sentences(text: &str, style: Style) -> String {
    let mut out = String::new();
    for line in text.lines() {
        push_wrapped(&mut out, "", line, style);
    }
    out
}

/// At most so many counterexamples are shown of one finding, where not all are asked for; the others are named.
const STORIES: usize = 3;

/// What went wrong in the findings that do not hold: each counterexample, and the command that shows it again.
#[must_use]
pub fn failures(findings: &[Finding], style: Style) -> String {
    let mut out = String::new();
    let mut said = BTreeSet::new();
    for defect in defects(findings) {
        let finding = defect.finding;
        let (shown, others) = match finding.stories.split_at_checked(STORIES) {
            Some(parts) if !style.full => parts,
            _ => (finding.stories.as_slice(), [].as_slice()),
        };
        for story in shown {
            out.push('\n');
            out.push_str(&told(story, &mut said, style));
        }
        if !others.is_empty() {
            let more = counted(others.len() as u64, "more counterexample");
            push_line(&mut out, &format!("\n  {more}, shown by --full:"));
        }
        for story in others {
            push_wrapped(&mut out, "    ", &story.headline, style);
        }
        if let Some(command) = &finding.replay {
            writeln!(out, "  see it again: {command}").expect("writing to a string");
        }
        for other in defect.also() {
            push_wrapped(&mut out, "  ", &other, style);
        }
    }
    out
}

/// All findings of a study: what was established, and a row for each claim.
#[must_use]
pub fn overview(findings: &[Finding], style: Style) -> String {
    let overview = overview::overview(findings);
    let stages = overview.stages();
    let mut table = plain_table(style);
    table.set_header(
        [""].into_iter()
            .chain(stages.iter().map(|stage| stage.word())),
    );
    for subject in &overview.subjects {
        let mut row = vec![Cell::new(paint(&subject.name, "1", style))];
        row.extend(
            stages
                .iter()
                .map(|s| Cell::new(subject.looked[*s as usize].join("\n"))),
        );
        table.add_row(row);
        for claim in &subject.claims {
            let mut row = vec![Cell::new(format!("  {}", claim.name))];
            row.extend(
                stages
                    .iter()
                    .map(|stage| match claim.verdicts[*stage as usize] {
                        Some(verdict) => verdict_cell(verdict, style),
                        None => Cell::new(""),
                    }),
            );
            table.add_row(row);
        }
    }
    let mut out = String::new();
    for sentence in &overview.sentences {
        push_wrapped(&mut out, "", &paint(sentence, "1", style), style);
    }
    push_line(&mut out, &table.to_string());
    for line in overview.beside.iter().chain(&overview.open) {
        push_wrapped(&mut out, "", line, style);
    }
    out
}

/// One counterexample.
#[must_use]
pub fn story(story: &Story, style: Style) -> String {
    told(story, &mut BTreeSet::new(), style)
}

/// One counterexample, without the notes that have been said of others before.
fn told<'s>(story: &'s Story, said: &mut BTreeSet<&'s str>, style: Style) -> String {
    let mut out = String::new();
    push_line(&mut out, &paint(&story.headline, "1;31", style));
    match &story.cut {
        Some(cut) if !style.full => {
            let states = counted(cut.omitted as u64, "earlier state");
            push_line(&mut out, &format!("  ... {states}, shown by --full"));
            out.push_str(&frame(&cut.state, style));
            push_frames(&mut out, &story.frames[cut.omitted + 1..], story, style);
        }
        _ => push_frames(&mut out, &story.frames, story, style),
    }
    if story.ends_in_rest() {
        push_line(&mut out, "  then nothing happens any more");
    }
    for blame in &story.blame {
        out.push_str(&self::blame(blame, style));
    }
    for note in story.notes.iter().filter(|note| said.insert(note)) {
        push_wrapped(&mut out, "  ", &format!("note: {note}"), style);
    }
    if !story.candidates.is_empty() {
        let what = "each of these excludes the first state; they hold in all states that were visited, and are not proved:";
        push_wrapped(&mut out, "  ", what, style);
    }
    for candidate in &story.candidates {
        push_wrapped(&mut out, "    ", candidate, style);
    }
    out
}

/// Some states of a story, with the place where an infinite one begins to repeat itself.
fn push_frames(out: &mut String, frames: &[Frame], story: &Story, style: Style) {
    for frame in frames {
        if story.repeats_from(frame) {
            push_line(out, "  then, again and again:");
        }
        out.push_str(&self::frame(frame, style));
    }
}

/// A state, and what led to it.
#[must_use]
pub fn frame(frame: &Frame, style: Style) -> String {
    let mut out = String::new();
    let step = frame.step.map(|n| format!("{n}: ")).unwrap_or_default();
    push_line(
        &mut out,
        &format!("  {step}{}", paint(&frame.title, "1", style)),
    );
    if frame.values.is_empty() && frame.step.is_some() {
        push_line(&mut out, "       nothing changed");
    }
    let width = frame.values.iter().map(|v| v.name.chars().count()).max();
    for binding in &frame.values {
        push_binding(&mut out, binding, width.unwrap_or(0), style);
    }
    out
}

/// A variable with its value, or with what came into it and went out of it.
fn push_binding(out: &mut String, binding: &Binding, width: usize, style: Style) {
    let name = &binding.name;
    let padding = " ".repeat(width - name.chars().count());
    let came = binding.added.iter().map(|element| format!("+ {element}"));
    let went = binding.removed.iter().map(|element| format!("- {element}"));
    let moved: Vec<String> = came.chain(went).collect();
    let line = match (&binding.was, moved.is_empty()) {
        (_, false) => format!("{name}{padding} {}", moved.join("  ")),
        (Some(was), true) => {
            let was = paint(&format!("   (was {was})"), "2", style);
            format!("{name}{padding} = {}{was}", binding.value)
        }
        (None, true) => format!("{name}{padding} = {}", binding.value),
    };
    push_wrapped(out, "       ", &line, style);
}

/// A line that is continued below itself, a little further in, where the terminal is too narrow for it.
fn push_wrapped(out: &mut String, indent: &str, line: &str, style: Style) {
    let further = format!("{indent}    ");
    let Some(width) = style.width else {
        return push_line(out, &format!("{indent}{line}"));
    };
    let options = textwrap::Options::new(usize::from(width.max(60)))
        .initial_indent(indent)
        .subsequent_indent(&further)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    push_line(out, &textwrap::fill(line, options));
}

/// A formula that is false, with its place and the values that decide it.
#[must_use]
pub fn blame(blame: &Blame, style: Style) -> String {
    let mut out = String::new();
    let false_ = paint("false", "1;31", style);
    push_wrapped(
        &mut out,
        "  ",
        &format!("{false_}: {}", blame.formula),
        style,
    );
    push_line(&mut out, &format!("         at {}", blame.location));
    let bindings: Vec<String> = blame
        .bindings
        .iter()
        .map(|b| format!("{} = {}", b.name, b.value))
        .collect();
    if !bindings.is_empty() {
        let values = format!("with {}", bindings.join(", "));
        push_wrapped(&mut out, "         ", &values, style);
    }
    out
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
    use session::story::Cut;

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
        let bump = |step: usize| Frame {
            title: "internal bump".into(),
            step: Some(step),
            values: vec![
                Binding {
                    was: Some((step - 1).to_string()),
                    ..Binding::new("n", step.to_string())
                },
                Binding {
                    was: Some("{}".into()),
                    added: vec!["[a, 1]".into()],
                    ..Binding::new("sent", "{[a, 1]}")
                },
            ],
        };
        let state = |step| Frame {
            title: "a state".into(),
            step: Some(step),
            values: vec![Binding::new("n", step.to_string())],
        };
        let story = Story {
            frames: vec![state(0), bump(1), bump(2), bump(3)],
            cut: Some(Cut {
                omitted: 2,
                state: state(2),
            }),
            ..Story::bare(
                "invariant Small of Counter is violated",
                vec![Blame {
                    formula: "n < 3".into(),
                    location: "counter.ioa:9:3".into(),
                    bindings: vec![Binding::new("k", "1")],
                }],
            )
        };
        let style = |full, width| Style {
            color: false,
            width,
            full,
        };
        let headline = "invariant Small of Counter is violated\n";
        let blame = "  false: n < 3\n         at counter.ioa:9:3\n         with k = 1\n";
        let step = |n: usize| {
            let before = n - 1;
            format!(
                "  {n}: internal bump\n       n    = {n}   (was {before})\n       sent + [a, 1]\n"
            )
        };
        let cut = "  ... 2 earlier states, shown by --full\n  2: a state\n       n = 2\n";
        assert_eq!(
            self::story(&story, style(false, None)),
            format!("{headline}{cut}{}{blame}", step(3))
        );
        let start = "  0: a state\n       n = 0\n";
        assert_eq!(
            self::story(&story, style(true, None)),
            format!("{headline}{start}{}{}{}{blame}", step(1), step(2), step(3))
        );
    }

    #[test]
    fn a_line_that_is_too_long_goes_on_below() {
        let value = vec!["Node#0"; 20].join(", ");
        let frame = Frame {
            title: "a start state".into(),
            step: Some(0),
            values: vec![Binding::new("seen", format!("{{{value}}}"))],
        };
        let narrow = Style {
            color: false,
            width: Some(60),
            full: false,
        };
        let shown = self::frame(&frame, narrow);
        assert!(shown.lines().count() > 3, "{shown}");
        assert!(
            shown.lines().all(|line| line.chars().count() <= 60),
            "{shown}"
        );
    }
}
