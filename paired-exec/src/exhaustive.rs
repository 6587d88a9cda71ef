//! A forward simulation followed along all executions of a finite instance at once.
//!
//! What the proof block does next depends only on the low state, the high state and the block's own variables, as long as it
//! draws nothing at random. So each such *triple* that lockstep can reach is visited once, in breadth-first order, and every
//! low step from it is answered. The failure that is found first therefore needs as few low steps as possible.

use std::borrow::Cow;
use std::ops::ControlFlow;

use interpreter::run::Event;
use interpreter::trace::Trace;
use interpreter::{
    Branches, Executor, Instance, Interrupt, Label, State, TransitionSystem, Visited,
};
use ioa_lang::Diagnostic;

use crate::check_forward;
use crate::failure::Failure;
use crate::lockstep::Lockstep;

/// The result of following a simulation along all executions.
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    /// The triples that were visited.
    pub triples: u64,
    /// The low steps that were answered.
    pub low_steps: u64,
    /// The high steps that answered them.
    pub high_steps: u64,
    /// The greatest depth of a visited triple: the minimum number of low steps that lead to it.
    pub depth: u64,
    /// How often each clause of the low automaton fired.
    pub fired: Vec<u64>,
    /// The branches of the proof block that were taken.
    pub branches: Branches,
    /// The triples whose low state is outside: what follows them was not looked at.
    pub outside: u64,
    /// Whether something was drawn at random, so that other draws might give another result.
    pub has_drawn: bool,
    /// How it ended.
    pub end: End,
}

/// How following a simulation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Every step of every execution is answered.
    Complete,
    /// A claim failed after these low steps, the last of which is the one that failed.
    Failed(Box<Failure>, Trace),
    /// After these steps, the low automaton itself had a run-time error, or reached a limit.
    Low(Interrupt, Option<Trace>),
    /// There are more triples than the limit allows.
    TooMany,
    /// The triples take more memory than there is for them.
    Memory,
    /// It was interrupted.
    Stopped,
}

/// How far a simulation is followed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'b> {
    /// The most triples that are visited; none if only the memory limits them.
    pub triples: Option<u64>,
    /// How many bytes they may take.
    pub memory: u64,
    /// Invariants of the low automaton, by their positions in the model. A low state in which one of them is false, or has no
    /// value, is *outside*: its steps are not answered.
    pub within: &'b [usize],
    /// The low states of the only execution that is followed, in their order; all steps from the last of them are answered. None if
    /// all executions are followed.
    pub along: Option<&'b [State]>,
}

/// A state of the lockstep run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Triple {
    low: State,
    high: State,
    /// The block's own variables.
    own: State,
}

impl Triple {
    /// Approximate number of bytes that it takes among those that were visited, besides those of its label.
    fn bytes(&self) -> u64 {
        let states = [&self.low, &self.high, &self.own].map(State::bytes);
        let entry = Visited::<Self>::BYTES_OF_ENTRY + size_of::<u64>();
        states.iter().sum::<u64>() + entry as u64
    }
}

/// Follows a forward simulation of the model, by its position, along all executions of the low automaton within some bounds.
/// `goes_on` is called from time to time with the number of visited triples and the number of those that are not expanded yet,
/// and says whether to go on.
///
/// # Errors
/// Every reason why the pair cannot be run at these sizes.
pub fn exhaustive(
    instance: &Instance,
    simulation: usize,
    bounds: Bounds<'_>,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Followed, Vec<Diagnostic>> {
    let low = instance.model().simulations[simulation].low;
    check_forward(instance, simulation)?;
    let mut executor = Executor::new(instance, low)?;
    executor.check_enumerable()?;
    let clauses = instance.model().automaton(low).transitions.len();
    let mut search = Search {
        pair: Lockstep::new(instance, simulation, 0)?,
        visited: Visited::default(),
        depths: Vec::new(),
        fired: vec![0; clauses],
        low_steps: 0,
        outside: 0,
        bytes: 0,
    };
    let end = search.run(&mut executor, bounds, goes_on);
    let depth = search.depths.last().copied().unwrap_or(0);
    Ok(Followed {
        triples: search.visited.len() as u64,
        low_steps: search.low_steps,
        high_steps: search.pair.high_steps(),
        depth,
        fired: search.fired,
        outside: search.outside,
        has_drawn: search.pair.has_drawn(),
        branches: search.pair.branches(),
        end,
    })
}

/// Whether the proof block answers each low start state by a high start state, in a simulation that has a
/// [product](crate::Product), so that nothing about it is left to chance.
///
/// # Errors
/// Every reason why the pair cannot be run at these sizes.
pub fn begins_well(instance: &Instance, simulation: usize) -> Result<bool, Vec<Diagnostic>> {
    check_forward(instance, simulation)?;
    let mut low = Executor::new(instance, instance.model().simulations[simulation].low)?;
    let mut pair = Lockstep::new(instance, simulation, 0)?;
    let all = low.each_start(&mut |_, state| match pair.fails_at(state) {
        Some(_) => ControlFlow::Break(()),
        None => ControlFlow::Continue(()),
    });
    Ok(matches!(all, Ok(ControlFlow::Continue(()))))
}

/// The number of triples after which `goes_on` is called again.
const ROUND: usize = 256;

struct Search<'i> {
    pair: Lockstep<'i>,
    visited: Visited<Triple>,
    /// For each triple, the number of low steps that lead to it.
    depths: Vec<u64>,
    fired: Vec<u64>,
    low_steps: u64,
    outside: u64,
    /// The bytes that the triples take.
    bytes: u64,
}

impl Search<'_> {
    fn run(
        &mut self,
        low: &mut Executor<'_>,
        bounds: Bounds<'_>,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> End {
        let mut failed = None;
        let is_on_the_way = |number: u64, state: &State| {
            bounds.along.is_none_or(|states| {
                let at = usize::try_from(number).unwrap_or(usize::MAX);
                at == states.len() || states.get(at) == Some(state)
            })
        };
        let started = low.each_start(&mut |_, state| match is_on_the_way(0, state) {
            true => self.start(state, &mut failed),
            false => ControlFlow::Continue(()),
        });
        if let Err(interrupt) = started {
            return End::Low(interrupt, None);
        }
        let mut next = 0;
        while let (None, Some(from)) = (&failed, self.visited.get(next).cloned()) {
            let visited = self.visited.len() as u64;
            if bounds.triples.is_some_and(|most| visited > most) {
                return End::TooMany;
            }
            if self.bytes > bounds.memory {
                return End::Memory;
            }
            if next.is_multiple_of(ROUND) && !goes_on(visited, visited - next as u64) {
                return End::Stopped;
            }
            if !is_inside(low, &from.low, bounds.within) {
                self.outside += 1;
                next += 1;
                continue;
            }
            let number = self.depths[next] + 1;
            let mut answer = |firing: &_, choices: &[_], after: &State| {
                let event = Event {
                    number,
                    firing,
                    choices,
                    pre: &from.low,
                    post: after,
                };
                match is_on_the_way(number, after) {
                    true => self.answer((next, &from), &event, &mut failed),
                    false => ControlFlow::Continue(()),
                }
            };
            if let Err(interrupt) = low.each_step(&from.low, &mut answer) {
                return End::Low(interrupt, Some(self.trace(next)));
            }
            next += 1;
        }
        match failed {
            Some((failure, trace)) => End::Failed(failure, trace),
            None => End::Complete,
        }
    }

    /// Begins in a low start state.
    fn start(&mut self, state: &State, failed: &mut Failed) -> ControlFlow<()> {
        if let Some(failure) = self.pair.begin_at(state) {
            let trace = Trace {
                automaton: self.pair.low(),
                start: state.clone(),
                steps: Vec::new(),
            };
            *failed = Some((Box::new(failure), trace));
            return ControlFlow::Break(());
        }
        self.visit(state, None, 0);
        ControlFlow::Continue(())
    }

    /// Answers a low step from a triple.
    fn answer(
        &mut self,
        (position, from): (usize, &Triple),
        event: &Event<'_>,
        failed: &mut Failed,
    ) -> ControlFlow<()> {
        self.low_steps += 1;
        self.fired[event.transition().index()] += 1;
        if let Some(failure) = self.pair.answer_from((&from.high, &from.own), event) {
            let mut trace = self.trace(position);
            trace.steps.push(event.step());
            *failed = Some((Box::new(failure), trace));
            return ControlFlow::Break(());
        }
        self.visit(event.post, Some((position, event)), event.number);
        ControlFlow::Continue(())
    }

    /// Visits the triple that the pair is in, unless it was visited before.
    fn visit(&mut self, low: &State, from: Option<(usize, &Event<'_>)>, depth: u64) {
        let Some((high, own)) = self.pair.above() else {
            return;
        };
        let triple = Triple {
            low: low.clone(),
            high,
            own,
        };
        let label = |event: &Event<'_>| Label::of(event.firing, event.choices);
        let mut bytes = triple.bytes();
        let by = || {
            from.map(|(position, event)| {
                let label = label(event);
                bytes += label.bytes();
                (position, label)
            })
        };
        if self.visited.visit(Cow::Owned(triple), by) {
            self.depths.push(depth);
            self.bytes += bytes;
        }
    }

    /// The low execution that leads to a triple.
    fn trace(&self, position: usize) -> Trace {
        let low = self.pair.low();
        self.visited.trace(low, position, |triple| &triple.low)
    }
}

/// Whether some invariants are true in a low state.
fn is_inside(low: &mut Executor<'_>, state: &State, within: &[usize]) -> bool {
    let mut within = within.iter();
    within.all(|invariant| low.holds(state, *invariant).unwrap_or(false))
}

type Failed = Option<(Box<Failure>, Trace)>;
