//! What a variable of a frame ranges over. A type with infinitely many values, such as that of a message with a number in it, is
//! quantified over where a collection of the state holds some of them; a sequence is, by its positions.

use ioa_lang::Span;
use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, LocalId, Model, Op, StateRef, Store, Type, VarId,
};

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
        let (op, args) = match self {
            Self::All => return None,
            Self::Elements(collection) => {
                let op = match collection.ty {
                    Type::Mset(_) => Op::MsetMember,
                    _ => Op::Member,
                };
                (op, vec![variable.clone(), collection.clone()])
            }
            Self::Positions(sequence) => (Op::Lt, vec![variable.clone(), length(sequence)]),
        };
        Some(Expr::apply(op, args, Type::Bool, Span::default()))
    }
}

fn length(sequence: &Expr) -> Expr {
    Expr::apply(Op::Len, vec![sequence.clone()], Type::Nat, Span::default())
}

/// A collection that each state has, or that it has for each index of an array.
pub(super) struct Collection {
    /// The type of the index, which is the first local of the term.
    pub(super) index: Option<Type>,
    /// The collection.
    pub(super) term: Expr,
}

/// The sets, multisets and sequences of an automaton: variables, fields of variables, and entries of arrays.
pub(super) fn collections(model: &Model, automaton: AutomatonId) -> Vec<Collection> {
    let mut found = Vec::new();
    for (at, declared) in model.automaton(automaton).variables.iter().enumerate() {
        let state = StateRef {
            store: Store::Pre,
            var: VarId::at(at),
        };
        let term = Expr::new(ExprKind::State(state), declared.ty.clone(), Span::default());
        within(model, Collection { index: None, term }, &mut found);
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
                let term = Expr::apply(
                    Op::Field(at),
                    vec![term.clone()],
                    ty.clone(),
                    Span::default(),
                );
                let index = index.clone();
                within(model, Collection { index, term }, found);
            }
        }
        Type::Array(by, entry) if index.is_none() && !by.is_integer() => {
            let at = ExprKind::Local(LocalId::at(0));
            let args = vec![term, Expr::new(at, (*by).clone(), Span::default())];
            let term = Expr::apply(Op::Select, args, *entry, Span::default());
            let index = Some(*by);
            within(model, Collection { index, term }, found);
        }
        _ => {}
    }
}
