//! How much is tried, and spent on it.

use invariants::learn;

use crate::pipeline::candidates::{Budget, Thoroughness};

/// How much is tried, and spent on it.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// What clauses are tried.
    pub clauses: learn::Effort,
    /// Whether clauses are learnt from all states at first.
    pub learns: bool,
    /// Whether clauses are made for the states that they are to exclude: of their diagrams.
    pub draws: bool,
    /// What may be spent on states.
    pub states: Budget,
    /// Times that the solver is asked about all that is open, at most.
    pub rounds: u64,
    /// Seconds after the beginning of all at which this ends: the outermost limit. What does not end by it is the same on every
    /// machine.
    pub until: f64,
    /// Work for one question, in the solver's own unit.
    pub work: u32,
}

/// Seconds for a search, where nothing else is asked for.
pub const BUDGET: f64 = 120.0;

/// Seconds for each look at small instances after a proof has failed.
pub(super) const ASIDE: f64 = 10.0;

/// How many efforts there are, each with the same part of the time.
const PARTS: f64 = 4.0;

impl Effort {
    /// What is spent on a look at small instances after a proof has failed.
    pub(in crate::pipeline::proof) fn aside() -> Self {
        Self {
            until: ASIDE,
            draws: false,
            ..Self::all(PARTS * ASIDE)[1]
        }
    }

    /// The efforts, each greater than the one before it, that take about so many seconds together at most.
    #[must_use]
    pub fn all(seconds: f64) -> Vec<Self> {
        let thorough = Thoroughness::THOROUGH;
        let share = seconds / PARTS;
        let states = Budget {
            seconds: share,
            evaluations: u64::MAX,
            ..thorough.budget
        };
        let second = Self {
            clauses: learn::Effort {
                literals: 3,
                variables: 2,
                mined: true,
                is_ranged: false,
                ..thorough.effort
            },
            learns: true,
            draws: true,
            states,
            rounds: 100,
            until: 3.0 * share,
            work: 3_000_000,
        };
        let first = Self {
            states: Budget {
                visited: 4_000,
                sample: 1000,
                instances: 4,
                tried: 20,
                look: 10_000,
                keeps: true,
                ..states
            },
            until: 2.0 * share,
            ..second
        };
        let third = Self {
            clauses: learn::Effort {
                literals: 4,
                variables: 3,
                prefers: learn::Preference::Simple,
                candidates: 300,
                ..second.clauses
            },
            until: seconds,
            ..second
        };
        let diagrams = Self {
            learns: false,
            until: share,
            ..first
        };
        vec![diagrams, first, second, third]
    }
}
