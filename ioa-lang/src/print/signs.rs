//! How operators are written, and how tightly they bind.

use crate::check::symbol;
use crate::core::{Op, RandomDraw};
use crate::syntax::ast::BinaryOp;

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

/// The sign of the language between two terms that an operator is written as, if it is written so.
pub(crate) fn infix(op: Op) -> Option<BinaryOp> {
    Some(match op {
        Op::Iff => BinaryOp::Iff,
        Op::Implies => BinaryOp::Implies,
        Op::Or => BinaryOp::Or,
        Op::And => BinaryOp::And,
        Op::Eq => BinaryOp::Eq,
        Op::Lt => BinaryOp::Lt,
        Op::Le => BinaryOp::Le,
        Op::Member | Op::MsetMember | Op::SeqMember => BinaryOp::In,
        Op::Subset | Op::MsetSubset => BinaryOp::SubsetEq,
        Op::Append => BinaryOp::Append,
        Op::Prepend => BinaryOp::Prepend,
        Op::Concat => BinaryOp::Concat,
        Op::Add => BinaryOp::Add,
        Op::Sub | Op::Difference | Op::MsetDifference => BinaryOp::Sub,
        Op::Union | Op::MsetUnion => BinaryOp::Union,
        Op::Intersection | Op::MsetIntersection => BinaryOp::Intersection,
        Op::Mul => BinaryOp::Mul,
        Op::Divide => BinaryOp::Divide,
        Op::Pow => BinaryOp::Pow,
        _ => return None,
    })
}

/// How a sign is written, how tightly it binds, and on which side one of the same level needs no parentheses.
pub(super) fn sign(op: BinaryOp) -> (&'static str, Level, Side) {
    let (level, side) = match op {
        BinaryOp::Iff => (Level::Iff, Side::Left),
        BinaryOp::Implies => (Level::Implies, Side::Right),
        BinaryOp::Or | BinaryOp::And => (Level::Junction, Side::Neither),
        BinaryOp::Append | BinaryOp::Concat => (Level::Sequence, Side::Left),
        BinaryOp::Prepend => (Level::Sequence, Side::Right),
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Union | BinaryOp::Intersection => {
            (Level::Sum, Side::Left)
        }
        BinaryOp::Mul | BinaryOp::Divide => (Level::Product, Side::Left),
        BinaryOp::Pow => (Level::Power, Side::Right),
        _ => (Level::Comparison, Side::Neither),
    };
    (symbol(op), level, side)
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
