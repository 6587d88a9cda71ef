//! What candidates were tested on, in words.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use interpreter::State;
use ioa_lang::core::Expr;
use rustc_hash::FxHashSet;

use crate::numbers::{count, counted};

/// The instances that candidates were tested on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// How many states were learnt from.
    pub states: u64,
    /// How many instances they are of.
    pub instances: usize,
    /// Those of them all of whose states they are.
    pub exhausted: Vec<Visited>,
    /// The instances of the last second look.
    pub survived: Vec<Visited>,
    /// The sizes of those in which every state is dead, so that there is nothing to learn from.
    pub hopeless: Vec<String>,
    /// What is missing because there is no memory for it.
    pub lacking: Vec<&'static str>,
}

/// An instance in which nothing refuted the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    /// Its sizes.
    pub label: String,
    /// How many states were visited.
    pub states: u64,
    /// Whether some of them stood for the others, from which they differ in the names of interchangeable elements.
    pub is_reduced: bool,
    /// Whether these are all reachable ones.
    pub is_whole: bool,
}

/// What a place is known to show of candidates.
#[derive(Default)]
pub(super) struct Tested {
    /// Those that hold there.
    pub(super) survivors: FxHashSet<Expr>,
    /// The last visit; none if nothing can be visited.
    pub(super) visited: Option<Visited>,
}

/// What a look at a place comes to.
pub(super) struct Look {
    pub(super) visited: Visited,
    /// The candidates that are false in some state, each with such states.
    pub(super) refuted: Vec<(usize, State)>,
}

/// Only so many instances are named, the largest ones.
const MAX_NAMED: usize = 4;

/// What is said where less memory is wanted than the program takes by itself.
const SCARCE: &str = "the program takes about 100 MB by itself, which is more than --memory allows";

/// What is said of a quick look.
const HASTY: &str =
    "this was a quick look: without --quick more is found, and more of what is false is refuted";

impl Looked {
    /// Nothing was looked at yet. It may be that less memory is wanted than the program takes by itself, or that the look is a quick one.
    pub(super) fn within(is_scarce: bool, is_quick: bool) -> Self {
        let lacking = [(is_scarce, SCARCE), (is_quick, HASTY)];
        let lacking = lacking.into_iter().filter(|(is_so, _)| *is_so);
        Self {
            lacking: lacking.map(|(_, what)| what).collect(),
            ..Self::default()
        }
    }

    /// Notes, once, what is missing.
    pub(super) fn note(&mut self, what: &'static str) {
        if !self.lacking.contains(&what) {
            self.lacking.push(what);
        }
    }

    /// That every state is dead somewhere, if that is so.
    #[must_use]
    pub fn hopeless(&self) -> Option<String> {
        let shown = match self.hopeless.split_last()? {
            (last, []) if last.is_empty() => String::new(),
            (last, []) => format!(" at {last}"),
            (last, others) => format!(" at {} and at {last}", others.join(", at ")),
        };
        Some(format!(
            "every state is dead{shown}: what is asked for is impossible from the start, and nothing tells dead states from others"
        ))
    }

    /// What the candidates are true of, a line each; the words say which states were looked at.
    #[must_use]
    pub fn lines(&self, population: &str) -> Vec<String> {
        let all = || self.exhausted.iter().chain(&self.survived);
        let mut whole: Vec<&Visited> = all().filter(|v| v.is_whole).collect();
        let mut partly: Vec<&Visited> = all().filter(|v| !v.is_whole).collect();
        let mut lines = Vec::new();
        if !whole.is_empty() {
            let what = format!("true of all {population}{}", named(&mut whole));
            lines.push(what);
        }
        if !partly.is_empty() {
            let what = format!("true of the states that were visited{}", named(&mut partly));
            lines.push(what);
        }
        if lines.is_empty() {
            lines.push(match self.states {
                0 => "true of the states of runs".to_owned(),
                n => format!(
                    "true of {} states of {} instances",
                    count(n),
                    self.instances
                ),
            });
        }
        lines
    }
}

/// ` at Node=3 (17 states), Node=2 (5 states) and in 1 smaller instance`, the largest first.
fn named(visited: &mut Vec<&Visited>) -> String {
    visited.sort_by_key(|v| Reverse(v.states));
    // What was learnt from may have been looked at once more.
    let mut told = BTreeSet::new();
    visited.retain(|v| told.insert(&v.label));
    let one = |v: &&Visited| {
        let place = match v.label.is_empty() {
            true => String::new(),
            false if v.label.starts_with("with ") => format!(" {}", v.label),
            false => format!(" at {}", v.label),
        };
        let how = if v.is_reduced { " by symmetry" } else { "" };
        format!("{place} ({} states{how})", count(v.states))
    };
    let shown: Vec<String> = visited.iter().take(MAX_NAMED).map(one).collect();
    let more = visited.len() - shown.len();
    let mut text = shown.join(",");
    if more > 0 {
        let more = counted(more as u64, "smaller instance");
        text.push_str(&format!(" and in {more}"));
    }
    text
}
