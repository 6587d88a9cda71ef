//! Proving a target: all obligations, in lanes that share solvers, until what is left stands by itself.
//!
//! Each invariant is proved with all others assumed before the step. Where one of them fails, what used it is not
//! proved, so the failed ones are withdrawn and the rest is asked again, until nothing fails any more: what remains is
//! inductive by itself.

mod at_sizes;
mod round;
mod spread;
mod vacuity;
mod verdict;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::obligations::{Kind, Target, Unit, obligations, units};
use crate::report::Report;
use crate::solve::{Answer, Options};
pub use at_sizes::warnings_at;
use round::{Raw, Round};
use verdict::Finish;

/// A source of time. The crate has no clock of its own.
pub type Clock<'c> = &'c (dyn Fn() -> Duration + Sync);

/// Proves a target.
///
/// The outcomes come in the order of [`obligations`]; everything in them but the times is the same on every run,
/// whatever the number of threads, unless a timeout strikes.
#[must_use]
pub fn prove(target: &Target<'_>, options: &Options<'_>, clock: Clock<'_>) -> Report {
    let listed = obligations(target);
    let mut assumable = vec![true; target.invariants.len()];
    let mut settled: BTreeMap<Kind, Raw> = BTreeMap::new();
    let mut lost: BTreeSet<Kind> = BTreeSet::new();
    let mut open = units(target);
    loop {
        let round = Round {
            target,
            assumable: &assumable,
            options,
            clock,
        };
        let first = settled.is_empty();
        for (kind, raw) in round.solve(&open) {
            if !first && raw.answer != Answer::Unsat {
                lost.insert(kind);
            }
            accumulate(&mut settled, kind, raw);
        }
        let kept = withdraw(target, &assumable, &settled);
        if kept == assumable {
            break;
        }
        assumable = kept;
        open = still_proved(&units(target), &settled);
    }
    let report = Finish {
        target,
        options,
        clock,
        established: &assumable,
    };
    report.write(listed, &settled, &lost)
}

/// A later answer counts; costs add up.
fn accumulate(settled: &mut BTreeMap<Kind, Raw>, kind: Kind, mut raw: Raw) {
    if let Some(before) = settled.get(&kind) {
        raw.time += before.time;
        raw.resources += before.resources;
        raw.queries += before.queries;
    }
    settled.insert(kind, raw);
}

/// The invariants that are left when those with an obligation that is not proved are withdrawn.
fn withdraw(target: &Target<'_>, assumable: &[bool], settled: &BTreeMap<Kind, Raw>) -> Vec<bool> {
    let mut kept = assumable.to_vec();
    for (kind, raw) in settled {
        if let Kind::Initiation { invariant } | Kind::Consecution { invariant, .. } = kind
            && raw.answer != Answer::Unsat
        {
            kept[*invariant] = false;
        }
    }
    debug_assert_eq!(kept.len(), target.invariants.len());
    kept
}

/// The units with only those obligations that are proved so far.
fn still_proved(
    units: &[(Unit, Vec<Kind>)],
    settled: &BTreeMap<Kind, Raw>,
) -> Vec<(Unit, Vec<Kind>)> {
    let proved = |kind: &Kind| {
        settled
            .get(kind)
            .is_some_and(|raw| raw.answer == Answer::Unsat)
    };
    units
        .iter()
        .map(|(unit, kinds)| (*unit, kinds.iter().copied().filter(proved).collect()))
        .filter(|(_, kinds): &(Unit, Vec<Kind>)| !kinds.is_empty())
        .collect()
}
