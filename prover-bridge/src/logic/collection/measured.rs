//! Collections that have a symbol for their size, and arrays that have one for their sum.

use std::rc::Rc;

use ioa_lang::core::Type;
use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, Dynamic, Int};
use z3::{FuncDecl, Sort};

use crate::logic::term::value::{Function, Mset, Set};
use crate::logic::{Encoded, Sym, and, unsupported};

/// A set or a multiset, or an array of numbers, whose size is their sum.
#[derive(Clone)]
pub(in crate::logic) enum Collection<'a> {
    Set(Set<'a>),
    Mset(Mset<'a>),
    Ints(Rc<Function<'a>>),
}

/// Which of them it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::logic) enum Kind {
    Set,
    Mset,
    Ints,
}

impl<'a> Collection<'a> {
    /// Whether something is in the set, how often it is in the multiset, or the number that the array has for it.
    pub(super) fn of(&self, element: &Sym<'a>) -> Encoded<Dynamic> {
        match self {
            Self::Set(set) => Ok(set.contains(element)?.into()),
            Self::Mset(_) | Self::Ints(_) => Ok(self.count(element)?.into()),
        }
    }

    /// Whether there is more of an element here than there.
    pub(super) fn exceeds(&self, other: &Self, element: &Sym<'a>) -> Encoded<Bool> {
        Ok(match (self, other) {
            (Self::Set(a), Self::Set(b)) => {
                and(&[a.contains(element)?, b.contains(element)?.not()])
            }
            (Self::Set(_), _) | (_, Self::Set(_)) => {
                return unsupported("a comparison of a set with something else");
            }
            (a, b) => a.count(element)?.gt(b.count(element)?),
        })
    }

    /// Whether an element is here no more than once more than there; of sets, that is always so.
    pub(super) fn exceeds_by_one(&self, other: &Self, element: &Sym<'a>) -> Encoded<Bool> {
        if self.kind() == Kind::Set {
            return Ok(Bool::from_bool(true));
        }
        let most = Int::add(&[other.count(element)?, Int::from_i64(1)]);
        Ok(self.count(element)?.le(most))
    }

    /// How often something is in it, or the number for it.
    pub(super) fn count(&self, element: &Sym<'a>) -> Encoded<Int> {
        match self {
            Self::Set(set) => {
                let (one, none) = (Int::from_i64(1), Int::from_i64(0));
                Ok(set.contains(element)?.ite(&one, &none))
            }
            Self::Mset(mset) => mset.count(element),
            Self::Ints(array) => Ok(array.call(element)?.int()),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Set(_) => Kind::Set,
            Self::Mset(_) => Kind::Mset,
            Self::Ints(_) => Kind::Ints,
        }
    }
}

/// A collection as a term, with a symbol for its size: both are functions of some constants.
pub(in crate::logic) struct Measured<'a> {
    pub(super) term: Template,
    pub(super) element: &'a Type,
    pub(super) kind: Kind,
    pub(super) size: Int,
}

/// A collection as a term.
pub(super) struct Template {
    /// Whether something is an element, or how often, or the number for it.
    pub(super) of: Dynamic,
    /// The constant that stands for that something.
    pub(super) element: Dynamic,
    /// The constants that the collection depends on.
    pub(super) open: Vec<Dynamic>,
    /// What their types say about them.
    pub(super) guard: Bool,
}

/// What makes two descriptions one: the term, what its open constants satisfy, the type of the elements, and what it is.
pub(super) type Key = (Dynamic, Bool, Type, Kind);

/// A description, with the symbol for its size.
pub(super) type Described<'a> = (Rc<Measured<'a>>, Rc<FuncDecl>);

/// The collections that have a symbol for their size.
#[derive(Default)]
pub(in crate::logic) struct Sizes<'a> {
    pub(super) described: FxHashMap<Key, Described<'a>>,
    /// Those that what is said now may be about.
    pub(super) present: Vec<Rc<Measured<'a>>>,
    /// How many of these are there whatever obligation is stated.
    pub(super) ground: usize,
}

impl<'a> Measured<'a> {
    pub(super) fn is_comparable(&self, other: &Self) -> bool {
        *self.element == *other.element && self.kind == other.kind
    }
}

/// A new symbol for the size of what a description describes. The constants that it depends on get names of their own, so
/// that they can stand under any quantifier.
pub(super) fn describe<'a>(
    number: usize,
    template: &Template,
    element: &'a Type,
    kind: Kind,
) -> Described<'a> {
    let sorts: Vec<Sort> = template.open.iter().map(Ast::get_sort).collect();
    let sorts: Vec<&Sort> = sorts.iter().collect();
    let symbol = Rc::new(FuncDecl::new(
        format!("size.{number}"),
        &sorts,
        &Sort::int(),
    ));
    let named =
        |(i, c): (usize, &Dynamic)| Dynamic::new_const(format!("size.{number}!{i}"), &c.get_sort());
    let open: Vec<Dynamic> = template.open.iter().enumerate().map(named).collect();
    let renamed: Vec<(&Dynamic, &Dynamic)> = template.open.iter().zip(&open).collect();
    let measured = Measured {
        size: apply(&symbol, &open),
        term: Template {
            of: template.of.substitute(&renamed),
            element: template.element.clone(),
            guard: template.guard.substitute(&renamed),
            open,
        },
        element,
        kind,
    };
    (Rc::new(measured), symbol)
}

/// The size that a symbol gives to some constants.
pub(super) fn apply(symbol: &FuncDecl, arguments: &[Dynamic]) -> Int {
    let arguments: Vec<&dyn Ast> = arguments.iter().map(|a| a as &dyn Ast).collect();
    Sym::scalar(&symbol.apply(&arguments)).int()
}
