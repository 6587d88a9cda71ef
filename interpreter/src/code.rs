//! The compiled form: what the core becomes in one finite instance, with places resolved and packings looked up.
//!
//! There are two languages of terms. A [`Word`] computes a `u64`: the code of a packed value, a Boolean as 0 or 1.
//! It has no types left, only bits, and is what a native code generator would translate. A [`General`] computes a
//! [`Cell`] and is for what does not fit a word. Each can hold the other.

use std::sync::Arc;

use ioa_lang::core::{Op, RandomDraw, Store};
use ioa_lang::{Name, Span};

use crate::cell::{Cell, Ranks, Shape};
use crate::layout::{Field, Location};

/// Where a bound variable is kept during evaluation.
pub(crate) type Slot = u32;

/// A term that computes a word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Word {
    Const(u64),
    Load(Store, Field),
    Local(Slot),
    /// 1 for 0 and 0 for 1.
    Not(Box<Word>),
    /// From left to right, as far as needed.
    And(Box<[Word]>),
    /// From left to right, as far as needed.
    Or(Box<[Word]>),
    Implies(Box<[Word; 2]>),
    If(Box<[Word; 3]>),
    Binary(Binary, Box<[Word; 2]>),
    /// `from >> shift & mask`
    Extract {
        from: Box<Word>,
        shift: u32,
        mask: u64,
    },
    /// `value << shift`
    Shift {
        value: Box<Word>,
        shift: u32,
    },
    /// The bits `mask << shift` of the first replaced by the second.
    Update {
        parts: Box<[Word; 2]>,
        shift: u32,
        mask: u64,
    },
    /// Element number two, each `width` bits, of the array one.
    Select {
        parts: Box<[Word; 2]>,
        width: u32,
        mask: u64,
    },
    /// The array one with element number two replaced by three.
    Assign {
        parts: Box<[Word; 3]>,
        width: u32,
        mask: u64,
    },
    /// Bit number two of each of the array's `count` elements, side by side.
    Column {
        parts: Box<[Word; 2]>,
        width: u32,
        count: u32,
    },
    /// The numbers of the elements of array one that equal two, as a mask.
    Matches {
        parts: Box<[Word; 2]>,
        width: u32,
        count: u32,
        mask: u64,
    },
    /// The product with a constant: an element repeated, when the constant has a bit at the start of each place.
    Times(Box<Word>, u64),
    /// `embed`
    Succ(Box<Word>),
    /// `.val`: a fault for 0.
    Val(Box<Word>, Span),
    /// The entry of a table at an index that is known to be in it.
    Table(Arc<[u64]>, Box<Word>),
    /// A loop over a domain.
    Loop(Box<Loop>),
    /// The second, with the first in a slot.
    Let(Slot, Box<[Word; 2]>),
    /// A general term that is known to compute a word.
    Cell(Box<General>),
}

/// The operators on two words that are defined everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Equal,
    Less,
    /// Bitwise and.
    Meet,
    /// Bitwise or.
    Join,
    /// Bitwise exclusive or.
    Differ,
    /// The first without the bits of the second.
    Without,
    /// Whether every bit of the first is one of the second.
    Subset,
    /// Bit number one of the second.
    Member,
    /// The second with bit number one.
    Insert,
    /// The second without bit number one.
    Delete,
}

/// A loop over the values of a bound variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Loop {
    pub(crate) fold: Fold,
    pub(crate) slot: Slot,
    pub(crate) domain: Domain,
    pub(crate) body: Word,
    /// Whether the body is evaluated for every value, even when the outcome is settled. So it must be where it can
    /// fault: whether a quantified formula is defined does not depend on the order of the values.
    pub(crate) exhaustive: bool,
    pub(crate) span: Span,
}

/// How a loop combines the values of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// Whether the body is 1 for all values.
    All,
    /// Whether it is for some value.
    Any,
    /// The mask of the values for which the body is 1.
    Collect,
}

/// The values that a bound variable is tried with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Domain {
    /// The codes `0..n`.
    Below(u64),
    /// The given codes.
    Codes(Arc<[u64]>),
    /// The codes whose bits a mask has.
    Mask(Word),
    /// One value.
    Exactly(Term),
    /// The elements of a general set or sequence.
    Elements(General),
    /// The integers from the greatest of the lower bounds to the least of the upper bounds.
    Between(Box<[Bound]>, Box<[Bound]>, Span),
}

/// A bound of an integer: itself allowed, or not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bound {
    pub(crate) term: General,
    pub(crate) strict: bool,
}

/// A term of either kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    Word(Word),
    General(General),
}

/// A term that computes a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum General {
    Const(Cell),
    Load(Store, u32),
    Local(Slot),
    Word(Box<Word>),
    If(Box<Word>, Box<[General; 2]>),
    Apply(Box<Apply>),
    /// The elements of a domain for which the body is 1, as a set of the values of a binder.
    Collect(Box<Loop>, Binder),
    /// A draw from the run's generator.
    Draw(RandomDraw, Box<[General]>, Span),
    /// The elements of a packed set, as a sequence of words.
    Bits(Box<Word>),
}

/// A built-in operator on cells.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Apply {
    pub(crate) op: Op,
    pub(crate) args: Box<[General]>,
    pub(crate) about: About,
    pub(crate) span: Span,
}

/// What an operator has to know of its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum About {
    Nothing,
    /// The result is a `Nat`.
    Nat,
    /// The array is indexed by rank.
    Ranks(Arc<Ranks>),
    /// The set is a mask.
    Mask,
}

/// A bound variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Binder {
    pub(crate) slot: Slot,
    /// Whether its values are words.
    pub(crate) packed: bool,
    pub(crate) shape: Arc<Shape>,
    pub(crate) name: Name,
}

/// A way to enumerate the valuations of some binders that satisfy a conjunction: each conjunct is evaluated as soon
/// as all the binders it mentions have values.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The conjuncts that mention none of the binders.
    pub(crate) filter: Word,
    /// The binders, in the order in which they get values.
    pub(crate) levels: Box<[Level]>,
    /// Whether a conjunct can fault: then a valuation that is given does not spare the others.
    pub(crate) partial: bool,
    pub(crate) span: Span,
}

/// One binder of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) binder: Binder,
    pub(crate) domain: Domain,
    /// What remains to be checked once it has a value.
    pub(crate) filter: Word,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

/// The forms of a statement. A place inside a variable has become an update of the whole variable.
#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    /// Sets a variable.
    Set(Target, Term),
    /// Sets a binder to a value that the oracle chooses among those of the plan, then a variable.
    Choose {
        plan: Plan,
        binder: Binder,
        /// What a value that is given must satisfy.
        predicate: Word,
        target: Target,
        value: Term,
    },
    If(Box<[(Word, Box<[Stmt]>)]>, Box<[Stmt]>),
    For {
        plan: Plan,
        binder: Binder,
        body: Box<[Stmt]>,
    },
    While(Word, Box<[Stmt]>),
    /// A step of another automaton: which, is for the caller to say.
    Fire(Box<Fire>),
}

/// A variable that a statement sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) store: Store,
    pub(crate) location: Location,
}

/// A `fire` statement.
#[derive(Clone, Debug)]
pub(crate) struct Fire {
    pub(crate) action: ioa_lang::core::ActionId,
    pub(crate) args: Box<[General]>,
    pub(crate) using: Box<[General]>,
}

/// What every compiled item has: its bound variables, and the room they need.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// The named binders, by slot.
    pub(crate) binders: Vec<Binder>,
    /// All slots, those of temporaries included.
    pub(crate) slots: usize,
}

/// A formula over a state, such as an invariant.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) frame: Frame,
    pub(crate) body: Word,
}

/// Statements with their bound variables.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) frame: Frame,
    pub(crate) body: Box<[Stmt]>,
}

impl Word {
    pub(crate) const TRUE: Self = Self::Const(1);
    pub(crate) const FALSE: Self = Self::Const(0);

    pub(crate) fn binary(op: Binary, left: Self, right: Self) -> Self {
        Self::Binary(op, Box::new([left, right]))
    }

    /// The conjunction, from left to right.
    pub(crate) fn all(mut parts: Vec<Self>) -> Self {
        parts.retain(|part| *part != Self::TRUE);
        match parts.len() {
            0 => Self::TRUE,
            1 => parts.remove(0),
            _ => Self::And(parts.into()),
        }
    }
}
