//! The report as one HTML page that opens without a network: no script, no font, no picture from elsewhere.

mod sources;
mod stories;

use exporters::execution::{PANEL_SCRIPT, PANEL_STYLE};
use ioa_lang::Name;
use ioa_lang::core::AutomatonId;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use session::finding::{Finding, Item, Status, Verdict};
use session::numbers::duration;
use session::study::Study;

use self::sources::sources;
use self::stories::failures;
use super::graph::{self, Graph};
use super::overview;

/// What the page is about.
pub struct Page<'a> {
    /// The study.
    pub study: &'a Study,
    /// The exit status that the findings add up to.
    pub status: Status,
    /// The findings, in the order in which they were made.
    pub findings: &'a [Finding],
    /// What is otherwise than the study expects, a sentence each.
    pub unmet: &'a [String],
    /// The command that makes the report again.
    pub command: &'a str,
    /// When it was made, in words.
    pub date: &'a str,
}

/// The page as text.
#[must_use]
pub fn render(page: &Page<'_>) -> String {
    let (study, findings) = (page.study, page.findings);
    let texts = study.texts();
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (study.name) " - IOA report" }
                style { (PreEscaped(include_str!("page.css"))) (PreEscaped(PANEL_STYLE)) }
            }
            body {
                header {
                    h1 { (study.name) }
                    p class=(status_class(page.status)) { (headline(page.status, findings)) }
                    @for line in page.unmet { p { (line) } }
                    p.how { "Made by " code { (page.command) } " on " (page.date) " with ioa " (env!("CARGO_PKG_VERSION")) " and Z3 " (prover_bridge::z3_version()) }
                }
                main {
                    (failures(findings, &texts))
                    (overview(findings))
                    (graphs(study, findings))
                    (evidence(findings))
                    (sources(&texts))
                }
                script { (PreEscaped(PANEL_SCRIPT)) }
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
    (
        Verdict::Found,
        "an execution reaches a state that was looked for",
    ),
    (
        Verdict::Absent,
        "no reachable state at these sizes is one that was looked for",
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

/// Which automaton implements which, and which lemma is needed for what, as far as these are known.
fn graphs(study: &Study, findings: &[Finding]) -> Markup {
    let automata = Graph::of_automata(study, findings);
    let asked = |id: &AutomatonId| {
        let name = &*study.model.automaton(*id).name;
        findings.iter().any(|finding| finding.automaton == name)
    };
    let ids = (0..study.model.automata.len()).map(AutomatonId::at);
    let composed = ids.filter(asked).filter_map(|id| {
        let name = study.model.automaton(id).name.clone();
        Some((name, Graph::of_components(study, id)?))
    });
    let composed: Vec<(Name, Graph)> = composed.collect();
    let proofs = Graph::of_proofs(findings).filter(|graph| !graph.edges.is_empty());
    html! {
        @if let Some(automata) = automata {
            section {
                h2 { "What implements what" }
                (graph::picture(&automata, "The automata; an arrow goes from the implementation to its specification."))
            }
        }
        @for (automaton, components) in &composed {
            section {
                h2 { "What " (automaton) " is made of" }
                p.how { "An arrow goes from a component to those that receive the actions which it controls." }
                (graph::picture(components, "The components; an arrow goes from each to those that receive its actions."))
            }
        }
        @if let Some(proofs) = proofs {
            section {
                h2 { "What each proof needs" }
                p.how { "An arrow goes from a claim to an invariant that its proof assumes of the state before the step." }
                (graph::picture(&proofs, "The claims that were proved; an arrow goes from each to the invariants that its proof assumes."))
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
