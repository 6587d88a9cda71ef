//! Circles of arrows.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrows::Arrow;

/// The largest sets of files of which each reaches each other.
pub(crate) fn of(arrows: &[Arrow]) -> Vec<BTreeSet<String>> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to, _) in arrows {
        next.entry(from).or_default().insert(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> = next
        .keys()
        .map(|file| (*file, reached_from(file, &next)))
        .collect();
    let mut circles = BTreeSet::new();
    for (file, others) in &reached {
        if others.contains(file) {
            let back = |other: &&&str| reached.get(**other).is_some_and(|r| r.contains(file));
            let circle = others.iter().filter(back).map(|other| (*other).to_owned());
            circles.insert(circle.collect::<BTreeSet<String>>());
        }
    }
    circles.into_iter().collect()
}

/// The arrows inside of a circle.
pub(crate) fn inside<'a>(
    arrows: &'a [Arrow],
    circle: &'a BTreeSet<String>,
) -> impl Iterator<Item = &'a Arrow> {
    arrows
        .iter()
        .filter(|(from, to, _)| circle.contains(from) && circle.contains(to))
}

fn reached_from<'a>(
    file: &'a str,
    next: &BTreeMap<&'a str, BTreeSet<&'a str>>,
) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        for other in next.get(file).into_iter().flatten() {
            if reached.insert(*other) {
                open.push(other);
            }
        }
    }
    reached
}
