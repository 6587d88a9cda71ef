//! Whether a search that has become large should begin again, with symmetry.

use explorer::Search;
use explorer::symmetry::Symmetry;
use interpreter::Instance;

use super::super::plan::ExplorePlan;
use super::super::symmetry::BySymmetry;
use super::steps::Steps;
use crate::study::Study;

/// It is not asked of a smaller search whether symmetry would pay: it is done soon.
const MANY_STATES: u64 = 100_000;

/// So many states are looked at to see how many states each would stand for.
const SAMPLES: usize = 256;

/// Sees whether a search should begin again, with symmetry.
pub(super) struct Prospect {
    symmetry: Symmetry,
}

impl Prospect {
    /// What there is to see, where a plan leaves it open whether symmetry is used and asks for nothing that speaks of single
    /// states. These formulas are evaluated in each state.
    pub(super) fn of(
        (study, instance): (&Study, &Instance),
        plan: &ExplorePlan,
        checked: &[usize],
    ) -> Option<Self> {
        let is_kept = plan.checkpoint.is_some() || plan.resume.is_some() || plan.disk.is_some();
        let is_partial = !plan.within.is_empty() || !plan.ignore.is_empty() || plan.por;
        let mut liveness = study.model.liveness.iter();
        let asks_for_executions =
            !study.possible.is_empty() || liveness.any(|property| plan.asks_for(property));
        let is_open = plan.symmetry == BySymmetry::IfItPays && plan.limits.states.is_none();
        let is_forbidden = is_kept || is_partial || asks_for_executions || plan.graph;
        if !is_open || is_forbidden {
            return None;
        }
        let symmetry = Symmetry::of(instance, plan.automaton, checked);
        symmetry.can_pay(0.0).then_some(Self { symmetry })
    }

    /// Whether the search has become so large that this can be seen.
    pub(super) fn is_due(search: &Search<Steps<'_>>) -> bool {
        search.distinct() >= MANY_STATES
    }

    /// Whether it pays, judged by some of the states visited.
    pub(super) fn pays(&self, search: &Search<Steps<'_>>) -> bool {
        let stride = (search.distinct() as usize / SAMPLES).max(1);
        self.symmetry.pays(search.states().step_by(stride))
    }
}
