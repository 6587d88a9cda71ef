//! The workbench: puts the language, the executor, the detector and the prover together.

pub mod args;
pub mod cli;
pub mod console;
pub mod files;
pub mod finding;
pub mod inspection;
pub mod instances;
pub mod interpretation;
pub mod manifest;
pub mod numbers;
pub mod pipeline;
pub mod report;
pub mod story;
pub mod study;
pub mod watchdog;
