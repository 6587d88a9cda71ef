//! The last look: at instances that are a little larger than those learnt from, and in many interpretations of the theories,
//! ever deeper until so much is spent. What is reported has survived it.

mod look;

use finite::Groups;
use ioa_lang::core::Expr;
use rustc_hash::{FxHashMap, FxHashSet};

use super::visits::{DIVES, LIKE_A_VISIT, Place};

/// So many states of each instance are visited first, then so many, and so on: what refutes a candidate is mostly near the start.
const DEPTHS: [u64; 4] = [20_000, 200_000, 2_000_000, 20_000_000];
/// Where there is not enough time for all of them, at least so many times as many states as before are worth a visit.
const MORE_THAN_BEFORE: u64 = 2;
/// Where numbers or collections grow, there may be infinitely many states; the first ones, of which so many are visited, are much like
/// each other.
const GROWING_DEPTH: usize = 1;
/// Instances with other quorums than the usual ones are visited no deeper.
const GROUPED_DEPTH: usize = 1;
/// An instance with so many more elements than one that has too many states is not looked at.
const FAR_BEYOND: u64 = 2;

/// The instances of the last look.
pub(in crate::pipeline::candidates::states) struct LastLooks {
    each: Vec<LastPlace>,
    /// The work that was done for them.
    spent: u64,
}

/// An instance, and what is known of it.
struct LastPlace {
    place: Place,
    /// Whether numbers or collections grow in it without bounds.
    is_growing: bool,
    /// How deep it was visited without coming to an end.
    goes_on: Option<usize>,
    /// The depth that is enough to visit all there is to visit.
    ends: Option<usize>,
    /// How deep candidates were tested.
    tested: FxHashMap<Expr, usize>,
    /// What was tested far from the start, where that is done: it is not where all states can be visited.
    far: Option<Far>,
    /// The depth of the last visit, and its work by each candidate, where visiting the states counts as much as some of them.
    last: Option<Cost>,
}

/// The candidates that were tested far from the start.
#[derive(Default)]
struct Far {
    /// By searches that go deep, in each round of these.
    dived: [FxHashSet<Expr>; DIVES],
    /// On random runs.
    run: FxHashSet<Expr>,
}

/// The work for a state where no instance was visited yet, about.
const FOR_A_STATE: u64 = 500;

/// What a visit cost: its depth, and its work by each candidate.
type Cost = (usize, u64);

impl LastPlace {
    /// How deep it is visited in a turn of all instances, if it is. Where numbers or collections grow without bounds, a state may take
    /// very long: it is visited one turn later than the others, and not as deep. What other quorums show is near the start as well, and
    /// most of the work belongs to the usual ones.
    fn depth_in(&self, turn: usize) -> Option<usize> {
        match self.is_growing {
            false if self.place.theories.groups != Groups::Natural => {
                Some(turn).filter(|depth| *depth <= GROUPED_DEPTH)
            }
            false => Some(turn),
            true => turn.checked_sub(1).filter(|depth| *depth <= GROWING_DEPTH),
        }
    }

    /// Whether a formula is to be tested at a depth.
    fn is_open(&self, formula: &Expr, depth: usize) -> bool {
        let enough = self.ends.map_or(depth, |ends| ends.min(depth));
        let mut tested = self.tested.get(formula).into_iter();
        tested.all(|tested| *tested < enough)
    }

    /// Whether nothing bounds this instance, and the other is the same within bounds.
    fn is_whole_of(&self, other: &Self) -> bool {
        let (own, other) = (&self.place, &other.place);
        let is_same = (&own.sizes, own.theories) == (&other.sizes, other.theories);
        is_same && own.bound.is_none() && other.bound.is_some()
    }

    /// About how much work it is to test so many candidates as deep as that: as much as in the last visit, else as in the dearest one of
    /// other instances.
    fn expected(&self, candidates: usize, depth: usize, dearest: Option<Cost>) -> u64 {
        let guessed = DEPTHS[depth] * FOR_A_STATE;
        let known = self.last.or(dearest);
        known.map_or(guessed, |(before, each)| {
            let scaled = u128::from(each) * u128::from(DEPTHS[depth]) / u128::from(DEPTHS[before]);
            let scaled = u64::try_from(scaled).unwrap_or(u64::MAX);
            scaled.saturating_mul(LIKE_A_VISIT + candidates as u64)
        })
    }

    /// How many states are visited to test so many candidates as deep as that with so much work at most; none if these are hardly more
    /// than before.
    fn affordable(
        &self,
        candidates: usize,
        depth: usize,
        (most, dearest): (u64, Option<Cost>),
    ) -> Option<u64> {
        let (all, expected) = (DEPTHS[depth], self.expected(candidates, depth, dearest));
        if expected <= most {
            return Some(all);
        }
        let part = u128::from(all) * u128::from(most) / u128::from(expected);
        let before = DEPTHS[..depth].last()?;
        u64::try_from(part)
            .ok()
            .filter(|part| *part >= MORE_THAN_BEFORE * before)
    }

    /// How many more elements, in all, it has than another instance of the same interpretation, if there are no fewer of any sort.
    fn beyond(&self, other: &Self) -> Option<u64> {
        let sum = |own: &Self| own.place.sizes.values().sum::<u64>();
        let is_other = self.place.label != other.place.label;
        (is_other && self.place.is_beyond(&other.place)).then(|| sum(self) - sum(other))
    }
}

impl LastLooks {
    /// What the visit cost that took most for each state.
    fn dearest(&self) -> Option<Cost> {
        let each = self.each.iter().filter_map(|own| own.last);
        each.max_by_key(|(depth, each)| {
            u128::from(*each) * u128::from(DEPTHS[DEPTHS.len() - 1] / DEPTHS[*depth])
        })
    }

    /// Whether nothing is looked for in an instance at a depth: a smaller one has too many states already.
    fn is_passed_over(&self, at: usize, depth: usize) -> bool {
        let least = match depth {
            0 => FAR_BEYOND + 1,
            _ => 0,
        };
        let own = &self.each[at];
        let is_within = |other: &LastPlace| other.is_whole_of(own) && other.ends.is_some();
        if self.each.iter().any(is_within) {
            return true;
        }
        self.each.iter().any(|other| {
            let is_large = other.goes_on.is_some_and(|reached| reached >= depth);
            is_large && own.beyond(other).is_some_and(|beyond| beyond >= least)
        })
    }
}
