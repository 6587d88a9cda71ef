//! Which labels are independent in all states that can be reached: the most that a refinement of footprints may say.

use std::collections::{BTreeMap, BTreeSet};

use explorer::Independence;
use interpreter::{Label, State};

/// The steps from each state that can be reached.
pub(crate) type Reachable = BTreeMap<State, BTreeMap<Label, State>>;

/// Decides about labels by trying them in all states.
pub(crate) struct Exactly {
    pub(crate) steps: Reachable,
    /// What each watch looks at.
    pub(crate) watched: Vec<Watched>,
}

/// What a watch looks at.
pub(crate) enum Watched {
    /// Whether a clause is enabled, by its position.
    Clause(usize),
    /// Whether a formula holds. In these states it does not.
    Formula(BTreeSet<State>),
    /// Something of which nothing is said.
    Unsaid,
}

impl Exactly {
    /// Whether a step by a label never changes whether another one is enabled.
    fn leaves_alone(&self, label: &Label, other: &Label) -> bool {
        self.steps.values().all(|steps| {
            let after = steps.get(label).map(|after| &self.steps[after]);
            after.is_none_or(|after| after.contains_key(other) == steps.contains_key(other))
        })
    }

    /// Whether something that can be said of states stays true in a step by a label.
    fn stays(&self, label: &Label, is_true: impl Fn(&State) -> bool) -> bool {
        let mut steps = self.steps.iter();
        steps.all(|(state, steps)| {
            let after = steps.get(label);
            after.is_none_or(|after| !is_true(state) || is_true(after))
        })
    }
}

impl Independence for Exactly {
    fn are_independent(&mut self, one: &Label, other: &Label) -> bool {
        let commute = |steps: &BTreeMap<Label, State>| {
            let (Some(by_one), Some(by_other)) = (steps.get(one), steps.get(other)) else {
                return true;
            };
            self.steps[by_one].get(other) == self.steps[by_other].get(one)
        };
        self.leaves_alone(one, other)
            && self.leaves_alone(other, one)
            && self.steps.values().all(commute)
    }

    fn keeps(&mut self, label: &Label, watch: usize) -> bool {
        match &self.watched[watch] {
            Watched::Clause(clause) => {
                let all = self.steps.values().flat_map(BTreeMap::keys);
                let of_clause = all.filter(|other| other.firing.transition.index() == *clause);
                let others: BTreeSet<&Label> = of_clause.filter(|other| *other != label).collect();
                let mut others = others.into_iter();
                others.all(|other| self.stays(label, |state| self.steps[state].contains_key(other)))
            }
            Watched::Formula(broken) => self.stays(label, |state| broken.contains(state)),
            Watched::Unsaid => false,
        }
    }
}
