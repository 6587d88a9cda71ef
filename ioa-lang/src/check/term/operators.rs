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
    ProperSubset,
    /// The order of a totally ordered sort.
    Less,
    /// The membership of a sort of quorums.
    InQuorum,
    /// A draw from the run's random generator.
    Random(RandomDraw),
}

use Pattern::{Array, Bool, Int, Nat, Null, Seq, Set, Sort, Var};

const E: Pattern = Var(0);
const I: Pattern = Var(1);
const SET: Pattern = Set(&E);
const SEQ: Pattern = Seq(&E);
const NULL: Pattern = Null(&E);
const ARRAY: Pattern = Array(&I, &E);

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
const SEQ_MEMBER: Lowering = lower(Target::Op(Op::SeqMember));

/// A comparison of numbers and of ordered sorts.
const fn comparison(numbers: Lowering, sorts: Lowering) -> [Overload; 3] {
    [
        when(&[Nat, Nat], Bool, numbers),
        when(&[Int, Int], Bool, numbers),
        when(&[Sort(0), Sort(0)], Bool, sorts),
    ]
}

/// An arithmetic operation of two numbers.
const fn arithmetic(op: Op) -> [Overload; 2] {
    [on(&[Nat, Nat], Nat, op), on(&[Int, Int], Int, op)]
}

const fn connective(op: Op) -> [Overload; 1] {
    [on(&[Bool, Bool], Bool, op)]
}

const ADD: [Overload; 2] = arithmetic(Op::Add);
const SUB: [Overload; 3] = {
    let [nat, int] = arithmetic(Op::Sub);
    [nat, int, on(&[SET, SET], SET, Op::Difference)]
};

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
        BinaryOp::In => ("\\in", const { &[
            when(&[E, SET], Bool, MEMBER),
            when(&[E, SEQ], Bool, SEQ_MEMBER),
            when(&[Sort(0), Sort(1)], Bool, IN_QUORUM),
        ] }),
        BinaryOp::NotIn => ("\\notin", const { &[
            when(&[E, SET], Bool, negated(MEMBER)),
            when(&[E, SEQ], Bool, negated(SEQ_MEMBER)),
            when(&[Sort(0), Sort(1)], Bool, negated(IN_QUORUM)),
        ] }),
        BinaryOp::SubsetEq => ("\\subseteq", const { &[on(&[SET, SET], Bool, Op::Subset)] }),
        BinaryOp::Subset => ("\\subset", const { &[when(&[SET, SET], Bool, lower(Target::ProperSubset))] }),
        BinaryOp::Append => ("|-", const { &[on(&[SEQ, E], SEQ, Op::Append)] }),
        BinaryOp::Prepend => ("-|", const { &[on(&[E, SEQ], SEQ, Op::Prepend)] }),
        BinaryOp::Concat => ("||", const { &[on(&[SEQ, SEQ], SEQ, Op::Concat)] }),
        BinaryOp::Add => ("+", &ADD),
        BinaryOp::Sub => ("-", &SUB),
        BinaryOp::Union => ("\\U", const { &[on(&[SET, SET], SET, Op::Union)] }),
        BinaryOp::Intersection => ("\\I", const { &[on(&[SET, SET], SET, Op::Intersection)] }),
        BinaryOp::Mul => ("*", const { &arithmetic(Op::Mul) }),
        BinaryOp::Pow => ("**", const { &[
            on(&[Nat, Nat], Nat, Op::Pow),
            on(&[Int, Nat], Int, Op::Pow),
        ] }),
    }
}

pub(super) const NOT: &[Overload] = &[on(&[Bool], Bool, Op::Not)];
pub(super) const NEGATE: &[Overload] = &[on(&[Int], Int, Op::Neg)];
pub(super) const INDEX: &[Overload] =
    &[on(&[ARRAY, I], E, Op::Select), on(&[SEQ, Nat], E, Op::Nth)];
pub(super) const NIL: &[Overload] = &[on(&[], NULL, Op::Nil)];
pub(super) const EMPTY: &[Overload] = &[on(&[], SET, Op::EmptySet), on(&[], SEQ, Op::EmptySeq)];

/// The operators that are written as functions.
#[rustfmt::skip]
const FUNCTIONS: &[(&str, &[Overload])] = &[
    ("div", &arithmetic(Op::Div)),
    ("mod", &[on(&[Nat, Nat], Nat, Op::Mod), on(&[Int, Int], Nat, Op::Mod)]),
    ("min", &arithmetic(Op::Min)),
    ("max", &arithmetic(Op::Max)),
    ("abs", &[on(&[Int], Nat, Op::Abs)]),
    ("succ", &[
        when(&[Nat], Nat, lower(Target::WithOne(Op::Add))),
        when(&[Int], Int, lower(Target::WithOne(Op::Add))),
    ]),
    ("pred", &[
        when(&[Nat], Nat, lower(Target::WithOne(Op::Sub))),
        when(&[Int], Int, lower(Target::WithOne(Op::Sub))),
    ]),
    ("constant", &[on(&[E], ARRAY, Op::Constant)]),
    ("assign", &[on(&[ARRAY, I, E], ARRAY, Op::Assign)]),
    ("insert", &[on(&[E, SET], SET, Op::Insert)]),
    ("delete", &[on(&[E, SET], SET, Op::Delete)]),
    ("size", &[on(&[SET], Nat, Op::Size)]),
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

/// The names of the operators that are written as functions.
pub(super) fn function_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}
