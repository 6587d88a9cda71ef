//! Why a text cannot be shown as an execution.

use std::fmt;

/// Why a text cannot be shown as an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceError {
    /// It ends too early.
    Incomplete,
    /// It is not JSON.
    NotJson(String),
    /// It is JSON, but not a trace that this tool wrote.
    NotOurs(&'static str),
    /// It does not hold together.
    Malformed {
        /// The way to the place, such as `states.3.val`.
        path: String,
        /// What was expected there.
        expected: &'static str,
    },
    /// No step is that of a component, so that it has to be said whose events these are.
    NoHosts {
        /// The automaton.
        automaton: String,
        /// The sorts there are.
        sorts: Vec<String>,
    },
    /// A host that was asked for is not there.
    UnknownHost {
        /// What was asked for.
        name: String,
        /// What there is instead: components or sorts.
        what: &'static str,
        /// Their names.
        known: Vec<String>,
    },
    /// One sort gives the hosts, not several.
    SeveralSorts,
}

impl TraceError {
    /// That something else was expected at a place of a trace.
    pub(super) fn at(path: impl Into<String>, expected: &'static str) -> Self {
        Self::Malformed {
            path: path.into(),
            expected,
        }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[String]| match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(", "),
        };
        match self {
            Self::Incomplete => write!(f, "this trace is incomplete: the file ends too early"),
            Self::NotJson(why) => write!(f, "this is no trace, which is JSON: {why}"),
            Self::NotOurs(what) => write!(
                f,
                "this is not a trace that ioa wrote: it has no {what}; `ioa run`, `ioa explore` and `ioa pair` write one with --trace"
            ),
            Self::Malformed { path, expected } => {
                write!(
                    f,
                    "this trace contradicts itself: at {path}, expected {expected}"
                )
            }
            Self::NoHosts { automaton, sorts } => write!(
                f,
                "no step of {automaton} is that of a component, and nothing says whose events these are: name the sort \
                 of its processes with --host; there is {}",
                list(sorts)
            ),
            Self::UnknownHost { name, what, known } => {
                write!(f, "no {what} is named {name}; there is {}", list(known))
            }
            Self::SeveralSorts => write!(
                f,
                "the hosts of an automaton that is not a composition are the elements of one sort: say --host once"
            ),
        }
    }
}

impl std::error::Error for TraceError {}
