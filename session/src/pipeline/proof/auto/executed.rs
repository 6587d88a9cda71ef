//! What executions of instances as small as a counterexample violate: invariants, proof blocks, and that steps have a result.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{AutomatonId, Direction, Invariant};
use prover_bridge::{Counterexample, Kind, Obligation, Part};

use super::super::subject::{Subject, subject};
use super::archive::spots;
use crate::finding::{self, Finding, Verdict};
use crate::host::Host;
use crate::instances::Instances;
use crate::pipeline::explore::{self, ExplorePlan, Limits};
use crate::pipeline::pairs::{self, Bounds, PairPlan};
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// No more states, or pairs of states, than this are visited.
const MOST_STATES: u64 = 10_000;

/// A counterexample to induction.
#[derive(Clone, Copy)]
pub(super) struct Step<'o> {
    pub(super) obligation: &'o Obligation,
    pub(super) found: &'o Counterexample,
}

/// The subjects of counterexamples that some execution violates, with what is told of it.
pub(super) fn executed(
    (study, setup): (&Study, &Setup),
    open: &[Step<'_>],
    host: &dyn Host,
) -> Vec<(Subject, Finding)> {
    let mut failed: BTreeMap<Subject, Finding> = BTreeMap::new();
    let mut tried = BTreeSet::new();
    let mut broken: BTreeMap<(AutomatonId, Sizes), BTreeSet<usize>> = BTreeMap::new();
    for step in open {
        let subject = subject(study, step.obligation.kind);
        let Some(spot) = spots(study, step.found).into_iter().next() else {
            continue;
        };
        let sizes = study.given_sizes(&spot.universe);
        if failed.contains_key(&subject) || !tried.insert((subject, sizes.clone())) {
            continue;
        }
        let setup = setup.at_sizes(sizes.clone());
        let found = match (subject, step.obligation.kind) {
            (Subject::Simulation(simulation), _) => failed_block((study, &setup), simulation, host),
            (Subject::AutomatonDefined(id), Kind::Definedness(Part::Transition(..))) => {
                undefined_step((study, &setup), id, host)
            }
            (Subject::Invariant(at), _) => {
                let automaton = study.model.invariants[at].automaton;
                let together = broken.entry((automaton, sizes)).or_default();
                together.insert(at);
                None
            }
            _ => None,
        };
        failed.extend(found.map(|finding| (subject, finding)));
    }
    for ((automaton, sizes), invariants) in broken {
        let setup = setup.at_sizes(sizes);
        let is_new = |at: &usize| !failed.contains_key(&Subject::Invariant(*at));
        let invariants: Vec<usize> = invariants.into_iter().filter(is_new).collect();
        failed.extend(violated((study, &setup), (automaton, &invariants), host));
    }
    failed.into_iter().collect()
}

/// The number of elements by sort.
type Sizes = BTreeMap<String, u64>;

/// The shortest executions that violate some invariants of one automaton, by their positions in the model.
fn violated(
    about: (&Study, &Setup),
    (automaton, invariants): (AutomatonId, &[usize]),
    host: &dyn Host,
) -> Vec<(Subject, Finding)> {
    let stated = &about.0.model.invariants;
    let broken: Vec<usize> = match invariants {
        [only] => vec![*only],
        _ => {
            let together = violations(about, (automaton, invariants), host);
            let is_among = |at: &&usize| together.iter().any(|f| *f.name == *stated[**at].name);
            invariants.iter().filter(is_among).copied().collect()
        }
    };
    // By itself, each is shown by the search that is to be repeated for it.
    let alone = broken.into_iter().filter_map(|at| {
        let found = violations(about, (automaton, &[at]), host);
        let finding = found.into_iter().next()?;
        Some((Subject::Invariant(at), finding))
    });
    alone.collect()
}

/// What is found of the violations of some invariants among few states.
fn violations(
    (study, setup): (&Study, &Setup),
    (automaton, invariants): (AutomatonId, &[usize]),
    host: &dyn Host,
) -> Vec<Finding> {
    let stated = invariants.iter().map(|at| &study.model.invariants[*at]);
    let stated: Vec<Invariant> = stated.cloned().collect();
    let plan = ExplorePlan {
        keep_going: stated.len() > 1,
        ..ExplorePlan::survey(automaton, few_states())
    };
    let findings = found_alone((study, setup), &stated, plan, host);
    let is_violation = |finding: &Finding| {
        finding.kind == finding::Kind::Invariant && finding.verdict == Verdict::Violated
    };
    let mut findings = findings.unwrap_or_default();
    findings.retain(is_violation);
    findings
}

/// What a search finds about these invariants, and about no others.
///
/// # Errors
/// Why the automaton cannot be explored.
pub(super) fn found_alone(
    (study, setup): (&Study, &Setup),
    stated: &[Invariant],
    plan: ExplorePlan,
    host: &dyn Host,
) -> Result<Vec<Finding>, BadInput> {
    let plan = ExplorePlan {
        only: stated.iter().map(|one| one.name.to_string()).collect(),
        ..plan
    };
    let study = &study.stating(study.sources.clone(), stated.to_vec());
    let found = explore::in_each_interpretation(study, setup, &plan, host)?;
    Ok(explore::findings(study, setup, &plan, &found))
}

fn few_states() -> Limits {
    Limits {
        states: Some(MOST_STATES),
        ..Limits::default()
    }
}

/// The execution on which the proof block of a simulation fails, if it is forward and has one.
fn failed_block(
    (study, setup): (&Study, &Setup),
    simulation: usize,
    host: &dyn Host,
) -> Option<Finding> {
    let declared = &study.model.simulations[simulation];
    if declared.direction == Direction::Backward || declared.proof.is_none() {
        return None;
    }
    let plan = PairPlan::on_all_states(simulation, Bounds::of_states(MOST_STATES));
    let found = pairs::all(study, &Instances::new(study, setup), setup, &[plan], host);
    let mut found = found.unwrap_or_default().into_iter();
    found.find(|finding| finding.verdict == Verdict::Violated)
}

/// The shortest execution of an automaton after which some step has no result.
fn undefined_step(
    (study, setup): (&Study, &Setup),
    automaton: AutomatonId,
    host: &dyn Host,
) -> Option<Finding> {
    let plan = ExplorePlan {
        keep_going: false,
        ..ExplorePlan::survey(automaton, few_states())
    };
    let found = found_alone((study, setup), &[], plan, host).ok()?;
    let mut findings = found.into_iter();
    let violated = findings.find(|finding| finding.verdict == Verdict::Violated)?;
    // The row of a proof is about all that is to be defined in the automaton.
    let name = study.model.automaton(automaton).name.to_string();
    Some(Finding { name, ..violated })
}
