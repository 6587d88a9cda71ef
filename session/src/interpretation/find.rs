//! Interpretations of uninterpreted operators, found by the solver.

use finite::{Interpretation, Universe};
use prover_bridge::{NoModel, Options, Reason, interpretations, needs_interpretation};

use super::sizes;
use crate::study::{BadInput, Study};

/// The N-th interpretation of the theories in a universe, from 1; an empty one where nothing needs any.
///
/// # Errors
/// There are not so many of them at these sizes.
pub fn find(study: &Study, universe: &Universe, number: u64) -> Result<Interpretation, BadInput> {
    if !needs_interpretation(&study.model, universe) {
        return Ok(Interpretation::default());
    }
    let sizes = sizes(study, universe);
    let count = usize::try_from(number).unwrap_or(usize::MAX);
    let found = interpretations(&study.model, universe, count, &Options::default());
    let mut found = found.map_err(|none| BadInput::message(explain(&sizes, none)))?;
    let there_are = found.len();
    match found.pop() {
        Some(last) if there_are == count => Ok(last),
        _ => Err(BadInput::message(format!(
            "there is no interpretation {number} of the theories at {sizes}: no more than {there_are} were found that \
             differ in more than the names of elements"
        ))),
    }
}

fn explain(sizes: &str, none: NoModel) -> String {
    match none {
        NoModel::Contradiction(axioms) => {
            let axioms: Vec<&str> = axioms.iter().map(|name| &**name).collect();
            format!(
                "the theories have no interpretation at {sizes}: no operators satisfy {}; other sizes may have one",
                axioms.join(", ")
            )
        }
        NoModel::Unknown(Reason::OutsideEncoding { because, .. }) => {
            format!("the theories cannot be interpreted at {sizes}: {because}")
        }
        NoModel::Unknown(reason) => format!(
            "no interpretation of the theories was found at {sizes}: {reason}; smaller sizes may help"
        ),
    }
}
