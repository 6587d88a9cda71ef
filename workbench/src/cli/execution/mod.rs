//! The commands about single executions: runs, runs in lockstep, and runs in trace files.

pub(super) mod debug;
mod narrator;
pub(super) mod pair;
pub(super) mod replay;
pub(super) mod run;
pub(super) mod show;
