//! Simulations on all states of finite instances: a forward one with a proof block is followed along all executions, any other
//! is checked by its definition.

use std::collections::BTreeMap;

use interpreter::run::Coverage;
use interpreter::{FaultKind, Instance, Interrupt};
use ioa_lang::core::Direction;
use paired_exec::{Cause, End, Failure, Followed};

use super::definition;
use crate::finding::{Finding, Kind, Verdict};
use crate::host::{Host, Stopwatch};
use crate::instances::Interpreted;
use crate::numbers::{count, counted};
use crate::pipeline::explore::TimeLimit;
use crate::pipeline::plan::command;
use crate::pipeline::runs;
use crate::setup::Setup;
use crate::story::{Story, execution, lockstep};
use crate::study::{BadInput, Study};

/// About how many bytes a triple takes, with the way to it.
const BYTES_OF_TRIPLE: u64 = 1_000;

/// Tests a simulation on all states of every instance up to the first in which it fails, but on no more than so many.
///
/// # Errors
/// Why it cannot be tested at these sizes.
pub(super) fn check(
    study: &Study,
    instances: &Interpreted,
    setup: &Setup,
    (simulation, most): (usize, Option<u64>),
    host: &dyn Host,
) -> Result<Finding, BadInput> {
    let declared = &study.model.simulations[simulation];
    if declared.direction == Direction::Backward || declared.proof.is_none() {
        return definition::check(study, instances, setup, simulation, host);
    }
    let started = Stopwatch::start(host);
    let mut all = All {
        study,
        simulation,
        most: most.unwrap_or_else(|| host.spare_memory() / BYTES_OF_TRIPLE),
        is_asked: most.is_some(),
        done: Vec::new(),
        finding: finding(study, instances, simulation),
    };
    for k in 0..instances.count() {
        let (number, instance) = instances.of_run(k);
        all.follow(instance, host)?;
        if all.finding.verdict == Verdict::Unknown && all.finding.stories.is_empty() {
            break;
        }
        if !all.finding.stories.is_empty() {
            let setup = instances.setup(setup, number);
            let command = command(study, &setup, "explore");
            let states = most.map_or(String::new(), |most| format!(" --states {most}"));
            let name = &all.finding.name;
            all.finding.replay = Some(format!("{command} --simulation \"{name}\"{states}"));
            break;
        }
    }
    let mut finding = all.summed_up();
    finding.seconds = Some(started.seconds());
    definition::say_interpretations((study, instances, setup), declared.low, &mut finding);
    Ok(finding)
}

/// The finding before anything is visited.
fn finding(study: &Study, instances: &Interpreted, simulation: usize) -> Finding {
    let declared = &study.model.simulations[simulation];
    let name = study.model.simulation_name(declared);
    let low = &study.model.automaton(declared.low).name;
    let scope = study.scope(instances.of_run(0).1);
    Finding::new(Kind::Pair, name, &**low, Verdict::Explored, scope)
}

/// A simulation that is followed in one instance after the other.
struct All<'s> {
    study: &'s Study,
    simulation: usize,
    /// The most triples.
    most: u64,
    /// Whether the user set that bound.
    is_asked: bool,
    done: Vec<Followed>,
    finding: Finding,
}

impl All<'_> {
    fn follow(&mut self, instance: &Instance, host: &dyn Host) -> Result<(), BadInput> {
        let mut progress = host.begins("following all executions", None);
        let limit = TimeLimit::new(instance.cancel(), None, host);
        let mut goes_on = |visited: u64, queue: u64| {
            progress.say(&format!(
                "{} pairs of states, queue {}",
                count(visited),
                count(queue)
            ));
            !limit.is_over()
        };
        let followed = paired_exec::exhaustive(instance, self.simulation, self.most, &mut goes_on);
        drop(limit);
        let followed = followed.map_err(|diagnostics| self.study.refuse(diagnostics))?;
        self.tell(instance, &followed.end, host);
        if followed.has_drawn && self.finding.verdict == Verdict::Explored {
            // What holds for one draw is no more than tested.
            self.finding.verdict = Verdict::Tested;
            self.finding.warnings.push(
                "the proof block leaves choices open: one of each was drawn, and others are not tested; `using` says what is chosen"
                    .to_owned(),
            );
        }
        self.done.push(followed);
        Ok(())
    }

    /// Says how following ended.
    fn tell(&mut self, instance: &Instance, end: &End, host: &dyn Host) {
        match end {
            End::Complete => {}
            End::Failed(failure, trace) => {
                let simulation = &self.study.model.simulations[self.simulation];
                let mut story = lockstep::tell(self.study, simulation, failure);
                let told = (trace.clone(), &**failure);
                lockstep::tell_before(self.study, instance, told, &mut story);
                self.finding.verdict = gravity(failure);
                self.finding.stories.push(story);
            }
            End::Low(interrupt, trace) => {
                let (headline, blame) = match interrupt {
                    Interrupt::Fault(fault) => runs::fault_account(self.study, fault),
                    Interrupt::Limit(limit) => runs::limit_account(self.study, limit),
                };
                self.finding.verdict = match interrupt {
                    Interrupt::Fault(fault) if fault.kind == FaultKind::NoStart => Verdict::Vacuous,
                    Interrupt::Fault(_) => Verdict::Violated,
                    Interrupt::Limit(_) => Verdict::Unknown,
                };
                let mut story = Story::bare(headline, blame);
                if let Some(trace) = trace {
                    execution::tell(self.study, instance, trace, &mut story);
                }
                self.finding.stories.push(story);
            }
            End::TooMany => {
                self.finding.verdict = Verdict::Unknown;
                self.finding.bound = self.is_asked.then(|| "states".into());
            }
            End::Stopped => {
                self.finding.verdict = Verdict::Unknown;
                self.finding.bound = host.stopped().map(|_| "time".into());
            }
        }
    }

    /// The finding with what was counted in all instances.
    fn summed_up(self) -> Finding {
        let sum = |of: fn(&Followed) -> u64| self.done.iter().map(of).sum::<u64>();
        let (pairs, low, high) = (
            sum(|f| f.triples),
            sum(|f| f.low_steps),
            sum(|f| f.high_steps),
        );
        let depth = self.done.iter().map(|f| f.depth).max().unwrap_or(0);
        let mut finding = self.finding;
        finding.figures = BTreeMap::from([
            ("pairs of states", pairs),
            ("low steps", low),
            ("high steps", high),
            ("depth", depth),
        ]);
        let counts = format!(
            "{} of states, {} low and {} high steps, depth {depth}",
            counted(pairs, "pair"),
            count(low),
            count(high)
        );
        finding.summary = match (finding.stories.first(), self.done.last().map(|f| &f.end)) {
            (Some(story), _) => format!("{counts}: {}", story.headline),
            (None, Some(End::TooMany)) if self.is_asked => {
                format!("{counts}; stopped at the bound on states")
            }
            (None, Some(End::TooMany)) => {
                format!("{counts}; stopped for want of memory (--states sets a bound)")
            }
            (None, Some(End::Stopped)) => format!("{counts}; it was stopped"),
            _ => format!("all executions: {counts}"),
        };
        if finding.verdict == Verdict::Explored || finding.verdict == Verdict::Tested {
            finding
                .warnings
                .extend(never_used(self.study, self.simulation, &self.done));
        }
        finding
    }
}

/// The branches of the proof block that no execution takes.
fn never_used(study: &Study, simulation: usize, done: &[Followed]) -> Vec<String> {
    let simulation = &study.model.simulations[simulation];
    let Some(block) = &simulation.proof else {
        return Vec::new();
    };
    let (mut coverage, mut branches) = (Coverage::default(), interpreter::Branches::default());
    for followed in done {
        coverage.add(&Coverage::of_clauses(&followed.fired));
        branches.extend(&followed.branches);
    }
    runs::in_block(study, (simulation.low, block), &coverage, &branches)
}

/// How grave a failure is: a limit of ours says nothing of the simulation.
fn gravity(failure: &Failure) -> Verdict {
    match failure.cause {
        Cause::Limit(..) => Verdict::Unknown,
        _ => Verdict::Violated,
    }
}
