//! The failure of a claim that a simulation makes, as plain data.

use interpreter::run::Violation;
use interpreter::{Change, Fault, Limit, Reason, Refusal};
use ioa_lang::core::ActionKind;
use ioa_lang::{Name, Span, Value};

/// The first claim that failed, with what led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The low step, from 1; 0 if the start states do not correspond.
    pub step: u64,
    /// The low step; none at the start.
    pub low: Option<LowStep>,
    /// The low state before the step (or the start state), and what the step changed.
    pub low_state: Shown,
    /// The high steps that the proof block fired for it, in order. The last one may be the one that failed.
    pub high: Vec<HighStep>,
    /// The high state before them (or the start state), and what all of them changed; none if the high automaton has no
    /// start state.
    pub high_state: Option<Shown>,
    /// The proof block's own variables.
    pub own: Vec<(Name, Value)>,
    /// What failed.
    pub cause: Cause,
}

/// A step of the low automaton.
#[derive(Clone, Debug, PartialEq)]
pub struct LowStep {
    /// The kind of the action.
    pub kind: ActionKind,
    /// The action.
    pub action: Name,
    /// Its parameters.
    pub params: Vec<Value>,
}

/// A step of the high automaton, or the attempt at one.
#[derive(Clone, Debug, PartialEq)]
pub struct HighStep {
    /// The kind of the action.
    pub kind: ActionKind,
    /// The action.
    pub action: Name,
    /// Its parameters.
    pub params: Vec<Value>,
    /// The `fire` statement.
    pub span: Span,
    /// Whether it was taken.
    pub taken: bool,
    /// What it changed.
    pub changes: Vec<Change>,
}

/// A high state with the steps that lead to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The high steps that the proof block fired for one low step; none for the start state.
    pub steps: Vec<HighStep>,
    /// The variables of the high automaton with their values after that.
    pub state: Vec<(Name, Value)>,
}

/// Two states of one automaton: the first in full, and the changes that lead to the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The variables with their values before.
    pub before: Vec<(Name, Value)>,
    /// The variables with their values after.
    pub after: Vec<(Name, Value)>,
    /// What changed.
    pub changes: Vec<Change>,
}

/// The part of a simulation that is to blame: one of the automata, the proof block or the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The high automaton.
    High,
    /// The proof block.
    Block,
    /// The relation.
    Relation,
}

/// What failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// The state with which the proof block begins is not a start state of the high automaton.
    NotAStart,
    /// A high action that the block fired (the last of [`Failure::high`]) is not enabled.
    Disabled(Refusal),
    /// Invariants of the high automaton are false after its last step, or in its start state.
    Violated(Vec<Violation>),
    /// The high steps have another trace than the low step.
    Trace {
        /// The external action of the low step; none if it is internal.
        low: Option<(Name, Vec<Value>)>,
        /// The external actions of the high steps.
        high: Vec<(Name, Vec<Value>)>,
    },
    /// The relation does not hold after the step: its false conjuncts.
    NotRelated(Vec<Reason>),
    /// A run-time error of the model.
    Fault(Side, Fault),
    /// A limit of this program was reached; nothing is known to be wrong with the model.
    Limit(Side, Limit),
}
