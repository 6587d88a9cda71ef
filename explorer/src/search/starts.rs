//! Start states: where a search begins. There may be very many, so all bounds hold while they are listed.

use std::ops::ControlFlow;

use interpreter::{Interrupt, LimitKind, Rows, Successors, TransitionSystem};

use crate::search::path::Canonical;
use crate::search::{Question, Search, Status};

/// After so many start states it is looked at whether there is memory for more.
const LOOK_AT_MEMORY: u64 = 64;

impl<S: Successors> Search<S> {
    /// Visits the start states of an automaton whose states are these rows, or what stands for them, as far as the
    /// bounds allow. The search can go on if it says so; otherwise this can be done again.
    ///
    /// # Errors
    /// What keeps the start states from being listed; that there are none is a fault of the model.
    pub fn start(
        &mut self,
        system: &mut dyn TransitionSystem,
        rows: &Rows<'_>,
        canonical: &Canonical<'_>,
    ) -> Result<Status, Interrupt> {
        let (mut row, mut status) = (Vec::new(), Status::Going);
        self.progress.starts = 0;
        let listed = system.each_start(&mut |_, state| {
            row.clear();
            rows.push(state, &mut row);
            canonical(&mut row);
            status = self.add_start(&row);
            match status {
                Status::Going => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        match listed {
            Ok(ControlFlow::Continue(())) => self.has_started = true,
            Ok(ControlFlow::Break(())) => {}
            Err(Interrupt::Limit(limit)) if limit.kind == LimitKind::Cancelled => {
                status = Status::Cancelled;
            }
            Err(why) => return Err(why),
        }
        Ok(status)
    }

    /// Whether all start states are visited.
    #[must_use]
    pub fn has_started(&self) -> bool {
        self.has_started
    }

    /// Visits a start state, if the bounds allow it, and checks it if it is new. There is always room for the first.
    fn add_start(&mut self, row: &[u64]) -> Status {
        let visited = self.distinct();
        if self.bounds.states.is_some_and(|most| visited >= most) {
            return Status::States;
        }
        let is_due = self.progress.starts.is_multiple_of(LOOK_AT_MEMORY);
        if visited > 0 && is_due && self.is_full() {
            let has_made_room = self.layers.make_room(&mut self.visited, 0);
            if self.layers.trouble().is_some() {
                return Status::Trouble;
            }
            if !has_made_room || self.is_full() {
                return Status::Memory;
            }
        }
        self.visit_start(row);
        Status::Going
    }

    /// Whether the states take more memory than there is for them.
    fn is_full(&self) -> bool {
        self.bytes() + self.workers[0].steps.memory() > self.bounds.memory
    }

    /// Visits a start state and checks it if it is new.
    pub(crate) fn visit_start(&mut self, row: &[u64]) {
        self.progress.starts += 1;
        if !self.visited.insert(row, 0) {
            return;
        }
        for invariant in self.workers[0].broken_by(row) {
            let question = Question::Invariant(invariant);
            self.progress.findings.report(question, row.to_vec(), 0);
        }
    }
}
