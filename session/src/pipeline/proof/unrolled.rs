//! Bounded checks and k-induction: what executions of any size show of invariants in so many steps.

use std::time::Duration;

use prover_bridge::counterexample::Execution;
use prover_bridge::{
    BoundedOutcome, BoundedVerdict, KInductionOutcome, KInductionVerdict, Options, Spent, Target,
    bounded, k_induction, proved_if,
};

use super::findings::proved;
use super::replay;
use super::request::{Method, Proof, Request, Shown};
use super::told::{UNCONFIRMED, explained_at_the_end};
use crate::finding::{Finding, Kind, Scope, Verdict};
use crate::host::Host;
use crate::numbers::counted;
use crate::story::induction;
use crate::study::{BadInput, Study};

/// The method of a request that unrolls the step relation, with its number of steps.
#[derive(Clone, Copy)]
pub(super) enum Unrolling {
    /// Executions of at most so many steps.
    Bounded(u32),
    /// Induction over so many steps.
    KInduction(u32),
}

/// What came of one invariant, by either method.
struct Answer {
    invariant: usize,
    verdict: Verdict,
    summary: String,
    /// What shows that the invariant does not hold, or why its proof fails.
    execution: Option<Execution>,
    queries: u32,
    time: Duration,
}

/// Asks about the invariants of a study that a request names.
pub(super) fn prove(
    study: &Study,
    request: &Request,
    unrolling: Unrolling,
    host: &dyn Host,
) -> Result<Proof, BadInput> {
    let model = &study.model;
    let target = Target {
        model,
        invariants: model.invariants.iter().collect(),
        simulations: Vec::new(),
        automata: Vec::new(),
    };
    let wanted = |i: usize| {
        let invariant = &model.invariants[i];
        let automaton = &model.automaton(invariant.automaton).name;
        let is_named = |name: &String| **name == *invariant.name;
        (request.only.is_empty() || request.only.iter().any(is_named))
            && request
                .automaton
                .as_ref()
                .is_none_or(|a| **a == **automaton)
    };
    if !(0..target.invariants.len()).any(wanted) {
        return Err(BadInput::message(format!(
            "{} is about invariants, and none is stated or named",
            request.method.flag().trim_start()
        )));
    }
    let begun = host.now();
    let mut answers = Vec::new();
    host.supervises(&target, request.timeout, &mut |watch| {
        let stop = || host.stopped().is_some();
        let options = Options {
            stop: Some(&stop),
            timeout: request.timeout,
            allowance: u64::from(request.work),
            threads: request.threads,
            watch,
            ..Options::default()
        };
        let clock = || host.now();
        answers = match unrolling {
            Unrolling::Bounded(steps) => bounded(&target, steps, &wanted, &options, &clock)
                .into_iter()
                .map(|outcome| of_bounded(study, steps, outcome))
                .collect(),
            Unrolling::KInduction(k) => k_induction(&target, k, &options, &clock)
                .into_iter()
                .map(|outcome| of_k_induction(study, k, outcome))
                .collect(),
        };
    });
    answers.retain(|answer: &Answer| wanted(answer.invariant));
    let shown = answers
        .iter()
        .filter_map(|answer| shown(study, answer))
        .collect();
    let findings = answers
        .into_iter()
        .map(|answer| finding(study, request, answer));
    Ok(Proof {
        shown,
        findings: findings.collect(),
        uses: Vec::new(),
        sorting: None,
        repeated: None,
        spent: Spent {
            proofs: host.now().saturating_sub(begun),
            ..Spent::default()
        },
    })
}

impl Unrolling {
    /// That of a method, where it unrolls.
    pub(super) fn of(method: Method) -> Option<Self> {
        match method {
            Method::Induction => None,
            Method::Bounded(steps) => Some(Self::Bounded(steps)),
            Method::KInduction(k) => Some(Self::KInduction(k)),
        }
    }
}

fn of_bounded(study: &Study, steps: u32, outcome: BoundedOutcome) -> Answer {
    let invariant = outcome.invariant;
    let (verdict, summary, execution) = match outcome.verdict {
        BoundedVerdict::Holds(_) => {
            let summary = format!(
                "holds for executions of at most {}, for every size",
                counted(steps.into(), "step")
            );
            (Verdict::Bounded, summary, None)
        }
        BoundedVerdict::Violated(execution) => violated(study, invariant, *execution),
        BoundedVerdict::Vacuous(why) => (Verdict::Vacuous, why, None),
        BoundedVerdict::Unknown(at, reason) => {
            let mut summary = format!("executions of {}: {reason}", counted(at.into(), "step"));
            // All shorter ones were checked before.
            if let Some(shorter) = at.checked_sub(1) {
                let shorter = counted(shorter.into(), "step");
                summary.push_str(&format!(
                    "; it holds for those of at most {shorter}, for every size"
                ));
            }
            (Verdict::Unknown, summary, None)
        }
    };
    Answer {
        invariant,
        verdict,
        summary,
        execution,
        queries: outcome.queries,
        time: outcome.time,
    }
}

fn of_k_induction(study: &Study, k: u32, outcome: KInductionOutcome) -> Answer {
    let invariant = outcome.invariant;
    let (verdict, summary, execution) = match outcome.verdict {
        KInductionVerdict::Proved(grounded) => {
            let summary = format!("{k}-inductive");
            (proved(grounded), summary, None)
        }
        KInductionVerdict::Violated(execution) => violated(study, invariant, *execution),
        KInductionVerdict::Refuted(execution) => {
            let summary = format!("not {k}-inductive");
            (Verdict::Refuted, summary, Some(*execution))
        }
        KInductionVerdict::Vacuous(why) => (Verdict::Vacuous, why, None),
        KInductionVerdict::ProvedIf(invariants) => {
            (Verdict::Conditional, proved_if(&invariants), None)
        }
        KInductionVerdict::Unknown(reason) => (Verdict::Unknown, reason.to_string(), None),
    };
    Answer {
        invariant,
        verdict,
        summary,
        execution,
        queries: outcome.queries,
        time: outcome.time,
    }
}

/// The states that show why an invariant is not established, if there are any.
fn shown(study: &Study, answer: &Answer) -> Option<Shown> {
    let states = answer.execution.clone()?;
    let name = &study.model.invariants[answer.invariant].name;
    let what = match answer.verdict {
        Verdict::Violated => format!("an execution that violates {name}, found by the solver"),
        _ => format!("consecutive states that show why {name} is not established"),
    };
    Some(Shown { what, states })
}

/// A violation that the solver found: it counts where the executor takes the same steps.
fn violated(
    study: &Study,
    invariant: usize,
    execution: Execution,
) -> (Verdict, String, Option<Execution>) {
    let steps = counted(execution.steps.len() as u64, "step");
    if replay::is_execution(study, invariant, &execution) {
        let summary = format!("violated after {steps}");
        return (Verdict::Violated, summary, Some(execution));
    }
    let summary = format!("violated after {steps}, which the executor does not confirm");
    (Verdict::Unknown, summary, Some(execution))
}

fn finding(study: &Study, request: &Request, answer: Answer) -> Finding {
    let invariant = &study.model.invariants[answer.invariant];
    let automaton = &study.model.automaton(invariant.automaton).name;
    let scope = match &answer.execution {
        Some(execution) => Scope::Sizes(execution.sizes.clone()),
        None => Scope::UNBOUNDED,
    };
    let mut finding = Finding::new(
        Kind::Invariant,
        &*invariant.name,
        &**automaton,
        answer.verdict,
        scope,
    );
    finding.seconds = Some(answer.time.as_secs_f64());
    finding.figures.insert("queries", answer.queries.into());
    finding.summary = answer.summary;
    if let Some(execution) = &answer.execution {
        let name = &invariant.name;
        let (headline, is_execution) = match answer.verdict {
            Verdict::Refuted => (format!("{automaton}.{name} is not established"), false),
            Verdict::Violated => (format!("invariant {name} of {automaton} is violated"), true),
            _ => (format!("{automaton}.{name} is not established"), true),
        };
        let mut story = induction::tell_path(study, headline, execution, is_execution);
        if let Some(blame) = explained_at_the_end(study, answer.invariant, execution) {
            story.blame = blame;
        }
        if answer.verdict == Verdict::Unknown {
            story.notes.push(UNCONFIRMED.into());
        }
        finding.stories.push(story);
        finding.replay = Some(request.command(study, name));
    }
    finding
}
