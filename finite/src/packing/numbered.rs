//! Which collections can have dictionaries for their elements, and which values are gone through by numbers then.

use std::collections::BTreeSet;

use ioa_lang::core::{AutomatonId, Model, Type};

use super::Packing;
use crate::Universe;

/// The types of the sets and multisets of an automaton whose elements can have a dictionary: those of its variables, and of the elements
/// and fields of arrays and tuples there, all of which may lie in several words. Those are left out that are also in something that fits
/// one word or is not packed, such as a message in another set.
#[must_use]
pub fn collections(model: &Model, automaton: AutomatonId) -> BTreeSet<Type> {
    let (mut found, mut inside) = (BTreeSet::new(), BTreeSet::new());
    let variables = &model.automaton(automaton).variables;
    let mut left: Vec<&Type> = variables.iter().map(|variable| &variable.ty).collect();
    while let Some(ty) = left.pop() {
        match ty {
            Type::Array(_, element) => left.push(element),
            Type::Tuple(_) => left.extend(model.parts_of(ty)),
            _ => {
                if matches!(ty, Type::Set(_) | Type::Mset(_)) {
                    found.insert(ty);
                }
                collect_parts(model, ty, &mut inside);
            }
        }
    }
    let are_free = found.into_iter().filter(|ty| !inside.contains(ty));
    are_free.cloned().collect()
}

/// The types of values that can be enumerated in the order of their numbers: those of elements that have more codes than a word has bits, and
/// those of the payloads of such elements. This does not depend on whether there is a dictionary, so that draws do not depend on it either.
#[must_use]
pub fn types_with_numbers(model: &Model, universe: &Universe) -> BTreeSet<Type> {
    let plain = universe.clone().with_ranges(None);
    let is_small = |element: &Type| {
        let packing = Packing::of(model, &plain, element);
        packing.is_some_and(|packing| packing.max < u64::from(u64::BITS))
    };
    let automata = (0..model.automata.len()).map(AutomatonId::at);
    let all = automata.flat_map(|automaton| collections(model, automaton));
    let mut found = BTreeSet::new();
    for collection in all {
        let elements = model.parts_of(&collection).into_iter();
        for element in elements.filter(|element| !is_small(element)) {
            if matches!(element, Type::Union(_)) {
                found.extend(model.parts_of(element).into_iter().cloned());
            }
            found.insert(element.clone());
        }
    }
    found
}

/// Adds all types that are in the values of a type.
fn collect_parts<'m>(model: &'m Model, ty: &'m Type, found: &mut BTreeSet<&'m Type>) {
    for part in model.parts_of(ty) {
        if found.insert(part) {
            collect_parts(model, part, found);
        }
    }
}
