//! The core as logic: proof obligations, Z3, and counterexamples as states.
//!
//! ```text
//! core --logic--> terms --obligations--> transition systems, questions --solver--> answers --engines--> verdicts
//! ```
//!
//! `logic` reads expressions and statements as terms of Z3. `obligations` makes start states, steps and invariants of these,
//! at any number of moments, and says what has to be shown. `solver` asks Z3, within limits. The `engines` decide what is
//! asked: induction, Houdini, bounded checks, k-induction. `counterexample` looks for finite instances to show.
//!
//! **Boundary.** [`prove`] answers for all obligations of a [`Target`], [`bounded`] and [`k_induction`] ask about its
//! invariants over a number of steps, [`houdini`] keeps the largest inductive subset of some candidates, [`implied`] says what
//! follows from invariants, [`interpretations`] gives theories a finite meaning, [`Commutation`] says which steps commute,
//! [`failing`] says why invariants are not inductive, and [`warnings_at`] says what cannot be intended. No type of Z3 is
//! visible from outside.
//!
//! **What it never knows.** How a model is run, the clock (it is handed in), files, and how a verdict is shown.

pub mod counterexample;
mod engines;
pub mod finite;
mod interpretation;
mod logic;
pub mod obligations;
mod options;
mod reason;
mod report;
mod smtlib;
mod solver;
mod watch;

pub use counterexample::Counterexample;
pub use engines::bounded::{BoundedOutcome, BoundedVerdict, bounded};
pub use engines::commutation::Commutation;
pub use engines::houdini::{Kept, Slice, SliceOf, SmallInstance, Stated, houdini, slice};
pub use engines::implied::implied;
pub use engines::induction::{
    Failing, Grounded, Need, failing, is_relatively_inductive, needs, needs_alone, prove, spread,
    warnings_at,
};
pub use engines::k_induction::{KInductionOutcome, KInductionVerdict, k_induction};
pub use interpretation::{
    Interpretations, NoModel, interpretations, least_degenerate_first, needs_interpretation,
};
pub use obligations::{Firing, Kind, Obligation, Part, Target, obligations};
pub use options::Options;
pub use reason::Reason;
pub use report::{About, Condition, Outcome, Report, Spent, Verdict, Warning, names, proved_if};
pub use smtlib::fragment::{Fragment, Leaving, fragment};
pub use smtlib::smt_lib;
pub use solver::{Fingerprint, Proofs, Proved, renamed};
pub use watch::{Clock, Task, Watch};

/// The stand-alone `z3` program that belongs to the linked library, where there is one.
#[must_use]
pub fn z3_program() -> Option<&'static std::path::Path> {
    option_env!("IOA_Z3_PROGRAM").map(std::path::Path::new)
}

/// The version of the linked Z3.
///
/// ```
/// assert!(prover_bridge::z3_version().starts_with(|c: char| c.is_ascii_digit()));
/// ```
#[must_use]
pub fn z3_version() -> String {
    z3::full_version().to_owned()
}
