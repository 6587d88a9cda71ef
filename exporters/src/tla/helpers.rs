//! Operators that TLA+ does not have: written into the modules that use them.
//!
//! Where the IOA operator is undefined, so is its helper: TLC then stops with the message of the `Assert` instead of
//! continuing with an arbitrary value.

use ioa_lang::core::{Op, Type};

/// A definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    Null,
    Nil,
    Embed,
    Val,
    Holds,
    Some,
    Range,
    Minus,
    Div,
    Mod,
    Power,
    Min,
    Max,
    Abs,
    Last,
    Front,
    Updated,
    Removed,
    Maps,
    IsMap,
    BagMeet,
    Before,
    SumOf,
}

impl Helper {
    pub(super) const ALL: [Self; 23] = [
        Self::Null,
        Self::Nil,
        Self::Embed,
        Self::Val,
        Self::Holds,
        Self::Some,
        Self::Range,
        Self::Minus,
        Self::Div,
        Self::Mod,
        Self::Power,
        Self::Min,
        Self::Max,
        Self::Abs,
        Self::Last,
        Self::Front,
        Self::Updated,
        Self::Removed,
        Self::Maps,
        Self::IsMap,
        Self::BagMeet,
        Self::Before,
        Self::SumOf,
    ];

    /// Its name, if nothing else in the module has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Null => "Null",
            Self::Nil => "Nil",
            Self::Embed => "Embed",
            Self::Val => "Val",
            Self::Holds => "Holds",
            Self::Some => "Some",
            Self::Range => "Range",
            Self::Minus => "Minus",
            Self::Div => "Div",
            Self::Mod => "Mod",
            Self::Power => "Power",
            Self::Min => "Min",
            Self::Max => "Max",
            Self::Abs => "Abs",
            Self::Last => "Last",
            Self::Front => "Front",
            Self::Updated => "Updated",
            Self::Removed => "Removed",
            Self::Maps => "Maps",
            Self::IsMap => "IsMap",
            Self::BagMeet => "BagMeet",
            Self::Before => "Before",
            Self::SumOf => "SumOf",
        }
    }

    /// The definition that an operator is written with, where TLA+ has none of its own for it.
    pub(super) fn of(op: Op, result: &Type) -> Option<Self> {
        Some(match op {
            Op::Sub if *result == Type::Nat => Self::Minus,
            Op::Div => Self::Div,
            Op::Mod => Self::Mod,
            Op::Pow => Self::Power,
            Op::Min => Self::Min,
            Op::Max => Self::Max,
            Op::Abs => Self::Abs,
            Op::Nil => Self::Nil,
            Op::Embed => Self::Embed,
            Op::Val => Self::Val,
            Op::Last => Self::Last,
            Op::Init => Self::Front,
            Op::Update => Self::Updated,
            Op::Remove => Self::Removed,
            Op::MsetIntersection => Self::BagMeet,
            Op::Sum => Self::SumOf,
            _ => return None,
        })
    }

    /// Its formal parameters and its body.
    pub(super) fn body(self) -> (&'static str, &'static str) {
        match self {
            // They are defined as functions, so that TLC can decide membership even for an infinite `S_`.
            Self::Null => ("(S_)", "{<<>>} \\cup [1..1 -> S_]"),
            Self::Nil => ("", "<<>>"),
            Self::Embed => ("(x_)", "<<x_>>"),
            Self::Val => (
                "(x_)",
                "IF x_ = <<>> THEN Assert(FALSE, \"the value of nil\") ELSE x_[1]",
            ),
            Self::Holds => ("(P_)", "P_ = TRUE"),
            Self::Some => (
                "(S_)",
                "IF S_ = {} THEN Assert(FALSE, \"nothing to choose from\") ELSE S_",
            ),
            Self::Range => ("(s_)", "{s_[i_] : i_ \\in DOMAIN s_}"),
            Self::Minus => (
                "(a_, b_)",
                "IF a_ < b_ THEN Assert(FALSE, \"a natural number below zero\") ELSE a_ - b_",
            ),
            Self::Div => (
                "(a_, b_)",
                "IF b_ = 0 THEN Assert(FALSE, \"a division by zero\") ELSE IF b_ > 0 THEN a_ \\div b_ ELSE -(a_ \\div (-b_))",
            ),
            Self::Mod => (
                "(a_, b_)",
                "IF b_ = 0 THEN Assert(FALSE, \"a division by zero\") ELSE a_ % (IF b_ > 0 THEN b_ ELSE -b_)",
            ),
            Self::Power => ("(a_, n_)", "IF n_ = 0 THEN 1 ELSE a_ ^ n_"),
            Self::Min => ("(a_, b_)", "IF a_ <= b_ THEN a_ ELSE b_"),
            Self::Max => ("(a_, b_)", "IF a_ <= b_ THEN b_ ELSE a_"),
            Self::Abs => ("(a_)", "IF a_ < 0 THEN -a_ ELSE a_"),
            Self::Last => (
                "(s_)",
                "IF s_ = <<>> THEN Assert(FALSE, \"the last of an empty sequence\") ELSE s_[Len(s_)]",
            ),
            Self::Front => (
                "(s_)",
                "IF s_ = <<>> THEN Assert(FALSE, \"all but the last of an empty sequence\") ELSE SubSeq(s_, 1, Len(s_) - 1)",
            ),
            Self::Updated => ("(m_, d_, r_)", "(d_ :> r_) @@ m_"),
            Self::Removed => ("(m_, d_)", "[x_ \\in DOMAIN m_ \\ {d_} |-> m_[x_]]"),
            Self::Maps => ("(D_, R_)", "UNION {[S_ -> R_] : S_ \\in SUBSET D_}"),
            Self::IsMap => (
                "(m_, D_, R_)",
                "DOMAIN m_ \\subseteq D_ /\\ \\A d_ \\in DOMAIN m_ : m_[d_] \\in R_",
            ),
            // In TLA+ a string is a sequence of characters without an order, so the order of their codes is written out.
            Self::Before => ("(s_, t_)", BEFORE),
            Self::SumOf => (
                "(a_)",
                "LET over_[S_ \\in SUBSET DOMAIN a_] == IF S_ = {} THEN 0 ELSE LET i_ == CHOOSE i_ \\in S_ : TRUE IN a_[i_] + over_[S_ \\ {i_}] IN over_[DOMAIN a_]",
            ),
            Self::BagMeet => (
                "(m_, n_)",
                "[x_ \\in BagToSet(m_) \\cap BagToSet(n_) |-> IF m_[x_] < n_[x_] THEN m_[x_] ELSE n_[x_]]",
            ),
        }
    }
}

/// Whether one string of printable ASCII characters, the only ones that are exported, comes before another. It is written as
/// one side of an equation, so that TLC treats it as a value; in a step, it would explore each alternative of a formula.
const BEFORE: &str = r##"
  LET signs_ == " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
      at_(u_, i_) == SubSeq(u_, i_, i_)
      code_(c_) == CHOOSE k_ \in 1..Len(signs_) : at_(signs_, k_) = c_
  IN TRUE = \E i_ \in 1..Len(t_) :
       /\ i_ <= Len(s_) + 1
       /\ \A j_ \in 1..(i_ - 1) : at_(s_, j_) = at_(t_, j_)
       /\ i_ > Len(s_) \/ code_(at_(s_, i_)) < code_(at_(t_, i_))"##;
