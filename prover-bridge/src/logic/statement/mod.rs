//! Statements as substitutions: what a program leaves the state variables to stand for.

pub(in crate::logic) mod loops;
pub(in crate::logic) mod run;
mod witnesses;
