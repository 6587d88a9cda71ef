//! The prover, tested from outside: texts of models in, outcomes of proofs out.

mod all_interpretations;
mod backward;
mod common;
mod commutation;
mod constructs;
mod costs;
mod finite;
mod flattened;
mod houdini;
mod interpretation;
mod limits;
mod lines;
mod paxos;
mod possible;
mod premises;
mod reasons;
mod rings;
mod simulation;
mod sizes;
mod smtlib;
mod types;
mod unrolled;
mod vacuity;
mod warnings;
