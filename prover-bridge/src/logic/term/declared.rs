//! What is declared to Z3 for an unknown of each type.
//!
//! | type | declared |
//! |---|---|
//! | scalar | a function of the indices on the way to it |
//! | tuple | each field |
//! | `Null[T]` | a predicate that says whether there is a value, and the value |
//! | union | the tag, and what each variant carries |
//! | `Set[T]` | a predicate with the element as one argument more |
//! | `Mset[T]` | the count, with the element as one argument more |
//! | `Array[I, E]` | the element, with the index as one argument more |
//! | `Map[D, R]` | as `Array[D, Null[R]]` |
//! | `Seq[T]` | the length, and the element with its position as one argument more |
//!
//! So `voted: Array[Node, Set[Ballot]]` is a relation between nodes and ballots, and
//! `val: Array[Ballot, Null[Value]]` a predicate on ballots beside a function from ballots to values.

use std::rc::Rc;

use ioa_lang::core::Type;
use z3::{FuncDecl, Sort};

/// What is declared for an unknown of some type, as a function of the indices that lead to it.
#[derive(Clone)]
pub(crate) enum Shape<'a> {
    Scalar(Rc<FuncDecl>),
    Tuple(Vec<Shape<'a>>),
    Null(Rc<FuncDecl>, Box<Shape<'a>>),
    Union(Rc<FuncDecl>, Vec<Shape<'a>>),
    Set(CollectionShape<'a>),
    Mset(CollectionShape<'a>),
    Array(&'a Type, Box<Shape<'a>>),
    Seq(Rc<FuncDecl>, Box<Shape<'a>>),
}

/// A relation or a count, and the number of elements that it has for its indices.
#[derive(Clone)]
pub(crate) struct CollectionShape<'a> {
    pub(super) of: Rc<FuncDecl>,
    pub(super) element: &'a Type,
    pub(super) name: Rc<str>,
    /// The sorts of the indices.
    pub(super) domain: Rc<[Sort]>,
}
