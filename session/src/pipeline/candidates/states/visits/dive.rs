//! Searches that go deep from the start, in orders that are drawn, by machine code: they come to millions of states that are too far
//! for a search breadth first and too rare for random runs.

use std::sync::Arc;

use explorer::{Course, Question, Swarm, SwarmBounds};
use finite::Universe;
use interpreter::{Executor, Instance, Interrupt, Rows, State};
use ioa_lang::core::Invariant;

use super::visit::{Asked, Visitor, words};
use crate::pipeline::explore::{TimeLimit, swarm_starts};

/// So many searches are made in each round.
const SEARCHES: u64 = 128;
/// Of these each visits so many states at most; those of the next round are others, and longer.
const STATES_EACH: [u64; DIVES] = [10_000, 40_000];
/// So many rounds there are.
pub(in crate::pipeline::candidates::states) const DIVES: usize = 2;
/// For one state that takes about so much work, and so much for each candidate that is tested there.
const A_STATE: u64 = 1_000;
const A_TEST: u64 = 50;
/// How deep they go, in turn.
const DEPTHS: [usize; 4] = [16, 32, 64, 256];

/// How much the searches of an instance may take.
#[derive(Clone, Copy)]
pub(in crate::pipeline::candidates::states) struct DiveLimits {
    /// The round.
    pub(in crate::pipeline::candidates::states) round: usize,
    pub(in crate::pipeline::candidates::states) work: u64,
    pub(in crate::pipeline::candidates::states) seconds: f64,
    pub(in crate::pipeline::candidates::states) memory: u64,
}

/// The candidates that are false somewhere, by position, each with a state where it is.
type Refuted = Vec<(usize, State)>;

impl Visitor<'_> {
    /// The candidates that searches of an instance refute. Where its steps or the candidates have to be interpreted nothing is
    /// searched: that takes longer than random runs, which come as far.
    ///
    /// # Errors
    /// Why it cannot be searched.
    pub(in crate::pipeline::candidates::states) fn dive(
        &self,
        universe: &Universe,
        candidates: &[Invariant],
        limits: DiveLimits,
    ) -> Result<Refuted, String> {
        let mut model = self.bare.clone();
        model.invariants = candidates.to_vec();
        let plain = Instance::new(Arc::new(model), universe.clone());
        self.in_ranges((&plain, false), None, |packed| {
            self.dives((&plain, packed), candidates, limits)
        })
    }

    /// Searches an instance whose integers may outgrow their ranges: then what comes of it means nothing.
    fn dives(
        &self,
        (plain, packed): (&Instance, &Instance),
        candidates: &[Invariant],
        limits: DiveLimits,
    ) -> Result<Refuted, String> {
        let rows = Rows::new(packed, self.automaton);
        let mut executor = Executor::new(packed, self.automaton).map_err(words)?;
        executor.check_enumerable().map_err(words)?;
        let asked = Asked {
            candidates,
            ..Asked::default()
        };
        let (workers, is_native) = self.workers((packed, &rows), &None, asked)?;
        if !is_native {
            return Ok(Vec::new());
        }
        let limit = TimeLimit::new(packed.cancel(), Some(limits.seconds), self.host);
        let starts = swarm_starts(&mut executor, &rows);
        let starts = starts.map_err(|_: Interrupt| "its start states cannot be listed")?;
        let course = |seed: u64| Course {
            seed,
            depth: DEPTHS[seed as usize % DEPTHS.len()],
        };
        let states = STATES_EACH[limits.round];
        let each = states * (A_STATE + A_TEST * candidates.len() as u64);
        let first = limits.round as u64 * SEARCHES;
        let seeds = first..first + SEARCHES.min(limits.work / each);
        let courses: Vec<Course> = seeds.map(course).collect();
        let bounds = SwarmBounds {
            states,
            memory: limits.memory,
            deadlocks: false,
            first: false,
        };
        if starts.is_empty() || courses.is_empty() {
            return Ok(Vec::new());
        }
        let mut swarm = Swarm::new(workers, starts, &courses, bounds);
        while swarm.advance() && packed.range_overflows().is_empty() && !limit.is_over() {}
        drop(limit);
        let generated = swarm.dived().iter().map(|one| one.generated).sum();
        self.work
            .tested((swarm.states(), generated), candidates.len());
        let (own, other) = (packed.layout(self.automaton), plain.layout(self.automaton));
        let refuted = swarm.found().into_iter().filter_map(|found| {
            let Question::Invariant(at) = found.question else {
                return None;
            };
            let row = found.path.rows().last()?;
            Some((at, own.translated(&rows.state(row), other).ok()?))
        });
        Ok(refuted.collect())
    }
}
