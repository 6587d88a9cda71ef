//! Sequences by their length and their elements.

use ioa_lang::core::{Expr, Op, Type};
use z3::ast::Int;

use crate::logic::term::value::Seq;
use crate::logic::{Encoded, Logic, Sym, unsupported};

impl<'a> Logic<'a> {
    pub(in crate::logic) fn sequence_operator(
        &'a self,
        op: Op,
        v: &[Sym<'a>],
        args: &'a [Expr],
        ty: &'a Type,
    ) -> Encoded<Sym<'a>> {
        let first = || v[0].seq();
        Ok(match op {
            Op::EmptySeq => {
                let Type::Seq(element) = ty else {
                    return unsupported("an empty sequence of a type that is none");
                };
                let nothing = self.arbitrary(element)?;
                Sym::Seq(Seq::new(Int::from_i64(0), move |_| Ok(nothing.clone())))
            }
            Op::Append => Sym::Seq(concat(first(), &single(v[1].clone()))),
            Op::Prepend => Sym::Seq(concat(&single(v[0].clone()), v[1].seq())),
            Op::Concat => Sym::Seq(concat(first(), v[1].seq())),
            Op::Head => first().nth(&Int::from_i64(0))?,
            Op::Last => first().nth(&plus(&first().len, -1))?,
            Op::Tail => Sym::Seq(tail(first())),
            Op::Init => {
                let s = first().clone();
                Sym::Seq(Seq::new(plus(&s.len, -1), move |i| s.nth(i)))
            }
            Op::Len => Sym::Int(first().len.clone()),
            Op::Nth => first().nth(&v[1].int())?,
            Op::SeqMember => {
                let s = v[1].seq();
                let ty = &args[0].ty;
                Sym::Bool(self.exists_index(&s.len, |i| s.nth(&i)?.equal(&v[0], ty, self))?)
            }
            _ => return unsupported("an operator that is none on sequences"),
        })
    }
}

fn plus(n: &Int, by: i64) -> Int {
    sum(n, &Int::from_i64(by))
}

/// A sum, computed where both numbers are known, so that a sequence that is written out has a length that is known.
fn sum(a: &Int, b: &Int) -> Int {
    let known = a.as_i64().zip(b.as_i64());
    match known.and_then(|(a, b)| a.checked_add(b)) {
        Some(sum) => Int::from_i64(sum),
        None => Int::add(&[a, b]),
    }
}

fn single(element: Sym<'_>) -> Seq<'_> {
    Seq::new(Int::from_i64(1), move |_| Ok(element.clone()))
}

fn tail<'a>(s: &Seq<'a>) -> Seq<'a> {
    let rest = s.clone();
    Seq::new(plus(&s.len, -1), move |i| rest.nth(&plus(i, 1)))
}

fn concat<'a>(s: &Seq<'a>, t: &Seq<'a>) -> Seq<'a> {
    let len = sum(&s.len, &t.len);
    let (s, t) = (s.clone(), t.clone());
    Seq::new(len, move |i| {
        let beyond = Int::sub(&[i, &s.len]);
        Ok(Sym::ite(&i.lt(&s.len), &s.nth(i)?, &t.nth(&beyond)?))
    })
}
