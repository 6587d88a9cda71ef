//! What an answer comes to: its verdict, what it is about, and the exit status.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The answer to one question, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The solver answered `unsat` to every obligation, at every size.
    Proved,
    /// True of every reachable state of a finite instance.
    Explored,
    /// An execution reaches a state that was looked for.
    Found,
    /// The solver found no execution of at most so many steps that shows otherwise, at any size.
    Bounded,
    /// Held on all runs or samples that were made.
    Tested,
    /// An execution shows that it does not hold.
    Violated,
    /// The proof does not go through: there is a counterexample to induction, which need not be reachable.
    Refuted,
    /// Proved with invariants assumed that are not established themselves, which are named.
    Conditional,
    /// No reachable state of a finite instance is one that was looked for.
    Absent,
    /// No answer, with the reason.
    Unknown,
    /// True for a reason that makes it worthless.
    Vacuous,
    /// The question could not be put, or two engines disagree on the answer.
    Error,
}

impl Verdict {
    /// The word for tables and documents.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Explored => "explored",
            Self::Found => "found",
            Self::Bounded => "bounded",
            Self::Tested => "tested",
            Self::Violated => "violated",
            Self::Refuted => "refuted",
            Self::Conditional => "conditional",
            Self::Absent => "absent",
            Self::Unknown => "unknown",
            Self::Vacuous => "vacuous",
            Self::Error => "error",
        }
    }

    /// The exit status that this verdict alone would give.
    #[must_use]
    pub fn status(self) -> Status {
        match self {
            Self::Proved | Self::Explored | Self::Found | Self::Bounded | Self::Tested => {
                Status::Holds
            }
            Self::Violated => Status::Violation,
            Self::Refuted | Self::Conditional | Self::Absent | Self::Unknown | Self::Vacuous => {
                Status::NotEstablished
            }
            Self::Error => Status::BadInput,
        }
    }
}

/// The exit status of a command. Ordered by precedence: of several, the greatest is the command's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Everything asked for holds.
    Holds,
    /// Something is not established.
    NotEstablished,
    /// The user has interrupted the command.
    Interrupted,
    /// An execution shows a violation.
    Violation,
    /// The input or the usage was bad.
    BadInput,
}

impl Status {
    /// The number given to the operating system.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::Violation => 1,
            Self::BadInput => 2,
            Self::NotEstablished => 3,
            Self::Interrupted => 130,
        }
    }
}

/// What a verdict is about: every size, or one finite instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Scope {
    /// Every size of every sort.
    Unbounded(Unbounded),
    /// The sizes of the sorts.
    Sizes(BTreeMap<String, u64>),
}

/// The word `unbounded`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unbounded {
    /// `"unbounded"`
    Unbounded,
}

impl Scope {
    /// Every size.
    pub const UNBOUNDED: Self = Self::Unbounded(Unbounded::Unbounded);

    /// The scope for tables: `every size`, or `Node=3 Value=2`.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Unbounded(_) => "every size".into(),
            Self::Sizes(sizes) => {
                let parts: Vec<String> = sizes.iter().map(|(s, n)| format!("{s}={n}")).collect();
                parts.join(" ")
            }
        }
    }
}
