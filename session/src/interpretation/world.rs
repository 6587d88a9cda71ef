//! The world in which something was found: an instance, and which interpretation of the theories it has.

use std::sync::Arc;

use interpreter::Instance;
use ioa_lang::core::AutomatonId;

use super::note;
use crate::setup::Setup;
use crate::study::Study;

/// An instance, and which of several interpretations of the theories it has. What was found in an instance can only be
/// shown, and found again, with both.
#[derive(Clone, Debug)]
pub struct World {
    /// The instance.
    pub instance: Arc<Instance>,
    /// The number of its interpretation, where there are several.
    pub interpretation: Option<u64>,
}

impl World {
    /// An instance beside which there is no other.
    #[must_use]
    pub fn only(instance: &Arc<Instance>) -> Self {
        Self {
            instance: Arc::clone(instance),
            interpretation: None,
        }
    }

    /// The setup that asks for this world alone.
    #[must_use]
    pub fn setup(&self, setup: &Setup) -> Setup {
        setup.in_interpretation(self.interpretation)
    }

    /// What the operators that an automaton knows mean in this world, where they mean something else in others.
    #[must_use]
    pub fn note(&self, study: &Study, automaton: AutomatonId) -> Option<String> {
        let number = self.interpretation?;
        Some(note(study, self.instance.universe(), automaton, number))
    }

    /// What is said after "none is shorter", since there may be a shorter one in another world.
    #[must_use]
    pub fn within(&self) -> &'static str {
        match self.interpretation {
            None => "",
            Some(_) => " in this interpretation",
        }
    }
}
