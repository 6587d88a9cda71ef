//! What can go wrong: a *fault* is a run-time error of the model, and a result to be shown; a *limit* is one of this
//! program.

use std::fmt;
use std::mem::discriminant;

use ioa_lang::core::ActionId;
use ioa_lang::{Name, Span, Value};

/// A run-time error of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// What of the model was evaluated.
    pub item: Item,
    /// The term or statement where it went wrong.
    pub span: Span,
    /// The bound variables in scope there, outermost first.
    pub bindings: Vec<(Name, Value)>,
}

impl Fault {
    /// Whether another error is of the same kind in the same item, whatever the values with which it occurs.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        self.item == other.item && discriminant(&self.kind) == discriminant(&other.kind)
    }
}

/// An item of the model that is evaluated as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Item {
    /// The start program of an automaton, or its condition.
    Start,
    /// The clauses of an action.
    Action(ActionId),
    /// An invariant, by position in the model.
    Invariant(usize),
    /// The relation of a simulation.
    Relation,
    /// What a proof block does at the start.
    Initially,
    /// The entry of a proof block for a low action.
    Entry(ActionId),
    /// Something else, such as a schedule or a term that is asked about.
    #[default]
    Other,
}

/// The run-time errors of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// `head`, `tail`, `last` or `init` of an empty sequence.
    EmptySequence,
    /// `.val` of `nil`.
    ValueOfNil,
    /// A `Nat` below zero.
    NegativeNat,
    /// `div`, `mod` or `/` by zero.
    DivisionByZero,
    /// `m[d]` where the map `m` has no entry for `d`.
    UndefinedEntry,
    /// `x.num` of a value that is of another variant.
    OtherVariant {
        /// The requested variant.
        expected: Name,
        /// The variant of the value.
        found: Name,
    },
    /// `s[n]` where `n` is not below `len(s)`.
    IndexOutOfRange {
        /// The index.
        index: String,
        /// The length of the sequence.
        len: usize,
    },
    /// A `choose` whose predicate no value satisfies.
    NothingToChoose,
    /// A value given for a `choose` (by `using`, or by a recorded trace) violates its predicate.
    BadChoice,
    /// A value that a determinator yields violates the predicate of the choice.
    BadYield,
    /// More values given by `using` than the transition has choices.
    UnusedChoice,
    /// No state after the effect satisfies `ensuring`.
    NoOutcome,
    /// The action is an input of a component that has no clause for these parameters.
    RefusedInput {
        /// The component.
        component: Name,
    },
    /// No state satisfies the start condition.
    NoStart,
    /// `randomInt(lo, hi)` with `hi < lo`, or `chooseRandom({})`.
    EmptyDraw,
    /// A term names an element that its sort does not have in the finite instance.
    NoSuchElement {
        /// The element, such as `Node#7`.
        element: String,
    },
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptySequence => write!(f, "the sequence is empty"),
            Self::ValueOfNil => write!(f, "nil has no value"),
            Self::NegativeNat => write!(f, "a Nat cannot be below zero"),
            Self::DivisionByZero => write!(f, "division by zero"),
            Self::UndefinedEntry => write!(f, "the map has no entry for this key"),
            Self::OtherVariant { expected, found } => {
                write!(f, "the value is of variant {found}, not {expected}")
            }
            Self::IndexOutOfRange { index, len } => {
                write!(
                    f,
                    "index {index} is out of range: the sequence has {len} elements"
                )
            }
            Self::NothingToChoose => write!(f, "no value satisfies the predicate of the choose"),
            Self::BadChoice => write!(f, "the given value breaks the predicate of the choose"),
            Self::BadYield => {
                write!(
                    f,
                    "the value that the determinator yields breaks the predicate of the choose"
                )
            }
            Self::UnusedChoice => {
                write!(f, "more values are given than the transition has choices")
            }
            Self::NoOutcome => write!(f, "no state after the effect satisfies the ensuring clause"),
            Self::RefusedInput { component } => write!(
                f,
                "the action is an input of {component}, which has no clause for these parameters: an input is never refused"
            ),
            Self::NoStart => write!(f, "no state satisfies the start condition"),
            Self::EmptyDraw => write!(f, "there is nothing to draw from"),
            Self::NoSuchElement { element } => {
                write!(f, "{element} does not exist at the given size of its sort")
            }
        }
    }
}

/// A limit of this program that was reached; see [`crate::interrupt::limits`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Which.
    pub kind: LimitKind,
    /// Where.
    pub span: Span,
}

/// The bounds of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// Too much work in one operation: a loop that never ends, or quantifiers over very many values.
    Work,
    /// An integer, or a term of a fraction, with too many bits.
    Integer,
    /// A set, multiset, sequence, map, array or string with too many elements.
    Value,
    /// Too many integers between the bounds of a variable.
    Domain,
    /// Too many ways to resolve the choices of one step.
    Outcomes,
    /// Too many high steps in answer to one low step.
    Fragment,
    /// An integer that does not fit the bits set aside for it; see [`RangeOverflows`](crate::RangeOverflows).
    RangeOverflow,
    /// More results than there is memory for.
    Memory,
    /// It was stopped from outside; see [`Cancel`](crate::Cancel).
    Cancelled,
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::interrupt::limits::{
            MAX_DOMAIN, MAX_FRAGMENT, MAX_INTEGER_BITS, MAX_OUTCOMES, MAX_PARTS,
        };
        match self {
            Self::Work => write!(
                f,
                "this is too much work: a loop without end, or quantifiers over too many values"
            ),
            Self::Integer => write!(f, "an integer has more than {MAX_INTEGER_BITS} bits"),
            Self::Value => write!(f, "a value has more than {MAX_PARTS} parts"),
            Self::Domain => write!(f, "more than {MAX_DOMAIN} values are to be tried"),
            Self::Outcomes => write!(f, "more than {MAX_OUTCOMES} ways to resolve the choices"),
            Self::Fragment => write!(f, "more than {MAX_FRAGMENT} high steps answer one low step"),
            Self::RangeOverflow => write!(f, "an integer does not fit the bits set aside for it"),
            Self::Memory => write!(f, "there is not enough memory for all results"),
            Self::Cancelled => write!(f, "it was stopped before it was done"),
        }
    }
}

/// Why an operation has no result: the model has an error, or a limit of this program was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// A run-time error of the model: a result to be shown.
    Fault(Fault),
    /// A limit of this program.
    Limit(Limit),
}

/// Why an operation on values has no result, without a place in the source, which the caller adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnplacedInterrupt {
    Fault(FaultKind),
    Limit(LimitKind),
}

impl From<FaultKind> for UnplacedInterrupt {
    fn from(kind: FaultKind) -> Self {
        Self::Fault(kind)
    }
}

impl From<LimitKind> for UnplacedInterrupt {
    fn from(kind: LimitKind) -> Self {
        Self::Limit(kind)
    }
}
