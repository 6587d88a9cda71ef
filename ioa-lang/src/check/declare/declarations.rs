//! Type declarations: sorts, enumerations, tuples and aliases, each resolved after what it is made of.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::check::order::Order;
use crate::check::report::{Report, duplicate};
use crate::check::term::operator_named;
use crate::check::types::is_reserved;
use crate::check::world::{Enumerator, World};
use crate::core::{
    EnumId, Enumeration, Sort, SortId, SortSize, TupleId, TupleType, Type, UnionId, UnionType,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Name;
use crate::syntax::ast::{Binder, Ident, TypeDefinition, TypeExpr, TypeItem};

/// Declares all types of the files.
pub(in crate::check) fn declare<'a>(
    items: impl Iterator<Item = &'a TypeItem>,
    world: &mut World,
    report: &mut Report,
) {
    let items = distinct(items, report);
    for item in &items {
        let ty = match &item.definition {
            TypeDefinition::Sort => Some(sort(item, world)),
            TypeDefinition::Enumeration(values) => Some(enumeration(item, values, world, report)),
            TypeDefinition::Tuple(_) | TypeDefinition::Union(_) | TypeDefinition::Alias(_) => None,
        };
        world.types.insert(item.name.name.clone(), ty);
    }
    for item in &items {
        if let TypeDefinition::Union(variants) = &item.definition {
            tags(item, variants, world, report);
        }
    }
    for item in contained_first(&items, report) {
        let ty = match &item.definition {
            TypeDefinition::Tuple(fields) => tuple(item, fields, world, report),
            TypeDefinition::Union(variants) => union(item, variants, world, report),
            TypeDefinition::Alias(of) => world.resolve(of, report),
            TypeDefinition::Sort | TypeDefinition::Enumeration(_) => continue,
        };
        world.types.insert(item.name.name.clone(), ty);
    }
}

/// The declarations without those whose name is taken.
fn distinct<'a>(
    items: impl Iterator<Item = &'a TypeItem>,
    report: &mut Report,
) -> Vec<&'a TypeItem> {
    let mut seen: BTreeMap<&Name, &Ident> = BTreeMap::new();
    let mut kept = Vec::new();
    for item in items {
        if is_reserved(&item.name.name) {
            report.add(Diagnostic::error(
                Code::NameOfTheLanguage,
                item.name.span,
                format!("`{}` is a type of the language", item.name.name),
            ));
            // Its uses are not reported as well: another name mends them all.
            report.miss(item.name.name.clone());
        } else if let Some(first) = seen.get(&item.name.name) {
            report.add(duplicate("the type", &item.name, first.span));
        } else {
            seen.insert(&item.name.name, &item.name);
            kept.push(item);
        }
    }
    kept
}

fn sort(item: &TypeItem, world: &mut World) -> Type {
    let id = SortId::at(world.model.sorts.len());
    world.model.sorts.push(Sort {
        name: item.name.name.clone(),
        size: SortSize::Given,
        span: item.span,
    });
    Type::Sort(id)
}

fn enumeration(item: &TypeItem, values: &[Ident], world: &mut World, report: &mut Report) -> Type {
    let of = EnumId::at(world.model.enumerations.len());
    let mut names = Vec::new();
    for value in values {
        let known = world.enumerators.entry(value.name.clone()).or_default();
        if let Some(first) = known.iter().find(|first| first.of == of) {
            report.add(duplicate("the value", value, first.span));
            continue;
        }
        known.push(Enumerator {
            of,
            position: u32::try_from(names.len()).unwrap_or(u32::MAX),
            span: value.span,
            is_tag: false,
        });
        names.push(value.name.clone());
    }
    world.model.enumerations.push(Enumeration {
        name: item.name.name.clone(),
        values: names,
        span: item.span,
    });
    Type::Enum(of)
}

/// The names and types of fields or of variants.
fn parts(
    what: &str,
    written: &[Binder],
    world: &World,
    report: &mut Report,
) -> Option<Vec<(Name, Type)>> {
    let mut seen: BTreeMap<&Name, &Ident> = BTreeMap::new();
    for part in written {
        if let Some(first) = seen.get(&part.name.name) {
            report.add(duplicate(what, &part.name, first.span));
        } else {
            seen.insert(&part.name.name, &part.name);
        }
    }
    let types: Vec<Option<Type>> = written
        .iter()
        .map(|part| world.resolve(&part.ty, report))
        .collect();
    written
        .iter()
        .zip(types)
        .map(|(part, ty)| Some((part.name.name.clone(), ty?)))
        .collect()
}

fn tuple(
    item: &TypeItem,
    fields: &[Binder],
    world: &mut World,
    report: &mut Report,
) -> Option<Type> {
    let fields = parts("the field", fields, world, report)?;
    let id = TupleId::at(world.model.tuples.len());
    let parts: usize = fields.iter().map(|(_, ty)| world.size(ty)).sum();
    world.tuple_sizes.push(1 + parts);
    world.model.tuples.push(TupleType {
        name: item.name.name.clone(),
        fields,
        span: item.span,
    });
    Some(Type::Tuple(id))
}

/// The enumeration of a union's tags: `Item_tag` for the union `Item`.
fn tags(item: &TypeItem, variants: &[Binder], world: &mut World, report: &mut Report) {
    let of = EnumId::at(world.model.enumerations.len());
    let name = Name::from(format!("{}_tag", item.name.name));
    for variant in variants {
        let tag = &variant.name;
        if operator_named(&tag.name) {
            let message = format!("`{}` is an operator and cannot be a tag", tag.name);
            report.add(Diagnostic::error(
                Code::NameOfTheLanguage,
                tag.span,
                message,
            ));
        }
        let known = world.enumerators.entry(tag.name.clone()).or_default();
        if known.iter().all(|first| first.of != of) {
            known.push(Enumerator {
                of,
                position: position(variants, tag),
                span: tag.span,
                is_tag: true,
            });
        }
    }
    world.model.enumerations.push(Enumeration {
        name: name.clone(),
        values: variants.iter().map(|v| v.name.name.clone()).collect(),
        span: item.span,
    });
    world.tags.insert(item.name.name.clone(), of);
    let message = format!(
        "the type `{name}` is that of the tags of `{}`",
        item.name.name
    );
    match world.types.entry(name) {
        Entry::Vacant(free) => {
            free.insert(Some(Type::Enum(of)));
        }
        Entry::Occupied(_) => report.add(
            Diagnostic::error(Code::NameTaken, item.name.span, message)
                .label("another type has this name already"),
        ),
    }
}

fn position(variants: &[Binder], name: &Ident) -> u32 {
    let found = variants.iter().position(|v| v.name.name == name.name);
    u32::try_from(found.unwrap_or(0)).unwrap_or(u32::MAX)
}

fn union(
    item: &TypeItem,
    written: &[Binder],
    world: &mut World,
    report: &mut Report,
) -> Option<Type> {
    let variants = parts("the tag", written, world, report)?;
    let id = UnionId::at(world.model.unions.len());
    for variant in written {
        let known = world.variants.entry(variant.name.name.clone()).or_default();
        known.push((id, position(written, &variant.name)));
    }
    let size: usize = variants.iter().map(|(_, ty)| world.size(ty)).sum();
    world.union_sizes.push(1 + size);
    world.model.unions.push(UnionType {
        name: item.name.name.clone(),
        variants,
        tags: world.tags[&item.name.name],
        span: item.span,
    });
    Some(Type::Union(id))
}

/// The declarations in an order in which each stands after what it contains. A declaration that contains itself is
/// reported and left out.
fn contained_first<'a>(items: &[&'a TypeItem], report: &mut Report) -> Vec<&'a TypeItem> {
    let positions: BTreeMap<&Name, usize> = items
        .iter()
        .enumerate()
        .map(|(position, item)| (&item.name.name, position))
        .collect();
    let contents: Vec<Vec<usize>> = items
        .iter()
        .map(|item| contents_of(&item.definition, &positions))
        .collect();
    let order = Order::of(&contents);
    let mut cyclic = vec![false; items.len()];
    for cycle in &order.cycles {
        report_cycle(items, cycle, &mut cyclic, report);
    }
    let sound = order.sequence.into_iter().filter(|node| !cyclic[*node]);
    sound.map(|node| items[node]).collect()
}

fn report_cycle(items: &[&TypeItem], cycle: &[usize], cyclic: &mut [bool], report: &mut Report) {
    let known = cycle.iter().any(|node| cyclic[*node]);
    for node in cycle {
        cyclic[*node] = true;
    }
    if known {
        return;
    }
    let name = &items[cycle[0]].name;
    let mut diagnostic = Diagnostic::error(
        Code::DefinedByItself,
        name.span,
        format!("the type `{}` contains itself", name.name),
    );
    for node in &cycle[1..] {
        diagnostic = diagnostic.related(items[*node].name.span, "by way of this type");
    }
    report.add(diagnostic.help("every type must be built from types that are there before it"));
}

/// The declarations that a definition mentions.
fn contents_of(definition: &TypeDefinition, positions: &BTreeMap<&Name, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    match definition {
        TypeDefinition::Sort | TypeDefinition::Enumeration(_) => {}
        TypeDefinition::Alias(of) => mentioned(of, positions, &mut found),
        TypeDefinition::Tuple(fields) | TypeDefinition::Union(fields) => {
            for field in fields {
                mentioned(&field.ty, positions, &mut found);
            }
        }
    }
    found
}

fn mentioned(ty: &TypeExpr, positions: &BTreeMap<&Name, usize>, found: &mut Vec<usize>) {
    found.extend(positions.get(&ty.name.name));
    for arg in &ty.args {
        mentioned(arg, positions, found);
    }
}
