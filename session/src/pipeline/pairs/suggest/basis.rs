//! What a suggestion is made from.

use finite::Universe;
use ioa_lang::Value;
use ioa_lang::core::{Automaton, Setting, Simulation};

use super::language::terms::Grammar;
use super::sample::Sample;
use crate::host::Host;
use crate::study::Study;

/// What a suggestion is made from.
pub(super) struct Suggesting<'s> {
    pub(super) study: &'s Study,
    pub(super) setting: Setting,
    pub(super) simulation: Simulation,
    pub(super) samples: Vec<Sample>,
    pub(super) universes: Vec<Universe>,
    pub(super) host: &'s dyn Host,
}

impl Suggesting<'_> {
    pub(super) fn low(&self) -> &Automaton {
        self.study.model.automaton(self.simulation.low)
    }

    pub(super) fn high(&self) -> &Automaton {
        self.study.model.automaton(self.simulation.high)
    }

    pub(super) fn goes_on(&self) -> bool {
        self.host.stopped().is_none()
    }

    /// Terms of at most this size.
    pub(super) fn grammar(&self, size: usize) -> Grammar<'_> {
        Grammar {
            model: &self.study.model,
            setting: &self.setting,
            automata: [self.simulation.low, self.simulation.high],
            size,
            most: 60,
        }
    }

    /// The values of the low variables in a state of a sample.
    pub(super) fn low_values(&self, (at, low): (usize, usize)) -> Vec<Value> {
        let sample = &self.samples[at];
        let layout = sample.instance.layout(self.simulation.low);
        let state = &sample.joint.low_states()[low];
        layout.values(state).map(|(_, value)| value).collect()
    }
}
