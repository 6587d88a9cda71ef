//! The types of operators: patterns over types, with variables that an application determines.

use crate::check::widen::widens;
pub(super) use crate::core::Pattern;
use crate::core::Type;
use crate::source::Span;

/// How many type variables an operator has at most.
const VARIABLES: usize = 2;

/// The values of an operator's type variables in one application, and the argument that determined each.
#[derive(Default)]
pub(super) struct Bindings {
    bound: [Option<Binding>; VARIABLES],
}

struct Binding {
    ty: Type,
    by: Option<Span>,
    /// Whether a plain argument determined it. A plain argument does not override a collection.
    loose: bool,
}

impl Pattern {
    /// Whether all types that fit are collections.
    pub(super) fn is_collection(&self) -> bool {
        matches!(
            self,
            Self::Set(_) | Self::Mset(_) | Self::Seq(_) | Self::Array(..) | Self::Map(..)
        )
    }

    /// Whether a term of this type can stand where the pattern is a parameter, as far as the outside shows.
    pub(super) fn accepts(&self, ty: &Type) -> bool {
        match (self, ty) {
            (Self::Bool, Type::Bool)
            | (Self::Nat, Type::Nat)
            | (Self::Int, Type::Nat | Type::Int)
            | (Self::Real, Type::Nat | Type::Int | Type::Real)
            | (Self::Char, Type::Char)
            | (Self::String, Type::String)
            | (Self::Var(_), _)
            | (Self::Sort(_), Type::Sort(_)) => true,
            (Self::Set(inner), Type::Set(ty))
            | (Self::Mset(inner), Type::Mset(ty))
            | (Self::Seq(inner), Type::Seq(ty))
            | (Self::Null(inner), Type::Null(ty)) => inner.accepts(ty),
            (Self::Array(index, element), Type::Array(index_type, element_type))
            | (Self::Map(index, element), Type::Map(index_type, element_type)) => {
                index.accepts(index_type) && element.accepts(element_type)
            }
            _ => false,
        }
    }

    /// Whether a result of this pattern can stand where the type is wanted, as far as the outside shows.
    pub(super) fn gives(&self, wanted: &Type) -> bool {
        match (self, wanted) {
            (Self::Nat, Type::Int) | (Self::Nat | Self::Int, Type::Real) => true,
            (Self::Int, Type::Nat) | (Self::Real, Type::Nat | Type::Int) => false,
            _ => self.accepts(wanted),
        }
    }

    /// Whether the whole pattern is one variable.
    pub(super) fn is_variable(&self) -> bool {
        matches!(self, Self::Var(_) | Self::Sort(_))
    }

    /// Calls `visit` on each variable.
    pub(super) fn variables(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Self::Bool | Self::Nat | Self::Int | Self::Real | Self::Char | Self::String => {}
            Self::Var(v) | Self::Sort(v) => visit(*v),
            Self::Set(inner) | Self::Mset(inner) | Self::Seq(inner) | Self::Null(inner) => {
                inner.variables(visit);
            }
            Self::Array(index, element) | Self::Map(index, element) => {
                index.variables(visit);
                element.variables(visit);
            }
        }
    }

    /// What is known about the type when its variables are not: `a set`.
    pub(super) fn outline(&self) -> &'static str {
        match self {
            Self::Bool => "Bool",
            Self::Nat => "Nat",
            Self::Int => "Int",
            Self::Real => "Real",
            Self::Char => "Char",
            Self::String => "String",
            Self::Var(_) => "a value",
            Self::Sort(_) => "an element of a sort",
            Self::Set(_) => "a set",
            Self::Mset(_) => "a multiset",
            Self::Seq(_) => "a sequence",
            Self::Null(_) => "a value of a Null type",
            Self::Array(..) => "an array",
            Self::Map(..) => "a map",
        }
    }
}

impl Bindings {
    /// Binds the variables of `pattern` that are still free, so that it agrees with `ty` as far as it can. A variable bound
    /// to `Nat` is rebound to `Int` when an `Int` joins it.
    pub(super) fn bind(&mut self, pattern: &Pattern, ty: &Type, by: Option<Span>) {
        self.bind_part(pattern, ty, by, pattern.is_variable());
    }

    fn bind_part(&mut self, pattern: &Pattern, ty: &Type, by: Option<Span>, loose: bool) {
        match (pattern, ty) {
            (Pattern::Var(v) | Pattern::Sort(v), ty) => {
                let bound = &mut self.bound[*v];
                let free = bound.as_ref().is_none_or(|bound| {
                    (bound.loose || !loose) && bound.ty != *ty && widens(&bound.ty, ty)
                });
                if free {
                    let ty = ty.clone();
                    *bound = Some(Binding { ty, by, loose });
                }
            }
            (Pattern::Set(inner), Type::Set(ty))
            | (Pattern::Mset(inner), Type::Mset(ty))
            | (Pattern::Seq(inner), Type::Seq(ty))
            | (Pattern::Null(inner), Type::Null(ty)) => self.bind_part(inner, ty, by, loose),
            (Pattern::Array(index, element), Type::Array(index_type, element_type))
            | (Pattern::Map(index, element), Type::Map(index_type, element_type)) => {
                self.bind_part(index, index_type, by, loose);
                self.bind_part(element, element_type, by, loose);
            }
            _ => {}
        }
    }

    /// The type that the pattern stands for, if all its variables are bound.
    pub(super) fn apply(&self, pattern: &Pattern) -> Option<Type> {
        Some(match pattern {
            Pattern::Bool => Type::Bool,
            Pattern::Nat => Type::Nat,
            Pattern::Int => Type::Int,
            Pattern::Real => Type::Real,
            Pattern::Char => Type::Char,
            Pattern::String => Type::String,
            Pattern::Var(v) | Pattern::Sort(v) => self.bound[*v].as_ref()?.ty.clone(),
            Pattern::Set(inner) => Type::set(self.apply(inner)?),
            Pattern::Mset(inner) => Type::mset(self.apply(inner)?),
            Pattern::Seq(inner) => Type::seq(self.apply(inner)?),
            Pattern::Null(inner) => Type::null(self.apply(inner)?),
            Pattern::Array(index, element) => Type::array(self.apply(index)?, self.apply(element)?),
            Pattern::Map(domain, range) => Type::map(self.apply(domain)?, self.apply(range)?),
        })
    }

    /// The argument that determined the first variable of the pattern.
    pub(super) fn origin(&self, pattern: &Pattern) -> Option<Span> {
        let mut found = None;
        pattern.variables(&mut |v| {
            let by = self.bound[v].as_ref().and_then(|bound| bound.by);
            found = found.or(by);
        });
        found
    }
}
