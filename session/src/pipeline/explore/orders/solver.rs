//! Independence that the solver shows, for every size.

use std::time::Duration;

use explorer::Independence;
use interpreter::{Executor, Instance, Label};
use ioa_lang::core::{AutomatonId, TransitionId};
use prover_bridge::{Commutation, Firing, Options};

/// Work for one question, in the solver's own unit: steps that need more to be shown independent are taken for dependent.
const WORK: u32 = 200_000;

/// No question takes so long: what bounds it is the work, so that the answer is the same each time.
const TIME: Duration = Duration::from_secs(3_600);

/// Has the solver say which steps are independent.
pub(super) struct BySolver<'s> {
    /// Knows the values of parameters.
    executor: Executor<'s>,
    commutation: Commutation<'s, 's>,
    watched: Vec<Watched>,
}

/// What a watch looks at.
#[derive(Clone, Copy)]
enum Watched {
    Clause(TransitionId),
    /// A conjunct of an invariant, both by position.
    Conjunct(usize, usize),
}

impl<'s> BySolver<'s> {
    pub(super) fn new(
        instance: &'s Instance,
        automaton: AutomatonId,
        invariants: &[usize],
        stop: &'s (dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let model = instance.model();
        let options = Options {
            resource_limit: WORK,
            timeout: TIME,
            stop: Some(stop),
            ..Options::default()
        };
        let clauses = 0..model.automaton(automaton).transitions.len();
        let clauses = clauses.map(|clause| Watched::Clause(TransitionId::at(clause)));
        let stated: Vec<_> = invariants.iter().map(|at| &model.invariants[*at]).collect();
        let conjuncts = stated.iter().enumerate().flat_map(|(at, invariant)| {
            let conjuncts = invariant.formula.scoped_conjuncts().len();
            (0..conjuncts).map(move |conjunct| Watched::Conjunct(at, conjunct))
        });
        Some(Self {
            executor: Executor::new(instance, automaton).ok()?,
            watched: clauses.chain(conjuncts).collect(),
            commutation: Commutation::new(model, automaton, stated, options),
        })
    }

    fn firing(&self, label: &Label) -> Firing {
        let (params, hidden) = self.executor.values(&label.firing);
        Firing {
            transition: label.firing.transition,
            params: [params, hidden].concat(),
        }
    }
}

impl Independence for BySolver<'_> {
    fn are_independent(&mut self, one: &Label, other: &Label) -> bool {
        let (one, other) = (self.firing(one), self.firing(other));
        self.commutation.commute(&one, &other)
    }

    fn keeps(&mut self, label: &Label, watch: usize) -> bool {
        let firing = self.firing(label);
        match self.watched[watch] {
            Watched::Clause(clause) => self.commutation.disables_nothing(&firing, clause),
            Watched::Conjunct(invariant, conjunct) => self
                .commutation
                .restores_nothing(&firing, invariant, conjunct),
        }
    }
}
