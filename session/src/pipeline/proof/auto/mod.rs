//! Proofs without help: lemmas are found, and then proved with the goals as if a person had written them.
//!
//! ```text
//! goals     what is to be proved, without the lemmas that are stated
//! source    states of small instances, and the clauses that hold in them
//! search    backwards from the goals, until nothing breaks them or the lemmas; with an archive of counterexamples to induction,
//!           and a cover of clauses that exclude them; or slices, what small instances need of all clauses that hold
//! recalled  lemmas that an earlier search found for the same question
//! race      several searches side by side
//! executed  what executions of small instances violate
//! offers    which candidates exclude a counterexample, and which of them settle the matter
//! sorting   which counterexamples of an ordinary proof are reached, and which candidates exclude the others
//! relevant  which candidates of the detector matter for a goal
//! needed    which lemmas the proof needs, and for what
//! told      what came of it: text, proof, findings; and what is left where there is no proof
//! ```
//! Nothing is trusted because it was inferred. What the search finds is written as IOA text, read again, and proved in the
//! ordinary way; no verdict comes from anywhere else.

mod effort;
mod executed;
mod goals;
mod needed;
mod offers;
mod race;
mod recalled;
mod relevant;
mod search;
mod sorting;
mod source;
mod told;

use std::rc::Rc;

use ioa_lang::core::Invariant;
use prover_bridge::Options;

use super::Request;
use super::check_names;
use crate::finding::{Finding, Verdict};
use crate::host::{Host, Progress, Stopwatch};
use crate::numbers::counted;
use crate::pipeline::candidates::Work;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

pub use effort::{BUDGET, Effort};
pub use relevant::{check_goal, relevant};
pub use sorting::prove_and_sort;
pub use told::Found;

use effort::{PATIENCE, SIFTING, Slices};
use goals::Goals;
use race::{Lane, side_by_side};
use search::obstacle::Obstacle;
use search::slicing::sliced;
use search::{Ending, Open, Search};
use source::{Gathered, Refutation, Source, Sources};
use told::{Attempt, Engine, Telling, Written};

/// Elements of each sort, at least, in a second look for violations.
const MORE_ELEMENTS: u64 = 3;

/// Proves goals, looking for the lemmas that this needs: for every size, or not at all.
///
/// The goals are the invariants and simulations that the request names, or all. Other invariants are forgotten: no lemma that
/// is stated is used.
///
/// # Errors
/// A name that nothing bears; nothing to prove; sizes that do not fit the model; formulas that cannot be evaluated.
pub fn auto(
    (study, setup): (&Study, &Setup),
    request: &Request,
    efforts: &[Effort],
    host: &dyn Host,
) -> Result<Found, BadInput> {
    if !request.check.is_empty() {
        let (study, request) = request.asked(study)?;
        return auto_named((&study, setup), &request, efforts, host);
    }
    auto_named((study, setup), request, efforts, host)
}

/// As [`auto`], where all that is asked for is stated in the study.
fn auto_named(
    (study, setup): (&Study, &Setup),
    request: &Request,
    efforts: &[Effort],
    host: &dyn Host,
) -> Result<Found, BadInput> {
    check_names(study, &request.only)?;
    let goals = Goals::of(study, request);
    if goals.automata.is_empty() {
        return Err(BadInput::message(
            "there is nothing to prove: no invariant and no simulation is stated, or none of what --only names",
        ));
    }
    let given = setup;
    let setup = &study.sized(given, &goals.automata);
    let telling = Telling {
        study,
        goals: &goals,
        request,
        started: Stopwatch::start(host),
        budget: efforts.last().map_or(0.0, Effort::seconds),
        work: efforts.last().map_or(told::SHORT, |effort| effort.work),
        host,
    };
    // What needs no lemma is proved first, so that nothing which happens in the search takes it away.
    let plain = telling.without_lemmas(setup)?;
    if plain.iter().all(|f| f.verdict == Verdict::Proved) {
        return Ok(telling.found(&Attempt::default(), &[], plain));
    }
    // No lemma helps a proof block that fails on an execution.
    if plain.iter().any(|f| f.verdict == Verdict::Violated) {
        return Ok(Found {
            findings: plain,
            text: String::new(),
        });
    }
    if let Some(found) = telling.recalled() {
        return Ok(found);
    }
    let mut best = Attempt::default();
    let has_ranges = goals.have_ranges(setup);
    let efforts = efforts.iter().copied();
    let efforts: Vec<Effort> = efforts
        .filter(|effort| has_ranges || !effort.needs_ranges)
        .collect();
    // The first one is made alone, since most searches end with it.
    let (first, others) = efforts.split_at(efforts.len().min(1));
    for (some, is_first) in [(first, true), (others, false)] {
        // A search takes as long for what is false as for what is true, and to look at states takes no time beside it.
        if !is_first && let Some(found) = violated_soon(&goals, (setup, given), host) {
            return Ok(with_others(found, plain));
        }
        let make = |effort: &Effort, lane: &Lane<'_>| attempt(&telling, setup, effort, lane);
        let is_answer = |tried: &Result<Tried, BadInput>| !matches!(tried, Ok(Tried::Open(_)));
        for tried in side_by_side(some, (request.threads, host), make, is_answer) {
            match tried? {
                Tried::Answered(answer) => {
                    if !answer.lemmas.is_empty() {
                        telling.remember(&answer.lemmas);
                    }
                    return Ok(with_others(answer.found, plain));
                }
                Tried::Open(attempt) => best = best.or_better(attempt),
            }
        }
    }
    if let Some(stop) = host.stopped() {
        best.remains.push(Obstacle::general(stop.words()));
    }
    telling.open(best, setup, plain)
}

/// What is told of goals that are false in the first states of an instance: of the sizes of the setup, or with three elements of each
/// sort for which no size was given.
fn violated_soon(
    goals: &Goals,
    (setup, given): (&Setup, &Setup),
    host: &dyn Host,
) -> Option<Found> {
    let more = |(sort, size): &(String, u64)| {
        let is_given = given.sorts.iter().any(|(other, _)| other == sort);
        let size = if is_given {
            *size
        } else {
            MORE_ELEMENTS.max(*size)
        };
        (sort.clone(), size)
    };
    let larger = Setup {
        sorts: setup.sorts.iter().map(more).collect(),
        ..setup.clone()
    };
    let each = executed::LOOKS.into_iter();
    let mut each = each.flat_map(|states| [(states, setup), (states, &larger)]);
    each.find_map(|(states, setup)| {
        let findings = executed::violated_at((&goals.study, setup), states, host);
        (!findings.is_empty()).then(|| Found {
            findings,
            text: String::new(),
        })
    })
}

/// What was found, and where a goal is violated, what is known of the others without any lemma: none is looked for then.
fn with_others(mut found: Found, plain: Vec<Finding>) -> Found {
    if found
        .findings
        .iter()
        .any(|f| f.verdict == Verdict::Violated)
    {
        let is_told = |other: &Finding| {
            let mut told = found.findings.iter();
            told.any(|f| (f.kind, &f.name) == (other.kind, &other.name))
        };
        let others: Vec<Finding> = plain.into_iter().filter(|f| !is_told(f)).collect();
        found.findings.extend(others);
    }
    found
}

/// What an attempt comes to.
enum Tried {
    /// The goals are proved, or one of them is violated.
    Answered(Box<Answer>),
    /// Neither.
    Open(Attempt),
}

/// What is told where the goals are proved, or one of them is violated.
struct Answer {
    found: Found,
    /// The lemmas with which they are proved.
    lemmas: Vec<Written>,
}

/// Looks for lemmas with so much effort.
fn attempt(
    telling: &Telling<'_>,
    setup: &Setup,
    effort: &Effort,
    lane: &Lane<'_>,
) -> Result<Tried, BadInput> {
    let request = &Request {
        threads: lane.threads(telling.request.threads),
        ..telling.request.clone()
    };
    let telling = &Telling {
        host: lane,
        request,
        ..*telling
    };
    let setup = &Setup {
        threads: lane.threads(setup.threads),
        ..setup.clone()
    };
    let (goals, host) = (telling.goals, telling.host);
    let counter = Rc::new(Work::default());
    let work: &Work = &counter;
    let spent = |resources| work.asked(resources);
    // This is the clock, the outermost limit. Work ends things only between steps that one thread takes.
    let stop = || telling.started.seconds() > effort.until || host.stopped().is_some();
    let options = Options {
        timeout: PATIENCE,
        resource_limit: effort.work,
        threads: request.threads,
        stop: Some(&stop),
        spent: Some(&spent),
        ..Options::default()
    };
    let mut progress = host.begins("looking for lemmas", None);
    progress.say("visiting small instances");
    let mut sources = match gathered(goals, (setup, effort, &counter), host)? {
        Ok(sources) => sources,
        Err(refutation) => return refuted(telling, *refutation),
    };
    let about = (telling, setup, effort);
    let with = (&mut sources, work);
    let ended = match effort.slices {
        Some(slices) => by_slices(about, slices, with, (&options, &mut *progress))?,
        None => by_counterexamples(about, with, (&options, &mut *progress))?,
    };
    if matches!(ended.0, Ending::Open(..) | Ending::OverBudget) {
        for source in sources.values_mut() {
            if let Some(refutation) = source.refuted_elsewhere(goals, setup)? {
                return refuted(telling, refutation);
            }
        }
    }
    come_to(telling, setup, ended, &options)
}

/// What is told of a goal that is false in a small instance.
fn refuted(telling: &Telling<'_>, refutation: Refutation) -> Result<Tried, BadInput> {
    let Refutation { goal, setup } = refutation;
    let name = goal.name.clone();
    let found = match telling.violated(&[goal], &setup) {
        Ok(found) => found,
        // It was visited with few numbers for parameters that may have any.
        Err(_) => {
            let said = " is false in a state that is reached, but the automaton cannot be explored to show how";
            let remains = vec![Obstacle::to(&name, said)];
            return Ok(Tried::Open(Attempt {
                remains,
                ..Attempt::default()
            }));
        }
    };
    let lemmas = Vec::new();
    Ok(Tried::Answered(Box::new(Answer { found, lemmas })))
}

/// What is looked for, at which sizes of the study, and with how much effort.
type Asked<'a> = (&'a Telling<'a>, &'a Setup, &'a Effort);

/// Takes what small instances need of all clauses that hold.
fn by_slices(
    (telling, setup, effort): Asked<'_>,
    slices: Slices,
    (sources, work): (&mut Sources<'_>, &Work),
    (options, progress): (&Options<'_>, &mut dyn Progress),
) -> Result<(Ending, Attempt), BadInput> {
    let enough = effort.states.work.max(work.done() + effort.searching());
    let is_enough = || work.done() > enough;
    let means = (options, &is_enough as &(dyn Fn() -> bool + Sync));
    let about = (telling.goals, telling.request, setup);
    let (attempt, is_inductive) =
        sliced(about, (sources, slices), means, (telling.host, progress))?;
    let ending = match is_inductive {
        true => Ending::Inductive,
        false => Ending::OverBudget,
    };
    Ok((ending, attempt))
}

/// Chooses clauses by the counterexamples to induction that they exclude, after what is inductive by itself.
fn by_counterexamples(
    (telling, _, effort): Asked<'_>,
    (sources, work): (&mut Sources<'_>, &Work),
    (options, progress): (&Options<'_>, &mut dyn Progress),
) -> Result<(Ending, Attempt), BadInput> {
    progress.say("sifting candidates");
    let enough = work.done() + effort.sifting();
    let known = inductive(telling.goals, sources, options, &|| work.done() > enough);
    let enough = effort.states.work.max(work.done() + effort.searching());
    for source in sources.values_mut() {
        source.spends_until(enough);
    }
    let about = (telling.goals, telling.request);
    let is_enough: &dyn Fn() -> bool = &|| work.done() > enough;
    let limits = (effort, options.clone(), is_enough);
    let mut search = Search::new(about, limits, (known, sources), telling.host);
    let ending = search.run(progress)?;
    let attempt = Attempt {
        lemmas: search.lemmas(),
        rounds: search.rounds,
        counterexamples: search.seen,
        engine: match effort.learns {
            true => Engine::Clauses,
            false => Engine::Diagrams,
        },
        clauses: 0,
        remains: Vec::new(),
        is_recalled: false,
    };
    Ok((ending, attempt))
}

/// The states of small instances, for each automaton that lemmas may speak of; or a goal that is false in one of them.
fn gathered<'s>(
    goals: &'s Goals,
    (setup, effort, work): (&'s Setup, &Effort, &Rc<Work>),
    host: &'s dyn Host,
) -> Result<Result<Sources<'s>, Box<Refutation>>, BadInput> {
    let mut sources = Sources::new();
    for automaton in &goals.automata {
        match Source::gather(goals, *automaton, (setup, effort, work), host)? {
            Gathered::Source(source) => sources.insert(*automaton, *source),
            Gathered::Refuted(refutation) => return Ok(Err(refutation)),
        };
    }
    Ok(Ok(sources))
}

/// What a search comes to that has ended.
fn come_to(
    telling: &Telling<'_>,
    setup: &Setup,
    (ending, mut attempt): (Ending, Attempt),
    options: &Options<'_>,
) -> Result<Tried, BadInput> {
    let answered = match ending {
        Ending::Inductive => {
            attempt.remains.push(Obstacle::general(UNCONFIRMED));
            telling.proved(&attempt, options)?
        }
        Ending::Violated(cti) => {
            let said = " fails from a state that is reached";
            attempt.remains.push(Obstacle::to(&cti.obligation, said));
            // Where the automaton cannot be explored, the last proof shows what it can.
            let found = telling.violated_from(&cti, setup).unwrap_or_default();
            found.map(|found| (found, Vec::new()))
        }
        Ending::Open(open, unknown) => {
            attempt.remains = open.iter().map(Open::obstacle).chain(unknown).collect();
            None
        }
        Ending::OverBudget => {
            let ended = match attempt.rounds {
                0 => "what was found is not enough".to_owned(),
                rounds => {
                    let rounds = counted(rounds, "round");
                    format!("the search was ended after {rounds}")
                }
            };
            attempt.remains.push(Obstacle::general(ended));
            None
        }
    };
    Ok(match answered {
        Some((found, lemmas)) => Tried::Answered(Box::new(Answer { found, lemmas })),
        None => Tried::Open(attempt),
    })
}

/// What is said where only the search finds that lemmas suffice.
const UNCONFIRMED: &str = "what the search found inductive is not proved in the ordinary way";

/// The candidates of all sources that are inductive by themselves, each with a name of its own that nothing else has; perhaps not
/// all of them, where there is enough of asking before that is known.
fn inductive(
    goals: &Goals,
    sources: &Sources<'_>,
    options: &Options<'_>,
    is_enough: &(dyn Fn() -> bool + Sync),
) -> Vec<Invariant> {
    let stop = || is_enough() || options.stop.is_some_and(|stop| stop());
    let options = Options {
        resource_limit: SIFTING,
        stop: Some(&stop),
        ..options.clone()
    };
    let each = sources.values();
    let all = each.flat_map(|source| source.inductive(goals, &options));
    let named = all.enumerate().map(|(at, invariant)| Invariant {
        name: format!("known {at}").into(),
        ..invariant
    });
    named.collect()
}
