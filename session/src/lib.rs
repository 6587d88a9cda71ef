//! Questions about a study, without a command line: the interface for terminals, editors and web pages.
//!
//! **Purpose.** A [`Study`](study::Study) is loaded once, from texts. Each *pipeline* puts one question to the crates below
//! (run it, visit all its states, run a pair, propose invariants, prove) and sums the answer up as
//! [`Finding`](finding::Finding)s, with a [`Story`](story::Story) for each failure.
//!
//! **Boundary.** Questions are plain values: a [`Setup`](setup::Setup) with sizes, seed and threads, and a plan or a request of
//! the pipeline. The program that asks implements [`Host`](host::Host): it tells the time, hears about the progress of long
//! work, can interrupt it, and provides a place to store something. Everything that is public here may be used by others.
//!
//! **What it never knows.** The command line, terminals, files, processes, the environment and the clock. Without the feature
//! `native`, steps are interpreted; without `smt`, nothing is proved, and uninterpreted operators have no finite meaning.
//! Without both it needs nothing from the operating system, not even threads.

pub mod finding;
pub mod host;
#[cfg(feature = "smt")]
pub mod inspection;
pub mod instances;
pub mod interpretation;
pub mod manifest;
pub mod numbers;
pub mod pipeline;
pub mod setup;
pub mod story;
pub mod study;
pub mod verdict;
