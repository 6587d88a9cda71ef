//! What the proofs of obligations need, for who knows already that these hold.

use ioa_lang::Name;

use super::round::Purpose;
use super::settle;
use crate::obligations::{Obligation, Target};
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
    let names = |of: &Vec<usize>| -> Vec<Name> {
        let each = of.iter();
        each.map(|i| target.invariants[*i].name.clone()).collect()
    };
    let needs = settled.listed.into_iter().filter_map(|obligation| {
        let raw = settled.answers.get(&obligation.kind)?;
        Some(Need {
            obligation,
            follows: raw.answer == Answer::Unsat,
            needed: raw.needed.as_ref().map(names),
        })
    });
    needs.collect()
}
