//! Lemmas from states: clauses over quantified variables that hold in all states reached, and that no second look refutes.
//!
//! ```text
//! frame    quantified variables and what they range over: valuations are states times their values
//! term     what can be read of the state: variables, elements, parts, operators of theories
//! atom     relations between terms, and those that the text itself has
//! nested   formulas with further quantifiers that are used like atoms
//! columns  the truth of atoms, asked of whoever can evaluate them, and kept
//! cover    minimal clauses that hit all valuations
//! clause   clauses as invariants of the core, said as simply as possible
//! search   the clauses of one frame, and what they exclude
//! learner  the search in all frames, and the choice among what holds
//! stock    all clauses that hold, to choose among
//! targets  the states that these are to exclude
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
mod nested;
mod search;
mod stock;
mod targets;
mod term;

use finite::Universe;
use ioa_lang::core::{AutomatonId, Invariant, Model};

use crate::focus::{About, Focus};

pub use atom::Mining;
pub use clause::Less;
pub use evidence::{Evidence, Truth, ones};
pub use learner::{Effort, Learnt, Lemma, NO_MEMORY, Preference};
pub use stock::{Clause, Exclusion, Stock};
pub use targets::Targets;

use frame::Frame;
use learner::Learner;

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
