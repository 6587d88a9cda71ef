//! Where assumptions hold: those of one automaton do not hold for others.

use std::collections::BTreeSet;

use crate::core::types::AutomatonId;

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
/// [`Requirement`](crate::core::Requirement) of the composition.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setting {
    pub(super) automata: BTreeSet<AutomatonId>,
}

impl Setting {
    /// Whether all that is supposed in the other setting is supposed in this one.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        other.automata.is_subset(&self.automata)
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
