//! Operators that lead around all elements of a sort. Where axioms allow it, this is what their author has in mind: a ring
//! of nodes, not nodes that are their own neighbours.

use finite::Universe;
use ioa_lang::Value;
use ioa_lang::core::Type;
use z3::ast::Bool;

use super::table::Table;
use crate::logic::{Encoded, Logic, and};

/// Cycles through more elements are not asked for: all pairs of them are compared.
const LONGEST: u64 = 16;

/// That the operator of a table leads from the first element through all others back to it; none where it cannot, because it
/// takes other arguments or has other results.
pub(super) fn is_one<'l>(
    table: &Table<'l>,
    universe: &Universe,
    logic: &'l Logic<'l>,
) -> Encoded<Option<Bool>> {
    let ([Type::Sort(from)], Type::Sort(to)) =
        (table.function.params.as_slice(), &table.function.result)
    else {
        return Ok(None);
    };
    let (ty, size) = (&table.function.result, universe.size(*from));
    if from != to || !(2..=LONGEST).contains(&size) {
        return Ok(None);
    }
    let start = logic.lift(&Value::Element(*from, 0), ty)?;
    let mut passed = vec![start];
    let mut facts = Vec::new();
    for _ in 1..size {
        let next = logic.apply(table.id, &passed[passed.len() - 1..])?;
        for before in &passed {
            facts.push(next.equal(before, ty, logic)?.not());
        }
        passed.push(next);
    }
    let last = logic.apply(table.id, &passed[passed.len() - 1..])?;
    facts.push(last.equal(&passed[0], ty, logic)?);
    Ok(Some(and(&facts)))
}
