//! What a model assumes in a setting.

use std::collections::BTreeSet;

use super::Axiom;
use super::setting::{Assumed, Setting};
use crate::core::automaton::Automaton;
use crate::core::claims::Simulation;
use crate::core::{AutomatonId, Function, FunctionId, Model, SortId};

/// An axiom of a model. Only [`Model::axioms_in`] makes one, so code that has one has asked for the axioms of a setting.
/// Axioms are ordered as they stand in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AxiomId(usize);

impl Model {
    /// The setting of a question about these automata.
    #[must_use]
    pub fn setting(&self, automata: impl IntoIterator<Item = AutomatonId>) -> Setting {
        let asked = automata.into_iter();
        Setting {
            automata: asked.filter(|id| self.assumes_something(*id)).collect(),
        }
    }

    /// The setting of a question about a simulation: that of both its automata.
    #[must_use]
    pub fn setting_of_simulation(&self, simulation: &Simulation) -> Setting {
        self.setting([simulation.low, simulation.high])
    }

    /// The setting of all who assume an axiom.
    #[must_use]
    pub fn setting_of_axiom(&self, axiom: &Axiom) -> Setting {
        match &axiom.assumed {
            Assumed::Everywhere => Setting::default(),
            Assumed::By(automata) => self.setting(automata.iter().copied()),
        }
    }

    /// The settings of all automata together: good for what holds of the texts as a whole, such as whether a formula
    /// can be read.
    #[must_use]
    pub fn every_setting(&self) -> Setting {
        self.setting((0..self.automata.len()).map(AutomatonId::at))
    }

    fn assumes_something(&self, id: AutomatonId) -> bool {
        let alone = Setting {
            automata: BTreeSet::from([id]),
        };
        let is_own = |assumed: &Assumed| *assumed != Assumed::Everywhere && assumed.is_in(&alone);
        let Automaton { parameters, .. } = self.automaton(id);
        !parameters.sorts.is_empty()
            || self.axioms.iter().any(|axiom| is_own(&axiom.assumed))
            || self.functions.iter().any(|f| is_own(&f.assumed))
    }

    /// The axioms that hold in a setting, each with its id.
    pub fn axioms_in<'m>(
        &'m self,
        setting: &Setting,
    ) -> impl Iterator<Item = (AxiomId, &'m Axiom)> + use<'m> {
        let setting = setting.clone();
        let axioms = (0..).map(AxiomId).zip(&self.axioms);
        axioms.filter(move |(_, axiom)| axiom.assumed.is_in(&setting))
    }

    /// The model with those axioms alone that hold in a setting and are wanted.
    #[must_use]
    pub fn with_axioms_among(&self, setting: &Setting, is_wanted: impl Fn(&Axiom) -> bool) -> Self {
        let axioms = self.axioms_in(setting).map(|(_, axiom)| axiom);
        let axioms = axioms.filter(|axiom| is_wanted(axiom)).cloned().collect();
        Self {
            axioms,
            ..self.clone()
        }
    }

    /// An axiom that [`axioms_in`](Self::axioms_in) found in a setting.
    #[must_use]
    pub fn axiom(&self, id: AxiomId) -> &Axiom {
        &self.axioms[id.0]
    }

    /// Whether an operator is known in a setting.
    #[must_use]
    pub fn is_known(&self, function: FunctionId, setting: &Setting) -> bool {
        self.functions[function.index()].assumed.is_in(setting)
    }

    /// The operators that are known in a setting.
    pub fn known_operators<'m>(
        &'m self,
        setting: &Setting,
    ) -> impl Iterator<Item = (FunctionId, &'m Function)> {
        let functions = (0..).map(FunctionId).zip(&self.functions);
        functions.filter(|(id, _)| self.is_known(*id, setting))
    }

    /// Whether a sort is known in a setting: type parameters are known to their automaton alone.
    #[must_use]
    pub fn is_sort_known(&self, sort: SortId, setting: &Setting) -> bool {
        let automata = (0..self.automata.len()).map(AutomatonId::at);
        let mut bearers =
            automata.filter(|id| self.automaton(*id).parameters.sorts.contains(&sort));
        let first = bearers.next();
        first.is_none_or(|first| {
            let mut all = std::iter::once(first).chain(bearers);
            all.any(|id| setting.automata.contains(&id))
        })
    }
}
