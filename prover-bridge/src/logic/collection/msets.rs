//! Multisets by their counts.

use std::rc::Rc;

use ioa_lang::core::{Expr, Op, Type};
use z3::ast::Int;

use crate::logic::term::value::{Mset, joined, wider};
use crate::logic::{Encoded, Logic, Sym, unsupported};

impl<'a> Logic<'a> {
    pub(in crate::logic) fn mset_operator(
        &'a self,
        op: Op,
        v: &[Sym<'a>],
        args: &'a [Expr],
        ty: &'a Type,
    ) -> Encoded<Sym<'a>> {
        Ok(match op {
            Op::EmptyMset => {
                let empty = Mset::new(|_| Ok(Int::from_i64(0)));
                let none = Some(Rc::from([]));
                Sym::Mset(empty.sized(|| Ok(Int::from_i64(0))).among(none))
            }
            Op::MsetInsert => Sym::Mset(self.one_more(v[0].clone(), v[1].mset(), &args[0].ty)),
            Op::MsetDelete => Sym::Mset(self.one_less(v[0].clone(), v[1].mset(), &args[0].ty)),
            Op::MsetMember => Sym::Bool(v[1].mset().count(&v[0])?.gt(0)),
            Op::MsetSubset => {
                let (m, n) = (v[0].mset(), v[1].mset());
                let element = element_type(&args[0].ty)?;
                Sym::Bool(self.forall("x", element, |x| Ok(m.count(&x)?.le(&n.count(&x)?)))?)
            }
            Op::MsetUnion => Sym::Mset(self.sum(v[0].mset(), v[1].mset(), element_type(ty)?)),
            Op::MsetIntersection => Sym::Mset(intersection(v[0].mset(), v[1].mset())),
            Op::MsetDifference => {
                Sym::Mset(self.remainder(v[0].mset(), v[1].mset(), element_type(ty)?))
            }
            Op::MsetSize => Sym::Int(self.mset_size(v[0].mset(), element_type(&args[0].ty)?)?),
            Op::Count => Sym::Int(v[1].mset().count(&v[0])?),
            _ => return unsupported("an operator that is none on multisets"),
        })
    }

    fn one_more(&'a self, element: Sym<'a>, mset: &Mset<'a>, ty: &'a Type) -> Mset<'a> {
        let (one, m, size) = (Int::from_i64(1), mset.clone(), mset.clone());
        let points = wider(&mset.points, &element);
        Mset::new(move |y| {
            let count = m.count(y)?;
            let more = Int::add(&[&count, &one]);
            Ok(y.equal(&element, ty, self)?.ite(&more, &count))
        })
        .among(points)
        .sized(move || Ok(Int::add(&[self.mset_size(&size, ty)?, Int::from_i64(1)])))
    }

    fn one_less(&'a self, element: Sym<'a>, mset: &Mset<'a>, ty: &'a Type) -> Mset<'a> {
        let (m, sized, gone) = (mset.clone(), mset.clone(), element.clone());
        let less = |n: &Int| Int::sub(&[n, &Int::from_i64(1)]);
        Mset::new(move |y| {
            let count = m.count(y)?;
            let fewer = not_below_zero(&less(&count));
            Ok(y.equal(&element, ty, self)?.ite(&fewer, &count))
        })
        .among(mset.points.clone())
        .sized(move || {
            let size = self.mset_size(&sized, ty)?;
            Ok(sized.count(&gone)?.gt(0).ite(&less(&size), &size))
        })
    }

    fn sum(&'a self, m: &Mset<'a>, n: &Mset<'a>, element: &'a Type) -> Mset<'a> {
        let points = joined(&m.points, &n.points);
        let ((a, b), (m, n)) = ((m.clone(), n.clone()), (m.clone(), n.clone()));
        let both = Mset::new(move |x| Ok(Int::add(&[a.count(x)?, b.count(x)?])));
        both.among(points).sized(move || {
            Ok(Int::add(&[
                self.mset_size(&m, element)?,
                self.mset_size(&n, element)?,
            ]))
        })
    }

    fn remainder(&'a self, m: &Mset<'a>, n: &Mset<'a>, element: &'a Type) -> Mset<'a> {
        let points = m.points.clone();
        let ((a, b), (m, n)) = ((m.clone(), n.clone()), (m.clone(), n.clone()));
        let left = move |x: &Sym<'a>| Ok(Int::sub(&[a.count(x)?, b.count(x)?]));
        let rest = Mset::new(move |x| Ok(not_below_zero(&left(x)?)));
        rest.among(points).sized(move || {
            let both = self.mset_size(&intersection(&m, &n), element)?;
            Ok(Int::sub(&[self.mset_size(&m, element)?, both]))
        })
    }

    /// The multiset given by the counts of some elements; no other is in it.
    pub(crate) fn mset_of(&'a self, counts: Vec<(Sym<'a>, Int)>, element: &'a Type) -> Mset<'a> {
        let points = counts.iter().map(|(member, _)| member.clone()).collect();
        let mset = Mset::new(move |x| {
            let none = Int::from_i64(0);
            counts.iter().try_fold(none, |rest, (y, count)| {
                Ok(x.equal(y, element, self)?.ite(count, &rest))
            })
        });
        mset.among(Some(points))
    }
}

pub(in crate::logic) fn not_below_zero(n: &Int) -> Int {
    n.ge(0).ite(n, &Int::from_i64(0))
}

fn intersection<'a>(m: &Mset<'a>, n: &Mset<'a>) -> Mset<'a> {
    let points = m.points.clone().or_else(|| n.points.clone());
    let (m, n) = (m.clone(), n.clone());
    let both = Mset::new(move |x| {
        let (a, b) = (m.count(x)?, n.count(x)?);
        Ok(a.le(&b).ite(&a, &b))
    });
    both.among(points)
}

fn element_type(ty: &Type) -> Encoded<&Type> {
    match ty {
        Type::Mset(element) => Ok(element),
        _ => unsupported("an operator on multisets at a type that is none"),
    }
}
