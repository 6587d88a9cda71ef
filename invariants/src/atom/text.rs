//! Atoms as IOA text.

use ioa_lang::core::Type;

use super::{Atom, Relation};
use crate::samples::Schema;
use crate::term::{TermId, Terms};

/// The atom, or its negation, as a formula that can stand beside `/\` or `=>` without parentheses, `one of` excepted,
/// which is a disjunction and never a part of an implication.
pub(crate) fn literal(schema: &Schema, terms: &Terms, atom: &Atom, positive: bool) -> String {
    if let Relation::OneOf(numbers) = &atom.relation {
        return one_of(schema, terms, (atom.args[0], numbers), positive);
    }
    let text = |at: usize| terms.get(atom.args[at]).text.as_str();
    match (&atom.relation, positive) {
        (Relation::Truth, true) => text(0).to_owned(),
        (Relation::Truth, false) => format!("~{}", text(0)),
        (Relation::Member, false) => format!("{} \\notin {}", text(0), text(1)),
        (Relation::Less, false) => format!("{} <= {}", text(1), text(0)),
        (Relation::AtMost, false) => format!("{} < {}", text(1), text(0)),
        (Relation::AtMostNumber(n), false) => format!("{} > {n}", text(0)),
        (Relation::AtLeastNumber(n), false) => format!("{} < {n}", text(0)),
        (relation, true) => plain(schema, terms, atom, relation, "="),
        (relation, false) if is_equation(relation) => plain(schema, terms, atom, relation, "~="),
        (relation, false) => format!("~({})", plain(schema, terms, atom, relation, "=")),
    }
}

fn is_equation(relation: &Relation) -> bool {
    matches!(
        relation,
        Relation::IsNil
            | Relation::IsEmpty
            | Relation::Is(_)
            | Relation::Equal
            | Relation::Embeds
            | Relation::Disjoint
            | Relation::IsUnion
            | Relation::Linear { .. }
            | Relation::IsSum
            | Relation::Inserted
            | Relation::Deleted
            | Relation::SameElsewhere
    )
}

/// The positive form, with `=` (or what negates it) as given.
fn plain(schema: &Schema, terms: &Terms, atom: &Atom, relation: &Relation, eq: &str) -> String {
    let [a, b, c] = [0, 1, 2].map(|at| atom.args.get(at).map_or("", |id| &terms.get(*id).text));
    match relation {
        Relation::Truth => a.to_owned(),
        Relation::IsNil => format!("{a} {eq} nil"),
        Relation::IsEmpty => format!("{a} {eq} {{}}"),
        Relation::Is(n) => format!("{a} {eq} {}", constant(schema, terms, atom.args[0], *n)),
        Relation::Equal => format!("{a} {eq} {b}"),
        Relation::Embeds => format!("{a} {eq} embed({b})"),
        Relation::Less => format!("{a} < {b}"),
        Relation::AtMost => format!("{a} <= {b}"),
        Relation::Member => format!("{a} \\in {b}"),
        Relation::Subset => format!("{a} \\subseteq {b}"),
        Relation::Disjoint => format!("{a} \\I {b} {eq} {{}}"),
        Relation::WithinUnion => format!("{a} \\subseteq {b} \\U {c}"),
        Relation::IsUnion => format!("{a} {eq} {b} \\U {c}"),
        Relation::MeetWithin => format!("{a} \\I {b} \\subseteq {c}"),
        Relation::AtMostNumber(n) => format!("{a} <= {n}"),
        Relation::AtLeastNumber(n) => format!("{a} >= {n}"),
        Relation::OneOf(numbers) => one_of(schema, terms, (atom.args[0], numbers), true),
        Relation::Linear { factor, offset } => linear(a, b, *factor, *offset, eq),
        Relation::IsSum => format!("{a} {eq} {b} + {c}"),
        Relation::AtMostSum => format!("{a} <= {b} + {c}"),
        Relation::Inserted => format!("{a} {eq} insert({b}, {c})"),
        Relation::Deleted => format!("{a} {eq} delete({b}, {c})"),
        Relation::SameElsewhere => format!("{a} {eq} assign({b}, {c}, {a}[{c}])"),
    }
}

/// `a = factor * b + offset` without a difference of natural numbers, which would be partial.
fn linear(a: &str, b: &str, factor: i64, offset: i64, eq: &str) -> String {
    let plus = |text: String, n: i64| match n {
        0 => text,
        n => format!("{text} + {n}"),
    };
    let scaled = match factor.unsigned_abs() {
        1 => b.to_owned(),
        n => format!("{n} * {b}"),
    };
    match (factor > 0, offset >= 0) {
        (true, true) => format!("{a} {eq} {}", plus(scaled, offset)),
        (true, false) => format!("{a} + {} {eq} {scaled}", offset.unsigned_abs()),
        (false, true) => format!("{a} + {scaled} {eq} {offset}"),
        (false, false) => format!("{a} + {scaled} + {} {eq} 0", offset.unsigned_abs()),
    }
}

fn one_of(
    schema: &Schema,
    terms: &Terms,
    (term, numbers): (TermId, &[i64]),
    positive: bool,
) -> String {
    let text = &terms.get(term).text;
    let (eq, join) = if positive {
        ("=", " \\/ ")
    } else {
        ("~=", " /\\ ")
    };
    let parts = numbers.iter().map(|n| constant(schema, terms, term, *n));
    let parts: Vec<String> = parts.map(|value| format!("{text} {eq} {value}")).collect();
    parts.join(join)
}

fn constant(schema: &Schema, terms: &Terms, term: TermId, n: i64) -> String {
    match &terms.get(term).ty {
        Type::Enum(id) => schema.model().enumerations[id.index()].values[n as usize].to_string(),
        _ => n.to_string(),
    }
}
