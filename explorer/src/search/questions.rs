//! What a search asks of each state, and the answers.

use interpreter::Batch;

/// What is asked of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// Does this invariant hold, by its position among those that are checked?
    Invariant(usize),
    /// Can the automaton go on, by itself or by an input?
    Deadlock,
    /// Can all steps be computed?
    Fault,
}

/// The first state, in the order of the search, of which the answer is no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was asked.
    pub question: Question,
    /// Of which state, as a row.
    pub state: Vec<u64>,
    /// How many steps lead there.
    pub depth: usize,
}

/// The first finding of each question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    /// Keeps a finding, unless there is one of the same question.
    pub(crate) fn report(&mut self, question: Question, state: Vec<u64>, depth: usize) {
        if self.0.iter().all(|f| f.question != question) {
            self.0.push(Finding {
                question,
                state,
                depth,
            });
        }
    }

    /// All of them, in the order in which they were found.
    pub(crate) fn all(&self) -> &[Finding] {
        &self.0
    }
}

/// A state in which the automaton does nothing by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// No action is enabled.
    Deadlock,
    /// Inputs alone are enabled.
    Quiescent,
}

/// The states of a batch in which the automaton does nothing by itself, by their positions.
pub(crate) fn resting(batch: &Batch) -> impl Iterator<Item = (usize, Rest)> {
    let begins = std::iter::once(&0).chain(&batch.ends);
    let states = batch.active.iter().zip(begins.zip(&batch.ends)).enumerate();
    states.filter_map(
        |(position, (active, (begin, end)))| match (active, begin == end) {
            (true, _) => None,
            (false, true) => Some((position, Rest::Deadlock)),
            (false, false) => Some((position, Rest::Quiescent)),
        },
    )
}
