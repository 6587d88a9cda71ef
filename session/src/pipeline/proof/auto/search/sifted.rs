//! What is found out about the best clauses before any is chosen: whether other instances refute them, and whether they are
//! inductive.
//!
//! A clause that is inductive relative to what is assumed already raises no new question, while the others may lead further and
//! further away from the goals. This is what IC3 demands of every clause (Bradley, SAT-based model checking without unrolling,
//! VMCAI 2011); here clauses that are inductive are preferred, and others are taken where there are none.

use std::collections::BTreeSet;

use ioa_lang::core::{AutomatonId, Invariant};
use prover_bridge::{Options, Stated, houdini};

use super::Search;
use super::cover::{BEST, Choice, best};
use crate::study::BadInput;

/// Work for one question whether clauses are inductive, in the solver's own unit. What is proved at all is mostly proved with less.
const WORK: u32 = 60_000;

impl Search<'_, '_> {
    /// The choices without those that other instances refute of the best ones, of which so many are tested for each counterexample.
    /// (To choose one, to see it refuted and to choose again takes longer.)
    ///
    /// # Errors
    /// Why they cannot be tested.
    pub(super) fn surviving(
        &mut self,
        mut choices: Vec<Choice>,
        (open, tested): (&BTreeSet<usize>, usize),
    ) -> Result<Vec<Choice>, BadInput> {
        let best = best(&choices, open, tested);
        let mut refuted = BTreeSet::new();
        for (automaton, source) in &mut *self.sources {
            let own = of(*automaton, &choices, &best);
            if own.is_empty() {
                continue;
            }
            let stated: Vec<Invariant> = own
                .iter()
                .map(|at| source.stated(&choices[*at].clause, &format!("tested {at}")))
                .collect();
            let fates = own.into_iter().zip(source.second_look(&stated)?);
            refuted.extend(fates.filter_map(|(at, is_refuted)| is_refuted.then_some(at)));
        }
        let mut at = 0..choices.len();
        choices.retain(|_| at.next().is_some_and(|at| !refuted.contains(&at)));
        Ok(choices)
    }

    /// Of the best choices those that are inductive together, relative to all that is assumed, and all other choices.
    pub(super) fn by_induction(
        &self,
        choices: Vec<Choice>,
        open: &BTreeSet<usize>,
    ) -> (Vec<Choice>, Vec<Choice>) {
        if !self.effort.prefers_inductive {
            return (Vec::new(), choices);
        }
        let best = best(&choices, open, BEST);
        let mut inductive = BTreeSet::new();
        for (automaton, source) in &*self.sources {
            let own = of(*automaton, &choices, &best);
            if own.is_empty() {
                continue;
            }
            let stated: Vec<Invariant> = own
                .iter()
                .map(|at| source.stated(&choices[*at].clause, &format!("asked {at}")))
                .collect();
            let kept = self.inductive_among(*automaton, &stated).into_iter();
            inductive.extend(kept.map(|kept| own[kept]));
        }
        let all = choices.into_iter().enumerate();
        let (inductive, others): (Vec<_>, Vec<_>) = all.partition(|(at, _)| inductive.contains(at));
        let plain = |choices: Vec<(usize, Choice)>| choices.into_iter().map(|(_, c)| c).collect();
        (plain(inductive), plain(others))
    }

    /// Those of some invariants of an automaton that are inductive together, relative to all that is assumed, by position.
    pub(super) fn inductive_among(
        &self,
        automaton: AutomatonId,
        stated: &[Invariant],
    ) -> Vec<usize> {
        let goals = &self.goals.study;
        let study = goals.stating(goals.sources.clone(), self.assumed());
        let options = Options {
            resource_limit: WORK,
            ..self.options.clone()
        };
        houdini(&study.model, automaton, stated, Stated::Assumed, &options).kept
    }
}

/// The choices of one automaton among some, by position.
fn of(automaton: AutomatonId, choices: &[Choice], among: &BTreeSet<usize>) -> Vec<usize> {
    let all = among.iter().copied();
    all.filter(|at| choices[*at].automaton == automaton)
        .collect()
}
