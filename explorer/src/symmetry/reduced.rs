//! Steps from representatives to representatives.

use std::sync::Arc;

use interpreter::{Batch, Broken, Successors, Unexpanded};

use super::Symmetry;
use super::canonical::Room;

/// The steps of an automaton, with each successor replaced by its representative.
#[derive(Debug)]
pub struct Reduced<S> {
    steps: S,
    symmetry: Arc<Symmetry>,
    room: Room,
}

impl<S: Successors> Reduced<S> {
    /// Reduces steps by a symmetry.
    #[must_use]
    pub fn new(steps: S, symmetry: Arc<Symmetry>) -> Self {
        let room = Room::new(&symmetry);
        Self {
            steps,
            symmetry,
            room,
        }
    }
}

impl<S: Successors> Successors for Reduced<S> {
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
        let result = self.steps.expand(states, batch);
        for row in batch.words.chunks_exact_mut(self.steps.words()) {
            self.symmetry.represent(row, &mut self.room);
        }
        result
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        self.steps.check(states, broken);
    }

    fn memory(&self) -> u64 {
        self.steps.memory()
    }

    fn is_cancelled(&self) -> bool {
        self.steps.is_cancelled()
    }
}
