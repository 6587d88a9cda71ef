//! Formulas that hold so far, to choose among.

use std::cmp::Reverse;

use ioa_lang::core::{ExprKind, Invariant};

use super::effort::Preference;

/// What has a count in it is rather said without: people and provers take longer to see what it comes to.
const COST_OF_COUNT: u32 = 20;

/// Where a formula that holds so far is from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in super::super) enum Source {
    /// It was given, by position.
    Given(usize),
    /// It is a clause of a frame.
    Clause(usize, Vec<usize>),
}

/// A formula that holds so far.
pub(super) struct Entry {
    pub(super) source: Source,
    pub(super) cost: u32,
    /// How many made-up states it excludes: of all of them while entries are ranked, and in the end of those that no entry before
    /// it excludes. (Of those that are kept, only what is spared excludes none.)
    pub(super) count: u64,
}

impl Entry {
    /// What is kept rather has a lower rank.
    pub(super) fn rank(&self, prefers: Preference) -> (Reverse<u64>, u32, &Source) {
        let count = match prefers {
            Preference::Simple => 0,
            Preference::Strong => self.count,
        };
        (Reverse(count), self.cost, &self.source)
    }
}

/// A formula that others proposed, with the made-up states that it excludes.
pub(super) struct Given {
    pub(super) invariant: Invariant,
    pub(super) cost: u32,
    pub(super) excludes: Vec<u64>,
    /// How many blocks it was tested on.
    pub(super) tested: usize,
    pub(super) holds: bool,
}

impl Given {
    pub(super) fn new(invariant: Invariant) -> Self {
        let mut cost = 0;
        invariant.formula.walk(&mut |part| {
            cost += match part.kind {
                ExprKind::Comprehension(..) => COST_OF_COUNT,
                _ => 1,
            };
        });
        Self {
            invariant,
            cost,
            excludes: Vec::new(),
            tested: 0,
            holds: true,
        }
    }
}
