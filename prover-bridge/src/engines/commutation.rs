//! Which steps commute, and which leave others enabled, in every state and at every size.
//!
//! What is asked about a step is asked about its *pattern*: the elements of sorts among its parameters are replaced by
//! names, of which only is known which of them are the same. So the answer for one step is the answer for all that
//! differ from it by a permutation of elements, and few questions reach the solver. Each is asked in a context of its
//! own, within a bound on work and not on time, so that its answer does not depend on what was asked before.

use std::collections::BTreeMap;

use ioa_lang::core::{AutomatonId, Invariant, Model, SortId, TransitionId};
use z3::ast::Bool;

use crate::counterexample::renumbered;
use crate::logic::{Encoded, Logic, Size, State};
use crate::obligations::{Firing, Target, TransitionSystem};
use crate::options::Options;
use crate::solver::{Answer, Solver, in_context_of};

/// Answers questions about the steps of an automaton, and remembers the answers.
pub struct Commutation<'m, 'o> {
    target: Target<'m>,
    automaton: AutomatonId,
    options: Options<'o>,
    known: BTreeMap<Question, bool>,
}

/// What is asked, of patterns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    /// Whether two steps commute.
    Commute([Firing; 2]),
    /// Whether a step disables no step by a clause but itself.
    Disables(Firing, TransitionId),
    /// Whether a step makes no conjunct of an invariant true that was false, for the same values of its parameters.
    Restores(Firing, usize, usize),
}

impl<'m, 'o> Commutation<'m, 'o> {
    /// Questions about the steps of an automaton, and about what they do to some invariants of it. The solver may spend
    /// as much work on each as the options say.
    #[must_use]
    pub fn new(
        model: &'m Model,
        automaton: AutomatonId,
        invariants: Vec<&'m Invariant>,
        options: Options<'o>,
    ) -> Self {
        let target = Target {
            model,
            invariants,
            simulations: Vec::new(),
            automata: Vec::new(),
        };
        Self {
            target,
            automaton,
            options,
            known: BTreeMap::new(),
        }
    }

    /// Whether it is shown that two steps lead to the same state in either order, wherever both have a result, and that
    /// neither changes whether the other one is enabled or has a result.
    pub fn commute(&mut self, one: &Firing, other: &Firing) -> bool {
        let mut firings = [one.clone(), other.clone()];
        firings.sort();
        self.is_shown(Question::Commute(firings))
    }

    /// Whether it is shown that a step disables no step by a clause, except itself.
    pub fn disables_nothing(&mut self, firing: &Firing, clause: TransitionId) -> bool {
        self.is_shown(Question::Disables(firing.clone(), clause))
    }

    /// Whether it is shown that wherever a [conjunct](ioa_lang::core::Expr::scoped_conjuncts) of an invariant is false for
    /// some values of its parameters, it is false for the same ones after a step. Both are given by position.
    pub fn restores_nothing(&mut self, firing: &Firing, invariant: usize, conjunct: usize) -> bool {
        self.is_shown(Question::Restores(firing.clone(), invariant, conjunct))
    }

    fn is_shown(&mut self, mut question: Question) -> bool {
        let names = question.generalise();
        if let Some(known) = self.known.get(&question) {
            return *known;
        }
        if self.options.is_stopped() {
            return false;
        }
        let counts = self.counts(&names);
        let answer = in_context_of(&self.options, || self.ask(&question, &counts));
        let is_shown = answer.is_ok_and(|answer| answer == Answer::Unsat);
        self.known.insert(question, is_shown);
        is_shown
    }

    /// How many elements of each sort have names.
    fn counts(&self, names: &BTreeMap<(SortId, u32), u32>) -> Vec<u32> {
        let mut counts = vec![0; self.target.model.sorts.len()];
        for (sort, _) in names.keys() {
            counts[sort.index()] += 1;
        }
        counts
    }

    /// Asks for a state that shows that the answer is no.
    fn ask(&self, question: &Question, counts: &[u32]) -> Encoded<Answer> {
        let mut logic = Logic::new(self.target.model, Size::Any);
        logic.declare_theories()?;
        logic.name_elements(counts);
        let system = TransitionSystem {
            target: &self.target,
            logic: &logic,
            automaton: self.automaton,
        };
        let (anywhere, assume) = system.anywhere()?;
        let goal = self.goal(question, &system, &anywhere.states[0])?;
        let mut solver = Solver::new(&self.options);
        solver.assert_all(&assume);
        solver.assert_all(&logic.facts());
        solver.assert(goal.not());
        Ok(solver.check())
    }

    fn goal<'a>(
        &'a self,
        question: &'a Question,
        system: &TransitionSystem<'_, 'a>,
        state: &State<'a>,
    ) -> Encoded<Bool> {
        match question {
            Question::Commute([one, other]) => system.commutation(state, [one, other]),
            Question::Disables(firing, clause) => system.blocks_nothing(state, firing, *clause),
            Question::Restores(firing, invariant, conjunct) => {
                let stated = self.target.invariants[*invariant];
                system.restores_nothing(state, firing, (stated, *conjunct))
            }
        }
    }
}

impl Question {
    /// Renames the elements of sorts in the order in which they occur, each sort from 0 on; returns the new names.
    fn generalise(&mut self) -> BTreeMap<(SortId, u32), u32> {
        let mut names = Names::default();
        let firings = match self {
            Self::Commute(firings) => &mut firings[..],
            Self::Disables(firing, _) | Self::Restores(firing, ..) => std::slice::from_mut(firing),
        };
        let params = firings.iter_mut().flat_map(|firing| &mut firing.params);
        params.for_each(|param| {
            *param = renumbered(param, &mut |sort, index| names.name(sort, index));
        });
        names.0
    }
}

/// The names of elements.
#[derive(Default)]
struct Names(BTreeMap<(SortId, u32), u32>);

impl Names {
    fn name(&mut self, sort: SortId, index: u32) -> u32 {
        let next = self.0.keys().filter(|(other, _)| *other == sort).count();
        *self.0.entry((sort, index)).or_insert(next as u32)
    }
}
