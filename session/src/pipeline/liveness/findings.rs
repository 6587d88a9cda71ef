//! What liveness properties come to, as findings.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{ActionKind, Automaton, Liveness};

use super::super::explore::{
    BySymmetry, Ended, Exploration, ExplorePlan, bound, stopped, unfinished,
};
use super::answer::{
    Answer, Asked, Counterexample, Dead, Fate, How, Outcome, Transient, Undefined,
};
use crate::finding::{Finding, Kind, Scope, Verdict};
use crate::interpretation::World;
use crate::numbers::{count, counted};
use crate::pipeline::plan::command::command;
use crate::pipeline::runs::{fault_account, limit_account};
use crate::setup::Setup;
use crate::story::{Blame, Story, execution};
use crate::study::Study;
use interpreter::Interrupt;
use ioa_lang::{Name, Span};

/// More names than these are counted and not listed.
const MOST_NAMES: usize = 6;

/// The same for tasks: what becomes of each of them is what makes an execution fair.
const MOST_TASKS: usize = 60;

/// The findings about properties that are asked for where only an exploration could decide them.
#[must_use]
pub fn undecided(study: &Study, is_asked: impl Fn(&Liveness) -> bool) -> Vec<Finding> {
    let properties = study.model.liveness.iter().filter(|p| is_asked(p));
    let named = properties.map(|p| (p, &*study.model.automaton(p.automaton).name));
    named
        .map(|(property, automaton)| Finding {
            summary: "not decided: ioa explore decides it at given sizes".into(),
            ..Finding::new(
                Kind::Liveness,
                &*property.name,
                automaton,
                Verdict::Unknown,
                Scope::UNBOUNDED,
            )
        })
        .collect()
}

/// The findings about the properties that were asked for.
pub(in crate::pipeline) fn findings(
    study: &Study,
    setup: &Setup,
    plan: &ExplorePlan,
    exploration: &Exploration,
) -> Vec<Finding> {
    let about = About {
        study,
        setup,
        plan,
        exploration,
        automaton: study.model.automaton(plan.automaton),
    };
    let answers = exploration.liveness.iter();
    answers.map(|answer| about.finding(answer)).collect()
}

/// The name of what was asked, and where it stands.
type Property<'p> = (&'p Name, Span);

/// What is common to all findings of one exploration.
struct About<'a> {
    study: &'a Study,
    setup: &'a Setup,
    plan: &'a ExplorePlan,
    exploration: &'a Exploration,
    automaton: &'a Automaton,
}

impl About<'_> {
    fn finding(&self, answer: &Answer) -> Finding {
        let (kind, name, span) = match answer.asked {
            Asked::Fair(position) => {
                let property = &self.study.model.liveness[position];
                (Kind::Liveness, &property.name, property.span)
            }
            Asked::Possible(position) => {
                let stated = &self.study.possible[position];
                (Kind::Possible, &stated.name, stated.span)
            }
        };
        let property = (name, span);
        let mut finding = Finding::new(
            kind,
            &**name,
            &*self.automaton.name,
            Verdict::Unknown,
            self.study.scope(&answer.world.instance),
        );
        finding.seconds = Some(answer.seconds);
        match &answer.outcome {
            Outcome::Holds { states, steps } => self.holds(*states, *steps, &mut finding),
            Outcome::Violated(found) => {
                self.violated(property, (&answer.world, found), &mut finding);
            }
            Outcome::Possible { states, transient } => {
                let transient = transient.as_ref();
                self.possible(name, (*states, &answer.world, transient), &mut finding);
            }
            Outcome::Dead(dead) => self.dead(property, (&answer.world, dead), &mut finding),
            Outcome::Undefined(found) => {
                self.undefined(property, (&answer.world, found), &mut finding);
            }
            Outcome::Unknown(why) => {
                finding.summary = format!("not decided: {}", why.words);
                finding.bound = why.bound.map(Into::into);
            }
        }
        if self.plan.symmetry == BySymmetry::Always {
            let how = "; liveness is decided without symmetry";
            finding.summary.push_str(how);
        }
        finding
    }

    fn holds(&self, states: u64, steps: u64, finding: &mut Finding) {
        finding.figures = BTreeMap::from([("states", states), ("graph_steps", steps)]);
        finding.summary = format!(
            "holds on all fair executions, through {} and {}",
            counted(states, "state"),
            counted(steps, "step")
        );
        self.true_of_all(finding);
    }

    /// Says that something is true of all states and executions, if all were looked at.
    fn true_of_all(&self, finding: &mut Finding) {
        let ended = self.exploration.ended;
        finding.verdict = Verdict::Explored;
        if ended != Ended::Complete {
            finding.verdict = unfinished(ended);
            finding.bound = bound(ended).map(Into::into);
            finding.summary.push_str(&format!("; {}", stopped(ended)));
        }
    }

    fn violated(
        &self,
        property: Property<'_>,
        (world, found): (&World, &Counterexample),
        finding: &mut Finding,
    ) {
        let (stem, all) = (found.stem as u64, found.trace.steps.len() as u64);
        finding.figures = BTreeMap::from([("steps", all), ("stem", stem), ("cycle", all - stem)]);
        finding.summary = format!(
            "{}{}",
            shape(stem, all - stem),
            shortness(world, found.is_shortest)
        );
        finding.verdict = Verdict::Violated;
        finding.replay = Some(self.replay(world, property, finding.kind));
        let (name, automaton) = (property.0, &self.automaton.name);
        let headline = format!("a fair execution of {automaton} violates {name}");
        let blame = vec![Blame::at(self.study, property.1, &found.values)];
        let mut story = Story::bare(headline, blame);
        let lasso = (&found.trace, found.stem);
        execution::tell_lasso(self.study, &world.instance, lasso, &mut story);
        story.notes = fairness(&found.fates);
        story.notes.extend(self.fairness_of_none());
        story
            .notes
            .extend(world.note(self.study, self.plan.automaton));
        let unfair = found.fates.iter().find(|fate| fate.how == How::Unfair);
        let unfair = unfair.map(|fate| format!("the execution is unfair to {}", fate.task));
        if let Some(why) = found.disagreement.clone().or(unfair) {
            finding.verdict = Verdict::Error;
            finding.summary = format!("internal error: {why}; please report it with the model");
            story.notes.push(finding.summary.clone());
        }
        finding.stories.push(story);
    }

    /// A formula that is reachable from all states.
    fn possible(
        &self,
        name: &str,
        (states, world, transient): (u64, &World, Option<&Transient>),
        finding: &mut Finding,
    ) {
        let (count, farthest) =
            transient.map_or((0, 0), |transient| (transient.count, transient.farthest()));
        finding.figures = BTreeMap::from([
            ("states", states),
            ("transient_states", count),
            ("farthest", farthest),
        ]);
        finding.summary = format!(
            "possible from all {}, by at most {}",
            counted(states, "state"),
            counted(farthest, "step")
        );
        self.true_of_all(finding);
        self.farthest(name, (world, transient), finding);
    }

    /// A state from which the formula can no longer be reached, and a way to it from the state before.
    fn dead(&self, property: Property<'_>, (world, dead): (&World, &Dead), finding: &mut Finding) {
        let steps = dead.trace.steps.len() as u64;
        let transient = dead.transient.as_ref();
        let others = transient.map_or(0, |transient| transient.count);
        finding.figures = BTreeMap::from([
            ("steps", steps),
            ("dead_states", dead.count),
            ("transient_states", others),
        ]);
        finding.summary = format!(
            "impossible after {}{}; {}",
            counted(steps, "step"),
            shortness(world, true),
            counted(dead.count, "dead state")
        );
        finding.verdict = Verdict::Violated;
        finding.replay = Some(self.replay(world, property, Kind::Possible));
        let headline = format!(
            "from a reachable state of {}, no way leads to one with {}",
            self.automaton.name, property.0
        );
        let mut story = Story::bare(headline, Vec::new());
        let instance = &*world.instance;
        execution::tell(self.study, instance, &dead.trace, &mut story);
        story
            .notes
            .extend(world.note(self.study, self.plan.automaton));
        finding.stories.push(story);
        if let Some(way) = &dead.way_out {
            let place = (format!("the state before step {steps}"), &**property.0);
            let way_out = execution::way_out(self.study, instance, place, way);
            finding.stories.push(way_out);
        }
        self.farthest(property.0, (world, transient), finding);
    }

    /// Shows a state from which the most steps are needed, if that is asked for, and the way from there.
    fn farthest(
        &self,
        name: &str,
        (world, transient): (&World, Option<&Transient>),
        finding: &mut Finding,
    ) {
        let Some(transient) = transient.filter(|_| self.plan.farthest) else {
            return;
        };
        let place = match transient.trace.steps.len() as u64 {
            0 => "a start state".to_owned(),
            steps => format!("the state after {}", counted(steps, "step")),
        };
        let headline = format!(
            "from {place}, {} to {name}; no state that is not dead needs more",
            execution::lead(transient.way_out.steps.len()),
        );
        let whole = transient.whole();
        let mut story = Story::bare(headline, Vec::new());
        execution::tell(self.study, &world.instance, &whole, &mut story);
        story
            .notes
            .extend(world.note(self.study, self.plan.automaton));
        finding.stories.push(story);
    }

    fn undefined(
        &self,
        property: Property<'_>,
        (world, found): (&World, &Undefined),
        finding: &mut Finding,
    ) {
        let (headline, blame) = match &found.interrupt {
            Interrupt::Fault(fault) => fault_account(self.study, fault),
            Interrupt::Limit(limit) => limit_account(self.study, limit),
        };
        finding.verdict = match found.interrupt {
            Interrupt::Fault(_) => Verdict::Violated,
            Interrupt::Limit(_) => Verdict::Unknown,
        };
        finding.summary = "a formula in it has no value in a reachable state".into();
        finding.replay = Some(self.replay(world, property, finding.kind));
        let mut story = Story::bare(headline, blame);
        let instance = &*world.instance;
        match &found.trace {
            Some(trace) => execution::tell(self.study, instance, trace, &mut story),
            None => {
                let title = ("the state that was found".to_owned(), 0);
                let automaton = self.plan.automaton;
                let state = execution::state(self.study, instance, automaton, title, &found.state);
                story.frames.push(state);
            }
        }
        story
            .notes
            .extend(world.note(self.study, self.plan.automaton));
        finding.stories.push(story);
    }

    /// What is said about actions that never have to happen, because they belong to no task.
    fn fairness_of_none(&self) -> Option<String> {
        let tasks = self.automaton.tasks.iter();
        let in_tasks: BTreeSet<_> = tasks
            .flat_map(|t| t.actions.iter().map(|(a, _)| *a))
            .collect();
        let actions = self.automaton.actions.iter().enumerate();
        let local = actions.filter(|(_, action)| action.kind != ActionKind::Input);
        let without = local.filter(|(a, _)| in_tasks.iter().all(|id| id.index() != *a));
        let names: Vec<&str> = without.map(|(_, action)| &*action.name).collect();
        if names.is_empty() {
            return None;
        }
        Some(match self.automaton.tasks.is_empty() {
            true => format!(
                "{} has no tasks: none of its actions ever has to happen, so that every execution is fair; `tasks` says which have to",
                self.automaton.name
            ),
            false => format!(
                "in no task, so that it never has to happen: {}",
                listed(&names, MOST_NAMES)
            ),
        })
    }

    /// The command that shows it again.
    fn replay(&self, world: &World, (name, _): Property<'_>, kind: Kind) -> String {
        let setup = world.setup(self.setup);
        let plan = ExplorePlan {
            only: match kind {
                Kind::Possible => self.plan.only.clone(),
                _ => vec![name.to_string()],
            },
            ..self.plan.clone()
        };
        let flags = plan.flags(self.study);
        format!("{} {flags}", command(self.study, &setup, "explore"))
    }
}

/// Whether an execution is known to be a shortest one, in words.
fn shortness(world: &World, is_shortest: bool) -> String {
    match is_shortest {
        true => format!("; none is shorter{}", world.within()),
        false => "; there may be shorter ones".into(),
    }
}

/// How long a lasso is, in words.
fn shape(stem: u64, cycle: u64) -> String {
    match (stem, cycle) {
        (0, 0) => "nothing happens in it from the start".into(),
        (_, 0) => format!("{}, and nothing happens any more", counted(stem, "step")),
        (0, _) => format!("a cycle of {} from a start state", counted(cycle, "step")),
        _ => format!(
            "{}, and then a cycle of {}",
            counted(stem, "step"),
            counted(cycle, "step")
        ),
    }
}

/// Why the execution is fair, a line for each reason.
fn fairness(fates: &[Fate]) -> Vec<String> {
    let mut by_reason: BTreeMap<(u8, usize), Vec<&str>> = BTreeMap::new();
    for fate in fates {
        let reason = match fate.how {
            How::Taken(step) => (0, step),
            How::Disabled(step) => (1, step),
            How::NeverEnabled => (2, 0),
            How::Unfair => continue,
        };
        by_reason.entry(reason).or_default().push(&fate.task);
    }
    let lines = by_reason.iter().map(|((reason, step), tasks)| {
        let tasks = listed(tasks, MOST_TASKS);
        match (reason, step) {
            (0, _) => format!("fair: step {step} is one of {tasks}"),
            (1, 0) => format!("fair: disabled at the start: {tasks}"),
            (1, _) => format!("fair: disabled after step {step}: {tasks}"),
            _ => format!("fair: never enabled in what is repeated: {tasks}"),
        }
    });
    lines.collect()
}

/// Some names, or how many more there are.
fn listed(names: &[&str], most: usize) -> String {
    let shown = names[..names.len().min(most)].join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {} more", count(more as u64)),
    }
}
