//! Arithmetic, with division and remainder as in SMT-LIB: Euclidean, the remainder never negative.

use ioa_lang::core::Op;
use z3::ast::Int;

use super::{Encoded, Logic, Sym, outside};

/// The largest literal exponent that is multiplied out.
const MAX_EXPONENT: u64 = 64;

impl<'a> Logic<'a> {
    pub(super) fn arithmetic(&'a self, op: Op, args: &[Sym<'a>]) -> Encoded<Sym<'a>> {
        let a = args[0].int();
        let b = args.get(1).map(Sym::int);
        let b = b.as_ref().unwrap_or(&a);
        Ok(match op {
            Op::Lt => Sym::Bool(a.lt(b)),
            Op::Le => Sym::Bool(a.le(b)),
            Op::Add => Sym::Int(Int::add(&[&a, b])),
            Op::Sub => Sym::Int(Int::sub(&[&a, b])),
            Op::Mul => Sym::Int(Int::mul(&[&a, b])),
            Op::Neg => Sym::Int(a.unary_minus()),
            Op::Div => Sym::Int(a.div(b)),
            Op::Mod => Sym::Int(a.modulo(b)),
            Op::Min => Sym::Int(a.le(b).ite(&a, b)),
            Op::Max => Sym::Int(a.le(b).ite(b, &a)),
            Op::Abs => Sym::Int(a.ge(0).ite(&a, &a.unary_minus())),
            Op::Pow => Sym::Int(power(&a, b)?),
            _ => return outside("an operator that is not arithmetic"),
        })
    }
}

fn power(base: &Int, exponent: &Int) -> Encoded<Int> {
    match exponent.as_u64() {
        Some(n) if n <= MAX_EXPONENT => {
            let factors: Vec<&Int> = std::iter::repeat_n(base, n as usize).collect();
            Ok(match factors.as_slice() {
                [] => Int::from_i64(1),
                _ => Int::mul(&factors),
            })
        }
        Some(_) => outside(format!("an exponent above {MAX_EXPONENT}")),
        None => outside("an exponent that is not a literal"),
    }
}
