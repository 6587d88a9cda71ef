//! The successors of many states, as the executor computes them.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use ioa_lang::Diagnostic;
use ioa_lang::core::{ActionKind, AutomatonId, TransitionId};

use super::bulk::{Batch, Broken, Successors, Unexpanded, Why};
use super::executor::ENGINE;
use super::system::TransitionSystem;
use crate::executor::Executor;
use crate::instance::Instance;
use crate::instance::automaton::InvariantCode;
use crate::interrupt::fault::{Interrupt, LimitKind};
use crate::interrupt::limits::MAX_OUTCOMES;
use crate::state::layout::State;
use crate::state::range_overflows::RangeOverflows;
use crate::state::rows::Rows;

/// Approximate memory of a listed enabled step, in words.
const WORDS_OF_FIRING: usize = 16;

/// The steps of an automaton as the executor takes them. This works for all states and on every machine, and is the standard
/// to which faster implementations are compared.
#[derive(Debug)]
pub struct Interpreted<'i> {
    executor: Executor<'i>,
    rows: Rows<'i>,
    /// For each clause, whether the automaton controls it.
    local: Vec<bool>,
    /// The invariants that are checked.
    invariants: Vec<&'i InvariantCode>,
    /// How many turns their loops have taken.
    turns: u64,
}

impl<'i> Interpreted<'i> {
    /// For an automaton whose states are these rows, with these invariants, by their positions in the model.
    ///
    /// # Errors
    /// Every reason why it cannot be run at these sizes.
    ///
    /// # Panics
    /// If there is an invariant of another automaton among them.
    pub fn new(
        instance: &'i Instance,
        automaton: AutomatonId,
        invariants: &[usize],
        rows: Rows<'i>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let executor = Executor::new(instance, automaton)?.meeting_all();
        executor.check_enumerable()?;
        let core = instance.model().automaton(automaton);
        let stated: BTreeMap<usize, &InvariantCode> = executor
            .invariants()
            .map(|code| (code.index, code))
            .collect();
        let of_automaton =
            |position: &usize| *stated.get(position).expect("an invariant of the automaton");
        let checked = invariants.iter().map(of_automaton);
        let clauses = (0..core.transitions.len()).map(TransitionId::at);
        let is_local = |t| core.action_of(t).kind != ActionKind::Input;
        Ok(Self {
            executor,
            rows,
            local: clauses.map(is_local).collect(),
            invariants: checked.collect(),
            turns: 0,
        })
    }

    /// Appends the steps from one state to a batch. If a step has no result, the others are appended nevertheless; if there is
    /// no memory, or the work is cancelled, the batch is left unchanged.
    ///
    /// # Errors
    /// Why a step cannot be computed.
    pub fn expand_one(&mut self, row: &[u64], batch: &mut Batch) -> Result<(), Why> {
        let all = TransitionId::at(0)..TransitionId::at(self.local.len());
        match self.expand_by(row, all, batch) {
            Ok(active) => {
                batch.conclude(active, self.rows.width());
                Ok(())
            }
            Err(Interrupt::Limit(limit)) if limit.kind == LimitKind::Memory => Err(Why::Memory),
            Err(Interrupt::Limit(limit)) if limit.kind == LimitKind::Cancelled => {
                Err(Why::Cancelled)
            }
            Err(_) => Err(self.expand_past_faults(row, batch)),
        }
    }

    /// Appends the steps from one state that have a result, where not all of them have one; says that this is so.
    fn expand_past_faults(&mut self, row: &[u64], batch: &mut Batch) -> Why {
        let (length, fired) = (batch.words.len(), batch.fired.clone());
        let state = self.rows.state(row);
        let most = batch
            .room
            .map_or(usize::MAX, |room| length.saturating_add(room));
        let rows = &self.rows;
        let all = self.executor.each_step(&state, &mut |firing, _, after| {
            batch.fired[firing.transition.index()] += 1;
            rows.push(after, &mut batch.words);
            match batch.words.len() > most {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        // What is wrong with the state is known already: some step has no result.
        if all.is_ok_and(|flow| flow.is_break()) {
            batch.words.truncate(length);
            batch.fired = fired;
            return Why::Memory;
        }
        // It is no state in which the automaton does nothing by itself, whatever is enabled.
        batch.conclude(true, self.rows.width());
        Why::NoResult {
            dead: self.executor.is_dead(&state),
        }
    }

    /// Appends to a batch the steps from one state by some consecutive clauses: only the successors and their counts,
    /// without marking the end of the state. Returns whether one of the clauses is enabled and locally controlled. If a step
    /// cannot be computed, the batch is left unchanged.
    ///
    /// # Errors
    /// Why a step cannot be computed.
    pub fn expand_by(
        &mut self,
        row: &[u64],
        clauses: Range<TransitionId>,
        batch: &mut Batch,
    ) -> Result<bool, Interrupt> {
        let (length, fired) = (batch.words.len(), batch.fired.clone());
        let found = self.append_by(&self.rows.state(row), clauses, batch);
        if found.is_err() {
            batch.words.truncate(length);
            batch.fired = fired;
        }
        found
    }

    /// The same, but if a step cannot be computed, the batch keeps the steps found so far.
    fn append_by(
        &mut self,
        state: &State,
        clauses: Range<TransitionId>,
        batch: &mut Batch,
    ) -> Result<bool, Interrupt> {
        let most = batch
            .room
            .map(|room| batch.words.len().saturating_add(room));
        let firings = batch.room.map(|room| (room / WORDS_OF_FIRING) as u64);
        let bound = match firings {
            Some(firings) if firings < MAX_OUTCOMES => (firings, LimitKind::Memory),
            _ => (MAX_OUTCOMES, LimitKind::Outcomes),
        };
        let mut active = false;
        let clauses = (clauses.start.index()..clauses.end.index()).map(TransitionId::at);
        for firing in self.executor.enabled_among(state, clauses, bound)? {
            let clause = firing.transition.index();
            active |= self.local[clause];
            let rows = &self.rows;
            let all = self
                .executor
                .each_outcome(state, &firing, &mut |_, after| {
                    batch.fired[clause] += 1;
                    rows.push(after, &mut batch.words);
                    match most.is_some_and(|most| batch.words.len() > most) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                })?;
            if all.is_break() {
                return Err(self.executor.no_room(firing.transition));
            }
        }
        Ok(active)
    }

    /// Whether an invariant, by its position among those that are checked, is false or undefined in a state.
    pub fn is_broken(&mut self, row: &[u64], invariant: usize) -> bool {
        self.executor.look_at(&self.rows.state(row));
        self.is_broken_here(invariant)
    }

    /// The same, in the executor's current state.
    fn is_broken_here(&mut self, invariant: usize) -> bool {
        let before = self.executor.turns();
        let holds = self.executor.holds_here(self.invariants[invariant]);
        self.turns += self.executor.turns() - before;
        !matches!(holds, Ok(true))
    }
}

impl Successors for Interpreted<'_> {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn words(&self) -> usize {
        self.rows.width()
    }

    fn bits(&self) -> u32 {
        self.rows.bits()
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        batch.clear(self.local.len());
        for (position, row) in states.chunks_exact(self.rows.width()).enumerate() {
            self.expand_one(row, batch).map_err(|why| Unexpanded {
                state: position,
                why,
            })?;
        }
        Ok(())
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        broken.clear();
        for (state, row) in states.chunks_exact(self.rows.width()).enumerate() {
            self.executor.look_at(&self.rows.state(row));
            for invariant in 0..self.invariants.len() {
                if self.is_broken_here(invariant) {
                    broken.push(Broken { state, invariant });
                }
            }
        }
    }

    fn memory(&self) -> u64 {
        self.rows.cells().memory()
    }

    fn turns(&self) -> u64 {
        self.turns
    }

    fn misfits(&self) -> Option<&RangeOverflows> {
        Some(self.executor.instance().range_overflows())
    }

    fn is_cancelled(&self) -> bool {
        self.executor.instance().cancel().is_set()
    }
}
