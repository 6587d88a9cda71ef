//! Where assumptions hold: those of one automaton do not hold for others.

use std::collections::BTreeSet;

use super::{Automaton, AutomatonId, Axiom, FunctionId, Model, Simulation, SortId};

/// Where an axiom is assumed, or an operator is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Assumed {
    /// Everyone: the theory is imported by the files, outside of automata.
    #[default]
    Everywhere,
    /// These automata, by an `assumes` in their heading, by their parameters, or by the `where` of these.
    By(BTreeSet<AutomatonId>),
}

impl Assumed {
    /// By one automaton only.
    #[must_use]
    pub fn by(automaton: AutomatonId) -> Self {
        Self::By(BTreeSet::from([automaton]))
    }

    /// Whether every automaton that makes the one assumption also makes the other.
    #[must_use]
    pub fn implies(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Self::Everywhere) => true,
            (Self::Everywhere, Self::By(_)) => false,
            (Self::By(these), Self::By(those)) => these.is_subset(those),
        }
    }

    /// Whether it is assumed in a setting.
    #[must_use]
    pub fn is_in(&self, setting: &Setting) -> bool {
        match self {
            Self::Everywhere => true,
            Self::By(automata) => !automata.is_disjoint(&setting.automata),
        }
    }
}

/// The automata that a question is about, as far as they assume anything of their own: what they assume holds when the
/// question is answered, and what others assume does not. Questions in equal settings may share a finite instance.
///
/// The components' automata are not in the setting of a composition: their conditions on parameters are a
/// [`Requirement`](super::Requirement) of the composition.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setting {
    automata: BTreeSet<AutomatonId>,
}

impl Setting {
    /// Whether all that is supposed in the other setting is supposed in this one.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        other.automata.is_subset(&self.automata)
    }
}

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

    /// The axioms that hold in a setting, each with its position among all axioms.
    pub fn axioms_in<'m>(
        &'m self,
        setting: &Setting,
    ) -> impl Iterator<Item = (usize, &'m Axiom)> + use<'m> {
        let setting = setting.clone();
        let axioms = self.axioms.iter().enumerate();
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

    /// The axiom at a position that [`axioms_in`](Self::axioms_in) gave.
    #[must_use]
    pub fn axiom(&self, position: usize) -> &Axiom {
        &self.axioms[position]
    }

    /// Whether an operator is known in a setting.
    #[must_use]
    pub fn is_known(&self, function: FunctionId, setting: &Setting) -> bool {
        self.functions[function.index()].assumed.is_in(setting)
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

/// Which instances a formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of them: it cannot name elements of sorts.
    EverySize,
    /// One at given sizes, whose elements it may name: `Node#0`.
    OneInstance,
}
