//! The compiled form of the core in one finite instance, in which the places of variables are resolved and their packings
//! known.
//!
//! There are two languages of terms. A [`Word`] computes a `u64`: the code of a packed value, a Boolean as 0 or 1.
//! It has no types left, only bits, and is what a native code generator translates. A [`General`] computes a
//! [`Cell`] and is for what does not fit a word. Each can hold the other.
//!
//! Where integers have [ranges](finite::Ranges), they are computed as words in two's complement, and a part of a packed
//! value as a code. An integer that is too large for either has no result: it is recorded in the instance's
//! [`RangeOverflows`](crate::RangeOverflows), and the instance cannot be used any more.

#![expect(
    missing_docs,
    reason = "the sentence above a form names its parts in their order"
)]

mod children;
pub(crate) mod inputs;
mod item;
mod statement;

use std::sync::Arc;

use finite::{Dictionary, Elements, Slice, low_bits};
use ioa_lang::core::{Op, RandomDraw, Store};
use ioa_lang::{Name, Span};

pub use inputs::Input;
pub use item::{Formula, Frame, Program};
pub use statement::{Choose, Det, Fire, Row, Site, Stmt, StmtKind, Target};

use crate::state::cell::{Cell, Key, Order, Ranks, Shape, Unpacking, key};
use crate::state::layout::Field;

/// Where a bound variable is stored during evaluation.
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
    /// Evaluated from left to right, as far as needed.
    And(Box<[Word]>),
    /// Evaluated from left to right, as far as needed.
    Or(Box<[Word]>),
    /// The second if the first is 1, otherwise 1.
    Implies(Box<[Word; 2]>),
    /// The second if the first is 1, the third if it is 0.
    If(Box<[Word; 3]>),
    /// An operator on two words.
    Binary(Binary, Box<[Word; 2]>),
    /// The code in some bits of a word.
    Extract { from: Box<Word>, slice: Slice },
    /// `value << shift`
    Shift { value: Box<Word>, shift: u32 },
    /// The first with the code in some of its bits replaced by the second.
    Update { parts: Box<[Word; 2]>, slice: Slice },
    /// The element of the first, an array, at the index given by the second.
    Select {
        parts: Box<[Word; 2]>,
        elements: Elements,
    },
    /// The first, an array, with the element at the index given by the second replaced by the third.
    Assign {
        parts: Box<[Word; 3]>,
        elements: Elements,
    },
    /// The bits, side by side, at the position given by the second in each of the `count` elements of the first.
    Column {
        parts: Box<[Word; 2]>,
        elements: Elements,
        count: u32,
    },
    /// The mask of the indices at which the first `count` elements of the first, an array, equal the second.
    Matches {
        parts: Box<[Word; 2]>,
        elements: Elements,
        count: u32,
    },
    /// The product with a constant: it repeats an element if the constant has a bit at the start of each place.
    Times(Box<Word>, u64),
    /// `embed`
    Succ(Box<Word>),
    /// `.val` or `m[d]` if it is known to have a value or not to matter; 0 for 0.
    Pred(Box<Word>),
    /// `.val`; 0 is a fault.
    Val(Box<Word>, Span),
    /// `m[d]`, given the slot of `d`; 0 is a fault.
    Entry(Box<Word>, Span),
    /// `x.num` of a union; a value of another variant is a fault.
    Payload(Box<Payload>),
    /// A part of a sequence; it is a fault if there is none.
    Within(Box<Within>),
    /// The entry of a table at an index that is known to be valid.
    Table(Arc<[u64]>, Box<Word>),
    /// A loop over a domain.
    Loop(Box<Loop>),
    /// The second, evaluated with the value of the first in a slot.
    Let(Slot, Box<[Word; 2]>),
    /// A general term that is known to compute a word, or an integer.
    Cell(Box<General>),
    /// The integer at a given distance from another.
    Offset(Box<Word>, i64),
    /// The code of an integer at a place that has a range.
    Narrow(Box<Narrow>),
    /// The number of an element in a dictionary.
    Number(Box<Numbering>),
    /// The code of an element, given its number.
    Element(Box<Element>),
    /// An operator on integers.
    Arith(Box<Arith>),
    /// How many bits are 1.
    Count(Box<Word>),
}

/// The distance of an integer from the lower end of a range. An integer outside the range is a range overflow.
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

/// The number of a code in a dictionary.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbering {
    pub code: Word,
    pub dictionary: Arc<Dictionary>,
    pub unnumbered: Unnumbered,
}

/// The code with a number in a dictionary.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub number: Word,
    pub dictionary: Arc<Dictionary>,
    /// The greatest code that it can be.
    pub max: u64,
}

/// What comes of a code that has no number in a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnumbered {
    /// A number that nothing has: the room of the dictionary.
    IsNone,
    /// A range overflow at the place with this number, for a term there.
    Overflows(u32, Span),
}

/// An operator on one or two integers in two's complement. A result that needs more than 64 bits is a range overflow.
#[derive(Clone, Debug, PartialEq)]
pub struct Arith {
    pub op: Op,
    pub parts: Box<[Word]>,
    /// Whether the result is a `Nat`.
    pub nat: bool,
    pub span: Span,
}

/// A value that exists if an index is below a length.
#[derive(Clone, Debug, PartialEq)]
pub struct Within {
    pub index: Word,
    pub length: Word,
    /// The value; it is not computed if the index is not below the length.
    pub value: Word,
    /// Whether the term has an index, rather than naming an end of the sequence.
    pub is_index: bool,
    pub span: Span,
}

/// The payload of a union's value, if it is of a given variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    pub from: Word,
    /// The requested variant.
    pub variant: u32,
    /// The code of its first payload.
    pub begin: u64,
    /// The greatest distance from there.
    pub max: u64,
    /// All variants, each with the code of its first payload.
    pub variants: Arc<[(u64, Name)]>,
    pub span: Span,
}

/// The total operators on two words. A position past the end of a word reads as 0, and cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Whether they are equal.
    Equal,
    /// Whether the first is less.
    Less,
    /// Whether the first is less, as signed integers.
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
    /// Whether the body is evaluated for every value, even when the outcome is known. This is necessary if it can fault:
    /// whether a quantified formula is defined must not depend on the order of the values.
    pub exhaustive: bool,
    pub span: Span,
}

/// How a loop combines the values of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Whether the body is 1 for all values.
    All,
    /// Whether the body is 1 for some value.
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
    /// The positions of the bits of a mask.
    Mask(Word),
    /// The positions of the bits of several masks, each of which continues the one before.
    Masks(Box<[Word]>),
    /// The codes that have these positions as their numbers in a dictionary.
    Numbered(Box<Numbered>),
    /// One value.
    Exactly(Term),
    /// The values of some terms, each once.
    OneOf(Box<[Case]>),
    /// The elements of a general set or sequence.
    Elements(General),
    /// The integers from the greatest of the lower bounds to the least of the upper bounds.
    Between(Box<[Bound<General>]>, Box<[Bound<General>]>, Span),
    /// The same range, with the integers as words.
    Range(Box<[Bound<Word>]>, Box<[Bound<Word>]>, Span),
    /// The elements of a general collection of integers, as words.
    Numbers(General),
    /// The values found at some sources, each once.
    Found(Box<[Source]>),
}

impl Domain {
    /// The positions of the bits of one or several masks, each of which continues the one before.
    #[must_use]
    pub fn in_words(masks: Box<[Word]>) -> Self {
        match &*masks {
            [mask] => Self::Mask(mask.clone()),
            _ => Self::Masks(masks),
        }
    }
}

/// Elements given by their numbers in a dictionary.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbered {
    /// Masks of the numbers, each of which continues the one before.
    pub masks: Box<[Word]>,
    pub dictionary: Arc<Dictionary>,
    /// The greatest code that an element can have.
    pub last: u64,
    /// Only the codes from the first to the second of these are meant, and what is meant is their distance from the first.
    pub codes: (u64, u64),
    /// A slot for a number.
    pub slot: Slot,
}

impl Numbered {
    /// The greatest value.
    #[must_use]
    pub fn max(&self) -> u64 {
        self.codes.1 - self.codes.0
    }

    /// The numbers as a domain.
    #[must_use]
    pub fn numbers(&self) -> Domain {
        Domain::in_words(self.masks.clone())
    }

    /// The distance of the code from the first, where its number is in the slot.
    fn distance(&self) -> Word {
        let element = Word::Element(Box::new(Element {
            number: Word::Local(self.slot),
            dictionary: Arc::clone(&self.dictionary),
            max: self.last,
        }));
        match self.codes.0 {
            0 => element,
            first => Word::binary(Binary::Minus, element, Word::Const(first)),
        }
    }

    /// The value whose number is in the slot; 0 if it is not meant.
    #[must_use]
    pub fn value(&self) -> Word {
        let Some(is_meant) = self.is_meant() else {
            return self.distance();
        };
        let value = Word::If(Box::new([is_meant, self.distance(), Word::FALSE]));
        // Whoever reads this sees how large it can be.
        let bits = Word::Const(low_bits(u64::BITS - self.max().leading_zeros()));
        Word::binary(Binary::And, value, bits)
    }

    /// Whether that value is meant, if not all are.
    #[must_use]
    pub fn is_meant(&self) -> Option<Word> {
        let end = || Word::Const(self.max() + 1);
        let is_meant = || Word::binary(Binary::Less, self.distance(), end());
        (self.codes != (0, self.last)).then(is_meant)
    }

    /// A term about the value in another slot, said of the value whose number is in this one.
    #[must_use]
    pub fn said_of(&self, value: Slot, term: Word) -> Word {
        match term {
            Word::Const(_) => term,
            term => Word::Let(value, Box::new([self.value(), term])),
        }
    }
}

/// A term that gives a value in some cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Whether it does. This cannot fault.
    pub given: Word,
    /// The value. It is not computed where there is none, and cannot fault where there is one.
    pub value: Word,
}

/// A source of values: they are parts of other values.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Whether there are values at all. Nothing else is computed where it is false, and it cannot fault.
    pub given: Word,
    /// The values that they are parts of.
    pub outer: Domain,
    /// The slot that holds these values, one at a time.
    pub slot: Slot,
    /// Whether the value in the slot has such a part.
    pub filter: Word,
    /// The part. Neither of these two terms can fault.
    pub value: Term,
}

/// A bound of an integer, inclusive or exclusive.
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

/// A term that computes several words: it first sets some slots, in order, and then computes a word for each limb.
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
    /// An array by its entries.
    Entries(Box<Entries>),
    /// A random draw from the run's generator.
    Draw(RandomDraw, Box<[General]>, Span),
    /// The elements of a packed set, as a sequence of words.
    Bits(Box<Word>),
    /// A packed value, as a cell with the same parts.
    Unpacked(Arc<Unpacking>, Box<[Word]>),
    /// The entry of a table at an index that is known to be valid.
    Table(Arc<[Cell]>, Box<Word>),
}

/// An array, by a term for the entry at each index.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries {
    /// The slot that holds the index, one at a time.
    pub slot: Slot,
    /// The codes of all indices, in ascending order.
    pub indices: Arc<[u64]>,
    pub entry: General,
    pub span: Span,
}

/// A built-in operator on cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Apply {
    pub op: Op,
    pub args: Box<[General]>,
    pub about: TypeInfo,
    pub span: Span,
}

/// What an operator must know about its types.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeInfo {
    Nothing,
    /// The result is a `Nat`.
    Nat,
    /// The array is indexed by rank.
    Ranks(Arc<Ranks>),
    /// The set is a mask.
    Mask,
    /// The array has so many elements.
    Count(i64),
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
    /// The order in which its values are counted when one is drawn, where that is not the order of codes.
    pub(crate) order: Option<Arc<Order>>,
    /// Whether its values may be found in the order of their numbers in a dictionary.
    pub(crate) may_be_numbered: bool,
    pub name: Name,
}

impl Binder {
    /// What a value is compared by when one is drawn.
    pub(crate) fn key(&self, value: &Cell) -> Key {
        key(&self.shape, self.order.as_deref(), value)
    }
}

/// Whether valuations of some parameters are not counted in the order in which they are found.
pub(crate) fn are_ordered(binders: &[Binder]) -> bool {
    let by_key = |binder: &Binder| binder.order.is_some() || binder.may_be_numbered;
    binders.iter().any(by_key)
}

/// What values of some variables are compared by when such values are drawn together.
pub(crate) fn keys(binders: &[Binder], values: &[Cell]) -> Vec<Key> {
    let pairs = binders.iter().zip(values);
    pairs.map(|(binder, value)| binder.key(value)).collect()
}

/// Which of so many valuations of some variables a draw of a position means, by their places in the order in which they are found.
pub(crate) fn drawn(
    binders: &[Binder],
    (count, position): (usize, usize),
    values: impl Fn(usize) -> Vec<Cell>,
) -> usize {
    if count == 1 || !are_ordered(binders) {
        return position;
    }
    let mut found: Vec<(Vec<Key>, usize)> = (0..count)
        .map(|at| (keys(binders, &values(at)), at))
        .collect();
    let (_, (_, at), _) = found.select_nth_unstable(position);
    *at
}

/// A plan that enumerates the valuations of some binders that satisfy a conjunction. Each conjunct is evaluated as soon as
/// all the binders it mentions have values.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The conjuncts that mention none of the binders.
    pub filter: Word,
    /// The binders, in the order in which they get values.
    pub levels: Box<[Level]>,
    /// Whether a conjunct can fault. Then all valuations must be evaluated, even if one is given.
    pub partial: bool,
    pub span: Span,
}

/// One binder of a plan.
#[derive(Clone, Debug)]
pub struct Level {
    pub binder: Binder,
    pub domain: Domain,
    /// The conjuncts to check once it has a value.
    pub filter: Word,
}

impl Word {
    pub const TRUE: Self = Self::Const(1);
    pub const FALSE: Self = Self::Const(0);

    pub fn binary(op: Binary, left: Self, right: Self) -> Self {
        Self::Binary(op, Box::new([left, right]))
    }

    /// Whether evaluating the term can fault although its parts do not. This does not cover arithmetic and loops, where it
    /// depends on the operator and the domain.
    pub fn can_stop_by_itself(&self) -> bool {
        matches!(
            self,
            Self::Val(..)
                | Self::Entry(..)
                | Self::Payload(_)
                | Self::Within(_)
                | Self::Cell(_)
                | Self::Narrow(_)
        ) || matches!(self, Self::Number(n) if n.unnumbered != Unnumbered::IsNone)
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
