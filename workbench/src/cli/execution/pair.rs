//! `ioa pair`: specification and implementation in lockstep.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::Instance;
use interpreter::run::Options;
use interpreter::trace::About;
use paired_exec::Driver;
use session::finding::{Finding, Item, Verdict};
use session::instances::Instances;
use session::interpretation::Tried;
use session::numbers::counted;
use session::pipeline::pairs::{self, LowExecution, PairPlan, Proposal, Totals};
use session::pipeline::plan::command::command;
use session::pipeline::proof::{self, Request};
use session::setup::Setup;
use session::study::{BadInput, Study};

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
    let mut answer = Answer::about(&study);
    let study = study.evaluable(&setup).unwrap_or(study);
    if args.suggest {
        return suggest(args, (&study, &setup), answer, console);
    }
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
    let plans = PairPlan::asked(&study, &setup, &args.driver(), args.simulation.as_deref())?;
    let tested = pairs::all(&study, &instances, &setup, &plans, console)?;
    if let Some(path) = &args.trace {
        let about = (&study, &args.common.inputs[..]);
        write_trace(about, tested.failed, path, &mut answer);
    }
    answer.findings = tested.findings;
    Ok(answer)
}

/// Writes what the low automaton did before the simulation failed; says so, or why there is nothing to write.
pub(in crate::cli) fn write_trace(
    (study, inputs): (&Study, &[PathBuf]),
    failed: Option<LowExecution>,
    path: &Path,
    answer: &mut Answer,
) {
    let Some(failed) = failed else {
        answer.closing.push_str(
            "no trace is written: no execution was found on which the simulation fails\n",
        );
        return;
    };
    let low = &study.model.automaton(failed.trace.automaton).name;
    let what = format!(
        "{} of {low}",
        counted(failed.trace.steps.len() as u64, "step")
    );
    let about = About {
        description: failed.headline,
        seed: failed.seed,
        inputs: reading::named(inputs),
        repeats_after: None,
    };
    // The trace is one of the model in the files, which knows nothing of the bounds of a search.
    let instance = &Instance::new(Arc::clone(&study.model), failed.universe);
    answer.write_trace((instance, &failed.trace), (&about, &what), path);
}

/// Proposes a simulation: the first one that the prover establishes, or else the simplest one.
fn suggest(
    args: &PairArgs,
    (study, setup): (&Study, &Setup),
    mut answer: Answer,
    console: &Console,
) -> Result<Answer, BadInput> {
    let found = pairs::suggest((study, setup), args.simulation.as_deref(), console)?;
    answer.findings.extend(found.nothing);
    let mut judged: Vec<(Proposal, Vec<Finding>)> = Vec::new();
    for proposal in found.proposals {
        let proofs = proofs(&proposal, setup, console)?;
        let is_proved = proofs.iter().all(|f| f.verdict == Verdict::Proved);
        let place = if is_proved { 0 } else { judged.len() };
        judged.insert(place, (proposal, proofs));
        if is_proved {
            break;
        }
    }
    let Some((proposal, proofs)) = judged.into_iter().next() else {
        return Ok(answer);
    };
    let is_proved = proofs.iter().all(|f| f.verdict == Verdict::Proved);
    answer.findings.extend(proposal.findings);
    answer.findings.extend(proofs);
    if let Some(first) = answer.findings.first_mut() {
        first.items.push(Item::text("proposed", &proposal.text));
    }
    answer.closing = format!("\n{}", proposal.text);
    if !is_proved {
        answer.closing.push_str(
            "\nit is not proved yet: with this simulation in the study, `ioa prove --auto` looks for the invariants that it needs\n",
        );
    }
    Ok(answer)
}

/// What the prover makes of a simulation that is proposed.
fn proofs(proposal: &Proposal, setup: &Setup, console: &Console) -> Result<Vec<Finding>, BadInput> {
    let name = proposal.findings.first().map(|f| f.name.clone());
    let request = Request {
        repeat: 0,
        ..Request::by_induction(name.clone().into_iter().collect(), setup.threads)
    };
    let proof = proof::prove(&proposal.study, &request, console)?;
    let mut findings = proof.findings;
    findings.retain(|finding| Some(&finding.name) == name.as_ref());
    // Nobody can ask again about what stands in no file yet.
    findings
        .iter_mut()
        .for_each(|finding| finding.replay = None);
    Ok(findings)
}
