//! Which integers are packed: ranges are tried, and tried again wider when an integer outgrows them.
//!
//! An attempt with ranges either ends with every integer within its range, and then says what one with general values would say, or it is
//! given up and forgotten. Each attempt makes the ranges that were too narrow four times as wide, so that what is lost is
//! usually a part of what the last attempt does.
//!
//! Where elements of sets have very many codes, they get numbers in a dictionary as they are met, and an attempt is given up when that is
//! full.

use std::sync::Arc;

use finite::{Packing, Place, Range, Ranges, Universe};
use interpreter::{Instance, Location};
use ioa_lang::core::{Model, Type};

use super::super::exploration::Exploration;
use super::super::plan::ExplorePlan;
use super::super::swarm;
use super::super::symmetry::BySymmetry;
use super::attempt::{Attempt, attempt};
use super::checkpoint;
use super::ranges::{FirstRanges, Numbering, of_words};
use super::reduction;
use crate::host::{Host, Stopwatch};
use crate::numbers::count;
use crate::study::{BadInput, Study};

/// Visits the states that a plan asks for. The study is the one with the plan's formulas.
///
/// # Errors
/// Why the automaton cannot be run at these sizes, or a search cannot be taken up.
pub fn explore(
    study: &Study,
    instance: &Instance,
    plan: &ExplorePlan,
    threads: usize,
    host: &dyn Host,
) -> Result<Exploration, BadInput> {
    if plan.por {
        reduction::check(plan)?;
    }
    let first = FirstRanges::of(instance.model(), plan.automaton);
    let mut ranges = first.at(instance).cloned();
    if let Some(kept) = &plan.resume {
        let found = checkpoint::places(&**kept, study, instance, plan);
        ranges = of_words(instance, plan.automaton, &found.map_err(BadInput::message)?);
    }
    let mut plan = plan.clone();
    let started = Stopwatch::start(host);
    // A search that is taken up goes on with the numbers that it had. Of a swarm, each search would begin again with every new element.
    let may_number = plan.resume.is_none() && plan.swarm.is_none();
    let automata = [plan.automaton];
    let mut numbering = Numbering::new(instance, &automata, may_number);
    loop {
        ranges = numbering.add(ranges);
        let packed = Arc::new(instance.in_ranges(ranges.clone()));
        let spent = started.seconds();
        let how = (threads, spent);
        let attempted = match plan.swarm {
            Some(asked) => swarm::attempt(study, &packed, (&plan, asked), how, host)?,
            None => attempt(study, &packed, &plan, how, host)?,
        };
        match attempted {
            Attempt::Done(found) if packed.range_overflows().is_empty() => return Ok(*found),
            Attempt::Done(_) | Attempt::Outgrown => {}
            Attempt::Symmetric => {
                plan.symmetry = BySymmetry::Always;
                continue;
            }
        }
        ranges = ranges.and_then(|ranges| packed.range_overflows().widen(&ranges));
        // What was kept of an attempt is of no use to one with other ranges. On disk, a search begins with empty files.
        plan.resume = None;
    }
}

/// How states are kept, where integers or general values are in them, one fact a line.
#[must_use]
pub fn storage(exploration: &Exploration) -> String {
    let (instance, automaton) = (&exploration.world.instance, exploration.automaton);
    let (model, layout) = (instance.model(), instance.layout(automaton));
    let mut out = String::new();
    let ranges = instance.universe().ranges();
    let dictionaries = ranges.into_iter().flat_map(Ranges::dictionaries);
    let packed: Vec<String> = ranges
        .into_iter()
        .flat_map(Ranges::iter)
        .map(|(place, range)| named(model, place, *range))
        .collect();
    if !packed.is_empty() {
        out.push_str(&format!("integers are packed: {}\n", packed.join(", ")));
    }
    for (place, dictionary) in dictionaries {
        let Place::Part(ty, _) = place else { continue };
        if dictionary.is_empty() {
            continue;
        }
        let (name, met) = (model.type_name(ty), count(dictionary.len() as u64));
        out.push_str(&format!(
            "the elements of {name} are numbered: {met} were met\n"
        ));
    }
    for variable in layout.ids() {
        if matches!(layout.location(variable), Location::Cell(_)) {
            let why = obstacle(model, instance.universe(), layout.ty(variable));
            let name = layout.name(variable);
            out.push_str(&format!("{name} is not packed: {why}\n"));
        }
    }
    out
}

/// A place with its range.
fn named(model: &Model, place: &Place, Range { low, high }: Range) -> String {
    let what = match place {
        Place::Variable(automaton, variable) => model.automaton(*automaton).variables
            [variable.index()]
        .name
        .to_string(),
        Place::Part(Type::Tuple(id), field) => {
            let tuple = &model.tuples[id.index()];
            format!("{}.{}", tuple.name, tuple.fields[*field as usize].0)
        }
        Place::Part(Type::Union(id), variant) => {
            let union = &model.unions[id.index()];
            format!("{}.{}", union.name, union.variants[*variant as usize].0)
        }
        Place::Part(ty, 0) if matches!(ty, Type::Map(..)) => {
            format!("the keys of {}", model.type_name(ty))
        }
        Place::Part(ty, _) if place.is_length() => {
            format!("the length of {}", model.type_name(ty))
        }
        Place::Part(ty, _) if place.is_count() => {
            format!("how often each is in {}", model.type_name(ty))
        }
        Place::Part(ty, _) => format!("what is in {}", model.type_name(ty)),
    };
    format!("{what} in {low}..{high}")
}

/// Why values of a type are not packed.
fn obstacle(model: &Model, universe: &Universe, ty: &Type) -> String {
    let ranges = universe.ranges();
    let has_range = |place: &Place| ranges.is_some_and(|ranges| ranges.get(place).is_some());
    let fits = |part: &Type| part.is_integer() || Packing::of(model, universe, part).is_some();
    let (mut endless, mut wide) = (None, None);
    visit(model, ty, &mut |part| {
        endless = endless.or(match part {
            Type::Seq(_) if !has_range(&Place::length_of(part)) => Some(match ranges {
                Some(_) => "a sequence has become longer than a packed one may be",
                None => "a sequence may be of any length",
            }),
            Type::Mset(_) if !has_range(&Place::count_of(part)) => Some(match ranges {
                Some(_) => "a multiset has come to hold more copies than a packed one may",
                None => "a multiset may hold any number of copies",
            }),
            Type::Real => Some("a real number may be any fraction"),
            Type::String => Some("a string may be of any length"),
            Type::Array(index, _) if index.is_integer() => {
                Some("an array over integers has no end")
            }
            _ => None,
        });
        // The parts of tuples and of arrays may take several words; those of all other types may not.
        if !matches!(part, Type::Tuple(_) | Type::Array(..)) {
            let found = model.parts_of(part).into_iter().find(|part| !fits(part));
            wide = wide.or(found.map(|found| (part, found)));
        }
    });
    match (endless, wide) {
        (Some(endless), _) => endless.into(),
        (None, Some((whole, part))) => {
            let [whole, part] = [whole, part].map(|ty| model.type_name(ty));
            format!("{whole} is packed only where a value of {part} fits a machine word")
        }
        (None, None) => "its values, or integers in it, need too many bits".into(),
    }
}

/// Calls `visit` on a type and all types in it.
fn visit<'m>(model: &'m Model, ty: &'m Type, found: &mut impl FnMut(&'m Type)) {
    found(ty);
    for part in model.parts_of(ty) {
        visit(model, part, found);
    }
}
