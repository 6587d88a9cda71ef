//! Random runs: an enabled transition clause is drawn by weight, then any of the parameters that enable it. A step that
//! changed nothing is not taken again from the same state.

use ioa_lang::Diagnostic;
use ioa_lang::core::{Automaton, AutomatonId, TransitionId};

use super::repeats::Repeats;
use super::scheduler::{Scheduler, drawn_of, drive, each_enabling};
use super::strategy::{Guided, Strategy, Threaded, Threads, Way};
use super::walk::{Go, Walk};
use super::weights::{Urn, Weights};
use super::{Ending, Observer, Options, Report};
use crate::code::drawn;
use crate::instance::Instance;
use crate::instance::automaton::TransitionCode;
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::transition::{ClauseSteps, StepDetail};
use crate::vm::Saved;
use crate::vm::draws::{Draws, Stream};
use crate::vm::halt::{Stop, interrupt};

/// How runs are scheduled.
#[derive(Default)]
pub struct How<'o> {
    /// The weights of the actions in random runs.
    pub weights: Weights,
    /// An optional accelerator that computes steps without evaluating terms; it does not change what is drawn.
    pub fast: Option<&'o mut dyn ClauseSteps>,
    /// What chooses among the enabled steps.
    pub strategy: Strategy,
    /// The threads to which steps belong, for strategies that schedule threads; computed if not given.
    pub threads: Option<&'o mut Threads>,
    /// The state to begin with, if it is not a start state.
    pub from: Option<&'o State>,
    /// The way to go, for systematic strategies.
    pub way: Way,
}

/// Runs an automaton under the random scheduler, with weights that the run draws.
///
/// # Errors
/// Every reason why it cannot be run at these sizes, among them parameters that cannot be enumerated.
pub fn random(
    instance: &Instance,
    automaton: AutomatonId,
    options: Options,
    observer: &mut dyn Observer,
) -> Result<Report, Vec<Diagnostic>> {
    random_by(instance, automaton, options, observer, How::default())
}

/// Runs an automaton under a strategy.
///
/// # Errors
/// As those of [`random`].
pub fn random_by(
    instance: &Instance,
    automaton: AutomatonId,
    options: Options,
    observer: &mut dyn Observer,
    how: How<'_>,
) -> Result<Report, Vec<Diagnostic>> {
    let mut walk = Walk::new(instance, automaton, options, observer)?;
    walk.executor.check_enumerable()?;
    if let Some(fast) = how.fast {
        walk.accelerate(fast);
    }
    let mut own = None;
    let has_threads = !how.strategy.draws_actions();
    let threads = has_threads.then(|| match how.threads {
        Some(threads) => threads,
        None => own.insert(Threads::new(instance, automaton, &[])),
    });
    let automaton = instance.model().automaton(automaton);
    let clauses = automaton.transitions.len();
    let mut draws = Draws::new(options.seed, Stream::Schedule);
    if let Some(guide) = how.strategy.guide(how.way) {
        let mut rest = Random::new(automaton, &how.weights, draws);
        let mut guided = Guided::new(guide, threads, &mut rest);
        let ending = guided.drive(&mut walk, how.from);
        return Ok(Report {
            met: guided.met(),
            ..walk.report(ending)
        });
    }
    let ending = match (how.strategy.policy(options.steps, &mut draws), threads) {
        (Some(policy), Some(threads)) => drive(
            &mut walk,
            how.from,
            &mut Threaded::new(policy, (threads, clauses), draws),
        ),
        _ => drive(
            &mut walk,
            how.from,
            &mut Random::new(automaton, &how.weights, draws),
        ),
    };
    Ok(walk.report(ending))
}

/// Draws the next step.
pub(super) struct Random {
    draws: Draws,
    urn: Urn,
    /// The steps from the current state that changed nothing.
    repeats: Repeats,
    /// The valuations that enable one clause, one after the other.
    valuations: Saved,
    /// The steps by one clause, if the accelerator computes them.
    steps: Vec<u64>,
}

/// The result of drawing a clause.
enum Drawn {
    /// The clause took a step; the value says whether the run goes on.
    Step(Go),
    /// It is not enabled.
    Disabled,
    /// It is enabled, but all of its steps were taken from this state before and changed nothing.
    Stale,
    /// It must be evaluated.
    Unknown,
}

impl Random {
    pub(super) fn new(automaton: &Automaton, weights: &Weights, mut draws: Draws) -> Self {
        Self {
            urn: Urn::new(automaton, weights, &mut draws),
            draws,
            repeats: Repeats::new(automaton.transitions.len()),
            valuations: Saved::default(),
            steps: Vec::new(),
        }
    }

    /// Changes the weights for the following draws.
    pub(super) fn weigh(&mut self, automaton: &Automaton, weights: &Weights) {
        self.urn = Urn::new(automaton, weights, &mut self.draws);
    }

    /// Notes that a step that was not drawn has led to another state.
    pub(super) fn has_moved(&mut self) {
        self.repeats.forget();
    }
}

impl Scheduler for Random {
    /// Takes one step. Clauses are drawn without replacement until one takes a step. So each enabled clause is as likely to
    /// take the step as its weight says, and the clauses that are not drawn need not be evaluated.
    fn step(&mut self, walk: &mut Walk<'_, '_>) -> Go {
        walk.may_step()?;
        self.urn.fill();
        let mut is_stale = self.urn.leaves_out();
        while let Some(clause) = self.urn.draw(&mut self.draws) {
            let drawn = match self.known_step(walk, clause) {
                Drawn::Unknown => self.evaluated_step(walk, clause),
                known => known,
            };
            match drawn {
                Drawn::Step(go) => return go,
                Drawn::Stale => is_stale = true,
                Drawn::Disabled | Drawn::Unknown => {}
            }
        }
        Go::Break(match is_stale {
            true => Ending::NothingNew,
            false => Ending::Deadlock,
        })
    }
}

impl Random {
    /// Draws and takes a step by a clause, whose parameters are found by evaluation.
    fn evaluated_step(&mut self, walk: &mut Walk<'_, '_>, clause: TransitionId) -> Drawn {
        let code = walk.executor.clause(clause);
        walk.executor.load(&walk.state, &code.frame);
        let bound = match self.bind(walk, clause, code) {
            Ok(bound) => bound,
            Err(stop) => return Drawn::Step(Go::Break(interrupt(*stop, &code.frame).into())),
        };
        match bound {
            Bound::Yes => {}
            Bound::Stale => return Drawn::Stale,
            Bound::No => return Drawn::Disabled,
        }
        let go = walk.take(clause);
        let machine = &walk.executor.machine;
        let params = || drawn_of(code).iter().map(|b| machine.bound(b)).collect();
        self.repeats.settle(walk.is_idle, clause, params);
        Drawn::Step(go)
    }

    /// Binds the parameters of a clause to values that enable it, if there are any whose step is not a known idle one.
    fn bind(
        &mut self,
        walk: &mut Walk<'_, '_>,
        clause: TransitionId,
        code: &TransitionCode,
    ) -> Result<Bound, Stop> {
        let binders = drawn_of(code);
        let (mut count, valuations) = (0_usize, &mut self.valuations);
        valuations.clear();
        let machine = &mut walk.executor.machine;
        let stale = each_enabling(machine, (clause, code), &self.repeats, &mut |machine| {
            count += 1;
            for binder in binders {
                machine.save(binder, valuations);
            }
            Ok(())
        })?;
        if count == 0 {
            return Ok(match stale {
                true => Bound::Stale,
                false => Bound::No,
            });
        }
        let position = self.draws.position(count);
        let drawn = drawn(binders, (count, position), |at| {
            self.valuations.at(binders, at).collect()
        });
        machine.restore(binders, &self.valuations, drawn);
        if let Some(handed) = &code.handed {
            machine.hand_out(code, handed, &mut self.draws)?;
        }
        Ok(Bound::Yes)
    }

    /// Draws and takes a step by a clause, if the accelerator computes its steps.
    fn known_step(&mut self, walk: &mut Walk<'_, '_>, clause: TransitionId) -> Drawn {
        self.steps.clear();
        let Some(known) = walk.known_steps(clause, &mut self.steps) else {
            return Drawn::Unknown;
        };
        let code = walk.executor.clause(clause);
        let binders = code.binders.len();
        let width = match known {
            StepDetail::Parameters => binders,
            StepDetail::Steps => binders + walk.state.words().len(),
        };
        if self.steps.is_empty() {
            return Drawn::Disabled;
        }
        if self.repeats.any(clause) {
            self.drop_stale(clause, code, width);
        }
        let count = self.steps.len() / width;
        if count == 0 {
            return Drawn::Stale;
        }
        let position = self.draws.position(count);
        let drawn = drawn(&code.binders, (count, position), |at| {
            cells(&self.steps[at * width..][..binders])
        });
        let drawn = &self.steps[drawn * width..][..width];
        let (values, after) = drawn.split_at(binders);
        let is_known = known == StepDetail::Steps && !walk.is_look_due(clause);
        let go = if is_known && walk.is_unobserved() {
            walk.take_unobserved(clause, after)
        } else {
            walk.executor.load(&walk.state, &code.frame);
            for (binder, value) in code.binders.iter().zip(values) {
                walk.executor.machine.bind(binder.slot, Cell::Word(*value));
            }
            match is_known {
                false => walk.take(clause),
                true => walk.take_to(clause, after),
            }
        };
        let params = || cells(values);
        self.repeats.settle(walk.is_idle, clause, params);
        Drawn::Step(go)
    }

    /// Removes the steps by a clause that are known to be idle; each step has the given number of words.
    fn drop_stale(&mut self, clause: TransitionId, code: &TransitionCode, width: usize) {
        let (repeats, binders) = (&self.repeats, code.binders.len());
        let rows = self.steps.chunks_exact(width);
        let fresh = rows.filter(|row| !repeats.is_stale(clause, code, &cells(&row[..binders])));
        self.steps = fresh.flatten().copied().collect();
    }
}

fn cells(codes: &[u64]) -> Vec<Cell> {
    codes.iter().copied().map(Cell::Word).collect()
}

/// Whether the parameters of a clause are bound.
enum Bound {
    Yes,
    /// Nothing enables it.
    No,
    /// All of its steps are known to be idle.
    Stale,
}
