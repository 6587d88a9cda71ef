//! The core read as logic: expressions become terms of Z3, effects become substitutions.
//!
//! Nothing here has a size. A sort of the model is an uninterpreted sort of Z3, a set is a relation, an array is a
//! function, and an array of sets is a relation with one argument more. The value of an expression is a [`Sym`]: a term
//! where the type is a scalar, and a function of Rust from terms to terms where it is a collection, so that an effect
//! never has to build the collection it denotes: the state after a transition is a substitution, applied wherever a
//! formula asks for a member. No array theory and no lambda is met unless a collection is itself an element, an index
//! or a bound variable ([`pack`]).
//!
//! The same code reads the core at finite sizes (see [`logic::Size`]): then each sort is closed to named elements, and
//! quantifiers over finite types are written out.

mod budget;
mod collection;
mod definedness;
mod instance;
mod state;
mod statement;
mod term;
mod theories;
mod vocabulary;

pub(crate) use definedness::{Definedness, UndefinedCause, has_partial};
pub(crate) use instance::listing::Instance;
pub(crate) use instance::window::MAX_MEMBERS;
pub(crate) use state::{Env, State};
pub(crate) use statement::run::{Choices, Run};
pub(crate) use term::binder::{MAX_LENGTH, may_bind_collections};
pub(crate) use term::connective::{and, iff, implies, or};
pub(crate) use term::identity::ByIdentity;
pub(crate) use term::text::read as read_text;
pub(crate) use term::value::{Function, Sym};
pub(crate) use vocabulary::{FiniteSize, Logic, Size, sort_symbol};

use ioa_lang::Span;

/// A part of the model that the encoding has no sound reading for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported {
    /// The part, once an expression or statement has claimed it.
    pub(crate) span: Option<Span>,
    /// What it is that cannot be said.
    pub(crate) because: String,
}

pub(crate) type Encoded<T> = Result<T, Unsupported>;

/// A name as a part of a symbol of SMT-LIB. What is mangled differs from what is not: names have none of these signs.
pub(crate) fn mangle(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '\'' => out.push('~'),
            '<' | '>' | '=' | '.' | '_' | '!' => out.push(c),
            _ if c.is_ascii_alphanumeric() => out.push(c),
            _ => out.push_str(&format!("%{:x}", u32::from(c))),
        }
    }
    out
}

/// The refusal to encode something, to be given its place by [`AtSpan::at`].
pub(crate) fn unsupported<T>(because: impl Into<String>) -> Encoded<T> {
    Err(Unsupported {
        span: None,
        because: because.into(),
    })
}

/// Gives an error its place, unless a part within has already done so.
pub(crate) trait AtSpan {
    fn at(self, span: Span) -> Self;
}

impl<T> AtSpan for Encoded<T> {
    fn at(self, span: Span) -> Self {
        self.map_err(|e| Unsupported {
            span: e.span.or(Some(span)),
            ..e
        })
    }
}
