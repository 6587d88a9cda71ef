//! What an automaton consists of: its signature, its transitions and their statements.

pub(super) mod actions;
pub(super) mod automaton;
pub(super) mod fire;
pub(super) mod loops;
mod places;
mod relation;
pub(super) mod signature;
pub(super) mod statements;
pub(super) mod transition;
