//! `ioa run`: runs under schedules, at random, or as a trace file says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::Instance;
use interpreter::run::{self, Ending, Options};
use interpreter::trace::{About, Trace};
use session::finding::Finding;
use session::instances::{Instances, Interpreted};
use session::numbers::counted;
use session::pipeline::plan::{Drive, Plan, Turn};
use session::pipeline::runs::{self, Effort, Executions, Failure, Tally};
use session::setup::Setup;
use session::study::{BadInput, Study};

use super::super::answer::Answer;
use super::narrator::Narrator;
use super::replay;
use crate::args::RunArgs;
use crate::console::Console;
use crate::files;
use crate::reading;
use crate::report::terminal;

/// Runs what the flags say.
///
/// # Errors
/// Bad input, or a trace of another model.
pub(in crate::cli) fn run(args: &RunArgs, console: &Console) -> Result<Answer, BadInput> {
    let study = reading::study(&args.common.inputs)?;
    let mut setup = args.common.setup();
    let mut answer = Answer::about(&study);
    let study = study.evaluable(&setup).unwrap_or(study);
    if let Some(path) = &args.replay {
        let text = files::read_text(path).map_err(BadInput::message)?;
        setup = replay::sized(&study, setup, (path, &text))?;
        let (instance, trace) = replay::of_automaton(&study, &setup, (path, &text))?;
        let tally = repeated(&study, &instance, trace, path, args.show.then_some(console))?;
        answer.findings = runs::findings(&study, &setup, &[tally]);
        add_coverage(args, console, &mut answer);
        return Ok(answer);
    }
    if let Some(formula) = &args.live {
        let (finding, found) = critical((&study, &setup), args, formula, console)?;
        if let Some(path) = &args.trace {
            write_critical(found, &args.common.inputs, path, &mut answer);
        }
        if !finding.items.is_empty() {
            answer.closing.push_str(&terminal::items(
                std::slice::from_ref(&finding),
                console.style,
            ));
        }
        answer.findings = vec![finding];
        return Ok(answer);
    }
    let instances = Instances::new(&study, &setup);
    let plans = Plan::asked(&study, &setup, &args.driver())?;
    let mut tallies = Vec::new();
    for plan in plans {
        let each = instances.each(plan.drive.automaton(&study))?;
        let mut narrator = args
            .show
            .then(|| Narrator::new(&study, &each, &plan, setup.seed, console));
        let observer = &mut narrator;
        tallies.push(runs::all(&study, &each, &plan, &setup, console, observer)?);
    }
    if let Some(path) = &args.trace {
        write_trace((&study, &args.common.inputs), &tallies, path, &mut answer)?;
    }
    answer.findings = runs::findings(&study, &setup, &tallies);
    add_coverage(args, console, &mut answer);
    Ok(answer)
}

/// Shows how often each clause fired, if that is asked for.
fn add_coverage(args: &RunArgs, console: &Console, answer: &mut Answer) {
    if args.coverage {
        let items = terminal::items(&answer.findings, console.style);
        answer.closing.push_str(&items);
    }
}

/// Where no number of runs is given with `--live`, there are so many.
const RUNS_TO_A_DEAD_STATE: u64 = 100;

/// Looks for a run to a dead state, and for its critical transition.
fn critical(
    (study, setup): (&Study, &Setup),
    args: &RunArgs,
    formula: &str,
    console: &Console,
) -> Result<(Finding, Option<Executions>), BadInput> {
    let mut driver = args.driver();
    driver.random = true;
    driver.runs = driver.runs.or(Some(RUNS_TO_A_DEAD_STATE));
    let effort = Effort {
        states: usize::try_from(args.states).unwrap_or(usize::MAX),
        walks: args.walks,
        prefixes: args.prefixes.unwrap_or(0),
        are_steps_given: driver.steps.is_some(),
    };
    let plans = Plan::asked(study, setup, &driver)?;
    let plan = plans.first().expect("a plan for random runs");
    runs::critical((study, setup), (plan, formula), effort, console)
}

/// Repeats a trace; the tally has its one run.
pub(super) fn repeated(
    study: &Study,
    instance: &Arc<Instance>,
    trace: Trace,
    path: &Path,
    shown: Option<&Console>,
) -> Result<Tally, BadInput> {
    let drive = Drive::Random(trace.automaton);
    let one = Interpreted::one(Arc::clone(instance));
    let mut narrator = shown.map(|console| Narrator::of_trace(study, &one, drive, path, console));
    let report = run::replay(instance, &trace, &mut narrator)
        .map_err(|e| BadInput::message(format!("{}: {}", path.display(), runs::unrepeated(&e))))?;
    let failed = runs::verdict(&report.ending) != session::finding::Verdict::Tested;
    let plan = Plan {
        steps: report.steps,
        whole: true,
        ..Plan::single(drive)
    };
    let turn = plan.single_turn(Options {
        seed: 0,
        steps: report.steps,
    });
    let mut tally = Tally::new(plan, Arc::clone(instance));
    tally.count(&report);
    tally.failure = failed.then(|| Failure {
        turn,
        interpretation: None,
        shortened: None,
        ending: report.ending,
        trace: Some(Trace {
            steps: trace.steps[..usize::try_from(report.steps)
                .unwrap_or(0)
                .min(trace.steps.len())]
                .to_vec(),
            ..trace
        }),
    });
    tally.source = Some(path.display().to_string());
    Ok(tally)
}

/// Writes the first failing run or, if none failed, the last one; says which.
fn write_trace(
    (study, inputs): (&Study, &[PathBuf]),
    tallies: &[Tally],
    path: &Path,
    answer: &mut Answer,
) -> Result<(), BadInput> {
    let failed = tallies.iter().find_map(|t| t.shown().map(|f| (t, f)));
    let (tally, recorded) = match (failed, tallies.last()) {
        (Some((tally, failure)), _) => (tally, Recorded::of_failure(failure)),
        (None, Some(tally)) => match Recorded::of_last(study, tally)? {
            Some(last) => (tally, last),
            None => {
                answer
                    .closing
                    .push_str("no trace is written: no run was made\n");
                return Ok(());
            }
        },
        (None, None) => return Ok(()),
    };
    let Recorded {
        turn,
        ending,
        trace,
    } = recorded;
    let seed = turn.options.seed;
    let (name, instance) = (tally.plan.name(study), &tally.instance);
    let Some(trace) = trace else {
        answer
            .closing
            .push_str("no trace is written: the run had no start state\n");
        return Ok(());
    };
    let about = About {
        description: format!("{name} {}", runs::words(&ending)),
        seed: Some(seed),
        inputs: reading::named(inputs),
        repeats_after: None,
    };
    let which = match turn.number {
        Some(number) => format!("run {number} of {name}"),
        None => format!("{name} with seed {seed}"),
    };
    let what = format!("{} of {which}", counted(trace.steps.len() as u64, "step"));
    answer.write_trace((instance, &trace), (&about, &what), path);
    Ok(())
}

/// Writes the run to a dead state, and beside it its sibling that gets to a live one.
fn write_critical(found: Option<Executions>, inputs: &[PathBuf], path: &Path, answer: &mut Answer) {
    let Some(found) = found else {
        answer
            .closing
            .push_str("no trace is written: no run ended in a dead state\n");
        return;
    };
    let about = |description: &str| About {
        description: description.to_owned(),
        seed: Some(found.seed),
        inputs: reading::named(inputs),
        repeats_after: None,
    };
    let mut write = |trace: &Trace, path: &Path, what: &str| {
        let written = format!("{what}, {},", counted(trace.steps.len() as u64, "step"));
        answer.write_trace((&found.instance, trace), (&about(what), &written), path);
    };
    write(&found.run, path, "a run to a dead state");
    if let Some(sibling) = &found.sibling {
        write(sibling, &beside(path), "its live sibling");
    }
}

/// The file for the live sibling of a run: `run.live.itf.json` beside `run.itf.json`.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, extension) = name.split_once('.').unwrap_or((&name, "itf.json"));
    path.with_file_name(format!("{stem}.live.{extension}"))
}

/// A run that is written.
struct Recorded {
    turn: Turn,
    ending: Ending,
    trace: Option<Trace>,
}

impl Recorded {
    /// The run that failed, as it is told.
    fn of_failure(failure: &Failure) -> Self {
        Self {
            turn: failure.turn.clone(),
            ending: failure.ending.clone(),
            trace: failure.trace.clone(),
        }
    }

    /// The last run of a plan, made again; none if there was none.
    fn of_last(study: &Study, tally: &Tally) -> Result<Option<Self>, BadInput> {
        let again = |turn| runs::again(study, &tally.instance, &tally.plan, turn);
        let failure = tally.last.as_ref().map(again).transpose()?;
        Ok(failure.as_ref().map(Self::of_failure))
    }
}
