//! Houdini: the largest subset of candidate invariants that is inductive.
//!
//! After Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java": assume all candidates, drop those that
//! some step breaks, and ask again, until none is broken. One countermodel drops every candidate that it falsifies, and a
//! clause is asked about again only if its unsat core has a candidate that was dropped since.
//!
//! Everything is stated once. Each candidate is assumed under a literal of its own; a question is a choice of literals.

mod question;
mod slice;

use ioa_lang::core::{AutomatonId, Invariant, Model};

pub use slice::{Slice, SliceOf, SmallInstance, slice};

use question::{Sieve, ask_all, state_questions};

use super::induction::{Grounded, executions, small};
use crate::logic::{Logic, Size};
use crate::obligations::Target;
use crate::options::Options;
use crate::solver::in_context_of;

/// What is done with the invariants that the model states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// They are assumed before each step, and not questioned: the result is inductive relative to them.
    Assumed,
    /// They play no part.
    Ignored,
}

/// What is left of the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The candidates that are inductive together, by position, ascending.
    pub kept: Vec<usize>,
    /// The candidates that could not be decided within the limits, or have no reading in logic; they are dropped.
    pub undecided: Vec<usize>,
    /// How many questions the solver was asked.
    pub queries: u32,
    /// What the proofs of those that are kept rest on; or why they are proofs of nothing.
    pub basis: Result<Grounded, String>,
}

/// The largest subset of `candidates`, all of one automaton, that is inductive.
///
/// With a limit reached, what could not be decided is dropped: what is kept is inductive all the same, but may not be
/// the largest such subset.
#[must_use]
pub fn houdini(
    model: &Model,
    automaton: AutomatonId,
    candidates: &[Invariant],
    stated: Stated,
    options: &Options<'_>,
) -> Kept {
    let mut invariants: Vec<&Invariant> = candidates.iter().collect();
    if stated == Stated::Assumed {
        invariants.extend(model.invariants_of(automaton));
    }
    let target = Target {
        model,
        invariants,
        simulations: Vec::new(),
        automata: Vec::new(),
    };
    let mut sieve = Sieve::new(candidates.len(), target.invariants.len());
    let (basis, queries) = in_context_of(options, || {
        let mut logic = Logic::new(model, Size::Any);
        let declared = logic.declare_theories();
        match declared.and_then(|()| small(&target)) {
            Ok(small) => {
                let about = (&target, &logic);
                let mut questions = state_questions(about, &mut sieve, options);
                ask_all(&mut questions, &mut sieve);
                let basis = executions(&target, automaton, (&small, &logic), options);
                (basis, questions.iter().map(|q| q.queries()).sum())
            }
            Err(unsupported) => {
                (0..candidates.len()).for_each(|candidate| sieve.give_up(candidate));
                (Err(unsupported.because), 0)
            }
        }
    });
    Kept {
        kept: (0..candidates.len()).filter(|i| sieve.kept[*i]).collect(),
        undecided: sieve.undecided.into_iter().collect(),
        queries,
        basis,
    }
}
