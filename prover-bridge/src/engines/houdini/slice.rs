//! The few of many candidates that some goals need: found in small instances, where the solver decides what it is asked.
//!
//! All candidates that are inductive together in the instances are kept. From the goals backwards, those are collected that the
//! proofs of goals and of what is collected use. What holds in some instances may fail in a larger one, so this finds lemmas,
//! and proves nothing. (Ma, Goel, Jeannin, Kapritsos, Kasikci, Sakallah, I4: Incremental Inference of Inductive Invariants for
//! Verification of Distributed Protocols, SOSP 2019, and Goel and Sakallah, On Symmetry and Quantification, NFM 2021, also go
//! from finite instances to all sizes; Hance, Heule, Martins and Parno, Finding Invariants of Distributed Systems, NSDI 2021,
//! sieve all short formulas.)

use std::collections::BTreeSet;

use finite::Universe;
use ioa_lang::core::{AutomatonId, Invariant, Model};

use super::question::{Question, Sieve, ask_all, state_questions};
use crate::engines::induction::{instance_of, interpreted};
use crate::logic::{Encoded, Logic};
use crate::obligations::Target;
use crate::options::Options;
use crate::solver::in_context_of;

/// So many of the simplest candidates are tried before there are more.
const FIRST: usize = 32;

/// A small instance of a model.
#[derive(Clone, Debug)]
pub enum SmallInstance {
    /// So many elements of each sort, in the order of the model, and every meaning of the theories' operators.
    Sized(Vec<u32>),
    /// One meaning of the theories' operators. Where it is known, most of what is said of it is plainly true or false, and a
    /// question takes a small part of the time.
    Interpreted(Universe),
}

impl SmallInstance {
    fn vocabulary<'a>(&self, target: &Target<'a>) -> Encoded<Logic<'a>> {
        match self {
            Self::Sized(sizes) => instance_of(target, sizes.clone()),
            Self::Interpreted(universe) => interpreted(target, universe),
        }
    }
}

/// What becomes of goals in small instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slice {
    /// The goals are inductive together with some candidates.
    Found {
        /// Candidates with which they are inductive in all instances, by position, ascending: few of them.
        needed: Vec<usize>,
        /// All candidates that were not found to break. (Where what is needed suffices, no instance was asked about the others.)
        kept: Vec<usize>,
    },
    /// Some step breaks a goal, though all candidates hold that are inductive together with the goals.
    Broken,
    /// The solver did not find that out, or something has no reading in logic.
    Undecided,
}

/// What a slice is made of.
#[derive(Clone, Copy, Debug)]
pub struct SliceOf<'a> {
    /// The simplest ones come first, and are preferred.
    pub candidates: &'a [Invariant],
    /// Invariants of the same automaton.
    pub goals: &'a [Invariant],
    /// Candidates, by position, of which it is known already that they are needed.
    pub needed: &'a [usize],
}

/// The candidates that goals need in some instances.
#[must_use]
pub fn slice(
    model: &Model,
    automaton: AutomatonId,
    of: SliceOf<'_>,
    instances: &[SmallInstance],
    options: &Options<'_>,
) -> Slice {
    let invariants: Vec<&Invariant> = of.candidates.iter().chain(of.goals).collect();
    debug_assert!(invariants.iter().all(|i| i.automaton == automaton));
    let count = invariants.len();
    let mut slicing = Slicing {
        target: Target {
            model,
            automata: Vec::new(),
            simulations: Vec::new(),
            invariants,
        },
        candidates: of.candidates.len(),
        sieve: Sieve::new(count, count),
        needed: of.needed.iter().copied().collect(),
        options,
    };
    match slicing.run(instances) {
        Ok(()) => slicing.found(),
        Err(slice) => slice,
    }
}

/// What is known of candidates, and of goals, which come after them in the target.
struct Slicing<'a> {
    target: Target<'a>,
    candidates: usize,
    sieve: Sieve,
    /// Candidates that the goals need in the instances that were looked at.
    needed: BTreeSet<usize>,
    options: &'a Options<'a>,
}

impl Slicing<'_> {
    /// Looks at instances until what is needed suffices in all of them. In most it does so without a look at all candidates,
    /// which takes long.
    fn run(&mut self, instances: &[SmallInstance]) -> Result<(), Slice> {
        let mut settled = 0;
        for instance in instances.iter().cycle() {
            if settled == instances.len() {
                break;
            }
            settled += 1;
            if !self.suffices_in(instance)? {
                self.look(instance)?;
                settled = 1;
            }
        }
        Ok(())
    }

    fn found(&self) -> Slice {
        Slice::Found {
            needed: self.needed.iter().copied().collect(),
            kept: self.kept(),
        }
    }

    /// The candidates that are kept.
    fn kept(&self) -> Vec<usize> {
        let candidates = 0..self.candidates;
        candidates.filter(|at| self.sieve.kept[*at]).collect()
    }

    /// The goals, by position.
    fn goals(&self) -> std::ops::Range<usize> {
        self.candidates..self.target.invariants.len()
    }

    /// Whether the goals are inductive in an instance together with what is needed, and nothing else.
    fn suffices_in(&self, instance: &SmallInstance) -> Result<bool, Slice> {
        let used = self.needed.iter().copied().chain(self.goals());
        let target = Target {
            model: self.target.model,
            automata: Vec::new(),
            simulations: Vec::new(),
            invariants: used.map(|at| self.target.invariants[at]).collect(),
        };
        let count = target.invariants.len();
        let mut sieve = Sieve::new(count, count);
        sifted(instance, (&target, self.options), &mut sieve, |_, _| ())?;
        Ok(sieve.count() == count)
    }

    /// Drops the candidates that are not inductive in an instance, and adds those to what is needed that are needed there; or
    /// says what becomes of the goals, if they are not inductive there.
    fn look(&mut self, instance: &SmallInstance) -> Result<(), Slice> {
        let (goals, candidates, needed) = (self.goals(), self.candidates, &mut self.needed);
        let collected = |questions: &mut [Question<'_>], sieve: &Sieve| {
            if goals.clone().any(|at| sieve.undecided.contains(&at)) {
                return Err(Slice::Undecided);
            }
            if !goals.clone().all(|goal| sieve.kept[goal]) {
                return Err(Slice::Broken);
            }
            needed.retain(|at| sieve.kept[*at]);
            needed.extend(goals.clone());
            let collected = collect(questions, (sieve, candidates), needed);
            needed.retain(|at| *at < candidates);
            collected.ok_or(Slice::Undecided)
        };
        let about = (&self.target, self.options);
        sifted(instance, about, &mut self.sieve, collected)?
    }
}

/// Drops what is not inductive in an instance, and does something with the questions that show the rest.
fn sifted<T: Send + Sync>(
    instance: &SmallInstance,
    (target, options): (&Target<'_>, &Options<'_>),
    sieve: &mut Sieve,
    then: impl FnOnce(&mut [Question<'_>], &Sieve) -> T + Send + Sync,
) -> Result<T, Slice> {
    // A context has the elements of one instance only.
    in_context_of(options, || {
        let logic = instance.vocabulary(target).map_err(|_| Slice::Undecided)?;
        let mut questions = state_questions((target, &logic), sieve, options);
        ask_all(&mut questions, sieve);
        Ok(then(&mut questions, sieve))
    })
}

/// Adds the candidates that are needed by what is needed.
fn collect(
    questions: &mut [Question<'_>],
    (sieve, candidates): (&Sieve, usize),
    needed: &mut BTreeSet<usize>,
) -> Option<()> {
    let mut open: Vec<usize> = needed.iter().copied().collect();
    let kept: Vec<usize> = (0..candidates).filter(|at| sieve.kept[*at]).collect();
    while let Some(next) = open.pop() {
        for question in &mut *questions {
            let used = simplest(question, next, (&kept, needed))?;
            open.extend(used.into_iter().filter(|at| needed.insert(*at)));
        }
    }
    Some(())
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
