//! The operators of TLA+ that are written without parentheses, and how tightly each binds.
//!
//! This is the only table of precedences; `layout` uses it wherever a term is nested in another. An operator has a range of
//! precedences ("Specifying Systems", table 6). Of two adjacent operators, the one with the higher range binds its arguments
//! first. If the ranges overlap, parentheses are needed, except for an associative operator beside itself.

/// How an operator is written and how tightly it binds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixity {
    pub(crate) sign: &'static str,
    /// The lowest and the highest of its precedences.
    pub(crate) low: u8,
    pub(crate) high: u8,
    /// Whether it may be repeated without parentheses: in `a + b + c` the left sum is computed first, and in `[]<>a` one
    /// operator is applied to the other.
    pub(crate) repeats: bool,
}

/// What joins the formulas of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    /// `/\`
    And,
    /// `\/`
    Or,
}

/// An operator that stands before its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `~`
    Not,
    /// `-`
    Minus,
    /// `SUBSET`
    Subsets,
    /// `DOMAIN`
    Domain,
    /// `UNCHANGED`
    Unchanged,
    /// `[]`
    Always,
    /// `<>`
    Eventually,
}

/// An operator that stands between its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// `=>`
    Implies,
    /// `<=>`
    Iff,
    /// `~>`
    LeadsTo,
    /// `=`
    Equal,
    /// `#`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `\in`
    In,
    /// `\notin`
    NotIn,
    /// `\subseteq`
    SubsetEq,
    /// `\sqsubseteq`
    SubBag,
    /// `@@`
    Over,
    /// `:>`
    MapsTo,
    /// `\cup`
    Union,
    /// `\cap`
    Intersection,
    /// `\`
    Difference,
    /// `..`
    To,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `(+)`
    BagUnion,
    /// `(-)`
    BagDifference,
    /// `\o`
    Concat,
}

/// Terms that begin with a keyword or a quantifier extend as far to the right as possible.
pub(crate) const OPEN: u8 = 0;

/// The argument of a postfix operator must bind at least as tightly as a prime.
pub(crate) const POSTFIX: u8 = 15;

/// Terms in brackets need no parentheses.
pub(crate) const CLOSED: u8 = 18;

const fn fixity(sign: &'static str, low: u8, high: u8) -> Fixity {
    Fixity {
        sign,
        low,
        high,
        repeats: false,
    }
}

const fn repeating(sign: &'static str, low: u8, high: u8) -> Fixity {
    Fixity {
        repeats: true,
        ..fixity(sign, low, high)
    }
}

impl Connective {
    pub(crate) fn fixity(self) -> Fixity {
        match self {
            Self::And => repeating(" /\\ ", 3, 3),
            Self::Or => repeating(" \\/ ", 3, 3),
        }
    }
}

impl Prefix {
    pub(crate) fn fixity(self) -> Fixity {
        match self {
            Self::Not => fixity("~", 4, 4),
            Self::Minus => fixity("-", 12, 12),
            Self::Subsets => fixity("SUBSET ", 8, 8),
            Self::Domain => fixity("DOMAIN ", 9, 9),
            Self::Unchanged => fixity("UNCHANGED ", 4, 15),
            Self::Always => repeating("[]", 4, 15),
            Self::Eventually => repeating("<>", 4, 15),
        }
    }
}

impl Infix {
    pub(crate) fn fixity(self) -> Fixity {
        match self {
            Self::Implies => fixity(" => ", 1, 1),
            Self::Iff => fixity(" <=> ", 2, 2),
            Self::LeadsTo => fixity(" ~> ", 2, 2),
            Self::Equal => fixity(" = ", 5, 5),
            Self::Unequal => fixity(" # ", 5, 5),
            Self::Less => fixity(" < ", 5, 5),
            Self::LessOrEqual => fixity(" <= ", 5, 5),
            Self::In => fixity(" \\in ", 5, 5),
            Self::NotIn => fixity(" \\notin ", 5, 5),
            Self::SubsetEq => fixity(" \\subseteq ", 5, 5),
            Self::SubBag => fixity(" \\sqsubseteq ", 5, 5),
            Self::Over => repeating(" @@ ", 6, 6),
            Self::MapsTo => fixity(" :> ", 7, 7),
            Self::Union => repeating(" \\cup ", 8, 8),
            Self::Intersection => repeating(" \\cap ", 8, 8),
            Self::Difference => fixity(" \\ ", 8, 8),
            Self::To => fixity("..", 9, 9),
            Self::Plus => repeating(" + ", 10, 10),
            Self::Minus => repeating(" - ", 11, 11),
            Self::Times => repeating(" * ", 13, 13),
            Self::BagUnion => repeating(" (+) ", 10, 10),
            Self::BagDifference => fixity(" (-) ", 11, 11),
            Self::Concat => repeating(" \\o ", 13, 13),
        }
    }
}
