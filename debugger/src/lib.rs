//! A debugger without a terminal: it walks through the executions of one automaton in both directions, takes other
//! branches, and answers questions about each state on the way.
//!
//! **Purpose.** A path is a start state and the labels of its steps, for each state follows from the previous one by the
//! label between them. [`Debugger`] keeps several paths with a common origin and a cursor on one of them. A
//! [`Command`] moves the cursor, extends a path or asks something; the answer is a [`Reply`].
//!
//! **Boundary.** A terminal, a script and a read-eval-print loop all give the same commands, which [`Command::parse`] reads
//! from a line of text. All steps are those of [`TransitionSystem`](interpreter::TransitionSystem).
//!
//! **What it never knows.** Files, terminals and the clock. It asks its [`Host`](session::host::Host) whether to go on.

mod actors;
mod command;
mod debugger;
mod moves;
mod path;
mod questions;
mod reading;
mod reply;
mod runs;
mod search;
mod terms;
mod ways;

pub use command::{Command, HELP, help};
pub use debugger::{Debugger, Event, Watched};
pub use reply::{Item, Reply};
