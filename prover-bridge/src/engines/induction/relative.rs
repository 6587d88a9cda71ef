//! Relative induction: what fails though all invariants are assumed, whether these are established or not.
//!
//! Who looks for lemmas asks this again and again. A goal that is proved relative to some lemmas stays proved when there are
//! more of them, so only what failed, and what is new, has to be asked about the next time.

use std::collections::BTreeMap;

use super::only_those;
use super::round::{Purpose, Raw, Round};
use super::spread::spread;
use super::verdict::may_be_refuted;
use crate::counterexample::{self, Counterexample};
use crate::obligations::{Kind, Obligation, Target, Unit, obligations, units};
use crate::options::{Allowance, Options};
use crate::reason::Reason;
use crate::solver::{Answer, in_context_of};
use crate::watch::Clock;

/// Counterexamples to so many obligations are looked for in one context, which takes as long to make as most of them to find.
const TOGETHER: usize = 4;

/// An obligation that is not proved relative to the invariants of a target.
#[derive(Clone, Debug)]
pub struct Failing {
    /// The obligation.
    pub obligation: Obligation,
    /// A counterexample to induction or, where none was found, why not.
    pub found: Result<Counterexample, Reason>,
}

/// The obligations among those that the options ask for that do not follow from the invariants of a target, all of which are
/// assumed before each step (*relative induction*: Bradley, SAT-based model checking without unrolling, VMCAI 2011).
///
/// Nothing is established by that: the invariants that are assumed may be false.
#[must_use]
pub fn failing(target: &Target<'_>, options: &Options<'_>, clock: Clock<'_>) -> Vec<Failing> {
    let open = asked(target, options);
    let all = vec![true; target.invariants.len()];
    let plain = plain(options);
    let round = Round {
        target,
        assumable: &all,
        options: &plain,
        clock,
        lanes: None,
        purpose: Purpose::Search,
    };
    let mut answers: BTreeMap<Kind, Raw> = round.solve(&open).into_iter().collect();
    answers.retain(|_, raw| raw.answer != Answer::Unsat);
    let failed: Vec<(Unit, Kind)> = open
        .iter()
        .flat_map(|(unit, kinds)| kinds.iter().map(|kind| (*unit, *kind)))
        .filter(|(_, kind)| answers.contains_key(kind))
        .collect();
    let together: Vec<&[(Unit, Kind)]> = failed.chunks(TOGETHER).collect();
    let found = spread(&together, options.threads, |failed| {
        in_context_of(round.options, || {
            let each = failed.iter().enumerate().map(|(copy, (unit, kind))| {
                let found = counterexample_to((round, copy), (*unit, *kind), &answers[kind]);
                (*kind, found)
            });
            each.collect()
        })
    });
    let found: BTreeMap<Kind, _> = found.into_iter().collect();
    let mut listed = obligations(target);
    listed.retain(|obligation| found.contains_key(&obligation.kind));
    let failing = listed.into_iter().map(|obligation| Failing {
        found: found[&obligation.kind].clone(),
        obligation,
    });
    failing.collect()
}

/// Whether all obligations that the options ask for follow from the invariants of a target, which are assumed before each step.
#[must_use]
pub fn is_relatively_inductive(
    target: &Target<'_>,
    options: &Options<'_>,
    clock: Clock<'_>,
) -> bool {
    let round = Round {
        target,
        assumable: &vec![true; target.invariants.len()],
        options: &plain(options),
        clock,
        lanes: None,
        purpose: Purpose::Decision,
    };
    let answers = round.solve(&asked(target, options));
    answers.iter().all(|(_, raw)| raw.answer == Answer::Unsat)
}

/// The units of a target with the obligations that are asked for.
pub(super) fn asked(target: &Target<'_>, options: &Options<'_>) -> Vec<(Unit, Vec<Kind>)> {
    let is_asked = |kind: &Kind| options.only.is_none_or(|only| only(*kind));
    only_those(&units(target), is_asked)
}

/// The options without what only proofs are asked.
pub(super) fn plain<'o>(options: &Options<'o>) -> Options<'o> {
    Options {
        only: None,
        needed_invariants: false,
        ..options.clone()
    }
}

/// A counterexample to an obligation that had this answer; `copy` tells this search from others in the present context.
fn counterexample_to(
    (round, copy): (Round<'_, '_>, usize),
    asked: (Unit, Kind),
    raw: &Raw,
) -> Result<Counterexample, Reason> {
    if let Answer::Unknown(reason) = &raw.answer
        && !may_be_refuted(&raw.answer)
    {
        return Err(reason.clone());
    }
    let begun = (round.clock)();
    let allowance = Allowance::of(round.options, round.clock, begun);
    let sizes = raw.sizes.as_deref();
    let limits = (round.options, allowance);
    let assumable = round.target.assumable(asked.1, round.assumable);
    let search = counterexample::find((round.target, copy), asked, &assumable, sizes, limits);
    search.found.map(|found| found.first)
}
