//! The compiled form: what the core becomes in one finite instance, with places resolved and packings looked up.
//!
//! There are two languages of terms. A [`Word`] computes a `u64`: the code of a packed value, a Boolean as 0 or 1.
//! It has no types left, only bits, and is what a native code generator translates. A [`General`] computes a
//! [`Cell`] and is for what does not fit a word. Each can hold the other.
//!
//! Where integers have [ranges](finite::Ranges), they are computed as words in two's complement, and a part
//! of a packed value as a code. An integer that is too large for either is no answer: it is noted among the
//! instance's [`RangeOverflows`](crate::RangeOverflows), and the instance is of no more use.

#![expect(
    missing_docs,
    reason = "the sentence above a form names its parts in their order"
)]

use std::sync::Arc;

use ioa_lang::core::{Op, RandomDraw, Store};
use ioa_lang::{Name, Span};

use crate::state::cell::{Cell, Ranks, Shape, Unpacking};
use crate::state::layout::{Field, Location};

/// Where a bound variable is kept during evaluation.
pub type Slot = u32;

/// A term that computes a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// A constant.
    Const(u64),
    /// A packed variable.
    Load(Store, Field),
    /// A bound variable.
    Local(Slot),
    /// 1 for 0 and 0 for 1.
    Not(Box<Word>),
    /// From left to right, as far as needed.
    And(Box<[Word]>),
    /// From left to right, as far as needed.
    Or(Box<[Word]>),
    /// The second, if the first is 1; else 1.
    Implies(Box<[Word; 2]>),
    /// The second or the third, as the first is 1 or 0.
    If(Box<[Word; 3]>),
    /// An operator on two words.
    Binary(Binary, Box<[Word; 2]>),
    /// `from >> shift & mask`
    Extract {
        from: Box<Word>,
        shift: u32,
        mask: u64,
    },
    /// `value << shift`
    Shift { value: Box<Word>, shift: u32 },
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
    /// `.val` or `m[d]` where it is known to have a value, or not to matter: 0 for 0.
    Pred(Box<Word>),
    /// `.val`: a fault for 0.
    Val(Box<Word>, Span),
    /// `m[d]` of the slot it is in: a fault for 0.
    Entry(Box<Word>, Span),
    /// `x.num` of a union: a fault where the value is of another variant.
    Payload(Box<Payload>),
    /// A part of a sequence: a fault where there is none.
    Within(Box<Within>),
    /// The entry of a table at an index that is known to be in it.
    Table(Arc<[u64]>, Box<Word>),
    /// A loop over a domain.
    Loop(Box<Loop>),
    /// The second, with the first in a slot.
    Let(Slot, Box<[Word; 2]>),
    /// A general term that is known to compute a word, or an integer.
    Cell(Box<General>),
    /// The integer whose distance from another is the first.
    Offset(Box<Word>, i64),
    /// The code of an integer at a place that has a range.
    Narrow(Box<Narrow>),
    /// An operator on integers.
    Arith(Box<Arith>),
    /// How many bits are 1.
    Count(Box<Word>),
}

/// The distance of an integer from the lower end of a range: a range overflow where it is beyond the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Narrow {
    pub value: Word,
    /// The lower end.
    pub low: i64,
    /// The greatest distance.
    pub max: u64,
    /// The place that has the range, by its number.
    pub place: u32,
    pub span: Span,
}

/// An operator on one or two integers in two's complement: a range overflow where the result needs more than 64 bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Arith {
    pub op: Op,
    pub parts: Box<[Word]>,
    /// Whether the result is a `Nat`.
    pub nat: bool,
    pub span: Span,
}

/// A value that is there where an index is below a length.
#[derive(Clone, Debug, PartialEq)]
pub struct Within {
    pub index: Word,
    pub length: Word,
    /// It is not computed where the index is beyond the length.
    pub value: Word,
    /// Whether an index was asked for, not just an end of the sequence.
    pub is_index: bool,
    pub span: Span,
}

/// What a union's value carries, if it is of a variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    pub from: Word,
    /// The variant asked for.
    pub variant: u32,
    /// How many bits are below the position of the variant.
    pub width: u32,
    /// The bits of a payload.
    pub mask: u64,
    /// All variants.
    pub names: Arc<[Name]>,
    pub span: Span,
}

/// The operators on two words that are defined everywhere: the bits behind the last one of a word are 0, and stay so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Whether they are equal.
    Equal,
    /// Whether the first is less.
    Less,
    /// Whether the first is less, both being integers.
    SignedLess,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The first without the bits of the second.
    AndNot,
    /// Whether every bit of the first is one of the second.
    Subset,
    /// Bit number one of the second.
    Member,
    /// The second with bit number one.
    Insert,
    /// The second without bit number one.
    Delete,
    /// The sum modulo 2^64.
    Plus,
    /// The difference modulo 2^64.
    Minus,
}

/// A loop over the values of a bound variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub fold: Fold,
    pub slot: Slot,
    pub domain: Domain,
    pub body: Word,
    /// Whether the body is evaluated for every value, even when the outcome is settled. So it must be where it can
    /// fault: whether a quantified formula is defined does not depend on the order of the values.
    pub exhaustive: bool,
    pub span: Span,
}

/// How a loop combines the values of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Whether the body is 1 for all values.
    All,
    /// Whether it is for some value.
    Any,
    /// The mask of the values for which the body is 1.
    Collect,
}

/// The values that a bound variable is tried with.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// The codes `0..n`.
    Below(u64),
    /// The given codes.
    Codes(Arc<[u64]>),
    /// The codes whose bits a mask has.
    Mask(Word),
    /// The codes whose bits some masks have, each of which goes on where the one before ends.
    Masks(Box<[Word]>),
    /// One value.
    Exactly(Term),
    /// The elements of a general set or sequence.
    Elements(General),
    /// The integers from the greatest of the lower bounds to the least of the upper bounds.
    Between(Box<[Bound<General>]>, Box<[Bound<General>]>, Span),
    /// The same, as words.
    Range(Box<[Bound<Word>]>, Box<[Bound<Word>]>, Span),
    /// The elements of a general collection of integers, as words.
    Numbers(General),
    /// What is found at some sources, each value once.
    Found(Box<[Source]>),
}

/// Where values are found: as parts of other values.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The values that they are parts of.
    pub outer: Domain,
    /// Where these stand, one at a time.
    pub slot: Slot,
    /// Whether one of them has such a part.
    pub filter: Word,
    /// The part. Neither of these terms can fault.
    pub value: Term,
}

/// A bound of an integer: itself allowed, or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound<T> {
    pub term: T,
    pub strict: bool,
}

/// A term of either kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    Word(Word),
    /// For a variable that lies in several limbs.
    Limbs(Limbs),
    General(General),
}

/// A term that computes several words: values for some slots, in their order, and then one for each limb.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limbs {
    pub lets: Vec<(Slot, Word)>,
    pub words: Vec<Word>,
}

/// A term that computes a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum General {
    Const(Cell),
    Load(Store, u32),
    Local(Slot),
    Word(Box<Word>),
    /// The integer that a word is in two's complement.
    Number(Box<Word>),
    If(Box<Word>, Box<[General; 2]>),
    Apply(Box<Apply>),
    /// The elements of a domain for which the body is 1, as a set of the values of a binder.
    Collect(Box<Loop>, Binder),
    /// A draw from the run's generator.
    Draw(RandomDraw, Box<[General]>, Span),
    /// The elements of a packed set, as a sequence of words.
    Bits(Box<Word>),
    /// A value that lies in words, as a cell that has its parts.
    Unpacked(Arc<Unpacking>, Box<[Word]>),
    /// The entry of a table at an index that is known to be in it.
    Table(Arc<[Cell]>, Box<Word>),
}

/// A built-in operator on cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Apply {
    pub op: Op,
    pub args: Box<[General]>,
    pub about: About,
    pub span: Span,
}

/// What an operator has to know of its type.
#[derive(Clone, Debug, PartialEq)]
pub enum About {
    Nothing,
    /// The result is a `Nat`.
    Nat,
    /// The array is indexed by rank.
    Ranks(Arc<Ranks>),
    /// The set is a mask.
    Mask,
    /// The variants of the union.
    Variants(Arc<[Name]>),
}

/// A bound variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    pub slot: Slot,
    /// Whether its values are words.
    pub packed: bool,
    pub shape: Arc<Shape>,
    pub name: Name,
}

/// A way to enumerate the valuations of some binders that satisfy a conjunction: each conjunct is evaluated as soon
/// as all the binders it mentions have values.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The conjuncts that mention none of the binders.
    pub filter: Word,
    /// The binders, in the order in which they get values.
    pub levels: Box<[Level]>,
    /// Whether a conjunct can fault: then a valuation that is given does not spare the others.
    pub partial: bool,
    pub span: Span,
}

/// One binder of a plan.
#[derive(Clone, Debug)]
pub struct Level {
    pub binder: Binder,
    pub domain: Domain,
    /// What remains to be checked once it has a value.
    pub filter: Word,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

impl Stmt {
    /// Whether it, or a statement inside it, chooses a value.
    #[must_use]
    pub fn chooses(&self) -> bool {
        match &self.kind {
            StmtKind::Choose { .. } => true,
            StmtKind::If(branches, otherwise) => {
                let mut bodies = branches.iter().map(|(_, body)| body).chain([otherwise]);
                bodies.any(|body| body.iter().any(Self::chooses))
            }
            StmtKind::For { body, .. } | StmtKind::While(_, body) => body.iter().any(Self::chooses),
            StmtKind::Set(..) | StmtKind::Fire(_) | StmtKind::FireAny(_) => false,
        }
    }
}

/// The forms of a statement. A place inside a variable has become an update of the whole variable.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Sets a variable.
    Set(Target, Term),
    /// Sets a binder to a value that the oracle chooses, then a variable.
    Choose {
        choice: Choose,
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
    /// A step that is drawn, and the weights that some actions have.
    FireAny(Box<[(ioa_lang::core::ActionId, f64)]>),
}

/// A choice of a value.
#[derive(Clone, Debug)]
pub struct Choose {
    pub binder: Binder,
    /// The values to choose from; none where a determinator hands out values of a type that cannot be enumerated.
    pub plan: Option<Plan>,
    /// What a value that is given or handed out must satisfy.
    pub predicate: Word,
    pub det: Option<Det>,
    /// The place that gets the value, as it is read; in start programs alone, where a state to be arrived at settles what
    /// is chosen.
    pub place: Option<Term>,
}

/// A determinator: what a run hands out, one row after the other and then from the first again. Which is next is for
/// the run to know.
#[derive(Clone, Debug)]
pub struct Det {
    pub site: Site,
    pub rows: Box<[Row]>,
}

/// A value for each of some bound variables.
#[derive(Clone, Debug)]
pub struct Row {
    pub terms: Box<[Term]>,
    pub span: Span,
}

/// Which determinator of an automaton: the position of its clause, from 1 (0 is for the start states), and its first
/// bound variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    pub item: u32,
    pub slot: Slot,
}

/// A variable that a statement sets.
#[derive(Clone, Debug)]
pub struct Target {
    pub store: Store,
    pub location: Location,
}

/// A `fire` statement.
#[derive(Clone, Debug)]
pub struct Fire {
    pub action: ioa_lang::core::ActionId,
    pub args: Box<[General]>,
    pub using: Box<[General]>,
}

/// What every compiled item has: its bound variables, and the room they need.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The named binders, by slot.
    pub binders: Vec<Binder>,
    /// All slots, those of temporaries included.
    pub slots: usize,
}

/// A formula over a state, such as an invariant.
#[derive(Clone, Debug)]
pub struct Formula {
    pub frame: Frame,
    pub body: Word,
}

/// Statements with their bound variables.
#[derive(Clone, Debug)]
pub struct Program {
    pub frame: Frame,
    pub body: Box<[Stmt]>,
}

impl Word {
    pub const TRUE: Self = Self::Const(1);
    pub const FALSE: Self = Self::Const(0);

    pub fn binary(op: Binary, left: Self, right: Self) -> Self {
        Self::Binary(op, Box::new([left, right]))
    }

    /// Whether evaluating it can end in a fault though evaluating its parts does not. Of arithmetic and of loops this says
    /// nothing: there it depends on the operator and on the domain.
    pub fn can_stop_by_itself(&self) -> bool {
        matches!(
            self,
            Self::Val(..)
                | Self::Entry(..)
                | Self::Payload(_)
                | Self::Within(_)
                | Self::Cell(_)
                | Self::Narrow(_)
        )
    }

    /// The conjunction, from left to right.
    pub fn all(mut parts: Vec<Self>) -> Self {
        parts.retain(|part| *part != Self::TRUE);
        match parts.len() {
            0 => Self::TRUE,
            1 => parts.remove(0),
            _ => Self::And(parts.into()),
        }
    }
}
