//! The `ioa` binary: files, terminal, clock and processes around the questions of [`session`].
//!
//! **Boundary.** [`cli::main`] is the program. The other modules are public only for tests.
//!
//! **What it never knows.** How a question is answered: it reads what is asked, hands it to [`session`], and shows the findings.

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
