//! Unknowns: what is declared to Z3 for a variable of each type.
//!
//! | type | declared |
//! |---|---|
//! | scalar | a function of the indices on the way to it |
//! | tuple | each field |
//! | `Null[T]` | a predicate that says whether there is a value, and the value |
//! | `Set[T]` | a predicate with the element as one argument more |
//! | `Array[I, E]` | the element, with the index as one argument more |
//! | `Seq[T]` | the length, and the element with its position as one argument more |
//!
//! So `voted: Array[Node, Set[Ballot]]` is a relation between nodes and ballots, and
//! `val: Array[Ballot, Null[Value]]` a predicate on ballots beside a function from ballots to values.

use std::rc::Rc;

use ioa_lang::core::Type;
use z3::ast::{Ast, Bool, Dynamic, Int};
use z3::{FuncDecl, Sort, SortKind};

use super::value::{Seq, Set};
use super::{Encoded, Logic, Sym, and, implies, mangle};

/// What is declared for an unknown of some type, as a function of the indices that lead to it.
#[derive(Clone)]
pub(crate) enum Shape<'a> {
    Scalar(Rc<FuncDecl>),
    Tuple(Vec<Shape<'a>>),
    Null(Rc<FuncDecl>, Box<Shape<'a>>),
    Set(SetShape<'a>),
    Array(&'a Type, Box<Shape<'a>>),
    Seq(Rc<FuncDecl>, Box<Shape<'a>>),
}

/// A relation, and the number of elements that it relates its indices to.
#[derive(Clone)]
pub(crate) struct SetShape<'a> {
    member: Rc<FuncDecl>,
    element: &'a Type,
    name: Rc<str>,
    /// The sorts of the indices.
    domain: Rc<[Sort]>,
}

impl<'a> Logic<'a> {
    /// A new unknown of type `ty` with this name. What its type says of it is recorded as a fact.
    pub(crate) fn unknown(&'a self, name: &str, ty: &'a Type) -> Encoded<Sym<'a>> {
        let shape = self.declare(name, ty, &[])?;
        let value = shape.at(self, &[]);
        self.fact(self.well_formed(&value, ty)?);
        Ok(value)
    }

    /// Declares an unknown of type `ty` for each choice of indices of the sorts in `domain`.
    pub(crate) fn declare(&self, name: &str, ty: &'a Type, domain: &[Sort]) -> Encoded<Shape<'a>> {
        Ok(match ty {
            Type::Bool | Type::Nat | Type::Int | Type::Sort(_) | Type::Enum(_) => {
                Shape::Scalar(function(name, domain, &self.scalar_sort(ty)?))
            }
            Type::Tuple(id) => {
                let fields = self.model.tuples[id.index()].fields.iter();
                let shapes: Encoded<Vec<_>> = fields
                    .map(|(field, ty)| self.declare(&format!("{name}!{field}"), ty, domain))
                    .collect();
                Shape::Tuple(shapes?)
            }
            Type::Null(inner) => {
                let some = function(&format!("{name}!some"), domain, &Sort::bool());
                let value = self.declare(&format!("{name}!val"), inner, domain)?;
                Shape::Null(some, Box::new(value))
            }
            Type::Set(element) => {
                let wider = [domain, &self.key_sorts(element)?].concat();
                Shape::Set(SetShape {
                    member: function(name, &wider, &Sort::bool()),
                    element,
                    name: name.into(),
                    domain: domain.into(),
                })
            }
            Type::Array(index, element) => {
                let wider = [domain, &self.key_sorts(index)?].concat();
                Shape::Array(index, Box::new(self.declare(name, element, &wider)?))
            }
            Type::Seq(element) => {
                let wider = [domain, &[Sort::int()]].concat();
                let len = function(&format!("{name}!len"), domain, &Sort::int());
                let at = self.declare(&format!("{name}!at"), element, &wider)?;
                Shape::Seq(len, Box::new(at))
            }
            _ => unreachable!("nothing makes these yet"),
        })
    }

    /// What a value satisfies by its type: numbers of type `Nat` and lengths are not negative.
    pub(crate) fn well_formed(&'a self, value: &Sym<'a>, ty: &'a Type) -> Encoded<Bool> {
        if !self.is_constrained(ty) {
            return Ok(Bool::from_bool(true));
        }
        match (value, ty) {
            (Sym::Int(n), Type::Nat) => Ok(n.ge(0)),
            (Sym::Tuple(fields), Type::Tuple(id)) => {
                let types = &self.model.tuples[id.index()].fields;
                let each = fields.iter().zip(types);
                let each: Encoded<Vec<Bool>> = each
                    .map(|(field, (_, ty))| self.well_formed(field, ty))
                    .collect();
                Ok(and(&each?))
            }
            (Sym::Null(some, value), Type::Null(inner)) => {
                Ok(implies(some, &self.well_formed(value, inner)?))
            }
            (Sym::Set(set), Type::Set(element)) => self.forall("x", element, |x| {
                // Members are what they are quantified as; other keys must not occur.
                Ok(implies(&set.contains(&x)?, &self.well_formed(&x, element)?))
            }),
            (Sym::Array(array), Type::Array(index, element)) => {
                self.forall("x", index, |i| self.well_formed(&array.call(&i)?, element))
            }
            (Sym::Seq(seq), Type::Seq(element)) => {
                let each =
                    self.forall_index(&seq.len, |i| self.well_formed(&seq.nth(&i)?, element))?;
                Ok(and(&[seq.len.ge(0), each]))
            }
            _ => Ok(Bool::from_bool(true)),
        }
    }

    /// Whether values of the type satisfy anything by their type.
    fn is_constrained(&self, ty: &Type) -> bool {
        match ty {
            Type::Nat | Type::Seq(_) => true,
            Type::Bool | Type::Int | Type::Sort(_) | Type::Enum(_) => false,
            Type::Tuple(id) => {
                let fields = &self.model.tuples[id.index()].fields;
                fields.iter().any(|(_, ty)| self.is_constrained(ty))
            }
            Type::Null(inner) | Type::Set(inner) | Type::Array(_, inner) => {
                self.is_constrained(inner)
            }
            _ => unreachable!("nothing makes these yet"),
        }
    }
}

impl<'a> Shape<'a> {
    /// The unknown at these indices.
    pub(crate) fn at(&self, logic: &'a Logic<'a>, indices: &[Dynamic]) -> Sym<'a> {
        match self {
            Self::Scalar(f) => scalar(&apply(f, indices)),
            Self::Tuple(fields) => {
                Sym::tuple(fields.iter().map(|f| f.at(logic, indices)).collect())
            }
            Self::Null(some, value) => Sym::Null(
                scalar(&apply(some, indices)).bool(),
                Rc::new(value.at(logic, indices)),
            ),
            Self::Set(shape) => Sym::Set(shape.at(logic, indices)),
            Self::Array(index, element) => {
                let (index, element, indices) = (*index, element.clone(), indices.to_vec());
                Sym::array(move |i| {
                    let mut path = indices.clone();
                    logic.key(i, index, &mut path)?;
                    Ok(element.at(logic, &path))
                })
            }
            Self::Seq(len, element) => {
                let (element, path) = (element.clone(), indices.to_vec());
                let len = scalar(&apply(len, indices)).int();
                Sym::Seq(Seq::new(len, move |i| {
                    let path = [path.as_slice(), &[i.clone().into()]].concat();
                    Ok(element.at(logic, &path))
                }))
            }
        }
    }
}

impl<'a> SetShape<'a> {
    fn at(&self, logic: &'a Logic<'a>, indices: &[Dynamic]) -> Set<'a> {
        let (shape, path) = (self.clone(), indices.to_vec());
        let (sized, place) = (self.clone(), indices.to_vec());
        Set::new(move |x| {
            let mut path = path.clone();
            logic.key(x, shape.element, &mut path)?;
            Ok(scalar(&apply(&shape.member, &path)).bool())
        })
        .sized(move || sized.size(logic, &place))
    }

    /// The number of elements of a declared set is an unknown of its own. All that is known of it is said here: it is
    /// not negative, and it tells sets with none and with one element from others. That is sound, and not complete.
    fn size(&self, logic: &'a Logic<'a>, indices: &[Dynamic]) -> Encoded<Int> {
        let size = function(&format!("{}!size", self.name), &self.domain, &Sort::int());
        let consts: Vec<Dynamic> = (0..)
            .zip(self.domain.iter())
            .map(|(i, sort)| Dynamic::new_const(format!("i!{i}"), sort))
            .collect();
        let bounds: Vec<&dyn Ast> = consts.iter().map(|c| c as &dyn Ast).collect();
        let set = self.at(logic, &consts);
        let number = scalar(&apply(&size, &consts)).int();
        let facts = size_facts(logic, &set, &number, self.element)?;
        logic.fact(z3::ast::forall_const(&bounds, &[], &facts));
        Ok(scalar(&apply(&size, indices)).int())
    }
}

fn size_facts<'a>(
    logic: &'a Logic<'a>,
    set: &Set<'a>,
    size: &Int,
    element: &'a Type,
) -> Encoded<Bool> {
    let none = logic.forall("x", element, |x| Ok(set.contains(&x)?.not()))?;
    let one = logic.forall("x", element, |x| {
        logic.forall("y", element, |y| {
            let both = and(&[set.contains(&x)?, set.contains(&y)?]);
            Ok(implies(&both, &x.equal(&y, element, logic)?))
        })
    })?;
    Ok(and(&[
        size.ge(0),
        size.le(0).iff(&none),
        size.le(1).iff(&one),
    ]))
}

fn function(name: &str, domain: &[Sort], range: &Sort) -> Rc<FuncDecl> {
    let domain: Vec<&Sort> = domain.iter().collect();
    Rc::new(FuncDecl::new(mangle(name), &domain, range))
}

fn apply(function: &FuncDecl, arguments: &[Dynamic]) -> Dynamic {
    let arguments: Vec<&dyn Ast> = arguments.iter().map(|a| a as &dyn Ast).collect();
    function.apply(&arguments)
}

/// A term as a symbolic scalar.
pub(crate) fn scalar<'a>(term: &Dynamic) -> Sym<'a> {
    match term.sort_kind() {
        SortKind::Bool => Sym::Bool(term.as_bool().expect("its sort is Bool")),
        SortKind::Int => Sym::Int(term.as_int().expect("its sort is Int")),
        _ => Sym::Atom(term.clone()),
    }
}
