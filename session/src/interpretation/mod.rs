//! The interpretations of uninterpreted operators in a finite instance: which are tried, and how they are shown.

#[cfg(feature = "smt")]
mod find;
pub mod known;
mod world;

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::{Interpretation, Packing, Universe, is_true_naturally, natural_arrangements};
use interpreter::Instance;
use ioa_lang::core::{AutomatonId, Axiom, Function, FunctionId, Model, Setting, Type};
use ioa_lang::{Name, Value};

use crate::study::{BadInput, Study};

#[cfg(feature = "smt")]
pub use find::find;
pub use known::Found;
pub use world::World;

/// Of more interpretations than this, so many are tried.
pub const MOST_INTERPRETATIONS: u64 = 50;

/// Universes of a setting, at least one, which differ in what its theories mean.
#[derive(Clone, Debug)]
pub struct Universes {
    /// In the order of their numbers.
    pub each: Vec<Universe>,
    /// Whether there are no others.
    pub are_all: bool,
}

/// In how many interpretations of the theories something was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// So many.
    pub count: u64,
    /// Whether there are no others.
    pub are_all: bool,
}

impl Tried {
    /// One, beside which there may be others.
    pub const ONE: Self = Self {
        count: 1,
        are_all: false,
    };

    /// The only one there is.
    pub const ONLY: Self = Self {
        count: 1,
        are_all: true,
    };
}

/// Without the solver, only the theories whose finite meaning is built in can be interpreted.
///
/// # Errors
/// Some operator is described by axioms alone.
#[cfg(not(feature = "smt"))]
pub fn find(study: &Study, universe: &Universe, _: u64) -> Result<Found, BadInput> {
    match universe.open_to_interpretation(&study.model).next() {
        None => Ok(Found::of(finite::Interpretation::default())),
        Some(_) => Err(BadInput::message(
            "this build has no solver: uninterpreted operators have no finite meaning",
        )),
    }
}

/// The interpretations of the theories in a universe that are tried, or the one with a number.
///
/// # Errors
/// There is none at these sizes, or there are not so many.
pub(crate) fn wanted(
    study: &Study,
    universe: &Universe,
    number: Option<u64>,
    asked: (Setting, BTreeMap<String, u64>),
) -> Result<Found, BadInput> {
    // What number one has must not depend on how many are wanted, so those that are tried are always found together.
    let count = number.unwrap_or(1).max(MOST_INTERPRETATIONS);
    let asked = (asked.0, asked.1, count);
    let found = study
        .known
        .or_find(asked, || match natural(study, universe) {
            Some(natural) => Ok(Found::of(natural)),
            None => find(study, universe, count),
        })?;
    let Some(number) = number else {
        return Ok(found);
    };
    let there_are = found.tables.len();
    found.only(number).ok_or_else(|| {
        BadInput::message(format!(
            "there is no interpretation {number} of the theories at {}: no more than {there_are} were found that \
             differ in more than the names of elements",
            sizes(study, universe)
        ))
    })
}

/// The only interpretation there is, up to the names of elements, where that is known without a search.
fn natural(study: &Study, universe: &Universe) -> Option<Interpretation> {
    let natural = universe.of_arrangements_alone(&study.model)?;
    if natural.tables.is_empty() {
        return None;
    }
    let instance = universe.clone().interpreted(&study.model, natural.clone());
    let instance = Instance::new(Arc::clone(&study.model), instance.ok()?);
    let arranged = natural_arrangements(&study.model, universe);
    let is_known = |axiom: &Axiom| is_true_naturally(&study.model, &arranged, axiom);
    unsatisfied(&instance, is_known)
        .is_none()
        .then_some(natural)
}

/// The first axiom that is not known to be true in an instance, but for those that need not be looked at.
pub(crate) fn unsatisfied(instance: &Instance, is_known: impl Fn(&Axiom) -> bool) -> Option<Name> {
    let universe = instance.universe();
    let stated = universe.restricted(instance.model());
    let mut asked = stated.axioms_in(universe.setting());
    let found = asked.find(|(_, axiom)| !is_known(axiom) && !instance.satisfies(axiom));
    found.map(|(_, axiom)| axiom.name.clone())
}

fn sizes(study: &Study, universe: &Universe) -> String {
    let given = study.given_sizes(universe);
    let sizes: Vec<String> = given
        .iter()
        .map(|(sort, n)| format!("{sort}={n}"))
        .collect();
    sizes.join(" ")
}

/// What the operators mean in the first of some interpretations, which has this number, an operator a paragraph.
#[must_use]
pub fn show(study: &Study, universes: &Universes, number: Option<u64>) -> String {
    let universe = &universes.each[0];
    let tables = &universe.interpretation().tables;
    if tables.is_empty() {
        return "no operator is described by axioms alone: nothing is left to interpretation\n"
            .into();
    }
    let which = match (number, universes.each.len(), universes.are_all) {
        (Some(number), _, _) => format!("interpretation {number}"),
        (None, 1, true) => "the only interpretation".into(),
        (None, count, true) => format!("interpretation 1 of {count}"),
        (None, count, false) => format!("interpretation 1 of more than {count}"),
    };
    let at = match sizes(study, universe) {
        sizes if sizes.is_empty() => String::new(),
        sizes => format!(" at {sizes}"),
    };
    let mut out = format!("{which} of the theories{at}\n");
    let meant = |id| !universe.is_open_operator(&study.model, id);
    for (id, table) in tables.iter().filter(|(id, _)| meant(**id)) {
        let function = &study.model.functions[id.index()];
        out.push_str(&paragraph(&study.model, universe, function, table));
    }
    out
}

/// What is to be said with a verdict on an automaton: in how many interpretations of which operators it was tried, and if
/// in one, what they mean there, unless that is long; nothing where no axioms leave a choice. The universe is one of
/// those that were tried.
#[must_use]
pub fn words(
    study: &Study,
    universe: &Universe,
    automaton: AutomatonId,
    tried: Tried,
) -> Option<String> {
    let is_only = tried == Tried::ONLY;
    let meant = open_operators(study, universe, automaton);
    // That there is one ring and one line of each size need not be said.
    let meant = meant.filter(|(id, _, _)| !is_only || study.model.arrangement_of(*id).is_none());
    let (mut values, mut operators) = (Vec::new(), Vec::new());
    let mut are_constants = true;
    for (_, function, table) in meant {
        are_constants &= function.params.is_empty();
        if tried.count == 1 {
            let results = entries(&study.model, universe, function, table);
            if values.len() + results.len() <= MOST_ENTRIES {
                values.extend(results);
                continue;
            }
        }
        operators.push(&*function.name);
    }
    let Tried { count, are_all } = tried;
    let (which, rest) = match (count, are_all) {
        (1, true) => ("in the only interpretation".to_owned(), ""),
        (1, false) => ("in one interpretation".to_owned(), ""),
        (count, true) => (format!("in all {count} interpretations"), ""),
        (count, false) => (
            format!("in {count} interpretations"),
            ", of which there are more",
        ),
    };
    let operators = match (operators.is_empty(), are_constants) {
        (false, _) => Some(format!("{which} of {}{rest}", operators.join(", "))),
        (true, false) => Some(which),
        (true, true) => None,
    };
    let values = (!values.is_empty()).then(|| format!("where {}", values.join(", ")));
    let parts: Vec<String> = operators.into_iter().chain(values).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The operators that have tables and that an automaton knows.
fn open_operators<'u>(
    study: &'u Study,
    universe: &'u Universe,
    automaton: AutomatonId,
) -> impl Iterator<Item = (FunctionId, &'u Function, &'u Vec<Value>)> {
    let own = study.model.setting([automaton]);
    let tables = universe.interpretation().tables.iter();
    let meant = tables.filter(move |(id, _)| {
        !universe.is_open_operator(&study.model, **id) && study.model.is_known(**id, &own)
    });
    meant.map(|(id, table)| (*id, &study.model.functions[id.index()], table))
}

/// What the operators that an automaton knows mean in one of several interpretations, for a note beside an execution.
#[must_use]
pub fn note(study: &Study, universe: &Universe, automaton: AutomatonId, number: u64) -> String {
    let operators = open_operators(study, universe, automaton);
    let entries: Vec<String> = operators
        .flat_map(|(_, function, table)| entries(&study.model, universe, function, table))
        .collect();
    let (shown, rest) = entries.split_at(entries.len().min(MOST_ENTRIES));
    let more = match rest.len() {
        0 => String::new(),
        n => format!(" and {n} more (ioa check --interpret shows all)"),
    };
    format!("in interpretation {number}: {}{more}", shown.join(", "))
}

/// No more results of operators than this are shown beside a verdict or an execution.
const MOST_ENTRIES: usize = 12;

/// Adds those words to a summary.
pub fn say(
    study: &Study,
    universe: &Universe,
    automaton: AutomatonId,
    tried: Tried,
    summary: &mut String,
) {
    if let Some(words) = words(study, universe, automaton, tried) {
        summary.push_str(&format!("; {words}"));
    }
}

fn paragraph(model: &Model, universe: &Universe, function: &Function, table: &[Value]) -> String {
    let entries = entries(model, universe, function, table);
    format!("  {}\n", entries.join("\n  "))
}

/// What an operator means: its value, its results, or where it holds.
fn entries(
    model: &Model,
    universe: &Universe,
    function: &Function,
    table: &[Value],
) -> Vec<String> {
    let name = &function.name;
    let rows = arguments(model, universe, &function.params);
    let shown = rows.iter().zip(table);
    if function.params.is_empty() {
        let value = table.first().map(|value| value.display(model));
        return vec![format!("{name} = {}", value.unwrap_or_default())];
    }
    if function.result != Type::Bool {
        let entry =
            |(row, value): (&String, &Value)| format!("{name}({row}) = {}", value.display(model));
        return shown.map(entry).collect();
    }
    let holds = shown.filter(|(_, value)| **value == Value::Bool(true));
    let entries: Vec<String> = holds.map(|(row, _)| format!("{name}({row})")).collect();
    match entries.is_empty() {
        true => vec![format!("{name} never holds")],
        false => entries,
    }
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
