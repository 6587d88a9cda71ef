//! What other tools read: models as TLA+ modules.
//!
//! An exporter is a reader of the core, as the executor and the encoding are. It says what it can say exactly, and
//! reports with its place in the source whatever it cannot.

pub mod tla;
