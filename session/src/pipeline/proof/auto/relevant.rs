//! Which of the detector's candidates matter for a property: those that exclude the counterexamples to its induction, and then
//! those that exclude the counterexamples to theirs.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interpreter::{Executor, Instance};
use invariants::learn::Lemma;
use ioa_lang::core::{AutomatonId, Invariant};
use prover_bridge::{Counterexample, Options};

use super::super::request::Request;
use super::effort::{BUDGET, Effort, PATIENCE};
use super::goals::Goals;
use super::needed::{Graph, least};
use super::search::Search;
use super::search::archive::spots;
use super::search::cover::greedy;
use super::source::Sources;
use super::{SIFTING, check_names};
use crate::host::Host;
use crate::pipeline::candidates::{Proposal, Purpose};
use crate::study::{BadInput, Study};

/// Times that the solver is asked about all that is open, at most.
const ROUNDS: u64 = 40;

/// The counterexamples that were seen, each with the candidates that exclude it.
type Seen = Vec<BTreeSet<usize>>;

/// What a round leaves: counterexamples that no candidate excludes, and obligations about which the solver found out nothing.
#[derive(Default)]
struct Rest {
    open: usize,
    unknown: Vec<String>,
}

impl Rest {
    fn is_empty(&self) -> bool {
        self.open == 0 && self.unknown.is_empty()
    }
}

/// Checks the name of a goal for candidates of an automaton, before anything takes time.
///
/// # Errors
/// A name that nothing bears; a property that is not about the automaton.
pub fn check_goal(study: &Study, name: &str, automaton: AutomatonId) -> Result<(), BadInput> {
    asked(study, name, (automaton, 1)).map(|_| ())
}

/// The question about a property of an automaton.
fn asked(
    study: &Study,
    name: &str,
    (automaton, threads): (AutomatonId, usize),
) -> Result<Request, BadInput> {
    check_names(study, &[name.to_owned()])?;
    let request = Request::by_induction(vec![name.to_owned()], threads);
    if !Goals::of(study, &request).automata.contains(&automaton) {
        let about = &study.model.automaton(automaton).name;
        return Err(BadInput::message(format!(
            "{name} is no invariant and no simulation of {about}, which the candidates are about; --automaton names another one"
        )));
    }
    Ok(request)
}

/// Keeps of a proposal the candidates that matter for an invariant or a simulation, those first that exclude most of the
/// counterexamples to induction; if these suffice for a proof, only those that are needed. Other invariants that are stated are not used.
///
/// # Errors
/// A name that nothing bears; a property that is not about the automaton of the candidates.
pub fn relevant(
    study: &Study,
    name: &str,
    proposal: &mut Proposal,
    (threads, host): (usize, &dyn Host),
) -> Result<(), BadInput> {
    let mut request = asked(study, name, (proposal.automaton, threads))?;
    let goals = Goals::of(study, &request);
    let mut progress = host.begins("asking which candidates matter", None);
    let stop = || host.stopped().is_some();
    let options = Options {
        timeout: PATIENCE,
        resource_limit: SIFTING,
        threads,
        stop: Some(&stop),
        ..Options::default()
    };
    let effort = Effort::all(BUDGET)[0];
    let candidates = proposal.invariants();
    let (mut chosen, mut seen): (Vec<usize>, Seen) = Default::default();
    let mut rest = Rest::default();
    for round in 0..ROUNDS {
        progress.say(&format!("round {round}: {} candidates", chosen.len()));
        let lemmas: Vec<Invariant> = chosen.iter().map(|at| candidates[*at].clone()).collect();
        let goals = goals.and(&lemmas);
        request.only = lemmas.iter().map(|lemma| lemma.name.to_string()).collect();
        request.only.push(name.to_owned());
        // A search without sources asks what breaks the goals, and looks for nothing.
        let mut sources = Sources::new();
        let never: &dyn Fn() -> bool = &|| false;
        let limits = (&effort, options.clone(), never);
        let nothing = (Vec::new(), &mut sources);
        let (found, unknown) = Search::new((&goals, &request), limits, nothing, host).ask();
        let excluding = found
            .iter()
            .map(|failed| excluding(study, &candidates, &failed.found));
        let excluded: Seen = excluding.filter(|by| !by.is_empty()).collect();
        let is_last = round + 1 == ROUNDS || stop();
        rest = Rest {
            // In a counterexample of the last round all chosen candidates are true, so nothing excludes it.
            open: found.len(),
            unknown: unknown.into_iter().map(|(_, what)| what.words).collect(),
        };
        seen.extend(excluded);
        let more = missing(&seen, &chosen, candidates.len());
        if more.is_empty() || is_last {
            break;
        }
        chosen.extend(more);
    }
    let mut graph = Graph::new();
    if rest.is_empty() && !chosen.is_empty() {
        progress.say("asking which of them can be spared");
        let lemmas: Vec<Invariant> = chosen.iter().map(|at| candidates[*at].clone()).collect();
        request.only = vec![name.to_owned()];
        // Where it is not found out, all of them are kept.
        if let Some((_, needed)) = least(&goals.study, &lemmas, &request, &options, host) {
            chosen.retain(|at| needed.contains_key(&*candidates[*at].name));
            graph = needed;
        }
    }
    keep(proposal, name, (&chosen, &seen), (rest, graph));
    Ok(())
}

/// The candidates that are false in a state from which the step of a counterexample is taken.
fn excluding(study: &Study, candidates: &[Invariant], found: &Counterexample) -> BTreeSet<usize> {
    let mut model = (*study.model).clone();
    model.invariants = candidates.to_vec();
    let model = Arc::new(model);
    let mut excluding = BTreeSet::new();
    for spot in spots(study, found) {
        let instance = Instance::new(Arc::clone(&model), spot.universe);
        let Ok(mut executor) = Executor::new(&instance, spot.automaton) else {
            continue;
        };
        let own = candidates.iter().enumerate();
        let own = own.filter(|(_, candidate)| candidate.automaton == spot.automaton);
        // Of one that has no value there nothing is known.
        excluding.extend(own.filter_map(|(at, _)| {
            let is_false = executor.holds(&spot.state, at).is_ok_and(|holds| !holds);
            is_false.then_some(at)
        }));
    }
    excluding
}

/// Candidates that exclude the counterexamples which those that are chosen do not.
fn missing(seen: &Seen, chosen: &[usize], candidates: usize) -> Vec<usize> {
    let is_open = |excluding: &BTreeSet<usize>| chosen.iter().all(|at| !excluding.contains(at));
    let open = (0..seen.len()).filter(|cti| is_open(&seen[*cti])).collect();
    let excluded = |at: usize| (0..seen.len()).filter(move |cti| seen[*cti].contains(&at));
    let choices: Vec<(usize, BTreeMap<usize, u64>)> = (0..candidates)
        .map(|at| (at, excluded(at).map(|cti| (cti, 1)).collect()))
        .collect();
    let (taken, _) = greedy(choices, open, |(_, excludes)| excludes);
    taken.into_iter().map(|(at, _)| at).collect()
}

/// Leaves the chosen candidates in a proposal, with the number of counterexamples that each excludes and with what it is needed for.
fn keep(
    proposal: &mut Proposal,
    name: &str,
    (chosen, seen): (&[usize], &Seen),
    (rest, needed): (Rest, Graph),
) {
    let lemmas = std::mem::take(&mut proposal.learnt.lemmas);
    proposal.purpose = Some(Purpose::Induction {
        name: name.to_owned(),
        counterexamples: (seen.len() + rest.open) as u64,
        open: rest.open as u64,
        unknown: rest.unknown,
        needed,
        others: lemmas.len() - chosen.len(),
    });
    let count = |at: &usize| seen.iter().filter(|cti| cti.contains(at)).count() as u64;
    let with_count = |at: &usize| Lemma {
        excludes: count(at),
        ..lemmas[*at].clone()
    };
    let mut kept: Vec<Lemma> = chosen.iter().map(with_count).collect();
    kept.sort_by_key(|lemma| Reverse(lemma.excludes));
    proposal.learnt.lemmas = kept;
}
