//! Idle steps, which changed nothing: there is no point in taking one again from the same state.

use std::collections::BTreeMap;

use ioa_lang::core::TransitionId;

use crate::code::Stmt;
use crate::instance::automaton::TransitionCode;
use crate::state::cell::Cell;

/// Maximum number of times that a step whose effect chooses is taken from one state while it changes nothing.
const CHANCES: u8 = 8;

/// The steps that were taken from the current state and led back to it.
#[derive(Default)]
pub(super) struct Repeats {
    /// For each clause, how often it was taken with each of its parameters.
    taken: Vec<BTreeMap<Vec<Cell>, u8>>,
    /// The clauses with an entry.
    dirty: Vec<TransitionId>,
}

impl Repeats {
    /// No idle steps yet, for an automaton with the given number of clauses.
    pub(super) fn new(clauses: usize) -> Self {
        Self {
            taken: vec![BTreeMap::new(); clauses],
            dirty: Vec::new(),
        }
    }

    /// Whether a step by the clause was taken from this state.
    pub(super) fn any(&self, clause: TransitionId) -> bool {
        !self.taken[clause.index()].is_empty()
    }

    /// Whether a step by a clause with these parameters has changed nothing so often that it is not taken again from this
    /// state.
    pub(super) fn is_stale(
        &self,
        clause: TransitionId,
        code: &TransitionCode,
        params: &[Cell],
    ) -> bool {
        let chances = match is_settled(code) {
            true => 1,
            false => CHANCES,
        };
        let taken = self.taken[clause.index()].get(params);
        taken.is_some_and(|taken| *taken >= chances)
    }

    /// Records a step with these parameters, and whether it changed nothing.
    pub(super) fn settle(
        &mut self,
        is_idle: bool,
        clause: TransitionId,
        params: impl FnOnce() -> Vec<Cell>,
    ) {
        match is_idle {
            true => self.note(clause, params()),
            false => self.forget(),
        }
    }

    fn note(&mut self, clause: TransitionId, params: Vec<Cell>) {
        let taken = &mut self.taken[clause.index()];
        if taken.is_empty() {
            self.dirty.push(clause);
        }
        let times = taken.entry(params).or_default();
        *times = times.saturating_add(1);
    }

    /// Forgets everything, because the state has changed.
    pub(super) fn forget(&mut self) {
        for clause in self.dirty.drain(..) {
            self.taken[clause.index()].clear();
        }
    }
}

/// Whether the parameters of a step determine its result.
fn is_settled(code: &TransitionCode) -> bool {
    code.handed.is_none() && code.ensuring.is_none() && !code.effect.iter().any(Stmt::chooses)
}
