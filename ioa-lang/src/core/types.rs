//! The types of the core.

use crate::source::{Name, Span};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a position in a vector.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The index of a position in a vector.
            #[must_use]
            pub fn at(position: usize) -> Self {
                Self(u32::try_from(position).expect("fewer than 2^32 of anything"))
            }
        }
    };
}
pub(crate) use index;

index!(
    /// An uninterpreted sort: a position in [`Model::sorts`](crate::core::Model::sorts).
    SortId
);
index!(
    /// An enumeration: a position in [`Model::enumerations`](crate::core::Model::enumerations).
    EnumId
);
index!(
    /// A tuple type: a position in [`Model::tuples`](crate::core::Model::tuples).
    TupleId
);
index!(
    /// A union type: a position in [`Model::unions`](crate::core::Model::unions).
    UnionId
);

index!(
    /// An automaton: a position in [`Model::automata`](crate::core::Model::automata).
    AutomatonId
);
index!(
    /// An action: a position in [`Automaton::actions`](crate::core::Automaton::actions).
    ActionId
);
index!(
    /// A transition clause: a position in [`Automaton::transitions`](crate::core::Automaton::transitions).
    TransitionId
);
index!(
    /// A component of a composition: a position in [`Automaton::components`](crate::core::Automaton::components).
    ComponentId
);

/// A type. Equal types are structurally equal; a tuple type is known by its declaration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// Truth values.
    Bool,
    /// The integers from 0. A `Nat` is accepted wherever an `Int` is expected.
    Nat,
    /// The integers.
    Int,
    /// The real numbers; the executor knows those that are fractions. Only a `Real` is accepted as a `Real`: the front end
    /// inserts an [`Op::ToReal`](crate::core::Op::ToReal) where another number is used as one.
    Real,
    /// The Unicode scalar values, in the order of their numbers.
    Char,
    /// The finite sequences of characters, in lexicographic order.
    String,
    /// An uninterpreted sort: arbitrary but not empty, given a finite size only to run.
    Sort(SortId),
    /// An enumeration.
    Enum(EnumId),
    /// A tuple with named fields.
    Tuple(TupleId),
    /// A tagged choice between types.
    Union(UnionId),
    /// A total function from the index type to the element type.
    Array(Box<Type>, Box<Type>),
    /// A function from finitely many values of the first type to the second.
    Map(Box<Type>, Box<Type>),
    /// A finite set.
    Set(Box<Type>),
    /// A finite multiset.
    Mset(Box<Type>),
    /// A finite sequence.
    Seq(Box<Type>),
    /// Either `nil` or an embedded value.
    Null(Box<Type>),
}

impl Type {
    /// `Set[element]`.
    #[must_use]
    pub fn set(element: Type) -> Self {
        Self::Set(Box::new(element))
    }

    /// `Mset[element]`.
    #[must_use]
    pub fn mset(element: Type) -> Self {
        Self::Mset(Box::new(element))
    }

    /// `Map[domain, range]`.
    #[must_use]
    pub fn map(domain: Type, range: Type) -> Self {
        Self::Map(Box::new(domain), Box::new(range))
    }

    /// `Array[index, element]`.
    #[must_use]
    pub fn array(index: Type, element: Type) -> Self {
        Self::Array(Box::new(index), Box::new(element))
    }

    /// `Seq[element]`.
    #[must_use]
    pub fn seq(element: Type) -> Self {
        Self::Seq(Box::new(element))
    }

    /// `Null[element]`.
    #[must_use]
    pub fn null(element: Type) -> Self {
        Self::Null(Box::new(element))
    }

    /// Whether this is `Nat` or `Int`.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        matches!(self, Self::Nat | Self::Int)
    }
}

/// An uninterpreted sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sort {
    /// Its name.
    pub name: Name,
    /// Where its number of elements comes from when the model is given finite sizes.
    pub size: SortSize,
    /// Its declaration.
    pub span: Span,
}

/// Where the size of a sort in a finite instance comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortSize {
    /// The user gives it.
    Given,
    /// Each element stands for a set of elements of another sort, so its size follows from that one's.
    GroupsOf(Family, SortId),
}

/// Which sets of elements a sort of groups has in a finite instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// All sets of more than half of the elements: any two of them meet.
    Majorities,
    /// All sets, the empty one included: nothing is promised of them.
    Subsets,
}

/// `type Phase = enumeration of idle, busy`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enumeration {
    /// Its name.
    pub name: Name,
    /// The names of its values, in order; never empty.
    pub values: Vec<Name>,
    /// Its declaration.
    pub span: Span,
}

/// `type Packet = tuple of src, dst: Node`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TupleType {
    /// Its name.
    pub name: Name,
    /// The fields with their types, in order; never empty. No tuple contains itself, be it in a union.
    pub fields: Vec<(Name, Type)>,
    /// Its declaration.
    pub span: Span,
}

/// `type Item = union of num: Int, name: String`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnionType {
    /// Its name.
    pub name: Name,
    /// The tags with the types of what they carry, in order; never empty. No union contains itself, be it in a tuple.
    pub variants: Vec<(Name, Type)>,
    /// The enumeration of its tags, in the same order: the type of `tag(x)`.
    pub tags: EnumId,
    /// Its declaration.
    pub span: Span,
}
