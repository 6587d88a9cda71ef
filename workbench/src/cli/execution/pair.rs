//! `ioa pair`: specification and implementation in lockstep.

use interpreter::run::Options;
use paired_exec::Driver;
use session::finding::Verdict;
use session::instances::Instances;
use session::interpretation::Tried;
use session::pipeline::pairs::{self, PairPlan, Totals};
use session::pipeline::plan::command;
use session::study::BadInput;

use super::super::answer::Answer;
use super::replay;
use crate::args::PairArgs;
use crate::console::Console;
use crate::files;
use crate::reading;

/// Runs the pairs that the flags say.
///
/// # Errors
/// Bad input, or a trace of another model.
pub(in crate::cli) fn run(args: &PairArgs, console: &Console) -> Result<Answer, BadInput> {
    let study = reading::study(&args.common.inputs)?;
    let mut setup = args.common.setup();
    let mut answer = Answer::about(&study, console);
    let study = study.evaluable(&setup).unwrap_or(study);
    if let Some(path) = &args.replay {
        let simulation = study.simulation_index(args.simulation.as_deref())?;
        let text = files::read_text(path).map_err(BadInput::message)?;
        setup = replay::sized(&study, setup, (path, &text))?;
        let instances = Instances::new(&study, &setup).each_of_simulation(simulation)?;
        let (instance, trace) = replay::read(&instances, (path, &text))?;
        let options = Options {
            seed: setup.seed,
            steps: u64::MAX,
        };
        let driver = Driver::Replay(&trace);
        let report = pairs::one(&study, &instance, simulation, driver, options, &mut ())?;
        let mut totals = Totals::default();
        totals.count(&report);
        let shown = path.display().to_string();
        let mut finding =
            pairs::finding(&study, (&instance, Tried::ONE), simulation, &totals, &shown);
        pairs::blame(&study, simulation, &report, &mut finding);
        if finding.verdict != Verdict::Tested {
            let command = command(&study, &setup, "pair");
            finding.replay = Some(format!(
                "{command} --simulation \"{}\" --replay {shown}",
                finding.name
            ));
        }
        answer.findings.push(finding);
        return Ok(answer);
    }
    let instances = Instances::new(&study, &setup);
    let plans = PairPlan::asked(
        &study,
        &setup,
        &args.driver.driver(),
        args.simulation.as_deref(),
    )?;
    answer.findings = pairs::all(&study, &instances, &setup, &plans, console)?;
    Ok(answer)
}
