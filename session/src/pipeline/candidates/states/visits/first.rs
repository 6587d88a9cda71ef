//! The first visits: all states of the instances that have few enough, or all to which small numbers lead, are learnt from.

use finite::Universe;
use interpreter::States;

use super::bounds::{Bound, may_grow};
use super::far::{telling, telling_key};
use super::places::{Place, Places, diverse, is_degenerate};
use super::visit::Visit;
use crate::pipeline::candidates::states::StatePool;
use crate::pipeline::candidates::states::block::Block;
use crate::pipeline::candidates::states::looked::Visited;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// Of the instances that are larger than one with too many states, candidates have to survive the beginnings of so many.
const MAX_BEYOND: usize = 2;
/// Of the instances that have too many states, so many are looked at as far as that goes.
const MAX_LABORIOUS: usize = 3;
/// Where instances have few states, so many times as many are learnt from.
const TINY_INSTANCES: usize = 4;
/// Executions are kept within no larger bounds on numbers and collections, from the start on.
const MAX_GROWTH: u64 = 8;
/// An instance that has more states than so many times those within the largest bound is taken to have infinitely many.
const GROWTH: u64 = 20;

/// What the first visits came to.
#[derive(Default)]
struct Seen {
    /// Instances of which all states were visited.
    visited: Vec<(Place, Visit)>,
    /// Instances of which all states were visited to which executions within bounds lead.
    bounded: Vec<(Place, Visit)>,
    /// Bounds within which too many states are reached.
    too_wide: Vec<Place>,
    /// Instances that have too many states for that.
    beginnings: Vec<(Place, Visit)>,
    /// Those that were not visited, for smaller ones have too many states.
    beyond: Vec<Place>,
}

impl StatePool<'_> {
    /// Visits the instances, and takes states of them.
    pub(in crate::pipeline::candidates::states) fn fill(
        &mut self,
        about: (&Study, &Setup),
    ) -> Result<(), BadInput> {
        let places = Places::of(about, self.automaton, self.budget.tried)?;
        let mut seen = Seen::default();
        for sizes in &places.sizes {
            let is_wanted = *sizes == places.given || self.all.is_empty();
            if is_wanted || !self.is_late() || !self.is_interpreted() {
                for place in places.at(sizes) {
                    self.all.push(place.clone());
                    self.look_at(place, &mut seen);
                }
            }
        }
        let Seen {
            mut visited,
            bounded,
            mut beginnings,
            beyond,
            ..
        } = seen;
        let whole = visited.iter().chain(&bounded);
        self.whole = whole.map(|(place, _)| place.clone()).collect();
        self.whole
            .sort_by_key(|place| place.sizes.values().sum::<u64>());
        let too_large = beginnings.iter().map(|(place, _)| place).chain(&beyond);
        let telling = telling(too_large).cloned();
        let too_large = beginnings.iter().map(|(place, _)| place).chain(&beyond);
        self.laborious = too_large.map(|place| place.label.clone()).collect();
        self.elsewhere.extend(beyond.into_iter().take(MAX_BEYOND));
        self.is_exhaustive =
            !visited.is_empty() && !is_degenerate(&visited, [&beginnings, &bounded]);
        if self.is_exhaustive {
            let places = bounded.into_iter().map(|(place, _)| place);
            self.elsewhere.splice(..0, places);
        } else {
            visited.extend(bounded);
            self.is_bounded =
                !visited.is_empty() && !is_degenerate(&visited, [&beginnings, &visited]);
        }
        if !self.is_exhaustive() && self.alive.is_none() {
            // Those that were asked for tell more than the smallest ones.
            let mut all = self.all.iter();
            let asked = all.find(|place| place.sizes == places.given);
            let is_new = |place: &&Place| beginnings.iter().all(|(p, _)| p.label != place.label);
            if let Some(place) = asked.filter(is_new).cloned() {
                let found = self.thinned(&place, self.budget.visited);
                beginnings.extend(found.ok().map(|found| (place, found)));
            }
            visited.extend(beginnings);
        }
        let is_new = |place: &Place| visited.iter().all(|(other, _)| other.label != place.label);
        let telling = telling.filter(|place| self.alive.is_none() && is_new(place));
        self.choose(visited);
        if let Some(place) = telling {
            self.goes_far(place);
        }
        if !self.budget.keeps {
            self.glances_at_most();
        }
        Ok(())
    }

    /// Of the instances that have too many states, all but a few are only glanced at: a look at each takes long, and what one of them
    /// does not refute the next one mostly refutes near the start, if at all.
    fn glances_at_most(&mut self) {
        let is_laborious = |place: &&Place| self.laborious.contains(&place.label);
        let mut most: Vec<&Place> = self.elsewhere.iter().filter(is_laborious).collect();
        most.sort_by_key(|place| telling_key(place));
        let glanced = most.iter().skip(MAX_LABORIOUS);
        self.glanced = glanced.map(|place| place.label.clone()).collect();
    }

    /// Learns from random runs of an instance, for what holds in all smaller ones may be false there.
    fn goes_far(&mut self, place: Place) {
        if let Ok(states) = self.far(&place, self.budget.sample) {
            self.elsewhere.retain(|other| other.label != place.label);
            self.elsewhere.insert(0, place.clone());
            self.takes((place.universe, states), States::new());
        }
    }

    /// Visits an instance, if there is time and smaller ones do not have too many states already.
    fn look_at(&mut self, place: Place, seen: &mut Seen) {
        if self.is_late() {
            self.elsewhere.push(place);
            return;
        }
        let mut most = self.budget.visited;
        if self.alive.is_none() && may_grow(&self.bare, self.automaton) {
            match self.grown(&place, &mut seen.too_wide) {
                Some((_, found)) if !found.is_left => return seen.visited.push((place, found)),
                Some((within, found)) => {
                    if within.bound == Some(self.bound(MAX_GROWTH)) {
                        most = most.min(found.distinct.saturating_mul(GROWTH));
                    }
                    seen.bounded.push((within, found));
                }
                None => {}
            }
        }
        // What is larger than an instance that has too many states has too many as well.
        if seen
            .beginnings
            .iter()
            .any(|(other, _)| place.is_beyond(other))
        {
            seen.beyond.push(place);
            return;
        }
        self.progress
            .say(&format!("visiting all states at {}", place.label));
        match self.thinned(&place, most) {
            // An instance without a start state shows nothing, and one whose states are all dead tells nothing apart.
            Ok(found) if found.is_complete && found.distinct == 0 => {
                let dead = (!found.dead.is_empty()).then_some(place.label);
                self.looked.hopeless.extend(dead);
            }
            Ok(found) if found.is_complete => {
                let is_other = |within: &Place| {
                    (&within.sizes, within.theories) != (&place.sizes, place.theories)
                };
                seen.bounded.retain(|(within, _)| is_other(within));
                seen.visited.push((place, found));
            }
            // Where not all states were visited, nothing tells the dead ones.
            Ok(_) if self.alive.is_some() => seen.beginnings.push((place, Visit::default())),
            Ok(found) => {
                seen.beginnings.push((place.clone(), found));
                self.elsewhere.push(place);
            }
            // What cannot be visited shows nothing.
            Err(_) => {}
        }
    }

    /// Visits all states of an instance to which executions lead in which numbers and collections stay small: as large as there is
    /// room for. Bounds that were too wide are noted.
    fn grown(&mut self, place: &Place, too_wide: &mut Vec<Place>) -> Option<(Place, Visit)> {
        let mut largest = None;
        for by in 1..=MAX_GROWTH {
            let within = place.bounded(self.bound(by));
            if self.is_late() || too_wide.iter().any(|other| within.is_beyond(other)) {
                break;
            }
            self.progress
                .say(&format!("visiting all states at {}", within.label));
            match self.thinned(&within, self.budget.visited) {
                Ok(found) if found.distinct == 0 => break,
                Ok(found) if found.is_complete => {
                    let is_left = found.is_left;
                    largest = Some((within, found));
                    if !is_left {
                        break;
                    }
                }
                Ok(_) => {
                    too_wide.push(within);
                    break;
                }
                Err(_) => break,
            }
        }
        largest
    }

    /// The bound that lets numbers and collections grow by so much.
    pub(in crate::pipeline::candidates::states) fn bound(&self, by: u64) -> Bound {
        Bound::beyond_start((&self.bare, self.automaton), by)
    }

    /// Takes states of the visited instances, the richest first; candidates have to survive the others, and those of which not
    /// all states are taken.
    fn choose(&mut self, visited: Vec<(Place, Visit)>) {
        for (place, found) in diverse(visited) {
            let is_enough = self.looked.states >= self.budget.sample as u64;
            let most = match is_enough {
                true => self.budget.instances,
                false => TINY_INSTANCES * self.budget.instances,
            };
            if self.blocks.len() >= most {
                self.elsewhere.insert(0, place);
                continue;
            }
            let reached = found.states;
            match found.is_complete && reached.len() as u64 == found.distinct {
                true => self.looked.exhausted.push(Visited {
                    label: place.label.clone(),
                    states: found.distinct,
                    is_reduced: false,
                    is_whole: true,
                }),
                false => {
                    // One is enough: each look takes its time.
                    self.elsewhere.retain(|other| other.label != place.label);
                    self.elsewhere.insert(0, place.clone());
                }
            }
            self.takes((place.universe, reached), found.dead);
        }
    }

    /// Learns from states that are reached; those that are dead are to be excluded, or else some that are made up.
    fn takes(&mut self, (universe, reached): (Universe, States), dead: States) {
        let reached = self.fitting(&reached);
        let count = match self.blocks.is_empty() {
            true => self.budget.made_up,
            false => self.budget.made_up / 4,
        };
        let made_up = match self.alive {
            Some(_) => dead,
            None => self.made_up(&universe, &reached, count),
        };
        self.looked.instances += 1;
        self.looked.states += reached.len() as u64;
        self.blocks.push(Block::new(universe, reached, made_up));
    }
}
