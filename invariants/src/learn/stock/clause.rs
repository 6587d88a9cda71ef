//! Clauses of a stock: where they are from, and what they exclude.

use super::super::cover::has;
use super::super::learner::Source;
use super::super::targets::Targets;
use super::diagrams::Made;

/// A clause of a stock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause(pub(super) Origin);

/// Where a clause is from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Origin {
    /// The frames of the learner.
    Learnt(Source),
    /// A frame of diagrams, by its number.
    Diagram(usize, Vec<usize>),
    /// A frame of clauses that say more than another one, by its number.
    Stronger(usize, Vec<usize>),
    /// A clause that supposes less than another one, by its number.
    General(usize),
}

/// What a clause excludes.
#[derive(Clone, Debug)]
pub struct Exclusion {
    /// The clause.
    pub clause: Clause,
    /// How intricate it is.
    pub cost: u32,
    /// For each of the blocks that were asked about, in ascending order, the made-up states in which it is false, a bit for each:
    /// also of states that were not asked about.
    pub excludes: Vec<Vec<u64>>,
}

impl Exclusion {
    /// Whether the clause, which was asked about some states, is false in one of these others in the same blocks.
    #[must_use]
    pub fn hits(&self, asked: &Targets, states: &Targets) -> bool {
        let mut blocks = asked.keys().zip(&self.excludes);
        blocks.any(|(block, words)| {
            let mut own = states.get(block).into_iter().flatten();
            own.any(|at| has(words, *at))
        })
    }

    pub(super) fn made(made: Made, origin: fn(usize, Vec<usize>) -> Origin) -> Self {
        Self {
            clause: Clause(origin(made.frame, made.literals)),
            cost: made.cost,
            excludes: made.excludes,
        }
    }
}
