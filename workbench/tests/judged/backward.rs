//! Backward simulations are held to their definition.

use std::collections::BTreeSet;
use std::sync::Arc;

use interpreter::Instance;
use paired_exec::DefinitionFailure;
use test_support::reference::{Backward, Condition};

use crate::verdict::{Case, Seen, Unlike, refused};

/// An automaton with more reachable states is not looked at.
const STATES: usize = 40;

impl Case {
    /// The first simulation of the model is checked as the definition says.
    pub(crate) fn against_the_definition(&self) -> Result<BTreeSet<Seen>, Unlike> {
        let expected = self.world().backward(&self.model.simulations[0], STATES);
        let expected = expected.map_err(|why| Unlike::Skipped(format!("the reference: {why}")))?;
        let instance = Instance::new(Arc::clone(&self.model), self.universe.clone());
        let found = match paired_exec::by_definition(&instance, 0) {
            Ok(found) => found,
            Err(_) if !expected.faults.is_empty() || expected.low * expected.high == 0 => {
                return Ok(BTreeSet::from([Seen::Fault]));
            }
            Err(errors) => {
                let messages: Vec<String> = errors.into_iter().map(|e| e.message).collect();
                return Err(refused(&messages.join("; "), "a backward simulation"));
            }
        };
        let seen = fact(&found.failure, &expected);
        let counts = (found.low_states, found.high_states, found.related);
        let same = counts == (expected.low, expected.high, expected.related);
        match seen {
            Some(Seen::Holds) if !same => Err(unlike("counts", &found, &expected)),
            Some(seen) => Ok(BTreeSet::from([seen])),
            None => Err(unlike("verdict", &found, &expected)),
        }
    }
}

/// What is found, if it is so; which of several conditions that fail is found first, is not said.
fn fact(failure: &Option<DefinitionFailure>, expected: &Backward) -> Option<Seen> {
    // Without a start state there is nothing to simulate, or nothing to simulate it by.
    let nothing = !expected.faults.is_empty() || expected.low * expected.high == 0;
    let (condition, seen) = match failure {
        None => {
            let holds = !nothing && expected.broken.is_empty();
            return holds.then_some(Seen::Holds);
        }
        Some(DefinitionFailure::Interrupted(..) | DefinitionFailure::Low(_)) => {
            return nothing.then_some(Seen::Fault);
        }
        // The last two are about forward simulations.
        Some(
            DefinitionFailure::TooMany
            | DefinitionFailure::NoStart { .. }
            | DefinitionFailure::NoAnswer { .. },
        ) => return None,
        Some(DefinitionFailure::Unrelated { .. }) => (Condition::Total, Seen::Unrelated),
        Some(DefinitionFailure::NotAStart { .. }) => (Condition::Start, Seen::NotAStart),
        Some(DefinitionFailure::NoWay { .. }) => (Condition::Step, Seen::NoWay),
    };
    let is_so = expected.broken.contains(&condition);
    // The relation is not read to its end where a state is related to none.
    (is_so || nothing && condition == Condition::Total).then_some(seen)
}

fn unlike(what: &str, found: &paired_exec::Exhausted, expected: &Backward) -> Unlike {
    Unlike::Differs {
        what: format!("a backward simulation: {what}"),
        shown: format!("expected {expected:?}\nfound    {found:?}"),
    }
}
