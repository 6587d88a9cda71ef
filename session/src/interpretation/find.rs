//! Interpretations of uninterpreted operators, found by the solver.

use finite::{Interpretation, Universe};
use prover_bridge::{
    NoModel, Options, Reason, interpretations, least_degenerate_first, needs_interpretation,
};

use super::{Choice, Found, MOST_INTERPRETATIONS, sizes};
use crate::study::{BadInput, Study};

/// The interpretations of the theories in a universe that are wanted; a single empty one where nothing needs any.
///
/// # Errors
/// There is none at these sizes, or there are not so many.
pub fn find(study: &Study, universe: &Universe, choice: Choice) -> Result<Found, BadInput> {
    if !needs_interpretation(&study.model, universe) {
        return Ok(Found::of(Interpretation::default()));
    }
    let sizes = sizes(study, universe);
    // What number one has must not depend on how many are wanted, so those that are tried are always found together.
    let count = match choice {
        Choice::Many => MOST_INTERPRETATIONS,
        Choice::Number(number) => number.max(MOST_INTERPRETATIONS),
    };
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    let found = interpretations(&study.model, universe, most, &Options::default());
    let found = found.map_err(|none| BadInput::message(explain(&sizes, none)))?;
    let (mut tables, are_all) = (found.found, found.are_all);
    let tried = tables.len().min(MOST_INTERPRETATIONS as usize);
    least_degenerate_first(&study.model, universe, &mut tables[..tried]);
    let Choice::Number(number) = choice else {
        return Ok(Found { tables, are_all });
    };
    let there_are = tables.len();
    let place = usize::try_from(number).map_or(usize::MAX, |number| number.saturating_sub(1));
    match place < there_are {
        true => Ok(Found {
            tables: vec![tables.swap_remove(place)],
            are_all: are_all && there_are == 1,
        }),
        false => Err(BadInput::message(format!(
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
