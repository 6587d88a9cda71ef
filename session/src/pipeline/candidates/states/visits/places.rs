//! The small instances that are looked at: their sizes, and the order in which they are learnt from.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use finite::{Groups, Universe, group_sorts};
use interpreter::Instance;
use ioa_lang::core::{AutomatonId, Setting};

use super::bounds::Bound;
use super::visit::Visit;
use crate::interpretation;
use crate::numbers::counted;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// Where there are other quorums, each sort has at least so many elements, as far as so many were given.
const LEAST_GROUPED: u64 = 2;
/// Sorts are given at most so many elements.
const MAX_SIZE: u64 = 6;
/// Where it takes no time to interpret the theories, the last look goes to so many more elements of one sort.
const MORE_OF_ONE: u64 = 2;
/// Where there are several, it goes to sizes in which one has many elements, at least so many, and the others two: what three do together
/// may be as harmless as what two do.
const MANY: u64 = 4;
/// Where the text has a number like that, it also goes to sizes in which sorts have so many elements,
pub(in crate::pipeline) const TELLING: std::ops::RangeInclusive<u64> = 3..=12;
/// and to so many such sizes of a kind at most.
const MAX_COUNTED: usize = 30;
/// Where there are several sorts, it goes to sizes in which all have up to so many elements more than were given,
const MORE_TOGETHER: u64 = 3;
/// and one of them so many more than that.
const MORE_ALONE: u64 = 4;
/// Only so many interpretations of the theories are tried, at each sizes.
const MAX_INTERPRETATIONS: u64 = 3;
/// In the last look so many are.
const MANY_INTERPRETATIONS: u64 = 12;

/// The number of interpretations that the solver has found.
#[cfg(feature = "smt")]
const FOUND: u64 = 0;

/// How the theories are interpreted in an instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::pipeline::candidates::states) struct Theories {
    /// Which interpretation of the operators that axioms describe, from 1; 0 is one that the solver has found.
    pub(in crate::pipeline::candidates::states) number: u64,
    /// What quorums and other groups are.
    pub(in crate::pipeline::candidates::states) groups: Groups,
}

impl Theories {
    /// An interpretation with the usual groups.
    fn numbered(number: u64) -> Self {
        Self {
            number,
            groups: Groups::Natural,
        }
    }
}

/// A finite instance by what a person would write to get it.
#[derive(Clone, Debug)]
pub(in crate::pipeline::candidates::states) struct Place {
    pub(in crate::pipeline::candidates::states) label: String,
    pub(in crate::pipeline::candidates::states) sizes: BTreeMap<String, u64>,
    pub(in crate::pipeline::candidates::states) theories: Theories,
    pub(in crate::pipeline::candidates::states) universe: Universe,
    /// If only executions are meant in which numbers and collections stay small, how large they may be.
    pub(in crate::pipeline::candidates::states) bound: Option<Bound>,
}

impl Place {
    /// Whether no sort has fewer elements than in another instance of the same interpretation, and no execution of the other is
    /// left out.
    pub(in crate::pipeline::candidates::states) fn is_beyond(&self, other: &Self) -> bool {
        let mut sizes = self.sizes.iter();
        self.theories == other.theories
            && self.bound.is_some() == other.bound.is_some()
            && self.bound >= other.bound
            && sizes.all(|(sort, n)| other.sizes.get(sort).is_some_and(|size| size <= n))
    }

    /// An instance of these sizes, and which one, where there are several.
    fn new(
        sizes: BTreeMap<String, u64>,
        which: Option<String>,
        (number, universe): (u64, Universe),
    ) -> Self {
        let each = sizes.iter().map(|(sort, n)| format!("{sort}={n}"));
        let label: Vec<String> = each.chain(which).collect();
        Self {
            label: label.join(" "),
            sizes,
            theories: Theories::numbered(number),
            universe,
            bound: None,
        }
    }

    /// An instance that the solver has found: the first one, the second, and so on.
    #[cfg(feature = "smt")]
    pub(in crate::pipeline::candidates::states) fn found(
        universe: &Universe,
        sizes: BTreeMap<String, u64>,
        which: usize,
    ) -> Self {
        let which = format!("found {which}");
        Self::new(sizes, Some(which), (FOUND, universe.clone()))
    }

    /// Whether the solver has found it.
    #[cfg(feature = "smt")]
    pub(in crate::pipeline::candidates::states) fn is_found(&self) -> bool {
        self.theories.number == FOUND
    }

    /// The same instance, in which only executions are meant in which numbers and collections are at most so large.
    pub(in crate::pipeline::candidates::states) fn bounded(&self, bound: Bound) -> Self {
        let label = format!(
            "{} with numbers up to {} and collections of up to {}",
            self.label,
            bound.number,
            counted(bound.length, "element")
        );
        Self {
            label: label.trim_start().to_owned(),
            bound: Some(bound),
            ..self.clone()
        }
    }
}

/// Where instances may be, and how they are made there.
pub(in crate::pipeline::candidates::states) struct Places<'p> {
    study: &'p Study,
    setup: &'p Setup,
    setting: Setting,
    /// The sizes that were asked for.
    pub(in crate::pipeline::candidates::states) given: BTreeMap<String, u64>,
    /// All sizes that are tried, the smaller ones first, and those that were asked for.
    pub(in crate::pipeline::candidates::states) sizes: Vec<BTreeMap<String, u64>>,
}

impl<'p> Places<'p> {
    /// Sizes for an automaton, about so many.
    ///
    /// # Errors
    /// Sizes that do not fit the model.
    pub(in crate::pipeline::candidates::states) fn of(
        (study, setup): (&'p Study, &'p Setup),
        automaton: AutomatonId,
        most: usize,
    ) -> Result<Self, BadInput> {
        let setting = study.model.setting([automaton]);
        let own = study.universe(setup, setting.clone())?;
        let given = study.given_sizes(&own);
        Ok(Self {
            study,
            setup,
            setting,
            sizes: sizes(&given, most),
            given,
        })
    }

    /// The instances of some sizes, one for each interpretation that is tried. (To find interpretations takes time.)
    pub(in crate::pipeline::candidates::states) fn at(
        &self,
        sizes: &BTreeMap<String, u64>,
    ) -> Vec<Place> {
        self.numbered(sizes, MAX_INTERPRETATIONS)
    }

    /// The instances of the last look: of the sizes of those that were looked at before, in more interpretations; and, where it takes
    /// no time to interpret the theories, larger ones; each also within the bounds.
    pub(in crate::pipeline::candidates::states) fn far(
        &self,
        before: &[Place],
        bounds: &[Bound],
        numbers: &BTreeSet<u64>,
    ) -> Vec<Place> {
        let mut sizes = self.sizes.clone();
        let is_interpreted = |place: &Place| !place.universe.interpretation().tables.is_empty();
        let is_interpreted = before.iter().any(is_interpreted);
        if is_interpreted {
            sizes.retain(|sizes| before.iter().any(|place| place.sizes == *sizes));
        } else if self.given.len() == 1 {
            let more = MAX_SIZE + 1..=MAX_SIZE + MORE_OF_ONE;
            let more = more.flat_map(|n| self.given.keys().map(move |sort| (sort.clone(), n)));
            sizes.extend(more.map(|(sort, n)| BTreeMap::from([(sort, n)])));
        }
        let more = |more: u64| some_more(&self.given, more);
        let most = MAX_SIZE + if is_interpreted { 0 } else { MORE_OF_ONE };
        let larger = more(1).chain(many_of_one(&self.given, most)).chain(more(2));
        let counted = match is_interpreted {
            true => Vec::new(),
            false if self.given.len() == 1 => as_many(&self.given, numbers),
            false => [as_many(&self.given, numbers), growing(&self.given)].concat(),
        };
        for more in larger.chain(counted) {
            if !sizes.contains(&more) {
                sizes.push(more);
            }
        }
        let each = sizes.iter();
        let each = each.flat_map(|sizes| self.numbered(sizes, MANY_INTERPRETATIONS));
        let each = each.flat_map(|place| {
            let others = self.regrouped(&place);
            [place].into_iter().chain(others)
        });
        let within = |place: Place| {
            let each = bounds.iter().map(|bound| place.bounded(*bound));
            let each: Vec<Place> = each.collect();
            [place].into_iter().chain(each)
        };
        each.flat_map(within).collect()
    }

    /// An instance with other quorums, as far as the axioms allow, if each sort has several elements but no more than were given.
    fn regrouped(&self, place: &Place) -> Vec<Place> {
        let mut sizes = place.sizes.iter();
        let is_given = sizes.all(|(sort, size)| {
            let given = self.given.get(sort).copied().unwrap_or(0);
            (given.min(LEAST_GROUPED)..=given).contains(size)
        });
        let is_interpreted = !place.universe.interpretation().tables.is_empty();
        let model = &self.study.model;
        let first = group_sorts(model, &self.setting).next();
        let Some((group, _, member)) = first.filter(|_| is_given && !is_interpreted) else {
            return Vec::new();
        };
        let names = [group, member].map(|sort| &*model.sorts[sort.index()].name);
        let with = |groups: Groups| {
            let universe = place.universe.with_such_groups(model, groups);
            let universe = universe.filter(|other| self.is_allowed(other))?;
            let label = format!("{} {}", place.label, words(groups, names));
            Some(Place {
                label: label.trim().to_owned(),
                theories: Theories {
                    groups,
                    ..place.theories
                },
                universe,
                ..place.clone()
            })
        };
        Groups::OTHERS.into_iter().filter_map(with).collect()
    }

    /// Whether the axioms hold in an instance.
    fn is_allowed(&self, universe: &Universe) -> bool {
        let instance = Instance::new(Arc::clone(&self.study.model), universe.clone());
        interpretation::unsatisfied(&instance, |_| false).is_none()
    }

    /// The instances of some sizes, in so many interpretations at most.
    fn numbered(&self, sizes: &BTreeMap<String, u64>, most: u64) -> Vec<Place> {
        let numbers = match self.study.chosen_interpretation(self.setup) {
            Some(chosen) => chosen..=chosen,
            None => 1..=most,
        };
        let mut places = Vec::new();
        for number in numbers {
            let setup = Setup {
                sorts: sizes.clone().into_iter().collect(),
                interpretation: Some(number),
                ..self.setup.clone()
            };
            let Ok(universe) = self.study.universe(&setup, self.setting.clone()) else {
                break;
            };
            let has_one = universe.interpretation().tables.is_empty();
            let which = (!has_one).then(|| format!("interpretation {number}"));
            places.push(Place::new(sizes.clone(), which, (number, universe)));
            if has_one {
                break;
            }
        }
        places
    }
}

/// Instances in the order in which they are learnt from: first one with several elements of each sort and room for numbers, then
/// for each sort one with as many of its elements as there are, and one with most room for numbers, then for each interpretation of
/// the theories one that has several of everything, then the others; those with more states first.
pub(in crate::pipeline::candidates::states) fn diverse(
    mut visited: Vec<(Place, Visit)>,
) -> Vec<(Place, Visit)> {
    let amounts = |place: &Place| {
        let sizes = place.sizes.values().copied();
        let number = place.bound.map(|bound| bound.number);
        sizes.chain(number).collect::<Vec<_>>()
    };
    let least = |place: &Place| amounts(place).into_iter().min().unwrap_or(0);
    visited.sort_by_key(|(place, found)| Reverse((least(place), found.distinct)));
    let count = visited.iter().map(|(place, _)| amounts(place).len()).max();
    let mut chosen: Vec<(Place, Visit)> = Vec::new();
    let mut rest: Vec<(Place, Visit)> = visited;
    if !rest.is_empty() {
        chosen.push(rest.remove(0));
    }
    for amount in 0..count.unwrap_or(0) {
        let size =
            |(place, found): &(Place, Visit)| (amounts(place).get(amount).copied(), found.distinct);
        let largest = (0..rest.len()).max_by_key(|at| size(&rest[*at]));
        chosen.extend(largest.map(|at| rest.remove(at)));
    }
    for number in 1..=MAX_INTERPRETATIONS {
        let own = (0..rest.len()).filter(|at| rest[*at].0.theories.number == number);
        let Some(richest) = own.max_by_key(|at| (room(&rest[*at].0), rest[*at].1.distinct)) else {
            continue;
        };
        let known = chosen
            .iter()
            .filter(|(place, _)| place.theories.number == number);
        let known = known.map(|(place, _)| room(place)).max();
        if known < Some(room(&rest[richest].0)) {
            chosen.push(rest.remove(richest));
        }
    }
    rest.sort_by_key(|(_, found)| Reverse(found.distinct));
    chosen.extend(rest);
    chosen
}

/// Whether an instance has several elements of each sort, and how much room for numbers.
fn room(place: &Place) -> (bool, Option<Bound>) {
    (place.sizes.values().all(|size| *size > 1), place.bound)
}

/// Whether what holds in all of these instances need not hold in others: some sort has a single element in all of them, though
/// it has several in another one; or another one has an interpretation of the theories that none of them has, such as another
/// value of a parameter.
pub(in crate::pipeline::candidates::states) fn is_degenerate(
    visited: &[(Place, Visit)],
    others: [&Vec<(Place, Visit)>; 2],
) -> bool {
    let has = |theories: Theories| visited.iter().any(|(place, _)| place.theories == theories);
    let others = || others.into_iter().flatten();
    if others().any(|(place, _)| !has(place.theories)) {
        return true;
    }
    let is_single = |sort: &String| visited.iter().all(|(place, _)| place.sizes[sort] == 1);
    let mut sorts = others().flat_map(|(place, _)| &place.sizes);
    sorts.any(|(sort, size)| *size > 1 && is_single(sort))
}

/// Which groups there are, for a heading.
fn words(groups: Groups, [group, member]: [&str; 2]) -> String {
    match groups {
        Groups::Natural => String::new(),
        Groups::WithFirst => format!("with one {member} in every {group}"),
        Groups::Everyone => format!("with a single {group}"),
        Groups::FirstAndAnother => format!("with one {member} in every {group} but one"),
    }
}

/// Sizes in which one of several sorts has many elements, at most so many, and the others two each.
fn many_of_one(
    given: &BTreeMap<String, u64>,
    most: u64,
) -> impl Iterator<Item = BTreeMap<String, u64>> + '_ {
    let chosen = given.keys().filter(|_| given.len() > 1);
    chosen.flat_map(move |chosen| {
        (MANY..=most).map(move |many| {
            let sizes = given.keys().map(|sort| match sort == chosen {
                true => (sort.clone(), many),
                false => (sort.clone(), 2),
            });
            sizes.collect()
        })
    })
}

/// Sizes in which sorts have as many elements as the numbers say: what the text counts to is done by so many, and perhaps by no fewer.
/// Each sort has such a number n of elements. Or one sort has n, n + 1, or 2n + 1, so that more than n do one thing while n do another;
/// the others then have one, two or as many elements as were given.
fn as_many(given: &BTreeMap<String, u64>, numbers: &BTreeSet<u64>) -> Vec<BTreeMap<String, u64>> {
    let telling: Vec<u64> = numbers
        .iter()
        .copied()
        .filter(|n| TELLING.contains(n))
        .collect();
    let with = |sizes: &BTreeMap<String, u64>, sort: &String, n: u64| {
        let mut sizes = sizes.clone();
        sizes.insert(sort.clone(), n);
        sizes
    };
    let mut combined: Vec<BTreeMap<String, u64>> = vec![BTreeMap::new()];
    for sort in given.keys() {
        let longer = combined
            .iter()
            .flat_map(|sizes| telling.iter().map(|n| with(sizes, sort, *n)));
        combined = longer.take(MAX_COUNTED).collect();
    }
    let each = |n: u64| given.keys().map(move |sort| (sort.clone(), n)).collect();
    let others: [BTreeMap<String, u64>; 3] = [each(1), each(2), given.clone()];
    let ones = telling.iter().flat_map(|n| [*n, n + 1, 2 * n + 1]);
    let ones = ones.flat_map(|n| given.keys().map(move |sort| (sort, n)));
    let ones = ones.flat_map(|(sort, n)| others.iter().map(move |sizes| with(sizes, sort, n)));
    combined.into_iter().chain(ones.take(MAX_COUNTED)).collect()
}

/// Sizes that grow from those that were given: of all sorts by as much, and from there of each by itself.
fn growing(given: &BTreeMap<String, u64>) -> Vec<BTreeMap<String, u64>> {
    let more = |by: u64| {
        let sizes = given
            .iter()
            .map(move |(sort, size)| (sort.clone(), size + by));
        sizes.collect::<BTreeMap<_, _>>()
    };
    let alone = |by: u64| {
        let from = more(by);
        given.keys().flat_map(move |sort| {
            let from = from.clone();
            (1..=MORE_ALONE).map(move |more| {
                let mut sizes = from.clone();
                sizes.entry(sort.clone()).and_modify(|size| *size += more);
                sizes
            })
        })
    };
    let together = (1..=MORE_TOGETHER).map(more);
    together.chain((0..MORE_TOGETHER).flat_map(alone)).collect()
}

/// Sizes in which one of several sorts has so many more elements than were given, and the others as many as that.
fn some_more(
    given: &BTreeMap<String, u64>,
    more: u64,
) -> impl Iterator<Item = BTreeMap<String, u64>> + '_ {
    let chosen = given.keys().filter(|_| given.len() > 1);
    chosen.map(move |chosen| {
        let mut sizes = given.clone();
        sizes.entry(chosen.clone()).and_modify(|size| *size += more);
        sizes
    })
}

/// Sizes of the sorts, so many: the smaller ones first, with those that were given, and with those in which every sort has two elements
/// but one, which has three. (Where there are many sorts, the smaller ones have a single element of most of them.)
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
    let others = all.split_off(most.min(all.len()));
    all.extend(others.into_iter().filter(|sizes| {
        let larger = sizes.values().filter(|size| **size != 2);
        larger.copied().eq([3])
    }));
    if !all.contains(given) {
        all.push(given.clone());
    }
    all
}

#[cfg(test)]
mod tests {
    use ioa_lang::core::Model;

    use super::*;

    #[test]
    fn of_several_sorts_each_has_many_elements_in_turn() {
        let given = |sorts: &[&str]| -> BTreeMap<String, u64> {
            sorts.iter().map(|sort| ((*sort).to_owned(), 3)).collect()
        };
        let many: Vec<Vec<u64>> = many_of_one(&given(&["A", "B"]), 6)
            .map(|sizes| sizes.into_values().collect())
            .collect();
        let expected = [[4, 2], [5, 2], [6, 2], [2, 4], [2, 5], [2, 6]];
        assert_eq!(many, expected);
        assert_eq!(many_of_one(&given(&["A"]), 6).count(), 0);
        let more: Vec<Vec<u64>> = some_more(&given(&["A", "B"]), 2)
            .map(|sizes| sizes.into_values().collect())
            .collect();
        assert_eq!(more, [[5, 3], [3, 5]]);
        assert_eq!(some_more(&given(&["A"]), 2).count(), 0);
    }

    #[test]
    fn sorts_have_as_many_elements_as_the_text_counts_to() {
        let given = BTreeMap::from([("A".to_owned(), 2), ("B".to_owned(), 2)]);
        let counted = as_many(&given, &BTreeSet::from([1, 2, 5, 7, 900]));
        let counted: Vec<Vec<u64>> = counted
            .into_iter()
            .map(|s| s.into_values().collect())
            .collect();
        for sizes in [[5, 5], [7, 5], [5, 7], [7, 1], [1, 8], [2, 6]] {
            assert!(counted.contains(&sizes.to_vec()), "{sizes:?} {counted:?}");
        }
        assert!(as_many(&given, &BTreeSet::from([0, 1, 2])).is_empty());
    }

    #[test]
    fn sizes_grow_together_and_then_alone() {
        let given = BTreeMap::from([("A".to_owned(), 3), ("B".to_owned(), 2)]);
        let grown = growing(&given);
        let grown: Vec<Vec<u64>> = grown
            .into_iter()
            .map(|s| s.into_values().collect())
            .collect();
        for sizes in [[4, 3], [6, 5], [7, 2], [3, 6], [5, 7]] {
            assert!(grown.contains(&sizes.to_vec()), "{sizes:?} {grown:?}");
        }
    }

    #[test]
    fn what_holds_for_some_values_of_a_parameter_need_not_hold_for_others() {
        let model = Model::default();
        let universe = Universe::sized(&model, model.setting([]), &BTreeMap::new());
        let universe = universe.expect("no sizes are wanted");
        let visited = |number| {
            let place = Place {
                label: String::new(),
                sizes: BTreeMap::new(),
                theories: Theories::numbered(number),
                universe: universe.clone(),
                bound: None,
            };
            (place, Visit::default())
        };
        assert!(is_degenerate(
            &[visited(1)],
            [&vec![visited(2)], &Vec::new()]
        ));
        assert!(!is_degenerate(
            &[visited(1), visited(2)],
            [&Vec::new(), &vec![visited(2)]]
        ));
        // A larger instance of another interpretation is not known to have more states.
        let (one, other) = (visited(1).0, visited(2).0);
        assert!(one.is_beyond(&one) && !other.is_beyond(&one));
    }
}
