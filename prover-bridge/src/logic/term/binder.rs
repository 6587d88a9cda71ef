//! Quantifiers over values of any type.

use std::cell::Cell;
use std::rc::Rc;

use ioa_lang::Name;
use ioa_lang::core::{Quantifier, Type};
use z3::ast::{Ast, Bool, Dynamic, Int, exists_const, forall_const};
use z3::{Sort, SortKind};

use crate::logic::term::infinite::has_infinite_set;
use crate::logic::term::value::Seq;
use crate::logic::vocabulary::Open;
use crate::logic::{Encoded, Logic, Sym, and, budget, implies, mangle, or, unsupported};

/// In a finite instance, no sequence that is compared element by element is longer than this.
pub(crate) const MAX_LENGTH: i64 = 8;

thread_local! {
    /// Whether a quantifier was made on this thread a variable of which stands for a collection.
    static BINDS_COLLECTIONS: Cell<bool> = const { Cell::new(false) };
}

/// Whether some formula that was made on this thread may have a quantifier a variable of which stands for a collection.
pub(crate) fn may_bind_collections() -> bool {
    BINDS_COLLECTIONS.get()
}

/// Notes the variables of a quantifier that is made.
pub(in crate::logic) fn note_bound(bounds: &[&dyn Ast]) {
    let is_collection = |bound: &&dyn Ast| bound.get_sort().kind() == SortKind::Array;
    if bounds.iter().any(is_collection) {
        BINDS_COLLECTIONS.set(true);
    }
}

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
        note_bound(&bounds);
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
        // Under an open quantifier the length may depend on its variable, and no fact could be stated of it.
        (self.is_written_out() && self.depth.get() == 0).then(|| {
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
        let value = self.bound(&mangle(&format!("{name}!{depth}")), ty, &mut consts)?;
        let guard = self.well_formed(&value, ty)?;
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

    /// A bound variable of type `ty`, as the constants to be bound and as a value.
    fn bound(&'a self, name: &str, ty: &'a Type, consts: &mut Vec<Dynamic>) -> Encoded<Sym<'a>> {
        let mut constant = |name: &str, sort: &Sort| {
            let constant = Dynamic::new_const(name, sort);
            consts.push(constant.clone());
            constant
        };
        match ty {
            Type::Tuple(id) => {
                let fields = &self.model.tuples[id.index()].fields;
                Ok(Sym::tuple(self.bound_parts(name, fields, consts)?))
            }
            Type::Union(id) => {
                let declared = &self.model.unions[id.index()];
                let tags = self.scalar_sort(&Type::Enum(declared.tags))?;
                let tag = constant(&format!("{name}!tag"), &tags);
                let payloads = self.bound_parts(name, &declared.variants, consts)?;
                Ok(Sym::Union(tag, payloads.into()))
            }
            Type::Null(inner) => {
                let some = constant(&format!("{name}!some"), &Sort::bool());
                let value = self.bound(&format!("{name}!val"), inner, consts)?;
                Ok(Sym::Null(Sym::scalar(&some).bool(), Rc::new(value)))
            }
            Type::Seq(element) => {
                let len = constant(&format!("{name}!len"), &Sort::int());
                let elements = Sort::array(&Sort::int(), &self.packed_sort(element)?);
                let at = constant(&format!("{name}!at"), &elements);
                let at = at.as_array().expect("its sort is an array");
                let at = move |i: &Int| self.unpack(&at.select(i), element);
                Ok(Sym::Seq(Seq::new(Sym::scalar(&len).int(), at)))
            }
            // A set of a sort stands for a finite set in every finite instance, so nothing is lost by letting it be any relation; a
            // set of numbers or sequences would be another thing.
            _ if has_infinite_set(self.model, ty) => {
                unsupported("a quantifier over finite collections of an infinite type")
            }
            _ => self.unpack(&constant(name, &self.packed_sort(ty)?), ty),
        }
    }

    /// Bound fields of a tuple, or what the variants of a union carry.
    fn bound_parts(
        &'a self,
        name: &str,
        parts: &'a [(Name, Type)],
        consts: &mut Vec<Dynamic>,
    ) -> Encoded<Vec<Sym<'a>>> {
        let parts = parts.iter();
        let each = parts.map(|(part, ty)| self.bound(&format!("{name}!{part}"), ty, consts));
        each.collect()
    }
}

fn within(index: &Int, len: &Int) -> Bool {
    and(&[index.ge(0), index.lt(len)])
}

fn bounds(consts: &[Dynamic]) -> Vec<&dyn Ast> {
    consts.iter().map(|c| c as &dyn Ast).collect()
}
