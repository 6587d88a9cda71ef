//! The claim of a simulation that failed, as it is told: after an execution as short as possible.

use std::borrow::Cow;

use interpreter::Instance;
use interpreter::trace::Trace;
use paired_exec::{Cause, Failure};

use crate::finding::{Finding, Verdict};
use crate::pipeline::plan::Plan;
use crate::pipeline::runs::{STEPS_OF_SHORTENING, Shortening};
use crate::story::lockstep;
use crate::study::Study;

/// The failure of a claim that is told, after a low execution.
pub(super) struct Told<'f> {
    low: Option<Trace>,
    /// What is drawn at random was drawn with it.
    seed: u64,
    failure: Cow<'f, Failure>,
    shortening: Option<Shortening>,
}

impl<'f> Told<'f> {
    /// The failure after a recorded execution, or a shorter one that fails in the same way where the plan's runs are shortened.
    pub(super) fn of(
        (instance, simulation, plan): (&Instance, usize, &Plan),
        (recorded, seed): (Option<Trace>, u64),
        failure: &'f Failure,
    ) -> Self {
        let mut low = recorded;
        if let Some(trace) = &mut low {
            trace
                .steps
                .truncate(usize::try_from(failure.step).unwrap_or(usize::MAX));
        }
        let from = low.as_ref().map_or(0, |trace| trace.steps.len() as u64);
        let trace = low.as_ref().filter(|_| plan.is_shortened());
        let shorter = trace.and_then(|trace| {
            let failed = (trace, failure);
            paired_exec::shorten(instance, simulation, failed, STEPS_OF_SHORTENING)
        });
        match shorter {
            Some(shorter) => Self {
                low: Some(shorter.low),
                seed,
                failure: Cow::Owned(shorter.failure),
                shortening: Some(Shortening {
                    from,
                    is_minimal: shorter.is_minimal,
                }),
            },
            None => Self {
                low,
                seed,
                failure: Cow::Borrowed(failure),
                shortening: None,
            },
        }
    }
}

/// Adds to a finding the failure of a claim, with the execution up to it, which is returned.
pub(super) fn tell_claim(
    (study, instance): (&Study, &Instance),
    simulation: usize,
    told: Told<'_>,
    finding: &mut Finding,
) -> Option<Trace> {
    let steps = told.low.as_ref().map_or(0, |trace| trace.steps.len());
    blame_claim(study, simulation, &told.failure, finding);
    let story = finding.stories.last_mut()?;
    if let Some(trace) = &told.low {
        let about = (study, instance, simulation);
        lockstep::tell_before(about, (trace, told.seed), &told.failure, story);
    }
    let shortened = told.shortening.map(|shortening| shortening.told(steps));
    story.notes.extend(shortened);
    told.low
}

/// Adds the claim that failed.
pub(super) fn blame_claim(
    study: &Study,
    simulation: usize,
    failure: &Failure,
    finding: &mut Finding,
) {
    finding.verdict = gravity(failure);
    let story = lockstep::tell(study, &study.model.simulations[simulation], failure);
    finding.summary = format!("{}: {}", finding.summary, story.headline);
    finding.stories.push(story);
}

/// How grave a failure is: a limit of ours says nothing about the simulation.
pub(super) fn gravity(failure: &Failure) -> Verdict {
    match failure.cause {
        Cause::Limit(..) => Verdict::Unknown,
        _ => Verdict::Violated,
    }
}
