//! Liveness on finite instances: is there a fair execution that violates a temporal formula?
//!
//! ```text
//! steps --Graph--> states, edges, tasks --Product--> states with pending bits --fair--> components --lasso--> an execution
//! ```
//!
//! A [`Graph`] has all reachable states, with the steps between them and the tasks that each step belongs to. The
//! negation of a temporal formula is a disjunction of [`Case`](condition::Case)s: each says what happens infinitely often,
//! and what no longer happens from some point on. Whether `P leads to Q` is kept shows in one bit more of a state: that
//! there was a state with `P` and none with `Q` since. A case and the fairness of the tasks together are a condition of
//! Streett's form, and some execution satisfies it if and only if a strongly connected component does, from which states
//! are removed that strongly fair tasks forbid (Emerson and Lei, Modalities for model checking, 1987; Lichtenstein and
//! Pnueli, Checking that finite state concurrent programs satisfy their linear specification, 1985).
//!
//! An execution may *stutter*: from some point on it may do nothing, if fairness allows it. So every state has a step to
//! itself that belongs to no task, and a finite execution counts as one that stays in its last state forever. Stuttering
//! is fair where no weakly fair task is enabled: in particular the environment need not give inputs.
//!
//! Nothing here calls itself, so that the length of executions is bounded by memory alone.

mod bits;
mod components;
mod condition;
mod cycle;
mod duties;
mod fair;
mod graph;
mod index;
mod lasso;
mod product;
mod tasks;

use crate::search::path::Path;

pub use bits::Bits;
pub use condition::TooManyCases;
pub use graph::{Graph, Growth, Limits, Stopped};
pub use lasso::Lasso;
pub use tasks::{TaskSets, Tasks};

use condition::{Case, cases};
use fair::{Component, fair_components};
use lasso::lasso;
use product::Product;

/// There are at most so many states with pending bits.
const MOST_NODES: u64 = 1 << 30;

/// A shortest way through a graph to one of its states, by its position.
#[must_use]
pub fn way(graph: &Graph, state: usize) -> Path {
    Product::new(graph, Vec::new(), &[]).path(state as u32, Vec::new())
}

/// A fair execution through the states of a graph for which a temporal formula over facts is false, if there is one. The
/// facts are given by the states in which they hold. Where the search is stopped, it still gives an execution that it has found,
/// which need not be the shortest one.
///
/// # Errors
/// The formula is too large.
pub fn violation(
    graph: &Graph,
    tasks: &Tasks,
    formula: &ioa_lang::core::Temporal<usize>,
    facts: &[Bits],
    is_stopped: &dyn Fn() -> bool,
) -> Result<Option<Lasso>, TooManyCases> {
    let cases = cases(formula)?;
    if (graph.states() as u64) << cases.pending.len() > MOST_NODES {
        return Err(TooManyCases);
    }
    let product = Product::new(graph, cases.pending, facts);
    let mut found: Vec<(&Case, Component)> = Vec::new();
    for case in &cases.all {
        let components = fair_components(&product, tasks, case);
        found.extend(components.into_iter().map(|component| (case, component)));
    }
    found.sort_by_key(|(_, component)| component.depth);
    Ok(lasso(&product, tasks, &found, is_stopped))
}
