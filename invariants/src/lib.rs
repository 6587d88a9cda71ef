//! Finds likely invariants from samples, as Daikon does (Ernst et al., TSE 2001), for the types and operators of automata.
//!
//! ```text
//! samples    states and steps as rows of words, distinct ones kept once         Schema, Samples
//! relations  relations of terms that hold on all samples, and the effects of actions
//! learn      clauses over nested quantifiers, from all states of small instances
//! focus      what a person wants looked at, or left out
//! build      the terms of the core that both propose
//! ```
//! There are two parts. Relations of sets and numbers, whose constants are fitted, and the effects of actions come from samples
//! of any origin. Clauses are [learnt](learn) from states in which the caller can evaluate formulas.
//!
//! Memory: [`Limits`] bounds the samples (8 bytes for each column of a distinct row, and about 16 more); detection looks
//! at blocks of some 16,000 rows at a time and keeps one cross section, at most 400 terms and 20,000 atoms for a frame.
//! If a limit is reached, a note in the report says so.
//!
//! The detector sees samples and types, never the evaluator: a trace of another tool is as good as one of ours.
//!
//! **Boundary.** The caller fills [`Samples`] with states, and [`detect`] makes a [`Report`] of them.
//!
//! **What it never knows.** Where samples come from, and whether a candidate can be proved.

mod bits;
mod build;
mod focus;
pub mod learn;
mod names;
mod relations;
mod report;
pub mod samples;

pub use focus::Focus;
pub use relations::{detect, detect_until, tightened, with_constant, with_count};
pub use report::{Effect, Options, Relation, Report};
pub use samples::{Added, Limits, Misfit, Samples, Schema};
