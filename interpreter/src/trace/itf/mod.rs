//! Traces in the Informal Trace Format (ITF JSON).
//!
//! What people and other tools read is where ITF and Quint put it: the variables of each state, the action that led to it,
//! and its parameters. What a replay needs in addition (the clause and the choices) is in each state's `#meta`, together
//! with the participants of a step of a composition. The trace's `#meta` names the model that it belongs to.

mod called;
mod locals;
mod read;
mod write;

use std::collections::BTreeMap;
use std::fmt;

use ioa_lang::core::Fingerprint;

use super::claims::Claim;
use super::json::Mismatch;

pub use called::called;
pub use read::{automaton_of, interpretation, origin, read};
pub use write::write;

const ACTION: &str = "mbt::actionTaken";
const PICKS: &str = "mbt::nondetPicks";
const REPEATS_AFTER: &str = "repeats_after";

/// What a trace file says about its origin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// For people: how the trace was made, and how its run ended.
    pub description: String,
    /// The seed of the run.
    pub seed: Option<u64>,
    /// The files or the folder with the model, as the user named them; none if they were not named.
    pub inputs: Vec<String>,
    /// If the execution is infinite: the number of steps after which the others are repeated forever. If there are no others,
    /// it stays in its last state.
    pub repeats_after: Option<usize>,
}

/// What a trace file says about its model, before the model is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The files or the folder with the model; none if the trace names none.
    pub inputs: Vec<String>,
    /// The sizes of the sorts by name, the derived ones included.
    pub sizes: BTreeMap<String, u64>,
    /// What [`About::repeats_after`] is.
    pub repeats_after: Option<usize>,
}

/// Why a text is not a trace of this instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceError {
    /// It ends too early, like a truncated file.
    Incomplete,
    /// It is not JSON.
    NotJson(String),
    /// It is a trace of another tool.
    NotOurs,
    /// It is not a trace as this tool writes them, or holds a value of the wrong type.
    Malformed {
        /// The path to the place, such as `states.3.val`.
        path: String,
        /// What was expected there.
        expected: String,
    },
    /// It is of an automaton that the model does not have.
    UnknownAutomaton(String),
    /// It was made with other sizes: for each sort that differs, the size then and now.
    OtherSizes(Vec<(String, Option<u64>, Option<u64>)>),
    /// The uninterpreted operators had other values.
    OtherInterpretation,
    /// It says something about the execution that is not true.
    Untrue(Claim),
    /// It is of another model, or the model has changed since.
    OtherModel {
        /// The automaton.
        automaton: String,
        /// The fingerprint in the trace.
        found: String,
        /// The model's.
        expected: Fingerprint,
    },
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Incomplete => write!(f, "the trace is incomplete: the file ends too early"),
            Self::NotJson(why) => write!(f, "this is not JSON: {why}"),
            Self::NotOurs => write!(
                f,
                "this is not a trace that ioa wrote: it has no #meta.ioa; `ioa run`, `ioa explore` and `ioa pair` write one with --trace"
            ),
            Self::Malformed { path, expected } => write!(f, "at {path}: expected {expected}"),
            Self::UnknownAutomaton(name) => {
                write!(
                    f,
                    "the trace is of an automaton {name}, which the model does not have"
                )
            }
            Self::OtherSizes(sizes) => {
                let size = |n: &Option<u64>| n.map_or("no size".to_owned(), |n| n.to_string());
                let sizes = sizes.iter();
                let sizes = sizes
                    .map(|(sort, then, now)| format!("{sort} {} (now {})", size(then), size(now)));
                let sizes: Vec<String> = sizes.collect();
                write!(
                    f,
                    "the trace was made with other sizes: {}",
                    sizes.join(", ")
                )
            }
            Self::OtherInterpretation => write!(
                f,
                "the trace was made with another interpretation of the model's theories"
            ),
            Self::Untrue(claim) => write!(f, "{claim}"),
            Self::OtherModel {
                automaton,
                found,
                expected,
            } => write!(
                f,
                "the trace is of another model, or {automaton} has changed since it was made \
                 (its fingerprint is {found}, the model's is {expected})"
            ),
        }
    }
}

impl std::error::Error for TraceError {}

impl From<Mismatch> for TraceError {
    fn from(mismatch: Mismatch) -> Self {
        let path = if mismatch.path.is_empty() {
            "the top".into()
        } else {
            mismatch.path.join(".")
        };
        Self::Malformed {
            path,
            expected: mismatch.expected,
        }
    }
}
