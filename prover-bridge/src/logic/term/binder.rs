//! Quantifiers over values of any type.

use std::rc::Rc;

use ioa_lang::Name;
use ioa_lang::core::{Quantifier, Type};
use z3::ast::{Ast, Bool, Dynamic, Int, exists_const, forall_const};

use crate::logic::term::infinite::has_infinite_set;
use crate::logic::term::value::Seq;
use crate::logic::vocabulary::Open;
use crate::logic::{Encoded, Logic, Size, Sym, and, budget, implies, mangle, or, unsupported};

/// In a finite instance, no sequence that is compared element by element is longer than this.
pub(crate) const MAX_LENGTH: i64 = 8;

/// A length that is a number, if it is small enough for its positions to be written out.
pub(in crate::logic) fn written(len: &Int) -> Option<i64> {
    len.as_i64().filter(|len| (0..=MAX_LENGTH).contains(len))
}

impl<'a> Logic<'a> {
    /// `\A name: ty (body)`.
    pub(crate) fn forall(
        &'a self,
        name: &str,
        ty: &'a Type,
        body: impl Fn(Sym<'a>) -> Encoded<Bool>,
    ) -> Encoded<Bool> {
        self.quantify(Quantifier::ForAll, name, ty, body)
    }

    /// `\E name: ty (body)`.
    pub(crate) fn exists(
        &'a self,
        name: &str,
        ty: &'a Type,
        body: impl Fn(Sym<'a>) -> Encoded<Bool>,
    ) -> Encoded<Bool> {
        self.quantify(Quantifier::Exists, name, ty, body)
    }

    /// A body for all values of a type, or for some: written out where there are few, else left to the solver.
    pub(in crate::logic) fn quantify(
        &'a self,
        quantifier: Quantifier,
        name: &str,
        ty: &'a Type,
        body: impl Fn(Sym<'a>) -> Encoded<Bool>,
    ) -> Encoded<Bool> {
        let is_forall = quantifier == Quantifier::ForAll;
        if let Some(values) = self.domain(ty) {
            let each = values
                .into_iter()
                .map(body)
                .collect::<Encoded<Vec<Bool>>>()?;
            return Ok(if is_forall { and(&each) } else { or(&each) });
        }
        let (consts, guard, body) = self.open(name, ty, body)?;
        if body.as_bool() == Some(is_forall) {
            return Ok(body);
        }
        let bounds = bounds(&consts);
        Ok(if is_forall {
            forall_const(&bounds, &[], &implies(&guard, &body))
        } else {
            exists_const(&bounds, &[], &and(&[guard, body]))
        })
    }

    /// `body(i)` for each position of a sequence of length `len`.
    pub(crate) fn forall_index(
        &'a self,
        len: &Int,
        body: impl Fn(Int) -> Encoded<Bool>,
    ) -> Encoded<Bool> {
        self.quantify_index(Quantifier::ForAll, len, |inside, i| {
            Ok(implies(&inside, &body(i)?))
        })
    }

    /// `body(i)` for some position of a sequence of length `len`.
    pub(crate) fn exists_index(
        &'a self,
        len: &Int,
        body: impl Fn(Int) -> Encoded<Bool>,
    ) -> Encoded<Bool> {
        self.quantify_index(Quantifier::Exists, len, |inside, i| {
            Ok(and(&[inside, body(i)?]))
        })
    }

    /// A body over numbers and whether they are positions of a sequence of length `len`: written out where that is a small
    /// number.
    fn quantify_index(
        &'a self,
        quantifier: Quantifier,
        len: &Int,
        body: impl Fn(Bool, Int) -> Encoded<Bool>,
    ) -> Encoded<Bool> {
        let listed: Option<Vec<(Bool, Int)>> = match written(len) {
            Some(len) => {
                let all = (0..len).map(Int::from_i64);
                Some(all.map(|i| (Bool::from_bool(true), i)).collect())
            }
            None => self
                .positions(len)
                .map(|all| all.map(|i| (len.gt(&i), i)).collect()),
        };
        if let Some(positions) = listed {
            let each = positions.into_iter().map(|(inside, i)| body(inside, i));
            let each = each.collect::<Encoded<Vec<Bool>>>()?;
            return Ok(match quantifier {
                Quantifier::ForAll => and(&each),
                Quantifier::Exists => or(&each),
            });
        }
        self.quantify(quantifier, "i", &Type::Int, |i| {
            let i = i.int();
            body(within(&i, len), i)
        })
    }

    /// All positions that a sequence can have in a finite instance, which is held to be no longer than that.
    fn positions(&self, len: &Int) -> Option<impl Iterator<Item = Int>> {
        let expand = matches!(&self.size, Size::Finite(finite) if finite.expand);
        // Under an open quantifier the length may depend on its variable, and no fact could be stated of it.
        (expand && self.depth.get() == 0).then(|| {
            self.fact(len.le(MAX_LENGTH));
            (0..MAX_LENGTH).map(Int::from_i64)
        })
    }

    /// Evaluates `body` under a fresh bound variable.
    fn open(
        &'a self,
        name: &str,
        ty: &'a Type,
        body: impl Fn(Sym<'a>) -> Encoded<Bool>,
    ) -> Encoded<(Vec<Dynamic>, Bool, Bool)> {
        budget::spend(budget::QUANTIFIER)?;
        let depth = self.depth.get();
        let mut consts = Vec::new();
        let (value, guard) = self.bound(&mangle(&format!("{name}!{depth}")), ty, &mut consts)?;
        let open = Open {
            consts: consts.clone(),
            guard: Some(guard.clone()),
        };
        let body = self.under(open, || body(value))?;
        Ok((consts, guard, body))
    }

    /// Evaluates something under a bound variable.
    pub(in crate::logic) fn under<T>(
        &self,
        variable: Open,
        body: impl FnOnce() -> Encoded<T>,
    ) -> Encoded<T> {
        let depth = self.depth.get();
        self.depth.set(depth + 1);
        self.open.borrow_mut().push(variable);
        let body = body();
        self.open.borrow_mut().pop();
        self.depth.set(depth);
        body
    }

    /// One constant that is to be bound, and the value of type `ty` that it stands for.
    pub(in crate::logic) fn one_bound(
        &'a self,
        name: &str,
        ty: &'a Type,
    ) -> Encoded<(Dynamic, Sym<'a>, Open)> {
        let depth = self.depth.get();
        let constant = Dynamic::new_const(format!("{name}!{depth}"), &self.packed_sort(ty)?);
        let value = self.unpack(&constant, ty)?;
        let guard = match has_infinite_set(self.model, ty) {
            true => None,
            false => Some(self.well_formed(&value, ty)?),
        };
        let consts = vec![constant.clone()];
        Ok((constant, value, Open { consts, guard }))
    }

    /// A bound variable of type `ty`, as the constants to be bound and as a value, with what its type says of it.
    fn bound(
        &'a self,
        name: &str,
        ty: &'a Type,
        consts: &mut Vec<Dynamic>,
    ) -> Encoded<(Sym<'a>, Bool)> {
        let yes = Bool::from_bool(true);
        match ty {
            Type::Bool | Type::Int | Type::Real | Type::String | Type::Sort(_) | Type::Enum(_) => {
                Ok((self.bound_scalar(name, ty, consts)?, yes))
            }
            Type::Nat | Type::Char => {
                let value = self.bound_scalar(name, ty, consts)?;
                let guard = self.well_formed(&value, ty)?;
                Ok((value, guard))
            }
            Type::Tuple(id) => {
                let fields = &self.model.tuples[id.index()].fields;
                let (values, guards) = self.bound_parts(name, fields, consts)?;
                Ok((Sym::tuple(values), and(&guards)))
            }
            Type::Union(id) => {
                let declared = &self.model.unions[id.index()];
                let tag = Dynamic::new_const(
                    format!("{name}!tag"),
                    &self.scalar_sort(&Type::Enum(declared.tags))?,
                );
                consts.push(tag.clone());
                let (payloads, guards) = self.bound_parts(name, &declared.variants, consts)?;
                let value = Sym::Union(tag, payloads.into());
                let guards = (0..).zip(guards);
                let guards: Vec<Bool> = guards
                    .map(|(i, guard)| implies(&self.has_tag(&value, *id, i), &guard))
                    .collect();
                Ok((value, and(&guards)))
            }
            Type::Null(inner) => {
                let some = self
                    .bound_scalar(&format!("{name}!some"), &Type::Bool, consts)?
                    .bool();
                let (value, guard) = self.bound(&format!("{name}!val"), inner, consts)?;
                let guard = implies(&some, &guard);
                Ok((Sym::Null(some, Rc::new(value)), guard))
            }
            Type::Seq(element) => self.bound_seq(name, element, consts),
            Type::Set(_) | Type::Mset(_) | Type::Array(..) | Type::Map(..) => {
                self.bound_collection(name, ty, consts)
            }
        }
    }

    /// Bound fields of a tuple, or what the variants of a union carry, each with what its type says of it.
    fn bound_parts(
        &'a self,
        name: &str,
        parts: &'a [(Name, Type)],
        consts: &mut Vec<Dynamic>,
    ) -> Encoded<(Vec<Sym<'a>>, Vec<Bool>)> {
        let each = parts
            .iter()
            .map(|(part, ty)| self.bound(&format!("{name}!{part}"), ty, consts));
        Ok(each.collect::<Encoded<Vec<_>>>()?.into_iter().unzip())
    }

    fn bound_scalar(&self, name: &str, ty: &Type, consts: &mut Vec<Dynamic>) -> Encoded<Sym<'a>> {
        let constant = Dynamic::new_const(name, &self.scalar_sort(ty)?);
        consts.push(constant.clone());
        Ok(Sym::scalar(&constant))
    }

    fn bound_seq(
        &'a self,
        name: &str,
        element: &'a Type,
        consts: &mut Vec<Dynamic>,
    ) -> Encoded<(Sym<'a>, Bool)> {
        let len = self
            .bound_scalar(&format!("{name}!len"), &Type::Int, consts)?
            .int();
        let sort = z3::Sort::array(&z3::Sort::int(), &self.packed_sort(element)?);
        let at = Dynamic::new_const(format!("{name}!at"), &sort);
        consts.push(at.clone());
        let at = at.as_array().expect("its sort is an array");
        let value = Seq::new(len, move |i| self.unpack(&at.select(i), element));
        let guard = self.well_formed_seq(&value, element)?;
        Ok((Sym::Seq(value), guard))
    }

    /// A bound set, multiset, array or map. A set of a sort stands for a finite set in every finite instance, so
    /// nothing is lost by letting it be any relation; a set of numbers or sequences would be another thing.
    fn bound_collection(
        &'a self,
        name: &str,
        ty: &'a Type,
        consts: &mut Vec<Dynamic>,
    ) -> Encoded<(Sym<'a>, Bool)> {
        if has_infinite_set(self.model, ty) {
            return unsupported("a quantifier over finite collections of an infinite type");
        }
        let constant = Dynamic::new_const(name, &self.packed_sort(ty)?);
        consts.push(constant.clone());
        let value = self.unpack(&constant, ty)?;
        let guard = self.well_formed(&value, ty)?;
        Ok((value, guard))
    }
}

fn within(index: &Int, len: &Int) -> Bool {
    and(&[index.ge(0), index.lt(len)])
}

fn bounds(consts: &[Dynamic]) -> Vec<&dyn Ast> {
    consts.iter().map(|c| c as &dyn Ast).collect()
}
