//! The few of many candidates that some goals need: found in a small instance, where the solver decides what it is asked.
//!
//! All candidates that are inductive together in the instance are kept. From the goals backwards, those are collected that the
//! proofs of goals and of what is collected use. What holds in one instance may fail in a larger one, so this finds lemmas,
//! and proves nothing. (Ma, Goel, Jeannin, Kapritsos, Kasikci, Sakallah, I4: Incremental Inference of Inductive Invariants for
//! Verification of Distributed Protocols, SOSP 2019, and Goel and Sakallah, On Symmetry and Quantification, NFM 2021, also go
//! from finite instances to all sizes; Hance, Heule, Martins and Parno, Finding Invariants of Distributed Systems, NSDI 2021,
//! sieve all short formulas.)

use std::collections::BTreeSet;

use ioa_lang::core::{AutomatonId, Invariant, Model};

use super::question::{Question, Sieve, ask_all, state_questions};
use crate::engines::induction::instance_of;
use crate::obligations::Target;
use crate::options::Options;
use crate::solver::in_context_of;

/// So many of the simplest candidates are tried before there are more.
const FIRST: usize = 32;

/// What becomes of goals in small instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slice {
    /// The goals are inductive together with some candidates.
    Found {
        /// Candidates with which they are inductive in the last instance, by position, ascending: few of them.
        needed: Vec<usize>,
        /// All candidates that are left: in the last instance they are inductive together with the goals.
        kept: Vec<usize>,
    },
    /// Some step breaks a goal, though all candidates hold that are inductive together with the goals.
    Broken,
    /// The solver did not find that out, or something has no reading in logic.
    Undecided,
}

/// The candidates that `goals` of the same automaton need in instances of these sizes, each of which has a number for each
/// sort, in the order of the model. The simplest candidates come first, and are preferred.
#[must_use]
pub fn slice(
    model: &Model,
    automaton: AutomatonId,
    (candidates, goals): (&[Invariant], &[Invariant]),
    sizes: &[Vec<u32>],
    options: &Options<'_>,
) -> Slice {
    let invariants: Vec<&Invariant> = candidates.iter().chain(goals).collect();
    debug_assert!(invariants.iter().all(|i| i.automaton == automaton));
    let target = Target {
        model,
        automata: Vec::new(),
        simulations: Vec::new(),
        invariants,
    };
    let count = target.invariants.len();
    let mut sieve = Sieve::new(count, count);
    let goals = candidates.len()..count;
    for (at, size) in sizes.iter().enumerate() {
        let is_last = at + 1 == sizes.len();
        // A context has the elements of one instance only.
        let found = in_context_of(options, || {
            let Ok(logic) = instance_of(&target, size.clone()) else {
                return Some(Slice::Undecided);
            };
            let about = (&target, &logic);
            let mut questions = state_questions(about, &mut sieve, options);
            ask_all(&mut questions, &mut sieve);
            if goals.clone().any(|goal| sieve.undecided.contains(&goal)) {
                return Some(Slice::Undecided);
            }
            if !goals.clone().all(|goal| sieve.kept[goal]) {
                return Some(Slice::Broken);
            }
            is_last.then(|| sliced(&mut questions, &sieve, candidates.len()))
        });
        if let Some(found) = found {
            return found;
        }
    }
    Slice::Undecided
}

/// The candidates that the goals need, which come after them in the target and are all kept.
fn sliced(questions: &mut [Question<'_>], sieve: &Sieve, candidates: usize) -> Slice {
    let count = sieve.kept.len();
    let mut needed: BTreeSet<usize> = (candidates..count).collect();
    let mut open: Vec<usize> = needed.iter().copied().collect();
    let kept: Vec<usize> = (0..candidates).filter(|at| sieve.kept[*at]).collect();
    while let Some(next) = open.pop() {
        for question in &mut *questions {
            let Some(used) = simplest(question, next, (&kept, &needed)) else {
                return Slice::Undecided;
            };
            open.extend(used.into_iter().filter(|at| needed.insert(*at)));
        }
    }
    Slice::Found {
        needed: needed.range(..candidates).copied().collect(),
        kept,
    }
}

/// What suffices for an invariant to hold afterwards: what is needed anyway, or with it some of the simplest that are kept.
fn simplest(
    question: &mut Question<'_>,
    next: usize,
    (kept, needed): (&[usize], &BTreeSet<usize>),
) -> Option<Vec<usize>> {
    let mut count = 0;
    loop {
        let more = kept[..count].iter().copied();
        let more = more.filter(|at| !needed.contains(at));
        let found = question.suffices(next, more.chain(needed.iter().copied()));
        if found.is_some() || count == kept.len() {
            return found;
        }
        count = kept.len().min(FIRST.max(count * 4));
    }
}
