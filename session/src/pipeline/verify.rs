//! The whole job: everything that a study's `ioa.toml` asks for.

use ioa_lang::core::Invariant;

use super::candidates::Thoroughness;
use super::explore::{self, ExplorePlan};
use super::pairs::{self, PairPlan};
use super::plan::{Driver, Plan};
#[cfg(feature = "smt")]
use super::proof::{Method, Request, auto};
#[cfg(feature = "smt")]
use super::scripts;
#[cfg(feature = "smt")]
use super::sift::{Asked, sift};
use super::unrun::Unrun;
use super::{candidates, liveness, runs, unrun};

use crate::finding::{Finding, Kind, Stage};
use crate::host::{Host, Stopwatch};
use crate::instances::Instances;
use crate::manifest::MANIFEST_NAME;
use crate::setup::Setup;
use crate::story::Statement;
use crate::study::{BadInput, Study};

/// Runs the schedules and tests the invariants, runs the pairs, proposes invariants, proves.
///
/// # Errors
/// A study that asks for nothing, or cannot be run as it asks to be.
pub fn verify(study: &Study, setup: &Setup, host: &dyn Host) -> Result<Vec<Finding>, BadInput> {
    let asked = &study.manifest;
    let runs = !asked.runs.is_empty() || !asked.pairs.is_empty();
    let executes = runs || !asked.explores.is_empty() || asked.infer.is_some();
    if !executes && asked.prove.is_none() {
        return Err(BadInput::message(format!(
            "{} asks for nothing: give a folder whose {MANIFEST_NAME} has [[run]], [[pair]], [[explore]], [infer] or [prove]",
            study.inputs
        )));
    }
    let evaluable = study.evaluable(setup);
    let mut findings = match executes {
        true => execute(evaluable.as_ref().unwrap_or(study), setup, host)?,
        false => Vec::new(),
    };
    let proofs = prove(study, setup, host)?.into_iter();
    findings.extend(proofs.map(|f| f.at(Stage::Proved)));
    let undecided = liveness::undecided(study, |property| {
        let automaton = &study.model.automaton(property.automaton).name;
        let mut explored = asked.explores.iter();
        explored.all(|section| *section.automaton != **automaton)
    });
    findings.extend(undecided.into_iter().map(|f| f.at(Stage::Explored)));
    for finding in &mut findings {
        finding.statement = stated(study, finding);
    }
    unrun::invariants::excuse(evaluable.as_ref().unwrap_or(study), &mut findings);
    Ok(findings)
}

/// The claim that a finding is about, as it stands in the source: an invariant's formula, or the relation of a simulation.
fn stated(study: &Study, finding: &Finding) -> Option<Statement> {
    let model = &study.model;
    match finding.kind {
        Kind::Invariant => {
            let automaton = |i: &Invariant| &*model.automaton(i.automaton).name;
            let mut invariants = model.invariants.iter();
            let invariant = invariants
                .find(|i| *i.name == *finding.name && automaton(i) == finding.automaton)?;
            Some(Statement::at(study, invariant.span, invariant.formula.span))
        }
        Kind::Simulation | Kind::Pair => {
            let mut simulations = model.simulations.iter();
            let simulation = simulations.find(|s| model.simulation_name(s) == finding.name)?;
            let relation = simulation.relation.span;
            Some(Statement::at(study, simulation.span, relation))
        }
        _ => None,
    }
}

/// Why something is not answered without the feature `smt`.
#[cfg(not(feature = "smt"))]
const NO_SOLVER: &str = "this build has no solver: it proves nothing";

/// The proofs that a study asks for.
#[cfg(feature = "smt")]
fn prove(study: &Study, setup: &Setup, host: &dyn Host) -> Result<Vec<Finding>, BadInput> {
    let Some(section) = &study.manifest.prove else {
        return Ok(Vec::new());
    };
    let request = Request {
        cores: section.cores,
        method: match (section.bmc, section.k_induction) {
            (None, None) => Method::Induction,
            (Some(steps), None) => Method::Bounded(steps),
            (None, Some(k)) => Method::KInduction(k),
            (Some(_), Some(_)) => {
                return Err(BadInput::message(
                    "[prove] has both bmc and k-induction: one of them is enough",
                ));
            }
        },
        ..Request::by_induction(section.only.clone(), setup.threads)
    };
    if section.auto {
        if request.method != Method::Induction {
            return Err(BadInput::message(
                "[prove] has auto = true, which finds proofs by induction, and bmc or k-induction",
            ));
        }
        let efforts = auto::Effort::all(auto::BUDGET);
        return Ok(auto::auto((study, setup), &request, &efforts, host)?.findings);
    }
    let mut findings = auto::prove_and_sort((study, setup), &request, host)?.findings;
    if section.fragments {
        scripts::say_fragments(study, &request, &mut findings);
    }
    Ok(findings)
}

/// A study that asks for proofs is refused where there is no solver.
#[cfg(not(feature = "smt"))]
fn prove(study: &Study, _: &Setup, _: &dyn Host) -> Result<Vec<Finding>, BadInput> {
    match study.manifest.prove {
        None => Ok(Vec::new()),
        Some(_) => Err(BadInput::message(NO_SOLVER)),
    }
}

/// What a study asks about finite instances.
fn execute(study: &Study, setup: &Setup, host: &dyn Host) -> Result<Vec<Finding>, BadInput> {
    let instances = Instances::new(study, setup);
    let mut findings = in_runs(study, &instances, setup, host)?;
    findings.extend(in_pairs(study, &instances, setup, host)?);
    for section in &study.manifest.explores {
        let plan = ExplorePlan::of_section(study, section)?;
        let sized = plan.sized(setup);
        let unrun = Unrun {
            kind: Kind::Exploration,
            name: &study.model.automaton(plan.automaton).name,
            automata: &[plan.automaton],
        };
        let found = exploration(study, &plan, setup, host);
        let found = unrun.or_told(found, (study, &Instances::new(study, &sized)))?;
        let found = found.unwrap_or_else(|told| vec![*told]).into_iter();
        findings.extend(found.map(|f| f.at(Stage::Explored)));
    }
    if study.manifest.infer.is_some() {
        findings.push(proposed(study, &instances, setup, host)?.at(Stage::Run));
    }
    Ok(findings)
}

/// What runs show, and which of them cannot be made.
fn in_runs(
    study: &Study,
    instances: &Instances<'_>,
    setup: &Setup,
    host: &dyn Host,
) -> Result<Vec<Finding>, BadInput> {
    let (mut tallies, mut unrun) = (Vec::new(), Vec::new());
    for section in &study.manifest.runs {
        let plan = Plan::of_section(study, section)?;
        let automaton = plan.drive.automaton(study);
        let each = instances.each(automaton)?;
        let tally = runs::all(study, &each, &plan, setup, host, &mut ());
        let stage = Unrun {
            kind: Kind::Run,
            name: &plan.name(study),
            automata: &[automaton],
        };
        match stage.or_told(tally, (study, instances))? {
            Ok(tally) => tallies.push(tally),
            Err(told) => unrun.push(*told),
        }
    }
    let findings = runs::findings(study, setup, &tallies).into_iter();
    Ok(findings.chain(unrun).map(|f| f.at(Stage::Run)).collect())
}

/// What paired runs show, one simulation after the other.
fn in_pairs(
    study: &Study,
    instances: &Instances<'_>,
    setup: &Setup,
    host: &dyn Host,
) -> Result<Vec<Finding>, BadInput> {
    let sections = study.manifest.pairs.iter();
    let plans = sections.map(|section| PairPlan::of_section(study, section));
    let plans: Vec<PairPlan> = plans.collect::<Result<_, _>>()?;
    let mut findings = Vec::new();
    for (position, simulation) in study.model.simulations.iter().enumerate() {
        let own = plans.iter().filter(|plan| plan.simulation == position);
        let own: Vec<PairPlan> = own.cloned().collect();
        let stage = Unrun {
            kind: Kind::Pair,
            name: &study.model.simulation_name(simulation),
            automata: &[simulation.low, simulation.high],
        };
        let pairs = pairs::all(study, instances, setup, &own, host);
        match stage.or_told(pairs, (study, instances))? {
            Ok(tested) => {
                let pairs = own.iter().zip(tested.findings);
                findings.extend(pairs.map(|(plan, pair)| pair.at(plan.stage())));
            }
            Err(told) => findings.push(told.at(Stage::Run)),
        }
    }
    Ok(findings)
}

/// What the detector proposes.
fn proposed(
    study: &Study,
    instances: &Instances<'_>,
    setup: &Setup,
    host: &dyn Host,
) -> Result<Finding, BadInput> {
    let started = Stopwatch::start(host);
    let plans = candidates::plans(study, setup, &Driver::default())?;
    let automata = plans.iter().map(|plan| plan.drive.automaton(study));
    let stage = Unrun {
        kind: Kind::Infer,
        name: "candidates",
        automata: &automata.take(1).collect::<Vec<_>>(),
    };
    let how = Thoroughness::QUICK;
    let proposal = candidates::propose(
        (study, setup),
        (&plans, &candidates::Naming::default()),
        how,
        host,
    );
    let proposal = match stage.or_told(proposal, (study, instances))? {
        Ok(proposal) => proposal,
        Err(told) => return Ok(*told),
    };
    let mut finding = candidates::finding(study, &proposal);
    sift(
        study,
        &proposal,
        &mut finding,
        Asked::Plain,
        (setup.threads, host),
    );
    finding.seconds = Some(started.seconds());
    Ok(finding)
}

/// What is asked of a solver, where there is none.
#[cfg(not(feature = "smt"))]
enum Asked {
    Plain,
}

/// Nothing is known to be inductive where there is no solver.
#[cfg(not(feature = "smt"))]
fn sift(_: &Study, _: &candidates::Proposal, _: &mut Finding, _: Asked, _: (usize, &dyn Host)) {}

/// The findings of a visit to all reachable states.
fn exploration(
    study: &Study,
    plan: &ExplorePlan,
    setup: &Setup,
    host: &dyn Host,
) -> Result<Vec<Finding>, BadInput> {
    let setup = plan.sized(setup);
    let evaluable = study.evaluable(&setup);
    let study = plan.asked(evaluable.as_ref().unwrap_or(study))?;
    let found = explore::in_each_interpretation(&study, &setup, plan, host)?;
    Ok(explore::findings(&study, &setup, plan, &found))
}
