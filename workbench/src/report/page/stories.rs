//! What went wrong, step by step.

use exporters::execution::{Execution, Panel};
use maud::{Markup, PreEscaped, html};
use session::finding::Finding;
use session::numbers::counted;
use session::story::{Binding, Blame, Frame, Story};

use super::super::defects::defects;
use super::sources::place;

/// The sources that places are linked to: file name and text.
type Sources = [(String, String)];

/// The executions and counterexamples that show what went wrong.
pub(super) fn failures(findings: &[Finding], sources: &Sources) -> Markup {
    let defects = defects(findings);
    html! {
        @if !defects.is_empty() {
            section {
                h2 { "What went wrong" }
                @for defect in &defects {
                    @for story in &defect.finding.stories { (self::story(story, sources)) }
                    @if let Some(command) = &defect.finding.replay { p.how { "See it again: " code { (command) } } }
                    @for other in defect.also() { p.how { (other) } }
                }
            }
        }
    }
}

fn story(story: &Story, sources: &Sources) -> Markup {
    html! {
        article.story {
            h3 { (story.headline) }
            @for blame in &story.blame { (self::blame(blame, sources)) }
            @match panel(story) {
                Some(panel) => {
                    (PreEscaped(panel))
                    details.same { summary { "The same as a list of what changed" } (listed(story)) }
                }
                None => { (listed(story)) }
            }
            @for note in &story.notes { p.note { (note) } }
            @if !story.candidates.is_empty() {
                p.note { (story.on_candidates()) }
                pre { @for candidate in &story.candidates { (candidate) "\n" } }
            }
        }
    }
}

/// An execution of more steps than this is listed and not drawn.
const MOST_DRAWN: usize = 1000;

/// The execution of a story to step through, if it has one with steps.
fn panel(story: &Story) -> Option<String> {
    let execution = Execution::read(story.recorded.as_ref()?).ok()?;
    let panel = Panel {
        execution: &execution,
        hosts: &[],
        is_alone: false,
    };
    match execution.length() {
        0 | MOST_DRAWN.. => None,
        _ => panel.html().ok(),
    }
}

/// The states of a story, one below the other.
fn listed(story: &Story) -> Markup {
    html! {
        @match &story.cut {
            Some(cut) => {
                details {
                    summary { (cut.earlier()) }
                    (frames(&story.frames[..=cut.omitted], story))
                }
                ol.frames { (self::frame(&cut.state, story)) }
                (frames(&story.frames[cut.omitted + 1..], story))
            }
            None => { (frames(&story.frames, story)) }
        }
        @if story.ends_in_rest() { p.how { "then nothing happens any more" } }
    }
}

/// Some states of a story, with the place where an infinite one begins to repeat itself.
fn frames(frames: &[Frame], story: &Story) -> Markup {
    let repeated = frames.iter().position(|frame| story.repeats_from(frame));
    let (once, forever) = frames.split_at(repeated.unwrap_or(frames.len()));
    html! {
        ol.frames { @for frame in once { (self::frame(frame, story)) } }
        @if !forever.is_empty() {
            p.how { "then, again and again:" }
            ol.frames { @for frame in forever { (self::frame(frame, story)) } }
        }
    }
}

fn frame(frame: &Frame, story: &Story) -> Markup {
    let (first, rest) = story.sorted_values(frame);
    html! {
        li {
            h4 { @if let Some(step) = frame.step { span.step { (step) } " " } code { (frame.title) } }
            @if frame.values.is_empty() && frame.step.is_some() { p.how { "nothing changed" } }
            (values(&first))
            @if !rest.is_empty() {
                details {
                    summary { (counted(rest.len() as u64, "more variable")) ", which neither the steps nor what failed read" }
                    (values(&rest))
                }
            }
        }
    }
}

/// Variables with their values, and with what came into them and went out of them.
fn values(bindings: &[&Binding]) -> Markup {
    html! {
        dl {
            @for binding in bindings {
                dt { code { (binding.name) } }
                dd {
                    @for element in &binding.added { span.came { "+ " code { (element) } } " " }
                    @for element in &binding.removed { span.went { "- " code { (element) } } " " }
                    code { (binding.value) }
                    @if let Some(was) = &binding.was { " " span.was { "was " code { (was) } } }
                }
            }
        }
    }
}

fn blame(blame: &Blame, sources: &Sources) -> Markup {
    html! {
        div.blame {
            span class="verdict bad" { "false" } " " code { (blame.formula) }
            " " span.how { "at " (place(&blame.location, sources)) }
            @if !blame.bindings.is_empty() {
                p { "with " @for (i, b) in blame.bindings.iter().enumerate() {
                    @if i > 0 { ", " } code { (b.name) " = " (b.value) }
                } }
            }
        }
    }
}
