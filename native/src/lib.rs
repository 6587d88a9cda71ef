//! Native code for the steps and the invariants of an automaton: the compiled form of the interpreter, translated by
//! Cranelift and called on many packed states at once.
//!
//! ```text
//! interpreter::code --analysis--> bounds --emit--> Cranelift's language --jit--> machine code --call--> results
//! ```
//!
//! Native code never decides that something is wrong. If a term seems to have no value, the code bails out: the interpreter
//! finds the steps from this state, or says that there are none. For a term that it cannot compute, such as a large set of
//! numbers, it asks the interpreter, and remembers the answer. A clause that cannot be translated at all (an
//! [`Untranslatable`]) is always interpreted, and so is everything on a machine for which Cranelift has no code generator. So
//! the answers never depend on what is native; [`Native::report`] says what is.
//!
//! **Boundary.** [`Native`] is a [`Successors`](interpreter::Successors) for searches, [`ClauseCode`] a
//! [`ClauseSteps`](interpreter::ClauseSteps) for random runs, and [`NativeSystem`] a
//! [`TransitionSystem`](interpreter::TransitionSystem) with labels. It is the only crate with `unsafe` code.
//!
//! **What it never knows.** The core except for the names of clauses, and what the states are used for.

mod analysis;
mod asked;
mod clause_code;
mod emit;
mod expand;
mod filler;
mod jit;
mod native;
mod reach;
mod support;
mod system;
mod value;

pub use analysis::Untranslatable;
pub use clause_code::ClauseCode;
pub use native::{Coverage, Native};
pub use system::NativeSystem;
