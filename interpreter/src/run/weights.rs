//! The weights of the actions in random runs.

use std::sync::Arc;

use ioa_lang::core::{ActionId, Automaton, TransitionId};

use crate::vm::draws::Draws;

/// The weight of each action relative to the others that are enabled together with it.
///
/// If no weights are given, each run draws its own, so that runs differ in what they do often, and not only in the order in
/// which they do it (Groce, Zhang, Eide, Chen and Regehr, "Swarm testing", ISSTA 2012). A third of all runs are uniform.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights(Option<Arc<[f64]>>);

impl Weights {
    /// The weights that each run draws for itself.
    pub const DRAWN: Self = Self(None);

    /// The same weight for all actions except these.
    ///
    /// # Panics
    /// If a weight is negative or not finite.
    #[must_use]
    pub fn given(automaton: &Automaton, given: &[(ActionId, f64)]) -> Self {
        let mut weights = given.iter().map(|(_, weight)| weight);
        assert!(weights.all(|w| w.is_finite() && *w >= 0.0), "{given:?}");
        let even = Self(Some(vec![1.0; automaton.actions.len()].into()));
        even.with(automaton, given)
    }

    /// These weights, with others for some actions. If there are neither, each run draws its own.
    pub(super) fn with(&self, automaton: &Automaton, others: &[(ActionId, f64)]) -> Self {
        if others.is_empty() {
            return self.clone();
        }
        let even = || vec![1.0; automaton.actions.len()];
        let mut weights = self.0.as_deref().map_or_else(even, <[f64]>::to_vec);
        for (action, weight) in others {
            weights[action.index()] = *weight;
        }
        Self(Some(weights.into()))
    }
}

/// A weight of 1.
const WHOLE: u64 = 1 << 32;

/// The weights from which a run draws those of its actions. Each entry is equally likely: one (twice), an eighth, a
/// sixty-fourth.
const DRAWN: [u64; 4] = [WHOLE, WHOLE, WHOLE >> 3, WHOLE >> 6];

/// Maximum number of clauses for which the weights are simply added up.
const FEW: usize = 8;

/// How often a clause is drawn and possibly rejected before all weights are added up.
const PUT_BACK: usize = 16;

/// An urn of clauses: each is drawn in proportion to its weight.
pub(super) struct Urn {
    /// The weight of each clause, as a fraction of the greatest.
    weights: Vec<u64>,
    /// Whether all weights are the same.
    is_uniform: bool,
    /// All clauses with a weight above 0; those that were taken out of the urn come last.
    clauses: Vec<TransitionId>,
    /// How many are in the urn.
    inside: usize,
}

impl Urn {
    /// The urn of a run, for which the weights may be drawn.
    pub(super) fn new(automaton: &Automaton, weights: &Weights, draws: &mut Draws) -> Self {
        let of_actions: Vec<u64> = match &weights.0 {
            Some(given) => parts_of_the_greatest(given),
            None if draws.below(3) == 0 => vec![WHOLE; automaton.actions.len()],
            None => (0..automaton.actions.len())
                .map(|_| DRAWN[draws.position(DRAWN.len())])
                .collect(),
        };
        let clauses = automaton.transitions.iter();
        let weights: Vec<u64> = clauses.map(|t| of_actions[t.action.index()]).collect();
        let clauses = (0..weights.len()).map(TransitionId::at);
        let clauses: Vec<TransitionId> = clauses.filter(|c| weights[c.index()] > 0).collect();
        Self {
            inside: clauses.len(),
            is_uniform: weights.iter().all(|weight| *weight == WHOLE),
            weights,
            clauses,
        }
    }

    /// Whether some clauses are never drawn.
    pub(super) fn leaves_out(&self) -> bool {
        self.clauses.len() < self.weights.len()
    }

    /// Puts all clauses back.
    pub(super) fn fill(&mut self) {
        self.inside = self.clauses.len();
    }

    /// Draws a clause and takes it out; none if the urn is empty.
    pub(super) fn draw(&mut self, draws: &mut Draws) -> Option<TransitionId> {
        if self.inside == 0 {
            return None;
        }
        let place = self.place(draws);
        self.inside -= 1;
        self.clauses.swap(place, self.inside);
        Some(self.clauses[self.inside])
    }

    /// Draws a clause and returns its position in the urn.
    fn place(&self, draws: &mut Draws) -> usize {
        if self.is_uniform {
            return draws.position(self.inside);
        }
        let inside = &self.clauses[..self.inside];
        let weight = |clause: &TransitionId| self.weights[clause.index()];
        if inside.len() > FEW {
            for _ in 0..PUT_BACK {
                // One number determines both which clause is drawn and whether it is rejected.
                let drawn = draws.below(inside.len() as u64 * WHOLE);
                let place = (drawn / WHOLE) as usize;
                if drawn % WHOLE < weight(&inside[place]) {
                    return place;
                }
            }
        }
        let mut left = draws.below(inside.iter().map(weight).sum());
        let drawn = inside.iter().position(|clause| {
            let is_it = left < weight(clause);
            left = left.saturating_sub(weight(clause));
            is_it
        });
        drawn.expect("the draw is below the sum of the weights")
    }
}

/// The weights as fractions of the greatest. A weight that is not 0 stays above 0.
fn parts_of_the_greatest(weights: &[f64]) -> Vec<u64> {
    let greatest = weights.iter().copied().fold(0.0, f64::max);
    let part = |weight: &f64| match *weight > 0.0 {
        true => ((weight / greatest * WHOLE as f64) as u64).clamp(1, WHOLE),
        false => 0,
    };
    weights.iter().map(part).collect()
}
