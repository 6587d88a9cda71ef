//! Theories: their operators and axioms, and where these are assumed.

mod assumptions;
mod setting;

use super::expr::{Expr, FunctionId, Local};
use super::types::{SortId, Type};
use crate::source::{Name, Span};

pub use assumptions::AxiomId;
pub use setting::{Assumed, Extent, Setting};

/// An operator that a theory declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// Its name for people and for solvers, such as `<` or `member`.
    pub name: Name,
    /// The types of its parameters.
    pub params: Vec<Type>,
    /// The type of its result.
    pub result: Type,
    /// What determines its meaning in a finite instance.
    pub meaning: Meaning,
    /// Where its theory is assumed, or whose parameter it stands for.
    pub assumed: Assumed,
    /// Where the theory was asked for.
    pub span: Span,
}

/// The finite interpretation of a theory's operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Only the axioms: a finite instance needs a table of its values that satisfies them.
    Axioms,
    /// The strict total order of the elements of a sort by their index.
    Less(SortId),
    /// Membership in a group, the groups being a [`Family`](crate::core::types::Family) of sets of the members' sort.
    InGroup {
        /// The sort of the members.
        member: SortId,
        /// The sort that stands for the sets.
        group: SortId,
    },
}

/// How the elements of a sort lie, by a theory of the language. A finite instance of each size allows its operators only one
/// meaning, up to the names of the elements. Where the elements are numbered as they lie, that is the *natural* meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrangement {
    /// The sort.
    pub sort: SortId,
    /// The form in which its elements lie, with the operators that say so.
    pub shape: Shape,
}

/// The form in which elements lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// One circle.
    Ring {
        /// The neighbour on one side.
        next: FunctionId,
        /// The neighbour on the other side.
        previous: FunctionId,
        /// Whether, going on from the first argument, one comes past the second before one comes to the third.
        between: FunctionId,
    },
    /// One line, from the least to the greatest by the order of the sort.
    Line {
        /// The next greater element; of the last element, itself.
        successor: FunctionId,
        /// The next smaller element; of the first element, itself.
        predecessor: FunctionId,
        /// The least element.
        first: FunctionId,
    },
}

impl Arrangement {
    /// Its operators.
    #[must_use]
    pub fn operators(&self) -> [FunctionId; 3] {
        match self.shape {
            Shape::Ring {
                next,
                previous,
                between,
            } => [next, previous, between],
            Shape::Line {
                successor,
                predecessor,
                first,
            } => [successor, predecessor, first],
        }
    }
}

/// A fact that every interpretation of a theory satisfies, or the parameters of an automaton by its `where`.
///
/// It may be supposed in the [settings](Setting) of those who assume it, and in no other:
/// [`Model::axioms_in`](crate::core::Model::axioms_in) is the only way to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Axiom {
    /// Its name, such as `TotalOrder(Ballot).transitive`.
    pub name: Name,
    /// Where it is assumed.
    pub assumed: Assumed,
    /// Bound variables.
    pub locals: Vec<Local>,
    /// The fact; it reads no state.
    pub formula: Expr,
    /// The order, or an operator of the arrangement, of whose theory it is an axiom: the natural meaning makes it true. None
    /// if it belongs to no such theory.
    pub describes: Option<FunctionId>,
    /// Where the theory was asked for.
    pub span: Span,
}
