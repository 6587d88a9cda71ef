//! Which states a search takes for one: by symmetry, or because they differ in ignored variables alone.

use std::sync::Arc;

use explorer::symmetry::{OrbitTotals, Orbits, Symmetry};
use explorer::{Represent, Represented, Search, View};
use interpreter::Instance;
use ioa_lang::Diagnostic;

use super::super::plan::ExplorePlan;
use super::super::symmetry::{BySymmetry, canonicalise};
use super::steps::Steps;
use crate::study::{BadInput, Study};

/// Which states are taken for one.
pub(super) struct Alike {
    /// The symmetry, where states are taken for one by it.
    pub(super) symmetry: Option<Arc<Symmetry>>,
    view: Option<View>,
}

impl Alike {
    /// What a plan asks for, where these formulas are evaluated in each state.
    ///
    /// # Errors
    /// Names of no variable to ignore; that there is something to ignore and it cannot be.
    pub(super) fn of(
        (study, instance): (&Study, &Instance),
        plan: &ExplorePlan,
        checked: &[usize],
    ) -> Result<Self, BadInput> {
        let automaton = plan.automaton;
        let ignored = plan.ignored(study)?;
        let mask = || instance.layout(automaton).mask_without(&ignored);
        let symmetry = || Arc::new(Symmetry::of(instance, automaton, checked));
        Ok(Self {
            symmetry: (plan.symmetry == BySymmetry::Always).then(symmetry),
            view: (!ignored.is_empty()).then(|| View::of(mask())),
        })
    }

    /// How many of so many threads may be used: which state stands for others in a view depends on the order in which they are met.
    pub(super) fn threads(&self, threads: usize) -> usize {
        self.view.as_ref().map_or(threads, |_| 1)
    }

    /// Steps between states that stand for others, where that makes them fewer.
    pub(super) fn wrapped<'s>(&'s self, steps: Steps<'s>) -> Steps<'s> {
        match (&self.symmetry, &self.view) {
            (Some(symmetry), _) if symmetry.order() > 1 => {
                let orbits = Orbits::of(Arc::clone(symmetry));
                Box::new(Represented::new(steps, orbits))
            }
            (_, Some(view)) => Box::new(Represented::new(steps, view)),
            _ => steps,
        }
    }

    /// What the states of a complete search stand for, where they stand for others by symmetry, with the steps of all states.
    pub(super) fn orbit_totals<'s>(
        &self,
        search: &Search<Steps<'_>>,
        steps: impl FnOnce() -> Result<Steps<'s>, Vec<Diagnostic>>,
    ) -> Result<Option<OrbitTotals>, Vec<Diagnostic>> {
        let counts = |symmetry: &&Arc<Symmetry>| symmetry.order() > 1 && symmetry.has_counts();
        let Some(symmetry) = self.symmetry.as_ref().filter(counts) else {
            return Ok(None);
        };
        let counted = symmetry.totals(search.states(), &mut steps()?);
        Ok(counted.filter(OrbitTotals::is_told))
    }

    /// Puts in the place of a start state what stands for it.
    pub(super) fn represent(&self, row: &mut [u64]) {
        match self.view.as_ref() {
            Some(mut view) => view.represent(row),
            None => canonicalise(self.symmetry.as_deref(), row),
        }
    }

    /// Ends the search: from now on a view replaces no states, so that the way to one is found by the automaton's own steps.
    pub(super) fn end(&self) {
        if let Some(view) = &self.view {
            view.end();
        }
    }
}
