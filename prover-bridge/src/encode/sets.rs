//! Sets by their characteristic functions.

use ioa_lang::core::{Expr, Op, Type};
use z3::ast::{Bool, Int};

use super::value::Set;
use super::{Encoded, Logic, Size, Sym, and, implies, or, outside};

impl<'a> Logic<'a> {
    pub(super) fn set_operator(
        &'a self,
        op: Op,
        v: &[Sym<'a>],
        args: &'a [Expr],
        ty: &'a Type,
    ) -> Encoded<Sym<'a>> {
        Ok(match op {
            Op::EmptySet => {
                let empty = Set::new(|_| Ok(Bool::from_bool(false)));
                Sym::Set(empty.sized(|| Ok(Int::from_i64(0))))
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
            Op::Union => pointwise(v, |a, b| or(&[a, b])),
            Op::Intersection => pointwise(v, |a, b| and(&[a, b])),
            Op::Difference => pointwise(v, |a, b| and(&[a, b.not()])),
            Op::Size => Sym::Int(self.size_of(v[0].set(), element_type(&args[0].ty)?)?),
            _ => {
                return outside(format!(
                    "an operator on sets at type {}",
                    self.model.type_name(ty)
                ));
            }
        })
    }

    pub(super) fn insert(&'a self, element: Sym<'a>, set: &Set<'a>, ty: &'a Type) -> Set<'a> {
        let (x, s) = (element.clone(), set.clone());
        let wider = Set::new(move |y| Ok(or(&[y.equal(&x, ty, self)?, s.contains(y)?])));
        let set = set.clone();
        wider.sized(move || {
            let old = set.structural_size()?;
            let one_more = Int::add(&[&old, &Int::from_i64(1)]);
            Ok(set.contains(&element)?.ite(&old, &one_more))
        })
    }

    fn delete(&'a self, element: Sym<'a>, set: &Set<'a>, ty: &'a Type) -> Set<'a> {
        let (x, s) = (element.clone(), set.clone());
        let narrower = Set::new(move |y| Ok(and(&[y.equal(&x, ty, self)?.not(), s.contains(y)?])));
        let set = set.clone();
        narrower.sized(move || {
            let old = set.structural_size()?;
            let one_less = Int::sub(&[&old, &Int::from_i64(1)]);
            Ok(set.contains(&element)?.ite(&one_less, &old))
        })
    }

    /// The number of elements: counted in a finite instance, otherwise by the way the set was built.
    fn size_of(&'a self, set: &Set<'a>, element: &'a Type) -> Encoded<Int> {
        let Size::Finite(_) = self.size else {
            return set.structural_size();
        };
        let Some(values) = self.values(element) else {
            return outside("`size` of a set of an infinite type in a finite instance");
        };
        let (one, none) = (Int::from_i64(1), Int::from_i64(0));
        let ones: Encoded<Vec<Int>> = values
            .iter()
            .map(|x| Ok(set.contains(x)?.ite(&one, &none)))
            .collect();
        Ok(Int::add(&ones?))
    }
}

fn pointwise<'a>(v: &[Sym<'a>], join: impl Fn(Bool, Bool) -> Bool + 'a) -> Sym<'a> {
    let (s, t) = (v[0].set().clone(), v[1].set().clone());
    Sym::Set(Set::new(move |x| Ok(join(s.contains(x)?, t.contains(x)?))))
}

fn element_type(ty: &Type) -> Encoded<&Type> {
    match ty {
        Type::Set(element) | Type::Seq(element) => Ok(element),
        _ => outside("an operator on collections at a type that is none"),
    }
}
