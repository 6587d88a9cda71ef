//! The report as one HTML page that opens without a network: no script, no font, no picture from elsewhere.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use session::finding::{Finding, Item, Status, Verdict};
use session::numbers::{counted, duration};
use session::story::{Blame, Frame, Story};

use super::defects::{Defect, defects};
use super::overview;

/// What the page is about.
pub struct Page<'a> {
    /// The study's name.
    pub study: &'a str,
    /// The exit status that the findings add up to.
    pub status: Status,
    /// The findings, in the order in which they were made.
    pub findings: &'a [Finding],
    /// The sources: file name and text.
    pub sources: &'a [(String, String)],
    /// The command that makes the report again.
    pub command: &'a str,
}

/// The page as text.
#[must_use]
pub fn render(page: &Page<'_>) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (page.study) " - IOA report" }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                header {
                    h1 { (page.study) }
                    p class=(status_class(page.status)) { (headline(page.status, page.findings)) }
                    p.how { "Made by " code { (page.command) } }
                }
                main {
                    (failures(page.findings))
                    (overview(page.findings))
                    (evidence(page.findings))
                    (sources(page.sources))
                }
            }
        }
    };
    markup.into_string()
}

/// What a status comes to, in one line.
#[must_use]
pub fn headline(status: Status, findings: &[Finding]) -> &'static str {
    match status {
        Status::Holds if findings.iter().any(Finding::is_bounded) => {
            "Everything asked for holds within the bounds that were set"
        }
        Status::Holds => "Everything asked for holds",
        Status::NotEstablished => "Not everything asked for is established",
        Status::Interrupted => "Interrupted before everything was answered",
        Status::Violation => "An execution violates what was asked for",
        Status::BadInput => "Something could not be asked",
    }
}

fn status_class(status: Status) -> &'static str {
    match status {
        Status::Holds => "verdict good",
        Status::NotEstablished | Status::Interrupted => "verdict open",
        Status::Violation | Status::BadInput => "verdict bad",
    }
}

fn overview(findings: &[Finding]) -> Markup {
    let overview = overview::overview(findings);
    let stages = overview.stages();
    html! {
        section {
            h2 { "What is known" }
            @for sentence in &overview.sentences { p.established { (sentence) } }
            div.wide {
                table.claims {
                    thead { tr { th { } @for stage in &stages { th { (stage.word()) } } } }
                    @for subject in &overview.subjects {
                        tbody {
                            tr.subject {
                                th { (subject.name) }
                                @for stage in &stages { td { @for line in &subject.looked[*stage as usize] { div { (line) } } } }
                            }
                            @for claim in &subject.claims {
                                tr {
                                    td.claim {
                                        (claim.name)
                                        @if let Some(statement) = &claim.statement {
                                            div.formula { code { (statement.formula) } }
                                            @if !statement.comment.is_empty() { div.how { (statement.comment) } }
                                        }
                                    }
                                    @for stage in &stages { td { @if let Some(v) = claim.verdicts[*stage as usize] { (self::verdict(v)) } } }
                                }
                            }
                        }
                    }
                }
            }
            @for line in overview.beside.iter().chain(&overview.open) { p { (line) } }
            p.legend { @for (v, meaning) in LEGEND { (self::verdict(*v)) " " (meaning) ". " } }
        }
    }
}

/// What each verdict means.
const LEGEND: &[(Verdict, &str)] = &[
    (
        Verdict::Proved,
        "the solver refuted the negation of every obligation, for every size",
    ),
    (
        Verdict::Explored,
        "true of every reachable state at these sizes",
    ),
    (
        Verdict::Bounded,
        "no execution of at most so many steps violates it, at any size",
    ),
    (
        Verdict::Tested,
        "held in all runs that were made at these sizes",
    ),
    (Verdict::Violated, "an execution violates it"),
    (
        Verdict::Refuted,
        "the proof fails: there is a counterexample to induction, which need not be reachable",
    ),
    (
        Verdict::Conditional,
        "proved, if other invariants are, which are named",
    ),
    (
        Verdict::Unknown,
        "there is no answer, and the reason is given",
    ),
    (
        Verdict::Vacuous,
        "true for a reason that makes it worthless",
    ),
    (Verdict::Error, "the question could not be put"),
];

fn verdict(verdict: Verdict) -> Markup {
    html! { span class=(status_class(verdict.status())) { (verdict.word()) } }
}

fn failures(findings: &[Finding]) -> Markup {
    let defects = defects(findings);
    html! {
        @if !defects.is_empty() {
            section {
                h2 { "What went wrong" }
                @for Defect { finding, also } in defects {
                    @for story in &finding.stories { (self::story(story)) }
                    @if let Some(command) = &finding.replay { p.how { "See it again: " code { (command) } } }
                    @for other in also { p.how { (other) } }
                }
            }
        }
    }
}

fn story(story: &Story) -> Markup {
    html! {
        article.story {
            h3 { (story.headline) }
            @match &story.cut {
                Some(cut) => {
                    details {
                        summary { (counted(cut.omitted as u64, "earlier state")) }
                        (frames(&story.frames[..=cut.omitted], story))
                    }
                    ol.frames { (self::frame(&cut.state)) }
                    (frames(&story.frames[cut.omitted + 1..], story))
                }
                None => { (frames(&story.frames, story)) }
            }
            @if story.ends_in_rest() { p.how { "then nothing happens any more" } }
            @for blame in &story.blame { (self::blame(blame)) }
            @for note in &story.notes { p.note { (note) } }
            @if !story.candidates.is_empty() {
                p.note { "Each of these excludes the first state; they hold in all states that were visited, and are not proved:" }
                pre { @for candidate in &story.candidates { (candidate) "\n" } }
            }
        }
    }
}

/// Some states of a story, with the place where an infinite one begins to repeat itself.
fn frames(frames: &[Frame], story: &Story) -> Markup {
    let repeated = frames.iter().position(|frame| story.repeats_from(frame));
    let (once, forever) = frames.split_at(repeated.unwrap_or(frames.len()));
    html! {
        ol.frames { @for frame in once { (self::frame(frame)) } }
        @if !forever.is_empty() {
            p.how { "then, again and again:" }
            ol.frames { @for frame in forever { (self::frame(frame)) } }
        }
    }
}

fn frame(frame: &Frame) -> Markup {
    html! {
        li {
            h4 { @if let Some(step) = frame.step { span.step { (step) } " " } code { (frame.title) } }
            @if frame.values.is_empty() && frame.step.is_some() { p.how { "nothing changed" } }
            dl {
                @for binding in &frame.values {
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
}

fn blame(blame: &Blame) -> Markup {
    html! {
        div.blame {
            span class="verdict bad" { "false" } " " code { (blame.formula) }
            " " span.how { "at " (blame.location) }
            @if !blame.bindings.is_empty() {
                p { "with " @for (i, b) in blame.bindings.iter().enumerate() {
                    @if i > 0 { ", " } code { (b.name) " = " (b.value) }
                } }
            }
        }
    }
}

fn evidence(findings: &[Finding]) -> Markup {
    html! {
        section {
            h2 { "Evidence" }
            @for (i, finding) in findings.iter().enumerate() {
                details id={ "finding-" (i) } {
                    summary {
                        (verdict(finding.verdict))
                        " " (finding.kind.word()) " " b { (finding.name) } " of " (finding.automaton)
                    }
                    p { (finding.summary) }
                    @for warning in &finding.warnings { p { b { "warning: " } (warning) } }
                    @if !finding.figures.is_empty() {
                        ul.figures { @for (name, n) in &finding.figures { li { (name) ": " b { (n) } } } }
                    }
                    @if !finding.items.is_empty() { (items(&finding.items)) }
                }
            }
        }
    }
}

fn items(items: &[Item]) -> Markup {
    html! {
        div.wide {
            table {
                tbody {
                    @for item in items {
                        tr {
                            td { (item.name) }
                            td {
                                code { (item.text) }
                                @if !item.needed_for.is_empty() { " needed for " (item.needed_for.join(", ")) }
                            }
                            @if let Some(opinion) = &item.opinion { td { (opinion.text) } }
                            td { @if let Some(v) = item.verdict { (verdict(v)) } }
                            td { @for (name, n) in &item.figures { (name) " " (n) " " } }
                            td.number { @if let Some(s) = item.seconds { (duration(s)) } }
                        }
                    }
                }
            }
        }
    }
}

fn sources(sources: &[(String, String)]) -> Markup {
    html! {
        section {
            h2 { "Sources" }
            @for (name, text) in sources {
                details {
                    summary { code { (name) } }
                    pre.source {
                        @for (i, line) in text.lines().enumerate() {
                            span.line id={ (name) ":" (i + 1) } { (line) "\n" }
                        }
                    }
                }
            }
        }
    }
}
