//! When two symbolic values are equal.

use ioa_lang::core::{Type, UnionId};
use z3::ast::Bool;

use crate::logic::term::binder::written;
use crate::logic::term::connective::iff;
use crate::logic::{Encoded, Logic, Sym, and, implies};

impl<'a> Sym<'a> {
    /// `self = other` for two values of type `ty`; pointwise for collections.
    pub(crate) fn equal(&self, other: &Self, ty: &'a Type, logic: &'a Logic<'a>) -> Encoded<Bool> {
        if self.identity() == other.identity() {
            return Ok(Bool::from_bool(true));
        }
        match (self, other, ty) {
            (Self::Bool(a), Self::Bool(b), _) => Ok(iff(a, b)),
            (Self::Tuple(a), Self::Tuple(b), _) => {
                let fields = a.iter().zip(&**b).zip(logic.model.parts_of(ty));
                let equal: Encoded<Vec<Bool>> =
                    fields.map(|((a, b), ty)| a.equal(b, ty, logic)).collect();
                Ok(and(&equal?))
            }
            (Self::Null(..), Self::Null(..), Type::Null(inner)) => {
                self.equal_nulls(other, inner, logic)
            }
            (Self::Union(..), Self::Union(..), Type::Union(id)) => {
                self.equal_unions(other, *id, logic)
            }
            (Self::Int(_) | Self::Real(_) | Self::Text(_) | Self::Atom(_), ..) => {
                Ok(self.term().eq(other.term()))
            }
            _ => self.equal_collections(other, ty, logic),
        }
    }

    fn equal_collections(&self, other: &Self, ty: &'a Type, logic: &'a Logic<'a>) -> Encoded<Bool> {
        match (self, other, ty) {
            (Self::Set(a), Self::Set(b), Type::Set(element)) => logic.forall("x", element, |x| {
                Ok(iff(&a.contains(&x)?, &b.contains(&x)?))
            }),
            (Self::Mset(a), Self::Mset(b), Type::Mset(element)) => {
                logic.forall("x", element, |x| Ok(a.count(&x)?.eq(&b.count(&x)?)))
            }
            (Self::Array(a), Self::Array(b), Type::Array(index, element)) => {
                logic.forall("x", index, |i| {
                    a.call(&i)?.equal(&b.call(&i)?, element, logic)
                })
            }
            (Self::Array(a), Self::Array(b), Type::Map(domain, range)) => {
                logic.forall("x", domain, |d| {
                    a.call(&d)?.equal_nulls(&b.call(&d)?, range, logic)
                })
            }
            (Self::Seq(a), Self::Seq(b), Type::Seq(element)) => {
                // A length that is known leaves no quantifier.
                let len = [&b.len, &a.len]
                    .into_iter()
                    .find(|len| written(len).is_some());
                let each = logic.forall_index(len.unwrap_or(&a.len), |i| {
                    a.nth(&i)?.equal(&b.nth(&i)?, element, logic)
                })?;
                Ok(and(&[a.len.eq(&b.len), each]))
            }
            _ => unreachable!("both sides have the type"),
        }
    }

    /// Whether two `Null`s of this inner type are equal.
    fn equal_nulls(&self, other: &Self, inner: &'a Type, logic: &'a Logic<'a>) -> Encoded<Bool> {
        let ((p, a), (q, b)) = (self.null(), other.null());
        let same = iff(p, q);
        // Neither side of the implication is asked where it is known that there is no value.
        if p.as_bool() == Some(false) || q.as_bool() == Some(false) {
            return Ok(same);
        }
        let equal = a.equal(b, inner, logic)?;
        if q.as_bool() == Some(true) {
            return Ok(and(&[same, equal]));
        }
        Ok(and(&[same, implies(p, &equal)]))
    }

    fn equal_unions(&self, other: &Self, id: UnionId, logic: &'a Logic<'a>) -> Encoded<Bool> {
        let ((s, a), (t, b)) = (self.union(), other.union());
        let mut all = vec![s.eq(t)];
        let variants = logic.model.unions[id.index()].variants.iter();
        for (i, (_, ty)) in (0..).zip(variants) {
            let here = logic.has_tag(self, id, i);
            if here.as_bool() != Some(false) {
                let at = i as usize;
                all.push(implies(&here, &a[at].equal(&b[at], ty, logic)?));
            }
        }
        Ok(and(&all))
    }
}
