//! The search: one execution after the other, each by the wakeup trees that those before it have left.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use interpreter::trace::{Step, Trace};
use interpreter::{Interrupt, Label, LimitKind, State, TransitionSystem, Watch};
use rustc_hash::FxHashSet;

use super::dependence::{Dependence, LabelId};
use super::independence::Independence;
use super::outcome::{Counts, Found, Outcome};
use super::reversal::Reversed;
use super::run::Run;
use super::wakeup::WakeupTree;
use crate::search::Question;

/// An execution with more steps than this is taken for one that does not end.
const LONGEST: usize = 10_000;

/// A state is taken to need so many bytes.
const STATE_BYTES: usize = 256;

/// So many steps are taken before the caller is asked whether to go on.
const AT_ONCE: usize = 256;

/// A search through one execution of each order of steps.
pub struct Dpor<'t, T, C> {
    system: &'t mut T,
    /// Says which formulas are false or undefined in a state, by their positions.
    check: C,
    depth: Option<usize>,
    dependence: Dependence<'t>,
    /// The start states from which no execution was taken yet.
    starts: VecDeque<State>,
    all_starts: usize,
    /// The states of the current execution.
    nodes: Vec<Node>,
    run: Run,
    /// The same states, to see whether one comes back.
    passed: FxHashSet<State>,
    found: Vec<Found>,
    counts: Counts,
    /// By label, how often it was taken.
    taken: Vec<u64>,
}

/// A state of the current execution, and what is known about the steps from it.
struct Node {
    state: State,
    enabled: Vec<LabelId>,
    /// The successors by these labels.
    after: Vec<State>,
    /// The labels that need not be taken first, for equivalent executions have been taken.
    sleep: Vec<LabelId>,
    tree: WakeupTree,
    /// How many branches are done.
    done: usize,
    /// The label of the branch that is being taken.
    taken: Option<LabelId>,
}

impl<'t, T: TransitionSystem, C: FnMut(&mut T, &State) -> Vec<usize>> Dpor<'t, T, C> {
    /// A search from all start states, in which executions have at most so many steps, if that is bounded. The watches are
    /// those of the automaton's clauses and of the formulas that are checked.
    ///
    /// # Errors
    /// Why the start states cannot be listed.
    pub fn new(
        system: &'t mut T,
        watches: Vec<Watch>,
        depth: Option<usize>,
        check: C,
    ) -> Result<Self, Interrupt> {
        let (mut starts, mut seen) = (VecDeque::new(), FxHashSet::default());
        let _ = system.each_start(&mut |_, state| {
            if seen.insert(state.clone()) {
                starts.push_back(state.clone());
            }
            ControlFlow::Continue(())
        })?;
        Ok(Self {
            system,
            check,
            depth,
            dependence: Dependence::new(watches),
            all_starts: starts.len(),
            starts,
            nodes: Vec::new(),
            run: Run::default(),
            passed: FxHashSet::default(),
            found: Vec::new(),
            counts: Counts::default(),
            taken: Vec::new(),
        })
    }

    /// The same search, not begun yet, in which more labels are independent than their footprints show.
    #[must_use]
    pub fn refined_by(mut self, independence: Box<dyn Independence + 't>) -> Self {
        self.dependence.refine(independence);
        self
    }

    /// Goes on until an execution has ended, or for some steps.
    pub fn advance(&mut self) -> Outcome {
        for _ in 0..AT_ONCE {
            let ended = self.counts.orders + self.counts.cut;
            match self.step() {
                Outcome::Going if self.counts.orders + self.counts.cut == ended => {}
                other => return other,
            }
        }
        Outcome::Going
    }

    /// The state in which the execution has ended, right after one has.
    #[must_use]
    pub fn end(&self) -> Option<&State> {
        let last = self.nodes.last();
        last.filter(|node| node.enabled.is_empty())
            .map(|node| &node.state)
    }

    /// What was found, in the order in which it was; the first answer to each question.
    #[must_use]
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// What was counted.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts {
            refined: self.dependence.refined(),
            ..self.counts
        }
    }

    /// By transition clause, of which there are so many: how many steps it gave.
    #[must_use]
    pub fn fired(&self, clauses: usize) -> Vec<u64> {
        let mut fired = vec![0; clauses];
        for (label, taken) in (0..).zip(&self.taken) {
            let clause = self.dependence.label(label).firing.transition;
            fired[clause.index()] += taken;
        }
        fired
    }

    /// About how many bytes are used.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let states: usize = self.nodes.iter().map(|node| node.after.len() + 2).sum();
        self.dependence.memory() + (states * STATE_BYTES) as u64
    }

    /// An estimate of how much is done, between 0 and 1: as if what follows each branch of the current execution were of
    /// the same size as what follows its siblings.
    #[must_use]
    pub fn done(&self) -> f64 {
        let (left, all) = (self.starts.len(), self.all_starts.max(1) as f64);
        if self.nodes.is_empty() {
            return 1.0 - left as f64 / all;
        }
        let mut weight = 1.0 / all;
        let mut done = 1.0 - (left + 1) as f64 * weight;
        for node in &self.nodes {
            let branches = node.done + node.tree.len() + usize::from(node.taken.is_some());
            weight /= branches.max(1) as f64;
            done += node.done as f64 * weight;
        }
        done
    }

    /// Takes one step forward or back.
    fn step(&mut self) -> Outcome {
        let Some(node) = self.nodes.last_mut() else {
            return match self.starts.pop_front() {
                Some(start) => self.visit(start, Vec::new(), WakeupTree::default()),
                None => Outcome::Complete,
            };
        };
        let is_cut = self.depth.is_some_and(|depth| self.run.len() >= depth);
        if !is_cut && node.done == 0 && node.tree.is_empty() {
            let awake = |label: &&LabelId| !node.sleep.contains(label);
            match node.enabled.iter().find(awake) {
                Some(label) => node.tree = WakeupTree::of(*label),
                None => self.counts.redundant += u64::from(!node.enabled.is_empty()),
            }
        }
        match node.tree.take_first().filter(|_| !is_cut) {
            Some((label, below)) => self.take(label, below),
            None => {
                self.leave();
                Outcome::Going
            }
        }
    }

    /// Takes a branch of the last state.
    fn take(&mut self, label: LabelId, below: WakeupTree) -> Outcome {
        let node = self.nodes.last_mut().expect("a state to go on from");
        let Some(at) = node.enabled.iter().position(|enabled| *enabled == label) else {
            let label = self.dependence.label(label).clone();
            return Outcome::Dependent(Box::new(label));
        };
        node.taken = Some(label);
        let state = node.after[at].clone();
        let dependence = &mut self.dependence;
        let sleep = node.sleep.iter().copied();
        let sleep = sleep.filter(|other| !dependence.are_dependent(*other, label));
        let sleep = sleep.collect();
        self.run.push(label, dependence);
        self.counts.steps += 1;
        self.taken.resize(self.dependence.len(), 0);
        self.taken[label as usize] += 1;
        self.visit(state, sleep, below)
    }

    /// Comes to a state.
    fn visit(&mut self, state: State, sleep: Vec<LabelId>, tree: WakeupTree) -> Outcome {
        self.counts.longest = self.counts.longest.max(self.run.len());
        let is_new = self.depth.is_some() || self.passed.insert(state.clone());
        let node = Node {
            state,
            enabled: Vec::new(),
            after: Vec::new(),
            sleep,
            tree,
            done: 0,
            taken: None,
        };
        self.nodes.push(node);
        if !is_new {
            return Outcome::Cycle(self.trace());
        }
        if self.run.len() > LONGEST && self.depth.is_none() {
            return Outcome::Endless(self.trace());
        }
        self.look()
    }

    /// Asks what is to be known about the last state, and lists the steps from it.
    fn look(&mut self) -> Outcome {
        let node = self.nodes.last_mut().expect("a state");
        for formula in (self.check)(self.system, &node.state) {
            self.report(Question::Invariant(formula));
        }
        let node = self.nodes.last_mut().expect("a state");
        let (mut labels, mut after) = (Vec::new(), Vec::new());
        let listed = self
            .system
            .each_step(&node.state, &mut |firing, choices, state| {
                labels.push(Label::of(firing, choices));
                after.push(state.clone());
                ControlFlow::Continue(())
            });
        match listed {
            Ok(_) => {}
            Err(Interrupt::Limit(limit)) if limit.kind == LimitKind::Cancelled => {
                return Outcome::Cancelled;
            }
            Err(_) => {
                self.report(Question::Fault);
                return Outcome::Fault;
            }
        }
        let numbered = labels.into_iter();
        node.enabled = numbered
            .map(|label| self.dependence.number(self.system, label))
            .collect();
        node.after = after;
        if node.enabled.is_empty() {
            self.counts.orders += 1;
            self.report(Question::Deadlock);
            self.reverse();
        } else if self.depth.is_some_and(|depth| self.run.len() >= depth) {
            self.counts.cut += 1;
            self.reverse();
        }
        Outcome::Going
    }

    /// Plans the executions in which the races of this one, which has ended, come out the other way.
    fn reverse(&mut self) {
        for at in 0..self.run.len() {
            let reversed = Reversed {
                run: &self.run,
                at,
                before: &self.nodes[at].enabled,
                after: &self.nodes[at + 1].enabled,
            };
            let (system, start, dependence) =
                (&mut *self.system, &self.nodes[at].state, &self.dependence);
            let is_enabled = |steps: &[LabelId], label: LabelId| {
                let mut state = Some(start.clone());
                for step in steps.iter().chain([&label]) {
                    let label = dependence.label(*step);
                    state = state.and_then(|state| system.successor(&state, label).ok().flatten());
                }
                state.is_some()
            };
            let found = reversed.sequences(dependence, is_enabled);
            let node = &mut self.nodes[at];
            for sequence in found {
                let dependence = &mut self.dependence;
                let mut asleep = node.sleep.iter();
                if !asleep.any(|label| dependence.is_weak_initial(*label, &sequence)) {
                    node.tree.insert(sequence, dependence);
                }
            }
        }
    }

    /// Leaves the last state, from which all is done.
    fn leave(&mut self) {
        let node = self.nodes.pop().expect("a state to leave");
        self.passed.remove(&node.state);
        if let Some(before) = self.nodes.last_mut() {
            before.done += 1;
            before.sleep.extend(before.taken.take());
            self.run.pop();
        }
    }

    /// Keeps the first answer to a question.
    fn report(&mut self, question: Question) {
        if self.found.iter().any(|found| found.question == question) {
            return;
        }
        let causes = match question {
            Question::Invariant(formula) => self.causes(formula),
            Question::Fault | Question::Deadlock => None,
        };
        let trace = causes.unwrap_or_else(|| self.trace());
        self.found.push(Found { question, trace });
    }

    /// The current execution.
    fn trace(&self) -> Trace {
        let label = |at| self.dependence.label(self.run.label(at)).clone();
        let steps = self.nodes[1..].iter().enumerate().map(|(at, node)| Step {
            label: label(at),
            state: node.state.clone(),
        });
        Trace {
            automaton: self.system.automaton(),
            start: self.nodes[0].state.clone(),
            steps: steps.collect(),
        }
    }

    /// The current execution, without steps that need not happen for a formula to be false at its end; none if it does not
    /// show that.
    fn causes(&mut self, formula: usize) -> Option<Trace> {
        let mut kept = self.run.causes_of_last();
        if let Some(trace) = self.shown_by(&kept, formula) {
            return Some(trace);
        }
        // Steps that are independent of each other have brought it about together.
        kept = (0..self.run.len()).collect();
        let mut found = self.shown_by(&kept, formula)?;
        for at in (0..self.run.len()).rev() {
            let mut fewer = kept.clone();
            fewer.retain(|later| *later != at && !self.run.happens_before(at, *later));
            if let Some(trace) = self.shown_by(&fewer, formula) {
                (kept, found) = (fewer, trace);
            }
        }
        Some(found)
    }

    /// The execution by the steps at these positions, if a formula is false at its end.
    fn shown_by(&mut self, positions: &[usize], formula: usize) -> Option<Trace> {
        let mut trace = Trace {
            automaton: self.system.automaton(),
            start: self.nodes[0].state.clone(),
            steps: Vec::new(),
        };
        for at in positions {
            let label = self.dependence.label(self.run.label(*at)).clone();
            let after = self.system.successor(trace.last(), &label);
            let state = after.ok().flatten()?;
            trace.steps.push(Step { label, state });
        }
        let shows = (self.check)(self.system, trace.last()).contains(&formula);
        shows.then_some(trace)
    }
}
