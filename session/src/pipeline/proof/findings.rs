//! What came of the obligations, as findings: one for each invariant, each simulation, and what proofs presume.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::Name;
use ioa_lang::core::Simulation;

use prover_bridge::{
    About, Grounded, Kind as Question, Outcome, Part, Report, Verdict as Answer, Warning, names,
};

use super::replay;
use super::request::Request;
use super::sorted::{Reachability, Sorted, counterexamples};
use super::subject::{Subject, Wanted, describe, subject};
use super::summary::summary;
use super::told;
use crate::finding::{Finding, Item, Kind, Scope, Verdict};
use crate::study::Study;

/// What came of the obligations that a request is about; `sorted` is what is known about the counterexamples.
pub(super) fn findings(
    study: &Study,
    request: &Request,
    report: &Report,
    sorted: Sorted,
) -> Vec<Finding> {
    let mut grouped: BTreeMap<Subject, Vec<&Outcome>> = BTreeMap::new();
    for outcome in &report.outcomes {
        let subject = subject(study, outcome.obligation.kind);
        grouped.entry(subject).or_default().push(outcome);
    }
    let wanted = Wanted::of(study, request);
    grouped.retain(|subject, _| wanted.contains(study, *subject));
    let subjects: Vec<Subject> = grouped.keys().copied().collect();
    let sorted = Sorted {
        violated_at_once: violated_at_once(study, report),
        ..sorted
    };
    let warned = |subject: Subject| {
        let about = |w: &&Warning| bearer(study, &subjects, w.about) == Some(subject);
        let warnings = report.warnings.iter().filter(about);
        warnings.map(|w| worded(study, w)).collect()
    };
    let all = grouped.iter().map(|(subject, outcomes)| Finding {
        warnings: warned(*subject),
        ..finding(study, request, (*subject, outcomes), &sorted)
    });
    let mut all: Vec<Finding> = all.collect();
    for (finding, subject) in all.iter_mut().zip(&subjects) {
        if is_undefined(report, *subject) && finding.verdict == Verdict::Proved {
            finding.verdict = Verdict::Conditional;
            finding.summary = "proved, if it has a value in all reachable states".into();
        }
    }
    condition_on_requirements(study, &mut all);
    for violated in sorted.violated {
        replace(&mut all, violated, request);
    }
    let needs = all.iter().zip(&subjects);
    let needs = needs.map(|(finding, subject)| violated_needs(&all, finding, &grouped[subject]));
    let needs: Vec<Vec<String>> = needs.collect();
    for (finding, violated) in all.iter_mut().zip(needs) {
        if finding.verdict == Verdict::Conditional && !violated.is_empty() {
            finding.summary = told::needs_violated(&violated);
        }
    }
    all
}

/// What is proved of a composition whose components do not fit together, as far as is known, is proved if they do.
fn condition_on_requirements(study: &Study, all: &mut [Finding]) {
    let is_open = |f: &&Finding| f.kind == Kind::Requirement && f.verdict != Verdict::Proved;
    let open: BTreeSet<String> = all
        .iter()
        .filter(is_open)
        .map(|f| f.automaton.clone())
        .collect();
    let speaks_of = |finding: &Finding| -> Option<String> {
        if open.contains(&finding.automaton) {
            return Some(finding.automaton.clone());
        }
        let mut simulations = study.model.simulations.iter();
        let is_it = |s: &&Simulation| study.model.simulation_name(s) == finding.name;
        let simulation = simulations
            .find(is_it)
            .filter(|_| finding.kind == Kind::Simulation)?;
        let high = &study.model.automaton(simulation.high).name;
        open.get(&**high).cloned()
    };
    for finding in all.iter_mut().filter(|f| f.verdict == Verdict::Proved) {
        if let Some(composition) = speaks_of(finding) {
            finding.verdict = Verdict::Conditional;
            finding.summary =
                format!("proved, if what {composition} requires holds, which is not established");
        }
    }
}

/// The violated invariants without which something is not proved.
fn violated_needs(all: &[Finding], finding: &Finding, outcomes: &[&Outcome]) -> Vec<String> {
    let conditions = outcomes.iter().filter_map(|o| match &o.verdict {
        Answer::ProvedIf(condition) => Some(&condition.invariants),
        _ => None,
    });
    let awaited: BTreeSet<&Name> = conditions.flatten().collect();
    let is_awaited = |other: &&Finding| {
        let is_violated = (other.kind, other.verdict) == (Kind::Invariant, Verdict::Violated);
        is_violated && other.name != finding.name && awaited.iter().any(|n| ***n == *other.name)
    };
    let violated = all.iter().filter(is_awaited);
    violated.map(|other| other.name.clone()).collect()
}

/// Which of the subjects that are reported on shows a warning: what it is about, or the last that is about its
/// automaton, on whose steps it bears.
fn bearer(study: &Study, subjects: &[Subject], about: About) -> Option<Subject> {
    let bears = |subject: &Subject| match about {
        About::Invariant(warned) => *subject == Subject::Invariant(warned),
        About::Clause(warned, _) | About::Theories(warned) => match *subject {
            Subject::Invariant(i) => study.model.invariants[i].automaton == warned,
            Subject::Simulation(s) => {
                let stated = &study.model.simulations[s];
                [stated.low, stated.high].contains(&warned)
            }
            Subject::AutomatonDefined(id) => id == warned,
            Subject::Requirements(id) => id == warned && matches!(about, About::Theories(_)),
            Subject::Axioms | Subject::SimulationDefined(_) => false,
        },
    };
    subjects.iter().rev().copied().find(bears)
}

/// A warning with its places.
fn worded(study: &Study, warning: &Warning) -> String {
    let places = std::iter::once(&warning.span).chain(&warning.with);
    let places: Vec<String> = places.map(|span| study.location(*span)).collect();
    format!("{warning} (at {})", places.join(" and "))
}

/// Whether something is an invariant that was not seen to have a value in all reachable states.
fn is_undefined(report: &Report, subject: Subject) -> bool {
    let Subject::Invariant(invariant) = subject else {
        return false;
    };
    let about = Question::Definedness(Part::Invariant(invariant));
    let mut outcomes = report.outcomes.iter();
    outcomes.any(|outcome| {
        let is_open = matches!(outcome.verdict, Answer::Refuted(_) | Answer::Unknown(_));
        outcome.obligation.kind == about && is_open
    })
}

/// Puts what an execution violates in the place of the proof that failed.
fn replace(findings: &mut [Finding], violated: Finding, request: &Request) {
    let kind = match violated.kind {
        // A simulation is violated by the executions of a pair.
        Kind::Pair => Kind::Simulation,
        kind => kind,
    };
    let is_same = |f: &&mut Finding| {
        (f.kind, &f.name, &f.automaton) == (kind, &violated.name, &violated.automaton)
    };
    if let Some(failed) = findings.iter_mut().find(is_same) {
        failed.verdict = violated.verdict;
        failed.scope = violated.scope;
        failed.summary = violated.summary;
        failed.stories = violated.stories;
        // A formula has no name by which an exploration could be asked about it.
        if !request.check.contains(&violated.name) {
            failed.replay = violated.replay;
        }
    }
}

fn finding(
    study: &Study,
    request: &Request,
    (subject, outcomes): (Subject, &[&Outcome]),
    sorted: &Sorted,
) -> Finding {
    let (kind, name, automaton) = describe(study, subject);
    let started = outcomes.iter().copied().find(|o| is_violation(study, o));
    let is_reached = |o: &&Outcome| {
        let mut hints = counterexamples(o).filter_map(|(name, _)| sorted.hints.get(&name));
        hints.any(|hint| matches!(hint.reached, Some(Reachability::Yes(_))))
    };
    let verdict = match started {
        Some(_) => Verdict::Violated,
        None if outcomes.iter().any(is_reached) => Verdict::Violated,
        None => together(outcomes),
    };
    let mut finding = Finding::new(kind, name, automaton, verdict, scope(outcomes));
    finding.seconds = Some(outcomes.iter().map(|o| o.time.as_secs_f64()).sum());
    finding.figures = figures(outcomes);
    finding.summary = summary(outcomes, started);
    finding.items = outcomes.iter().map(|o| item(o)).collect();
    finding.needs = needs(outcomes);
    let stories = outcomes
        .iter()
        .flat_map(|o| told::stories(study, o, (started == Some(*o), sorted)));
    finding.stories = stories.collect();
    if !finding.stories.is_empty() {
        finding.replay = Some(request.command(study, &finding.name));
    }
    finding
}

/// Whether a counterexample to an obligation is an execution, of no step or of one.
fn is_violation(study: &Study, outcome: &Outcome) -> bool {
    let invariant = match outcome.obligation.kind {
        Question::Initiation { invariant } | Question::Consecution { invariant, .. } => invariant,
        _ => return false,
    };
    match &outcome.verdict {
        Answer::Refuted(found) => replay::is_violated(study, invariant, found),
        _ => false,
    }
}

/// The invariants that counterexamples themselves show to be violated.
fn violated_at_once(study: &Study, report: &Report) -> BTreeSet<String> {
    let shown = report.outcomes.iter().filter(|o| is_violation(study, o));
    let named = shown.map(|o| describe(study, subject(study, o.obligation.kind)).1);
    named.collect()
}

/// Every size, but for a counterexample, which is of some size.
fn scope(outcomes: &[&Outcome]) -> Scope {
    let found = outcomes.iter().find_map(|o| match &o.verdict {
        Answer::Refuted(found) => Some(Scope::Sizes(found.sizes.clone())),
        _ => None,
    });
    found.unwrap_or(Scope::UNBOUNDED)
}

/// What the obligations of one thing come to: one counterexample refutes it, and it is proved if all of them are, each
/// of something.
fn together(outcomes: &[&Outcome]) -> Verdict {
    let has = |wanted: Verdict| outcomes.iter().any(|o| verdict(&o.verdict) == wanted);
    let worst = [
        Verdict::Refuted,
        Verdict::Unknown,
        Verdict::Vacuous,
        Verdict::Conditional,
        Verdict::Proved,
    ];
    let found = worst.into_iter().find(|verdict| has(*verdict));
    found.unwrap_or(Verdict::Unknown)
}

/// The verdict on a proof of something. There is no other way to it.
pub(in crate::pipeline) fn proved(_: Grounded) -> Verdict {
    Verdict::Proved
}

fn verdict(answer: &Answer) -> Verdict {
    match answer {
        Answer::Proved(grounded) => proved(*grounded),
        Answer::Vacuous(_) => Verdict::Vacuous,
        Answer::Refuted(_) => Verdict::Refuted,
        Answer::ProvedIf(_) => Verdict::Conditional,
        Answer::Unknown(_) => Verdict::Unknown,
    }
}

/// The invariants that the proofs of one thing need, in the order in which they are found to; nothing where that was not found
/// out of any.
fn needs(outcomes: &[&Outcome]) -> Option<Vec<String>> {
    let known = outcomes.iter().filter_map(|o| o.needed.as_ref());
    let mut needs: Option<Vec<String>> = None;
    for name in known.flat_map(|names| names.iter().map(ToString::to_string)) {
        let needs = needs.get_or_insert_default();
        if !needs.contains(&name) {
            needs.push(name);
        }
    }
    let any = outcomes.iter().any(|o| o.needed.is_some());
    needs.or(any.then(Vec::new))
}

/// How many obligations were proved before and not asked again.
pub const RECALLED: &str = "recalled";

fn figures(outcomes: &[&Outcome]) -> BTreeMap<&'static str, u64> {
    let proved = outcomes.iter().filter(|o| o.is_proved()).count();
    let recalled = outcomes.iter().filter(|o| o.recalled).count();
    let mut figures = BTreeMap::from([
        ("obligations", outcomes.len() as u64),
        ("proved", proved as u64),
        (
            "queries",
            outcomes.iter().map(|o| u64::from(o.queries)).sum(),
        ),
        ("resources", outcomes.iter().map(|o| o.resources).sum()),
    ]);
    if recalled > 0 {
        figures.insert(RECALLED, recalled as u64);
    }
    figures
}

fn item(outcome: &Outcome) -> Item {
    let text = match (&outcome.verdict, &outcome.needed) {
        (Answer::ProvedIf(condition), _) => condition.to_string(),
        (Answer::Unknown(reason), _) => reason.to_string(),
        (Answer::Vacuous(why), _) => why.clone(),
        (_, Some(needed)) => format!("needs {}", names(needed)),
        _ => String::new(),
    };
    let mut figures = BTreeMap::from([
        ("queries", u64::from(outcome.queries)),
        ("resources", outcome.resources),
    ]);
    if outcome.recalled {
        figures.insert(RECALLED, 1);
    }
    Item {
        name: outcome.obligation.name.clone(),
        text,
        verdict: Some(verdict(&outcome.verdict)),
        figures,
        seconds: Some(outcome.time.as_secs_f64()),
        needed_for: Vec::new(),
        opinion: None,
    }
}
