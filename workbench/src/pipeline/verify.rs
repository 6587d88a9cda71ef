//! The whole job: everything that a study's `ioa.toml` asks for.

use std::time::Instant;

use super::explore::{self, ExplorePlan};
use super::pairs::{self, PairPlan};
use super::plan::Plan;
use super::proof::{self, Request, TIMEOUT};
use super::{candidates, liveness, run_findings, runs};
use crate::args::{Common, Driver};
use crate::console::Console;
use crate::finding::{Finding, Scope};
use crate::instances::Instances;
use crate::manifest::MANIFEST_NAME;
use crate::study::{BadInput, Study};

/// Runs the schedules and tests the invariants, runs the pairs, proposes invariants, proves.
///
/// # Errors
/// A study that asks for nothing, or cannot be run as it asks to be.
pub fn verify(study: &Study, common: &Common, console: &Console) -> Result<Vec<Finding>, BadInput> {
    let asked = &study.manifest;
    let runs = !asked.runs.is_empty() || !asked.pairs.is_empty();
    let executes = runs || !asked.explores.is_empty() || asked.infer.is_some();
    if !executes && asked.prove.is_none() {
        return Err(BadInput::message(format!(
            "{} asks for nothing: give a folder whose {MANIFEST_NAME} has [[run]], [[pair]], [[explore]], [infer] or [prove]",
            study.inputs
        )));
    }
    let mut findings = match executes {
        true => execute(study, common, console)?,
        false => Vec::new(),
    };
    if let Some(section) = &asked.prove {
        let request = Request {
            only: section.only.clone(),
            automaton: None,
            timeout: TIMEOUT,
            resource_limit: 0,
            cores: false,
            threads: threads(common),
        };
        findings.extend(proof::prove(study, &request, console)?.findings);
    }
    findings.extend(liveness::unchecked(study, &Scope::UNBOUNDED, |_| true));
    Ok(findings)
}

/// What a study asks of finite instances.
fn execute(study: &Study, common: &Common, console: &Console) -> Result<Vec<Finding>, BadInput> {
    let instances = Instances::new(study, common);
    let mut tallies = Vec::new();
    for section in &study.manifest.runs {
        let plan = Plan::of_section(study, section)?;
        tallies.push(runs::all(
            study,
            &instances.of(plan.drive.automaton(study))?,
            plan,
            common.seed,
            console,
            &mut (),
        )?);
    }
    let mut findings = run_findings::findings(study, common, &tallies);
    for section in &study.manifest.pairs {
        let plan = PairPlan::of_section(study, section)?;
        let instance = instances.of_simulation(plan.simulation)?;
        findings.push(pairs::run(study, &instance, common, plan, console)?);
    }
    for section in &study.manifest.explores {
        let plan = ExplorePlan::of_section(study, section)?;
        findings.extend(exploration(study, &plan, common, console)?);
    }
    if study.manifest.infer.is_some() {
        let started = Instant::now();
        let plans = candidates::plans(study, common, &Driver::default())?;
        let (instance, report) =
            candidates::propose(study, &instances, &plans, common.seed, console)?;
        let mut finding = candidates::finding(study, &instance, &report);
        candidates::sift(study, &report, &mut finding, (threads(common), console))?;
        finding.seconds = Some(started.elapsed().as_secs_f64());
        findings.push(finding);
    }
    Ok(findings)
}

/// The findings of a visit to all reachable states.
fn exploration(
    study: &Study,
    plan: &ExplorePlan,
    common: &Common,
    console: &Console,
) -> Result<Vec<Finding>, BadInput> {
    let study = plan.asked(study)?;
    let common = plan.common(common);
    let instance = study.instance(&common, study.model.setting([plan.automaton]))?;
    let found = explore::explore(&study, &instance, plan, threads(&common), console)?;
    Ok(explore::findings(&study, &common, plan, &found))
}

fn threads(common: &Common) -> usize {
    usize::try_from(common.threads).unwrap_or(1)
}
