//! Claims about automata, and what drives them: properties, simulations, schedules.

pub(super) mod guard;
pub(super) mod open;
pub(super) mod properties;
pub(super) mod schedule;
pub(super) mod simulation;
pub(super) mod traces;
pub(super) mod uses;
