//! The way to a state: nothing is stored for it, it is found again, level by level from its end.

use interpreter::trace::{Step, Trace};
use interpreter::{Batch, Executor, Interrupt, Rows, State, Successors};

use crate::search::{Finding, Search};

/// The states of a level that are expanded at once, in search of a predecessor.
const AT_ONCE: usize = 64;

/// What stands for a row: the row itself, or one that a symmetry makes of it.
pub type Canonical<'c> = dyn Fn(&mut [u64]) + 'c;

impl<S: Successors> Search<S> {
    /// The rows on a shortest way from a start state to what was found; of several states that lead to one, the first in
    /// the order in which the visited ones stand is taken.
    ///
    /// Each level before that of the state is expanded once more.
    pub fn path(&mut self, finding: &Finding) -> Vec<Vec<u64>> {
        let mut path = vec![finding.state.clone()];
        for level in (0..finding.depth).rev() {
            let last = path.last().expect("the state itself");
            let before = self.predecessor(&last.clone(), level);
            path.push(before.expect("a state of a level follows from one of the level before"));
        }
        path.reverse();
        path
    }

    /// The first state of a level from which a step leads to a row.
    fn predecessor(&mut self, target: &[u64], level: usize) -> Option<Vec<u64>> {
        let width = self.visited.width;
        let worker = &mut self.workers[0];
        let mut batch = Batch::default();
        let mut rows = Vec::new();
        for shard in &self.visited.shards {
            let positions = shard.level(level);
            for at in positions.clone().step_by(AT_ONCE) {
                rows.clear();
                let end = positions.end.min(at + AT_ONCE);
                shard.states.read(at..end, &mut rows);
                let found = first_before(&mut worker.steps, &rows, target, &mut batch);
                if let Some(at) = found {
                    return Some(rows[at * width..][..width].to_vec());
                }
            }
        }
        None
    }
}

/// The first of some states from which a step leads to a row.
fn first_before(
    steps: &mut impl Successors,
    mut rows: &[u64],
    target: &[u64],
    batch: &mut Batch,
) -> Option<usize> {
    let width = target.len();
    let mut skipped = 0;
    loop {
        let result = steps.expand(rows, batch);
        let found = batch.words.chunks_exact(width).position(|r| r == target);
        if let Some(successor) = found {
            let before = batch.ends.partition_point(|end| *end as usize <= successor);
            return Some(skipped + before);
        }
        let stuck = result.err()?.0 + 1;
        skipped += stuck;
        rows = &rows[stuck * width..];
    }
}

/// The execution that visits some rows, or rows for which they stand, with its actions and choices.
///
/// # Errors
/// What keeps a step from being taken; nothing does on a way that a search has found.
pub fn execution(
    executor: &mut Executor<'_>,
    rows: &Rows<'_>,
    path: &[Vec<u64>],
    canonical: &Canonical<'_>,
) -> Result<Option<Trace>, Interrupt> {
    let stands_for = |state: &State| {
        let mut row = Vec::new();
        rows.push(state, &mut row);
        canonical(&mut row);
        row
    };
    let Some((first, others)) = path.split_first() else {
        return Ok(None);
    };
    let starts = executor.starts()?.into_iter();
    let Some(start) = starts.map(|o| o.state).find(|s| stands_for(s) == *first) else {
        return Ok(None);
    };
    let mut trace = Trace {
        automaton: executor.automaton(),
        start,
        steps: Vec::new(),
    };
    for row in others {
        let state = trace.last().clone();
        match step_to(executor, &state, &|after| stands_for(after) == *row)? {
            Some(step) => trace.steps.push(step),
            None => return Ok(None),
        }
    }
    Ok(Some(trace))
}

/// The first step from a state to one that is wanted.
fn step_to(
    executor: &mut Executor<'_>,
    state: &State,
    is_wanted: &dyn Fn(&State) -> bool,
) -> Result<Option<Step>, Interrupt> {
    for firing in executor.enabled(state)? {
        for outcome in executor.outcomes(state, &firing)? {
            if is_wanted(&outcome.state) {
                return Ok(Some(Step {
                    firing,
                    choices: outcome.choices,
                    state: outcome.state,
                }));
            }
        }
    }
    Ok(None)
}
