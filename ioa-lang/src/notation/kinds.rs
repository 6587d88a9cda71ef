//! The distinctions that the language makes by a word or a sign.

/// Who controls an action and who sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// Controlled by the environment, part of the trace.
    Input,
    /// Controlled by the automaton, part of the trace.
    Output,
    /// Controlled by the automaton, seen by no one else.
    Internal,
}

impl ActionKind {
    /// Whether the action belongs to the trace.
    #[must_use]
    pub fn is_external(self) -> bool {
        self != Self::Internal
    }

    /// The keyword.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Internal => "internal",
        }
    }
}

/// Which way a simulation goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From what is related before a low step to what is related after it.
    #[default]
    Forward,
    /// From what is related after a low step back to what is related before it.
    Backward,
}

impl Direction {
    /// The keyword.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
        }
    }
}

/// For all, or there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `\A`
    ForAll,
    /// `\E`
    Exists,
}

/// How often a task must take a step in a fair execution (Lynch 8.3; strong fairness after Lamport, Specifying Systems,
/// 8.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fairness {
    /// If it is enabled from some point on, it takes infinitely many steps.
    #[default]
    Weak,
    /// If it is enabled infinitely often, it takes infinitely many steps.
    Strong,
}
