//! The choice of a stubborn set.

use interpreter::Guards;

use super::labels::{LabelId, Labels};
use super::relation::{Conjuncts, Relation};

/// A step from the present state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) label: LabelId,
    pub(super) clause: usize,
    /// The conjuncts of the formulas that are checked that it may restore.
    pub(super) restored: Conjuncts,
}

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
    /// For each label that is enabled, the conjuncts that its steps may restore.
    restored: Vec<Conjuncts>,
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
            restored: vec![0; labels],
            disabling: vec![(0, None); labels],
            state: 0,
        }
    }

    /// Finds the set with the fewest enabled labels among those that grow from one of them. The steps from the state that the guards look at
    /// are given by their labels and the conjuncts that they may restore. Whether there is a set without all of them.
    pub(super) fn choose(
        &mut self,
        relation: &Relation,
        guards: &mut Guards,
        steps: &[Found],
    ) -> bool {
        self.state += 1;
        self.labels.clear();
        self.enabled.clear();
        for step in steps {
            if !self.enabled.has(step.label) {
                self.enabled.put(step.label);
                self.labels.push(step.label);
                self.restored[step.label] = 0;
            }
            self.restored[step.label] |= step.restored;
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
            let needed = if self.enabled.has(label) {
                relation.put_writers(self.restored[label], &mut self.members);
                relation.companions(label)
            } else {
                match self.disabling(relation, guards, label) {
                    Some(condition) => relation.enabling(label, condition),
                    None => relation.related(label),
                }
            };
            self.members.put_all(needed);
        }
    }

    /// The condition that disables a label, which is not enabled in the present state, if one is known.
    fn disabling(
        &mut self,
        relation: &Relation,
        guards: &mut Guards,
        label: LabelId,
    ) -> Option<usize> {
        let (state, known) = &mut self.disabling[label];
        if *state != self.state {
            (*state, *known) = (self.state, guards.first_false(relation.known(label)));
        }
        *known
    }
}
