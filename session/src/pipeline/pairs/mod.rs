//! Simulations put to the test: specification and implementation in lockstep, through the proof block, along runs or along all
//! executions; without a proof block, by the definition.

mod claim;
mod definition;
mod exhaustive;
mod failed;
mod making;
mod plan;
mod product;
pub mod skeleton;
mod suggest;

use std::collections::BTreeMap;

use interpreter::Instance;
use interpreter::trace::Recorder;
use paired_exec::Report;

use super::plan::command::command;
use super::plan::{Plan, Turn};
use super::runs;
use super::runs::{Job, cut_short};
use crate::finding::{Finding, Kind, Verdict};
use crate::host::{Host, Stopwatch};
use crate::instances::{Instances, Interpreted};
use crate::interpretation::{self, Tried};
use crate::numbers::{count, counted};
use crate::setup::Setup;
use crate::study::{BadInput, Study};

use claim::{Told, blame_claim, tell_claim};
pub use failed::LowExecution;
use making::{Paired, driver, paired, verdict};
pub use making::{Totals, one};
pub use plan::{Bounds, On, PairPlan};
pub use suggest::{Proposal, Suggestion, suggest};

/// What simulations come to that are put to the test.
#[derive(Debug, Default)]
pub struct Tested {
    /// What each plan shows.
    pub findings: Vec<Finding>,
    /// An execution on which a simulation fails: that of the first plan in which there is one.
    pub failed: Option<LowExecution>,
}

/// Makes the paired runs of some plans, and says with the last of a simulation's plans what none of their runs exercised.
///
/// # Errors
/// Why a pair cannot be run at these sizes.
pub fn all(
    study: &Study,
    instances: &Instances<'_>,
    setup: &Setup,
    plans: &[PairPlan],
    host: &dyn Host,
) -> Result<Tested, BadInput> {
    let mut tested = Tested::default();
    let mut done: Vec<(usize, Totals)> = Vec::new();
    for (position, plan) in plans.iter().enumerate() {
        let each = instances.each_of_simulation(plan.simulation)?;
        let Made {
            mut finding,
            totals,
            failed,
        } = run(study, &each, setup, plan, host)?;
        done.push((plan.simulation, totals));
        tested.failed = tested.failed.or(failed);
        let others = || {
            done.iter()
                .filter(|(simulation, _)| *simulation == plan.simulation)
        };
        let is_last = !plans[position + 1..]
            .iter()
            .any(|p| p.simulation == plan.simulation);
        if is_last && others().all(|(_, totals)| !totals.has_failed) {
            let mut together = Totals::default();
            others().for_each(|(_, totals)| together.add(totals));
            finding.warnings = unexercised(study, plan.simulation, &together);
        }
        tested.findings.push(finding);
    }
    Ok(tested)
}

/// What one plan comes to.
struct Made {
    finding: Finding,
    totals: Totals,
    failed: Option<LowExecution>,
}

/// Makes the paired runs of a plan, run k with seed `seed + k`, up to the first that fails. They take turns at the
/// instances, and there is at least one in each of them.
///
/// # Errors
/// Why the pair cannot be run at these sizes.
fn run(
    study: &Study,
    instances: &Interpreted,
    setup: &Setup,
    plan: &PairPlan,
    host: &dyn Host,
) -> Result<Made, BadInput> {
    let low = match &plan.on {
        On::Runs(low) => low,
        On::AllStates(bounds) => {
            let asked = (plan.simulation, bounds);
            let (finding, failed) = exhaustive::check(study, instances, setup, asked, host)?;
            return Ok(Made {
                finding,
                totals: Totals::default(),
                failed,
            });
        }
    };
    let started = Stopwatch::start(host);
    let Paired { totals, failed } = paired(study, instances, setup, (plan.simulation, low), host)?;
    let (last, tried) = (totals.runs.saturating_sub(1), instances.tried(totals.runs));
    let mut finding = finding(
        study,
        (instances.of_run(last).1, tried),
        plan.simulation,
        &totals,
        &low.name(study),
    );
    finding.seconds = Some(started.seconds());
    if let (Some(stop), None) = (host.stopped(), &failed) {
        cut_short(&mut finding, totals.runs, stop);
    }
    let mut low_execution = None;
    if let Some((Job { run, turn }, report)) = failed {
        let (number, instance) = instances.of_run(run);
        let alone = instances.setup(setup, number);
        let about = (study, &**instance, &alone);
        let what = (plan.simulation, low);
        low_execution = tell_failure(about, what, &turn, &report, &mut finding)?;
        let automaton = study.model.simulations[plan.simulation].low;
        instances.add_note(study, (automaton, number), &mut finding);
    }
    Ok(Made {
        finding,
        totals,
        failed: low_execution,
    })
}

/// Adds to a finding what went wrong in a run, which is made again to be told in full, and the command that repeats it. What the
/// low automaton did is returned.
fn tell_failure(
    (study, instance, setup): (&Study, &Instance, &Setup),
    (simulation, plan): (usize, &Plan),
    turn: &Turn,
    report: &Report,
    finding: &mut Finding,
) -> Result<Option<LowExecution>, BadInput> {
    let low = study.model.simulations[simulation].low;
    let options = turn.options;
    let trace = match &report.failure {
        Some(failure) => {
            let mut recorder = Recorder::new(low);
            let (single, weights) = (plan.turn(turn), plan.drawn_by(study));
            let mut threads = runs::threads(study, instance, &single);
            let how = runs::alone(study, &single, threads.as_mut());
            let driver = driver(plan, &weights, how);
            one(study, instance, simulation, driver, options, &mut recorder)?;
            let told = Told::of(
                (instance, simulation, plan),
                (recorder.trace(), options.seed),
                failure,
            );
            tell_claim((study, instance), simulation, told, finding)
        }
        // What goes wrong in the low automaton by itself is told as a run of its own would be.
        None => {
            blame(study, simulation, report, finding);
            let again = runs::again(study, instance, plan, turn)?;
            let story = runs::tell(study, instance, low, &again);
            finding.stories = story.into_iter().collect();
            again.trace
        }
    };
    let command = command(study, setup, "pair");
    let flags = runs::flags(study, plan, turn, setup.seed);
    finding.replay = Some(format!(
        "{command} --simulation \"{}\" {flags}",
        finding.name
    ));
    let drawn = (trace, Some(options.seed));
    Ok(LowExecution::of(instance, drawn, finding))
}

/// What paired runs that all went well never did.
fn unexercised(study: &Study, simulation: usize, totals: &Totals) -> Vec<String> {
    if totals.runs == 0 {
        return Vec::new();
    }
    let simulation = &study.model.simulations[simulation];
    let coverage = &totals.coverage;
    let mut said = runs::by_runs(study, simulation.low, totals.runs, coverage);
    if let Some(block) = &simulation.proof {
        let taken = &totals.branches;
        said.extend(runs::in_block(
            study,
            (simulation.low, block),
            coverage,
            taken,
        ));
    }
    said
}

/// The finding of paired runs that all went well.
#[must_use]
pub fn finding(
    study: &Study,
    (instance, tried): (&Instance, Tried),
    simulation: usize,
    totals: &Totals,
    driven_by: &str,
) -> Finding {
    let simulation = &study.model.simulations[simulation];
    let name = study.model.simulation_name(simulation);
    let low = &study.model.automaton(simulation.low).name;
    let scope = study.scope(instance);
    let mut finding = Finding::new(Kind::Pair, name, &**low, Verdict::Tested, scope);
    let Totals {
        runs,
        low_steps,
        high_steps,
        ..
    } = *totals;
    finding.figures = BTreeMap::from([
        ("runs", runs),
        ("low steps", low_steps),
        ("high steps", high_steps),
    ]);
    finding.summary = format!(
        "{driven_by}: {}, {} low and {} high steps in lockstep",
        counted(runs, "run"),
        count(low_steps),
        count(high_steps)
    );
    interpretation::say(
        study,
        instance.universe(),
        simulation.low,
        tried,
        &mut finding.summary,
    );
    finding
}

/// Adds what went wrong in a run.
pub fn blame(study: &Study, simulation: usize, report: &Report, finding: &mut Finding) {
    if let Some(failure) = &report.failure {
        blame_claim(study, simulation, failure, finding);
        return;
    }
    finding.verdict = verdict(report);
    if finding.verdict != Verdict::Tested {
        let (low, ending) = (study.model.simulations[simulation].low, &report.low.ending);
        finding
            .stories
            .extend(runs::tell_ending(study, low, ending));
        finding.summary = format!("{}: the low run {}", finding.summary, runs::words(ending));
    }
}
