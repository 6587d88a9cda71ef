//! The interpretation of uninterpreted operators in a finite instance: found once, shown as tables.

#[cfg(feature = "smt")]
mod find;

#[cfg(not(feature = "smt"))]
use finite::Interpretation;
use finite::{Packing, Universe};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Function, Model, Type};

#[cfg(not(feature = "smt"))]
use crate::study::BadInput;
use crate::study::Study;

#[cfg(feature = "smt")]
pub use find::find;

/// Without the solver, only the theories whose finite meaning is built in can be interpreted.
///
/// # Errors
/// Some operator is described by axioms alone.
#[cfg(not(feature = "smt"))]
pub fn find(study: &Study, universe: &Universe, _: u64) -> Result<Interpretation, BadInput> {
    match universe.open_to_interpretation(&study.model).next() {
        None => Ok(Interpretation::default()),
        Some(_) => Err(BadInput::message(
            "this build has no solver: uninterpreted operators have no finite meaning",
        )),
    }
}

fn sizes(study: &Study, universe: &Universe) -> String {
    let given = study.given_sizes(universe);
    let sizes: Vec<String> = given
        .iter()
        .map(|(sort, n)| format!("{sort}={n}"))
        .collect();
    sizes.join(" ")
}

/// What the operators mean, an operator a paragraph.
#[must_use]
pub fn show(study: &Study, universe: &Universe) -> String {
    let tables = &universe.interpretation().tables;
    if tables.is_empty() {
        return "no operator is described by axioms alone: nothing is left to interpretation\n"
            .into();
    }
    let mut out = format!(
        "an interpretation of the theories at {}\n",
        sizes(study, universe)
    );
    let meant = |id| !universe.is_open_operator(&study.model, id);
    for (id, table) in tables.iter().filter(|(id, _)| meant(**id)) {
        let function = &study.model.functions[id.index()];
        out.push_str(&paragraph(&study.model, universe, function, table));
    }
    out
}

/// What is to be said with a verdict on an automaton in one instance: what its parameters are, and which operators could
/// mean something else; nothing where no axioms leave a choice.
#[must_use]
pub fn words(study: &Study, universe: &Universe, automaton: AutomatonId) -> Option<String> {
    let own = study.model.setting([automaton]);
    let tables = universe.interpretation().tables.iter();
    let meant = tables.filter(|(id, _)| {
        !universe.is_open_operator(&study.model, **id) && study.model.is_known(**id, &own)
    });
    let (mut values, mut operators) = (Vec::new(), Vec::new());
    for (id, table) in meant {
        let function = &study.model.functions[id.index()];
        match &table[..] {
            [value] if function.params.is_empty() => {
                values.push(format!(
                    "{} = {}",
                    function.name,
                    value.display(&study.model)
                ));
            }
            _ => operators.push(&*function.name),
        }
    }
    let operators = (!operators.is_empty())
        .then(|| format!("in one interpretation of {}", operators.join(", ")));
    let values = (!values.is_empty()).then(|| format!("where {}", values.join(", ")));
    let parts: Vec<String> = operators.into_iter().chain(values).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn paragraph(model: &Model, universe: &Universe, function: &Function, table: &[Value]) -> String {
    let name = &function.name;
    let rows = arguments(model, universe, &function.params);
    let shown = rows.iter().zip(table);
    if function.params.is_empty() {
        let value = table.first().map(|value| value.display(model));
        return format!("  {name} = {}\n", value.unwrap_or_default());
    }
    let entries: Vec<String> = if function.result == Type::Bool {
        let holds = shown.filter(|(_, value)| **value == Value::Bool(true));
        holds.map(|(row, _)| format!("{name}({row})")).collect()
    } else {
        let entry =
            |(row, value): (&String, &Value)| format!("{name}({row}) = {}", value.display(model));
        shown.map(entry).collect()
    };
    if entries.is_empty() {
        return format!("  {name} never holds\n");
    }
    format!("  {}\n", entries.join("\n  "))
}

/// All lists of arguments as text, in the order of the tables.
fn arguments(model: &Model, universe: &Universe, types: &[Type]) -> Vec<String> {
    let mut rows = vec![String::new()];
    for ty in types {
        let packing = Packing::of(model, universe, ty);
        let codes = packing
            .as_ref()
            .map(|p| p.values().map(|code| p.decode(code)));
        let values: Vec<String> = codes
            .into_iter()
            .flatten()
            .map(|v| v.display(model))
            .collect();
        let longer = |row: &String| -> Vec<String> {
            let separator = if row.is_empty() { "" } else { ", " };
            let with = |value: &String| format!("{row}{separator}{value}");
            values.iter().map(with).collect()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows
}
