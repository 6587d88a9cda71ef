//! Writes what other tools read: models as TLA+ modules, executions as logs and diagrams.
//!
//! An exporter of models is a reader of the core, as the interpreter and the encoding in logic are. It translates what it can express
//! exactly, and reports everything else with its place in the source. An exporter of executions reads a trace file.
//!
//! **Boundary.** There is one folder for each tool: [`tla`] for models, [`execution`] for trace files.
//!
//! **What it never knows.** The interpreter, the solver, and where the text goes.

pub mod execution;
pub mod tla;
