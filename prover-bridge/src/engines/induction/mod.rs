//! Proving a target: all obligations, in lanes that share solvers, until what is left stands by itself.
//!
//! Each invariant is proved with all others assumed before the step. Where one of them fails, what used it is not
//! proved, so the failed ones are withdrawn and the rest is asked again, until nothing fails any more: what remains is
//! inductive by itself.

mod at_sizes;
mod condition;
mod infinite;
mod lanes;
mod needs;
mod question;
mod relative;
mod round;
mod spread;
mod vacuity;
mod verdict;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use crate::obligations::{Kind, Obligation, Part, Target, Unit, obligations, units};
use crate::options::Options;
use crate::report::Report;
use crate::solver::Answer;
use crate::watch::Clock;
pub use at_sizes::warnings_at;
pub(super) use condition::{at_the_root, unclear};
pub use needs::{Need, needs, needs_alone};
pub use relative::{Failing, failing, is_relatively_inductive};
use round::{Purpose, Raw, Round};
pub use spread::spread;
pub use vacuity::Grounded;
pub(crate) use vacuity::{executions, instance_of, interpreted, small};
use verdict::Finish;

/// What the solver said to the obligations of a target, until what is left stands by itself.
struct Settled {
    listed: Vec<Obligation>,
    answers: BTreeMap<Kind, Raw>,
    /// The obligations that do not hold once the invariants that fail are withdrawn.
    lost: BTreeSet<Kind>,
    /// The invariants that are left.
    established: Vec<bool>,
}

/// Proves a target.
///
/// The outcomes come in the order of [`obligations`]; everything in them but the times is the same on every run,
/// whatever the number of threads, unless a timeout strikes.
#[must_use]
pub fn prove(target: &Target<'_>, options: &Options<'_>, clock: Clock<'_>) -> Report {
    let begun = clock();
    let settled = settle(target, options, clock, Purpose::Proof);
    let report = Finish {
        target,
        options,
        clock,
        begun,
        established: &settled.established,
    };
    report.write(settled.listed, &settled.answers, &settled.lost)
}

/// Asks about all obligations, without the invariants that fail.
fn settle(
    target: &Target<'_>,
    options: &Options<'_>,
    clock: Clock<'_>,
    purpose: Purpose,
) -> Settled {
    let listed = obligations(target);
    let mut assumable = vec![true; target.invariants.len()];
    let mut settled: BTreeMap<Kind, Raw> = BTreeMap::new();
    let mut lost: BTreeSet<Kind> = BTreeSet::new();
    let is_asked = |kind: Kind| options.only.is_none_or(|only| only(kind));
    let mut asked: BTreeSet<Kind> = listed.iter().map(|o| o.kind).collect();
    asked.retain(|kind| is_asked(*kind));
    let all = units(target);
    let mut open = only_those(&all, |kind| asked.contains(kind));
    loop {
        let round = Round {
            target,
            assumable: &assumable,
            options,
            clock,
            lanes: None,
            purpose,
        };
        let first = assumable.iter().all(|assumed| *assumed);
        for (kind, raw) in round.solve(&open) {
            if !first && raw.answer != Answer::Unsat {
                lost.insert(kind);
            }
            accumulate(&mut settled, kind, raw);
        }
        let lemmas = unasked(&listed, &asked, &settled);
        if !lemmas.is_empty() {
            open = only_those(&all, |kind| lemmas.contains(kind));
            asked.extend(lemmas);
            continue;
        }
        let kept = withdraw(target, &assumable, &settled, purpose);
        if kept == assumable {
            break;
        }
        assumable = kept;
        open = only_those(&all, |kind| {
            let raw = settled.get(kind);
            raw.is_some_and(|raw| raw.rests_on_others_than(&assumable))
        });
    }
    for (invariant, established) in assumable.iter_mut().enumerate() {
        *established &= asked.contains(&Kind::Initiation { invariant });
    }
    Settled {
        listed,
        answers: settled,
        lost,
        established: assumable,
    }
}

/// The units with only those obligations.
fn only_those(
    units: &[(Unit, Vec<Kind>)],
    mut wanted: impl FnMut(&Kind) -> bool,
) -> Vec<(Unit, Vec<Kind>)> {
    let mut units = units.to_vec();
    for (_, kinds) in &mut units {
        kinds.retain(&mut wanted);
    }
    units.retain(|(_, kinds)| !kinds.is_empty());
    units
}

/// The obligations, not asked for so far, of the invariants that proofs use.
fn unasked(
    listed: &[Obligation],
    asked: &BTreeSet<Kind>,
    settled: &BTreeMap<Kind, Raw>,
) -> BTreeSet<Kind> {
    let used: BTreeSet<usize> = settled.values().flat_map(|raw| raw.used.clone()).collect();
    let states = |kind: &Kind| match kind {
        Kind::Initiation { invariant } | Kind::Consecution { invariant, .. } => {
            used.contains(invariant)
        }
        Kind::Definedness(Part::Invariant(invariant)) => used.contains(invariant),
        _ => false,
    };
    let kinds = listed.iter().map(|o| o.kind);
    kinds.filter(|k| states(k) && !asked.contains(k)).collect()
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

/// The invariants that are left when those with an obligation that is not proved are withdrawn, and those that hold at
/// the start for want of a start: they may say anything, and what rests on them would too. That no step of an action
/// breaks an invariant since there is none takes nothing from it.
fn withdraw(
    target: &Target<'_>,
    assumable: &[bool],
    settled: &BTreeMap<Kind, Raw>,
    purpose: Purpose,
) -> Vec<bool> {
    let mut kept = assumable.to_vec();
    // Where nothing is established, nobody has asked whether there is a start.
    let is_start = |raw: &Raw| match purpose {
        Purpose::Proof => raw.is_grounded(),
        _ => raw.answer == Answer::Unsat,
    };
    for (kind, raw) in settled {
        match kind {
            Kind::Initiation { invariant } => kept[*invariant] &= is_start(raw),
            Kind::Consecution { invariant, .. } => {
                kept[*invariant] &= raw.answer == Answer::Unsat;
            }
            _ => {}
        }
    }
    debug_assert_eq!(kept.len(), target.invariants.len());
    kept
}
