//! Arithmetic, with division and remainder as in SMT-LIB: Euclidean, the remainder never negative; and the orders.

use ioa_lang::core::{Op, Rational};
use z3::ast::{Int, Real};

use crate::logic::term::text;
use crate::logic::term::value::Text;
use crate::logic::{Encoded, Logic, Sym, unsupported};

/// The largest literal exponent that is multiplied out.
const MAX_EXPONENT: u64 = 64;

impl<'a> Logic<'a> {
    pub(in crate::logic) fn arithmetic(&'a self, op: Op, args: &[Sym<'a>]) -> Encoded<Sym<'a>> {
        match (&args[0], args.get(1)) {
            (Sym::Int(a), Some(Sym::Int(b))) => integer(op, a, b),
            (Sym::Int(a), _) => integer(op, a, a),
            (Sym::Real(a), Some(Sym::Int(n))) if op == Op::Pow => {
                Ok(Sym::Real(match exponent(n)? {
                    0 => Real::from_rational(1, 1),
                    n => Real::mul(&vec![a; n]),
                }))
            }
            (Sym::Real(a), Some(Sym::Real(b))) => real(op, a, b),
            (Sym::Real(a), _) => real(op, a, a),
            (Sym::Text(a), Some(Sym::Text(b))) => string(op, a, b),
            _ => unsupported("an operator that is not arithmetic"),
        }
    }
}

fn integer<'a>(op: Op, a: &Int, b: &Int) -> Encoded<Sym<'a>> {
    Ok(match op {
        Op::Lt => Sym::Bool(a.lt(b)),
        Op::Le => Sym::Bool(a.le(b)),
        Op::Add => Sym::Int(Int::add(&[a, b])),
        Op::Sub => Sym::Int(Int::sub(&[a, b])),
        Op::Mul => Sym::Int(Int::mul(&[a, b])),
        Op::Neg => Sym::Int(a.unary_minus()),
        Op::Div => Sym::Int(a.div(b)),
        Op::Mod => Sym::Int(a.modulo(b)),
        Op::Min => Sym::Int(a.le(b).ite(a, b)),
        Op::Max => Sym::Int(a.le(b).ite(b, a)),
        Op::Abs => Sym::Int(a.ge(0).ite(a, &a.unary_minus())),
        Op::ToReal => Sym::Real(Real::from_int(a)),
        Op::Pow => Sym::Int(match exponent(b)? {
            0 => Int::from_i64(1),
            n => Int::mul(&vec![a; n]),
        }),
        _ => return unsupported("an operator that is not arithmetic"),
    })
}

fn real<'a>(op: Op, a: &Real, b: &Real) -> Encoded<Sym<'a>> {
    Ok(match op {
        Op::Lt => Sym::Bool(a.lt(b)),
        Op::Le => Sym::Bool(a.le(b)),
        Op::Add => Sym::Real(Real::add(&[a, b])),
        Op::Sub => Sym::Real(Real::sub(&[a, b])),
        Op::Mul => Sym::Real(Real::mul(&[a, b])),
        Op::Neg => Sym::Real(a.unary_minus()),
        Op::Divide => Sym::Real(a.div(b)),
        Op::Min => Sym::Real(a.le(b).ite(a, b)),
        Op::Max => Sym::Real(a.le(b).ite(b, a)),
        Op::Abs => Sym::Real(a.ge(Real::from_rational(0, 1)).ite(a, &a.unary_minus())),
        _ => return unsupported("an operator that reals do not have"),
    })
}

fn string<'a>(op: Op, a: &Text, b: &Text) -> Encoded<Sym<'a>> {
    match op {
        Op::Lt => Ok(Sym::Bool(a.str_lt(b))),
        Op::Le => Ok(Sym::Bool(a.str_le(b))),
        _ => unsupported("an operator that strings do not have"),
    }
}

fn exponent(exponent: &Int) -> Encoded<usize> {
    match exponent.as_u64() {
        Some(n) if n <= MAX_EXPONENT => Ok(n as usize),
        Some(_) => unsupported(format!("an exponent above {MAX_EXPONENT}")),
        None => unsupported("an exponent that is not a literal"),
    }
}

/// The fraction `n`.
pub(crate) fn fraction(n: &Rational) -> Real {
    Real::from_rational_str(&n.numer().to_string(), &n.denom().to_string())
        .expect("the digits of a fraction")
}

/// The number of a character.
pub(crate) fn character(c: char) -> Int {
    Int::from_i64(i64::from(u32::from(c)))
}

/// A string.
///
/// # Errors
/// A character that Z3's strings cannot hold.
pub(crate) fn literal<'a>(value: &str) -> Encoded<Sym<'a>> {
    text::write(value).map(Sym::Text)
}
