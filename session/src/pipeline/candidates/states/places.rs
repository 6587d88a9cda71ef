//! The small instances that are looked at: their sizes, and the order in which they are learnt from.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use finite::Universe;
use ioa_lang::core::AutomatonId;

use super::visit::Visit;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// Sorts are given at most so many elements.
const MAX_SIZE: u64 = 6;
/// Only so many interpretations of the theories are tried, at each sizes.
const MAX_INTERPRETATIONS: u64 = 3;

/// A finite instance by what a person would write to get it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) label: String,
    pub(super) sizes: BTreeMap<String, u64>,
    /// Which interpretation of the theories, from 1.
    pub(super) number: u64,
    pub(super) universe: Universe,
}

impl Place {
    /// Whether no sort has fewer elements than in another instance.
    pub(super) fn is_beyond(&self, other: &Self) -> bool {
        let mut sizes = self.sizes.iter();
        sizes.all(|(sort, n)| other.sizes.get(sort).is_some_and(|size| size <= n))
    }
}

/// The instances, the smaller ones first; and the sizes that were asked for.
///
/// # Errors
/// Sizes that do not fit the model.
pub(super) fn places(
    (study, setup): (&Study, &Setup),
    automaton: AutomatonId,
    most: usize,
) -> Result<(Vec<Place>, BTreeMap<String, u64>), BadInput> {
    let setting = study.model.setting([automaton]);
    let own = study.universe(setup, setting.clone())?;
    let given = study.given_sizes(&own);
    let mut places = Vec::new();
    for sizes in sizes(&given, most) {
        for number in 1..=MAX_INTERPRETATIONS {
            let sorts: Vec<(String, u64)> = sizes.clone().into_iter().collect();
            let setup = Setup {
                sorts,
                interpretation: Some(number),
                ..setup.clone()
            };
            let Ok(universe) = study.universe(&setup, setting.clone()) else {
                break;
            };
            let has_one = universe.interpretation().tables.is_empty();
            let each = sizes.iter().map(|(sort, n)| format!("{sort}={n}"));
            let mut label = each.collect::<Vec<_>>().join(" ");
            if number > 1 {
                label.push_str(&format!(" interpretation {number}"));
            }
            places.push(Place {
                label,
                sizes: sizes.clone(),
                number,
                universe,
            });
            if has_one {
                break;
            }
        }
    }
    Ok((places, given))
}

/// Instances in the order in which they are learnt from: first one with several elements of each sort, then for each sort one with
/// as many of its elements as there are, then the others; those with more states first.
pub(super) fn diverse(mut visited: Vec<(Place, Visit)>) -> Vec<(Place, Visit)> {
    let least = |place: &Place| place.sizes.values().min().copied().unwrap_or(0);
    visited.sort_by_key(|(place, found)| Reverse((least(place), found.distinct)));
    let sorts: Vec<String> = visited.first().map_or(Vec::new(), |(place, _)| {
        place.sizes.keys().cloned().collect()
    });
    let mut chosen: Vec<(Place, Visit)> = Vec::new();
    let mut rest: Vec<(Place, Visit)> = visited;
    if !rest.is_empty() {
        chosen.push(rest.remove(0));
    }
    for sort in sorts {
        let size = |(place, found): &(Place, Visit)| (place.sizes[&sort], found.distinct);
        let largest = (0..rest.len()).max_by_key(|at| size(&rest[*at]));
        chosen.extend(largest.map(|at| rest.remove(at)));
    }
    rest.sort_by_key(|(_, found)| Reverse(found.distinct));
    chosen.extend(rest);
    chosen
}

/// Whether some sort has a single element in all of these instances, though it has several in another one: what holds of one
/// element need not hold of several.
pub(super) fn is_degenerate(visited: &[(Place, Visit)], others: &[(Place, Visit)]) -> bool {
    let is_single = |sort: &String| visited.iter().all(|(place, _)| place.sizes[sort] == 1);
    let mut sorts = others.iter().flat_map(|(place, _)| &place.sizes);
    sorts.any(|(sort, size)| *size > 1 && is_single(sort))
}

/// Sizes of the sorts, the smaller ones first, with those that were given.
fn sizes(given: &BTreeMap<String, u64>, most: usize) -> Vec<BTreeMap<String, u64>> {
    let mut all: Vec<BTreeMap<String, u64>> = vec![BTreeMap::new()];
    for sort in given.keys() {
        let longer = all.iter().flat_map(|sizes| {
            (1..=MAX_SIZE).map(|n| {
                let mut sizes = sizes.clone();
                sizes.insert(sort.clone(), n);
                sizes
            })
        });
        all = longer.collect();
    }
    all.sort_by_key(|sizes| sizes.values().sum::<u64>());
    all.truncate(most);
    if !all.contains(given) {
        all.push(given.clone());
    }
    all
}
