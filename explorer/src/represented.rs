//! Steps to states that stand for others.

use interpreter::{Batch, Broken, RangeOverflows, Successors, Unexpanded};

/// Says which states stand for which.
pub trait Represent: Send {
    /// Puts in the place of a row what stands for it.
    fn represent(&mut self, row: &mut [u64]);

    /// Whether what stands for a row depends on those that it was asked about before.
    fn remembers(&self) -> bool {
        false
    }

    /// About how many bytes that takes.
    fn memory(&self) -> u64 {
        0
    }

    /// Forgets what stands for which row, where that can be found again.
    fn forget(&mut self) {}
}

/// The steps of an automaton, with each successor replaced by what stands for it.
#[derive(Debug)]
pub struct Represented<S, R> {
    steps: S,
    by: R,
}

impl<S: Successors, R: Represent> Represented<S, R> {
    /// Replaces the successors that steps lead to.
    #[must_use]
    pub fn new(steps: S, by: R) -> Self {
        Self { steps, by }
    }
}

impl<S: Successors, R: Represent> Successors for Represented<S, R> {
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
        let width = self.steps.words();
        let rows = batch.words.chunks_exact_mut(width);
        rows.for_each(|row| self.by.represent(row));
        result
    }

    fn remembers(&self) -> bool {
        self.by.remembers() || self.steps.remembers()
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        self.steps.check(states, broken);
    }

    fn memory(&self) -> u64 {
        self.steps.memory() + self.by.memory()
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
        self.by.forget();
        self.steps.forget();
    }

    fn is_cancelled(&self) -> bool {
        self.steps.is_cancelled()
    }
}
