//! What is asked of the prover, and what comes of it.

use std::time::Duration;

use prover_bridge::Spent;

use crate::finding::Finding;

/// Time for each question to the solver, where nothing else is asked for.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// How far proofs may go, and what else is wanted.
#[derive(Clone, Debug)]
pub struct Request {
    /// Names of invariants or simulations to report on; all where none is named.
    pub only: Vec<String>,
    /// The automaton to report on; all where none is named.
    pub automaton: Option<String>,
    /// Time for each question to the solver.
    pub timeout: Duration,
    /// Solver resources for each question; 0 for no limit.
    pub resource_limit: u32,
    /// Whether to find out which invariants each obligation needs.
    pub cores: bool,
    /// At most how many threads.
    pub threads: usize,
    /// How invariants are proved.
    pub method: Method,
}

/// How invariants are proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By induction, with simulations and all that proofs presume.
    #[default]
    Induction,
    /// Not proved, but checked in executions of at most so many steps, at every size.
    Bounded(u32),
    /// By induction over so many steps.
    KInduction(u32),
}

impl Request {
    /// What asks for the same limit on the command line.
    pub(super) fn limit_flag(&self) -> String {
        match self.resource_limit {
            0 => String::new(),
            n => format!(" --rlimit {n}"),
        }
    }
}

/// What came of a proof.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What is established and what is not.
    pub findings: Vec<Finding>,
    /// What the time went to.
    pub spent: Spent,
}
