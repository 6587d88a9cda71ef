//! What the proofs of obligations need, for who knows already that these hold.

use std::collections::BTreeMap;

use ioa_lang::Name;

use super::relative::{asked, plain};
use super::round::{Purpose, Raw, Round};
use super::settle;
use crate::obligations::{Kind, Obligation, Target, obligations};
use crate::options::Options;
use crate::solver::Answer;
use crate::watch::Clock;

/// What the proof of an obligation needs.
#[derive(Clone, Debug)]
pub struct Need {
    /// The obligation.
    pub obligation: Obligation,
    /// Whether it follows, as far as the solver says.
    pub follows: bool,
    /// The invariants that its proof needs, where that was to be found out.
    pub needed: Option<Vec<Name>>,
}

/// What the proofs of a target need, of those obligations that the options ask for and of the invariants which they use.
///
/// It is [`prove`](super::prove) without what concerns people: no counterexamples are looked for, nor warnings, and nothing is established,
/// for nobody asks whether there is a start, or a step.
#[must_use]
pub fn needs(target: &Target<'_>, options: &Options<'_>, clock: Clock<'_>) -> Vec<Need> {
    let settled = settle(target, options, clock, Purpose::Needs);
    listed(target, settled.listed, &settled.answers)
}

/// What the proofs of those obligations need that the options ask for, where all invariants of the target may be assumed; nothing is
/// asked about these.
#[must_use]
pub fn needs_alone(target: &Target<'_>, options: &Options<'_>, clock: Clock<'_>) -> Vec<Need> {
    let all = vec![true; target.invariants.len()];
    let plain = Options {
        needed_invariants: true,
        ..plain(options)
    };
    let round = Round {
        target,
        assumable: &all,
        options: &plain,
        clock,
        lanes: None,
        purpose: Purpose::Needs,
    };
    let answers = round.solve(&asked(target, options));
    listed(target, obligations(target), &answers.into_iter().collect())
}

/// What is known of the obligations that have an answer.
fn listed(
    target: &Target<'_>,
    listed: Vec<Obligation>,
    answers: &BTreeMap<Kind, Raw>,
) -> Vec<Need> {
    let names = |of: &Vec<usize>| -> Vec<Name> {
        let each = of.iter();
        each.map(|i| target.invariants[*i].name.clone()).collect()
    };
    let needs = listed.into_iter().filter_map(|obligation| {
        let raw = answers.get(&obligation.kind)?;
        Some(Need {
            obligation,
            follows: raw.answer == Answer::Unsat,
            needed: raw.needed.as_ref().map(names),
        })
    });
    needs.collect()
}
