//! The shortest fair lasso: a way to a component, and a cycle in it that contains all that it has to.

use super::condition::Case;
use super::cycle::{Knot, Within, roundabout, shortest};
use super::duties::{Duties, MOST};
use super::fair::Component;
use super::product::{Arrow, Node, Product};
use super::tasks::Tasks;
use crate::search::path::Path;

/// A fair execution that does not satisfy a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The states up to the one where the cycle begins, and then those of the cycle, which ends where it began.
    pub path: Path,
    /// How many steps there are before the cycle. If they are all steps, the execution stays in the last state forever.
    pub stem: usize,
    /// Whether it is known that no shorter path will do.
    pub is_shortest: bool,
}

/// The search for shorter cycles gives up after so many nodes with what is met and owed on the way there.
const PATIENCE: usize = 1 << 21;

/// The shortest of the lassos that were found so far.
pub(super) struct Shortest<'p, 'g> {
    product: &'p Product<'g>,
    tasks: &'p Tasks,
    best: Option<Found>,
    patience: usize,
}

struct Found {
    /// Where the cycle begins and ends.
    knot: Node,
    cycle: Vec<Arrow>,
    /// The number of steps.
    len: usize,
}

impl<'p, 'g> Shortest<'p, 'g> {
    pub(super) fn new(product: &'p Product<'g>, tasks: &'p Tasks) -> Self {
        Self {
            product,
            tasks,
            best: None,
            patience: PATIENCE,
        }
    }

    /// Looks for a shorter lasso with its cycle in a component, in which a fair execution of a case can go on forever.
    pub(super) fn consider(&mut self, case: &Case, component: &Component) {
        if self.gain(component.depth) == 0 {
            return;
        }
        let duties = Duties::new(self.product, self.tasks, case, &component.nodes);
        let within = Within {
            product: self.product,
            component,
        };
        if self.best.is_none() {
            let nodes = component.nodes.iter().copied();
            let nearest = nodes.min_by_key(|node| self.product.depth(*node));
            let nearest = nearest.expect("a component has a node");
            self.take(nearest, roundabout(&within, &duties, nearest));
        }
        if duties.len() > MOST {
            self.patience = 0;
        }
        for knot in self.knots(component) {
            let bound = self.gain(self.product.depth(knot.first));
            if bound == 0 || self.patience == 0 {
                return;
            }
            if let Some(cycle) = shortest(&within, &duties, (knot, bound), &mut self.patience) {
                self.take(knot.first, cycle);
            }
        }
    }

    /// Where cycles in a component can begin, those that are reached with fewer steps first.
    fn knots(&self, component: &Component) -> Vec<Knot> {
        let knots = component.nodes.iter().flat_map(|&node| {
            let depth = self.product.depth(node);
            let alike = self.product.alike(node);
            let nearer = alike.filter(move |n| self.product.depth(*n) < depth);
            let firsts = nearer.chain(std::iter::once(node));
            firsts.map(move |first| Knot { first, node })
        });
        let mut knots: Vec<Knot> = knots.collect();
        knots.sort_by_key(|knot| self.product.depth(knot.first));
        knots
    }

    /// With fewer steps than these a cycle at some depth makes a shorter lasso.
    fn gain(&self, depth: usize) -> usize {
        let len = self.best.as_ref().map_or(usize::MAX, |best| best.len);
        len.saturating_sub(depth)
    }

    fn take(&mut self, knot: Node, cycle: Vec<Arrow>) {
        let len = self.product.depth(knot) + cycle.len();
        if self.best.as_ref().is_none_or(|best| len < best.len) {
            self.best = Some(Found { knot, cycle, len });
        }
    }

    /// The shortest lasso, if there is one.
    pub(super) fn lasso(self) -> Option<Lasso> {
        let Found { knot, cycle, .. } = self.best?;
        Some(Lasso {
            stem: self.product.depth(knot),
            path: self.product.path(knot, cycle),
            is_shortest: self.patience > 0,
        })
    }
}
