//! Proofs: all obligations of a study, summed up for each invariant and each simulation.

pub mod auto;
mod findings;
mod offered;
mod repeat;
mod replay;
mod request;
mod sorted;
mod subject;
mod summary;
mod told;
mod unrolled;

use prover_bridge::{
    Kind as Question, Obligation, Options, Outcome, Report, Target, Verdict, renamed,
};

pub use self::findings::RECALLED;
use self::findings::findings;
pub(super) use self::findings::proved;
pub use self::repeat::Repeated;
pub use self::replay::Replayed;
pub use self::request::{Method, Proof, Request, Shown, TIMEOUT, WORK};
use self::sorted::Sorted;
use self::subject::{Subject, Wanted, subject};
use self::unrolled::Unrolling;
use crate::host::Host;
use crate::study::{BadInput, Study, did_you_mean};

/// Counterexamples for so many reasons are looked for to each obligation at most, where all are asked for.
const REASONS: usize = 5;

/// Proves everything the study states, and reports on what was asked for.
///
/// All invariants of an automaton are proved together, since each may use the others. Where some are named, only these
/// are proved and reported on, with those that their proofs turn out to use.
///
/// # Errors
/// A name that nothing bears; formulas that say nothing or something wrong; no invariant, where the method is about these alone.
pub fn prove(study: &Study, request: &Request, host: &dyn Host) -> Result<Proof, BadInput> {
    prove_and(study, request, host, &|_, _, _| Sorted::default())
}

/// Says what is known about the counterexamples in a report on a study.
type Sort<'s> = &'s dyn Fn(&Study, &Request, &Report) -> Sorted;

/// As [`prove`]; `sort` says what is known about the counterexamples.
fn prove_and(
    study: &Study,
    request: &Request,
    host: &dyn Host,
    sort: Sort<'_>,
) -> Result<Proof, BadInput> {
    if !request.check.is_empty() {
        let (study, request) = request.asked(study)?;
        return named(&study, &request, host, sort);
    }
    named(study, request, host, sort)
}

/// As [`prove_and`], where all that is asked for is stated in the study.
fn named(
    study: &Study,
    request: &Request,
    host: &dyn Host,
    sort: Sort<'_>,
) -> Result<Proof, BadInput> {
    check_names(study, &request.only)?;
    if let Some(name) = &request.automaton {
        study.automaton(Some(name))?;
    }
    if let Some(unrolling) = Unrolling::of(request.method) {
        return unrolled::prove(study, request, unrolling, host);
    }
    let report = decided(study, request, host, 0);
    let repeated = (request.repeat > 1).then(|| {
        Repeated::after(&report, request.repeat, |round| {
            let report = decided(study, request, host, round);
            host.stopped().is_none().then_some(report)
        })
    });
    let begun = host.now();
    let sorted = sort(study, request, &report);
    let shown = shown(study, &report, &sorted);
    let mut findings = findings(study, request, &report, sorted);
    if let Some(repeated) = &repeated {
        repeated.judge(&mut findings);
    }
    Ok(Proof {
        findings,
        uses: match request.cores {
            true => offered::uses(study, &report),
            false => Vec::new(),
        },
        spent: report.spent,
        sorting: (!report.is_proved()).then(|| host.now().saturating_sub(begun)),
        repeated,
        shown,
    })
}

/// The counterexamples to induction. Of what an execution violates, that execution is told, and no counterexample.
fn shown(study: &Study, report: &Report, sorted: &Sorted) -> Vec<Shown> {
    let is_violated = |outcome: &Outcome| match subject(study, outcome.obligation.kind) {
        Subject::Invariant(at) => sorted.violates(&study.model.invariants[at].name),
        _ => false,
    };
    let open = report.outcomes.iter();
    let open = open.filter(|outcome| !is_violated(outcome));
    open.filter_map(counterexample).collect()
}

/// The counterexample to an obligation, if there is one with states.
fn counterexample(outcome: &Outcome) -> Option<Shown> {
    let found = match &outcome.verdict {
        Verdict::Refuted(found) => found,
        Verdict::ProvedIf(condition) => condition.without.as_ref()?,
        Verdict::Proved(_) | Verdict::Vacuous(_) | Verdict::Unknown(_) => return None,
    };
    let name = &outcome.obligation.name;
    let what = match outcome.obligation.kind {
        Question::Initiation { .. } | Question::SimulationStart { .. } => {
            format!("a start state: {name} is not established")
        }
        Question::Definedness(_) => {
            format!("a state because of which it is not established that {name}")
        }
        _ => format!("a counterexample to induction: {name} is not established"),
    };
    Some(Shown {
        what,
        states: replay::states(found)?,
    })
}

/// What comes of the obligations. Another variation than 0 has other names of symbols, another order of the assumptions and
/// another seed, none of which means anything; it says neither what proofs need nor how small counterexamples can be.
fn decided(study: &Study, request: &Request, host: &dyn Host, variation: u32) -> Report {
    let varied = (variation > 0).then(|| renamed(&study.model, variation));
    let target = Target::everything(varied.as_ref().unwrap_or(&study.model));
    let wanted = Wanted::of(study, request);
    let only = |kind: Question| wanted.contains(study, subject(study, kind));
    let everything = request.only.is_empty() && request.automaton.is_none();
    let mut report = None;
    host.supervises(&target, request.timeout, &mut |watch| {
        let is_over = || request.until.is_some_and(|until| host.now() > until);
        let stop = || host.stopped().is_some() || is_over();
        let options = Options {
            spent: None,
            stop: Some(&stop),
            only: (!everything).then_some(&only),
            timeout: request.timeout,
            resource_limit: 0,
            allowance: u64::from(request.work),
            apart: request.apart,
            seed: variation,
            order: variation,
            threads: request.threads,
            needed_invariants: request.cores && variation == 0,
            shrink: variation == 0,
            counterexamples: if request.all { REASONS } else { 1 },
            watch,
            proofs: host.proofs().filter(|_| request.repeat <= 1),
        };
        report = Some(prover_bridge::prove(&target, &options, &|| host.now()));
    });
    report.expect("a host that supervises a proof runs it")
}

/// The obligations that a request is about, in the order of the target's.
#[must_use]
pub fn wanted_obligations(
    study: &Study,
    request: &Request,
    target: &Target<'_>,
) -> Vec<Obligation> {
    let wanted = Wanted::of(study, request);
    let mut all = prover_bridge::obligations(target);
    all.retain(|o| wanted.contains(study, subject(study, o.kind)));
    all
}

fn check_names(study: &Study, only: &[String]) -> Result<(), BadInput> {
    let model = &study.model;
    let known: Vec<String> = (model.invariants.iter().map(|i| i.name.to_string()))
        .chain(model.liveness.iter().map(|l| l.name.to_string()))
        .chain(model.simulations.iter().map(|s| model.simulation_name(s)))
        .chain(model.automata.iter().map(|a| a.name.to_string()))
        .collect();
    let Some(name) = only.iter().find(|name| !known.contains(name)) else {
        return Ok(());
    };
    let hint = did_you_mean(name, known.iter().map(String::as_str)).unwrap_or_default();
    Err(BadInput::message(format!(
        "no invariant, liveness property, simulation or automaton is named {name}{hint}"
    )))
}
