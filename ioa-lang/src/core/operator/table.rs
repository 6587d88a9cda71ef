//! The operators of the core, each with its row.

use super::interval::{
    difference, distance, greatest, least, opposite, power, product, quotient, remainder, sum,
};
use super::row::Accumulation::{Grow, Shrink, Sum};
use super::row::Pattern::{Bool, Char, Int, Nat, Real, String};
use super::row::Undefined::{
    DivisionByZero, EmptySequence, NegativeNat, NoEntry, NoValue, OutOfRange, WrongVariant,
};
use super::row::{Form, OpFamily, Pattern, Row, Typing};
use crate::notation::{Infix, Prefix};

const E: Pattern = Pattern::ELEMENT;
const I: Pattern = Pattern::INDEX;
const SET: Pattern = Pattern::SET;
const MSET: Pattern = Pattern::MSET;
const SEQ: Pattern = Pattern::SEQ;
const NULL: Pattern = Pattern::NULL;
const ARRAY: Pattern = Pattern::ARRAY;
const MAP: Pattern = Pattern::MAP;
const NATS: Pattern = Pattern::Array(&I, &Nat);
const INTS: Pattern = Pattern::Array(&I, &Int);

const CONNECTIVE: &[Typing] = types!([Bool, Bool] -> Bool);
const INTEGERS: &[Typing] = types!([Nat, Nat] -> Nat, [Int, Int] -> Int);
const NUMBERS: &[Typing] = types!(
    [Nat, Nat] -> Nat,
    [Int, Int] -> Int,
    [Real, Real] -> Real,
);
const ORDERED: &[Typing] = types!(
    [Nat, Nat] -> Bool,
    [Int, Int] -> Bool,
    [Real, Real] -> Bool,
    [Char, Char] -> Bool,
    [String, String] -> Bool,
);
const SETS: &[Typing] = types!([SET, SET] -> SET);
const MSETS: &[Typing] = types!([MSET, MSET] -> MSET);

/// An operator that is written as a sign between its arguments.
const fn sign(family: OpFamily, sign: Infix, typings: &'static [Typing]) -> Row {
    Row::of(family, Form::Infix(sign), typings)
}

/// An operator that is written as a function.
const fn function(family: OpFamily, name: &'static str, typings: &'static [Typing]) -> Row {
    Row::of(family, Form::Function(name), typings)
}

const fn connective(connective: Infix) -> Row {
    sign(OpFamily::Logic, connective, CONNECTIVE)
}

/// An operator on the parts of a declared type, from which its own type follows.
const fn declared(family: OpFamily, form: Form) -> Row {
    Row::of(family, form, &[])
}

table! {
    /// The built-in operators. Arguments stand in the order of the source: element first, collection second.
    ///
    /// An operator marked *partial* is undefined for some arguments: a run-time error when executed, an obligation when
    /// proved. `And`, `Or` and `Implies` are evaluated from left to right and stop as soon as the value is known.
    pub enum Op: Row {
        // ---- logic ----
        /// `~p`
        Not = Row::of(OpFamily::Logic, Form::Prefix(Prefix::Not), types!([Bool] -> Bool));
        /// `p /\ q`, two or more arguments.
        And = connective(Infix::And).guarding(true);
        /// `p \/ q`, two or more arguments.
        Or = connective(Infix::Or).guarding(false);
        /// `p => q`
        Implies = connective(Infix::Implies).guarding(true);
        /// `p <=> q`
        Iff = connective(Infix::Iff);
        /// `a = b` for two values of one type (`Nat` and `Int` mix). `a ~= b` is its negation.
        Eq = sign(OpFamily::Equality, Infix::Eq, types!([E, E] -> Bool));
        /// `a < b` on numbers of one kind, characters or strings. `a > b` is `b < a`.
        Lt = sign(OpFamily::Order, Infix::Lt, ORDERED);
        /// `a <= b` on numbers of one kind, characters or strings. `a >= b` is `b <= a`.
        Le = sign(OpFamily::Order, Infix::Le, ORDERED);

        // ---- numbers ----
        /// `a + b`
        Add = sign(OpFamily::Arithmetic, Infix::Add, NUMBERS).accumulating(Sum, 0).bounded(sum);
        /// `a - b`; *partial* at type `Nat`.
        Sub = sign(OpFamily::Arithmetic, Infix::Sub, NUMBERS).undefined(NegativeNat).bounded(difference);
        /// `a * b`
        Mul = sign(OpFamily::Arithmetic, Infix::Mul, NUMBERS).bounded(product);
        /// `-a`, of type `Int` or `Real`.
        Neg = Row::of(
            OpFamily::Arithmetic,
            Form::Prefix(Prefix::Neg),
            types!([Int] -> Int, [Real] -> Real),
        ).bounded(opposite);
        /// `div(a, b)`, Euclidean; *partial*: `b ~= 0`.
        Div = function(OpFamily::Arithmetic, "div", INTEGERS).undefined(DivisionByZero).bounded(quotient);
        /// `mod(a, b)`, Euclidean, never negative; *partial*: `b ~= 0`.
        Mod = function(OpFamily::Arithmetic, "mod", types!([Nat, Nat] -> Nat, [Int, Int] -> Nat))
            .undefined(DivisionByZero).bounded(remainder);
        /// `a / b` on reals; *partial*: `b ~= 0`.
        Divide = sign(OpFamily::Arithmetic, Infix::Divide, types!([Real, Real] -> Real)).undefined(DivisionByZero);
        /// A `Nat` or `Int` as a `Real`; it has no sign of its own in the source.
        ToReal = Row::of(OpFamily::Arithmetic, Form::Silent, types!([Int] -> Real));
        /// `a ** n` with `n: Nat`, of the type of `a`: `Nat`, `Int` or `Real`.
        Pow = sign(
            OpFamily::Arithmetic,
            Infix::Pow,
            types!([Nat, Nat] -> Nat, [Int, Nat] -> Int, [Real, Nat] -> Real),
        ).bounded(power);
        /// `min(a, b)`
        Min = function(OpFamily::Arithmetic, "min", NUMBERS).bounded(least);
        /// `max(a, b)`
        Max = function(OpFamily::Arithmetic, "max", NUMBERS).bounded(greatest);
        /// `abs(a)`, of type `Nat`; of a `Real`, a `Real`.
        Abs = function(OpFamily::Arithmetic, "abs", types!([Int] -> Nat, [Real] -> Real)).bounded(distance);

        // ---- sets ----
        /// `{}` at a set type.
        EmptySet = Row::of(OpFamily::Set, Form::Literal("{}"), types!([] -> SET)).building();
        /// `insert(e, s)`
        Insert = function(OpFamily::Set, "insert", types!([E, SET] -> SET)).building().accumulating(Grow, 1);
        /// `delete(e, s)`
        Delete = function(OpFamily::Set, "delete", types!([E, SET] -> SET)).accumulating(Shrink, 1);
        /// `e \in s` for a set.
        Member = sign(OpFamily::Set, Infix::In, types!([E, SET] -> Bool));
        /// `s \subseteq t`
        Subset = sign(OpFamily::Set, Infix::SubsetEq, types!([SET, SET] -> Bool));
        /// `s \U t`
        Union = sign(OpFamily::Set, Infix::Union, SETS).building().accumulating(Grow, 0);
        /// `s \I t`
        Intersection = sign(OpFamily::Set, Infix::Intersection, SETS).building();
        /// `s - t` on sets.
        Difference = sign(OpFamily::Set, Infix::Sub, SETS).building();
        /// `size(s)`
        Size = function(OpFamily::Set, "size", types!([SET] -> Nat));

        // ---- arrays ----
        /// `a[i]`
        Select = Row::of(OpFamily::Array, Form::Index, types!([ARRAY, I] -> E));
        /// `constant(e)`: the array that is `e` everywhere.
        Constant = function(OpFamily::Array, "constant", types!([E] -> ARRAY)).building();
        /// `assign(a, i, e)`
        Assign = function(OpFamily::Array, "assign", types!([ARRAY, I, E] -> ARRAY)).building();
        /// `sum(a)`: the sum of all numbers in an array. Its index type has finitely many values if every sort has.
        Sum = function(OpFamily::Array, "sum", types!([NATS] -> Nat, [INTS] -> Int));

        // ---- maps ----
        /// `empty` at a map type.
        EmptyMap = function(OpFamily::Map, "empty", types!([] -> MAP)).building();
        /// `m[d]`; *partial*: `defined(m, d)`.
        Lookup = Row::of(OpFamily::Map, Form::Index, types!([MAP, I] -> E)).undefined(NoEntry);
        /// `defined(m, d)`
        Defined = function(OpFamily::Map, "defined", types!([MAP, I] -> Bool));
        /// `update(m, d, r)`
        Update = function(OpFamily::Map, "update", types!([MAP, I, E] -> MAP)).building();
        /// `remove(m, d)`
        Remove = function(OpFamily::Map, "remove", types!([MAP, I] -> MAP));

        // ---- multisets ----
        /// `{}` at a multiset type.
        EmptyMset = Row::of(OpFamily::Multiset, Form::Literal("{}"), types!([] -> MSET)).building();
        /// `insert(e, m)`: one more of `e`.
        MsetInsert = function(OpFamily::Multiset, "insert", types!([E, MSET] -> MSET)).building().accumulating(Grow, 1);
        /// `delete(e, m)`: one less of `e`, if there is one.
        MsetDelete = function(OpFamily::Multiset, "delete", types!([E, MSET] -> MSET)).accumulating(Shrink, 1);
        /// `e \in m`: at least one.
        MsetMember = sign(OpFamily::Multiset, Infix::In, types!([E, MSET] -> Bool));
        /// `m \subseteq n`: of nothing more.
        MsetSubset = sign(OpFamily::Multiset, Infix::SubsetEq, types!([MSET, MSET] -> Bool));
        /// `m \U n`: the counts are added.
        MsetUnion = sign(OpFamily::Multiset, Infix::Union, MSETS).building().accumulating(Grow, 0);
        /// `m \I n`: the smaller count of each.
        MsetIntersection = sign(OpFamily::Multiset, Infix::Intersection, MSETS).building();
        /// `m - n`: the counts are subtracted, down to 0.
        MsetDifference = sign(OpFamily::Multiset, Infix::Sub, MSETS).building();
        /// `size(m)`: the sum of all counts.
        MsetSize = function(OpFamily::Multiset, "size", types!([MSET] -> Nat));
        /// `count(e, m)`
        Count = function(OpFamily::Multiset, "count", types!([E, MSET] -> Nat));

        // ---- sequences ----
        /// `{}` at a sequence type.
        EmptySeq = Row::of(OpFamily::Sequence, Form::Literal("{}"), types!([] -> SEQ)).building();
        /// `s |- e`
        Append = sign(OpFamily::Sequence, Infix::Append, types!([SEQ, E] -> SEQ)).building();
        /// `e -| s`
        Prepend = sign(OpFamily::Sequence, Infix::Prepend, types!([E, SEQ] -> SEQ)).building();
        /// `s || t`
        Concat = sign(OpFamily::Sequence, Infix::Concat, types!([SEQ, SEQ] -> SEQ)).building();
        /// `head(s)`; *partial*.
        Head = function(OpFamily::Sequence, "head", types!([SEQ] -> E)).undefined(EmptySequence);
        /// `tail(s)`; *partial*.
        Tail = function(OpFamily::Sequence, "tail", types!([SEQ] -> SEQ)).undefined(EmptySequence);
        /// `last(s)`; *partial*.
        Last = function(OpFamily::Sequence, "last", types!([SEQ] -> E)).undefined(EmptySequence);
        /// `init(s)`: all but the last; *partial*.
        Init = function(OpFamily::Sequence, "init", types!([SEQ] -> SEQ)).undefined(EmptySequence);
        /// `len(s)`
        Len = function(OpFamily::Sequence, "len", types!([SEQ] -> Nat));
        /// `s[n]`, from 0; *partial*.
        Nth = Row::of(OpFamily::Sequence, Form::Index, types!([SEQ, Nat] -> E)).undefined(OutOfRange);
        /// `e \in s` for a sequence.
        SeqMember = sign(OpFamily::Sequence, Infix::In, types!([E, SEQ] -> Bool));

        // ---- values with parts ----
        /// `nil`
        Nil = Row::of(OpFamily::Null, Form::Literal("nil"), types!([] -> NULL)).building();
        /// `embed(e)`
        Embed = function(OpFamily::Null, "embed", types!([E] -> NULL)).building();
        /// `x.val`; *partial*.
        Val = Row::of(OpFamily::Null, Form::Part, types!([NULL] -> E)).undefined(NoValue);
        /// `[a, b, c]` at a tuple type.
        Tuple = declared(OpFamily::Tuple, Form::Brackets);
        /// `p.f`, by the field's position.
        Field(u32) = declared(OpFamily::Tuple, Form::Part);
        /// `set_f(p, x)`, by the field's position.
        SetField(u32) = declared(OpFamily::Tuple, Form::Update);
        /// `num(3)` at a union type, by the variant's position.
        Variant(u32) = declared(OpFamily::Union, Form::Variant);
        /// `x.num`, by the variant's position; *partial*.
        Payload(u32) = declared(OpFamily::Union, Form::Part).undefined(WrongVariant);
        /// `tag(x)`: the position of a union's variant, in the enumeration of its tags.
        Tag = declared(OpFamily::Union, Form::Function("tag"));
    }
}
