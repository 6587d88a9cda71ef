//! What the cycle of a lasso has to contain.

use super::bits::Bits;
use super::condition::{Case, Literal};
use super::product::{Node, Product};
use super::tasks::Tasks;

/// The duties that are met, a bit each.
pub(super) type Met = u128;

/// At most so many duties are looked after at once.
pub(super) const MOST: usize = Met::BITS as usize;

/// Something that a cycle has to contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    /// A node of which a literal is true.
    Recurs(Literal),
    /// A step of a weakly fair task, or a node where it is disabled.
    Served(usize),
    /// A step of a strongly fair task, if there is a node where it is enabled.
    Taken(usize),
}

/// What a cycle within some component has to contain.
pub(super) struct Duties<'p, 'g> {
    product: &'p Product<'g>,
    duties: Vec<Duty>,
}

impl<'p, 'g> Duties<'p, 'g> {
    /// The duties in a component. A task that is disabled wherever a cycle can go makes none.
    pub(super) fn new(
        product: &'p Product<'g>,
        tasks: &Tasks,
        case: &Case,
        component: &[Node],
    ) -> Self {
        let mut enabled = Bits::none(tasks.count);
        for node in component {
            enabled.unite(product.graph.enabled(product.state(*node)));
        }
        let [mut weak, mut strong] = [&tasks.weak, &tasks.strong].map(Bits::clone);
        weak.intersect(&enabled);
        strong.intersect(&enabled);
        let recurring = case.recurring.iter().copied().map(Duty::Recurs);
        let weak = weak.iter().map(Duty::Served);
        let strong = strong.iter().map(Duty::Taken);
        Self {
            product,
            duties: recurring.chain(weak).chain(strong).collect(),
        }
    }

    /// The number of duties.
    pub(super) fn len(&self) -> usize {
        self.duties.len()
    }

    /// Some of the duties, which follow each other.
    pub(super) fn part(&self, from: usize) -> Self {
        let to = self.len().min(from + MOST);
        Self {
            product: self.product,
            duties: self.duties[from..to].to_vec(),
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> Met {
        match self.len() {
            MOST => Met::MAX,
            len => (1 << len) - 1,
        }
    }

    /// The duties that being at a node meets. Those of strongly fair tasks are met without a step only while they are
    /// disabled everywhere on the cycle; see [`owed`](Self::owed).
    pub(super) fn met_at(&self, node: Node) -> Met {
        let enabled = self.product.graph.enabled(self.product.state(node));
        self.those(|duty| match duty {
            Duty::Recurs(literal) => self.product.holds(literal, node),
            Duty::Served(task) => !enabled.has(task),
            Duty::Taken(_) => false,
        })
    }

    /// The duties that a step of some tasks meets.
    pub(super) fn met_by(&self, tasks: u32) -> Met {
        let tasks = self.product.graph.set(tasks);
        self.those(|duty| match duty {
            Duty::Recurs(_) => false,
            Duty::Served(task) | Duty::Taken(task) => tasks.has(task),
        })
    }

    /// The duties of strongly fair tasks that arise from being at a node, where they are enabled.
    pub(super) fn owed_at(&self, node: Node) -> Met {
        let enabled = self.product.graph.enabled(self.product.state(node));
        self.those(|duty| matches!(duty, Duty::Taken(task) if enabled.has(task)))
    }

    /// The duties that arise wherever a cycle goes.
    pub(super) fn owed_anywhere(&self) -> Met {
        self.those(|duty| !matches!(duty, Duty::Taken(_)))
    }

    fn those(&self, is_one: impl Fn(Duty) -> bool) -> Met {
        let duties = self.duties.iter().enumerate();
        let ones = duties.filter(|(_, duty)| is_one(**duty));
        ones.fold(0, |met, (position, _)| met | 1 << position)
    }
}
