//! What runs add up to, and what their endings say.

use std::collections::BTreeMap;
use std::sync::Arc;

use interpreter::run::{Coverage, Ending, Report};
use interpreter::{FaultKind, Instance};

use super::failure::Failure;
use super::temperature::Temperatures;
use crate::finding::Verdict;
use crate::host::Stop;
use crate::interpretation::Tried;
use crate::pipeline::plan::{Plan, Turn};
use crate::study::Study;

/// What became of all runs of a plan.
#[derive(Debug)]
pub struct Tally {
    /// The plan.
    pub plan: Plan,
    /// The instance of the last run.
    pub instance: Arc<Instance>,
    /// The last run.
    pub last: Option<Turn>,
    /// The interpretations of the theories in which there were runs.
    pub tried: Tried,
    /// Runs that were made, the failing one included.
    pub runs: u64,
    /// Steps taken in all of them.
    pub steps: u64,
    /// States in which all invariants were looked at.
    pub states: u64,
    /// Runs by how they ended, in words.
    pub endings: BTreeMap<&'static str, u64>,
    /// What their steps have exercised.
    pub coverage: Coverage,
    /// The first run that failed.
    pub failure: Option<Failure>,
    /// How hot the monitors got, if the plan asks for it.
    pub temperatures: Option<Temperatures>,
    /// Whether the strategy is systematic, and there are no other runs.
    pub has_all: bool,
    /// Why there were not all runs of the plan, where that is not because one failed.
    pub stopped: Option<Stop>,
    /// Wall time.
    pub seconds: f64,
    /// What was run, where that is not the plan's drive: a trace file.
    pub source: Option<String>,
}

impl Tally {
    /// No runs yet.
    #[must_use]
    pub fn new(plan: Plan, instance: Arc<Instance>) -> Self {
        Self {
            last: None,
            plan,
            instance,
            tried: Tried::ONE,
            runs: 0,
            steps: 0,
            states: 0,
            endings: BTreeMap::new(),
            coverage: Coverage::default(),
            failure: None,
            temperatures: None,
            has_all: false,
            stopped: None,
            seconds: 0.0,
            source: None,
        }
    }

    /// Counts a run.
    pub fn count(&mut self, report: &Report) {
        self.runs += 1;
        self.steps += report.steps;
        self.states += checked(report);
        self.coverage.add(&report.coverage);
        *self.endings.entry(words(&report.ending)).or_default() += 1;
    }

    /// The first run with which something is wrong, or taken for wrong: one that failed, or that a monitor ended.
    #[must_use]
    pub fn shown(&self) -> Option<&Failure> {
        let of_monitors = || self.temperatures.as_ref()?.shown();
        self.failure.as_ref().or_else(of_monitors)
    }

    /// What was run.
    #[must_use]
    pub fn name(&self, study: &Study) -> String {
        self.source.clone().unwrap_or_else(|| self.plan.name(study))
    }
}

/// In how many states of a run all invariants were looked at: in all of them, but for one that a run-time error (which
/// may be an invariant's) or a limit ended the run at.
fn checked(report: &Report) -> u64 {
    let reached = report.state.as_ref().map_or(0, |_| report.steps + 1);
    match &report.ending {
        Ending::Fault(_) | Ending::Limit(_) => reached.saturating_sub(1),
        _ => reached,
    }
}

/// What an ending says about the model.
#[must_use]
pub fn verdict(ending: &Ending) -> Verdict {
    match ending {
        Ending::Finished
        | Ending::StepLimit
        | Ending::Deadlock
        | Ending::NothingNew
        | Ending::Stopped => Verdict::Tested,
        // Where nothing can begin, nothing can go wrong either.
        Ending::Fault(fault) if fault.kind == FaultKind::NoStart => Verdict::Vacuous,
        Ending::Disabled(_) | Ending::Violated(_) | Ending::Fault(_) => Verdict::Violated,
        Ending::Limit(_) => Verdict::Unknown,
    }
}

/// An ending in a word or two.
#[must_use]
pub fn words(ending: &Ending) -> &'static str {
    match ending {
        Ending::Finished => "finished",
        Ending::StepLimit => "stopped at the step limit",
        Ending::Deadlock => "ended where nothing is enabled",
        Ending::NothingNew => "ended where no step shows anything new",
        Ending::Stopped => "stopped",
        Ending::Disabled(_) => "fired a disabled action",
        Ending::Violated(_) => "violated an invariant",
        Ending::Fault(fault) if fault.kind == FaultKind::NoStart => "had no start state",
        Ending::Fault(_) => "hit a run-time error",
        Ending::Limit(_) => "hit a limit",
    }
}
