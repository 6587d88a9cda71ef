//! Fractions: exact, in lowest terms, and subject to the same size limit as integers.

use std::sync::Arc;

use ioa_lang::core::Rational;
use num_bigint::BigInt;
use num_traits::Zero;

use super::Number;
use crate::interrupt::fault::{FaultKind, LimitKind, UnplacedInterrupt};
use crate::interrupt::limits::MAX_INTEGER_BITS;

/// The number of parts that a fraction counts for.
pub(super) fn parts(n: &Rational) -> u64 {
    1 + (n.numer().bits() + n.denom().bits()) / 64
}

/// The fraction, if neither numerator nor denominator has too many bits.
pub(super) fn bounded(n: Rational) -> Result<Arc<Rational>, LimitKind> {
    if n.numer().bits().max(n.denom().bits()) > MAX_INTEGER_BITS {
        return Err(LimitKind::Integer);
    }
    Ok(Arc::new(n))
}

/// `a / b`
pub(crate) fn divide(a: &Rational, b: &Rational) -> Result<Rational, UnplacedInterrupt> {
    if b.is_zero() {
        return Err(FaultKind::DivisionByZero.into());
    }
    Ok(a / b)
}

/// `base ** exponent`
pub(crate) fn pow(base: &Rational, exponent: &Number) -> Result<Rational, UnplacedInterrupt> {
    let raise = |n: &BigInt| -> Result<BigInt, UnplacedInterrupt> {
        Ok(Number::bounded(n.clone())?.pow(exponent)?.to_big())
    };
    // Powers of coprime numbers are coprime.
    Ok(Rational::new_raw(
        raise(base.numer())?,
        raise(base.denom())?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(a: i64, b: i64) -> Rational {
        Rational::new(a.into(), b.into())
    }

    #[test]
    fn division_and_powers_are_exact() {
        assert_eq!(
            divide(&fraction(1, 3), &fraction(-2, 3)),
            Ok(fraction(-1, 2))
        );
        assert_eq!(
            divide(&fraction(1, 3), &fraction(0, 1)),
            Err(FaultKind::DivisionByZero.into())
        );
        assert_eq!(
            pow(&fraction(-2, 3), &Number::Small(3)),
            Ok(fraction(-8, 27))
        );
        assert_eq!(pow(&fraction(0, 1), &Number::ZERO), Ok(fraction(1, 1)));
    }

    #[test]
    fn a_fraction_with_too_many_digits_is_a_limit() {
        let error = Err(LimitKind::Integer.into());
        assert_eq!(pow(&fraction(1, 2), &Number::Small(1 << 40)), error);
        let huge = Rational::new(BigInt::from(1), BigInt::from(1) << MAX_INTEGER_BITS);
        assert_eq!(bounded(huge), Err(LimitKind::Integer));
    }
}
