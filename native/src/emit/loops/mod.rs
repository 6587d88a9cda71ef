//! Loops: over the values of a domain and the valuations of a plan, over the values that a statement goes through, and inside
//! terms.

mod candidates;
mod fold;
mod found;
pub(in crate::emit) mod plan;
