//! Whether a live state can be reached from a state.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;

use interpreter::run::{Ending, Event, How, Observer, Options, Strategy, Threads, Way};
use interpreter::trace::{Recorder, Trace};
use interpreter::{Executor, Instance, Interrupt, Label, State, TransitionSystem, Visited};
use ioa_lang::core::AutomatonId;

use super::super::ready::threads;
use super::effort::Effort;
use crate::host::Host;
use crate::pipeline::plan::{Plan, Turn};
use crate::study::{BadInput, Study};

/// What is known about a state.
pub(super) enum Fate {
    /// This execution leads from it to a live state.
    Recovers(Trace),
    /// No live state was found from it.
    Dead {
        /// Whether there is none, for all states that can be reached from it were visited.
        is_certain: bool,
    },
}

/// An instance in which states are asked about.
pub(super) struct Recovery<'a> {
    pub(super) study: &'a Study,
    pub(super) plan: &'a Plan,
    pub(super) effort: Effort,
    pub(super) host: &'a dyn Host,
    /// The automaton without invariants, so that nothing else ends a walk.
    pub(super) bare: &'a Instance,
    /// The same with one invariant: that a state is not live.
    pub(super) watched: &'a Instance,
    /// How many runs and walks have ended in a run-time error of the model.
    pub(super) faults: &'a Cell<u64>,
}

impl Recovery<'_> {
    fn automaton(&self) -> AutomatonId {
        self.plan.drive.automaton(self.study)
    }

    /// An executor that says which states are live.
    pub(super) fn judge(&self) -> Result<Judge<'_>, BadInput> {
        let executor = Executor::new(self.watched, self.automaton());
        let executor = executor.map_err(|diagnostics| self.study.refuse(diagnostics))?;
        Ok(Judge { executor })
    }

    /// What becomes of a state: all states after it are visited if they are few, and else walks are made. They draw from
    /// the given seed on.
    pub(super) fn of(&self, state: &State, seed: u64) -> Result<Fate, BadInput> {
        match self.visit(state)? {
            Some(fate) => Ok(fate),
            None => self.walks(state, seed),
        }
    }

    /// Visits the states after a state, breadth first; nothing where they are too many.
    fn visit(&self, from: &State) -> Result<Option<Fate>, BadInput> {
        let mut judge = self.judge()?;
        let executor = Executor::new(self.bare, self.automaton());
        let mut executor = executor.map_err(|diagnostics| self.study.refuse(diagnostics))?;
        let mut visited = Visited::default();
        visited.visit(Cow::Borrowed(from), || None);
        let mut position = 0;
        while let Some(state) = visited.get(position).cloned() {
            if judge.is_live(&state)? {
                let trace = visited.trace(self.automaton(), position, |state| state);
                return Ok(Some(Fate::Recovers(trace)));
            }
            let all = executor.each_step(&state, &mut |firing, choices, after| {
                let by = || Some((position, Label::of(firing, choices)));
                visited.visit(Cow::Borrowed(after), by);
                match visited.len() > self.effort.states {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            let is_cut = !matches!(all, Ok(ControlFlow::Continue(())));
            if is_cut || self.host.stopped().is_some() {
                return Ok(None);
            }
            position += 1;
        }
        Ok(Some(Fate::Dead { is_certain: true }))
    }

    /// Makes walks until one of them finds a live state.
    fn walks(&self, from: &State, seed: u64) -> Result<Fate, BadInput> {
        let mut threads = threads(self.study, self.bare, self.plan);
        for walk in 0..self.effort.walks {
            if self.host.stopped().is_some() {
                break;
            }
            let turn = self.turn((walk, seed.wrapping_add(walk)), None);
            let walk = self.walk(Stretch::ToLive(from), turn, threads.as_mut())?;
            if let Some(trace) = walk.filter(|walk| walk.live == Some(walk.trace.steps.len())) {
                return Ok(Fate::Recovers(trace.trace));
            }
        }
        Ok(Fate::Dead { is_certain: false })
    }

    /// How a walk with a number and a seed goes: along a way or, if there is none, as it is drawn.
    pub(super) fn turn(&self, (number, seed): (u64, u64), way: Option<Way>) -> Turn {
        let strategy = self.plan.strategy_of(number);
        Turn {
            strategy: match (strategy.ways(), &way) {
                (Some(_), None) => Strategy::Random,
                _ => strategy,
            },
            way: way.unwrap_or_default(),
            options: Options {
                seed,
                steps: self.plan.steps,
            },
            number: None,
        }
    }

    /// A walk; none if there was no start state.
    pub(super) fn walk(
        &self,
        stretch: Stretch<'_>,
        turn: Turn,
        threads: Option<&mut Threads>,
    ) -> Result<Option<Walked>, BadInput> {
        let mut watch = Watch {
            recorder: Recorder::new(self.automaton()),
            judge: self.judge()?,
            end: match stretch {
                Stretch::Whole | Stretch::Onwards(_) => End::No,
                Stretch::ToLive(_) => End::Live,
                Stretch::ToRecovery => End::LiveAgain,
            },
            position: 0,
            live: None,
            not_live: None,
            trouble: None,
        };
        let how = How {
            weights: self.plan.drawn_by(self.study),
            strategy: turn.strategy,
            threads,
            from: stretch.from(),
            fast: None,
            way: turn.way,
        };
        let automaton = self.automaton();
        let report =
            interpreter::run::random_by(self.bare, automaton, turn.options, &mut watch, how);
        let report = report.map_err(|diagnostics| self.study.refuse(diagnostics))?;
        if let Some(trouble) = watch.trouble {
            return Err(trouble);
        }
        if matches!(report.ending, Ending::Fault(_)) {
            self.faults.set(self.faults.get() + 1);
        }
        let (live, not_live) = (watch.live, watch.not_live);
        Ok(watch.recorder.trace().map(|trace| Walked {
            trace,
            live,
            not_live,
            begun: None,
            met: report.met,
            is_cut: matches!(report.ending, Ending::Limit(_)),
        }))
    }
}

/// Where a walk begins, and where it ends.
#[derive(Clone, Copy)]
pub(super) enum Stretch<'s> {
    /// It leads from a start state to its end.
    Whole,
    /// It leads from this state to its end.
    Onwards(&'s State),
    /// It leads from this state to the first live one, or to its end.
    ToLive(&'s State),
    /// It leads from a start state to the first live one after one that is not live, or to its end.
    ToRecovery,
}

impl<'s> Stretch<'s> {
    fn from(self) -> Option<&'s State> {
        match self {
            Self::Whole | Self::ToRecovery => None,
            Self::Onwards(state) | Self::ToLive(state) => Some(state),
        }
    }
}

/// A walk.
pub(super) struct Walked {
    pub(super) trace: Trace,
    /// The position of its last live state, if it has one.
    pub(super) live: Option<usize>,
    /// The position of its first state that is not live, if it has one.
    pub(super) not_live: Option<usize>,
    /// How many of its first steps are those of an earlier walk that was live; none where it is one walk.
    pub(super) begun: Option<usize>,
    /// What alternatives it has met, if it went along a way.
    pub(super) met: Vec<u64>,
    /// Whether a limit has kept it from going on.
    pub(super) is_cut: bool,
}

/// What says which states are live.
pub(super) struct Judge<'i> {
    executor: Executor<'i>,
}

impl Judge<'_> {
    /// Whether a state is live.
    pub(super) fn is_live(&mut self, state: &State) -> Result<bool, BadInput> {
        match self.executor.holds(state, 0) {
            Ok(is_not_live) => Ok(!is_not_live),
            Err(interrupt) => {
                let why = match interrupt {
                    Interrupt::Fault(fault) => fault.kind.to_string(),
                    Interrupt::Limit(limit) => limit.kind.to_string(),
                };
                Err(BadInput::message(format!(
                    "the formula of --live has no value in a state that was reached: {why}"
                )))
            }
        }
    }
}

/// Records a walk, and notes its live states.
struct Watch<'i> {
    recorder: Recorder,
    judge: Judge<'i>,
    end: End,
    position: usize,
    live: Option<usize>,
    not_live: Option<usize>,
    trouble: Option<BadInput>,
}

/// What ends a walk before its time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    No,
    /// A live state.
    Live,
    /// A live state after one that is not.
    LiveAgain,
}

impl Watch<'_> {
    fn note(&mut self, state: &State) -> ControlFlow<()> {
        match self.judge.is_live(state) {
            Ok(false) => {
                self.not_live.get_or_insert(self.position);
                return ControlFlow::Continue(());
            }
            Ok(true) => self.live = Some(self.position),
            Err(trouble) => self.trouble = Some(trouble),
        }
        let is_over = match self.end {
            End::No => false,
            End::Live => true,
            End::LiveAgain => self.not_live.is_some(),
        };
        match is_over || self.trouble.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Observer for Watch<'_> {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        self.recorder.start(state)?;
        self.note(state)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        self.recorder.step(event)?;
        self.position += 1;
        self.note(event.post)
    }
}
