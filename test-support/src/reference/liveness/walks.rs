//! Closed walks, and what is observed on each.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use ioa_lang::Value;
use ioa_lang::core::{ActionId, Temporal};

use super::super::{State, Stop};

/// Maximum number of stored walks.
const WALKS: usize = 200_000;

/// A task for some values of its bound variables: whether it is strongly fair, and its actions with their parameters.
pub(super) type Class = (bool, Vec<(ActionId, Vec<Value>)>);

/// The reachable states of an automaton, by number.
#[derive(Default)]
pub(super) struct Reachable {
    pub(super) states: Vec<State>,
    pub(super) starts: Vec<usize>,
    /// For each state its steps: the set of tasks to which each belongs, and its successor.
    pub(super) steps: Vec<Vec<(u64, usize)>>,
}

impl Reachable {
    pub(super) fn number(&mut self, state: State, numbers: &mut BTreeMap<State, usize>) -> usize {
        let next = self.states.len();
        *numbers.entry(state.clone()).or_insert_with(|| {
            self.states.push(state);
            next
        })
    }

    /// The observations in a state.
    pub(super) fn seen_in(&self, state: usize, facts: &[u64]) -> Seen {
        let enabled = self.steps[state].iter().fold(0, |set, (t, _)| set | t);
        Seen {
            facts: facts[state],
            not_facts: !facts[state],
            enabled,
            disabled: !enabled,
            taken: 0,
        }
    }
}

/// The states with the promises that are open on arrival, and how many steps it takes.
pub(super) fn arrivals(
    promises: &[(usize, usize)],
    facts: &[u64],
    reachable: &Reachable,
) -> BTreeMap<(usize, u64), usize> {
    let open = |state: usize, before: u64| {
        let each = promises.iter().enumerate();
        each.fold(0, |set, (n, (premise, goal))| {
            let promised = has(before, n) || has(facts[state], *premise);
            set | u64::from(promised && !has(facts[state], *goal)) << n
        })
    };
    let starts = reachable.starts.iter().map(|s| (*s, open(*s, 0)));
    let mut queue: VecDeque<(usize, u64)> = starts.collect();
    let mut found: BTreeMap<(usize, u64), usize> = queue.iter().map(|a| (*a, 0)).collect();
    while let Some((state, before)) = queue.pop_front() {
        let steps = found[&(state, before)] + 1;
        for (_, target) in &reachable.steps[state] {
            let arrival = (*target, open(*target, before));
            if let Entry::Vacant(entry) = found.entry(arrival) {
                entry.insert(steps);
                queue.push_back(arrival);
            }
        }
    }
    found
}

/// The possible observations on closed walks from a state, each with the least number of steps; the empty walk is one of
/// them.
pub(super) fn closed_walks(
    knot: usize,
    facts: &[u64],
    reachable: &Reachable,
) -> Result<Vec<(Seen, usize)>, Stop> {
    let first = (knot, reachable.seen_in(knot, facts));
    let mut known = BTreeMap::from([(first, 0)]);
    let mut queue = VecDeque::from([first]);
    while let Some((state, seen)) = queue.pop_front() {
        let steps = known[&(state, seen)] + 1;
        for (tasks, target) in &reachable.steps[state] {
            let taken = Seen {
                taken: *tasks,
                ..reachable.seen_in(*target, facts)
            };
            let walk = (*target, seen.with(taken));
            if let Entry::Vacant(entry) = known.entry(walk) {
                entry.insert(steps);
                queue.push_back(walk);
            }
        }
        if known.len() > WALKS {
            return Err(Stop::Beyond("too many walks".into()));
        }
    }
    let closed = known.into_iter().filter(|((state, _), _)| *state == knot);
    Ok(closed.map(|((_, seen), steps)| (seen, steps)).collect())
}

pub(super) fn is_fair(seen: Seen, classes: &[Class]) -> bool {
    let mut each = classes.iter().enumerate();
    each.all(|(n, (is_strong, _))| {
        let excused = match is_strong {
            true => !has(seen.enabled, n),
            false => has(seen.disabled, n),
        };
        excused || has(seen.taken, n)
    })
}

/// The observations on a walk: sets of facts and of tasks, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seen {
    pub(super) facts: u64,
    pub(super) not_facts: u64,
    pub(super) enabled: u64,
    pub(super) disabled: u64,
    pub(super) taken: u64,
}

impl Seen {
    fn with(self, other: Self) -> Self {
        Self {
            facts: self.facts | other.facts,
            not_facts: self.not_facts | other.not_facts,
            enabled: self.enabled | other.enabled,
            disabled: self.disabled | other.disabled,
            taken: self.taken | other.taken,
        }
    }
}

pub(super) fn has(set: u64, n: usize) -> bool {
    set >> n & 1 != 0
}

/// The premise and the goal of each `leads to`, from left to right.
pub(super) fn promises(formula: &Temporal<usize>) -> Vec<(usize, usize)> {
    match formula {
        Temporal::AlwaysEventually(_) | Temporal::EventuallyAlways(_) => Vec::new(),
        Temporal::LeadsTo(premise, goal) => vec![(*premise, *goal)],
        Temporal::Not(inner) => promises(inner),
        Temporal::Joined(_, sides) => [promises(&sides[0]), promises(&sides[1])].concat(),
    }
}
