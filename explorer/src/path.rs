//! The way to a state: nothing is stored for it, it is found again, level by level from its end.

use std::ops::ControlFlow;

use interpreter::trace::{Step, Trace};
use interpreter::{Batch, Executor, Interrupt, Rows, State, Successors};

use crate::search::{Finding, Search};

/// The states of a level that are expanded at once, in search of a predecessor.
const AT_ONCE: usize = 256;

/// What stands for a row: the row itself, or one that a symmetry makes of it.
pub type Canonical<'c> = dyn Fn(&mut [u64]) + 'c;

impl<S: Successors> Search<S> {
    /// The rows on a shortest way from a start state to what was found; of several states that lead to one, the first in
    /// the order in which the visited ones stand is taken. None where a state follows from none of the level before,
    /// which only a search that was taken up from made-up words can say.
    ///
    /// Each level before that of the state is expanded once more, as far as it was.
    pub fn path(&mut self, finding: &Finding) -> Option<Vec<Vec<u64>>> {
        let mut path = vec![finding.state.clone()];
        for level in (0..finding.depth).rev() {
            let before = self.predecessor(path.last()?, level)?;
            path.push(before);
        }
        path.reverse();
        Some(path)
    }

    /// The first state of a level from which a step leads to a row.
    fn predecessor(&mut self, target: &[u64], level: usize) -> Option<Vec<u64>> {
        let width = self.visited.width;
        let steps = &mut self.workers[0].steps;
        let (mut batch, mut rows) = (Batch::default(), Vec::new());
        let expanded = match level == self.progress.depth() {
            true => self.progress.expanded,
            false => self.visited.level_len(level),
        };
        for at in (0..expanded).step_by(AT_ONCE) {
            rows.clear();
            let positions = at..expanded.min(at + AT_ONCE);
            self.visited.copy(level, positions, &mut rows);
            if let Some(at) = first_before(steps, &rows, target, &mut batch) {
                return Some(rows[at * width..][..width].to_vec());
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
        let stuck = result.err()?.state + 1;
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
    let Some(start) = start_to(executor, &|start| stands_for(start) == *first)? else {
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

/// The first start state that is wanted.
fn start_to(
    executor: &mut Executor<'_>,
    is_wanted: &dyn Fn(&State) -> bool,
) -> Result<Option<State>, Interrupt> {
    let mut found = None;
    let _ = executor.each_start(&mut |_, state| match is_wanted(state) {
        true => {
            found = Some(state.clone());
            ControlFlow::Break(())
        }
        false => ControlFlow::Continue(()),
    })?;
    Ok(found)
}

/// The first step from a state to one that is wanted.
fn step_to(
    executor: &mut Executor<'_>,
    state: &State,
    is_wanted: &dyn Fn(&State) -> bool,
) -> Result<Option<Step>, Interrupt> {
    for firing in executor.enabled(state)? {
        let mut found = None;
        let _ = executor.each_outcome(state, &firing, &mut |choices, after| {
            if !is_wanted(after) {
                return ControlFlow::Continue(());
            }
            found = Some(Step {
                firing: firing.clone(),
                choices: choices.to_vec(),
                state: after.clone(),
            });
            ControlFlow::Break(())
        })?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
