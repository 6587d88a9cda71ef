//! What executions of instances as small as a counterexample violate: proof blocks, and that steps have a result.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{AutomatonId, Direction};
use prover_bridge::{Counterexample, Kind, Obligation, Part};

use super::super::subject::{Subject, subject};
use super::archive::spots;
use crate::finding::{Finding, Verdict};
use crate::host::Host;
use crate::instances::Instances;
use crate::pipeline::explore::{self, ExplorePlan, Limits};
use crate::pipeline::pairs::{self, Bounds, PairPlan};
use crate::setup::Setup;
use crate::study::Study;

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
    for step in open {
        let subject = subject(study, step.obligation.kind);
        let Some(spot) = spots(study, step.found).into_iter().next() else {
            continue;
        };
        let sizes = study.given_sizes(&spot.universe);
        if failed.contains_key(&subject) || !tried.insert((subject, sizes.clone())) {
            continue;
        }
        let setup = Setup {
            sorts: sizes.into_iter().collect(),
            ..setup.clone()
        };
        let found = match (subject, step.obligation.kind) {
            (Subject::Simulation(simulation), _) => failed_block((study, &setup), simulation, host),
            (Subject::AutomatonDefined(id), Kind::Definedness(Part::Transition(..))) => {
                undefined_step((study, &setup), id, host)
            }
            _ => None,
        };
        failed.extend(found.map(|finding| (subject, finding)));
    }
    failed.into_iter().collect()
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
    let study = &study.stating(study.sources.clone(), Vec::new());
    let limits = Limits {
        states: Some(MOST_STATES),
        ..Limits::default()
    };
    let plan = ExplorePlan {
        keep_going: false,
        ..ExplorePlan::survey(automaton, limits)
    };
    let found = explore::in_each_interpretation(study, setup, &plan, host).ok()?;
    let mut findings = explore::findings(study, setup, &plan, &found).into_iter();
    let violated = findings.find(|finding| finding.verdict == Verdict::Violated)?;
    // The row of a proof is about all that is to be defined in the automaton.
    let name = study.model.automaton(automaton).name.to_string();
    Some(Finding { name, ..violated })
}
