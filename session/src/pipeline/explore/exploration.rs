//! What an exploration comes to, and why it ended.

use std::sync::Arc;

use explorer::Level;
use explorer::symmetry::{OrbitTotals, Symmetry};
use interpreter::Instance;
use ioa_lang::core::AutomatonId;

use super::super::liveness::Answer;
use super::orders::Orders;
use super::seen::{Never, Shown, Vacuous};
use super::swarm::Swarmed;
use crate::host::Stop;
use crate::interpretation::{Tried, World};

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All reachable states are visited.
    Complete,
    /// All states are visited but those behind steps that have no result.
    Stuck,
    /// There is no start state: nothing can be visited.
    NoStart,
    /// A finding was enough.
    Found,
    /// All states are visited within the formulas that it was to stay within, and what is reached from there: so many are
    /// outside.
    Outside(u64),
    /// All states are visited but those that are left out on purpose.
    Restricted(LeftOut),
    /// An execution that need not end, where executions are taken to their ends.
    Endless,
    /// All searches of a swarm came to their ends, which visit some states.
    Swarm,
    /// A bound on the depth.
    Depth,
    /// A bound on the number of states.
    States,
    /// A bound on the time.
    Time,
    /// All that goes on was stopped.
    Stopped(Stop),
    /// A bound on memory; whether the user set it.
    Memory(bool),
    /// All states are visited in the interpretations of the theories that were tried, and there are others.
    Interpretations(Others),
}

/// What a partial order reduction rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// How many labels of steps are told apart.
    pub labels: u64,
    /// How many pairs of them are independent though their footprints do not show it.
    pub refined: u64,
}

/// What a search leaves out on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Steps by actions that are restricted.
    Steps,
    /// States that differ from others in ignored variables alone.
    Differences,
    /// Both.
    Both,
}

/// Why interpretations of the theories are not tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// One was chosen.
    NotChosen,
    /// A file is wanted that holds one search.
    NotInFile,
    /// A finding was enough.
    Found,
    /// There are too many.
    TooMany,
}

/// What an exploration came to.
#[derive(Debug)]
pub struct Exploration {
    /// What was explored, the last one where there are several.
    pub world: World,
    /// The automaton.
    pub automaton: AutomatonId,
    /// The interpretations of the theories in which states were visited.
    pub tried: Tried,
    /// The symmetry by which it was reduced, if it was.
    pub symmetry: Option<Arc<Symmetry>>,
    /// The partial order reduction by which states were left out, if they were.
    pub reduced: Option<Reduction>,
    /// What the visited states stand for, where all were visited and symmetry takes states for one.
    pub orbit_totals: Option<OrbitTotals>,
    /// The invariants that were checked, by position in the model.
    pub invariants: Vec<usize>,
    /// Why it ended.
    pub ended: Ended,
    /// States that were visited.
    pub distinct: u64,
    /// Start states, and successors of states.
    pub generated: u64,
    /// What is interpreted though machine code was wanted, and why, one a line.
    pub interpreted: String,
    /// By depth.
    pub levels: Vec<Level>,
    /// States visited and not expanded.
    pub queue: u64,
    /// States in which inputs alone are enabled.
    pub quiescent: u64,
    /// Bytes in use at the end.
    pub memory: u64,
    /// Steps by transition clause.
    pub fired: Vec<u64>,
    /// The clauses that never fired.
    pub never: Vec<Never>,
    /// The implications that were never put to the test, if so few states were visited that all were looked at.
    pub vacuous: Vec<Vacuous>,
    /// What is known of the liveness properties that were asked for.
    pub liveness: Vec<Answer>,
    /// The variables that keep growing, where the search came to no end.
    pub growing: Vec<String>,
    /// What was found, shortest first.
    pub shown: Vec<Shown>,
    /// Wall time of the search, with what it took before it was taken up again.
    pub seconds: f64,
    /// How many states it began with when it was taken up again.
    pub resumed: Option<u64>,
    /// Where it is kept, or why it is not, if it was to be kept and can go on.
    pub kept: Option<Result<String, String>>,
    /// What is known of executions, where they were taken one by one instead of visiting states.
    pub orders: Option<Orders>,
    /// What is known of the searches of a swarm, where not all states were to be visited.
    pub swarm: Option<Swarmed>,
    /// The graph of the states, or why there is none, if it is wanted.
    pub graph: Option<Result<String, String>>,
}

impl Exploration {
    /// How many states there are, as far as is known: those for which visited ones stand are counted, if all were visited.
    #[must_use]
    pub fn states(&self) -> u64 {
        number(self.all().states)
    }

    /// How many start states, and successors of these states, there are.
    #[must_use]
    pub fn successors(&self) -> u64 {
        number(self.all().generated).saturating_add(self.starts())
    }

    /// In how many of these states inputs alone are enabled.
    #[must_use]
    pub fn resting(&self) -> u64 {
        number(self.all().quiescent)
    }

    /// The visited states and steps or, where they stand for others, all.
    pub(super) fn all(&self) -> OrbitTotals {
        self.orbit_totals.unwrap_or_else(|| OrbitTotals {
            states: self.distinct.into(),
            generated: (self.generated - self.starts()).into(),
            quiescent: self.quiescent.into(),
        })
    }

    fn starts(&self) -> u64 {
        self.generated - self.levels.iter().map(|level| level.generated).sum::<u64>()
    }
}

/// A number that is told, which may be greater than any that can be.
fn number(of: u128) -> u64 {
    u64::try_from(of).unwrap_or(u64::MAX)
}

/// What there is before anything is visited.
pub(super) fn nothing(
    instance: &Arc<Instance>,
    automaton: AutomatonId,
    invariants: Vec<usize>,
) -> Exploration {
    Exploration {
        world: World::only(instance),
        automaton,
        tried: Tried::ONE,
        symmetry: None,
        reduced: None,
        orbit_totals: None,
        invariants,
        ended: Ended::Found,
        distinct: 0,
        generated: 0,
        interpreted: String::new(),
        levels: Vec::new(),
        queue: 0,
        quiescent: 0,
        memory: 0,
        fired: Vec::new(),
        never: Vec::new(),
        vacuous: Vec::new(),
        liveness: Vec::new(),
        growing: Vec::new(),
        shown: Vec::new(),
        seconds: 0.0,
        resumed: None,
        kept: None,
        orders: None,
        swarm: None,
        graph: None,
    }
}
