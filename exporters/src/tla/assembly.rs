//! Assembles a module from its parts: its declarations, the definitions that the parts need, and the `.cfg`.

use std::fmt::Write as _;

use finite::Packing;
use ioa_lang::core::{FunctionId, Meaning, SortId, SortSize, Type};

use super::automaton::Parts;
use super::syntax::Infix;
use super::syntax::Module;
use super::syntax::{Definition, Term, Unit};
use super::writer::{Needs, Writer};

/// The modules that come with TLA+, as far as exported ones use them.
const LIBRARY: &str = "Integers, Sequences, FiniteSets, Bags, TLC";

/// The text before the module, its declarations, and the parts.
pub(super) fn assembled(writer: &mut Writer<'_>, parts: Parts, about: &str) -> Module {
    let needs = closed(writer);
    let mut units = declarations(writer, &needs);
    if !parts.variables.is_empty() {
        units.extend([Unit::Names("VARIABLES", parts.variables.clone()), Unit::Gap]);
    }
    let variables = parts.variables.into_iter().map(Term::Name).collect();
    let variables = Definition::new("vars", Term::Tuple(variables));
    units.extend([Unit::Definition(variables), Unit::Gap]);
    units.extend(definitions(writer, &needs));
    units.push(Unit::Rule);
    units.extend(parts.body);
    let mut invariants = vec!["TypeOK".to_owned()];
    invariants.extend(parts.invariants);
    let config = config(
        writer,
        &needs,
        &parts.specification,
        &invariants,
        &parts.liveness,
    );
    Module::new(about, (parts.name, LIBRARY), units, config)
}

/// The required definitions, and those that they require in turn.
pub(super) fn closed(writer: &mut Writer<'_>) -> Needs {
    loop {
        let before = writer.needs.clone();
        for ty in &before.types {
            writer.type_definition(ty);
        }
        for function in &before.functions {
            table(writer, *function);
        }
        if writer.needs == before {
            return before;
        }
    }
}

/// The constants that the `.cfg` gives.
pub(super) fn declarations(writer: &Writer<'_>, needs: &Needs) -> Vec<Unit> {
    let given = needs.sorts.iter().filter(|id| is_given(writer, **id));
    let names: Vec<String> = given
        .map(|id| writer.globals.sorts[id.index()].clone())
        .collect();
    match names.is_empty() {
        true => Vec::new(),
        false => vec![Unit::Names("CONSTANTS", names), Unit::Gap],
    }
}

fn is_given(writer: &Writer<'_>, id: SortId) -> bool {
    writer.model.sorts[id.index()].size == SortSize::Given
}

/// The definitions of the module that precede the automaton.
pub(super) fn definitions(writer: &mut Writer<'_>, needs: &Needs) -> Vec<Unit> {
    let mut units = Vec::new();
    for helper in &needs.helpers {
        let (params, body) = helper.body();
        let name = writer.globals.helpers[helper].clone();
        units.push(Unit::Helper { name, params, body });
    }
    for id in &needs.sorts {
        if let SortSize::GroupsOf(family, member) = writer.model.sorts[id.index()].size {
            let name = &*writer.globals.sorts[id.index()];
            let groups = Definition::new(name, writer.groups(family, member));
            units.push(Unit::Definition(groups));
        }
    }
    for ty in in_order(writer, needs) {
        units.extend(writer.type_definition(&ty).map(Unit::Definition));
    }
    for function in &needs.functions {
        units.extend(table(writer, *function).map(Unit::Definition));
    }
    if !units.is_empty() {
        units.push(Unit::Gap);
    }
    units
}

/// The types in an order in which each comes after its parts, since TLA+ requires a name to be defined before it is used.
fn in_order(writer: &Writer<'_>, needs: &Needs) -> Vec<Type> {
    let mut ordered: Vec<Type> = Vec::new();
    let mut left: Vec<&Type> = needs.types.iter().collect();
    while !left.is_empty() {
        let before = left.len();
        left.retain(|ty| {
            let ready = made_of(writer, ty)
                .iter()
                .all(|part| ordered.contains(part) || !needs.types.contains(part));
            if ready {
                ordered.push((*ty).clone());
            }
            !ready
        });
        if left.len() == before {
            break;
        }
    }
    ordered
}

/// The named types that a named type mentions.
fn made_of(writer: &Writer<'_>, ty: &Type) -> Vec<Type> {
    fn named(ty: &Type, found: &mut Vec<Type>) {
        match ty {
            Type::Enum(_) | Type::Tuple(_) | Type::Union(_) => found.push(ty.clone()),
            other => other.args().into_iter().for_each(|part| named(part, found)),
        }
    }
    let mut found = Vec::new();
    let parts = writer.model.parts_of(ty).into_iter();
    parts.for_each(|part| named(part, &mut found));
    found
}

/// The table of an uninterpreted operator of a theory, at these sizes.
fn table(writer: &mut Writer<'_>, id: FunctionId) -> Option<Definition> {
    let function = &writer.model.functions[id.index()];
    debug_assert_eq!(function.meaning, Meaning::Axioms);
    let name = writer.globals.functions[id.index()].clone();
    let results = writer.universe.interpretation().tables.get(&id).cloned();
    let mut rows: Vec<Vec<ioa_lang::Value>> = vec![Vec::new()];
    for ty in &function.params {
        let packing = Packing::of(writer.model, writer.universe, ty);
        let codes = packing
            .as_ref()
            .and_then(|p| p.codes(1 << 16))
            .unwrap_or_default();
        rows = rows
            .iter()
            .flat_map(|row| codes.iter().map(move |code| (row.clone(), *code)))
            .filter_map(|(mut row, code)| {
                row.push(packing.as_ref()?.decode(code));
                Some(row)
            })
            .collect();
    }
    let mut entries = Vec::new();
    for (row, result) in rows.iter().zip(results.unwrap_or_default()) {
        let args: Option<Vec<Term>> = row.iter().map(|v| writer.value(v)).collect();
        let (Some(mut args), Some(result)) = (args, writer.value(&result)) else {
            writer.unsayable(
                function.span,
                &format!(
                    "the operator {} has arguments or results without a name in TLA+",
                    function.name
                ),
                "use sorts, numbers and sets of them",
            );
            return None;
        };
        let args = match args.len() {
            0 => return Some(Definition::new(name, result)),
            1 => args.remove(0),
            _ => Term::Tuple(args),
        };
        entries.push(Term::infix(Infix::MapsTo, args, result));
    }
    let entries = entries.into_iter();
    let table = entries.reduce(|table, entry| Term::infix(Infix::Over, table, entry));
    Some(Definition::new(name, table?))
}

/// The configuration that TLC reads together with the module.
pub(super) fn config(
    writer: &Writer<'_>,
    needs: &Needs,
    specification: &str,
    invariants: &[String],
    properties: &[String],
) -> String {
    let mut text = format!("{}\nSPECIFICATION {specification}\n", super::MARK);
    let given: Vec<&SortId> = needs
        .sorts
        .iter()
        .filter(|id| is_given(writer, **id))
        .collect();
    if !given.is_empty() {
        text.push_str("CONSTANTS\n");
    }
    for id in given {
        let name = &writer.globals.sorts[id.index()];
        let _ = writeln!(text, "  {name} = {}", writer.elements(*id));
    }
    for (section, names) in [("INVARIANTS", invariants), ("PROPERTIES", properties)] {
        if !names.is_empty() {
            let _ = writeln!(text, "{section}\n  {}", names.join("\n  "));
        }
    }
    text.push_str("CHECK_DEADLOCK FALSE\n");
    text
}
