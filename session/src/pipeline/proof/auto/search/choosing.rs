//! Clauses are chosen that exclude counterexamples, and become lemmas.

use std::collections::{BTreeMap, BTreeSet};

use invariants::learn::Clause;
use ioa_lang::core::{AutomatonId, Invariant};

use super::archive::{Cti, targets};
use super::cover::{BEST, Choice, cover};
use super::{Lemma, Search};
use crate::study::BadInput;

/// What is chosen at once.
struct Chosen {
    chosen: Vec<Choice>,
    /// The counterexamples that no clause excludes.
    uncovered: Vec<Cti>,
    /// Whether other instances refuted some clauses.
    is_refuted: bool,
}

impl Search<'_, '_> {
    /// Adopts clauses that exclude counterexamples, until other instances refute none of them; returns the counterexamples that
    /// no clause excludes.
    pub(super) fn cover(&mut self) -> Result<Vec<Cti>, BadInput> {
        let mut tested = BEST;
        loop {
            let Chosen {
                chosen,
                uncovered,
                is_refuted,
            } = self.choose(tested)?;
            // What refutes clauses is learnt from, so that others may be found for what they excluded.
            let learns = is_refuted && !uncovered.is_empty() && !self.is_over();
            if !self.adopt(&chosen)? && !learns {
                return Ok(uncovered);
            }
            // Where one is refuted, those after it often are as well.
            tested *= 4;
        }
    }

    /// Clauses that exclude counterexamples which no lemma excludes so far; so many are tested for each of these before any is
    /// chosen.
    fn choose(&mut self, tested: usize) -> Result<Chosen, BadInput> {
        let all = (0..).zip(&self.ctis);
        let open: BTreeMap<usize, &Cti> = all.filter(|(_, cti)| !self.is_excluded(cti)).collect();
        let mut choices = Vec::new();
        for (automaton, source) in &mut *self.sources {
            let spots = open.values().flat_map(|cti| &cti.spots);
            let targets = targets(spots.filter(|spot| spot.automaton == *automaton));
            if targets.is_empty() {
                continue;
            }
            let is_taken = |clause: &Clause| {
                let mut lemmas = self.lemmas.iter();
                self.given_up.contains(&(*automaton, clause.clone()))
                    || lemmas.any(|l| {
                        !l.is_dropped && l.clause == *clause && l.invariant.automaton == *automaton
                    })
            };
            let found = source.excluding(&targets)?.into_iter();
            let found = found.filter(|exclusion| !is_taken(&exclusion.clause));
            choices
                .extend(found.map(|exclusion| Choice::new(*automaton, exclusion, &targets, &open)));
        }
        let open: BTreeSet<usize> = open.keys().copied().collect();
        let all = choices.len();
        let choices = self.surviving(choices, (&open, tested))?;
        let is_refuted = choices.len() < all;
        let (inductive, others) = self.by_induction(choices, &open);
        let (mut chosen, open) = cover(inductive, open);
        let (others, left) = cover(others, open);
        chosen.extend(others);
        let uncovered = left.into_iter().map(|at| self.ctis[at].clone()).collect();
        Ok(Chosen {
            chosen,
            uncovered,
            is_refuted,
        })
    }

    /// Makes lemmas of clauses that other instances do not refute; says whether some were refuted.
    fn adopt(&mut self, chosen: &[Choice]) -> Result<bool, BadInput> {
        let mut is_refuted = false;
        let automata: BTreeSet<AutomatonId> = chosen.iter().map(|c| c.automaton).collect();
        for automaton in automata {
            let source = self
                .sources
                .get_mut(&automaton)
                .expect("clauses come from a source");
            let own: Vec<&Choice> = chosen.iter().filter(|c| c.automaton == automaton).collect();
            let first = self.lemmas.len() + self.refuted;
            let names = (first..).map(|at| format!("chosen {at}"));
            let stated: Vec<Invariant> = own
                .iter()
                .zip(names)
                .map(|(choice, name)| source.stated(&choice.clause, &name))
                .collect();
            let refuted = source.second_look(&stated)?;
            for ((invariant, choice), refuted) in stated.into_iter().zip(own).zip(refuted) {
                is_refuted |= refuted;
                if refuted {
                    self.refuted += 1;
                    continue;
                }
                for cti in choice.excludes.keys() {
                    self.ctis[*cti].excluded_by.push(self.lemmas.len());
                }
                self.lemmas.push(Lemma {
                    invariant,
                    clause: choice.clause.clone(),
                    is_dropped: false,
                });
            }
        }
        Ok(is_refuted)
    }
}
