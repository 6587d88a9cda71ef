//! Values as data, for traces, counterexamples and reports.
//!
//! The executor and the solver each have a representation of their own; both decode to this one.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;

use crate::core::{EnumId, Model, Rational, SortId, TupleId, Type, UnionId};
use crate::notation;
use crate::source::Name;

/// A value of some [`Type`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A number, of type `Nat` or `Int`.
    Int(BigInt),
    /// An element of an uninterpreted sort in a finite instance: `Node#2`.
    Element(SortId, u32),
    /// A value of an enumeration, by position.
    Enumerator(EnumId, u32),
    /// A fraction, of type `Real`.
    Real(Rational),
    /// A character.
    Char(char),
    /// A string.
    Text(Name),
    /// A union's value: the variant's position and what it carries.
    Union(UnionId, u32, Box<Value>),
    /// A map.
    Map(BTreeMap<Value, Value>),
    /// A multiset: the counts, none of them 0.
    Mset(BTreeMap<Value, u64>),
    /// A tuple.
    Tuple(TupleId, Vec<Value>),
    /// A finite set.
    Set(BTreeSet<Value>),
    /// A finite sequence.
    Seq(Vec<Value>),
    /// `nil` or `embed(v)`.
    Null(Option<Box<Value>>),
    /// An array: the element at each index of a finite index type, or at the indices whose element differs from `default`.
    Array {
        /// The elements that are listed.
        entries: BTreeMap<Value, Value>,
        /// The element everywhere else; `None` if `entries` is complete.
        default: Option<Box<Value>>,
    },
}

impl Value {
    /// A number.
    #[must_use]
    pub fn int(n: impl Into<BigInt>) -> Self {
        Self::Int(n.into())
    }

    /// The value for people, in the notation of IOA if there is one.
    #[must_use]
    pub fn display(&self, model: &Model) -> String {
        let mut out = String::new();
        self.write(model, &mut out);
        out
    }

    fn write(&self, model: &Model, out: &mut String) {
        match self {
            Self::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Self::Int(n) => out.push_str(&n.to_string()),
            Self::Element(sort, index) => {
                out.push_str(&format!("{}#{index}", model.sorts[sort.index()].name));
            }
            Self::Enumerator(id, index) => {
                out.push_str(&model.enumerations[id.index()].values[*index as usize]);
            }
            Self::Real(n) => out.push_str(&notation::decimal(n).unwrap_or_else(|| n.to_string())),
            Self::Char(c) => out.push_str(&notation::character(*c)),
            Self::Text(text) => out.push_str(&notation::string(text)),
            Self::Union(id, variant, value) => {
                out.push_str(&model.unions[id.index()].variants[*variant as usize].0);
                write_list(model, out, ("(", ")"), std::iter::once(&**value));
            }
            Self::Map(entries) => write_array(model, out, entries, None),
            Self::Mset(counts) => {
                let each = counts.iter().flat_map(|(value, n)| {
                    std::iter::repeat_n(value, usize::try_from(*n).unwrap_or(usize::MAX))
                });
                write_list(model, out, ("{", "}"), each);
            }
            Self::Tuple(_, fields) => write_list(model, out, ("[", "]"), fields.iter()),
            Self::Set(elements) => write_list(model, out, ("{", "}"), elements.iter()),
            Self::Seq(elements) => write_list(model, out, ("<<", ">>"), elements.iter()),
            Self::Null(None) => out.push_str("nil"),
            Self::Null(Some(value)) => {
                out.push_str("embed(");
                value.write(model, out);
                out.push(')');
            }
            Self::Array { entries, default } => match self.true_tuples() {
                Some(tuples) => write_tuples(model, out, &tuples),
                None => write_array(model, out, entries, default.as_deref()),
            },
        }
    }

    /// Where an array of truth values, of any number of indices, is true: it is a relation, and these are its tuples. Nothing where
    /// it is no such array, or is true without end.
    fn true_tuples(&self) -> Option<Vec<Vec<&Self>>> {
        let mut tuples = Vec::new();
        let is_relation = self.add_true_tuples(&mut Vec::new(), &mut tuples);
        is_relation.then_some(tuples)
    }

    fn add_true_tuples<'v>(
        &'v self,
        indices: &mut Vec<&'v Self>,
        tuples: &mut Vec<Vec<&'v Self>>,
    ) -> bool {
        match self {
            Self::Bool(holds) => {
                tuples.extend(holds.then(|| indices.clone()));
                true
            }
            Self::Array { entries, default } => {
                let elsewhere = default.as_ref().map(|default| default.true_tuples());
                let is_false_elsewhere = match elsewhere {
                    Some(tuples) => tuples.is_some_and(|tuples| tuples.is_empty()),
                    None => !entries.is_empty(),
                };
                is_false_elsewhere
                    && entries.iter().all(|(index, entry)| {
                        indices.push(index);
                        let is_relation = entry.add_true_tuples(indices, tuples);
                        indices.pop();
                        is_relation
                    })
            }
            _ => false,
        }
    }
}

/// Writes `{a, b}`, or `{[a, c], [b, d]}` where there are several indices.
fn write_tuples(model: &Model, out: &mut String, tuples: &[Vec<&Value>]) {
    let mut separator = "";
    out.push('{');
    for tuple in tuples {
        out.push_str(separator);
        match tuple[..] {
            [index] => index.write(model, out),
            _ => write_list(model, out, ("[", "]"), tuple.iter().copied()),
        }
        separator = ", ";
    }
    out.push('}');
}

fn write_list<'a>(
    model: &Model,
    out: &mut String,
    (open, close): (&str, &str),
    items: impl Iterator<Item = &'a Value>,
) {
    out.push_str(open);
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        item.write(model, out);
    }
    out.push_str(close);
}

fn write_array(
    model: &Model,
    out: &mut String,
    entries: &BTreeMap<Value, Value>,
    default: Option<&Value>,
) {
    out.push('[');
    let mut separator = "";
    for (index, element) in entries {
        out.push_str(separator);
        index.write(model, out);
        out.push_str(" -> ");
        element.write(model, out);
        separator = ", ";
    }
    if let Some(default) = default {
        out.push_str(separator);
        out.push_str("_ -> ");
        default.write(model, out);
    }
    out.push(']');
}

/// Whether a value belongs to a type: the check on data that comes from outside (a trace file, a solver).
#[must_use]
pub fn belongs(value: &Value, ty: &Type, model: &Model) -> bool {
    match (value, ty) {
        (Value::Bool(_), Type::Bool)
        | (Value::Int(_), Type::Int)
        | (Value::Real(_), Type::Real)
        | (Value::Char(_), Type::Char)
        | (Value::Text(_), Type::String) => true,
        (Value::Int(n), Type::Nat) => n.sign() != num_bigint::Sign::Minus,
        (Value::Element(sort, _), Type::Sort(expected)) => sort == expected,
        (Value::Enumerator(id, index), Type::Enum(expected)) => {
            id == expected && (*index as usize) < model.enumerations[id.index()].values.len()
        }
        (Value::Union(id, variant, value), Type::Union(expected)) => {
            let declared = &model.unions[expected.index()].variants;
            let carried = declared.get(*variant as usize);
            id == expected && carried.is_some_and(|(_, ty)| belongs(value, ty, model))
        }
        (Value::Map(entries), Type::Map(domain, range)) => entries
            .iter()
            .all(|(d, r)| belongs(d, domain, model) && belongs(r, range, model)),
        (Value::Mset(counts), Type::Mset(ty)) => {
            counts.iter().all(|(v, n)| *n > 0 && belongs(v, ty, model))
        }
        (Value::Tuple(id, fields), Type::Tuple(expected)) => {
            let declared = &model.tuples[expected.index()].fields;
            id == expected
                && fields.len() == declared.len()
                && fields
                    .iter()
                    .zip(declared)
                    .all(|(v, (_, t))| belongs(v, t, model))
        }
        (Value::Set(elements), Type::Set(ty)) => elements.iter().all(|v| belongs(v, ty, model)),
        (Value::Seq(elements), Type::Seq(ty)) => elements.iter().all(|v| belongs(v, ty, model)),
        (Value::Null(inner), Type::Null(ty)) => {
            inner.as_deref().is_none_or(|v| belongs(v, ty, model))
        }
        (Value::Array { entries, default }, Type::Array(index, element)) => {
            entries
                .iter()
                .all(|(i, e)| belongs(i, index, model) && belongs(e, element, model))
                && default
                    .as_deref()
                    .is_none_or(|v| belongs(v, element, model))
        }
        _ => false,
    }
}
