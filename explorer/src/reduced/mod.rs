//! Partial order reduction for a search that keeps states: from each state only the steps of a *stubborn set* are taken, where
//! one is found that is smaller than all steps.
//!
//! The sets are those of Valmari (Stubborn sets for reduced state space generation, 1990), of labels: a clause with values
//! for all or some of its parameters, whatever values its choices and the other parameters take. A set T is stubborn in a state if
//!
//! 1. some label of T is enabled, unless none is at all;
//! 2. for each enabled label of T, all labels that depend on it are in T;
//! 3. for each disabled label of T, one of its conditions is false, and all labels that write what this condition reads are
//!    in T: without them it stays false. Labels that append to a sequence do not count where the condition reads its first element
//!    and another condition says that there is one. If no condition is false whatever values the other parameters take, all labels that write
//!    what some condition reads are in T.
//!
//! Labels are independent here if, wherever both are enabled, they commute and neither disables the other or takes its result away, and one
//! that has no result has none after the other either: what footprints show, and what an [`Independence`](crate::Independence) says
//! beyond that. One of them may enable the other, as appending to a channel enables taking from it; the third condition is about
//! that. So while labels outside T are taken, each enabled label of T stays enabled, and may as well be taken first.
//!
//! # What is preserved
//!
//! Let a state be visited, and let a sequence of steps lead from it to a state that is asked about. If a label of T is in the
//! sequence, then the first of these may be taken at once, and the rest leads to the same state as before. If none is in
//! it, an enabled label t of T may be taken before all of it.
//!
//! - *Deadlocks.* In the second case t would be enabled at the end. So the first case applies to ways to a deadlock, again and again.
//! - *Formulas that become false,* hence invariants and witnesses. In the second case the sequence and t lead to the state in which t
//!   was taken at the end. The formula is false there too unless t *restores* it. So if some enabled label of T may restore a
//!   conjunct of the formula, then all labels that may make this conjunct false are in T. None of them is in the sequence, so the
//!   conjunct was false before it, in a state that is visited. Where t is independent of others only by what it reads and writes, it
//!   changes after the sequence what it changes before: if that is nothing that the conjunct reads, t does not restore it.
//! - *Steps without a result.* From a state in which some step has none, all others are taken. A label that is independent
//!   of one without a result does not give it one.
//!
//! In the second case nothing is gained by taking t, and it must not be put off again and again around a cycle. A search
//! in breadth decides that (Bosnacki, Leue and Lluch Lafuente, Partial-order reduction for general state exploring
//! algorithms, 2006): if all steps of T lead to states that are visited already, all steps are taken; see
//! [`Successors::expand_some`]. Otherwise T has a step to a state that is expanded later, and by induction on that, backwards,
//! and on the length of the sequence, what is asked about is found.
//!
//! # What is not
//!
//! How many states there are, and how many steps lead to them; which clauses can be taken; how short an execution could be; and
//! everything that is about more than one state of an execution.

mod labels;
mod relation;
mod stubborn;

use interpreter::{
    Batch, Broken, Firing, Guards, RangeOverflows, Rows, State, Successors, TransitionSystem,
    Unexpanded, Why,
};
use std::ops::ControlFlow;
use std::sync::Arc;

pub use self::relation::Relation;
use self::stubborn::{Found, Stubborn};

/// The steps of an automaton, of which a search may take some only.
pub struct Reduced<'i, S> {
    /// All steps.
    steps: S,
    /// The same with their labels.
    labelled: Box<dyn TransitionSystem + Send + 'i>,
    rows: Rows<'i>,
    guards: Guards,
    relation: Arc<Relation>,
    stubborn: Stubborn,
    /// The steps from one state.
    found: Vec<Found>,
    /// Their results.
    words: Vec<u64>,
    /// What there is of a state all of whose steps are taken because some have no result.
    all: Batch,
}

impl<'i, S: Successors> Reduced<'i, S> {
    /// The steps of an automaton, given twice, between states that are these rows.
    #[must_use]
    pub fn new(
        steps: S,
        labelled: Box<dyn TransitionSystem + Send + 'i>,
        (rows, guards): (Rows<'i>, Guards),
        relation: Arc<Relation>,
    ) -> Self {
        Self {
            stubborn: Stubborn::new(relation.len()),
            steps,
            labelled,
            rows,
            guards,
            relation,
            found: Vec::new(),
            words: Vec::new(),
            all: Batch::default(),
        }
    }

    /// Lists the steps from a state; whether that was possible, and each has a result.
    fn list(&mut self, row: &[u64]) -> bool {
        self.found.clear();
        self.words.clear();
        let state = self.rows.state(row);
        self.guards.look_at(&state);
        let (relation, rows) = (&self.relation, &self.rows);
        let (found, words) = (&mut self.found, &mut self.words);
        let mut each = |firing: &Firing, _: &[_], after: &State| {
            let Some(label) = relation.label(firing) else {
                return ControlFlow::Break(());
            };
            found.push(Found {
                label,
                clause: firing.transition.index(),
                restored: relation.restored(label, &state, after),
            });
            rows.push(after, words);
            ControlFlow::Continue(())
        };
        let all = self.labelled.each_step(&state, &mut each);
        matches!(all, Ok(ControlFlow::Continue(())))
    }

    /// Appends the steps from the state that were listed, if there is a set of them that suffices, and says whether it is
    /// smaller than all.
    fn take(&mut self, batch: &mut Batch) -> bool {
        let is_enough = self
            .stubborn
            .choose(&self.relation, &mut self.guards, &self.found);
        let width = self.rows.width();
        let before = batch.words.len();
        for (step, row) in self.found.iter().zip(self.words.chunks_exact(width)) {
            if !is_enough || self.stubborn.has(step.label) {
                batch.words.extend_from_slice(row);
                batch.fired[step.clause] += 1;
            }
        }
        let mut clauses = self.found.iter().map(|step| step.clause);
        let active = clauses.any(|clause| self.relation.is_local(clause));
        batch.conclude(active, width);
        batch.words.len() - before < self.words.len()
    }

    /// Appends all steps from a state that have a result.
    fn take_all(&mut self, row: &[u64], batch: &mut Batch) -> Result<(), Why> {
        self.all.room = batch.room;
        let result = self.steps.expand(row, &mut self.all);
        if let Some(active) = self.all.active.first() {
            batch.words.extend_from_slice(&self.all.words);
            let fired = batch.fired.iter_mut().zip(&self.all.fired);
            fired.for_each(|(sum, n)| *sum += n);
            batch.conclude(*active, self.rows.width());
        }
        result.map_err(|unexpanded| unexpanded.why)
    }
}

impl<S: Successors> Successors for Reduced<'_, S> {
    fn engine(&self) -> &'static str {
        self.steps.engine()
    }

    fn words(&self) -> usize {
        self.steps.words()
    }

    fn bits(&self) -> u32 {
        self.steps.bits()
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        self.steps.expand(states, batch)
    }

    fn takes_some(&self) -> bool {
        true
    }

    fn remembers(&self) -> bool {
        self.steps.remembers()
    }

    fn expand_some(
        &mut self,
        states: &[u64],
        batch: &mut Batch,
        left_out: &mut Vec<bool>,
    ) -> Result<(), Unexpanded> {
        batch.clear(self.relation.clauses());
        left_out.clear();
        for (state, row) in states.chunks_exact(self.rows.width()).enumerate() {
            let fits = |words: usize| batch.room.is_none_or(|room| words <= room);
            if self.list(row) && fits(self.words.len()) {
                let is_part = self.take(batch);
                left_out.push(is_part);
            } else {
                let all = self.take_all(row, batch);
                left_out.push(false);
                all.map_err(|why| Unexpanded { state, why })?;
            }
        }
        Ok(())
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        self.steps.check(states, broken);
    }

    fn memory(&self) -> u64 {
        self.steps.memory()
    }

    fn may_remember(&mut self, bytes: u64) {
        self.steps.may_remember(bytes);
    }

    fn turns(&self) -> u64 {
        self.steps.turns()
    }

    fn misfits(&self) -> Option<&RangeOverflows> {
        self.steps.misfits()
    }

    fn forget(&mut self) {
        self.steps.forget();
    }

    fn is_cancelled(&self) -> bool {
        self.steps.is_cancelled()
    }
}
