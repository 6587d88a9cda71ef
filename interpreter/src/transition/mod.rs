//! The transition relation of an automaton, on which everything that takes steps rests.
//!
//! | what is asked | interface | who asks |
//! |---|---|---|
//! | single steps with their labels, the successor by a label, what a clause reads and writes | [`TransitionSystem`] | paths, simulations, graphs, partial order reduction, strategies, the debugger; later the matching of foreign logs |
//! | all successors of many states at once | [`Successors`] | searches |
//! | the steps by one clause from one state | [`ClauseSteps`] | random runs |
//! | the value of a term, as a [`Question`] | [`Evaluator`] | machine code, for what it cannot compute |
//!
//! All three are the same relation in the same order. A search of single steps keeps what it has [`Visited`].
//! States that leave the process do so in the form that
//! [`Rows`](crate::Rows) describes.

mod bulk;
mod clause_steps;
mod executor;
mod first_fault;
mod footprint;
mod interpreted;
mod label;
mod question;
mod reads;
mod system;
mod visited;
mod watch;

pub use bulk::{Batch, Broken, Successors, Unexpanded, Why};
pub use clause_steps::{ClauseSteps, StepDetail};
pub use first_fault::FirstFault;
pub(crate) use footprint::Footprints;
pub use footprint::{Access, Footprint, Guards, Known, Read};
pub use interpreted::Interpreted;
pub use label::{Choice, Firing, Label, Outcome, Step};
pub use question::{Evaluator, Question};
pub use system::{Found, FoundStep, TransitionSystem};
pub use visited::Visited;
pub use watch::Watch;
