//! What came of the obligations: verdicts with their reasons and costs.

use std::time::Duration;

use ioa_lang::core::{AutomatonId, TransitionId};
use ioa_lang::{Name, Span};

use crate::counterexample::Counterexample;
use crate::engines::induction::Grounded;
use crate::obligations::Obligation;
use crate::reason::Reason;

/// The answer to one obligation.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The solver answered `unsat` to its negation, for every size of the sorts, and not for want of anything that could
    /// contradict it.
    Proved(Grounded),
    /// The solver answered `unsat`, but to the assumptions alone: nothing was proved of anything. The text says what
    /// there is none of: start states, states that satisfy the invariants and the relation, or steps of the clause.
    Vacuous(String),
    /// There is a counterexample. Nothing says that its states can be reached.
    Refuted(Box<Counterexample>),
    /// The solver answered `unsat` with invariants assumed that are not established themselves.
    ProvedIf(Condition),
    /// None of these.
    Unknown(Reason),
}

/// What a proof waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The invariants: once these are established, so is what is proved, and all that the proof uses besides. As far as is
    /// known, each of them fails by itself, not for want of another.
    pub invariants: Vec<Name>,
    /// A counterexample in which the invariants that are not established need not hold, if one was found.
    pub without: Option<Box<Counterexample>>,
}

impl std::fmt::Display for Condition {
    /// `proved, if Inv1 and Inv3 are`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&proved_if(&self.invariants))
    }
}

/// What is said about something that is proved once these invariants are: `proved, if Inv1 and Inv3 are`.
#[must_use]
pub fn proved_if(invariants: &[Name]) -> String {
    let verb = match invariants {
        [_] => "is",
        _ => "are",
    };
    format!("proved, if {} {verb}", names(invariants))
}

/// Names in a sentence: `Inv1, Inv2 and Inv3`.
#[must_use]
pub fn names<N: AsRef<str>>(of: &[N]) -> String {
    match of {
        [] => "none".into(),
        [only] => only.as_ref().into(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// What came of one obligation.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The obligation.
    pub obligation: Obligation,
    /// The answer.
    pub verdict: Verdict,
    /// How long it took to state and solve, to find out what a proof rests on or lacks, and to look for a counterexample;
    /// by the clock that was passed in.
    pub time: Duration,
    /// What it cost, in Z3's own unit of work, which does not depend on the machine.
    pub resources: u64,
    /// How many questions the solver was asked, those for a smaller counterexample included.
    pub queries: u32,
    /// Invariants without which the proof fails, if that was asked for: a minimal set, not always the only one.
    pub needed: Option<Vec<Name>>,
    /// Further counterexamples, in which it fails for other reasons, if they were asked for.
    pub others: Vec<Counterexample>,
    /// Whether it was proved before and is [recalled](crate::Proofs); work and questions are what it cost then.
    pub recalled: bool,
}

/// What came of all obligations of a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// One outcome for each obligation, in the order of [`obligations`](crate::obligations::obligations).
    pub outcomes: Vec<Outcome>,
    /// For each invariant of the target, whether it is established: it starts true, every clause preserves it, and the
    /// proofs of this use only invariants that are established too.
    pub established: Vec<bool>,
    /// How many questions the solver was asked, those for the warnings aside.
    pub queries: u32,
    /// What is true and hardly meant; it changes no verdict.
    pub warnings: Vec<Warning>,
    /// How long the caller waited for it, by the clock that was passed in.
    pub spent: Spent,
}

/// What the time went to, whatever the number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Asking whether obligations hold, and what their proofs rest on.
    pub proofs: Duration,
    /// Looking for small counterexamples.
    pub counterexamples: Duration,
    /// Looking for what is true and hardly meant.
    pub warnings: Duration,
}

impl Spent {
    /// All of it.
    #[must_use]
    pub fn total(self) -> Duration {
        self.proofs + self.counterexamples + self.warnings
    }
}

/// Something true of a model, at every size or at those that were asked for, that is hardly meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What it is about.
    pub about: About,
    /// What is odd.
    pub what: String,
    /// For what reason.
    pub because: String,
    /// The part of the source to look at.
    pub span: Span,
    /// The parts that contradict it, where it cannot be true for their sake.
    pub with: Vec<Span>,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.what, self.because)
    }
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A transition clause.
    Clause(AutomatonId, TransitionId),
    /// An invariant, by position in the target.
    Invariant(usize),
    /// The theories that an automaton uses.
    Theories(AutomatonId),
}

impl Outcome {
    /// Whether the obligation is proved, of something.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        matches!(self.verdict, Verdict::Proved(_))
    }
}

impl Report {
    /// Whether every obligation is proved.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.outcomes.iter().all(Outcome::is_proved)
    }
}
