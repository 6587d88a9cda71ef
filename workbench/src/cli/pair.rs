//! `ioa pair`: specification and implementation in lockstep.

use interpreter::run::Options;
use paired_exec::Driver;

use super::Answer;
use super::run::read_trace;
use crate::args::PairArgs;
use crate::console::Console;
use crate::files;
use crate::finding::Verdict;
use crate::instances::Instances;
use crate::pipeline::pairs::{self, PairPlan, Totals};
use crate::pipeline::plan::command;
use crate::study::{BadInput, Study};

/// Runs the pairs that the flags say.
///
/// # Errors
/// Bad input, or a trace of another model.
pub(super) fn run(args: &PairArgs, console: &Console) -> Result<Answer, BadInput> {
    let study = Study::load(&args.common.inputs)?;
    let instances = Instances::new(&study, &args.common);
    let mut answer = Answer::about(&study, console);
    if let Some(path) = &args.replay {
        let simulation = study.simulation_index(args.simulation.as_deref())?;
        let instance = instances.of_simulation(simulation)?;
        let text = files::read_text(path).map_err(BadInput::message)?;
        let trace = read_trace(&instance, path, &text)?;
        let options = Options {
            seed: args.common.seed,
            steps: u64::MAX,
        };
        let driver = Driver::Replay(&trace);
        let report = pairs::one(&study, &instance, simulation, driver, options, &mut ())?;
        let mut totals = Totals::default();
        totals.count(&report);
        let shown = path.display().to_string();
        let mut finding = pairs::finding(&study, &instance, simulation, &totals, &shown);
        pairs::blame(&study, simulation, &report, &mut finding);
        if finding.verdict != Verdict::Tested {
            let command = command(&study, &args.common, "pair");
            finding.replay = Some(format!(
                "{command} --simulation \"{}\" --replay {shown}",
                finding.name
            ));
        }
        answer.findings.push(finding);
        return Ok(answer);
    }
    let plans = PairPlan::of_flags(
        &study,
        &args.common,
        &args.driver,
        args.simulation.as_deref(),
    )?;
    for plan in plans {
        let instance = instances.of_simulation(plan.simulation)?;
        answer
            .findings
            .push(pairs::run(&study, &instance, &args.common, plan, console)?);
    }
    Ok(answer)
}
