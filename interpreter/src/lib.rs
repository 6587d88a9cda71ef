//! The core made executable: a model at finite sizes, its states packed into words, one step function, and what is
//! built on it: runs under schedules and at random, traces and their replay.
//!
//! ```text
//! core + sizes --compile--> code --eval, exec--> step --> run --> trace
//! ```
//!
//! An [`Instance`] is a model compiled once at some sizes. An [`Executor`] takes the steps of one of its automata. The
//! functions of [`run`] put steps one after the other and tell an [`Observer`](run::Observer) of each, so that
//! recording a trace, collecting samples and running a second automaton in lockstep need no loop of their own.
//!
//! The model going wrong (a [`Fault`], a violated invariant, a disabled `fire`) is a result. Our being unable to run it
//! is either a diagnostic, before the run, or a [`Limit`], during it.
//!
//! **Boundary.** Others compile an [`Instance`], take steps by an [`Executor`] or many at once by [`Successors`], observe
//! runs, and read and write traces. [`code`] is open to those who translate it further.
//!
//! **What it never knows.** Text, files, machine code, the search that asks for successors, and the solver.

mod automaton;
mod blocked;
mod cancel;
mod cell;
pub mod code;
mod compile;
mod compiled;
mod diff;
mod draws;
mod enabled;
mod eval;
mod exec;
mod explain;
mod fault;
mod fire;
mod instance;
mod layout;
pub mod limits;
mod misfits;
mod oracle;
mod requirement;
mod rows;
pub mod run;
mod schedule;
mod simulation;
mod start;
mod step;
pub mod trace;
mod transition;
mod why;

pub use blocked::Conditions;
pub use cancel::Cancel;
pub use cell::{Cell, Number, Ranks, Shape};
pub use compiled::{Clause, Relation};
pub use diff::{Change, Part, diff, parts};
pub use draws::{Draws, Stream};
pub use exec::Call;
pub use explain::Reason;
pub use fault::{Fault, FaultKind, Interrupt, Limit, LimitKind};
pub use instance::Instance;
pub use layout::{Field, Layout, Location, State};
pub use misfits::Misfits;
pub use oracle::{First, Given, Options, Oracle};
pub use rows::{RowCheck, Rows};
pub use simulation::{Correspondence, StateRelation};
pub use step::{Attempt, Executor};
pub use transition::{
    Access, Batch, Broken, Choice, ClauseSteps, Firing, Footprint, Found, FoundStep, Interpreted,
    Known, Label, Outcome, Step, Successors, TransitionSystem, Unexpanded, Why,
};
pub use why::Refusal;
