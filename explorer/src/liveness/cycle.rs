//! Cycles within a component that contain all that they have to.

use rustc_hash::FxHashSet;

use super::duties::{Duties, MOST, Met};
use super::fair::Component;
use super::product::{Arrow, Node, Product};

/// The steps that stay in a component.
pub(super) struct Within<'w, 'g> {
    pub(super) product: &'w Product<'g>,
    pub(super) component: &'w Component,
}

impl Within<'_, '_> {
    /// The steps from a node that stay in the component, each with the number of its set of tasks.
    fn steps(&self, node: Node) -> impl Iterator<Item = (Arrow, u32)> {
        let steps = self.product.steps(node).enumerate();
        steps
            .filter(|(_, (to, _))| self.component.has(*to))
            .map(|(ordinal, (to, tasks))| (Arrow { ordinal, to }, tasks))
    }
}

/// Where a cycle begins and ends: at a node, in all rounds but the first, which begins at a node of the same state whose
/// pending bits may be others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Knot {
    pub(super) first: Node,
    pub(super) node: Node,
}

impl Knot {
    /// A cycle is the same in all rounds.
    fn of(node: Node) -> Self {
        Self { first: node, node }
    }
}

/// Where a search for a cycle is: at which node, in the first round and in all others, which duties are met on the way
/// there, and which have arisen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    first: Node,
    node: Node,
    met: Met,
    owed: Met,
}

impl Place {
    /// Where a cycle begins.
    fn at(duties: &Duties<'_, '_>, Knot { first, node }: Knot) -> Self {
        Self {
            first,
            node,
            met: duties.met_at(node),
            owed: duties.owed_anywhere() | duties.owed_at(node),
        }
    }

    /// The place after a step of some tasks.
    fn after(self, within: &Within<'_, '_>, duties: &Duties<'_, '_>, to: Node, tasks: u32) -> Self {
        let product = within.product;
        Self {
            first: product.next(self.first, product.state(to)),
            node: to,
            met: self.met | duties.met_by(tasks) | duties.met_at(to),
            owed: self.owed | duties.owed_at(to),
        }
    }

    fn is_settled(self) -> bool {
        self.owed & !self.met == 0
    }
}

/// How long a search goes on.
pub(super) struct Patience<'p> {
    /// How many more places it may visit.
    left: usize,
    /// Whether it was stopped from outside.
    is_stopped: &'p dyn Fn() -> bool,
}

/// Whether a search was stopped is asked once for this many places.
const BETWEEN_QUESTIONS: usize = 4096;

impl<'p> Patience<'p> {
    /// Patience for so many places, until the search is stopped.
    pub(super) fn new(places: usize, is_stopped: &'p dyn Fn() -> bool) -> Self {
        Self {
            left: places,
            is_stopped,
        }
    }

    /// Visits a place; `None` if there is no patience for it.
    pub(super) fn spend(&mut self) -> Option<()> {
        if self.left.is_multiple_of(BETWEEN_QUESTIONS) && (self.is_stopped)() {
            self.left = 0;
        }
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// Ends the search.
    pub(super) fn lose(&mut self) {
        self.left = 0;
    }

    /// Whether the search is at its end.
    pub(super) fn is_lost(&self) -> bool {
        self.left == 0
    }
}

/// A place that a breadth-first search has reached, and how.
struct Reached {
    place: Place,
    /// The position of the place before it, and the step.
    by: Option<(usize, Arrow)>,
}

/// The first of some places, breadth first from one, that is wanted, as the steps that lead there. There are fewer of them
/// than a bound, and no more places are visited than there is patience for.
fn nearest(
    within: &Within<'_, '_>,
    duties: &Duties<'_, '_>,
    (from, bound): (Place, usize),
    patience: &mut Patience<'_>,
    is_wanted: impl Fn(Place) -> bool,
) -> Option<(Vec<Arrow>, Place)> {
    if is_wanted(from) {
        return Some((Vec::new(), from));
    }
    let mut seen = FxHashSet::from_iter([from]);
    let mut reached = vec![Reached {
        place: from,
        by: None,
    }];
    let (mut at, mut steps, mut end_of_level) = (0, 1, 1);
    while at < reached.len() && steps < bound {
        let place = reached[at].place;
        for (arrow, tasks) in within.steps(place.node) {
            let next = place.after(within, duties, arrow.to, tasks);
            if !seen.insert(next) {
                continue;
            }
            patience.spend()?;
            reached.push(Reached {
                place: next,
                by: Some((at, arrow)),
            });
            if is_wanted(next) {
                return Some((way(&reached), next));
            }
        }
        at += 1;
        if at == end_of_level {
            end_of_level = reached.len();
            steps += 1;
        }
    }
    None
}

/// The steps that lead to the place that was reached last.
fn way(reached: &[Reached]) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    let mut last = reached.last();
    while let Some((before, arrow)) = last.and_then(|reached| reached.by) {
        arrows.push(arrow);
        last = reached.get(before);
    }
    arrows.reverse();
    arrows
}

/// The shortest cycle from a knot in which all duties that arise are met, if it has fewer steps than a bound.
pub(super) fn shortest(
    within: &Within<'_, '_>,
    duties: &Duties<'_, '_>,
    (knot, bound): (Knot, usize),
    patience: &mut Patience<'_>,
) -> Option<Vec<Arrow>> {
    let is_closed = |place: Place| (place.first, place.node) == (knot.node, knot.node);
    let is_wanted = |place: Place| is_closed(place) && place.is_settled();
    let from = Place::at(duties, knot);
    let (cycle, _) = nearest(within, duties, (from, bound), patience, is_wanted)?;
    Some(cycle)
}

/// A cycle from a node in which all duties are met that can arise in the component: it goes to the nearest place that
/// meets one more of them, as long as there is one to meet, and then back.
pub(super) fn roundabout(
    within: &Within<'_, '_>,
    duties: &Duties<'_, '_>,
    node: Node,
) -> Vec<Arrow> {
    let mut cycle = Vec::new();
    let mut last = node;
    let mut go = |duties: &Duties<'_, '_>, from: Place, is_wanted: &dyn Fn(Place) -> bool| {
        let mut patience = Patience::new(usize::MAX, &|| false);
        // Places do not differ in what is owed: all duties are.
        let from = Place {
            owed: duties.all(),
            ..from
        };
        let (arrows, place) = nearest(within, duties, (from, usize::MAX), &mut patience, is_wanted)
            .expect("each node of the component leads to each other, and all duties can be met");
        cycle.extend(arrows);
        place
    };
    for part in (0..duties.len())
        .step_by(MOST)
        .map(|from| duties.part(from))
    {
        let mut place = Place::at(&part, Knot::of(last));
        while place.met != part.all() {
            // What was met before does not matter on the way to what is met next.
            let met = place.met;
            place = go(&part, place, &|place| place.met & !met != 0);
        }
        last = place.node;
    }
    let none = duties.part(duties.len());
    go(&none, Place::at(&none, Knot::of(last)), &|place| {
        place.node == node
    });
    cycle
}
