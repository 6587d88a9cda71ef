//! Simulations on all states of finite instances: a forward one with a proof block is followed along all executions, any other
//! is checked by its definition.

use std::collections::BTreeMap;

use interpreter::run::Coverage;
use interpreter::{FaultKind, Instance, Interrupt};
use ioa_lang::core::Direction;
use paired_exec::{End, Followed};

use super::claim::gravity;
use super::definition;
use super::failed::LowExecution;
use super::plan::Bounds;
use super::product;
use crate::finding::{Finding, Kind, Verdict};
use crate::host::{Host, Stopwatch};
use crate::instances::{Instances, Interpreted};
use crate::numbers::{count, counted};
use crate::pipeline::explore::{self, Ended, LeftOut, TimeLimit};
use crate::pipeline::plan::command::command;
use crate::pipeline::runs;
use crate::setup::Setup;
use crate::story::{Story, execution, lockstep};
use crate::study::{BadInput, Study};

/// What is said about a simulation, and the execution on which it fails.
type Checked = (Finding, Option<LowExecution>);

/// Tests a simulation on all states of every instance up to the first in which it fails, but within some bounds.
///
/// # Errors
/// Why it cannot be tested at these sizes; bounds of a simulation that is not followed along executions.
pub(super) fn check(
    study: &Study,
    instances: &Interpreted,
    setup: &Setup,
    (simulation, bounds): (usize, &Bounds),
    host: &dyn Host,
) -> Result<Checked, BadInput> {
    let declared = &study.model.simulations[simulation];
    if declared.direction == Direction::Backward || declared.proof.is_none() {
        let unbounded = Bounds {
            are_interpreted: bounds.are_interpreted,
            ..Bounds::default()
        };
        return match *bounds == unbounded {
            true => definition::check(study, instances, setup, simulation, host)
                .map(|finding| (finding, None)),
            false => Err(BadInput::message(format!(
                "{} is not followed along executions, so there is nothing to bound: a simulation that is backward, or has no proof \
                 block, is checked by its definition on all states",
                study.model.simulation_name(declared)
            ))),
        };
    }
    if bounds.within.is_empty() && bounds.when.is_empty() {
        return follow((study, &[]), instances, setup, (simulation, bounds), host);
    }
    let (study, within) = bounds.asked(study, declared.low)?;
    let instances = Instances::new(&study, setup).each_of_simulation(simulation)?;
    let asked = (&study, &within[..]);
    follow(asked, &instances, setup, (simulation, bounds), host)
}

/// Follows a simulation in every instance up to the first in which it fails, within invariants at these positions.
fn follow(
    (study, within): (&Study, &[usize]),
    instances: &Interpreted,
    setup: &Setup,
    (simulation, bounds): (usize, &Bounds),
    host: &dyn Host,
) -> Result<Checked, BadInput> {
    let started = Stopwatch::start(host);
    let mut all = All {
        study,
        simulation,
        bounds: paired_exec::Bounds {
            triples: bounds.states,
            memory: bounds.memory.unwrap_or_else(|| host.spare_memory()),
            within,
            along: None,
        },
        threads: setup.threads,
        is_interpreted: bounds.are_interpreted,
        memory: bounds.memory,
        done: Vec::new(),
        finding: finding(study, instances, simulation),
        failed: None,
    };
    for k in 0..instances.count() {
        let (number, instance) = instances.of_run(k);
        all.follow(instance, host)?;
        if all.finding.verdict == Verdict::Unknown && all.finding.stories.is_empty() {
            break;
        }
        if !all.finding.stories.is_empty() {
            let low = study.model.simulations[simulation].low;
            instances.add_note(study, (low, number), &mut all.finding);
            let setup = instances.setup(setup, number);
            let command = command(study, &setup, "explore");
            let (name, flags) = (&all.finding.name, bounds.flags());
            all.finding.replay = Some(format!("{command} --simulation \"{name}\"{flags}"));
            break;
        }
    }
    let is_restricted = !bounds.when.is_empty();
    let failed = all.failed.take();
    let mut finding = all.summed_up(is_restricted);
    finding.seconds = Some(started.seconds());
    let low = study.model.simulations[simulation].low;
    definition::say_interpretations((study, instances, setup), low, &mut finding);
    Ok((finding, failed))
}

/// The finding before anything is visited.
fn finding(study: &Study, instances: &Interpreted, simulation: usize) -> Finding {
    let declared = &study.model.simulations[simulation];
    let name = study.model.simulation_name(declared);
    let low = &study.model.automaton(declared.low).name;
    let scope = study.scope(instances.of_run(0).1);
    Finding::new(Kind::Pair, name, &**low, Verdict::Explored, scope)
}

/// What the proof block draws along all executions is drawn with this seed.
const SEED: u64 = 0;

/// A simulation that is followed in one instance after the other.
struct All<'s> {
    study: &'s Study,
    simulation: usize,
    bounds: paired_exec::Bounds<'s>,
    /// How many threads may be used.
    threads: usize,
    /// Whether nothing is searched as one automaton.
    is_interpreted: bool,
    /// The bound on memory that the user set.
    memory: Option<u64>,
    done: Vec<Followed>,
    finding: Finding,
    /// The execution on which it fails.
    failed: Option<LowExecution>,
}

impl All<'_> {
    fn follow(&mut self, instance: &Instance, host: &dyn Host) -> Result<(), BadInput> {
        let about = (self.study, instance);
        let asked = (self.simulation, &self.bounds);
        let searched = match self.is_interpreted {
            true => None,
            false => product::follow(about, asked, self.threads, host)?,
        };
        let followed = match searched {
            Some(followed) => followed,
            None => self.interpreted(instance, host)?,
        };
        self.tell(instance, &followed.end, host);
        self.failed = match &followed.end {
            End::Failed(_, trace) | End::Low(_, Some(trace)) => {
                LowExecution::of(instance, (Some(trace.clone()), None), &self.finding)
            }
            _ => None,
        };
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

    /// Follows the simulation in an instance, with both automata and the block interpreted.
    fn interpreted(&self, instance: &Instance, host: &dyn Host) -> Result<Followed, BadInput> {
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
        let followed =
            paired_exec::exhaustive(instance, self.simulation, self.bounds, &mut goes_on);
        drop(limit);
        followed.map_err(|diagnostics| self.study.refuse(diagnostics))
    }

    /// Says how following ended.
    fn tell(&mut self, instance: &Instance, end: &End, host: &dyn Host) {
        match end {
            End::Complete => {}
            End::Failed(failure, trace) => {
                let simulation = &self.study.model.simulations[self.simulation];
                let mut story = lockstep::tell(self.study, simulation, failure);
                let about = (self.study, instance, self.simulation);
                lockstep::tell_before(about, (trace, SEED), failure, &mut story);
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
                self.finding.bound = Some("states".into());
            }
            End::Memory => {
                self.finding.verdict = Verdict::Unknown;
                self.finding.bound = self.memory.map(|_| "memory".into());
            }
            End::Stopped => {
                self.finding.verdict = Verdict::Unknown;
                self.finding.bound = host.stopped().map(|_| "time".into());
            }
        }
    }

    /// Why not all executions were followed to their end, though all that was to be followed was.
    fn left_out(&self, is_restricted: bool) -> Option<Ended> {
        let outside = self.done.iter().map(|followed| followed.outside).sum();
        match (outside, is_restricted) {
            (0, false) => None,
            (0, true) => Some(Ended::Restricted(LeftOut::Steps)),
            _ => Some(Ended::Outside(outside)),
        }
    }

    /// The finding with what was counted in all instances.
    fn summed_up(self, is_restricted: bool) -> Finding {
        let left_out = self.left_out(is_restricted);
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
            (None, Some(End::TooMany)) => format!("{counts}; stopped at the bound on states"),
            (None, Some(End::Memory)) => {
                let ended = explore::stopped(Ended::Memory(self.memory.is_some()));
                format!("{counts}; {ended}")
            }
            (None, Some(End::Stopped)) => format!("{counts}; it was stopped"),
            _ => match left_out {
                Some(ended) => format!("{counts}; {}", explore::stopped(ended)),
                None => format!("all executions: {counts}"),
            },
        };
        if let (Some(ended), Verdict::Explored | Verdict::Tested) = (left_out, finding.verdict) {
            finding.verdict = Verdict::Unknown;
            finding.bound = explore::bound(ended).map(str::to_owned);
        }
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
