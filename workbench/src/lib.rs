//! The `ioa` binary: files, terminal, clock and processes around the questions of [`session`].

pub mod args;
pub mod cli;
pub mod console;
pub mod files;
pub mod reading;
pub mod report;
pub mod restart;
pub mod second_opinion;
pub mod watch;
pub mod watchdog;
