//! The core as logic: proof obligations, Z3, and counterexamples as states.
//!
//! ```text
//! core --encode--> formulas --obligations--> questions --solve--> answers --prove--> verdicts, counterexamples
//! ```
//!
//! **Boundary.** [`prove`] answers for all obligations of a [`Target`], [`houdini`] keeps the largest inductive subset of
//! some candidates, [`interpretations`] gives theories a finite meaning, and [`warnings_at`] says what cannot be meant.
//! Nothing of Z3's own types is visible from outside.
//!
//! **What it never knows.** How a model is run, the clock (it is handed in), files, and how a verdict is shown.

pub mod counterexample;
mod encode;
pub mod finite;
mod houdini;
mod interpretation;
pub mod obligations;
mod prove;
mod report;
mod smtlib;
mod solve;
mod watch;

pub use counterexample::Counterexample;
pub use houdini::{Kept, Stated, houdini};
pub use interpretation::{NoModel, interpretations, needs_interpretation};
pub use obligations::{Kind, Obligation, Part, Target, obligations};
pub use prove::{Clock, Grounded, prove, warnings_at};
pub use report::{About, Outcome, Reason, Report, Spent, Verdict, Warning};
pub use smtlib::smt_lib;
pub use solve::Options;
pub use watch::{Task, Watch};

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
