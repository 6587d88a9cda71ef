//! What is known of the searches of a swarm.

use std::collections::BTreeMap;

use explorer::End;

use crate::numbers::{count, counted};

/// What the searches of a swarm came to together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swarmed {
    /// How many searches there were to be.
    pub searches: u64,
    /// How many of them came to their ends: nothing was left, or a bound was reached, or something was found.
    pub ended: u64,
    /// How many of these had nothing left to visit.
    pub exhausted: u64,
    /// How many of them used up the memory.
    pub crowded: u64,
    /// States that were visited, by each search anew.
    pub states: u64,
    /// The greatest number of steps on the way of a search.
    pub deepest: u64,
    /// States at the bounds on depth.
    pub cut: u64,
    /// About how many different states were visited, if all searches came to their ends.
    pub different: Option<u64>,
}

impl Swarmed {
    /// Takes in a search that has ended.
    pub(super) fn take(&mut self, dived: &explorer::Dived) {
        self.ended += u64::from(dived.end != End::Cancelled);
        self.exhausted += u64::from(dived.end == End::Exhausted);
        self.crowded += u64::from(dived.end == End::Memory);
        self.states += dived.states;
        self.deepest = self.deepest.max(dived.deepest as u64);
        self.cut += dived.cut;
    }

    /// What two swarms come to together.
    pub(in crate::pipeline::explore) fn with(self, other: Self) -> Self {
        Self {
            searches: self.searches + other.searches,
            ended: self.ended + other.ended,
            exhausted: self.exhausted + other.exhausted,
            crowded: self.crowded + other.crowded,
            states: self.states + other.states,
            deepest: self.deepest.max(other.deepest),
            cut: self.cut + other.cut,
            different: self.different.zip(other.different).map(|(a, b)| a + b),
        }
    }

    /// Adds what was counted to the figures of an exploration, and says it in words.
    pub(in crate::pipeline::explore) fn account(
        &self,
        figures: &mut BTreeMap<&'static str, u64>,
    ) -> String {
        figures.clear();
        figures.extend([
            ("searches", self.searches),
            ("searches_ended", self.ended),
            ("searches_exhausted", self.exhausted),
            ("searches_out_of_memory", self.crowded),
            ("states_visited", self.states),
            ("deepest", self.deepest),
            ("states_cut", self.cut),
        ]);
        if let Some(different) = self.different {
            figures.insert("distinct_states_about", different);
        }
        let searches = match (self.ended, self.searches) {
            (1, 1) => "1 search".to_owned(),
            (ended, all) if ended == all => format!("{} searches", count(all)),
            (ended, all) => format!("{} of {} searches", count(ended), count(all)),
        };
        let different = self.different.map_or(String::new(), |different| {
            format!(", about {} of them different", count(different))
        });
        let states = counted(self.states, "state");
        let deepest = counted(self.deepest, "step");
        let crowded = match (self.crowded, self.searches) {
            (0, _) => String::new(),
            (1, 1) => "; it used up the memory".to_owned(),
            (crowded, all) if crowded == all => "; each used up the memory".to_owned(),
            (crowded, _) => format!("; {} of them used up the memory", count(crowded)),
        };
        format!("{searches}: {states} visited{different}, at most {deepest} deep{crowded}")
    }

    /// What was looked at, in words.
    pub(in crate::pipeline::explore) fn extent(&self) -> String {
        match self.different {
            Some(different) => format!("about {}", counted(different, "state")),
            None => counted(self.states, "state"),
        }
    }
}
