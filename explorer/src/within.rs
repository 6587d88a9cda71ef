//! Steps from a part of the state space alone: states outside are visited, and nothing is said about what follows them.

use interpreter::{Batch, Broken, RangeOverflows, Successors, Unexpanded};

/// The steps of an automaton from the states in which some formulas hold.
///
/// The formulas are the last of the invariants that the steps check. A state in which one of them is false, or has no value,
/// is *outside*: it is visited and asked about like any other, but no steps are taken from it, and that is no deadlock. This is
/// the meaning of a state constraint in TLC.
#[derive(Debug)]
pub struct Within<S> {
    steps: S,
    /// How many of what the steps check are invariants.
    invariants: usize,
    broken: Vec<Broken>,
    /// The states that are not outside, and what is computed of them.
    inside: Vec<u64>,
    of_inside: Batch,
}

impl<S: Successors> Within<S> {
    /// Keeps steps within the formulas that are checked after so many invariants.
    #[must_use]
    pub fn new(steps: S, invariants: usize) -> Self {
        Self {
            steps,
            invariants,
            broken: Vec::new(),
            inside: Vec::new(),
            of_inside: Batch::default(),
        }
    }

    /// The positions of the states that are outside, in their order.
    pub fn outside(&mut self, states: &[u64]) -> Vec<usize> {
        self.steps.check(states, &mut self.broken);
        let formulas = (self.broken.iter()).filter(|b| b.invariant >= self.invariants);
        let mut outside: Vec<usize> = formulas.map(|broken| broken.state).collect();
        outside.dedup();
        outside
    }

    /// Gathers the states that are not outside.
    fn gather(&mut self, states: &[u64], outside: &[usize]) {
        self.inside.clear();
        let mut outside = outside.iter().peekable();
        for (position, row) in states.chunks_exact(self.steps.words()).enumerate() {
            if outside.next_if_eq(&&position).is_none() {
                self.inside.extend_from_slice(row);
            }
        }
    }
}

impl<S: Successors> Successors for Within<S> {
    fn engine(&self) -> &'static str {
        self.steps.engine()
    }

    fn words(&self) -> usize {
        self.steps.words()
    }

    fn bits(&self) -> u32 {
        self.steps.bits()
    }

    fn is_fast(&self) -> bool {
        self.steps.is_fast()
    }

    fn remembers(&self) -> bool {
        self.steps.remembers()
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        let outside = self.outside(states);
        if outside.is_empty() {
            return self.steps.expand(states, batch);
        }
        self.gather(states, &outside);
        self.of_inside.room = batch.room;
        let result = self.steps.expand(&self.inside, &mut self.of_inside);
        batch.clear(0);
        std::mem::swap(&mut batch.words, &mut self.of_inside.words);
        std::mem::swap(&mut batch.fired, &mut self.of_inside.fired);
        let computed = self.of_inside.ends.iter().zip(&self.of_inside.active);
        // A state outside has as many successors as there were before it, which is none of its own.
        let mut outside = outside.into_iter().peekable();
        let mut put = |batch: &mut Batch| {
            while outside.next_if_eq(&batch.ends.len()).is_some() {
                batch.ends.push(batch.ends.last().copied().unwrap_or(0));
                batch.active.push(true);
            }
        };
        let mut last = 0;
        for (end, active) in computed {
            put(batch);
            last = batch.ends.len();
            batch.ends.push(*end);
            batch.active.push(*active);
        }
        let Err(Unexpanded { state, why }) = result else {
            put(batch);
            return Ok(());
        };
        // The state itself is the last one that was computed, unless nothing is known about it.
        let state = match state < self.of_inside.ends.len() {
            true => last,
            false => {
                put(batch);
                batch.ends.len()
            }
        };
        Err(Unexpanded { state, why })
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        self.steps.check(states, broken);
        broken.retain(|b| b.invariant < self.invariants);
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
