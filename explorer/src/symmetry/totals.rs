//! What the states stand for that a search visits in the place of others.

use std::sync::{Mutex, PoisonError};

use interpreter::Batch;

use crate::search::questions::{Rest, resting};

/// All states and steps that some states stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrbitTotals {
    /// The states.
    pub states: u128,
    /// Their successors.
    pub generated: u128,
    /// The states among them in which inputs alone are enabled.
    pub quiescent: u128,
}

impl OrbitTotals {
    /// Whether the numbers are such as can be told.
    #[must_use]
    pub fn is_told(&self) -> bool {
        let most = self.states.max(self.generated);
        u64::try_from(most).is_ok()
    }

    /// These and others.
    #[must_use]
    pub fn with(self, others: Self) -> Self {
        Self {
            states: self.states.saturating_add(others.states),
            generated: self.generated.saturating_add(others.generated),
            quiescent: self.quiescent.saturating_add(others.quiescent),
        }
    }
}

/// Counts what the states of a search stand for, when they are expanded. All workers of a search share one.
#[derive(Debug, Default)]
pub struct OrbitCounter(Mutex<OrbitTotals>);

impl OrbitCounter {
    /// What was counted.
    #[must_use]
    pub fn counted(&self) -> OrbitTotals {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the states of a batch of successors; each stands for as many as `sizes` says.
    pub(super) fn add(&self, sizes: impl Iterator<Item = u128>, batch: &Batch) {
        let mut more = OrbitTotals::default();
        let mut begin = 0;
        let sizes: Vec<u128> = sizes.collect();
        for (size, end) in sizes.iter().zip(&batch.ends) {
            more.states = more.states.saturating_add(*size);
            let generated = size.saturating_mul(u128::from(end - begin));
            more.generated = more.generated.saturating_add(generated);
            begin = *end;
        }
        for (state, rest) in resting(batch) {
            if matches!(rest, Rest::Quiescent) {
                more.quiescent = more.quiescent.saturating_add(sizes[state]);
            }
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *all = all.with(more);
    }
}
