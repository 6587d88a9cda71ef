//! The strongly connected components in which a fair execution of some case can go on forever.

use super::bits::Bits;
use super::components::{Components, Region};
use super::condition::Case;
use super::product::{Node, Product};
use super::tasks::Tasks;

/// Looks at components.
struct Judge<'p, 'g> {
    product: &'p Product<'g>,
    tasks: &'p Tasks,
    case: &'p Case,
    /// Tasks that are enabled in each node of the component.
    always: Bits,
    /// Tasks that are enabled in some node of the component.
    sometimes: Bits,
    /// Tasks to which steps within the component belong.
    taken: Bits,
}

/// What is found out of a component.
enum Judgement {
    /// A fair execution of the case can visit all its nodes again and again.
    Fair,
    /// No fair execution of the case stays in it.
    Unfair,
    /// A fair execution of the case that stays in it visits none of the nodes where these tasks are enabled.
    Without(Bits),
}

/// The nodes of a strongly connected component in which a fair execution can go on forever.
pub(super) struct Component {
    /// In the order of their numbers.
    pub(super) nodes: Vec<Node>,
    /// The number of steps on a shortest way to one of their states.
    pub(super) depth: usize,
}

impl Component {
    fn new(product: &Product<'_>, nodes: &[Node]) -> Self {
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        let alike = nodes.iter().flat_map(|node| product.alike(*node));
        let depths = alike.map(|node| product.depth(node));
        Self {
            depth: depths.min().unwrap_or(0),
            nodes,
        }
    }

    /// Whether a node is in it.
    pub(super) fn has(&self, node: Node) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }
}

/// All components in which a fair execution of a case can go on forever.
pub(super) fn fair_components(product: &Product<'_>, tasks: &Tasks, case: &Case) -> Vec<Component> {
    let allowed = |node: &&Node| {
        let mut ceasing = case.ceasing.iter();
        !ceasing.any(|literal| product.holds(*literal, **node))
    };
    let nodes: Vec<Node> = product.reached.iter().filter(allowed).copied().collect();
    let mut components = Components::new(product);
    let mut judge = Judge {
        product,
        tasks,
        case,
        always: Bits::none(tasks.count),
        sometimes: Bits::none(tasks.count),
        taken: Bits::none(tasks.count),
    };
    // 0 is no region.
    let mut region: Region = 1;
    for node in &nodes {
        components.region[*node as usize] = region;
    }
    let (mut fair, mut open) = (Vec::new(), vec![nodes]);
    while let Some(nodes) = open.pop() {
        components.each(&nodes, |regions, component| {
            region += 1;
            let within = region;
            component.iter().for_each(|n| regions[*n as usize] = within);
            match judge.judge(component, regions, within) {
                Judgement::Fair => fair.push(Component::new(product, component)),
                Judgement::Unfair => {}
                Judgement::Without(tasks) => {
                    let stays = |node: &&Node| {
                        let enabled = product.graph.enabled(product.state(**node));
                        !enabled.meets(&tasks)
                    };
                    let rest: Vec<Node> = component.iter().filter(stays).copied().collect();
                    region += 1;
                    rest.iter().for_each(|n| regions[*n as usize] = region);
                    open.push(rest);
                }
            }
        });
    }
    fair
}

impl Judge<'_, '_> {
    fn judge(&mut self, component: &[Node], regions: &[Region], within: Region) -> Judgement {
        let mut recurring = self.case.recurring.iter();
        let recurs = |literal| component.iter().any(|n| self.product.holds(literal, *n));
        if !recurring.all(|literal| recurs(*literal)) {
            return Judgement::Unfair;
        }
        self.collect(component, regions, within);
        self.always.intersect(&self.tasks.weak);
        self.always.subtract(&self.taken);
        if !self.always.is_empty() {
            return Judgement::Unfair;
        }
        self.sometimes.intersect(&self.tasks.strong);
        self.sometimes.subtract(&self.taken);
        match self.sometimes.is_empty() {
            true => Judgement::Fair,
            false => Judgement::Without(self.sometimes.clone()),
        }
    }

    /// Collects the tasks that are enabled in the nodes of a component, and those that take steps in it.
    fn collect(&mut self, component: &[Node], regions: &[Region], within: Region) {
        self.taken.clear();
        self.sometimes.clear();
        let first = self.product.state(component[0]);
        self.always.clone_from(self.product.graph.enabled(first));
        for &node in component {
            let enabled = self.product.graph.enabled(self.product.state(node));
            self.always.intersect(enabled);
            self.sometimes.unite(enabled);
            for (next, tasks) in self.product.steps(node) {
                if regions[next as usize] == within {
                    self.taken.unite(self.product.graph.set(tasks));
                }
            }
        }
    }
}
