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
    /// The collection, if not all values are meant.
    pub(super) fn collection(&self) -> Option<&Expr> {
        match self {
            Self::All => None,
            Self::Elements(collection) | Self::Positions(collection) => Some(collection),
        }
    }

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

/// Entries of arrays that are collections are looked at below so many indices, at most: a channel has a sender and a receiver.
const MAX_INDICES: usize = 2;

/// A collection that each state has, or that it has for all indices of an array.
pub(super) struct Collection {
    /// The types of the indices, which are the first locals of the term.
    pub(super) indices: Vec<Type>,
    /// The collection.
    pub(super) term: Expr,
}

/// The sets, multisets and sequences of an automaton: variables, fields of variables, and entries of arrays.
pub(super) fn collections(about: About<'_>) -> Vec<Collection> {
    let mut found = Vec::new();
    for term in about.variables() {
        let indices = Vec::new();
        within(about.model, Collection { indices, term }, &mut found);
    }
    found
}

/// Notes the collections that are parts of a term.
fn within(model: &Model, whole: Collection, found: &mut Vec<Collection>) {
    let Collection { indices, term } = whole;
    match term.ty.clone() {
        Type::Set(_) | Type::Mset(_) | Type::Seq(_) => found.push(Collection { indices, term }),
        Type::Tuple(id) => {
            let fields = model.tuples[id.index()].fields.iter().zip(0..);
            for ((_, ty), at) in fields {
                let term = apply(Op::Field(at), vec![term.clone()], ty);
                let indices = indices.clone();
                within(model, Collection { indices, term }, found);
            }
        }
        Type::Array(by, entry) if indices.len() < MAX_INDICES && !by.is_integer() => {
            let args = vec![term, variable(LocalId::at(indices.len()), &by)];
            let term = apply(Op::Select, args, &entry);
            let indices = [&indices[..], &[*by]].concat();
            within(model, Collection { indices, term }, found);
        }
        _ => {}
    }
}
