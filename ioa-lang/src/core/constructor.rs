//! The facts about each built-in type: its name, how many types are in its brackets, how it is built from them, and which
//! operator gives its empty value. All code that depends only on the structure of a type uses this table.

use super::operator::Op;
use super::types::Type;

/// A built-in type or type constructor, such as `Bool` and `Map`.
#[derive(Debug)]
pub struct Constructor {
    /// As it is written.
    pub name: &'static str,
    /// How many types stand in its brackets; of an array, how many at least.
    pub arity: usize,
    /// The constant for the value without parts, if there is one.
    pub empty: Option<Op>,
    /// The type with these in its brackets, of which there are as many as the arity says.
    make: fn(&[Type]) -> Type,
    /// Whether there may be more types before these, each the index of an array of what the rest make: `Array[I, J, E]` is
    /// `Array[I, Array[J, E]]`, as `a[i, j]` is `a[i][j]`.
    has_indices: bool,
}

impl Constructor {
    /// The type with these in its brackets; none if there are too few or too many.
    #[must_use]
    pub fn apply(&self, args: &[Type]) -> Option<Type> {
        if !self.takes(args.len()) {
            return None;
        }
        let (outer, innermost) = args.split_at(args.len() - self.arity);
        let element = (self.make)(innermost);
        let nested = |element, index: &Type| (self.make)(&[index.clone(), element]);
        Some(outer.iter().rev().fold(element, nested))
    }

    /// Whether so many types may stand in its brackets.
    #[must_use]
    pub fn takes(&self, types: usize) -> bool {
        types == self.arity || self.has_indices && types > self.arity
    }
}

/// All built-in types, in the order in which they are listed for people.
pub static CONSTRUCTORS: [Constructor; 12] = [
    row("Bool", 0, None, |_| Type::Bool),
    row("Nat", 0, None, |_| Type::Nat),
    row("Int", 0, None, |_| Type::Int),
    row("Real", 0, None, |_| Type::Real),
    row("Char", 0, None, |_| Type::Char),
    row("String", 0, None, |_| Type::String),
    Constructor {
        name: "Array",
        arity: 2,
        empty: None,
        make: |of| Type::array(of[0].clone(), of[1].clone()),
        has_indices: true,
    },
    row("Map", 2, Some(Op::EmptyMap), |of| {
        Type::map(of[0].clone(), of[1].clone())
    }),
    row("Set", 1, Some(Op::EmptySet), |of| Type::set(of[0].clone())),
    row("Mset", 1, Some(Op::EmptyMset), |of| {
        Type::mset(of[0].clone())
    }),
    row("Seq", 1, Some(Op::EmptySeq), |of| Type::seq(of[0].clone())),
    row("Null", 1, Some(Op::Nil), |of| Type::null(of[0].clone())),
];

const fn row(
    name: &'static str,
    arity: usize,
    empty: Option<Op>,
    make: fn(&[Type]) -> Type,
) -> Constructor {
    Constructor {
        name,
        arity,
        empty,
        make,
        has_indices: false,
    }
}

/// The built-in type constructor of this name.
#[must_use]
pub fn constructor_named(name: &str) -> Option<&'static Constructor> {
    CONSTRUCTORS.iter().find(|known| known.name == name)
}

impl Type {
    /// The constructor that it is made by; none for what a model declares.
    #[must_use]
    pub fn constructor(&self) -> Option<&'static Constructor> {
        let name = match self {
            Self::Bool => "Bool",
            Self::Nat => "Nat",
            Self::Int => "Int",
            Self::Real => "Real",
            Self::Char => "Char",
            Self::String => "String",
            Self::Array(..) => "Array",
            Self::Map(..) => "Map",
            Self::Set(_) => "Set",
            Self::Mset(_) => "Mset",
            Self::Seq(_) => "Seq",
            Self::Null(_) => "Null",
            Self::Sort(_) | Self::Enum(_) | Self::Tuple(_) | Self::Union(_) => return None,
        };
        constructor_named(name)
    }

    /// The types in its brackets; none for what a model declares.
    #[must_use]
    pub fn args(&self) -> Vec<&Type> {
        match self {
            Self::Array(a, b) | Self::Map(a, b) => vec![a, b],
            Self::Set(a) | Self::Mset(a) | Self::Seq(a) | Self::Null(a) => vec![a],
            Self::Bool
            | Self::Nat
            | Self::Int
            | Self::Real
            | Self::Char
            | Self::String
            | Self::Sort(_)
            | Self::Enum(_)
            | Self::Tuple(_)
            | Self::Union(_) => Vec::new(),
        }
    }

    /// The same type with other types in its brackets.
    #[must_use]
    pub fn with_args(&self, mut change: impl FnMut(&Type) -> Type) -> Self {
        let args: Vec<Type> = self.args().into_iter().map(&mut change).collect();
        match self.constructor() {
            Some(constructor) => (constructor.make)(&args),
            None => self.clone(),
        }
    }

    /// The type of the elements of a collection, of the entries of an array or a map, and of what may be `nil`: the last one
    /// in the brackets.
    #[must_use]
    pub fn element(&self) -> Option<&Type> {
        self.args().pop()
    }

    /// Whether both are made by the same constructor; two types that a model declares are not.
    #[must_use]
    pub fn is_like(&self, other: &Type) -> bool {
        self.constructor().is_some()
            && std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_is_made_by_its_constructor() {
        for constructor in &CONSTRUCTORS {
            let args = [Type::Nat, Type::Char];
            let ty = constructor.apply(&args[..constructor.arity]).unwrap();
            assert_eq!(ty.constructor().unwrap().name, constructor.name);
            assert_eq!(
                ty.args(),
                args[..constructor.arity].iter().collect::<Vec<_>>()
            );
            assert_eq!(ty.with_args(Type::clone), ty);
            let three = constructor.apply(&[Type::Nat, Type::Char, Type::Bool]);
            let of_rows = Type::array(Type::Nat, Type::array(Type::Char, Type::Bool));
            assert_eq!(three, (constructor.name == "Array").then_some(of_rows));
            let fewer = constructor.arity.checked_sub(1);
            assert!(fewer.is_none_or(|fewer| constructor.apply(&args[..fewer]).is_none()));
        }
    }
}
