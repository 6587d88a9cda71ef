//! A module from its parts: what it declares, the definitions that the parts need, and the `.cfg`.

use std::fmt::Write as _;

use ioa_lang::core::{FunctionId, Meaning, SortId, SortSize, Type};
use ioa_lang::finite::Packing;

use super::Module;
use super::module::{Parts, rule};
use super::text::Text;
use super::writer::{Needs, Writer};

/// The text in front of the module, its declarations, and the parts.
pub(super) fn assembled(writer: &mut Writer<'_>, parts: &Parts, about: &str) -> Module {
    let needs = closed(writer);
    let mut text = format!("{about}\n---- MODULE {} ----\n", parts.name);
    text.push_str("EXTENDS Integers, Sequences, FiniteSets, Bags, TLC\n\n");
    text.push_str(&declarations(writer, &needs));
    if !parts.variables.is_empty() {
        let _ = writeln!(text, "VARIABLES {}\n", parts.variables.join(", "));
    }
    let _ = writeln!(text, "vars == <<{}>>\n", parts.variables.join(", "));
    text.push_str(&definitions(writer, &needs));
    text.push_str(&rule());
    text.push_str(&parts.body);
    text.push_str("====\n");
    let mut invariants = vec!["TypeOK".to_owned()];
    invariants.extend(parts.invariants.iter().cloned());
    Module {
        name: parts.name.clone(),
        text,
        config: config(
            writer,
            &needs,
            &parts.specification,
            &invariants,
            &parts.liveness,
        ),
    }
}

/// What is needed, and what that needs in turn.
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
pub(super) fn declarations(writer: &Writer<'_>, needs: &Needs) -> String {
    let given = needs.sorts.iter().filter(|id| is_given(writer, **id));
    let names: Vec<&str> = given.map(|id| &*writer.globals.sorts[id.index()]).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("CONSTANTS {}\n\n", names.join(", ")),
    }
}

fn is_given(writer: &Writer<'_>, id: SortId) -> bool {
    writer.model.sorts[id.index()].size == SortSize::Given
}

/// What the module defines before it speaks of the automaton.
pub(super) fn definitions(writer: &mut Writer<'_>, needs: &Needs) -> String {
    let mut text = String::new();
    for helper in &needs.helpers {
        let (formals, body) = helper.body();
        let name = &writer.globals.helpers[helper];
        let gap = if body.starts_with('\n') { "" } else { " " };
        let _ = writeln!(text, "{name}{formals} =={gap}{body}");
    }
    for id in &needs.sorts {
        if let SortSize::GroupsOf(family, member) = writer.model.sorts[id.index()].size {
            let name = &writer.globals.sorts[id.index()];
            let _ = writeln!(text, "{name} == {}", writer.groups(family, member));
        }
    }
    for ty in in_order(writer, needs) {
        text.push_str(&writer.type_definition(&ty).unwrap_or_default());
    }
    for function in &needs.functions {
        text.push_str(&table(writer, *function));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Types after those that they are made of: TLA+ wants a name to be defined before it is used.
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
            Type::Array(a, b) | Type::Map(a, b) => {
                named(a, found);
                named(b, found);
            }
            Type::Set(a) | Type::Mset(a) | Type::Seq(a) | Type::Null(a) => named(a, found),
            _ => {}
        }
    }
    let members = match ty {
        Type::Tuple(id) => &writer.model.tuples[id.index()].fields[..],
        Type::Union(id) => &writer.model.unions[id.index()].variants[..],
        _ => &[],
    };
    let mut found = Vec::new();
    members.iter().for_each(|(_, ty)| named(ty, &mut found));
    found
}

/// The table of a theory's operator that axioms alone describe, at these sizes.
fn table(writer: &mut Writer<'_>, id: FunctionId) -> String {
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
        let each: Option<Vec<Text>> = row.iter().map(|v| writer.value(v)).collect();
        let (Some(args), Some(result)) = (each, writer.value(&result)) else {
            writer.unsayable(
                function.span,
                &format!(
                    "the operator {} has arguments or results without a name in TLA+",
                    function.name
                ),
                "use sorts, numbers and sets of them",
            );
            return String::new();
        };
        let args: Vec<&str> = args.iter().map(Text::plain).collect();
        entries.push(match &args[..] {
            [] => result.plain().to_owned(),
            [one] => format!("{one} :> {}", result.plain()),
            several => format!("<<{}>> :> {}", several.join(", "), result.plain()),
        });
    }
    format!("{name} == {}\n", entries.join(" @@ "))
}

/// The configuration that TLC reads beside the module.
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
