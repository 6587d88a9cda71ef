//! One round: which units are asked about, with which invariants assumed, and what came of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::vacuity::Basis;
use crate::obligations::Target;
use crate::options::Options;
use crate::reason::Reason;
use crate::solver::Answer;
use crate::watch::Clock;

/// What the unbounded question came to.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    pub(super) answer: Answer,
    /// The sizes of the sorts in the countermodel, if there is one.
    pub(super) sizes: Option<Vec<u32>>,
    /// The invariants that could be assumed, where that is known.
    pub(super) assumed: Option<Vec<usize>>,
    pub(super) needed: Option<Vec<usize>>,
    /// The invariants that the proof uses, if that was to be found out: perhaps more than it needs.
    pub(super) used: Vec<usize>,
    /// What a proof rests on, where this is one.
    pub(super) basis: Option<Basis>,
    pub(super) time: Duration,
    pub(super) resources: u64,
    pub(super) queries: u32,
    /// Whether it was proved before, and is only recalled.
    pub(super) recalled: bool,
}

impl Raw {
    /// An answer that cost nothing so far.
    pub(super) fn unasked(answer: Answer) -> Self {
        Self {
            answer,
            sizes: None,
            assumed: None,
            needed: None,
            used: Vec::new(),
            basis: None,
            time: Duration::ZERO,
            resources: 0,
            queries: 0,
            recalled: false,
        }
    }

    /// What an obligation comes to that took too long before.
    pub(super) fn given_up() -> Self {
        Self::unasked(Answer::Unknown(Reason::Timeout))
    }

    /// Whether it is a proof that assumed, as far as is known, some invariant that may not be assumed.
    pub(super) fn rests_on_others_than(&self, assumable: &[bool]) -> bool {
        let is_withdrawn = |i: &usize| !assumable[*i];
        let assumed = self.assumed.as_ref();
        self.answer == Answer::Unsat && assumed.is_none_or(|all| all.iter().any(is_withdrawn))
    }

    /// Whether this is a proof, and one of something.
    pub(super) fn is_grounded(&self) -> bool {
        self.answer == Answer::Unsat && matches!(self.basis, Some(Ok(_)))
    }
}

/// What to ask: which units of a target under which assumptions.
#[derive(Clone, Copy)]
pub(super) struct Round<'r, 'a> {
    pub(super) target: &'r Target<'a>,
    pub(super) assumable: &'r [bool],
    pub(super) options: &'r Options<'r>,
    pub(super) clock: Clock<'r>,
    /// The lanes that its questions are in, once they are.
    pub(super) lanes: Option<&'r Lanes>,
    pub(super) purpose: Purpose,
}

/// How far the lanes of a round are, and the threads for them.
pub(super) struct Lanes {
    threads: usize,
    unfinished: AtomicUsize,
}

impl Lanes {
    pub(super) fn new(threads: usize, lanes: usize) -> Self {
        Self {
            threads,
            unfinished: AtomicUsize::new(lanes),
        }
    }

    /// One of them is finished.
    pub(super) fn finish(&self) {
        self.unfinished.fetch_sub(1, Ordering::Relaxed);
    }

    /// How many attempts one lane may make side by side: it has one thread, and those that no other lane needs any more.
    pub(super) fn abreast(&self) -> usize {
        let others = self.unfinished.load(Ordering::Relaxed).saturating_sub(1);
        self.threads.saturating_sub(others).max(1)
    }
}

/// What the answers are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To establish something: it is also found out what proofs rest on.
    Proof,
    /// To find out what the proofs of what is known to follow need, without establishing anything.
    Needs,
    /// To find out what follows and what does not, without establishing anything.
    Search,
    /// To find out whether all follows. What comes after the first question that fails may have no answer.
    Decision,
}
