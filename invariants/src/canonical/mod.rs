//! Folding: clauses that say the same are merged, and clauses that others imply are dropped.
//!
//! Both are decided by e-graphs (Willsey et al.: egg, POPL 2021). Equal clauses are those that meet in one class when
//! identities of sets, order and logic are applied. A clause follows from others if the e-graph that holds them,
//! instantiated at the clause's own variables, and the clause's negation, comes to equate `true` and `false`.

mod encode;
mod language;
mod prove;
mod rules;

pub(crate) use encode::Statement;
pub(crate) use prove::{Form, Prover};
