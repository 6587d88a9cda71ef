//! What other tools read: models as TLA+ modules, executions as logs and diagrams.
//!
//! An exporter of models is a reader of the core, as the executor and the encoding are. It says what it can say exactly,
//! and reports with its place in the source whatever it cannot. An exporter of executions reads a trace file.
//!
//! **Boundary.** A folder a tool: [`tla`] for models, [`execution`] for trace files.
//!
//! **What it never knows.** The executor, the solver, and where the text goes.

pub mod execution;
pub mod tla;
