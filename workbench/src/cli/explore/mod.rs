//! `ioa explore`: every reachable state of a finite instance.

mod written;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use session::instances::Instances;
use session::numbers::{count, counted};
use session::pipeline::explore::{
    self, BySymmetry, Ended, Exploration, ExplorePlan, IndependenceBy, Limits, Orders, SwarmPlan,
    Swarmed,
};
use session::pipeline::pairs::{self, Bounds, PairPlan};
use session::study::{BadInput, Study};

use written::{write_graph, write_trace};

use super::answer::Answer;
use super::execution::pair;
use crate::args::{ExploreArgs, IndependenceArg};
use crate::console::Console;
use crate::files::checkpoint::{self, CheckpointFile};
use crate::files::disk::DiskFolder;
use crate::reading;
use crate::report::terminal;

/// Explores what the flags say.
///
/// # Errors
/// Bad input.
pub(super) fn run(args: &ExploreArgs, console: &Console) -> Result<Answer, BadInput> {
    let study = reading::study(&args.common.inputs)?;
    let setup = args.common.setup();
    let mut answer = Answer::about(&study);
    if let Some(name) = &args.simulation {
        let study = study.evaluable(&setup).unwrap_or(study);
        let bounds = Bounds {
            states: args.states,
            memory: args.memory,
            within: args.within.clone(),
            when: args.when.clone(),
            are_interpreted: args.no_native,
        };
        let plan = PairPlan::on_all_states(study.simulation_index(Some(name))?, bounds);
        let instances = Instances::new(&study, &setup);
        let tested = pairs::all(&study, &instances, &setup, &[plan], console)?;
        if let Some(path) = &args.trace {
            let about = (&study, &args.common.inputs[..]);
            pair::write_trace(about, tested.failed, path, &mut answer);
        }
        answer.findings = tested.findings;
        return Ok(answer);
    }
    let asks = [&args.find, &args.check, &args.possible]
        .iter()
        .any(|formulas| !formulas.is_empty());
    let mut plans = ExplorePlan::planned(&study, &setup, asks)?;
    check_files(args, plans.len())?;
    for plan in &mut plans {
        adjust(plan, args);
        if let Some(folder) = &args.disk {
            keep_on_disk(plan, folder).map_err(BadInput::message)?;
        }
        one(&study, plan, args, console, &mut answer)?;
    }
    Ok(answer)
}

/// Refuses files that cannot be written, or not be for all of so many explorations.
fn check_files(args: &ExploreArgs, plans: usize) -> Result<(), BadInput> {
    let files = [
        &args.checkpoint,
        &args.resume,
        &args.disk,
        &args.dot,
        &args.trace,
    ];
    if plans > 1 && files.iter().any(|f| f.is_some()) {
        return Err(BadInput::message(
            "a file holds one exploration, and the study asks for several: say which with --automaton, and --sort",
        ));
    }
    checkpoint::check_free(args.checkpoint.as_deref(), args.resume.as_deref())
        .map_err(BadInput::message)
}

/// Changes a study's plan to what the flags say.
fn adjust(plan: &mut ExplorePlan, args: &ExploreArgs) {
    let place = |path: &Option<PathBuf>| path.as_deref().map(CheckpointFile::at);
    plan.find.clone_from(&args.find);
    plan.check.clone_from(&args.check);
    add(&mut plan.possible, &args.possible);
    plan.farthest = args.farthest;
    add(&mut plan.within, &args.within);
    add(&mut plan.when, &args.when);
    add(&mut plan.ignore, &args.ignore);
    plan.only.clone_from(&args.only);
    plan.allow_deadlock |= args.allow_deadlock;
    plan.keep_going |= args.keep_going;
    plan.native = !args.no_native;
    if args.symmetry {
        plan.symmetry = BySymmetry::Always;
    } else if args.no_symmetry || args.levels || args.coverage {
        // What is told about levels and clauses is told about the states that are visited.
        plan.symmetry = BySymmetry::Never;
    }
    plan.dpor = args.dpor;
    // A search of another kind is asked for instead of the study's.
    plan.por = args.por || plan.por && !args.dpor && args.swarm.is_none();
    plan.independence = match args.independence {
        IndependenceArg::Footprints => IndependenceBy::Footprints,
        IndependenceArg::Solver => IndependenceBy::Solver,
    };
    plan.swarm = args.swarm.map(|searches| SwarmPlan {
        searches,
        seed: args.common.seed,
    });
    if plan.dpor || plan.swarm.is_some() {
        // No states are kept that could be taken for one.
        plan.ignore.clear();
    }
    // Executions that are taken one by one are those that end.
    plan.allow_deadlock |= args.dpor;
    let limits = Limits {
        depth: args.depth,
        states: args.states,
        time: args.time,
        memory: args.memory,
    };
    plan.limits = limits.or(plan.limits);
    plan.checkpoint = place(&args.checkpoint);
    plan.checkpoint_every = args.checkpoint_every;
    plan.resume = place(&args.resume);
    plan.graph = args.dot.is_some();
    let is_other = !args.common.sorts.is_empty()
        || !args.within.is_empty()
        || !args.when.is_empty()
        || !args.ignore.is_empty()
        || args.common.interpretation.is_some();
    let is_other = is_other || args.symmetry || plan.dpor || plan.por || plan.swarm.is_some();
    if is_other || limits != Limits::default() {
        plan.expected = None;
    }
}

/// How many seconds there are, at least, between two times at which a search on disk is noted down.
const DISK_EVERY: f64 = 5.0;

/// Has the states of a plan kept in a folder, and goes on with the search that is there.
fn keep_on_disk(plan: &mut ExplorePlan, folder: &Path) -> Result<(), String> {
    let folder = Arc::new(DiskFolder::at(folder)?);
    let place = folder.place();
    plan.resume = folder.holds_search().then(|| Arc::clone(&place));
    plan.checkpoint = Some(place);
    plan.checkpoint_every = DISK_EVERY;
    plan.disk = Some(folder);
    Ok(())
}

/// Adds the formulas that are not there yet.
fn add(formulas: &mut Vec<String>, more: &[String]) {
    for formula in more {
        if !formulas.contains(formula) {
            formulas.push(formula.clone());
        }
    }
}

fn one(
    study: &Study,
    plan: &ExplorePlan,
    args: &ExploreArgs,
    console: &Console,
    answer: &mut Answer,
) -> Result<(), BadInput> {
    let setup = plan.sized(&args.common.setup());
    let evaluable = study.evaluable(&setup);
    let asked = plan.asked(evaluable.as_ref().unwrap_or(study))?;
    let exploration = explore::in_each_interpretation(&asked, &setup, plan, console)?;
    let findings = explore::findings(&asked, &setup, plan, &exploration);
    let closing = &mut answer.closing;
    if args.levels {
        closing.push_str(&explore::levels(&exploration));
    }
    if args.coverage {
        closing.push_str(&terminal::items(&findings[..1], console.style));
    } else if exploration.ended != Ended::Found && exploration.distinct > 0 {
        // Of a search that has hardly begun, what never fired says nothing.
        closing.push_str(&explore::coverage(&findings[0]));
    }
    if let Some(symmetry) = &exploration.symmetry {
        let universe = exploration.world.instance.universe();
        closing.push_str(&explore::account(&asked.model, universe, symmetry));
    }
    // A small search is fast enough, however it is made.
    let is_told = args.coverage || exploration.distinct >= MANY_STATES;
    if is_told {
        let slow = terminal::sentences(&exploration.interpreted, console.style);
        closing.push_str(&slow);
    }
    closing.push_str(&match (&exploration.orders, &exploration.swarm) {
        (Some(orders), _) => speed_of_orders(orders, exploration.seconds),
        (_, Some(swarm)) => speed_of_swarm(swarm, exploration.seconds),
        _ if is_told => explore::storage(&exploration) + &speed(plan, &exploration),
        _ => speed(plan, &exploration),
    });
    closing.push_str(&kept(plan, &exploration));
    if let (Some(path), Some(graph)) = (&args.dot, &exploration.graph) {
        write_graph(graph, path, answer);
    }
    if let Some(path) = &args.trace {
        let explored = (&exploration, plan.farthest);
        write_trace((study, &args.common.inputs), explored, path, answer);
    }
    if answer.figures.is_empty() {
        answer.figures.clone_from(&findings[0].figures);
    }
    answer.findings.extend(findings);
    Ok(())
}

/// Of fewer states than these, what a search needs by itself takes most of the memory and of the time.
const MANY_STATES: u64 = 10_000;

fn speed(plan: &ExplorePlan, exploration: &Exploration) -> String {
    let Exploration {
        distinct,
        generated,
        memory,
        ..
    } = *exploration;
    let each = |n: u64| count((n as f64 / exploration.seconds.max(1e-9)) as u64);
    // Of states on disk, the memory says nothing.
    let bytes = match distinct >= MANY_STATES && plan.disk.is_none() {
        true => format!(", {} bytes/state", count(memory / distinct)),
        false => String::new(),
    };
    let (distinct, generated) = (each(distinct), each(generated));
    let what = match exploration.orbit_totals {
        Some(_) => "representatives",
        None => "states",
    };
    format!("{distinct} {what}/s, {generated} generated/s{bytes}\n")
}

fn speed_of_orders(orders: &Orders, seconds: f64) -> String {
    let each = |n: u64| count((n as f64 / seconds.max(1e-9)) as u64);
    let (orders, steps) = (each(orders.counts.orders), each(orders.counts.steps));
    format!("{orders} orders/s, {steps} steps/s\n")
}

fn speed_of_swarm(swarm: &Swarmed, seconds: f64) -> String {
    let each = (swarm.states as f64 / seconds.max(1e-9)) as u64;
    format!("{} states/s\n", count(each))
}

/// From where the search went on, and from where it can.
fn kept(plan: &ExplorePlan, exploration: &Exploration) -> String {
    let mut out = String::new();
    if let (Some(kept), Some(states)) = (&plan.resume, exploration.resumed) {
        let states = counted(states, "state");
        out.push_str(&format!("went on from {states} in {}\n", kept.name()));
    }
    match &exploration.kept {
        Some(Ok(path)) if plan.disk.is_some() => {
            out.push_str(&format!("kept in {path}: the same command goes on\n"));
        }
        Some(Ok(path)) => {
            out.push_str(&format!("kept in {path}: --resume {path} goes on\n"));
        }
        Some(Err(trouble)) => out.push_str(&format!("the search is not kept: {trouble}\n")),
        None => {}
    }
    out
}
