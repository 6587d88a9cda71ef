//! The way to a state: nothing is stored for it, it is found again, level by level from its end, among the successors
//! that the search's own engine gives. The labels of its steps are then read from the labelled relation.

use std::fmt;

use interpreter::trace::Trace;
use interpreter::{Batch, Interrupt, Rows, State, Step, Successors, TransitionSystem};

use crate::search::{Finding, Search};

/// The states of a level that are expanded at once, in search of a predecessor.
const AT_ONCE: usize = 256;

/// What stands for a row: the row itself, or one that a symmetry makes of it.
pub type Canonical<'c> = dyn Fn(&mut [u64]) + 'c;

/// A way from a start state through the states that a search has visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The name of the engine that found the successors.
    pub engine: &'static str,
    /// The row of the start state.
    pub start: Vec<u64>,
    /// The steps, in order.
    pub steps: Vec<PathStep>,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// Which of the successors of the state before it this is, counted from 0. It determines the label of the step, unless
    /// a symmetry has replaced the state before by another one.
    pub ordinal: usize,
    /// The row of the successor.
    pub row: Vec<u64>,
}

impl Path {
    /// The rows of all states, the start state's first.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[u64]> {
        let steps = self.steps.iter().map(|step| &step.row[..]);
        std::iter::once(&self.start[..]).chain(steps)
    }
}

impl<S: Successors> Search<S> {
    /// A shortest way from a start state to what was found; of several states that lead to one, the first in the order in
    /// which the visited ones stand is taken. None if a state follows from no state of the level before,
    /// which can happen only in a search that was resumed from forged words.
    ///
    /// Each level before that of the state is expanded once more, as far as it was.
    pub fn path(&mut self, finding: &Finding) -> Option<Path> {
        let (mut row, mut steps) = (finding.state.clone(), Vec::new());
        for level in (0..finding.depth).rev() {
            let (before, ordinal) = self.predecessor(&row, level)?;
            let row = std::mem::replace(&mut row, before);
            steps.push(PathStep { ordinal, row });
        }
        steps.reverse();
        Some(Path {
            engine: self.workers[0].steps.engine(),
            start: row,
            steps,
        })
    }

    /// The first state of a level from which a step leads to a row, and which of its successors that is.
    fn predecessor(&mut self, target: &[u64], level: usize) -> Option<(Vec<u64>, usize)> {
        let width = self.visited.width;
        let (mut batch, mut rows) = (Batch::default(), Vec::new());
        let expanded = match level == self.progress.depth() {
            true => self.progress.expanded,
            false => self.level_len(level),
        };
        for at in (0..expanded).step_by(AT_ONCE) {
            rows.clear();
            let positions = at..expanded.min(at + AT_ONCE);
            self.layers.read(&self.visited, level, positions, &mut rows);
            let steps = &mut self.workers[0].steps;
            if let Some((at, ordinal)) = first_before(steps, &rows, target, &mut batch) {
                return Some((rows[at * width..][..width].to_vec(), ordinal));
            }
        }
        None
    }
}

/// The position of the first of some states from which a step leads to a row, and which of its successors that is.
fn first_before(
    steps: &mut impl Successors,
    mut rows: &[u64],
    target: &[u64],
    batch: &mut Batch,
) -> Option<(usize, usize)> {
    let width = target.len();
    let mut skipped = 0;
    loop {
        let result = steps.expand(rows, batch);
        let found = batch.words.chunks_exact(width).position(|r| r == target);
        if let Some(successor) = found {
            let before = batch.ends.partition_point(|end| *end as usize <= successor);
            let begin = before.checked_sub(1).map_or(0, |last| batch.ends[last]);
            return Some((skipped + before, successor - begin as usize));
        }
        let stuck = result.err()?.state + 1;
        skipped += stuck;
        rows = &rows[stuck * width..];
    }
}

/// What is known of the execution along a path.
#[derive(Debug)]
pub struct Labelled {
    /// The execution with its labels, as far as both engines agree; none if they disagree on the start state.
    pub trace: Option<Trace>,
    /// Where they disagree, if they do.
    pub disagreement: Option<Box<Disagreement>>,
}

/// Two engines that should compute the same steps do not: a mistake in one of them, never a property of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// Which engine took the step.
    pub finder: &'static str,
    /// Which engine says something else.
    pub judge: &'static str,
    /// The number of the step, from 1; 0 for the start state.
    pub step: usize,
    /// The state before the step; none for the start state.
    pub before: Option<State>,
    /// The state that the first engine found.
    pub found: State,
    /// What the other one has in its place.
    pub instead: Instead,
}

/// What one engine has where the other one has a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Instead {
    /// No step, or no start state, that leads there.
    Nothing,
    /// By the label of the step, another state.
    Step(Step),
    /// No result at all.
    Interrupt(Interrupt),
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { finder, judge, .. } = self;
        match self.step {
            0 => write!(f, "{finder} found a start state for which {judge} has ")?,
            step => write!(
                f,
                "{finder} took step {step} to a state for which {judge} has "
            )?,
        }
        match &self.instead {
            Instead::Nothing => write!(f, "none"),
            Instead::Step(_) => write!(f, "another one, by the same label"),
            Instead::Interrupt(_) => write!(f, "no result"),
        }
    }
}

/// Gives the steps of a path their labels, from a labelled transition system of the same automaton.
///
/// Where no symmetry has replaced states by others, the label of a step is the one with its ordinal, and the successor by
/// it has to be the state that the search holds. Behind a symmetry it is the first one that leads to a state for which
/// the path's row stands. Whatever does not fit is a disagreement, which takes nothing away from the path.
pub fn label(
    path: &Path,
    system: &mut dyn TransitionSystem,
    rows: &Rows<'_>,
    symmetry: Option<&Canonical<'_>>,
) -> Labelled {
    let labels = Labels {
        path,
        rows,
        symmetry,
    };
    match system.first_start(&mut |state| labels.stands_for(state, &path.start)) {
        Ok(Some(start)) => labels.onward(start, system),
        other => {
            let instead = other.err().map_or(Instead::Nothing, Instead::Interrupt);
            let at = (0, None, &path.start[..]);
            Labelled {
                trace: None,
                disagreement: Some(labels.disagreement(system.engine(), at, instead)),
            }
        }
    }
}

/// Gives labels to the steps of a path that begins in a state that need not be a start state, as [`label`] does.
pub fn label_onward(path: &Path, system: &mut dyn TransitionSystem, rows: &Rows<'_>) -> Labelled {
    let labels = Labels {
        path,
        rows,
        symmetry: None,
    };
    labels.onward(rows.state(&path.start), system)
}

/// What gives labels to the steps of a path.
struct Labels<'l, 'i> {
    path: &'l Path,
    rows: &'l Rows<'i>,
    symmetry: Option<&'l Canonical<'l>>,
}

impl Labels<'_, '_> {
    /// Whether a row of the path stands for a state.
    fn stands_for(&self, state: &State, row: &[u64]) -> bool {
        let mut own = Vec::new();
        self.rows.push(state, &mut own);
        if let Some(canonical) = self.symmetry {
            canonical(&mut own);
        }
        own == row
    }

    /// The report that an engine disagrees about a row: the number of the step that leads to it, the state before that step,
    /// and the row.
    fn disagreement(
        &self,
        judge: &'static str,
        (step, before, row): (usize, Option<State>, &[u64]),
        instead: Instead,
    ) -> Box<Disagreement> {
        Box::new(Disagreement {
            finder: self.path.engine,
            judge,
            step,
            before,
            found: self.rows.state(row),
            instead,
        })
    }

    /// The steps from a state on for which the first row stands.
    fn onward(&self, start: State, system: &mut dyn TransitionSystem) -> Labelled {
        let mut trace = Trace {
            automaton: system.automaton(),
            start,
            steps: Vec::new(),
        };
        let mut disagreement = None;
        for (PathStep { ordinal, row }, number) in self.path.steps.iter().zip(1..) {
            let before = trace.last().clone();
            let step = match self.symmetry {
                None => system.step_at(&before, *ordinal),
                Some(_) => system.first_step(&before, &mut |after| self.stands_for(after, row)),
            };
            let instead = match step {
                Ok(Some(step)) if self.stands_for(&step.state, row) => {
                    trace.steps.push(step);
                    continue;
                }
                Ok(step) => step.map_or(Instead::Nothing, Instead::Step),
                Err(why) => Instead::Interrupt(why),
            };
            let at = (number, Some(before), &row[..]);
            disagreement = Some(self.disagreement(system.engine(), at, instead));
            break;
        }
        Labelled {
            trace: Some(trace),
            disagreement,
        }
    }
}
