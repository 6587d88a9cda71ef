//! Statistical justification: how likely it is that a relation holds on all samples by chance.
//!
//! As in Daikon, a relation is reported only if accident is an unlikely explanation of it. Rows of one sample are not
//! independent of each other, so evidence is counted in distinct samples, never in rows.

use crate::atom::Relation;

/// What the samples say of a literal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Rows in all.
    pub(crate) rows: u64,
    /// Rows on which it is defined.
    pub(crate) defined: u64,
    /// Rows on which it is false.
    pub(crate) violated: u64,
    /// Distinct samples with such a row.
    pub(crate) violating_samples: u64,
    /// Distinct samples on which it is true and says something; kept while it is never false.
    pub(crate) telling_samples: u64,
}

impl Counts {
    /// Whether it is true on some rows and false on others.
    pub(crate) fn is_mixed(&self) -> bool {
        0 < self.violated && self.violated < self.defined
    }

    /// How often it is true where it is defined.
    fn rate(&self) -> f64 {
        (self.defined - self.violated) as f64 / self.defined.max(1) as f64
    }
}

/// The chance that a relation that is as likely true as false holds on all samples on which it says something. A line
/// uses two samples up.
pub(crate) fn unit(relation: &Relation, counts: &Counts) -> f64 {
    let used = match relation {
        Relation::Linear { .. } | Relation::OneOf(_) => 2,
        _ => 0,
    };
    power(0.5, counts.telling_samples.saturating_sub(used))
}

/// The chance that two literals are never false together. If the rows on which one is false were drawn at random,
/// each would find the other true at the rate at which that is true anyway. Both ways are bounds, so the lesser is one.
pub(crate) fn pair(p: &Counts, q: &Counts) -> f64 {
    let one_way = power(q.rate(), p.violating_samples);
    let other_way = power(p.rate(), q.violating_samples);
    one_way.min(other_way)
}

fn power(base: f64, exponent: u64) -> f64 {
    base.powi(i32::try_from(exponent).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(defined: u64, violated: u64) -> Counts {
        Counts {
            rows: defined,
            defined,
            violated,
            violating_samples: violated,
            telling_samples: defined - violated,
        }
    }

    #[test]
    fn few_samples_justify_nothing() {
        assert!(unit(&Relation::Subset, &counts(3, 0)) > 0.1);
        assert!(unit(&Relation::Subset, &counts(10, 0)) < 0.001);
    }

    #[test]
    fn a_rare_premise_says_little_of_a_common_conclusion() {
        let (rare, common) = (counts(1000, 4), counts(1000, 100));
        assert!(pair(&rare, &common) > 0.5);
        let half = counts(1000, 500);
        assert!(pair(&half, &common) < 1e-9);
    }
}
