//! What the proofs wait for that use invariants which are not established.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::obligations::Kind;
use crate::reason::Reason;

/// What the proof of an obligation lacks, and how long it took to find that out.
#[derive(Clone)]
pub(super) struct Lacking {
    /// The invariants, by position in the target; none, where it is not known.
    pub(super) invariants: Vec<usize>,
    pub(super) time: Duration,
}

/// Why nothing is known about an obligation that was proved with all invariants assumed, some of which are not established.
pub(in crate::engines) fn unclear() -> Reason {
    Reason::Incomplete(
        "it is proved if all invariants are assumed, but was not proved in time with those alone that are established".into(),
    )
}

/// The same obligations, each with the invariants that are at the root of what it lacks: those that fail by themselves.
///
/// An invariant that is not established for the sake of others alone is replaced by what it lacks itself. Once the roots
/// are established, so are all invariants on the way to them: each of their obligations is proved from what is established
/// by then. So nobody has to follow a chain of names, and no chain ends where it began. `open` are the obligations that are
/// not proved with the invariants that are established.
pub(super) fn roots(
    needed: &BTreeMap<Kind, Lacking>,
    open: &BTreeSet<Kind>,
) -> BTreeMap<Kind, Lacking> {
    let lost = lost_for_others(needed, open);
    let resolve = |lacking: &Lacking| Lacking {
        invariants: at_the_root(&lacking.invariants, &lost),
        time: lacking.time,
    };
    let resolved = needed
        .iter()
        .map(|(kind, lacking)| (*kind, resolve(lacking)));
    resolved.collect()
}

/// The invariants that one comes to from these, by way of what each of them lacks that is lost, and that lack nothing. There
/// are none where invariants seem to lack only each other: then a limit of the solver was reached, and nothing is known.
pub(in crate::engines) fn at_the_root(
    invariants: &[usize],
    lost: &BTreeMap<usize, BTreeSet<usize>>,
) -> Vec<usize> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<usize> = invariants.to_vec();
    while let Some(invariant) = open.pop() {
        if reached.insert(invariant) {
            open.extend(lost.get(&invariant).into_iter().flatten());
        }
    }
    let is_root = |invariant: &usize| !lost.contains_key(invariant);
    reached.into_iter().filter(is_root).collect()
}

/// The invariants all of whose open obligations lack something that is known, with all that these lack.
fn lost_for_others(
    needed: &BTreeMap<Kind, Lacking>,
    open: &BTreeSet<Kind>,
) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut lost: BTreeMap<usize, Option<BTreeSet<usize>>> = BTreeMap::new();
    for kind in open {
        let (Kind::Initiation { invariant } | Kind::Consecution { invariant, .. }) = kind else {
            continue;
        };
        let lacking = needed.get(kind).map(|lacking| &lacking.invariants);
        let known = lacking.filter(|invariants| !invariants.is_empty());
        let sum = lost
            .entry(*invariant)
            .or_insert_with(|| Some(BTreeSet::new()));
        match (sum, known) {
            (Some(sum), Some(invariants)) => sum.extend(invariants),
            (sum, _) => *sum = None,
        }
    }
    let known = lost.into_iter().filter_map(|(i, lacks)| Some((i, lacks?)));
    known.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(invariant: usize) -> Kind {
        Kind::Initiation { invariant }
    }

    fn roots_of(lost: &[(usize, &[usize])], failing: &[usize]) -> Vec<(usize, Vec<usize>)> {
        let lacking = |invariants: &[usize]| Lacking {
            invariants: invariants.to_vec(),
            time: Duration::ZERO,
        };
        let needed: BTreeMap<Kind, Lacking> = lost
            .iter()
            .map(|(invariant, lacks)| (started(*invariant), lacking(lacks)))
            .collect();
        let mut open: BTreeSet<Kind> = needed.keys().copied().collect();
        open.extend(failing.iter().copied().map(started));
        let found = roots(&needed, &open);
        let of = |(invariant, _): &(usize, &[usize])| {
            (*invariant, found[&started(*invariant)].invariants.clone())
        };
        lost.iter().map(of).collect()
    }

    #[test]
    fn a_chain_ends_at_what_fails_by_itself() {
        assert_eq!(
            roots_of(&[(1, &[0]), (2, &[1])], &[0]),
            [(1, vec![0]), (2, vec![0])]
        );
    }

    #[test]
    fn a_circle_names_what_it_hangs_on() {
        let found = roots_of(&[(1, &[2]), (2, &[0, 1])], &[0]);
        assert_eq!(found, [(1, vec![0]), (2, vec![0])]);
    }

    #[test]
    fn what_seems_to_lack_only_itself_waits_for_nothing_that_is_known() {
        let found = roots_of(&[(1, &[1]), (2, &[1]), (3, &[0, 1])], &[0]);
        assert_eq!(found, [(1, vec![]), (2, vec![]), (3, vec![0])]);
    }

    #[test]
    fn what_lacks_something_unknown_is_a_root_itself() {
        let found = roots_of(&[(1, &[]), (2, &[1])], &[0]);
        assert_eq!(found, [(1, vec![]), (2, vec![1])]);
    }
}
