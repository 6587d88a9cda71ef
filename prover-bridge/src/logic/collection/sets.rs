//! Sets by their characteristic functions.

use std::rc::Rc;

use ioa_lang::core::{Expr, Op, Type};
use z3::ast::{Bool, Int};

use crate::logic::term::value::{Set, joined, wider};
use crate::logic::{Encoded, Logic, Sym, and, implies, or, unsupported};

impl<'a> Logic<'a> {
    pub(in crate::logic) fn set_operator(
        &'a self,
        op: Op,
        v: &[Sym<'a>],
        args: &'a [Expr],
        ty: &'a Type,
    ) -> Encoded<Sym<'a>> {
        Ok(match op {
            Op::EmptySet => {
                let empty = Set::new(|_| Ok(Bool::from_bool(false)));
                let none = Some(Rc::from([]));
                Sym::Set(empty.sized(|| Ok(Int::from_i64(0))).among(none))
            }
            Op::Insert => Sym::Set(self.insert(v[0].clone(), v[1].set(), &args[0].ty)),
            Op::Delete => Sym::Set(self.delete(v[0].clone(), v[1].set(), &args[0].ty)),
            Op::Member => Sym::Bool(v[1].set().contains(&v[0])?),
            Op::Subset => {
                let (s, t) = (v[0].set(), v[1].set());
                let element = element_type(&args[0].ty)?;
                Sym::Bool(self.forall("x", element, |x| {
                    Ok(implies(&s.contains(&x)?, &t.contains(&x)?))
                })?)
            }
            Op::Union => Sym::Set(self.union(v[0].set(), v[1].set(), element_type(ty)?)),
            Op::Intersection => Sym::Set(intersection(v[0].set(), v[1].set())),
            Op::Difference => Sym::Set(self.difference(v[0].set(), v[1].set(), element_type(ty)?)),
            Op::Size => Sym::Int(self.set_size(v[0].set(), element_type(&args[0].ty)?)?),
            _ => {
                return unsupported(format!(
                    "an operator on sets at type {}",
                    self.model.type_name(ty)
                ));
            }
        })
    }

    pub(in crate::logic) fn insert(
        &'a self,
        x: Sym<'a>,
        set: &Set<'a>,
        element: &'a Type,
    ) -> Set<'a> {
        let (added, s) = (x.clone(), set.clone());
        let more = Set::new(move |y| Ok(or(&[y.equal(&added, element, self)?, s.contains(y)?])))
            .among(wider(&set.points, &x));
        let set = set.clone();
        more.sized(move || {
            let old = self.set_size(&set, element)?;
            let one_more = Int::add(&[&old, &Int::from_i64(1)]);
            Ok(set.contains(&x)?.ite(&old, &one_more))
        })
    }

    fn delete(&'a self, x: Sym<'a>, set: &Set<'a>, element: &'a Type) -> Set<'a> {
        let (gone, s) = (x.clone(), set.clone());
        let narrower =
            Set::new(move |y| Ok(and(&[y.equal(&gone, element, self)?.not(), s.contains(y)?])))
                .among(set.points.clone());
        let set = set.clone();
        narrower.sized(move || {
            let old = self.set_size(&set, element)?;
            let one_less = Int::sub(&[&old, &Int::from_i64(1)]);
            Ok(set.contains(&x)?.ite(&one_less, &old))
        })
    }

    fn union(&'a self, s: &Set<'a>, t: &Set<'a>, element: &'a Type) -> Set<'a> {
        let points = joined(&s.points, &t.points);
        let ((a, b), (s, t)) = ((s.clone(), t.clone()), (s.clone(), t.clone()));
        let either = Set::new(move |x| Ok(or(&[a.contains(x)?, b.contains(x)?]))).among(points);
        either.sized(move || {
            let both = self.set_size(&intersection(&s, &t), element)?;
            let (s, t) = (self.set_size(&s, element)?, self.set_size(&t, element)?);
            Ok(Int::sub(&[Int::add(&[s, t]), both]))
        })
    }

    fn difference(&'a self, s: &Set<'a>, t: &Set<'a>, element: &'a Type) -> Set<'a> {
        let points = s.points.clone();
        let ((a, b), (s, t)) = ((s.clone(), t.clone()), (s.clone(), t.clone()));
        let rest = Set::new(move |x| Ok(and(&[a.contains(x)?, b.contains(x)?.not()])));
        rest.among(points).sized(move || {
            let both = self.set_size(&intersection(&s, &t), element)?;
            Ok(Int::sub(&[self.set_size(&s, element)?, both]))
        })
    }
}

fn intersection<'a>(s: &Set<'a>, t: &Set<'a>) -> Set<'a> {
    let points = s.points.clone().or_else(|| t.points.clone());
    let (s, t) = (s.clone(), t.clone());
    Set::new(move |x| Ok(and(&[s.contains(x)?, t.contains(x)?]))).among(points)
}

fn element_type(ty: &Type) -> Encoded<&Type> {
    match ty {
        Type::Set(element) | Type::Seq(element) => Ok(element),
        _ => unsupported("an operator on collections at a type that is none"),
    }
}
