//! How many states and steps the states stand for that a search visits in the place of others.

use interpreter::{Batch, Successors};

use super::Symmetry;
use super::canonical::Room;
use crate::search::questions::{Rest, resting};

/// So many states are expanded at once.
const AT_ONCE: usize = 1 << 10;

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
    /// These and others.
    #[must_use]
    pub fn with(self, others: Self) -> Self {
        Self {
            states: self.states.saturating_add(others.states),
            generated: self.generated.saturating_add(others.generated),
            quiescent: self.quiescent.saturating_add(others.quiescent),
        }
    }

    /// Whether the numbers are such as can be told.
    #[must_use]
    pub fn is_told(&self) -> bool {
        let most = self.states.max(self.generated);
        u64::try_from(most).is_ok()
    }
}

impl Symmetry {
    /// How many states some representatives stand for. It is for symmetries that [have counts](Self::has_counts).
    #[must_use]
    pub fn represented(&self, states: impl Iterator<Item = Vec<u64>>) -> u128 {
        let mut room = Room::new(self);
        let sizes = states.map(|state| self.orbit_size(&state, &mut room));
        sizes.fold(0, u128::saturating_add)
    }

    /// All states and steps that some representatives stand for, by the steps of all states; nothing if some cannot be computed. It is
    /// for symmetries that [have counts](Self::has_counts).
    ///
    /// A search may expand a state more than once, or one that it does not keep. So what it stands for is counted afterwards.
    #[must_use]
    pub fn totals(
        &self,
        mut states: impl Iterator<Item = Vec<u64>>,
        steps: &mut impl Successors,
    ) -> Option<OrbitTotals> {
        let (mut room, mut batch) = (Room::new(self), Batch::default());
        let (mut all, mut rows) = (OrbitTotals::default(), Vec::new());
        loop {
            rows.clear();
            rows.extend(states.by_ref().take(AT_ONCE).flatten());
            if rows.is_empty() {
                return Some(all);
            }
            steps.expand(&rows, &mut batch).ok()?;
            let each = rows.chunks_exact(steps.words());
            let sizes: Vec<u128> = each.map(|row| self.orbit_size(row, &mut room)).collect();
            all.add(&sizes, &batch);
        }
    }
}

impl OrbitTotals {
    /// Adds the states of a batch of successors; each stands for so many.
    fn add(&mut self, sizes: &[u128], batch: &Batch) {
        let mut begin = 0;
        for (size, end) in sizes.iter().zip(&batch.ends) {
            self.states = self.states.saturating_add(*size);
            let generated = size.saturating_mul(u128::from(end - begin));
            self.generated = self.generated.saturating_add(generated);
            begin = *end;
        }
        for (state, rest) in resting(batch) {
            if matches!(rest, Rest::Quiescent) {
                self.quiescent = self.quiescent.saturating_add(sizes[state]);
            }
        }
    }
}
