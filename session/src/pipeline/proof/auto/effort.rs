//! How much is tried, and spent on it.

use std::time::Duration;

use invariants::learn::{self, Less};

use crate::pipeline::candidates::{Budget, Thoroughness, Work};

/// How much is tried, and spent on it.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// What clauses are tried.
    pub clauses: learn::Effort,
    /// Whether it is left out where clauses have no ranges to go through.
    pub needs_ranges: bool,
    /// Whether clauses are learnt from all states at first.
    pub learns: bool,
    /// If of all clauses that hold those are taken which the goals need in small instances: which clauses.
    pub slices: Option<Slices>,
    /// Whether clauses are preferred that are inductive relative to all that is assumed.
    pub prefers_inductive: bool,
    /// Whether clauses are made for the states that they are to exclude: of their diagrams.
    pub draws: bool,
    /// How much less is supposed by what is chosen than by the clauses that were found, where what supposes even less is not inductive; if
    /// this is tried at all.
    pub less: Option<Less>,
    /// What may be spent on states. An effort ends when it has done as much work as that, or not much more.
    pub states: Budget,
    /// Times that the solver is asked about all that is open, at most; 0 where it is only asked whether the candidates suffice that are
    /// inductive by themselves.
    pub rounds: u64,
    /// Seconds after the beginning of all at which it ends in any case.
    pub until: f64,
    /// Work for one question, in the solver's own unit.
    pub work: u32,
}

/// Which clauses the slices are made of.
#[derive(Clone, Copy, Debug)]
pub struct Slices {
    /// So many, the simplest ones, at most.
    pub most: usize,
    /// Whether nothing is looked for where there are more, and clauses with nested quantifiers are not tried.
    pub is_quick: bool,
}

/// Seconds for a search, where nothing else is asked for.
pub const BUDGET: f64 = 300.0;

/// Time for one question to the solver: the work is what ends it.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Work for one question about candidates: of those that take more there are too many.
pub(super) const SIFTING: u32 = 60_000;

/// Seconds for each look at small instances after a proof has failed.
pub(super) const ASIDE: f64 = 10.0;

/// The parts of the time after which the efforts are to end, if one thread makes them all.
const ENDS: [f64; 9] = [0.025, 0.04, 0.075, 0.225, 0.36, 0.44, 0.52, 0.73, 1.0];

/// By the clock an effort may take so many times as long as it is meant to, for a machine may be slow, or busy.
const SLOWLY: f64 = 4.0;

impl Effort {
    /// What is spent on a look at small instances after a proof has failed.
    pub(in crate::pipeline::proof) fn aside() -> Self {
        let few = Self {
            draws: false,
            ..Self::with_few_states()
        };
        few.lasting(ASIDE, ASIDE)
    }

    /// The efforts, the greater ones last, that take about so many seconds of one thread together.
    #[must_use]
    pub fn all(seconds: f64) -> Vec<Self> {
        let mut begins = 0.0;
        let each = Self::kinds().into_iter().zip(ENDS).map(|(effort, end)| {
            let until = end * seconds;
            let effort = effort.lasting(until - begins, until);
            begins = until;
            effort
        });
        each.collect()
    }

    /// The efforts in their order, without limits.
    fn kinds() -> [Self; ENDS.len()] {
        let (few, many) = (Self::with_few_states(), Self::with_many_states());
        let diagrams = Self {
            learns: false,
            less: Some(Less::Differences),
            prefers_inductive: false,
            states: Budget {
                made_up: 800,
                ..few.states
            },
            ..few
        };
        let diagrams_by_induction = Self {
            prefers_inductive: true,
            less: Some(Less::Identities),
            ..diagrams
        };
        let ranged = Self {
            clauses: learn::Effort {
                is_ranged: true,
                ..few.clauses
            },
            needs_ranges: true,
            prefers_inductive: false,
            ..few
        };
        let lean = Self {
            clauses: learn::Effort {
                variables: 3,
                pairs: 0,
                mining: learn::Mining::Nothing,
                is_lean: true,
                ..few.clauses
            },
            slices: Some(Slices {
                most: 4000,
                is_quick: false,
            }),
            draws: false,
            ..few
        };
        let lean_and_quick = Self {
            slices: Some(Slices {
                most: 1200,
                is_quick: true,
            }),
            ..lean
        };
        [
            diagrams,
            Self::at_a_glance(),
            lean_and_quick,
            diagrams_by_induction,
            few,
            ranged,
            many,
            lean,
            Self::as_inferred(),
        ]
    }

    /// What the detector proposes of few states, without a search: enough where that is all that is missing.
    fn at_a_glance() -> Self {
        let few = Self::with_few_states();
        let quick = Thoroughness::QUICK;
        Self {
            rounds: 0,
            draws: false,
            clauses: learn::Effort {
                memory: few.clauses.memory,
                ..quick.effort
            },
            ..few
        }
    }

    /// What `infer` proposes, and the clauses that it can make.
    fn as_inferred() -> Self {
        let thorough = Thoroughness::THOROUGH;
        Self {
            clauses: learn::Effort {
                made_up: thorough.made_up,
                ..thorough.effort
            },
            prefers_inductive: true,
            ..Self::with_many_states()
        }
    }

    /// Clauses of two variables, learnt from few states of few instances.
    fn with_few_states() -> Self {
        let many = Self::with_many_states();
        Self {
            states: Budget {
                visited: 4_000,
                sample: 1000,
                instances: 4,
                tried: 20,
                look: 10_000,
                keeps: true,
                ..many.states
            },
            prefers_inductive: true,
            ..many
        }
    }

    /// The same, learnt from many.
    fn with_many_states() -> Self {
        let thorough = Thoroughness::THOROUGH;
        Self {
            clauses: learn::Effort {
                literals: 3,
                variables: 2,
                mining: learn::Mining::Formulas,
                is_ranged: false,
                is_lean: false,
                ..thorough.effort
            },
            needs_ranges: false,
            learns: true,
            slices: None,
            prefers_inductive: false,
            draws: true,
            less: None,
            states: thorough.budget,
            rounds: 100,
            until: f64::INFINITY,
            work: 3_000_000,
        }
    }

    /// Work for the question which candidates are inductive by themselves, at most.
    pub(super) fn sifting(&self) -> u64 {
        self.states.work / 4 * 3
    }

    /// Work that is left to the search for lemmas, whatever was spent before.
    pub(super) fn searching(&self) -> u64 {
        self.states.work / 4
    }

    /// About how many seconds after the beginning of all it ends.
    pub(super) fn seconds(&self) -> f64 {
        self.until / SLOWLY
    }

    /// The same, for so many seconds, and until so many seconds after the beginning of all.
    fn lasting(self, seconds: f64, until: f64) -> Self {
        Self {
            states: Budget {
                seconds: SLOWLY * seconds,
                work: Work::in_seconds(seconds),
                ..self.states
            },
            until: SLOWLY * until,
            ..self
        }
    }
}
