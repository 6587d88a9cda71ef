//! What a variable of a frame ranges over. A type with infinitely many values, such as that of a message with a number in it, is
//! quantified over where a collection of the state holds some of them; a sequence is, by its positions.

use ioa_lang::core::{Expr, LocalId, Model, Op, Type};

use crate::build::{apply, member, variable};
use crate::focus::About;

/// What a variable ranges over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Range {
    /// All values of its type.
    All,
    /// The elements of a set or of a multiset.
    Elements(Expr),
    /// The positions in a sequence.
    Positions(Expr),
}

impl Range {
    /// What is true of the values that the variable takes, if not all values of its type are meant.
    pub(crate) fn premise(&self, variable: &Expr) -> Option<Expr> {
        match self {
            Self::All => None,
            Self::Elements(collection) => Some(member(variable.clone(), collection.clone())),
            Self::Positions(sequence) => {
                let args = vec![variable.clone(), length(sequence)];
                Some(apply(Op::Lt, args, &Type::Bool))
            }
        }
    }
}

fn length(sequence: &Expr) -> Expr {
    apply(Op::Len, vec![sequence.clone()], &Type::Nat)
}

/// A collection that each state has, or that it has for each index of an array.
pub(super) struct Collection {
    /// The type of the index, which is the first local of the term.
    pub(super) index: Option<Type>,
    /// The collection.
    pub(super) term: Expr,
}

/// The sets, multisets and sequences of an automaton: variables, fields of variables, and entries of arrays.
pub(super) fn collections(about: About<'_>) -> Vec<Collection> {
    let mut found = Vec::new();
    for term in about.variables() {
        within(about.model, Collection { index: None, term }, &mut found);
    }
    found
}

/// Notes the collections that are parts of a term.
fn within(model: &Model, whole: Collection, found: &mut Vec<Collection>) {
    let Collection { index, term } = whole;
    match term.ty.clone() {
        Type::Set(_) | Type::Mset(_) | Type::Seq(_) => found.push(Collection { index, term }),
        Type::Tuple(id) => {
            let fields = model.tuples[id.index()].fields.iter().zip(0..);
            for ((_, ty), at) in fields {
                let term = apply(Op::Field(at), vec![term.clone()], ty);
                let index = index.clone();
                within(model, Collection { index, term }, found);
            }
        }
        Type::Array(by, entry) if index.is_none() && !by.is_integer() => {
            let args = vec![term, variable(LocalId::at(0), &by)];
            let term = apply(Op::Select, args, &entry);
            let index = Some(*by);
            within(model, Collection { index, term }, found);
        }
        _ => {}
    }
}
