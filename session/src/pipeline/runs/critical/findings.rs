//! What is said about a critical transition.

use std::collections::BTreeMap;

use interpreter::trace::Trace;

use super::super::findings::{all, cut_short};
use super::effort::Effort;
use super::outcome::{Critical, Looked};
use crate::finding::{Finding, Kind, Verdict};
use crate::interpretation::{self, Tried, World};
use crate::numbers::{count, counted};
use crate::pipeline::plan::Plan;
use crate::pipeline::plan::command::{command, quoted};
use crate::setup::Setup;
use crate::story::{Story, execution};
use crate::study::Study;

/// What was asked.
pub(super) struct Told<'a> {
    pub(super) study: &'a Study,
    pub(super) setup: &'a Setup,
    pub(super) plan: &'a Plan,
    pub(super) formula: &'a str,
    pub(super) effort: Effort,
    /// The world of what was found, or the last one.
    pub(super) world: &'a World,
    /// In how many interpretations of the theories runs were made.
    pub(super) tried: Tried,
}

impl Told<'_> {
    /// The finding.
    pub(super) fn finding(&self, looked: &Looked) -> Finding {
        let automaton = self.plan.drive.automaton_name(self.study);
        let scope = self.study.scope(&self.world.instance);
        let verdict = match &looked.found {
            None => Verdict::Tested,
            Some(found) if found.is_certain => Verdict::Violated,
            Some(_) => Verdict::Unknown,
        };
        let mut finding = Finding::new(Kind::Possible, self.formula, automaton, verdict, scope);
        finding.figures =
            BTreeMap::from([("runs", looked.runs_in_all), ("live_runs", looked.live)]);
        match &looked.found {
            None => {
                finding.summary = format!(
                    "{}, {} of them with a live state; none ended in a state that seems dead",
                    counted(looked.runs_in_all, "run"),
                    count(looked.live)
                );
                match looked.stopped {
                    Some(stop) => cut_short(&mut finding, looked.runs_in_all, stop),
                    None => finding.summary.push_str(&all(self.plan, looked.has_all)),
                }
            }
            Some(found) => self.found(found, looked, &mut finding),
        }
        interpretation::say(
            self.study,
            self.world.instance.universe(),
            self.plan.drive.automaton(self.study),
            self.tried,
            &mut finding.summary,
        );
        if looked.faults > 0 {
            finding.warnings.push(format!(
                "{} or walks ended in a run-time error of the model, behind which nothing is known: `ioa run` shows it",
                counted(looked.faults, "run")
            ));
        }
        if let Some(depths) = &looked.depths {
            finding.summary += &format!("; {}", depths.words(looked.steps));
            finding.items = depths.histogram();
        }
        finding
    }

    fn found(&self, found: &Critical, looked: &Looked, finding: &mut Finding) {
        let steps = found.trace.steps.len() as u64;
        finding.figures.insert("critical_step", steps);
        let believed = match found.is_certain {
            true => "impossible",
            false => "believed to be impossible",
        };
        let which = match self.plan.ways() {
            Some(_) => format!("run {}", count(looked.runs)),
            None => format!(
                "the run with seed {}, the last of {}",
                found.seed,
                counted(looked.runs_in_all, "run")
            ),
        };
        finding.summary = format!(
            "{believed} after {} of the {} of {which}",
            counted(steps, "step"),
            count(found.steps),
        );
        if let Some(begun) = found.begun {
            let begun = counted(begun as u64, "step");
            finding.summary += &format!("; it begins with {begun} of a live run");
        }
        let headline = match steps {
            0 => format!("{} is {believed} from a start state", self.formula),
            _ => format!("step {steps} makes {} {believed}", self.formula),
        };
        finding.stories.push(self.story(headline, &found.trace));
        if let Some(story) = finding.stories.first_mut() {
            story.notes.push(self.grounds(found, looked));
        }
        if let Some(way) = &found.way_out {
            let place = (format!("the state before step {steps}"), self.formula);
            let way_out = execution::way_out(self.study, &self.world.instance, place, way);
            finding.stories.push(way_out);
        }
        finding.replay = Some(self.replay(found, looked));
    }

    fn story(&self, headline: String, trace: &Trace) -> Story {
        let mut story = Story::bare(headline, Vec::new());
        execution::tell(self.study, &self.world.instance, trace, &mut story);
        let automaton = self.plan.drive.automaton(self.study);
        story.notes.extend(self.world.note(self.study, automaton));
        story
    }

    /// Why the state after the critical transition is taken for dead.
    fn grounds(&self, found: &Critical, looked: &Looked) -> String {
        match found.is_certain {
            true => "all states that can follow were visited".into(),
            false => format!(
                "heuristic: {} of at most {} found no way; --walks or --states may find one",
                counted(self.effort.walks, "walk"),
                counted(looked.steps, "step")
            ),
        }
    }

    /// The command that finds it again. A run that begins with steps of another one needs all runs before it, as does one of a
    /// systematic strategy.
    fn replay(&self, found: &Critical, looked: &Looked) -> String {
        let Effort {
            states,
            walks,
            prefixes,
            are_steps_given: _,
        } = self.effort;
        let is_alone = found.begun.is_none() && self.plan.ways().is_none();
        let (flags, runs) = match is_alone {
            true => (
                self.plan
                    .only(self.plan.strategy_of(looked.runs - 1))
                    .flags(self.study),
                format!("--seed {} --runs 1", found.seed),
            ),
            false => (
                self.plan.flags(self.study),
                format!("--seed {} --runs {}", self.setup.seed, looked.runs),
            ),
        };
        let prefixes = match found.begun {
            None => String::new(),
            Some(_) => format!("--prefixes {prefixes} "),
        };
        format!(
            "{} {flags} --live {} --states {states} --walks {walks} {prefixes}{runs} --steps {}",
            command(self.study, self.setup, "run"),
            quoted(self.formula),
            looked.steps
        )
    }
}
