//! Whether the goals follow without the lemmas that are not proved.
//!
//! A search goes on while any lemma is open. But clauses are chosen for what they exclude, and some of them lead nowhere, while
//! the goals may follow from the others already. So the lemmas that are not proved are given up, then those that are not proved
//! from the rest, and so on (after Flanagan and Leino, Houdini, FME 2001).

use std::collections::BTreeSet;

use super::asking::Lemmas;
use super::{Owner, Search};

/// This is tried once in so many rounds: it takes about as long as a round does.
const EVERY: u64 = 3;

impl Search<'_, '_> {
    /// Whether it is this round's turn to try.
    pub(super) fn is_turn(&self) -> bool {
        self.rounds.is_multiple_of(EVERY)
    }

    /// Gives up the lemmas that are `open`, then those that do not follow from the rest, until nothing is left to give up, if the
    /// goals follow from what remains; says whether they do. Otherwise nothing is given up.
    pub(super) fn follows_without(&mut self, open: &[Owner]) -> bool {
        if open.contains(&Owner::Goal) {
            return false;
        }
        let is_open = |at: &usize| open.contains(&Owner::Lemma(*at));
        let all = 0..self.lemmas.len();
        let mut rest: Vec<usize> = all
            .filter(|at| !self.lemmas[*at].is_dropped && !is_open(at))
            .collect();
        loop {
            let chosen = rest.iter().map(|at| self.lemmas[*at].invariant.clone());
            let lemmas = Lemmas {
                known: &self.known,
                chosen: &chosen.collect::<Vec<_>>(),
            };
            let about = (self.goals, self.request);
            let unproved = lemmas.unproved(about, &mut BTreeSet::new(), &self.options, self.host);
            let failed: Option<Vec<usize>> = unproved.iter().map(|u| u.lemma).collect();
            match failed {
                // Some goal does not follow.
                None => return false,
                Some(failed) if failed.is_empty() => break,
                Some(failed) => {
                    let mut at = 0..rest.len();
                    rest.retain(|_| at.next().is_some_and(|at| !failed.contains(&at)));
                }
            }
        }
        for (at, lemma) in self.lemmas.iter_mut().enumerate() {
            lemma.is_dropped |= !rest.contains(&at);
        }
        true
    }
}
