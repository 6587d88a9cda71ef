//! The report as one HTML page that opens without a network: no script, no font, no picture from elsewhere.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use session::finding::{Finding, Item, Status};
use session::numbers::{counted, duration};
use session::story::{Blame, Frame, Story};

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
                    p class=(status_class(page.status)) { (headline(page.status)) }
                    p.how { "Made by " code { (page.command) } }
                }
                main {
                    (overview(page.findings))
                    (failures(page.findings))
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
pub fn headline(status: Status) -> &'static str {
    match status {
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
    html! {
        section {
            h2 { "Findings" }
            div.wide {
                table {
                    thead { tr { @for head in ["what", "name", "verdict", "scope", "evidence", "time"] { th { (head) } } } }
                    tbody {
                        @for (i, finding) in findings.iter().enumerate() {
                            tr {
                                td { (finding.kind.word()) }
                                td { a href={ "#finding-" (i) } { (finding.name) } }
                                td { span class=(status_class(finding.verdict.status())) { (finding.verdict.word()) } }
                                td { (finding.scope.words()) }
                                td { (finding.summary) }
                                td.number { @if let Some(s) = finding.seconds { (duration(s)) } }
                            }
                        }
                    }
                }
            }
            p.legend {
                b { "proved" } ": the solver refuted the negation of every obligation, for every size. "
                b { "bounded" } ": no execution of at most so many steps violates it, for every size. "
                b { "tested" } ": held on all runs made at these sizes. "
                b { "violated" } ": an execution shows it. "
                b { "refuted" } ": a counterexample to induction; no execution need reach it."
            }
        }
    }
}

fn failures(findings: &[Finding]) -> Markup {
    let failing: Vec<&Finding> = findings.iter().filter(|f| !f.stories.is_empty()).collect();
    html! {
        @if !failing.is_empty() {
            section {
                h2 { "What went wrong" }
                @for finding in failing {
                    @for story in &finding.stories { (self::story(story)) }
                    @if let Some(command) = &finding.replay { p.how { "See it again: " code { (command) } } }
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
                        ol.frames { @for frame in &story.frames[..=cut.omitted] { (self::frame(frame)) } }
                    }
                    ol.frames {
                        (self::frame(&cut.state))
                        @for frame in &story.frames[cut.omitted + 1..] { (self::frame(frame)) }
                    }
                }
                None => { ol.frames { @for frame in &story.frames { (self::frame(frame)) } } }
            }
            @for blame in &story.blame { (self::blame(blame)) }
            @for note in &story.notes { p.note { (note) } }
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
                        span class=(status_class(finding.verdict.status())) { (finding.verdict.word()) }
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
                            td { @if let Some(v) = item.verdict { span class=(status_class(v.status())) { (v.word()) } } }
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
