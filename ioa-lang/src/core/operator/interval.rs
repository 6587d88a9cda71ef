//! Between which integers the result of an operator lies, where its arguments lie between others.

/// The integers from one to another, both included. The least and the greatest `i64` stand for infinity, and for every
/// integer that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub low: i64,
    /// The greatest.
    pub high: i64,
}

/// The interval of a result; none if nothing is known about it.
pub(super) type Bounds = fn(Interval, Interval) -> Option<Interval>;

const fn between(low: i64, high: i64) -> Option<Interval> {
    Some(Interval { low, high })
}

impl Interval {
    /// Whether both ends are known.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.low > i64::MIN && self.high < i64::MAX
    }

    /// The greatest distance from the lower end.
    #[must_use]
    pub fn span(self) -> u64 {
        self.high.wrapping_sub(self.low).cast_unsigned()
    }

    /// The smallest interval with all numbers of both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// Whether it has all numbers of another.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }
}

pub(super) fn sum(a: Interval, b: Interval) -> Option<Interval> {
    between(a.low.saturating_add(b.low), a.high.saturating_add(b.high))
}

pub(super) fn difference(a: Interval, b: Interval) -> Option<Interval> {
    between(a.low.saturating_sub(b.high), a.high.saturating_sub(b.low))
}

pub(super) fn product(a: Interval, b: Interval) -> Option<Interval> {
    let ends = [
        (a.low, b.low),
        (a.low, b.high),
        (a.high, b.low),
        (a.high, b.high),
    ];
    let ends = ends.map(|(a, b)| a.saturating_mul(b));
    between(
        ends.into_iter().fold(i64::MAX, i64::min),
        ends.into_iter().fold(i64::MIN, i64::max),
    )
}

pub(super) fn opposite(a: Interval, _: Interval) -> Option<Interval> {
    between(a.high.saturating_neg(), a.low.saturating_neg())
}

pub(super) fn distance(a: Interval, _: Interval) -> Option<Interval> {
    between(0, a.high.max(a.low.saturating_neg()))
}

pub(super) fn least(a: Interval, b: Interval) -> Option<Interval> {
    between(a.low.min(b.low), a.high.min(b.high))
}

pub(super) fn greatest(a: Interval, b: Interval) -> Option<Interval> {
    between(a.low.max(b.low), a.high.max(b.high))
}

/// The quotient by a natural number; one by 0 has no value.
pub(super) fn quotient(a: Interval, b: Interval) -> Option<Interval> {
    let (least, greatest) = (b.low.max(1), b.high.max(1));
    // It is the farther from 0 the smaller the divisor is.
    let low = if a.low < 0 { least } else { greatest };
    let high = if a.high < 0 { greatest } else { least };
    between(a.low.div_euclid(low), a.high.div_euclid(high)).filter(|_| b.low >= 0)
}

/// A power by a natural number. (That of 0 by 0 is 1.)
pub(super) fn power(a: Interval, b: Interval) -> Option<Interval> {
    let raised = |base: i64, exponent: i64| {
        let exponent = u32::try_from(exponent).unwrap_or(u32::MAX);
        base.saturating_pow(exponent)
    };
    let farthest = a.high.max(a.low.saturating_neg()).max(1);
    let high = raised(farthest, b.high);
    let low = if a.low < 0 {
        high.saturating_neg()
    } else {
        raised(a.low, b.low).min(raised(a.low, b.high))
    };
    between(low, high).filter(|_| b.low >= 0)
}

/// The remainder of a division by a natural number; one by 0 has no value.
pub(super) fn remainder(a: Interval, b: Interval) -> Option<Interval> {
    let below_divisor = b.high.saturating_sub(1).max(0);
    let high = match a.low >= 0 {
        true => below_divisor.min(a.high),
        false => below_divisor,
    };
    between(0, high).filter(|_| b.low >= 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Op;

    /// The result of an operator on two integers, if it is defined.
    fn value(op: Op, a: i64, b: i64) -> Option<i64> {
        Some(match op {
            Op::Add => a + b,
            Op::Sub => a - b,
            Op::Mul => a * b,
            Op::Neg => -a,
            Op::Abs => a.abs(),
            Op::Min => a.min(b),
            Op::Max => a.max(b),
            Op::Div => a.checked_div_euclid(b)?,
            Op::Mod => a.checked_rem_euclid(b)?,
            Op::Pow => a.pow(u32::try_from(b).ok()?),
            _ => unreachable!("{op:?} has no bounds"),
        })
    }

    #[test]
    fn results_lie_in_their_intervals() {
        let all: Vec<Interval> = (-4..=4)
            .flat_map(|low| (low..=4).map(move |high| Interval { low, high }))
            .collect();
        let operators = Op::ALL.iter().filter(|op| op.row().bounds.is_some());
        let mut tried = 0;
        for op in operators {
            for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
                let Some(found) = op.interval(a, b) else {
                    continue;
                };
                let pairs = (a.low..=a.high).flat_map(|x| (b.low..=b.high).map(move |y| (x, y)));
                for result in pairs.filter_map(|(x, y)| value(*op, x, y)) {
                    assert!(
                        found.low <= result && result <= found.high,
                        "{op:?} of {a:?} and {b:?}"
                    );
                    tried += 1;
                }
            }
        }
        assert!(tried > 100_000, "{tried}");
    }
}
