//! The shortest fair lasso: a way to a component, and a cycle in it that contains all that it has to.

use super::condition::Case;
use super::cycle::{Knot, Patience, Within, roundabout, shortest};
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

/// The search for the shortest lasso gives up after it has visited this many places (nodes, with what is met and owed on the
/// way there), and as many more as there are steps in the graph.
const PATIENCE: usize = 1 << 21;

/// A component in which a cycle is looked for.
struct Open<'s, 'g> {
    within: Within<'s, 'g>,
    duties: Duties<'s, 'g>,
    /// Where cycles can begin, those that are reached with fewer steps first.
    knots: Vec<Knot>,
}

/// The shortest lasso with its cycle in one of some components, of which the nearest is the first; each is one in which a
/// fair execution of a case can go on forever. If looking for the shortest takes too long or is stopped, some lasso.
///
/// The search is for lassos of no steps, of one step, and so on: how much there is to look at depends on the length of the
/// shortest one, and not on how large the components are.
pub(super) fn lasso<'s>(
    product: &'s Product<'_>,
    tasks: &Tasks,
    components: &'s [(&Case, Component)],
    is_stopped: &dyn Fn() -> bool,
) -> Option<Lasso> {
    let (case, nearest) = components.first()?;
    let mut patience = Patience::new(PATIENCE + product.graph.steps(), is_stopped);
    let mut waiting = components.iter().peekable();
    let mut open: Vec<Open<'s, '_>> = Vec::new();
    for length in 0.. {
        while let Some((case, component)) = waiting.next_if(|(_, c)| c.depth <= length) {
            open.push(Open::new(product, tasks, case, component));
        }
        // Short cycles are the ones that are looked for quickly.
        for (cycle, one) in (0..=length).flat_map(|cycle| open.iter().map(move |one| (cycle, one)))
        {
            let stem = length - cycle;
            if let Some((knot, cycle)) = one.of_length((stem, cycle), &mut patience) {
                return Some(tied(product, knot.first, cycle, true));
            }
            if patience.is_lost() {
                let open = Open::new(product, tasks, case, nearest);
                return Some(open.some_lasso());
            }
        }
    }
    None
}

impl<'s, 'g> Open<'s, 'g> {
    fn new(product: &'s Product<'g>, tasks: &Tasks, case: &Case, component: &'s Component) -> Self {
        let knots = component.nodes.iter().flat_map(|&node| {
            let depth = product.depth(node);
            let alike = product.alike(node);
            let nearer = alike.filter(move |n| product.depth(*n) < depth);
            let firsts = nearer.chain(std::iter::once(node));
            firsts.map(move |first| Knot { first, node })
        });
        let mut knots: Vec<Knot> = knots.collect();
        knots.sort_by_key(|knot| product.depth(knot.first));
        Self {
            within: Within { product, component },
            duties: Duties::new(product, tasks, case, &component.nodes),
            knots,
        }
    }

    /// A lasso with so many steps before its cycle and so many in it, if there is none with fewer in all.
    fn of_length(
        &self,
        (stem, cycle): (usize, usize),
        patience: &mut Patience<'_>,
    ) -> Option<(Knot, Vec<Arrow>)> {
        if self.duties.len() > MOST {
            patience.lose();
            return None;
        }
        let depth = |knot: &Knot| self.within.product.depth(knot.first);
        let begin = self.knots.partition_point(|knot| depth(knot) < stem);
        let knots = self.knots[begin..].iter();
        for knot in knots.take_while(|knot| depth(knot) == stem) {
            patience.spend()?;
            let bound = (*knot, cycle + 1);
            if let Some(cycle) = shortest(&self.within, &self.duties, bound, patience) {
                return Some((*knot, cycle));
            }
            if patience.is_lost() {
                return None;
            }
        }
        None
    }

    /// Some lasso.
    fn some_lasso(&self) -> Lasso {
        let product = self.within.product;
        let nodes = self.within.component.nodes.iter().copied();
        let nearest = nodes.min_by_key(|node| product.depth(*node));
        let nearest = nearest.expect("a component has a node");
        let cycle = roundabout(&self.within, &self.duties, nearest);
        tied(product, nearest, cycle, false)
    }
}

/// The lasso of a way to a node and a cycle from there.
fn tied(product: &Product<'_>, knot: Node, cycle: Vec<Arrow>, is_shortest: bool) -> Lasso {
    Lasso {
        stem: product.depth(knot),
        path: product.path(knot, cycle),
        is_shortest,
    }
}
