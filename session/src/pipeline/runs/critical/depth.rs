//! How many steps runs and walks take, where nobody says so: many times as many as runs take to their first live state
//! (Killian, Anderson, Jhala and Vahdat, section 4.4: a run that takes so many more is an outlier, and was likely trapped among
//! dead states on the way). Where a run begins in live states, the steps count from its first state that is not live.

use super::recovery::{Recovery, Stretch};
use crate::finding::Item;
use crate::numbers::{count, counted};
use crate::study::BadInput;

/// So many runs are looked at.
const RUNS: u64 = 100;

/// Runs take so many times the steps that the slowest of those needed, as in the paper's example.
const FACTOR: u64 = 8;

/// If fewer of them came to a live state than this, they say nothing.
const ENOUGH: usize = 10;

/// They take no fewer steps than this.
const LEAST: u64 = 100;

/// A bar of the histogram has at most so many characters.
const WIDEST: u64 = 40;

/// After how many steps runs came to a live state, from their first state that is not live.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Depths {
    /// In ascending order, those of the runs that did; 0 for a run that is live throughout.
    first_live: Vec<u64>,
    runs: u64,
}

impl Depths {
    /// Those of some runs from start states.
    ///
    /// # Errors
    /// The formula has no value in some state.
    pub(super) fn sample(recovery: &Recovery<'_>, seed: u64) -> Result<Self, BadInput> {
        let mut depths = Self::default();
        let mut threads = super::threads(recovery.study, recovery.bare, recovery.plan);
        for number in 0..RUNS {
            if recovery.host.stopped().is_some() {
                break;
            }
            let turn = recovery.turn((number, seed.wrapping_add(number)), None);
            let walked = recovery.walk(Stretch::ToRecovery, turn, threads.as_mut())?;
            let Some(walked) = walked else {
                continue;
            };
            depths.runs += 1;
            let steps = match (walked.not_live, walked.live) {
                (None, _) => Some(0),
                (Some(from), Some(live)) => live.checked_sub(from),
                (Some(_), None) => None,
            };
            depths.first_live.extend(steps.map(|steps| steps as u64));
        }
        depths.first_live.sort_unstable();
        Ok(depths)
    }

    /// How many steps runs should take; nothing where too few came to a live state. Some may not have come to one because they
    /// were trapped before.
    pub(super) fn steps(&self) -> Option<u64> {
        let last = self.first_live.last()?;
        let are_enough = self.first_live.len() >= ENOUGH;
        are_enough.then(|| last.saturating_mul(FACTOR).max(LEAST))
    }

    /// What is said about them in a sentence, where runs take so many steps.
    pub(super) fn words(&self, steps: u64) -> String {
        let (all, live) = (counted(self.runs, "run"), self.first_live.len() as u64);
        let Some(last) = self.first_live.last() else {
            return format!("none of {all} came to a live state within {}", count(steps));
        };
        let half = self.first_live[self.first_live.len() / 2];
        let which = match live == self.runs {
            true => all,
            false => format!("{} of {all}", count(live)),
        };
        let so = match self.steps() {
            Some(_) => "so runs take at most",
            None => "which are too few to go by: runs take at most",
        };
        format!(
            "{which} came to a live state from one that is not, half of them within {}, the last one after {}, {so} {}",
            counted(half, "step"),
            count(*last),
            count(steps)
        )
    }

    /// A histogram, each bar twice as wide as the one before it.
    pub(super) fn histogram(&self) -> Vec<Item> {
        let Some(last) = self.first_live.last() else {
            return Vec::new();
        };
        let bounds = (0..).map(|power| (1_u64 << power) - 1);
        let widest = bounds.clone().position(|bound| bound >= *last);
        let bars = bounds.take(widest.map_or(0, |at| at + 1));
        let mut shorter = 0;
        let bars = bars.map(|bound| {
            let within = self.first_live.partition_point(|depth| *depth <= bound) as u64;
            let here = within - shorter;
            shorter = within;
            (bound, here)
        });
        let bars: Vec<(u64, u64)> = bars.skip_while(|(_, runs)| *runs == 0).collect();
        let highest = bars.iter().map(|(_, runs)| *runs).max().unwrap_or(1);
        let bars = bars.into_iter().map(|(bound, runs)| {
            let bar = "█".repeat((runs * WIDEST).div_ceil(highest) as usize);
            let name = format!("live after at most {}", counted(bound, "step"));
            let mut item = Item::text(name, bar);
            item.figures.insert("runs", runs);
            item
        });
        bars.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Depths;

    fn depths(first_live: &[u64], runs: u64) -> Depths {
        Depths {
            first_live: first_live.to_vec(),
            runs,
        }
    }

    #[test]
    fn runs_take_many_times_the_steps_of_the_slowest() {
        let with_last = |last| depths(&[[3; 9].as_slice(), &[last]].concat(), 12).steps();
        assert_eq!(with_last(90), Some(720));
        assert_eq!(with_last(4), Some(100));
        assert_eq!(depths(&[3, 90], 3).steps(), None);
        assert_eq!(depths(&[], 0).steps(), None);
    }

    #[test]
    fn every_run_is_in_one_bar() {
        let bars = depths(&[0, 0, 1, 2, 3, 4, 9], 8).histogram();
        let bars: Vec<_> = bars
            .iter()
            .map(|bar| (bar.name.as_str(), bar.figures["runs"]))
            .collect();
        let expected = [
            ("live after at most 0 steps", 2),
            ("live after at most 1 step", 1),
            ("live after at most 3 steps", 2),
            ("live after at most 7 steps", 1),
            ("live after at most 15 steps", 1),
        ];
        assert_eq!(bars, expected);
    }
}
