//! What is said about the temperatures in runs.

use std::collections::BTreeMap;

use interpreter::Interrupt;

use super::super::accounts::{fault_account, limit_account};
use super::super::repeat::{replay, told_in};
use super::super::tally::Tally;
use super::{Ended, Gauge, Temperatures, Why};
use crate::finding::{Finding, Kind, Verdict};
use crate::numbers::{count, counted};
use crate::setup::Setup;
use crate::story::{Blame, Story, execution};
use crate::study::Study;

/// A finding for each monitor of which the runs of a plan were to say how hot it gets.
pub(in crate::pipeline::runs) fn findings(
    study: &Study,
    setup: &Setup,
    tally: &Tally,
) -> Vec<Finding> {
    let Some(temperatures) = &tally.temperatures else {
        return Vec::new();
    };
    let told = Told {
        study,
        setup,
        tally,
        temperatures,
    };
    // Where no temperature is asked for, nothing is said about monitors that find nothing wrong.
    let gauges = temperatures.gauges.iter();
    let gauges = gauges.filter(|gauge| temperatures.bound.is_some() || gauge.ended.is_some());
    gauges.map(|gauge| told.finding(gauge)).collect()
}

struct Told<'a> {
    study: &'a Study,
    setup: &'a Setup,
    tally: &'a Tally,
    temperatures: &'a Temperatures,
}

impl Told<'_> {
    fn finding(&self, gauge: &Gauge) -> Finding {
        let property = &self.study.model.liveness[gauge.property];
        let automaton = &self.study.model.automaton(property.automaton).name;
        let verdict = match gauge.ended.as_ref().map(|ended| &ended.why) {
            None if self.tally.runs == 0 => Verdict::Unknown,
            None => Verdict::Tested,
            Some(Why::TooHot | Why::Undefined(Interrupt::Limit(_))) => Verdict::Unknown,
            Some(Why::StaysHot { .. } | Why::Undefined(Interrupt::Fault(_))) => Verdict::Violated,
        };
        let mut finding = Finding::new(
            Kind::Liveness,
            &*property.name,
            &**automaton,
            verdict,
            self.study.scope(&self.tally.instance),
        );
        finding.figures = BTreeMap::from([("runs", self.tally.runs)]);
        if let Some(bound) = self.temperatures.bound {
            finding.figures.insert("hottest", gauge.hottest);
            finding.figures.insert("infinite", bound);
        }
        finding.summary = match &gauge.ended {
            None if gauge.hottest == 0 => {
                format!("never hot in {}", counted(self.tally.runs, "run"))
            }
            None => format!(
                "at most {} hot in {}, with seed {}; below {}",
                degrees(gauge.hottest),
                counted(self.tally.runs, "run"),
                gauge.seed,
                count(self.infinite())
            ),
            Some(ended) => self.ended(gauge, ended, &mut finding),
        };
        finding
    }

    /// The temperature that is taken for infinite.
    fn infinite(&self) -> u64 {
        self.temperatures.bound.unwrap_or(u64::MAX)
    }

    /// Tells a run that a monitor ended, and says what of it in a line.
    fn ended(&self, gauge: &Gauge, ended: &Ended, finding: &mut Finding) -> String {
        let Self {
            study,
            setup,
            tally,
            ..
        } = *self;
        let (property, run) = (&study.model.liveness[gauge.property], &ended.run);
        let (headline, blame, summary) = match &ended.why {
            Why::TooHot => (
                format!(
                    "{} is {} hot, and has not been cold since",
                    property.name,
                    degrees(self.infinite())
                ),
                vec![Blame::at(study, property.span, &[])],
                format!("{} hot", degrees(self.infinite())),
            ),
            Why::StaysHot { is_enabled } => {
                let (why, place) = match is_enabled {
                    false => ("nothing is enabled any more", "nothing is enabled"),
                    true => (
                        "no step of the system itself changes anything any more",
                        "no step of the system itself changes anything",
                    ),
                };
                (
                    format!("{} stays hot, for {why}", property.name),
                    vec![Blame::at(study, property.span, &[])],
                    format!("hot where {place},"),
                )
            }
            Why::Undefined(Interrupt::Fault(fault)) => {
                let (headline, blame) = fault_account(study, fault);
                (headline, blame, "a formula in it has no value".to_owned())
            }
            Why::Undefined(Interrupt::Limit(limit)) => {
                let (headline, blame) = limit_account(study, limit);
                (headline, blame, "a formula in it has no value".to_owned())
            }
        };
        let mut story = Story::bare(headline, blame);
        if let Some(trace) = &run.trace {
            execution::tell(study, &tally.instance, trace, &mut story);
        }
        if matches!(ended.why, Why::TooHot) {
            story.notes.push(
                "heuristic: so hot is taken for infinitely hot, but the run may cool down later, or be unfair; \
                 `ioa explore` decides it for an instance"
                    .into(),
            );
        }
        story.notes.extend(told_in(study, tally, run));
        finding.stories.push(story);
        finding.replay = Some(replay(study, setup, tally, run));
        let steps = run.trace.as_ref().map_or(0, |trace| trace.steps.len());
        format!(
            "{summary} after {} of {}",
            counted(steps as u64, "step"),
            run.named(study, &tally.plan)
        )
    }
}

/// A temperature in words.
fn degrees(temperature: u64) -> String {
    counted(temperature, "degree")
}
