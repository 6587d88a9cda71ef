//! The signs of the language and how tightly they bind. The parser, the printer and the formatter read this.

use std::fmt;

/// How tightly a form holds together, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `if c then a else b` reaches as far to the right as it can.
    Choice,
    /// `<=>`
    Iff,
    /// `=>`
    Implies,
    /// `/\` and `\/`, which may not be mixed without parentheses.
    Junction,
    /// `~`
    Not,
    /// Comparisons, which may not be chained.
    Comparison,
    /// Operators that join sequences.
    Sequence,
    /// `+` and its like.
    Sum,
    /// `*` and its like.
    Product,
    /// `**`
    Power,
    /// `-` before a term.
    Negative,
    /// Names, literals, parentheses, and what may have an index or a field after it.
    Postfix,
}

impl Level {
    /// All levels, loosest first.
    pub const ALL: [Self; 12] = [
        Self::Choice,
        Self::Iff,
        Self::Implies,
        Self::Junction,
        Self::Not,
        Self::Comparison,
        Self::Sequence,
        Self::Sum,
        Self::Product,
        Self::Power,
        Self::Negative,
        Self::Postfix,
    ];

    /// The next tighter level; the tightest has none.
    pub(crate) fn above(self) -> Self {
        let tighter = Self::ALL.get(self as usize + 1);
        tighter.copied().unwrap_or(Self::Postfix)
    }
}

/// On which side an infix operator may have itself (or another of its level) as an operand without parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a => b => c` is `a => (b => c)`.
    Right,
    /// On none, or the operands are all side by side.
    Neither,
}

/// What a sign stands for in the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The operators of the core that are written so.
    Operator,
    /// Another sign, whose result is negated: `a ~= b` is `~(a = b)`.
    Negated(Infix),
    /// Another sign, whose arguments change places: `a > b` is `b < a`.
    Swapped(Infix),
    /// Another sign, whose arguments are not equal: `s \subset t` is `s \subseteq t /\ s ~= t`.
    Proper(Infix),
}

/// What is known about a sign between two terms.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// How it is written in ASCII.
    pub text: &'static str,
    /// The character that may stand for it, if there is one.
    pub character: Option<char>,
    /// How tightly it binds.
    pub level: Level,
    /// How operators of its level group.
    pub side: Side,
    /// Whether it makes no difference how operands are grouped, for all types that the sign is defined for.
    pub is_associative: bool,
    /// What it stands for.
    pub reading: Reading,
}

const fn sign(text: &'static str, level: Level, side: Side) -> Sign {
    Sign {
        text,
        character: None,
        level,
        side,
        is_associative: false,
        reading: Reading::Operator,
    }
}

const fn comparison(text: &'static str) -> Sign {
    sign(text, Level::Comparison, Side::Neither)
}

impl Sign {
    const fn or(self, character: char) -> Self {
        Self {
            character: Some(character),
            ..self
        }
    }

    const fn associative(self) -> Self {
        Self {
            is_associative: true,
            ..self
        }
    }

    const fn reads(self, reading: Reading) -> Self {
        Self { reading, ..self }
    }
}

table! {
    /// The signs between two terms.
    pub enum Infix: Sign {
        /// `<=>`
        Iff = sign("<=>", Level::Iff, Side::Left).or('⇔');
        /// `=>`
        Implies = sign("=>", Level::Implies, Side::Right).or('⇒');
        /// `\/`
        Or = sign("\\/", Level::Junction, Side::Neither).or('∨');
        /// `/\`
        And = sign("/\\", Level::Junction, Side::Neither).or('∧');
        /// `=`
        Eq = comparison("=");
        /// `~=`
        Ne = comparison("~=").or('≠').reads(Reading::Negated(Infix::Eq));
        /// `<`
        Lt = comparison("<");
        /// `<=`
        Le = comparison("<=").or('≤');
        /// `>`
        Gt = comparison(">").reads(Reading::Swapped(Infix::Lt));
        /// `>=`
        Ge = comparison(">=").or('≥').reads(Reading::Swapped(Infix::Le));
        /// `\in`
        In = comparison("\\in").or('∈');
        /// `\notin`
        NotIn = comparison("\\notin").or('∉').reads(Reading::Negated(Infix::In));
        /// `\subseteq`
        SubsetEq = comparison("\\subseteq").or('⊆');
        /// `\subset`
        Subset = comparison("\\subset").or('⊂').reads(Reading::Proper(Infix::SubsetEq));
        /// `|-`
        Append = sign("|-", Level::Sequence, Side::Left);
        /// `-|`
        Prepend = sign("-|", Level::Sequence, Side::Right);
        /// `||`
        Concat = sign("||", Level::Sequence, Side::Left).associative();
        /// `+`
        Add = sign("+", Level::Sum, Side::Left).associative();
        /// `-`
        Sub = sign("-", Level::Sum, Side::Left);
        /// `\U`
        Union = sign("\\U", Level::Sum, Side::Left).or('∪').associative();
        /// `\I`
        Intersection = sign("\\I", Level::Sum, Side::Left).or('∩').associative();
        /// `*`
        Mul = sign("*", Level::Product, Side::Left).associative();
        /// `/`
        Divide = sign("/", Level::Product, Side::Left);
        /// `**`
        Pow = sign("**", Level::Power, Side::Right);
    }
}

impl Infix {
    /// The sign that negates this one, if there is one: `~=` for `=`.
    pub(crate) fn negation(self) -> Option<Self> {
        let mut signs = Self::ALL.iter().copied();
        signs.find(|sign| sign.row().reading == Reading::Negated(self))
    }
}

impl fmt::Display for Infix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().text)
    }
}

/// The signs before a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `~`
    Not,
    /// `-`
    Neg,
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Prefix {
    /// How it is written.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Not => "~",
            Self::Neg => "-",
        }
    }

    /// How tightly it binds.
    pub(crate) const fn level(self) -> Level {
        match self {
            Self::Not => Level::Not,
            Self::Neg => Level::Negative,
        }
    }
}
