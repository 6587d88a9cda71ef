//! Lemmas from states: clauses over quantified variables that hold in all states reached, and that no second look refutes.
//!
//! ```text
//! frame    quantified variables and what they range over: valuations are states times their values
//! term     what can be read of the state: variables, elements, parts, operators of theories
//! atom     relations between terms; nested: formulas with further quantifiers that are used like atoms
//! mined    atoms that the text itself has
//! columns  the truth of atoms, asked of whoever can evaluate them, and kept
//! cover    minimal clauses that hit all valuations
//! clause   clauses as invariants of the core, said as simply as possible
//! learner  the search in all frames, and the choice among what holds
//! stock    all clauses that hold, to choose among
//! ```
//! What holds in all states of the right types says nothing of the automaton: a clause must be violated by some *made-up* state.
//! Of clauses that exclude the same made-up states the simplest is kept. What is kept is looked for elsewhere, and a state that
//! refutes it is learnt from, until nothing is refuted any more.

mod atom;
mod clause;
mod columns;
mod cover;
mod evidence;
mod frame;
mod learner;
mod mined;
mod nested;
mod search;
mod stock;
mod term;

use finite::Universe;
use ioa_lang::core::{AutomatonId, Invariant, Model};

use crate::focus::{About, Focus};

pub use evidence::{Evidence, Truth, ones};
pub use stock::{Clause, Exclusion, Stock, Targets};

use frame::Frame;
use learner::Learner;

/// Which of the clauses that exclude the same made-up states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The simplest ones.
    Simple,
    /// Those that exclude most, and of these the simplest ones.
    Strong,
}

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Literals of a clause, at most.
    pub literals: usize,
    /// Nested formulas of each form that have two literals, at most.
    pub pairs: usize,
    /// Whether the formulas in preconditions and in the model's invariants are atoms too.
    pub mined: bool,
    /// Quantified variables of a clause, at most, apart from nested ones.
    pub variables: usize,
    /// Whether variables range over positions in sequences too, and over the elements of collections whose types have
    /// infinitely many values.
    pub is_ranged: bool,
    /// Whether little is said of the variables, so that all clauses can be found that say no more than that.
    pub is_lean: bool,
    /// Which of the clauses that exclude the same are kept.
    pub prefers: Preference,
    /// Candidates that are kept, at most.
    pub candidates: usize,
    /// Bytes that the truth of atoms in all states may take, about.
    pub memory: u64,
    /// Second looks, at most.
    pub rounds: usize,
    /// Reached states in which each literal of a clause must have been the only true one; 0 where all states of an instance
    /// were reached, so that nothing holds by chance.
    pub support: u64,
}

/// A formula that holds in all states that were looked at.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// The formula.
    pub invariant: Invariant,
    /// How many made-up states it excludes that those before it do not.
    pub excludes: u64,
}

/// What was learnt.
#[derive(Clone, Debug, Default)]
pub struct Learnt {
    /// What holds, the simplest first.
    pub lemmas: Vec<Lemma>,
    /// How many more clauses hold that exclude no made-up state that these do not.
    pub redundant: usize,
    /// How many were left out because the others imply them, if anybody has shown that.
    pub implied: usize,
    /// How many were refuted by second looks.
    pub refuted: usize,
    /// Whether time or a limit ended the search, and what may be missing.
    pub partial: Vec<String>,
    /// Whether the last second look refuted nothing.
    pub is_settled: bool,
}

/// Learns lemmas about what is looked at of an automaton; formulas that are `given` are tested and chosen among together with those that are found.
///
/// # Errors
/// Why formulas cannot be evaluated.
pub fn learn(
    (model, automaton): (&Model, AutomatonId),
    focus: &Focus,
    given: Vec<Invariant>,
    evidence: &mut dyn Evidence,
    effort: Effort,
) -> Result<Learnt, String> {
    let about = About {
        model,
        automaton,
        focus,
    };
    let mut learner = Learner::new(about, given, evidence, effort);
    learner.learn(evidence)?;
    Ok(learner.learnt)
}

/// Whether the states of an automaton have collections whose elements or positions an effort that [is
/// ranged](Effort::is_ranged) quantifies over.
#[must_use]
pub fn has_ranges(about: (&Model, AutomatonId), universe: &Universe) -> bool {
    Frame::any_ranged(About::whole(about), universe)
}
