//! How operators are written, and how tightly they bind.

use crate::core::{Op, RandomDraw};

/// How tightly a form holds together, loosest first: the levels of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// `if c then a else b` reaches as far to the right as it can.
    Choice,
    Iff,
    Implies,
    Junction,
    Not,
    Comparison,
    Sequence,
    Sum,
    Product,
    Power,
    Negative,
    Postfix,
}

/// On which side an operator may have itself (or another of its level) as an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    Neither,
}

/// The next tighter level.
pub(super) fn above(level: Level) -> Level {
    match level {
        Level::Choice => Level::Iff,
        Level::Iff => Level::Implies,
        Level::Implies => Level::Junction,
        Level::Junction => Level::Not,
        Level::Not => Level::Comparison,
        Level::Comparison => Level::Sequence,
        Level::Sequence => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Power,
        Level::Power => Level::Negative,
        Level::Negative | Level::Postfix => Level::Postfix,
    }
}

/// The sign of an operator that is written between its operands, its level, and the side on which its level may repeat.
pub(super) fn infix(op: Op) -> Option<(&'static str, Level, Side)> {
    Some(match op {
        Op::Iff => ("<=>", Level::Iff, Side::Left),
        Op::Implies => ("=>", Level::Implies, Side::Right),
        Op::Or => ("\\/", Level::Junction, Side::Neither),
        Op::And => ("/\\", Level::Junction, Side::Neither),
        Op::Eq => ("=", Level::Comparison, Side::Neither),
        Op::Lt => ("<", Level::Comparison, Side::Neither),
        Op::Le => ("<=", Level::Comparison, Side::Neither),
        Op::Member | Op::MsetMember | Op::SeqMember => ("\\in", Level::Comparison, Side::Neither),
        Op::Subset | Op::MsetSubset => ("\\subseteq", Level::Comparison, Side::Neither),
        Op::Append => ("|-", Level::Sequence, Side::Left),
        Op::Prepend => ("-|", Level::Sequence, Side::Right),
        Op::Concat => ("||", Level::Sequence, Side::Left),
        Op::Add => ("+", Level::Sum, Side::Left),
        Op::Sub | Op::Difference | Op::MsetDifference => ("-", Level::Sum, Side::Left),
        Op::Union | Op::MsetUnion => ("\\U", Level::Sum, Side::Left),
        Op::Intersection | Op::MsetIntersection => ("\\I", Level::Sum, Side::Left),
        Op::Mul => ("*", Level::Product, Side::Left),
        Op::Divide => ("/", Level::Product, Side::Left),
        Op::Pow => ("**", Level::Power, Side::Right),
        _ => return None,
    })
}

/// The name of an operator that is written as a function; the others are written by signs.
pub(crate) fn function_name(op: Op) -> &'static str {
    match op {
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Min => "min",
        Op::Max => "max",
        Op::Abs => "abs",
        Op::Delete | Op::MsetDelete => "delete",
        Op::Size | Op::MsetSize => "size",
        Op::Constant => "constant",
        Op::Assign => "assign",
        Op::Head => "head",
        Op::Tail => "tail",
        Op::Last => "last",
        Op::Init => "init",
        Op::Len => "len",
        Op::Embed => "embed",
        Op::Insert | Op::MsetInsert => "insert",
        Op::Defined => "defined",
        Op::Update => "update",
        Op::Remove => "remove",
        Op::Count => "count",
        Op::Tag => "tag",
        Op::Not
        | Op::And
        | Op::Or
        | Op::Implies
        | Op::Iff
        | Op::Eq
        | Op::Lt
        | Op::Le
        | Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Neg
        | Op::Pow
        | Op::EmptySet
        | Op::Member
        | Op::Subset
        | Op::Union
        | Op::Intersection
        | Op::Difference
        | Op::Select
        | Op::EmptySeq
        | Op::EmptyMap
        | Op::Append
        | Op::Prepend
        | Op::Concat
        | Op::Nth
        | Op::SeqMember
        | Op::Nil
        | Op::Val
        | Op::Tuple
        | Op::Field(_)
        | Op::SetField(_)
        | Op::Divide
        | Op::ToReal
        | Op::Lookup
        | Op::EmptyMset
        | Op::MsetMember
        | Op::MsetSubset
        | Op::MsetUnion
        | Op::MsetIntersection
        | Op::MsetDifference
        | Op::Variant(_)
        | Op::Payload(_) => "",
    }
}

/// The name of a draw.
pub(crate) fn random_name(draw: RandomDraw) -> &'static str {
    match draw {
        RandomDraw::Int => "randomInt",
        RandomDraw::Bool => "randomBool",
        RandomDraw::Element => "chooseRandom",
    }
}
