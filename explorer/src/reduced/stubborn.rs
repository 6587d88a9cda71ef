//! The choice of a stubborn set.

use interpreter::Guards;

use super::labels::{LabelId, Labels};
use super::relation::Relation;

/// A set of labels under construction.
#[derive(Debug)]
pub(super) struct Stubborn {
    /// Its labels.
    members: Labels,
    /// Those whose companions are there as well.
    complete: Labels,
    /// The best set that was found.
    best: Labels,
    /// The labels that are enabled, as a set and as a list.
    enabled: Labels,
    labels: Vec<LabelId>,
    /// For each label, the last state in which it was asked which condition disables it, and the answer.
    disabling: Vec<(u64, Option<usize>)>,
    /// The number of the present state.
    state: u64,
}

impl Stubborn {
    /// For so many labels.
    pub(super) fn new(labels: usize) -> Self {
        let none = Labels::none_of(labels);
        Self {
            members: none.clone(),
            complete: none.clone(),
            best: none.clone(),
            enabled: none,
            labels: Vec::new(),
            disabling: vec![(0, None); labels],
            state: 0,
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
        self.enabled.clear();
        for (label, _) in steps {
            if !self.enabled.has(*label) {
                self.enabled.put(*label);
                self.labels.push(*label);
            }
        }
        let all = self.labels.len();
        let mut fewest = all;
        for at in 0..all {
            let seed = self.labels[at];
            if let Some(size) = self.grow(relation, guards, (seed, fewest)) {
                fewest = size;
                std::mem::swap(&mut self.best, &mut self.members);
            }
            if fewest <= 1 {
                break;
            }
        }
        fewest < all
    }

    /// Whether a label is in the set that was chosen.
    pub(super) fn has(&self, label: LabelId) -> bool {
        self.best.has(label)
    }

    /// Makes the least set with a label, and says how many of it are enabled if these are fewer than a limit.
    fn grow(
        &mut self,
        relation: &Relation,
        guards: &mut Guards,
        (seed, limit): (LabelId, usize),
    ) -> Option<usize> {
        self.members.clear();
        self.complete.clear();
        self.members.put(seed);
        loop {
            let enabled = self.members.common(&self.enabled);
            if enabled >= limit {
                return None;
            }
            let Some(label) = self.members.any_but(&self.complete) else {
                return Some(enabled);
            };
            self.complete.put(label);
            let needed = match self.disabling(relation, guards, label) {
                Some(condition) => relation.enabling(label, condition),
                None => relation.companions(label),
            };
            self.members.put_all(needed);
        }
    }

    /// The condition that disables a label in the present state, if there is one that is known.
    fn disabling(
        &mut self,
        relation: &Relation,
        guards: &mut Guards,
        label: LabelId,
    ) -> Option<usize> {
        let firing = relation.firing(label)?;
        if self.enabled.has(label) {
            return None;
        }
        let (state, known) = &mut self.disabling[label];
        if *state != self.state {
            (*state, *known) = (self.state, guards.first_false(firing));
        }
        *known
    }
}
