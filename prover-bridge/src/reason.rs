//! Why there is no answer.

use ioa_lang::Span;

use crate::logic::Unsupported;

/// Why an obligation is neither proved nor refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time allowed for one query ran out.
    Timeout,
    /// The resources allowed for one query ran out.
    ResourceLimit,
    /// The run was asked to stop.
    Stopped,
    /// The obligation has no sound reading in logic.
    OutsideEncoding {
        /// The part of the source that has none.
        span: Option<Span>,
        /// What it is that cannot be said.
        because: String,
    },
    /// The solver gave up, or its countermodel is none of finite sets; in its own words or ours.
    Incomplete(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Timeout => f.write_str("timeout"),
            Self::ResourceLimit => f.write_str("resource limit"),
            Self::Stopped => f.write_str("stopped before it was answered"),
            Self::OutsideEncoding { because, .. } => write!(f, "outside the encoding: {because}"),
            Self::Incomplete(why) => write!(f, "incomplete: {why}"),
        }
    }
}

impl From<Unsupported> for Reason {
    fn from(outside: Unsupported) -> Self {
        Self::OutsideEncoding {
            span: outside.span,
            because: outside.because,
        }
    }
}
