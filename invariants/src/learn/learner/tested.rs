//! Tests of clauses in instances where their frames have not seen everything, since variables have too many values there.

use ioa_lang::core::Invariant;
use rustc_hash::FxHashMap;

use super::super::evidence::{Evidence, ones};
use super::entry::Source;

/// So many clauses are tested at once, the simplest first. Where nothing is left to spend, no more are.
const AT_ONCE: usize = 32;

/// What is known of clauses that were tested.
#[derive(Default)]
pub(super) struct Tested {
    /// In how many blocks, the first ones, each holds; nothing if it is false in some.
    known: FxHashMap<Source, Option<usize>>,
}

/// What is known of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It holds in all reached states.
    Holds,
    /// It is false in some.
    Fails,
    /// There was no time to find out.
    Open,
}

impl Tested {
    /// Which of some clauses hold in all reached states, as far as there is time to test them.
    ///
    /// # Errors
    /// Why they cannot be evaluated.
    pub(super) fn fates(
        &mut self,
        clauses: &[(&Source, &Invariant)],
        evidence: &mut dyn Evidence,
    ) -> Result<Vec<Fate>, String> {
        let blocks = evidence.universes().len();
        for block in 0..blocks {
            let is_due = |(source, _): &&(&Source, &Invariant)| self.of(source) == Some(block);
            let due: Vec<(&Source, &Invariant)> = clauses.iter().filter(is_due).copied().collect();
            for (number, some) in due.chunks(AT_ONCE).enumerate() {
                if number > 0 && evidence.is_spent() {
                    break;
                }
                self.test(block, some, evidence)?;
            }
        }
        let fate = |(source, _): &(&Source, &Invariant)| match self.of(source) {
            None => Fate::Fails,
            Some(tested) if tested == blocks => Fate::Holds,
            Some(_) => Fate::Open,
        };
        Ok(clauses.iter().map(fate).collect())
    }

    /// In how many blocks a clause is known to hold; nothing if it is false in one.
    fn of(&self, source: &Source) -> Option<usize> {
        self.known.get(source).copied().unwrap_or(Some(0))
    }

    /// Tests some clauses on a block, unless all is stopped meanwhile.
    fn test(
        &mut self,
        block: usize,
        some: &[(&Source, &Invariant)],
        evidence: &mut dyn Evidence,
    ) -> Result<(), String> {
        let (reached, _) = evidence.states(block);
        let asked: Vec<Invariant> = some.iter().map(|(_, stated)| (*stated).clone()).collect();
        let truths = evidence.truths_within(block, &asked, &[])?;
        for ((source, _), truth) in some.iter().zip(truths.into_iter().flatten()) {
            let holds = truth.reached == ones(reached);
            self.known
                .insert((*source).clone(), holds.then_some(block + 1));
        }
        Ok(())
    }
}
