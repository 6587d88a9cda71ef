//! Counterexamples step by step.

use std::collections::BTreeSet;
use std::fmt::Write;

use session::finding::Finding;
use session::numbers::counted;
use session::story::{Binding, Blame, Frame, Story};

use super::super::defects::defects;
use super::{Style, paint, push_line, push_wrapped};

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
            Some(parts) if !style.full && !style.all => parts,
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

/// One counterexample.
#[must_use]
pub fn story(story: &Story, style: Style) -> String {
    told(story, &mut BTreeSet::new(), style)
}

/// One counterexample, without the notes that have been said about others before.
fn told<'s>(story: &'s Story, said: &mut BTreeSet<&'s str>, style: Style) -> String {
    let mut out = String::new();
    push_wrapped(&mut out, "", &paint(&story.headline, "1;31", style), style);
    match &story.cut {
        Some(cut) if !style.full => {
            push_line(
                &mut out,
                &format!("  ... {}, shown by --full", cut.earlier()),
            );
            out.push_str(&told_frame(&cut.state, story, style));
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
    let is_told = |note: &&'s String| is_of_one(note) || said.insert(note);
    for note in story.notes.iter().filter(is_told) {
        push_wrapped(&mut out, "  ", &format!("note: {note}"), style);
    }
    if !story.candidates.is_empty() {
        push_wrapped(&mut out, "  ", story.on_candidates(), style);
    }
    for candidate in &story.candidates {
        push_wrapped(&mut out, "    ", candidate, style);
    }
    out
}

/// Whether a note is about one execution, and is not said for all by saying it once: why it is fair, or what the operators of the
/// theories are in its instance.
fn is_of_one(note: &str) -> bool {
    ["fair: ", "here "]
        .iter()
        .any(|of_one| note.starts_with(of_one))
}

/// Some states of a story, with the place where an infinite one begins to repeat itself.
fn push_frames(out: &mut String, frames: &[Frame], story: &Story, style: Style) {
    for frame in frames {
        if story.repeats_from(frame) {
            push_line(out, "  then, again and again:");
        }
        out.push_str(&told_frame(frame, story, style));
    }
}

/// A frame of a story: what the failure has to do with first, and what it has nothing to do with only where all is asked for.
fn told_frame(frame: &Frame, story: &Story, style: Style) -> String {
    let (first, rest) = story.sorted_values(frame);
    let count = rest.len() as u64;
    if style.full || rest.is_empty() {
        return shown_frame(frame, first.into_iter().chain(rest), style);
    }
    let mut out = shown_frame(frame, first.into_iter(), style);
    let more = counted(count, "more variable");
    let aside = format!("({more}, which neither the steps nor what failed read: --full)");
    push_line(&mut out, &format!("       {}", paint(&aside, "2", style)));
    out
}

/// A state, and what led to it.
#[must_use]
pub fn frame(frame: &Frame, style: Style) -> String {
    shown_frame(frame, frame.values.iter(), style)
}

/// A frame with these of its values.
fn shown_frame<'f>(
    frame: &Frame,
    values: impl Iterator<Item = &'f Binding> + Clone,
    style: Style,
) -> String {
    let mut out = String::new();
    let step = frame.step.map(|n| format!("{n}: ")).unwrap_or_default();
    push_wrapped(
        &mut out,
        "  ",
        &format!("{step}{}", paint(&frame.title, "1", style)),
        style,
    );
    if frame.values.is_empty() && frame.step.is_some() {
        push_line(&mut out, "       nothing changed");
    }
    let width = values.clone().map(|v| v.name.chars().count()).max();
    for binding in values {
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

#[cfg(test)]
mod tests {
    use session::story::Cut;

    use super::*;

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
                    reads: BTreeSet::new(),
                }],
            )
        };
        let style = |full, width| Style {
            color: false,
            width,
            full,
            all: false,
        };
        let headline = "invariant Small of Counter is violated\n";
        let blame = "  false: n < 3\n         at counter.ioa:9:3\n         with k = 1\n";
        let step = |n: usize| {
            let before = n - 1;
            format!(
                "  {n}: internal bump\n       n    = {n}   (was {before})\n       sent + [a, 1]\n"
            )
        };
        let cut = "  ... 2 earlier steps, shown by --full\n  2: a state\n       n = 2\n";
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
            all: false,
        };
        let shown = self::frame(&frame, narrow);
        assert!(shown.lines().count() > 3, "{shown}");
        assert!(
            shown.lines().all(|line| line.chars().count() <= 60),
            "{shown}"
        );
    }
}
