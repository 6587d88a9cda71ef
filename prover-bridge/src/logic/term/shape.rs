//! Unknowns: their values, and what their types say about them.

use std::rc::Rc;

use ioa_lang::Name;
use ioa_lang::core::Type;
use z3::ast::{Ast, Bool, Dynamic, Int};
use z3::{FuncDecl, Sort};

use crate::logic::collection::measured::Collection;
use crate::logic::collection::msets::not_below_zero;
use crate::logic::instance::window::MAX_MEMBERS;
use crate::logic::term::declared::{CollectionShape, Shape};
use crate::logic::term::value::{Function, Mset, Seq, Set};
use crate::logic::{Encoded, Logic, Sym, and, implies, mangle, or};

impl<'a> Logic<'a> {
    /// A new unknown of type `ty` with this name. What its type says about it is recorded as a fact.
    pub(crate) fn unknown(&'a self, name: &str, ty: &'a Type) -> Encoded<Sym<'a>> {
        let shape = self.declare(name, ty, &[])?;
        let value = shape.at(self, &[]);
        self.fact(self.well_formed(&value, ty)?);
        Ok(value)
    }

    /// Declares an unknown of type `ty` for each choice of indices of the sorts in `domain`.
    pub(crate) fn declare(&self, name: &str, ty: &'a Type, domain: &[Sort]) -> Encoded<Shape<'a>> {
        Ok(match ty {
            Type::Tuple(id) => {
                let fields = &self.model.tuples[id.index()].fields;
                Shape::Tuple(self.declare_parts(name, fields, domain)?)
            }
            Type::Null(inner) => self.declare_null(name, inner, domain)?,
            Type::Union(id) => {
                let declared = &self.model.unions[id.index()];
                let tag = self.scalar_sort(&Type::Enum(declared.tags))?;
                let tag = function(&format!("{name}!tag"), domain, &tag);
                Shape::Union(tag, self.declare_parts(name, &declared.variants, domain)?)
            }
            Type::Set(element) => {
                Shape::Set(self.declare_collection(name, element, domain, &Sort::bool())?)
            }
            Type::Mset(element) => {
                Shape::Mset(self.declare_collection(name, element, domain, &Sort::int())?)
            }
            Type::Array(index, element) => {
                let wider = [domain, &self.key_sorts(index)?].concat();
                Shape::Array(index, Box::new(self.declare(name, element, &wider)?))
            }
            Type::Map(index, element) => {
                let wider = [domain, &self.key_sorts(index)?].concat();
                Shape::Array(index, Box::new(self.declare_null(name, element, &wider)?))
            }
            Type::Seq(element) => {
                let wider = [domain, &[Sort::int()]].concat();
                let len = function(&format!("{name}!len"), domain, &Sort::int());
                let at = self.declare(&format!("{name}!at"), element, &wider)?;
                Shape::Seq(len, Box::new(at))
            }
            _ => Shape::Scalar(function(name, domain, &self.scalar_sort(ty)?)),
        })
    }

    /// Declares the fields of a tuple or what the variants of a union carry.
    fn declare_parts(
        &self,
        name: &str,
        parts: &'a [(Name, Type)],
        domain: &[Sort],
    ) -> Encoded<Vec<Shape<'a>>> {
        let declare =
            |(part, ty): &'a (Name, Type)| self.declare(&format!("{name}!{part}"), ty, domain);
        parts.iter().map(declare).collect()
    }

    fn declare_null(&self, name: &str, inner: &'a Type, domain: &[Sort]) -> Encoded<Shape<'a>> {
        let some = function(&format!("{name}!some"), domain, &Sort::bool());
        let value = self.declare(&format!("{name}!val"), inner, domain)?;
        Ok(Shape::Null(some, Box::new(value)))
    }

    fn declare_collection(
        &self,
        name: &str,
        element: &'a Type,
        domain: &[Sort],
        range: &Sort,
    ) -> Encoded<CollectionShape<'a>> {
        let wider = [domain, &self.key_sorts(element)?].concat();
        Ok(CollectionShape {
            of: function(name, &wider, range),
            element,
            name: name.into(),
            domain: domain.into(),
        })
    }

    /// What a value satisfies by its type: numbers of type `Nat`, lengths and counts are not negative, characters are
    /// Unicode scalar values.
    pub(crate) fn well_formed(&'a self, value: &Sym<'a>, ty: &'a Type) -> Encoded<Bool> {
        if !self.is_constrained(ty) {
            return Ok(Bool::from_bool(true));
        }
        match (value, ty) {
            (Sym::Int(n), Type::Nat) => Ok(n.ge(0)),
            (Sym::Int(n), Type::Char) => Ok(is_character(n)),
            (Sym::Set(set), Type::Set(element)) => {
                // Members are what they are quantified as; other keys must not occur.
                let of =
                    |x: &Sym<'a>| Ok(implies(&set.contains(x)?, &self.well_formed(x, element)?));
                match &set.points {
                    Some(points) => each(points, of),
                    None => self.forall("x", element, |x| of(&x)),
                }
            }
            (Sym::Mset(mset), Type::Mset(element)) => match &mset.points {
                // No count of a multiset that was built of elements is negative.
                Some(points) => each(points, |x| {
                    let is_member = mset.count(x)?.gt(0);
                    Ok(implies(&is_member, &self.well_formed(x, element)?))
                }),
                None => self.forall("x", element, |x| Ok(mset.count(&x)?.ge(0))),
            },
            (Sym::Array(array), Type::Array(index, element)) => {
                self.forall("x", index, |i| self.well_formed(&array.call(&i)?, element))
            }
            (Sym::Array(map), Type::Map(domain, range)) => self.forall("x", domain, |d| {
                let entry = map.call(&d)?;
                let (some, value) = entry.null();
                Ok(implies(some, &self.well_formed(value, range)?))
            }),
            (Sym::Seq(seq), Type::Seq(element)) => self.well_formed_seq(seq, element),
            _ => self.of_parts(value, ty, |part, ty| self.well_formed(part, ty)),
        }
    }

    /// What a sequence with elements of this type satisfies.
    fn well_formed_seq(&'a self, seq: &Seq<'a>, element: &'a Type) -> Encoded<Bool> {
        let each = self.forall_index(&seq.len, |i| self.well_formed(&seq.nth(&i)?, element))?;
        Ok(and(&[seq.len.ge(0), each]))
    }

    /// What is said about each part of a tuple, a union or a `Null`, if the value has that part; nothing is said about the parts that it does not have.
    pub(crate) fn of_parts(
        &'a self,
        value: &Sym<'a>,
        ty: &'a Type,
        say: impl Fn(&Sym<'a>, &'a Type) -> Encoded<Bool>,
    ) -> Encoded<Bool> {
        let parts = value.parts().iter().zip(self.model.parts_of(ty));
        let each: Encoded<Vec<Bool>> = (0..)
            .zip(parts)
            .map(|(i, (part, part_type))| {
                let is_there = match (value, ty) {
                    (Sym::Null(some, _), _) => some.clone(),
                    (_, Type::Union(id)) => self.has_tag(value, *id, i),
                    _ => Bool::from_bool(true),
                };
                Ok(implies(&is_there, &say(part, part_type)?))
            })
            .collect();
        Ok(and(&each?))
    }

    /// Whether values of the type satisfy anything by their type.
    fn is_constrained(&self, ty: &Type) -> bool {
        let mut parts = self.model.parts_of(ty).into_iter();
        match ty {
            Type::Nat | Type::Char | Type::Seq(_) | Type::Mset(_) => true,
            Type::Array(_, element) | Type::Map(_, element) => self.is_constrained(element),
            _ => parts.any(|part| self.is_constrained(part)),
        }
    }
}

/// What is said about each of some points.
fn each<'a>(points: &[Sym<'a>], of: impl Fn(&Sym<'a>) -> Encoded<Bool>) -> Encoded<Bool> {
    Ok(and(&points
        .iter()
        .map(of)
        .collect::<Encoded<Vec<Bool>>>()?))
}

/// Whether a number is that of a Unicode scalar value.
fn is_character(n: &Int) -> Bool {
    let last_before_surrogates = n.le(0xd7ff);
    let after_surrogates = and(&[n.ge(0xe000), n.le(i64::from(u32::from(char::MAX)))]);
    and(&[n.ge(0), or(&[last_before_surrogates, after_surrogates])])
}

impl<'a> Shape<'a> {
    /// The unknown at these indices.
    pub(crate) fn at(&self, logic: &'a Logic<'a>, indices: &[Dynamic]) -> Sym<'a> {
        match self {
            Self::Scalar(f) => Sym::scalar(&apply(f, indices)),
            Self::Tuple(fields) => {
                Sym::tuple(fields.iter().map(|f| f.at(logic, indices)).collect())
            }
            Self::Null(some, value) => Sym::Null(
                Sym::scalar(&apply(some, indices)).bool(),
                Rc::new(value.at(logic, indices)),
            ),
            Self::Union(tag, payloads) => Sym::Union(
                apply(tag, indices),
                payloads.iter().map(|p| p.at(logic, indices)).collect(),
            ),
            Self::Set(shape) => Sym::Set(shape.set(logic, indices)),
            Self::Mset(shape) => Sym::Mset(shape.mset(logic, indices)),
            Self::Array(index, element) => Sym::Array(element.below(logic, index, indices)),
            Self::Seq(len, element) => {
                let (element, path) = (element.clone(), indices.to_vec());
                let len = Sym::scalar(&apply(len, indices)).int();
                Sym::Seq(Seq::new(len, move |i| {
                    let path = [path.as_slice(), &[i.clone().into()]].concat();
                    Ok(element.at(logic, &path))
                }))
            }
        }
    }
}

impl<'a> Shape<'a> {
    /// The unknown below these indices, as a function of one index more.
    fn below(
        &self,
        logic: &'a Logic<'a>,
        index: &'a Type,
        indices: &[Dynamic],
    ) -> Rc<Function<'a>> {
        let (shape, place) = (self.clone(), indices.to_vec());
        let at = move |i: &Sym<'a>| {
            let mut path = place.clone();
            logic.key(i, index, &mut path)?;
            Ok(shape.at(logic, &path))
        };
        let (shape, place) = (self.clone(), indices.to_vec());
        Function::with_sum(at, move |ty| {
            logic.described_sum(&shape.below(logic, index, &place), ty)
        })
    }
}

impl<'a> CollectionShape<'a> {
    fn set(&self, logic: &'a Logic<'a>, indices: &[Dynamic]) -> Set<'a> {
        let (shape, path) = (self.clone(), indices.to_vec());
        let (sized, place) = (self.clone(), indices.to_vec());
        if logic.names_members(self.element) {
            return match self.members(logic, indices, &Sort::bool()) {
                Ok(members) => self.set_of(logic, members),
                Err(why) => Set::new(move |_| Err(why.clone())),
            };
        }
        Set::new(move |x| Ok(shape.of(logic, x, &path)?.bool()))
            .sized(move || sized.size(logic, &place, |at| Collection::Set(sized.set(logic, at))))
    }

    fn mset(&self, logic: &'a Logic<'a>, indices: &[Dynamic]) -> Mset<'a> {
        let (shape, path) = (self.clone(), indices.to_vec());
        let (sized, place) = (self.clone(), indices.to_vec());
        if logic.names_members(self.element) {
            return match self.members(logic, indices, &Sort::int()) {
                Ok(members) => {
                    let count =
                        |(member, n): (Sym<'a>, Sym<'a>)| (member, not_below_zero(&n.int()));
                    logic.mset_of(members.into_iter().map(count).collect(), self.element)
                }
                Err(why) => Mset::new(move |_| Err(why.clone())),
            };
        }
        Mset::new(move |x| Ok(shape.of(logic, x, &path)?.int()))
            .sized(move || sized.size(logic, &place, |at| Collection::Mset(sized.mset(logic, at))))
    }

    /// The set of those elements that are said to be members.
    fn set_of(&self, logic: &'a Logic<'a>, members: Members<'a>) -> Set<'a> {
        let element = self.element;
        let points = members.iter().map(|(member, _)| member.clone()).collect();
        let set = Set::new(move |x| {
            let each = members.iter().map(|(member, is_there)| {
                let same = x.equal(member, element, logic)?;
                Ok(and(&[is_there.bool(), same]))
            });
            Ok(or(&each.collect::<Encoded<Vec<Bool>>>()?))
        });
        set.among(Some(points))
    }

    /// The few elements that may be members where their type has too many values to be listed, each with what stands for it.
    fn members(
        &self,
        logic: &'a Logic<'a>,
        indices: &[Dynamic],
        range: &Sort,
    ) -> Encoded<Members<'a>> {
        let member = |i: usize| {
            let name = format!("{}!member!{i}", self.name);
            let member = logic.declare(&name, self.element, &self.domain)?;
            let there = function(&format!("{name}!there"), &self.domain, range);
            Ok((
                member.at(logic, indices),
                Sym::scalar(&apply(&there, indices)),
            ))
        };
        (0..MAX_MEMBERS).map(member).collect()
    }

    /// What stands at these indices for an element.
    fn of(&self, logic: &'a Logic<'a>, x: &Sym<'a>, indices: &[Dynamic]) -> Encoded<Sym<'a>> {
        let mut path = indices.to_vec();
        logic.key(x, self.element, &mut path)?;
        Ok(Sym::scalar(&apply(&self.of, &path)))
    }

    /// The number of elements of a declared collection is an unknown of its own, which is a function of the indices.
    fn size(
        &self,
        logic: &'a Logic<'a>,
        indices: &[Dynamic],
        collection: impl Fn(&[Dynamic]) -> Collection<'a>,
    ) -> Encoded<Int> {
        let size = function(&format!("{}!size", self.name), &self.domain, &Sort::int());
        let at =
            |(i, sort): (usize, &Sort)| Dynamic::new_const(format!("{}!at!{i}", self.name), sort);
        let open: Vec<Dynamic> = self.domain.iter().enumerate().map(at).collect();
        let number = Sym::scalar(&apply(&size, &open)).int();
        logic.declared_size(&collection(&open), self.element, open, number)?;
        Ok(Sym::scalar(&apply(&size, indices)).int())
    }
}

/// Elements that may be members of a collection, each with whether it is one, or how often.
type Members<'a> = Vec<(Sym<'a>, Sym<'a>)>;

fn function(name: &str, domain: &[Sort], range: &Sort) -> Rc<FuncDecl> {
    let domain: Vec<&Sort> = domain.iter().collect();
    Rc::new(FuncDecl::new(mangle(name), &domain, range))
}

fn apply(function: &FuncDecl, arguments: &[Dynamic]) -> Dynamic {
    let arguments: Vec<&dyn Ast> = arguments.iter().map(|a| a as &dyn Ast).collect();
    function.apply(&arguments)
}
