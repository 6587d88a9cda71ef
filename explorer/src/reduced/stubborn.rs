//! The choice of a stubborn set.

use interpreter::Guards;

use super::relation::{LabelId, Relation};

/// A set of labels under construction.
#[derive(Debug)]
pub(super) struct Stubborn {
    /// For each label, the number of the last set that it was put into.
    member: Vec<u64>,
    /// For each label, the last state in which it was enabled.
    enabled: Vec<u64>,
    /// The number of the present set.
    set: u64,
    /// The number of the present state.
    state: u64,
    /// Members whose companions are not there yet.
    pending: Vec<LabelId>,
    /// The labels that are enabled.
    labels: Vec<LabelId>,
}

impl Stubborn {
    /// For so many labels.
    pub(super) fn new(labels: usize) -> Self {
        Self {
            member: vec![0; labels],
            enabled: vec![0; labels],
            set: 0,
            state: 0,
            pending: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// Finds the set with the fewest enabled labels among those that grow from one of them, where these are given with the steps from
    /// the state that the guards look at. Whether there is one without all of them.
    pub(super) fn choose(
        &mut self,
        relation: &Relation,
        guards: &mut Guards,
        steps: &[(LabelId, usize)],
    ) -> bool {
        self.state += 1;
        self.labels.clear();
        for (label, _) in steps {
            if self.enabled[*label] != self.state {
                self.enabled[*label] = self.state;
                self.labels.push(*label);
            }
        }
        let (mut fewest, mut best) = (self.labels.len(), None);
        for at in 0..self.labels.len() {
            let seed = self.labels[at];
            if let Some(size) = self.grow(relation, guards, (seed, fewest)) {
                (fewest, best) = (size, Some(seed));
            }
            if fewest <= 1 {
                break;
            }
        }
        // The last set that has grown need not be the best.
        let limit = fewest + 1;
        best.is_some_and(|seed| self.grow(relation, guards, (seed, limit)).is_some())
    }

    /// Whether a label is in the set that was chosen.
    pub(super) fn has(&self, label: LabelId) -> bool {
        self.member[label] == self.set
    }

    /// Makes the least set with a label, and says how many of it are enabled if these are fewer than a limit.
    fn grow(
        &mut self,
        relation: &Relation,
        guards: &mut Guards,
        (seed, limit): (LabelId, usize),
    ) -> Option<usize> {
        self.set += 1;
        self.pending.clear();
        self.put(seed);
        let mut enabled = 0;
        while let Some(label) = self.pending.pop() {
            let is_enabled = self.enabled[label] == self.state;
            enabled += usize::from(is_enabled);
            if enabled >= limit {
                return None;
            }
            let disabling = match relation.firing(label) {
                Some(firing) if !is_enabled => guards.first_false(firing),
                _ => None,
            };
            match disabling {
                Some(condition) => self.put_all(relation.enabling(label, condition)),
                None => {
                    self.put_all(relation.dependent(label));
                    relation.spoilers(label).for_each(|other| self.put(other));
                }
            }
        }
        Some(enabled)
    }

    fn put(&mut self, label: LabelId) {
        if self.member[label] != self.set {
            self.member[label] = self.set;
            self.pending.push(label);
        }
    }

    fn put_all(&mut self, labels: &[LabelId]) {
        labels.iter().for_each(|label| self.put(*label));
    }
}
