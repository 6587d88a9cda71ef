//! Finding the pairs, breadth first.

use std::ops::ControlFlow;
use std::rc::Rc;

use interpreter::{Executor, Instance, Interrupt, State, TransitionSystem};
use ioa_lang::core::{ActionId, Simulation};
use ioa_lang::{Diagnostic, Value};
use rustc_hash::FxHashMap;

use super::answers::{Answer, High, Seen, described, visit};

/// How far the search for pairs goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// So many low states are expanded at most.
    pub low_states: usize,
    /// So many pairs are expanded at most.
    pub pairs: usize,
    /// A high fragment has at most so many steps.
    pub fragment: usize,
}

/// A step of the low automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowMove {
    /// The action.
    pub action: ActionId,
    /// Its parameters.
    pub params: Vec<Value>,
    /// The position of the state after it.
    pub to: usize,
    seen: Seen,
}

/// Why the pairs could not be found.
#[derive(Clone, Debug, PartialEq)]
pub enum JointError {
    /// One of the automata cannot be run at these sizes.
    CannotRun(Vec<Diagnostic>),
    /// The low automaton went wrong by itself, or a limit was hit there.
    Low(Interrupt),
    /// The high automaton did.
    High(Interrupt),
    /// What says which pairs may be related went wrong.
    Relation(Interrupt),
}

impl From<Vec<Diagnostic>> for JointError {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::CannotRun(diagnostics)
    }
}

/// Why a pair cannot be related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unanswered {
    /// The position, among the steps from its low state, of the first one that has no answer.
    pub step: usize,
    /// In which round it was taken away; in the first one, number 0, nothing answers the step at all.
    pub round: usize,
}

/// The pairs of states of a low and a high automaton, found breadth first.
#[derive(Debug)]
pub struct Joint {
    low: Vec<State>,
    /// The steps from each low state; none of one that was not expanded.
    pub(super) moves: Vec<Vec<LowMove>>,
    /// How many low states were expanded: the first ones.
    expanded: usize,
    starts: Vec<usize>,
    high: Vec<State>,
    high_starts: Vec<usize>,
    /// Positions of low and high states.
    pub(super) pairs: Vec<(usize, usize)>,
    index: FxHashMap<(usize, usize), usize>,
    /// The pairs in which both automata may start.
    start_pairs: Vec<usize>,
    /// How many pairs were expanded: the first ones.
    pub(super) expanded_pairs: usize,
    answers: FxHashMap<(usize, Seen), Rc<Vec<Answer>>>,
    /// How many answers are kept.
    kept: usize,
    /// Whether some fragment might have gone on beyond what was searched.
    is_cut: bool,
    /// For each pair why it was taken away, if it was.
    pub(super) lost: Vec<Option<Unanswered>>,
}

/// Which pairs are looked at: whether a low and a high state may be related at all.
pub type Admits<'a> = dyn FnMut(&State, &State) -> Result<bool, Interrupt> + 'a;

impl Joint {
    /// Finds the pairs of the two automata of a simulation that need not be in the model. `admits` says which pairs may be
    /// related; `goes_on` is told from time to time how many were visited, and says whether to go on.
    ///
    /// # Errors
    /// Why an automaton cannot be run at these sizes, or what went wrong in it.
    pub fn explore(
        instance: &Instance,
        simulation: &Simulation,
        reach: Reach,
        admits: &mut Admits<'_>,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Self, JointError> {
        let mut low = Executor::new(instance, simulation.low)?;
        low.check_enumerable()?;
        let mut executor = Executor::new(instance, simulation.high)?;
        executor.check_enumerable()?;
        let mut joint = Self::empty();
        joint
            .reach_low(instance, &mut low, reach.low_states)
            .map_err(JointError::Low)?;
        let mut high = High::new(instance, &mut executor, reach.fragment);
        joint.high_starts = high.starts().map_err(JointError::High)?;
        joint.pair_up(&mut high, reach.pairs, admits, goes_on)?;
        joint.is_cut = high.is_cut();
        joint.high = high.into_states();
        joint.settle();
        Ok(joint)
    }

    fn empty() -> Self {
        Self {
            low: Vec::new(),
            moves: Vec::new(),
            expanded: 0,
            starts: Vec::new(),
            high: Vec::new(),
            high_starts: Vec::new(),
            pairs: Vec::new(),
            index: FxHashMap::default(),
            start_pairs: Vec::new(),
            expanded_pairs: 0,
            answers: FxHashMap::default(),
            kept: 0,
            is_cut: false,
            lost: Vec::new(),
        }
    }

    /// Expands low states, breadth first.
    fn reach_low(
        &mut self,
        instance: &Instance,
        low: &mut Executor<'_>,
        most: usize,
    ) -> Result<(), Interrupt> {
        let mut known = FxHashMap::default();
        let mut starts = Vec::new();
        let _ = low.each_start(&mut |_, start| {
            starts.push(visit(&mut self.low, &mut known, start));
            ControlFlow::Continue(())
        })?;
        self.starts = starts;
        let automaton = low.automaton();
        let mut taken = 0;
        while self.expanded < self.low.len().min(most) && taken < MOST_KEPT {
            let state = self.low[self.expanded].clone();
            let (mut moves, all) = (Vec::new(), &mut self.low);
            let _ = low.each_step(&state, &mut |firing, _, after| {
                let (action, params, seen) = described(instance, automaton, firing);
                let to = visit(all, &mut known, after);
                let step = LowMove {
                    action,
                    params,
                    to,
                    seen,
                };
                if !moves.contains(&step) {
                    moves.push(step);
                }
                ControlFlow::Continue(())
            })?;
            taken += moves.len();
            self.moves.push(moves);
            self.expanded += 1;
        }
        self.moves.resize(self.low.len(), Vec::new());
        Ok(())
    }

    /// Expands pairs, breadth first.
    fn pair_up(
        &mut self,
        high: &mut High<'_, '_>,
        most: usize,
        admits: &mut Admits<'_>,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<(), JointError> {
        for low in self.starts.clone() {
            for start in self.high_starts.clone() {
                let at = self.meet((low, start), high, admits)?;
                self.start_pairs.extend(at);
            }
        }
        while self.expanded_pairs < self.pairs.len().min(most)
            && self.pairs.len().max(self.kept) < MOST_KEPT
        {
            if self.expanded_pairs.is_multiple_of(ROUND) && !goes_on(self.pairs.len()) {
                break;
            }
            let (s, u) = self.pairs[self.expanded_pairs];
            for step in self.moves[s].clone() {
                for answer in self.find_answers(u, &step.seen, high)?.iter() {
                    self.meet((step.to, answer.to), high, admits)?;
                }
            }
            self.expanded_pairs += 1;
        }
        Ok(())
    }

    fn find_answers(
        &mut self,
        from: usize,
        seen: &Seen,
        high: &mut High<'_, '_>,
    ) -> Result<Rc<Vec<Answer>>, JointError> {
        let key = (from, seen.clone());
        if let Some(known) = self.answers.get(&key) {
            return Ok(Rc::clone(known));
        }
        let found = high.answers(from, seen);
        let found = found.map_err(JointError::High)?;
        self.kept += found.len();
        let found = Rc::new(found);
        self.answers.insert(key, Rc::clone(&found));
        Ok(found)
    }

    /// Visits a pair, if it may be related.
    fn meet(
        &mut self,
        pair: (usize, usize),
        high: &High<'_, '_>,
        admits: &mut Admits<'_>,
    ) -> Result<Option<usize>, JointError> {
        if let Some(at) = self.index.get(&pair) {
            return Ok(Some(*at));
        }
        let is_admitted = admits(&self.low[pair.0], high.state(pair.1));
        if !is_admitted.map_err(JointError::Relation)? {
            return Ok(None);
        }
        self.index.insert(pair, self.pairs.len());
        self.pairs.push(pair);
        Ok(Some(self.pairs.len() - 1))
    }

    /// The low states, those that were expanded first.
    #[must_use]
    pub fn low_states(&self) -> &[State] {
        &self.low
    }

    /// The high states that were met.
    #[must_use]
    pub fn high_states(&self) -> &[State] {
        &self.high
    }

    /// The positions of the low start states.
    #[must_use]
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The positions of the high start states.
    #[must_use]
    pub fn high_starts(&self) -> &[usize] {
        &self.high_starts
    }

    /// The steps from a low state.
    #[must_use]
    pub fn moves(&self, low: usize) -> &[LowMove] {
        &self.moves[low]
    }

    /// Whether all low states and all pairs were expanded, and no fragment was cut short.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.expanded == self.low.len() && self.expanded_pairs == self.pairs.len() && !self.is_cut
    }

    /// Whether all low states were expanded.
    #[must_use]
    pub fn has_all_low_states(&self) -> bool {
        self.expanded == self.low.len()
    }

    /// The pairs, by the positions of their states.
    #[must_use]
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// Whether a pair was expanded, so that its steps have to be answered.
    #[must_use]
    pub fn is_expanded(&self, pair: usize) -> bool {
        pair < self.expanded_pairs
    }

    /// The pairs in which both automata may start.
    #[must_use]
    pub fn start_pairs(&self) -> &[usize] {
        &self.start_pairs
    }

    /// The position of a pair.
    #[must_use]
    pub fn pair_at(&self, low: usize, high: usize) -> Option<usize> {
        self.index.get(&(low, high)).copied()
    }

    /// The fragments that answer a low step from a high state, each with where it leads; the shortest ones to each state.
    #[must_use]
    pub fn answers(&self, high: usize, step: &LowMove) -> &[Answer] {
        let found = self.answers.get(&(high, step.seen.clone()));
        found.map_or(&[], |found| found)
    }
}

/// No more low steps, pairs or answers than about this are kept.
const MOST_KEPT: usize = 250_000;
/// How often it is asked whether to go on: after so many pairs.
const ROUND: usize = 256;
