//! Symmetry: of all states that differ in the names of interchangeable elements alone, a search need visit one.
//!
//! The elements of a sort have no names in a model: the core has no constants for them (but in schedules, which a search
//! does not read). All that could tell two of them apart in a finite instance is an operator of a theory: an order, or a
//! table of an operator that axioms alone describe. So *interchangeable* are two elements if each such operator in the
//! automaton and in what is asked of it stays as it is when they change places ([`SortSymmetry`] says which are, and why
//! others are not). A sort of groups is permuted along with the members: membership stays as it is too.
//!
//! Let a permutation π rename elements within such classes. By induction over terms, a term's value in the state π(s),
//! with its bound variables renamed by π, is π of its value in s: state variables and bound variables by assumption,
//! theories' operators by the choice of the classes, all built-in operators because they compare elements for equality
//! alone. Quantifiers and comprehensions range over all values of a type, which π permutes; sizes and counts stay as
//! they are. The same holds for statements: `choose` may take any value that satisfies its predicate, the order in
//! which `for` takes the elements cannot matter (the front end checks it), and determinators only say how a run
//! chooses. It follows:
//!
//! - π(s) is a start state if s is; there is a step from π(s) to π(t) by a clause if there is one from s to t by it;
//! - a step, or an invariant, is undefined in π(s) if it is in s;
//! - an invariant, deadlock, a formula that is looked for hold in π(s) if they do in s.
//!
//! So a search that replaces each state by the representative of its orbit visits the representatives of all reachable
//! states, each at the depth at which the first state of its orbit would be, and its answers are those of the full
//! search. A way through representatives is made one through states by [`label`](crate::label()): from a state in
//! the orbit of a representative, there is a step to a state in the orbit of the next. (Clarke, Emerson, Jha, Sistla,
//! "Symmetry reductions in model checking", 1998; Ip and Dill, "Better verification through symmetry", 1996, whose
//! scalarsets are such sorts.)

mod alone;
mod bits;
mod canonical;
mod colour;
mod interchangeable;
mod orbits;
mod partition;
mod renaming;
mod structure;
mod totals;
mod variable;
mod wide;

use std::collections::BTreeSet;

use interpreter::Instance;
use ioa_lang::core::{AutomatonId, SortId};

pub use interchangeable::{MAX_ELEMENTS, Obstacle, SortSymmetry};
pub use orbits::Orbits;
pub use totals::OrbitTotals;

use alone::Alone;
use colour::{Colours, mix};
use partition::Partition;
use renaming::{Groups, Renaming};
use variable::Variable;

/// Where a state stands for fewer, a search of all states may be as fast. (See "Symmetry" in `docs/performance.md`.)
const WORTH: f64 = 60.0;
/// The same where representatives are found by sorting alone.
const WORTH_SORTING: f64 = 8.0;

/// If there are more ways of renaming, nobody counts states: their number might be greater than any that can be stored.
const MOST_COUNTED: u128 = 1 << 120;

/// The symmetry of an automaton's states.
#[derive(Debug)]
pub struct Symmetry {
    sorts: Vec<SortSymmetry>,
    /// The variables in which there are interchangeable elements.
    variables: Vec<Variable>,
    /// The interchangeable elements, class after class.
    points: Vec<(SortId, u64)>,
    /// Their classes.
    partition: Partition,
    /// What a state says of each without naming another.
    alone: Alone,
    /// For each point, how it changes places with each point after it in its class.
    swaps: Vec<Vec<Renaming>>,
    /// The sorts of groups of them.
    groups: Vec<Groups>,
    /// By sort, colours for the elements that no other can take the place of.
    fixed: Colours,
    identity: Renaming,
}

impl Symmetry {
    /// Finds out which elements an automaton and these invariants, by their positions in the model, cannot tell apart.
    #[must_use]
    pub fn of(instance: &Instance, automaton: AutomatonId, invariants: &[usize]) -> Self {
        let (model, universe) = (instance.model(), instance.universe());
        let sorts = interchangeable::of(instance, automaton, invariants);
        let identity = Renaming::identity(model, universe);
        let reduced = sorts.iter().filter(|s| !s.classes.is_empty());
        let groups = reduced.flat_map(|s| Groups::over(model, universe, s.sort));
        let groups: Vec<Groups> = groups.collect();
        let (mut points, mut start, mut swaps) = (Vec::new(), Vec::new(), Vec::new());
        for of in &sorts {
            for class in &of.classes {
                start.extend(std::iter::repeat_n(points.len(), class.len()));
                points.extend(class.iter().map(|element| (of.sort, *element)));
                for (n, a) in class.iter().enumerate() {
                    let behind = class[n + 1..].iter();
                    let swap = |b: &u64| identity.clone().swap(of.sort, (*a, *b), &groups);
                    swaps.push(behind.map(swap).collect());
                }
            }
        }
        let is_moved = |sort: SortId| {
            let is_group = groups.iter().any(|g| g.sort == sort);
            is_group || points.iter().any(|(s, _)| *s == sort)
        };
        let layout = instance.layout(automaton);
        let variables = layout
            .ids()
            .filter_map(|v| Variable::of((model, universe), (layout, v), &is_moved));
        let variables: Vec<Variable> = variables.collect();
        let colours = (0..model.sorts.len()).map(|sort| {
            let elements = 0..universe.size(SortId::at(sort));
            elements.map(|e| mix(e, 4 + sort as u64)).collect()
        });
        Self {
            alone: Alone::new(&points, &variables),
            variables,
            partition: Partition::new(start),
            fixed: colours.collect(),
            sorts,
            points,
            swaps,
            groups,
            identity,
        }
    }

    /// What is known about each sort whose elements, or groups of them, are in the states.
    #[must_use]
    pub fn sorts(&self) -> &[SortSymmetry] {
        &self.sorts
    }

    /// The number of ways of renaming: at most so many states have one representative.
    #[must_use]
    pub fn order(&self) -> u128 {
        let classes = self.sorts.iter().flat_map(|s| &s.classes);
        classes.fold(1, |order: u128, class| {
            let ways = 1..=class.len() as u128;
            ways.fold(order, u128::saturating_mul)
        })
    }

    /// Whether it can be counted for how many states representatives stand: there are not too many ways of renaming.
    #[must_use]
    pub fn has_counts(&self) -> bool {
        self.order() <= MOST_COUNTED
    }

    /// Whether representatives are found by sorting, which takes less time than to compare ways of renaming.
    #[must_use]
    pub fn is_sorting(&self) -> bool {
        self.alone.is_all()
    }

    /// Whether a search may be faster by representatives: there are enough ways of renaming, and not too many to count the states.
    /// What is done with each state takes so many times as long as to visit it.
    #[must_use]
    pub fn can_pay(&self, beside: f64) -> bool {
        // Where nothing is done, to visit a representative takes as long as to visit so many states.
        let enough = (self.worth() + beside) / (1.0 + beside);
        // No state can stand for more.
        self.order() as f64 >= enough && self.has_counts()
    }

    /// Whether a search is faster by representatives, judged by some of the rows.
    #[must_use]
    pub fn pays(&self, rows: impl Iterator<Item = impl AsRef<[u64]>>) -> bool {
        self.gain(rows) >= self.worth()
    }

    /// For how many others a state must stand on average for a search to be as fast as without.
    fn worth(&self) -> f64 {
        match self.is_sorting() {
            true => WORTH_SORTING,
            false => WORTH,
        }
    }

    /// All rows that renaming makes of one.
    #[must_use]
    pub fn orbit(&self, row: &[u64]) -> BTreeSet<Vec<u64>> {
        let mut orbit = BTreeSet::from([row.to_vec()]);
        let mut open = vec![row.to_vec()];
        while let Some(row) = open.pop() {
            // Neighbours changing places make all permutations.
            for swap in self.swaps.iter().filter_map(|swaps| swaps.first()) {
                let mut renamed = row.clone();
                self.rename(&mut renamed, swap);
                if orbit.insert(renamed.clone()) {
                    open.push(renamed);
                }
            }
        }
        orbit
    }
}
