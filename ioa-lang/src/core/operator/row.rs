//! What a row of the table of operators says.

use super::interval::Bounds;
use super::{Interval, Op};
use crate::core::types::Type;
use crate::notation::{Infix, Level, Prefix};

/// What an operator is about. Its readers treat the operators of a family in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpFamily {
    /// The connectives.
    Logic,
    /// `=`
    Equality,
    /// `<` and `<=`
    Order,
    /// Operations of numbers.
    Arithmetic,
    /// Sets.
    Set,
    /// Arrays.
    Array,
    /// Maps.
    Map,
    /// Multisets.
    Multiset,
    /// Sequences.
    Sequence,
    /// Values that may be `nil`.
    Null,
    /// Tuples.
    Tuple,
    /// Unions.
    Union,
}

/// How an application is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A sign between the arguments.
    Infix(Infix),
    /// A sign before the argument.
    Prefix(Prefix),
    /// `f(a, b)`; without arguments, the name alone.
    Function(&'static str),
    /// A literal without arguments.
    Literal(&'static str),
    /// `a[i]`
    Index,
    /// `x.f`, where `f` is the name of the part.
    Part,
    /// `set_f(x, e)`
    Update,
    /// `f(e)`, where `f` is the name of the variant.
    Variant,
    /// `[a, b, c]`
    Brackets,
    /// The argument alone: the operator shows in the types only.
    Silent,
}

/// A type with variables, in the typing of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `Bool`
    Bool,
    /// `Nat`
    Nat,
    /// `Int`; as a parameter, `Nat` is welcome too.
    Int,
    /// `Real`; as a parameter, the other numbers are welcome too.
    Real,
    /// `Char`
    Char,
    /// `String`
    String,
    /// Any type, the same wherever the variable occurs.
    Var(usize),
    /// An uninterpreted sort, the same wherever the variable occurs.
    Sort(usize),
    /// `Set[..]`
    Set(&'static Pattern),
    /// `Mset[..]`
    Mset(&'static Pattern),
    /// `Seq[..]`
    Seq(&'static Pattern),
    /// `Null[..]`
    Null(&'static Pattern),
    /// `Array[.., ..]`
    Array(&'static Pattern, &'static Pattern),
    /// `Map[.., ..]`
    Map(&'static Pattern, &'static Pattern),
}

impl Pattern {
    /// What collections have: elements, entries, what may be `nil`.
    pub const ELEMENT: Self = Self::Var(0);
    /// What arrays and maps are applied to.
    pub const INDEX: Self = Self::Var(1);
    pub(super) const SET: Self = Self::Set(&Self::ELEMENT);
    pub(super) const MSET: Self = Self::Mset(&Self::ELEMENT);
    pub(super) const SEQ: Self = Self::Seq(&Self::ELEMENT);
    pub(super) const NULL: Self = Self::Null(&Self::ELEMENT);
    pub(super) const ARRAY: Self = Self::Array(&Self::INDEX, &Self::ELEMENT);
    pub(super) const MAP: Self = Self::Map(&Self::INDEX, &Self::ELEMENT);
}

/// One of the types of an operator.
#[derive(Clone, Copy, Debug)]
pub struct Typing {
    /// The types of the arguments; `/\` and `\/` may have more arguments, of the same type.
    pub params: &'static [Pattern],
    /// The type of the result.
    pub result: Pattern,
}

/// Why a partial operator has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Undefined {
    /// The result of type `Nat` would be below zero.
    NegativeNat,
    /// The second argument is zero.
    DivisionByZero,
    /// The sequence is empty.
    EmptySequence,
    /// The sequence ends before the index.
    OutOfRange,
    /// The map has no entry for the key.
    NoEntry,
    /// The value is `nil`.
    NoValue,
    /// The union's value is of another variant.
    WrongVariant,
}

impl Undefined {
    /// What went wrong, for people.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::NegativeNat => "a Nat below zero",
            Self::DivisionByZero => "division by zero",
            Self::EmptySequence => {
                "an operator that needs an element, applied to an empty sequence"
            }
            Self::OutOfRange => "an index beyond the end of a sequence",
            Self::NoEntry => "a map has no entry there",
            Self::NoValue => "`.val` of nil",
            Self::WrongVariant => "a union's value of another variant",
        }
    }
}

/// How an operator that is applied to an old value again and again changes it, in whatever order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accumulation {
    /// A collection gets more members.
    Grow,
    /// A collection gets fewer members.
    Shrink,
    /// Something is added to a number.
    Sum,
}

/// What is known about an operator.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What it is about.
    pub family: OpFamily,
    /// How it is written.
    pub form: Form,
    /// Its types; of several that fit, the first is taken. An operator on the parts of a declared type has none: its
    /// type follows from the declaration.
    pub typings: &'static [Typing],
    /// Why it can be undefined, if it can.
    pub(super) undefined: Option<Undefined>,
    /// Whether it builds a collection from elements, which are all in it, and from collections of the same type.
    pub builds: bool,
    /// The value of an argument after which the next one matters; after the other value it is not evaluated, so an argument
    /// guards those after it. Nothing if all arguments are evaluated anyway.
    pub guards: Option<bool>,
    /// How it accumulates, and at which argument the old value stands.
    pub accumulation: Option<(Accumulation, usize)>,
    /// Between which integers its result lies.
    pub(super) bounds: Option<Bounds>,
}

impl Row {
    pub(super) const fn of(family: OpFamily, form: Form, typings: &'static [Typing]) -> Self {
        Self {
            family,
            form,
            typings,
            undefined: None,
            builds: false,
            guards: None,
            accumulation: None,
            bounds: None,
        }
    }

    pub(super) const fn undefined(self, why: Undefined) -> Self {
        let undefined = Some(why);
        Self { undefined, ..self }
    }

    pub(super) const fn building(self) -> Self {
        Self {
            builds: true,
            ..self
        }
    }

    pub(super) const fn guarding(self, goes_on_if: bool) -> Self {
        let guards = Some(goes_on_if);
        Self { guards, ..self }
    }

    pub(super) const fn accumulating(self, how: Accumulation, old: usize) -> Self {
        let accumulation = Some((how, old));
        Self {
            accumulation,
            ..self
        }
    }

    pub(super) const fn bounded(self, bounds: Bounds) -> Self {
        let bounds = Some(bounds);
        Self { bounds, ..self }
    }
}

impl Op {
    /// What it is about.
    #[must_use]
    pub fn family(self) -> OpFamily {
        self.row().family
    }

    /// How it is written.
    #[must_use]
    pub fn form(self) -> Form {
        self.row().form
    }

    /// The sign between two terms that it is written as, if it is written so.
    #[must_use]
    pub fn infix(self) -> Option<Infix> {
        match self.form() {
            Form::Infix(sign) => Some(sign),
            _ => None,
        }
    }

    /// The operator that relates the exchanged arguments if and only if this one does not relate them: `b <= a` for `a < b`.
    #[must_use]
    pub fn opposite(self) -> Option<Self> {
        match self {
            Self::Lt => Some(Self::Le),
            Self::Le => Some(Self::Lt),
            _ => None,
        }
    }

    /// The sign that its negation is written as, if there is one: `~=` for `=`.
    pub(crate) fn negation(self) -> Option<Infix> {
        self.infix()?.negation()
    }

    /// How tightly an application holds together.
    pub(crate) fn level(self) -> Level {
        match self.form() {
            Form::Infix(sign) => sign.row().level,
            Form::Prefix(sign) => sign.level(),
            _ => Level::Postfix,
        }
    }

    /// The operators that are written in this form: one for each kind of value that it is defined for.
    pub(crate) fn written_as(form: Form) -> impl Iterator<Item = Self> {
        let operators = Self::ALL.iter().copied();
        operators.filter(move |op| op.form() == form)
    }

    /// Whether it is written like another, which does the same to a collection of another kind.
    #[must_use]
    pub fn is_like(self, other: Self) -> bool {
        self.form() == other.form()
    }

    /// The position of the part that it is about, among the fields of a tuple or the variants of a union.
    #[must_use]
    pub fn part(self) -> u32 {
        match self {
            Self::Field(part)
            | Self::SetField(part)
            | Self::Variant(part)
            | Self::Payload(part) => part,
            _ => 0,
        }
    }

    /// Why it can be undefined where its result is of type `result`; nothing if it is defined for all arguments.
    #[must_use]
    pub fn undefined(self, result: &Type) -> Option<Undefined> {
        let why = self.row().undefined;
        why.filter(|why| *why != Undefined::NegativeNat || *result == Type::Nat)
    }

    /// Whether the operator is *partial* where its result is of type `result`.
    #[must_use]
    pub fn is_partial(self, result: &Type) -> bool {
        self.undefined(result).is_some()
    }

    /// Whether intervals of its arguments say anything of its result.
    #[must_use]
    pub fn is_bounded(self) -> bool {
        self.row().bounds.is_some()
    }

    /// The interval of its result, given the intervals of its arguments. For an operator with one argument, the second is
    /// ignored.
    #[must_use]
    pub fn interval(self, first: Interval, second: Interval) -> Option<Interval> {
        self.row().bounds?(first, second)
    }
}
