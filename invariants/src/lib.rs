//! Likely invariants from samples, in the manner of Daikon (Ernst et al., TSE 2001) and for what automata are made of.
//!
//! ```text
//! samples     states and steps as rows of words, distinct ones kept once        Schema, Samples
//! frame       quantified variables: rows are samples times their values
//! term        what can be read: variables, elements, parts, sizes
//! atom        relations between terms that compare like with like               sets, order, numbers
//! search      each atom a bit vector; what holds on all rows, alone or in pairs  Finding
//! confidence  could it hold by chance?
//! canonical   an e-graph that merges equal formulas and proves others redundant
//! effect      what the steps of each action do
//! report      candidates as IOA text, the most useful first                     Report
//! ```
//! Memory: [`Limits`] bounds the samples (8 bytes for each column of a distinct row, and about 16 more); detection looks
//! at blocks of some 16,000 rows at a time and keeps one cross section, at most 400 terms and 20,000 atoms for a frame.
//! A limit that was reached is a note in the report.
//!
//! The detector sees samples and types, never the evaluator: a trace of another tool is as good as one of ours.
//!
//! **Boundary.** [`Samples`] are filled by whoever has states, [`detect`] makes a [`Report`] of them.
//!
//! **What it never knows.** How samples came about, and whether a candidate can be proved.

mod atom;
mod bits;
mod canonical;
mod clause;
mod confidence;
mod detect;
mod effect;
mod evaluate;
mod fold;
mod frame;
mod rank;
mod report;
pub mod samples;
mod search;
mod term;
mod values;

pub use detect::{detect, holding};
pub use report::{Candidate, Effect, Left, Options, Point, Reason, Report};
pub use samples::{Added, Limits, Misfit, Samples, Schema};
