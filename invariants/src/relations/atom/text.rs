//! Atoms as IOA text.

use ioa_lang::core::Infix::{
    Add, Eq, Ge, Gt, In, Intersection, Le, Lt, Mul, Ne, NotIn, Or, SubsetEq, Union,
};
use ioa_lang::core::{Infix, Prefix, Type};

use super::relation::{Atom, Relation};
use crate::relations::term::{TermId, Terms};
use crate::samples::Schema;

/// The atom, or its negation, as a formula that can stand beside `/\` or `=>` without parentheses, `one of` excepted,
/// which is a disjunction and never a part of an implication.
pub(crate) fn literal(schema: &Schema, terms: &Terms, atom: &Atom, positive: bool) -> String {
    if let Relation::OneOf(numbers) = &atom.relation {
        return one_of(schema, terms, (atom.args[0], numbers), positive);
    }
    let text = |at: usize| terms.get(atom.args[at]).text.as_str();
    match (&atom.relation, positive) {
        (Relation::Truth, true) => text(0).to_owned(),
        (Relation::Truth, false) => format!("{}{}", Prefix::Not, text(0)),
        (Relation::Member, false) => format!("{} {NotIn} {}", text(0), text(1)),
        (Relation::Less, false) => format!("{} {Le} {}", text(1), text(0)),
        (Relation::AtMost, false) => format!("{} {Lt} {}", text(1), text(0)),
        (Relation::AtMostNumber(n), false) => format!("{} {Gt} {n}", text(0)),
        (Relation::AtLeastNumber(n), false) => format!("{} {Lt} {n}", text(0)),
        (relation, true) => plain(schema, terms, atom, relation, Eq),
        (relation, false) if is_equation(relation) => plain(schema, terms, atom, relation, Ne),
        (relation, false) => {
            let positive = plain(schema, terms, atom, relation, Eq);
            format!("{}({positive})", Prefix::Not)
        }
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
fn plain(schema: &Schema, terms: &Terms, atom: &Atom, relation: &Relation, eq: Infix) -> String {
    let [a, b, c] = [0, 1, 2].map(|at| atom.args.get(at).map_or("", |id| &terms.get(*id).text));
    match relation {
        Relation::Truth => a.to_owned(),
        Relation::IsNil => format!("{a} {eq} nil"),
        Relation::IsEmpty => format!("{a} {eq} {{}}"),
        Relation::Is(n) => format!("{a} {eq} {}", constant(schema, terms, atom.args[0], *n)),
        Relation::Equal => format!("{a} {eq} {b}"),
        Relation::Embeds => format!("{a} {eq} embed({b})"),
        Relation::Less => format!("{a} {Lt} {b}"),
        Relation::AtMost => format!("{a} {Le} {b}"),
        Relation::Member => format!("{a} {In} {b}"),
        Relation::Subset => format!("{a} {SubsetEq} {b}"),
        Relation::Disjoint => format!("{a} {Intersection} {b} {eq} {{}}"),
        Relation::WithinUnion => format!("{a} {SubsetEq} {b} {Union} {c}"),
        Relation::IsUnion => format!("{a} {eq} {b} {Union} {c}"),
        Relation::MeetWithin => format!("{a} {Intersection} {b} {SubsetEq} {c}"),
        Relation::AtMostNumber(n) => format!("{a} {Le} {n}"),
        Relation::AtLeastNumber(n) => format!("{a} {Ge} {n}"),
        Relation::OneOf(numbers) => one_of(schema, terms, (atom.args[0], numbers), true),
        Relation::Linear { factor, offset } => linear(a, b, *factor, *offset, eq),
        Relation::IsSum => format!("{a} {eq} {b} {Add} {c}"),
        Relation::AtMostSum => format!("{a} {Le} {b} {Add} {c}"),
        Relation::Inserted => format!("{a} {eq} insert({b}, {c})"),
        Relation::Deleted => format!("{a} {eq} delete({b}, {c})"),
        Relation::SameElsewhere => format!("{a} {eq} assign({b}, {c}, {a}[{c}])"),
    }
}

/// `a = factor * b + offset` without a difference of natural numbers, which would be partial.
fn linear(a: &str, b: &str, factor: i64, offset: i64, eq: Infix) -> String {
    let plus = |text: String, n: i64| match n {
        0 => text,
        n => format!("{text} {Add} {n}"),
    };
    let scaled = match factor.unsigned_abs() {
        1 => b.to_owned(),
        n => format!("{n} {Mul} {b}"),
    };
    match (factor > 0, offset >= 0) {
        (true, true) => format!("{a} {eq} {}", plus(scaled, offset)),
        (true, false) => format!("{a} {Add} {} {eq} {scaled}", offset.unsigned_abs()),
        (false, true) => format!("{a} {Add} {scaled} {eq} {offset}"),
        (false, false) => format!("{a} {Add} {scaled} {Add} {} {eq} 0", offset.unsigned_abs()),
    }
}

fn one_of(
    schema: &Schema,
    terms: &Terms,
    (term, numbers): (TermId, &[i64]),
    positive: bool,
) -> String {
    let text = &terms.get(term).text;
    let (eq, join) = match positive {
        true => (Eq, Or),
        false => (Ne, Infix::And),
    };
    let parts = numbers.iter().map(|n| constant(schema, terms, term, *n));
    let parts: Vec<String> = parts.map(|value| format!("{text} {eq} {value}")).collect();
    parts.join(&format!(" {join} "))
}

fn constant(schema: &Schema, terms: &Terms, term: TermId, n: i64) -> String {
    match &terms.get(term).ty {
        Type::Enum(id) => schema.model().enumerations[id.index()].values[n as usize].to_string(),
        _ => n.to_string(),
    }
}
