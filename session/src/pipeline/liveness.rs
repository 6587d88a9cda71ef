//! Liveness properties, which are stated and not checked yet: that is said wherever they could seem to be.

use ioa_lang::core::Liveness;

use crate::finding::{Finding, Kind, Scope, Verdict};
use crate::study::Study;

/// Why there is no answer.
const NOT_CHECKED: &str = "not checked: it is read, and written by `ioa export tla` for TLC";

/// The findings that say so of the properties that are asked for.
pub fn unchecked(study: &Study, scope: &Scope, wanted: impl Fn(&Liveness) -> bool) -> Vec<Finding> {
    let properties = study.model.liveness.iter();
    let finding = |property: &Liveness| {
        let automaton = &*study.model.automaton(property.automaton).name;
        Finding {
            summary: NOT_CHECKED.to_owned(),
            ..Finding::new(
                Kind::Liveness,
                &*property.name,
                automaton,
                Verdict::Unknown,
                scope.clone(),
            )
        }
    };
    properties
        .filter(|property| wanted(property))
        .map(finding)
        .collect()
}
