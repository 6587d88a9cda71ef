//! The whole job: everything that a study's `ioa.toml` asks for.

use std::time::{Duration, Instant};

use super::pairs::{self, PairPlan};
use super::plan::Plan;
use super::proof::{self, Request};
use super::{candidates, runs};
use crate::args::{Common, Driver};
use crate::console::Console;
use crate::finding::Finding;
use crate::manifest::MANIFEST_NAME;
use crate::study::{BadInput, Study};

/// Time for each question to the solver.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Runs the schedules and tests the invariants, runs the pairs, proposes invariants, proves.
///
/// # Errors
/// A study that cannot be run as it asks to be.
pub fn verify(study: &Study, common: &Common, console: &Console) -> Result<Vec<Finding>, BadInput> {
    let instance = study.instance(common)?;
    let mut findings = Vec::new();
    let mut tallies = Vec::new();
    for section in &study.manifest.runs {
        let plan = Plan::of_section(study, section)?;
        tallies.push(runs::all(
            study,
            &instance,
            plan,
            common.seed,
            console,
            &mut (),
        )?);
    }
    findings.extend(runs::findings(study, &instance, common, &tallies));
    for section in &study.manifest.pairs {
        let plan = PairPlan::of_section(study, section)?;
        findings.push(pairs::run(study, &instance, common, plan, console)?);
    }
    if study.manifest.infer.is_some() {
        let started = Instant::now();
        let plans = candidates::plans(study, common, &Driver::default())?;
        let report = candidates::propose(study, &instance, &plans, common.seed, console)?;
        let mut finding = candidates::finding(study, &instance, &report, started);
        candidates::sift(study, &report, &mut finding, console)?;
        findings.push(finding);
    }
    if let Some(section) = &study.manifest.prove {
        let request = Request {
            only: section.only.clone(),
            automaton: None,
            timeout: TIMEOUT,
            resource_limit: 0,
            cores: false,
            threads: usize::try_from(common.threads).unwrap_or(1),
        };
        findings.extend(proof::prove(study, &request, console)?);
    }
    if findings.is_empty() {
        return Err(BadInput::message(format!(
            "{} asks for nothing: give a folder whose {MANIFEST_NAME} has [[run]], [[pair]], [infer] or [prove]",
            study.inputs
        )));
    }
    Ok(findings)
}
