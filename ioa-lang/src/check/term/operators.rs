//! The operators of the language: their types, and what they are in the core.

use super::pattern::Pattern;
use crate::core::{Op, RandomDraw};
use crate::syntax::ast::BinaryOp;

/// One meaning of an operator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overload {
    pub(super) params: &'static [Pattern],
    pub(super) result: Pattern,
    pub(super) lowering: Lowering,
}

/// What an application becomes in the core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lowering {
    pub(super) target: Target,
    /// The two arguments change places: `a > b` is `b < a`.
    pub(super) swapped: bool,
    /// The result is negated: `a ~= b` is `~(a = b)`.
    pub(super) negated: bool,
}

/// The core's part of an application.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Op(Op),
    /// The operator with 1 as its second argument: `succ(n)` is `n + 1`.
    WithOne(Op),
    /// `s \subset t`: `s \subseteq t /\ s ~= t`.
    Proper(Op),
    /// The order of a totally ordered sort.
    Less,
    /// The membership of a sort of quorums.
    InQuorum,
    /// A draw from the run's random generator.
    Random(RandomDraw),
}

use Pattern::{Array, Bool, Char, Int, Map, Mset, Nat, Null, Real, Seq, Set, Sort, String, Var};

const E: Pattern = Var(0);
const I: Pattern = Var(1);
const SET: Pattern = Set(&E);
const MSET: Pattern = Mset(&E);
const SEQ: Pattern = Seq(&E);
const NULL: Pattern = Null(&E);
const ARRAY: Pattern = Array(&I, &E);
const MAP: Pattern = Map(&I, &E);

const fn lower(target: Target) -> Lowering {
    Lowering {
        target,
        swapped: false,
        negated: false,
    }
}

const fn swapped(lowering: Lowering) -> Lowering {
    Lowering {
        swapped: true,
        ..lowering
    }
}

const fn negated(lowering: Lowering) -> Lowering {
    Lowering {
        negated: true,
        ..lowering
    }
}

const fn when(params: &'static [Pattern], result: Pattern, lowering: Lowering) -> Overload {
    Overload {
        params,
        result,
        lowering,
    }
}

const fn on(params: &'static [Pattern], result: Pattern, op: Op) -> Overload {
    when(params, result, lower(Target::Op(op)))
}

const LESS: Lowering = lower(Target::Less);
const IN_QUORUM: Lowering = lower(Target::InQuorum);
const EQUAL: Lowering = lower(Target::Op(Op::Eq));
const LT: Lowering = lower(Target::Op(Op::Lt));
const LE: Lowering = lower(Target::Op(Op::Le));
const MEMBER: Lowering = lower(Target::Op(Op::Member));
const MSET_MEMBER: Lowering = lower(Target::Op(Op::MsetMember));
const SEQ_MEMBER: Lowering = lower(Target::Op(Op::SeqMember));

/// A comparison of what has an order of its own, and of ordered sorts.
const fn comparison(ordered: Lowering, sorts: Lowering) -> [Overload; 6] {
    [
        when(&[Nat, Nat], Bool, ordered),
        when(&[Int, Int], Bool, ordered),
        when(&[Real, Real], Bool, ordered),
        when(&[Char, Char], Bool, ordered),
        when(&[String, String], Bool, ordered),
        when(&[Sort(0), Sort(0)], Bool, sorts),
    ]
}

/// An arithmetic operation of two numbers.
const fn arithmetic(op: Op) -> [Overload; 3] {
    let [nat, int] = integers(op);
    [nat, int, on(&[Real, Real], Real, op)]
}

/// An arithmetic operation of two integers.
const fn integers(op: Op) -> [Overload; 2] {
    [on(&[Nat, Nat], Nat, op), on(&[Int, Int], Int, op)]
}

/// `succ` or `pred`.
const fn neighbour(op: Op) -> [Overload; 3] {
    let lowering = lower(Target::WithOne(op));
    [
        when(&[Nat], Nat, lowering),
        when(&[Int], Int, lowering),
        when(&[Real], Real, lowering),
    ]
}

/// Membership, or its negation, in whatever has members.
const fn membership(
    set: Lowering,
    mset: Lowering,
    seq: Lowering,
    quorum: Lowering,
) -> [Overload; 4] {
    [
        when(&[E, SET], Bool, set),
        when(&[E, MSET], Bool, mset),
        when(&[E, SEQ], Bool, seq),
        when(&[Sort(0), Sort(1)], Bool, quorum),
    ]
}

/// An operation of two sets or of two multisets.
const fn of_collections(set: Op, mset: Op) -> [Overload; 2] {
    [on(&[SET, SET], SET, set), on(&[MSET, MSET], MSET, mset)]
}

const fn connective(op: Op) -> [Overload; 1] {
    [on(&[Bool, Bool], Bool, op)]
}

const ADD: [Overload; 3] = arithmetic(Op::Add);
const SUB: [Overload; 5] = {
    let [nat, int, real] = arithmetic(Op::Sub);
    let [sets, msets] = of_collections(Op::Difference, Op::MsetDifference);
    [nat, int, real, sets, msets]
};

/// How an infix operator is spelt.
pub(crate) fn symbol(op: BinaryOp) -> &'static str {
    infix(op).0
}

/// The infix operators, with their spelling. Of several meanings the first that fits is taken.
#[rustfmt::skip]
pub(super) fn infix(op: BinaryOp) -> (&'static str, &'static [Overload]) {
    match op {
        BinaryOp::Iff => ("<=>", const { &connective(Op::Iff) }),
        BinaryOp::Implies => ("=>", const { &connective(Op::Implies) }),
        BinaryOp::Or => ("\\/", const { &connective(Op::Or) }),
        BinaryOp::And => ("/\\", const { &connective(Op::And) }),
        BinaryOp::Eq => ("=", const { &[when(&[E, E], Bool, EQUAL)] }),
        BinaryOp::Ne => ("~=", const { &[when(&[E, E], Bool, negated(EQUAL))] }),
        BinaryOp::Lt => ("<", const { &comparison(LT, LESS) }),
        BinaryOp::Le => ("<=", const { &comparison(LE, negated(swapped(LESS))) }),
        BinaryOp::Gt => (">", const { &comparison(swapped(LT), swapped(LESS)) }),
        BinaryOp::Ge => (">=", const { &comparison(swapped(LE), negated(LESS)) }),
        BinaryOp::In => ("\\in", const { &membership(MEMBER, MSET_MEMBER, SEQ_MEMBER, IN_QUORUM) }),
        BinaryOp::NotIn => ("\\notin", const {
            &membership(negated(MEMBER), negated(MSET_MEMBER), negated(SEQ_MEMBER), negated(IN_QUORUM))
        }),
        BinaryOp::SubsetEq => ("\\subseteq", const { &[
            on(&[SET, SET], Bool, Op::Subset),
            on(&[MSET, MSET], Bool, Op::MsetSubset),
        ] }),
        BinaryOp::Subset => ("\\subset", const { &[
            when(&[SET, SET], Bool, lower(Target::Proper(Op::Subset))),
            when(&[MSET, MSET], Bool, lower(Target::Proper(Op::MsetSubset))),
        ] }),
        BinaryOp::Append => ("|-", const { &[on(&[SEQ, E], SEQ, Op::Append)] }),
        BinaryOp::Prepend => ("-|", const { &[on(&[E, SEQ], SEQ, Op::Prepend)] }),
        BinaryOp::Concat => ("||", const { &[on(&[SEQ, SEQ], SEQ, Op::Concat)] }),
        BinaryOp::Add => ("+", &ADD),
        BinaryOp::Sub => ("-", &SUB),
        BinaryOp::Union => ("\\U", const { &of_collections(Op::Union, Op::MsetUnion) }),
        BinaryOp::Intersection => ("\\I", const {
            &of_collections(Op::Intersection, Op::MsetIntersection)
        }),
        BinaryOp::Mul => ("*", const { &arithmetic(Op::Mul) }),
        BinaryOp::Divide => ("/", const { &[on(&[Real, Real], Real, Op::Divide)] }),
        BinaryOp::Pow => ("**", const { &[
            on(&[Nat, Nat], Nat, Op::Pow),
            on(&[Int, Nat], Int, Op::Pow),
            on(&[Real, Nat], Real, Op::Pow),
        ] }),
    }
}

pub(super) const NOT: &[Overload] = &[on(&[Bool], Bool, Op::Not)];
pub(super) const NEGATE: &[Overload] = &[on(&[Int], Int, Op::Neg), on(&[Real], Real, Op::Neg)];
pub(super) const INDEX: &[Overload] = &[
    on(&[ARRAY, I], E, Op::Select),
    on(&[MAP, I], E, Op::Lookup),
    on(&[SEQ, Nat], E, Op::Nth),
];
pub(super) const NIL: &[Overload] = &[on(&[], NULL, Op::Nil)];
pub(super) const EMPTY_MAP: &[Overload] = &[on(&[], MAP, Op::EmptyMap)];
pub(super) const EMPTY: &[Overload] = &[
    on(&[], SET, Op::EmptySet),
    on(&[], SEQ, Op::EmptySeq),
    on(&[], MSET, Op::EmptyMset),
];

/// The operators that are written as functions.
#[rustfmt::skip]
const FUNCTIONS: &[(&str, &[Overload])] = &[
    ("div", &integers(Op::Div)),
    ("mod", &[on(&[Nat, Nat], Nat, Op::Mod), on(&[Int, Int], Nat, Op::Mod)]),
    ("min", &arithmetic(Op::Min)),
    ("max", &arithmetic(Op::Max)),
    ("abs", &[on(&[Int], Nat, Op::Abs), on(&[Real], Real, Op::Abs)]),
    ("succ", &neighbour(Op::Add)),
    ("pred", &neighbour(Op::Sub)),
    ("constant", &[on(&[E], ARRAY, Op::Constant)]),
    ("assign", &[on(&[ARRAY, I, E], ARRAY, Op::Assign)]),
    ("empty", EMPTY_MAP),
    ("defined", &[on(&[MAP, I], Bool, Op::Defined)]),
    ("update", &[on(&[MAP, I, E], MAP, Op::Update)]),
    ("remove", &[on(&[MAP, I], MAP, Op::Remove)]),
    ("insert", &[on(&[E, SET], SET, Op::Insert), on(&[E, MSET], MSET, Op::MsetInsert)]),
    ("delete", &[on(&[E, SET], SET, Op::Delete), on(&[E, MSET], MSET, Op::MsetDelete)]),
    ("size", &[on(&[SET], Nat, Op::Size), on(&[MSET], Nat, Op::MsetSize)]),
    ("count", &[on(&[E, MSET], Nat, Op::Count)]),
    ("head", &[on(&[SEQ], E, Op::Head)]),
    ("tail", &[on(&[SEQ], SEQ, Op::Tail)]),
    ("last", &[on(&[SEQ], E, Op::Last)]),
    ("init", &[on(&[SEQ], SEQ, Op::Init)]),
    ("len", &[on(&[SEQ], Nat, Op::Len)]),
    ("embed", &[on(&[E], NULL, Op::Embed)]),
    ("randomInt", &[
        when(&[Nat, Nat], Nat, lower(Target::Random(RandomDraw::Int))),
        when(&[Int, Int], Int, lower(Target::Random(RandomDraw::Int))),
    ]),
    ("randomBool", &[when(&[], Bool, lower(Target::Random(RandomDraw::Bool)))]),
    ("chooseRandom", &[when(&[SET], E, lower(Target::Random(RandomDraw::Element)))]),
];

/// The meanings of an operator that is written as a function.
pub(super) fn function(name: &str) -> Option<&'static [Overload]> {
    FUNCTIONS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, overloads)| *overloads)
}

/// Advice where an operator is written behind what it is applied to.
pub(super) fn written_before(name: &str) -> std::string::String {
    format!("an operator stands before what it is applied to: `{name}(..)`")
}

/// The names of the operators that are written as functions.
pub(super) fn function_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}
