//! The operators as the checker meets them: what may be written, for which types, and what it is in the core.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::pattern::Pattern;
use crate::core::{Form, Infix, Op, Prefix, RandomDraw, Reading, Typing};

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

/// The meanings of everything that may be written.
struct Table {
    infix: Vec<Vec<Overload>>,
    prefix: [Vec<Overload>; 2],
    index: Vec<Overload>,
    literals: BTreeMap<&'static str, Vec<Overload>>,
    functions: BTreeMap<&'static str, Vec<Overload>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut functions = BTreeMap::<_, Vec<_>>::new();
    let mut literals = BTreeMap::<_, Vec<_>>::new();
    for op in Op::ALL {
        let (names, name) = match op.form() {
            Form::Function(name) => (&mut functions, name),
            Form::Literal(name) => (&mut literals, name),
            _ => continue,
        };
        if !op.row().typings.is_empty() {
            names.entry(name).or_default().extend(overloads(*op));
        }
    }
    functions.insert("succ", neighbour(Op::Add));
    functions.insert("pred", neighbour(Op::Sub));
    for draw in RandomDraw::ALL {
        let row = draw.row();
        let meanings = row
            .typings
            .iter()
            .map(|typing| when(typing, Target::Random(*draw)));
        functions.insert(row.name, meanings.collect());
    }
    Table {
        infix: Infix::ALL.iter().map(|sign| meanings(*sign)).collect(),
        prefix: [Prefix::Not, Prefix::Neg].map(|sign| written_as(Form::Prefix(sign))),
        index: written_as(Form::Index),
        literals,
        functions,
    }
});

/// The meanings of a sign between two terms. Of several the first that fits is taken.
fn meanings(sign: Infix) -> Vec<Overload> {
    let of = |other: Infix, change: fn(&mut Lowering)| {
        let mut all = meanings(other);
        all.iter_mut()
            .for_each(|overload| change(&mut overload.lowering));
        all
    };
    match sign.row().reading {
        Reading::Operator => {
            let mut all = written_as(Form::Infix(sign));
            all.extend(of_sorts(sign));
            all
        }
        Reading::Negated(other) => of(other, |lowering| lowering.negated ^= true),
        Reading::Swapped(other) => of(other, |lowering| lowering.swapped ^= true),
        Reading::Proper(other) => of(other, |lowering| {
            if let Target::Op(op) = lowering.target {
                lowering.target = Target::Proper(op);
            }
        }),
    }
}

/// The meaning of a sign on sorts, if a theory defines one.
fn of_sorts(sign: Infix) -> Option<Overload> {
    let target = match sign {
        Infix::Lt | Infix::Le => Target::Less,
        Infix::In => Target::InQuorum,
        _ => return None,
    };
    // `a <= b` is `~(b < a)`.
    let is_converse = sign == Infix::Le;
    let params = match sign {
        Infix::In => &[Pattern::Sort(0), Pattern::Sort(1)],
        _ => &[Pattern::Sort(0), Pattern::Sort(0)],
    };
    Some(Overload {
        params,
        result: Pattern::Bool,
        lowering: Lowering {
            target,
            swapped: is_converse,
            negated: is_converse,
        },
    })
}

fn written_as(form: Form) -> Vec<Overload> {
    Op::written_as(form).flat_map(overloads).collect()
}

fn overloads(op: Op) -> impl Iterator<Item = Overload> {
    let typings = op.row().typings.iter();
    typings.map(move |typing| when(typing, Target::Op(op)))
}

/// `succ` or `pred`, of each kind of number.
fn neighbour(op: Op) -> Vec<Overload> {
    let with_one = |overload: Overload| Overload {
        params: &overload.params[..1],
        lowering: lower(Target::WithOne(op)),
        ..overload
    };
    overloads(op).map(with_one).collect()
}

fn when(typing: &'static Typing, target: Target) -> Overload {
    Overload {
        params: typing.params,
        result: typing.result,
        lowering: lower(target),
    }
}

fn lower(target: Target) -> Lowering {
    Lowering {
        target,
        swapped: false,
        negated: false,
    }
}

/// The meanings of a sign between two terms.
pub(super) fn infix(sign: Infix) -> &'static [Overload] {
    &TABLE.infix[sign as usize]
}

/// The meanings of a sign before a term.
pub(super) fn prefix(sign: Prefix) -> &'static [Overload] {
    &TABLE.prefix[sign as usize]
}

/// The meanings of `a[i]`.
pub(super) fn index() -> &'static [Overload] {
    &TABLE.index
}

/// The meanings of a literal without parts, such as `nil`.
pub(super) fn literal(text: &str) -> &'static [Overload] {
    &TABLE.literals[text]
}

/// The meanings of an operator that is written as a function.
pub(super) fn function(name: &str) -> Option<&'static [Overload]> {
    TABLE.functions.get(name).map(Vec::as_slice)
}

/// Advice if an operator is written after its argument.
pub(super) fn written_before(name: &str) -> String {
    format!("an operator stands before what it is applied to: `{name}(..)`")
}

/// The names of the operators that are written as functions.
pub(super) fn function_names() -> impl Iterator<Item = &'static str> {
    TABLE.functions.keys().copied()
}
