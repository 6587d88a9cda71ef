//! What cannot be run in a finite instance, though it may be proved, and is therefore said to be unknown: invariants of an
//! automaton that is run, and whole stages.

pub(super) mod invariants;
mod stages;

pub(super) use stages::Unrun;
