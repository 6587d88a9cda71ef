//! The same without native code: what is used where there is none, and what native code is held to.

use interpreter::{
    Batch, Broken, Clause, Executor, Instance, Interrupt, State, Successors, Unexpanded,
};
use ioa_lang::Diagnostic;
use ioa_lang::core::AutomatonId;

/// The steps of an automaton as the executor takes them.
#[derive(Debug)]
pub struct Interpreted<'i> {
    executor: Executor<'i>,
    words: usize,
    /// For each clause, whether the automaton controls it.
    local: Vec<bool>,
    /// The invariants that are checked, by their positions in the model.
    invariants: Vec<usize>,
}

impl<'i> Interpreted<'i> {
    /// For an automaton all of whose states are words, with these invariants, by their positions in the model.
    ///
    /// # Errors
    /// Every reason why it cannot be run at these sizes.
    pub fn new(
        instance: &'i Instance,
        automaton: AutomatonId,
        invariants: &[usize],
    ) -> Result<Self, Vec<Diagnostic>> {
        let executor = Executor::new(instance, automaton)?;
        executor.check_enumerable()?;
        let clauses = instance.clauses(automaton);
        let local = |clause: &Option<Clause<'_>>| clause.as_ref().is_some_and(|c| c.local);
        Ok(Self {
            executor,
            words: instance.layout(automaton).words(),
            local: clauses.iter().map(local).collect(),
            invariants: invariants.to_vec(),
        })
    }

    /// Appends what there is of one state to a batch.
    pub(crate) fn expand_one(&mut self, state: &[u64], batch: &mut Batch) -> Result<(), Interrupt> {
        let state = State::of_words(state);
        let mut active = false;
        let (length, fired) = (batch.words.len(), batch.fired.clone());
        let found = self.executor.enabled(&state).and_then(|firings| {
            for firing in firings {
                active |= self.local[firing.transition.index()];
                let outcomes = self.executor.outcomes(&state, &firing)?;
                batch.fired[firing.transition.index()] += outcomes.len() as u64;
                for outcome in outcomes {
                    batch.words.extend(outcome.state.words());
                }
            }
            Ok(())
        });
        if found.is_err() {
            batch.words.truncate(length);
            batch.fired = fired;
            return found;
        }
        batch.ends.push((batch.words.len() / self.words) as u32);
        batch.active.push(active);
        Ok(())
    }

    /// Whether an invariant, by its position among those that are checked, is false or undefined in a state.
    pub(crate) fn is_broken(&mut self, state: &[u64], invariant: usize) -> bool {
        let state = State::of_words(state);
        let holds = self.executor.holds(&state, self.invariants[invariant]);
        !matches!(holds, Ok(true))
    }
}

impl Successors for Interpreted<'_> {
    fn words(&self) -> usize {
        self.words
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        clear(batch, self.local.len());
        for (position, state) in states.chunks_exact(self.words).enumerate() {
            self.expand_one(state, batch)
                .map_err(|_| Unexpanded(position))?;
        }
        Ok(())
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        broken.clear();
        for (state, words) in states.chunks_exact(self.words).enumerate() {
            for invariant in 0..self.invariants.len() {
                if self.is_broken(words, invariant) {
                    broken.push(Broken { state, invariant });
                }
            }
        }
    }
}

/// Makes a batch one without states.
pub(crate) fn clear(batch: &mut Batch, clauses: usize) {
    batch.words.clear();
    batch.ends.clear();
    batch.active.clear();
    batch.fired.clear();
    batch.fired.resize(clauses, 0);
}
