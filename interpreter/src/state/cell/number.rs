//! Integers: machine words while they fit, arbitrary precision up to a bound where they do not.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::interrupt::fault::{FaultKind, LimitKind, UnplacedInterrupt};
use crate::interrupt::limits::MAX_INTEGER_BITS;

/// An integer. `Big` is used only if the number does not fit `Small`, so equal numbers are structurally equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// One that fits 64 bits.
    Small(i64),
    /// One that does not.
    Big(Arc<BigInt>),
}

impl Number {
    /// Zero.
    pub const ZERO: Self = Self::Small(0);

    /// Whether it is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match self {
            Self::Small(n) => *n < 0,
            Self::Big(n) => n.sign() == Sign::Minus,
        }
    }

    /// The number as a count or an index, if it is one.
    #[must_use]
    pub fn to_usize(&self) -> Option<usize> {
        match self {
            Self::Small(n) => usize::try_from(*n).ok(),
            Self::Big(_) => None,
        }
    }

    /// The number with arbitrary precision.
    #[must_use]
    pub fn to_big(&self) -> BigInt {
        match self {
            Self::Small(n) => BigInt::from(*n),
            Self::Big(n) => BigInt::clone(n),
        }
    }

    /// Its memory in units of parts of a value.
    pub(crate) fn parts(&self) -> u64 {
        match self {
            Self::Small(_) => 1,
            Self::Big(n) => 1 + n.bits() / 64,
        }
    }

    /// The number for a given one, if it is within the bound.
    pub(crate) fn bounded(n: BigInt) -> Result<Self, LimitKind> {
        if let Some(small) = n.to_i64() {
            return Ok(Self::Small(small));
        }
        if n.bits() > MAX_INTEGER_BITS {
            return Err(LimitKind::Integer);
        }
        Ok(Self::Big(Arc::new(n)))
    }

    fn combine(
        &self,
        other: &Self,
        small: impl Fn(i64, i64) -> Option<i64>,
        big: impl Fn(BigInt, BigInt) -> BigInt,
    ) -> Result<Self, LimitKind> {
        if let (Self::Small(a), Self::Small(b)) = (self, other)
            && let Some(n) = small(*a, *b)
        {
            return Ok(Self::Small(n));
        }
        Self::bounded(big(self.to_big(), other.to_big()))
    }

    pub(crate) fn add(&self, other: &Self) -> Result<Self, LimitKind> {
        self.combine(other, i64::checked_add, |a, b| a + b)
    }

    pub(crate) fn sub(&self, other: &Self) -> Result<Self, LimitKind> {
        self.combine(other, i64::checked_sub, |a, b| a - b)
    }

    pub(crate) fn mul(&self, other: &Self) -> Result<Self, LimitKind> {
        self.combine(other, i64::checked_mul, |a, b| a * b)
    }

    pub(crate) fn neg(&self) -> Result<Self, LimitKind> {
        Self::ZERO.sub(self)
    }

    pub(crate) fn abs(&self) -> Result<Self, LimitKind> {
        if self.is_negative() {
            self.neg()
        } else {
            Ok(self.clone())
        }
    }

    /// Euclidean division, as in SMT-LIB: the remainder is never negative.
    pub(crate) fn div(&self, other: &Self) -> Result<Self, UnplacedInterrupt> {
        if *other == Self::ZERO {
            return Err(FaultKind::DivisionByZero.into());
        }
        let big = |a: BigInt, b: BigInt| euclid(&a, &b).0;
        Ok(self.combine(other, i64::checked_div_euclid, big)?)
    }

    /// The remainder of [`Number::div`].
    pub(crate) fn modulo(&self, other: &Self) -> Result<Self, UnplacedInterrupt> {
        if *other == Self::ZERO {
            return Err(FaultKind::DivisionByZero.into());
        }
        let big = |a: BigInt, b: BigInt| euclid(&a, &b).1;
        Ok(self.combine(other, i64::checked_rem_euclid, big)?)
    }

    pub(crate) fn pow(&self, exponent: &Self) -> Result<Self, UnplacedInterrupt> {
        if exponent.is_negative() {
            return Err(FaultKind::NegativeNat.into());
        }
        let odd = exponent.to_big().is_odd();
        match self {
            Self::Small(0 | 1) if *exponent != Self::ZERO => return Ok(self.clone()),
            Self::Small(-1) => return Ok(Self::Small(if odd { -1 } else { 1 })),
            _ => {}
        }
        let exponent = exponent.to_usize().and_then(|n| u32::try_from(n).ok());
        let exponent = exponent.ok_or(LimitKind::Integer)?;
        let base = self.to_big();
        // The result has at least (bits - 1) * exponent bits: refuse before computing it.
        if base
            .bits()
            .saturating_sub(1)
            .saturating_mul(u64::from(exponent))
            > MAX_INTEGER_BITS
        {
            return Err(LimitKind::Integer.into());
        }
        Ok(Self::bounded(base.pow(exponent))?)
    }
}

fn euclid(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let (quotient, remainder) = a.div_mod_floor(b);
    if remainder.is_negative() {
        // Only for a negative divisor does flooring leave a negative remainder.
        return (quotient + 1, remainder - b);
    }
    debug_assert!(remainder.is_zero() || !b.is_negative());
    (quotient, remainder)
}

impl From<usize> for Number {
    fn from(n: usize) -> Self {
        match i64::try_from(n) {
            Ok(small) => Self::Small(small),
            Err(_) => Self::Big(Arc::new(BigInt::from(n))),
        }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(a), Self::Small(b)) => a.cmp(b),
            (Self::Big(a), Self::Big(b)) => a.cmp(b),
            (Self::Small(_), Self::Big(b)) => 0.cmp(&sign(b)),
            (Self::Big(a), Self::Small(_)) => sign(a).cmp(&0),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn sign(n: &BigInt) -> i8 {
    if n.is_negative() { -1 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(i: i64) -> Number {
        Number::Small(i)
    }

    #[test]
    fn division_is_euclidean_for_all_signs() {
        for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, -3), (-6, 3)] {
            let (q, r) = (n(a).div(&n(b)).unwrap(), n(a).modulo(&n(b)).unwrap());
            assert_eq!(q.mul(&n(b)).unwrap().add(&r).unwrap(), n(a));
            assert!(r >= Number::ZERO && r < n(b).abs().unwrap(), "{a} mod {b}");
            assert_eq!(euclid(&BigInt::from(a), &BigInt::from(b)).1, r.to_big());
        }
        assert_eq!(n(1).div(&n(0)), Err(FaultKind::DivisionByZero.into()));
    }

    #[test]
    fn numbers_grow_beyond_a_word_and_shrink_back() {
        let huge = n(i64::MAX).add(&n(1)).unwrap();
        assert!(huge > n(i64::MAX) && huge.neg().unwrap() < n(0));
        assert_eq!(huge.sub(&n(1)).unwrap(), n(i64::MAX));
        assert_eq!(n(i64::MIN).div(&n(-1)).unwrap(), huge);
    }

    #[test]
    fn what_would_not_fit_memory_is_a_limit() {
        assert_eq!(n(10).pow(&n(i64::MAX)), Err(LimitKind::Integer.into()));
        assert_eq!(n(2).pow(&n(70_000)), Err(LimitKind::Integer.into()));
        assert_eq!(n(-1).pow(&n(i64::MAX)), Ok(n(-1)));
        assert_eq!(n(0).pow(&n(0)), Ok(n(1)));
    }
}
