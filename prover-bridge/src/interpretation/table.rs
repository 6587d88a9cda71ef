//! Operators as tables of symbolic results.

use finite::Universe;
use ioa_lang::Value;
use ioa_lang::core::{Function, FunctionId};

use crate::logic::{Encoded, Logic, Sym};

/// The table of an operator, each row with its arguments and its result as a term.
pub(super) struct Table<'l> {
    pub(super) id: FunctionId,
    pub(super) function: &'l Function,
    pub(super) rows: Vec<Vec<Value>>,
    pub(super) results: Vec<Sym<'l>>,
}

/// The tables of all operators that are open to interpretation.
pub(super) fn tables<'l>(logic: &'l Logic<'l>, universe: &Universe) -> Encoded<Vec<Table<'l>>> {
    let open = universe.open_to_interpretation(logic.model);
    open.map(|(id, function)| {
        let (mut rows, mut results) = (Vec::new(), Vec::new());
        for row in logic.rows(universe, &function.params)? {
            let (args, values): (Vec<Sym<'l>>, Vec<Value>) =
                row.into_iter().map(|i| (i.sym, i.value)).unzip();
            results.push(logic.apply(id, &args)?);
            rows.push(values);
        }
        Ok(Table {
            id,
            function,
            rows,
            results,
        })
    })
    .collect()
}
