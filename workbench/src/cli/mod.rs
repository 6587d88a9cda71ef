//! The `ioa` command line.

pub mod args;
