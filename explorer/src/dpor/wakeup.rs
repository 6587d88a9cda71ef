//! Wakeup trees: the sequences of steps that are yet to be taken from a state.

use super::dependence::{Dependence, LabelId};

/// An ordered tree of labels. Each way from its root to a leaf is a sequence of steps; what follows a leaf is free.
#[derive(Debug, Default)]
pub(super) struct WakeupTree {
    branches: Vec<(LabelId, WakeupTree)>,
}

impl WakeupTree {
    /// The tree of one label.
    pub(super) fn of(label: LabelId) -> Self {
        Self {
            branches: vec![(label, Self::default())],
        }
    }

    /// Whether nothing is asked for.
    pub(super) fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// How many branches the root has.
    pub(super) fn len(&self) -> usize {
        self.branches.len()
    }

    /// Takes the first branch out.
    pub(super) fn take_first(&mut self) -> Option<(LabelId, Self)> {
        let is_some = !self.is_empty();
        is_some.then(|| self.branches.remove(0))
    }

    /// Makes sure that some way to a leaf can be continued to a sequence that is equivalent to a continuation of this one
    /// (Abdulla and others, `insert` in section 6.2).
    pub(super) fn insert(&mut self, mut sequence: Vec<LabelId>, dependence: &mut Dependence<'_>) {
        let mut tree = self;
        loop {
            let fits = |label| dependence.is_weak_initial(label, &sequence);
            let labels: Vec<LabelId> = tree.branches.iter().map(|(label, _)| *label).collect();
            let Some(at) = labels.iter().copied().position(fits) else {
                break;
            };
            if let Some(taken) = sequence.iter().position(|step| *step == labels[at]) {
                sequence.remove(taken);
            }
            tree = &mut tree.branches[at].1;
            if tree.is_empty() {
                return;
            }
        }
        let chain = sequence.into_iter().rev().fold(None, |below, label| {
            let below = below.map_or_else(Self::default, |branch| Self {
                branches: vec![branch],
            });
            Some((label, below))
        });
        tree.branches.extend(chain);
    }
}
