//! Interpretations of theories.

use ioa_lang::Value;
use ioa_lang::core::{FunctionId, Meaning, Model};
use ioa_lang::finite::{Interpretation, Universe};

/// No type of a parameter or a result may have more values than this.
const MOST: u64 = 1 << 12;

/// An interpretation of the operators that only axioms describe, with no regard to these: the rows of each table run
/// through the values of the result, each operator from another value on.
#[must_use]
pub fn any(model: &Model, universe: &Universe) -> Interpretation {
    let functions = (0..).map(FunctionId).zip(&model.functions);
    let open = functions.filter(|(_, function)| function.meaning == Meaning::Axioms);
    let tables = open.map(|(id, function)| {
        let values = |ty| universe.values(model, ty, MOST).unwrap_or_default();
        let rows = function.params.iter().map(|ty| values(ty).len());
        let rows: usize = rows.product();
        let results = match values(&function.result) {
            // Of what cannot be listed, such as the numbers, there is one that all types have.
            none if none.is_empty() => vec![Value::int(0)],
            some => some,
        };
        let rows = (0..rows).map(|row| results[(row + id.index()) % results.len()].clone());
        (id, rows.collect())
    });
    Interpretation {
        tables: tables.collect(),
    }
}
