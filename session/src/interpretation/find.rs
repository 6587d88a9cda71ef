//! Interpretations of uninterpreted operators, found by the solver.

use finite::{Interpretation, Universe};
use prover_bridge::{
    NoModel, Options, Reason, interpretations, least_degenerate_first, needs_interpretation,
};

use super::{Found, MOST_INTERPRETATIONS, sizes};
use crate::study::{BadInput, Study};

/// At most so many interpretations of the theories in a universe; a single empty one where nothing needs any.
///
/// # Errors
/// There is none at these sizes.
pub fn find(study: &Study, universe: &Universe, count: u64) -> Result<Found, BadInput> {
    if !needs_interpretation(&study.model, universe) {
        return Ok(Found::of(Interpretation::default()));
    }
    let sizes = sizes(study, universe);
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    let found = interpretations(&study.model, universe, most, &Options::default());
    let found = found.map_err(|none| BadInput::message(explain(&sizes, none)))?;
    let (mut tables, are_all) = (found.found, found.are_all);
    let tried = tables.len().min(MOST_INTERPRETATIONS as usize);
    least_degenerate_first(&study.model, universe, &mut tables[..tried]);
    Ok(Found { tables, are_all })
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
