//! The core made executable: a model at finite sizes, its states packed into words, one step function, and what is
//! built on it: runs under schedules and at random, traces and their replay.
//!
//! ```text
//! core + sizes --compile--> code --vm--> step --> run --> trace
//! ```
//!
//! An [`Instance`] is a model compiled once at some sizes. An [`Executor`] takes the steps of one of its automata. The
//! functions of [`run`] take one step after the other and pass each to an [`Observer`](run::Observer), so that recording a
//! trace, collecting samples and running a second automaton in lockstep need no loop of their own.
//!
//! An error of the model (a [`Fault`], a violated invariant, a disabled `fire`) is a result. If this program cannot run the
//! model, that is a diagnostic before the run or a [`Limit`] during it.
//!
//! **Boundary.** Others compile an [`Instance`], take steps with their labels by a [`TransitionSystem`] (the [`Executor`] is
//! one) or many at once by [`Successors`], observe runs, and read and write traces. [`code`] is public for crates that
//! translate it further.
//!
//! **What it never knows.** Text, files, machine code, the search that asks for successors, and the solver.

pub mod code;
mod compile;
mod executor;
mod explain;
mod instance;
mod interrupt;
pub mod run;
mod simulation;
mod state;
pub mod trace;
mod transition;
mod vm;

pub use executor::{Attempt, Executor};
pub use explain::Reason;
pub use explain::blocked::{Blocked, Conditions};
pub use explain::inspect::Inspection;
pub use explain::why::Refusal;
pub use instance::Instance;
pub use instance::automaton::unevaluable;
pub use instance::compiled::{Clause, Relation};
pub use instance::participants::Participants;
pub use instance::wires::Wire;
pub use interrupt::cancel::Cancel;
pub use interrupt::fault::{Fault, FaultKind, Interrupt, Item, Limit, LimitKind};
pub use interrupt::limits;
pub use simulation::{Correspondence, StateRelation};
pub use state::cell::{Cell, Number, Ranks, Shape, Unpacking};
pub use state::diff::{Change, ChangedPart, Edge, diff, parts};
pub use state::interned::Interned;
pub use state::layout::{Field, Layout, Location, Part, State};
pub use state::range_overflows::RangeOverflows;
pub use state::rows::{RowCheck, Rows};
pub use state::states::States;
pub use transition::{
    Access, Batch, Broken, Choice, ClauseSteps, Evaluator, Firing, FirstFault, Footprint, Found,
    FoundStep, Guards, Interpreted, Known, Label, Outcome, Question, Read, Step, StepDetail,
    Successors, TransitionSystem, Unexpanded, Visited, Watch, Why,
};
pub use vm::Branches;
pub use vm::draws::{Draws, Stream};
pub use vm::exec::Call;
pub use vm::oracle::{First, Given, Options, Oracle};
