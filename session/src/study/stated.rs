//! A study in which something else is stated.

use std::collections::BTreeMap;
use std::sync::Arc;

use interpreter::unevaluable;
use ioa_lang::Sources;
use ioa_lang::core::{AutomatonId, Invariant, Model, Simulation};

use super::mistakes::BadInput;
use super::{Study, Unevaluable};
use crate::setup::Setup;

impl Study {
    /// The same study, with other invariants; the sources are those that they stand in.
    #[must_use]
    pub fn stating(&self, sources: Sources, invariants: Vec<Invariant>) -> Self {
        let mut model = Model::clone(&self.model);
        model.invariants = invariants;
        self.of(sources, model)
    }

    /// The same study, with another simulation in place of those of its automata; the sources are those that it stands in.
    ///
    /// # Errors
    /// That there can be none, since the automata differ in their external actions.
    pub fn relating(&self, sources: Sources, simulation: Simulation) -> Result<Self, BadInput> {
        let Simulation {
            low, high, span, ..
        } = simulation;
        let mut model = Model::clone(&self.model);
        let others = |other: &Simulation| (other.low, other.high) != (low, high);
        model.simulations.retain(others);
        model.simulations.push(simulation);
        let study = self.of(sources, model);
        let why_not = study.names.incomparable(low, high, span);
        match why_not.is_empty() {
            true => Ok(study),
            false => Err(study.refuse(why_not)),
        }
    }

    /// The same study of another model, which has all its types, theories and automata, and maybe others.
    #[must_use]
    pub(crate) fn with_model(&self, model: Model) -> Self {
        self.of(self.sources.clone(), model)
    }

    /// The same study with another model, which differs in what is stated.
    fn of(&self, sources: Sources, model: Model) -> Self {
        Self {
            name: self.name.clone(),
            manifest: self.manifest.clone(),
            inputs: self.inputs.clone(),
            sources,
            model: Arc::new(model),
            names: self.names.clone(),
            known: self.known.clone(),
            possible: Vec::new(),
            unevaluable: self.unevaluable.clone(),
            warnings: Vec::new(),
        }
    }

    /// The study without the invariants that cannot be evaluated at some sizes, if there are any: they keep nothing from being run,
    /// and what is run says nothing about them.
    #[must_use]
    pub fn evaluable(&self, setup: &Setup) -> Option<Self> {
        let mut reasons: BTreeMap<usize, String> = BTreeMap::new();
        for automaton in (0..self.model.automata.len()).map(AutomatonId::at) {
            let mut stated = self.model.invariants.iter();
            if !stated.any(|one| one.automaton == automaton && !one.locals.is_empty()) {
                continue;
            }
            // Sizes that do not fit are refused where something is run.
            let Ok(universe) = self.universe(setup, self.model.setting([automaton])) else {
                continue;
            };
            for (position, why) in unevaluable(&self.model, &universe, automaton) {
                let why: Vec<&str> = why.iter().map(|d| &*d.message).collect();
                reasons.insert(position, why.join("; "));
            }
        }
        if reasons.is_empty() {
            return None;
        }
        let mut kept = Vec::new();
        let mut unevaluable = self.unevaluable.clone();
        for (position, invariant) in self.model.invariants.iter().cloned().enumerate() {
            match reasons.remove(&position) {
                Some(why) => unevaluable.push(Unevaluable { invariant, why }),
                None => kept.push(invariant),
            }
        }
        Some(Self {
            unevaluable,
            ..self.stating(self.sources.clone(), kept)
        })
    }
}
