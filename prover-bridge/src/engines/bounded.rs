//! Bounded checks: whether an execution of at most so many steps violates an invariant, at any size.
//!
//! After Biere et al., "Symbolic Model Checking without BDDs": the step relation is unrolled from the start states, one
//! step after the other, and at each moment the solver is asked for a state in which an invariant is false. A moment
//! without one is a lemma for those after it. What the solver finds at any size is only where to look: a violation is
//! reported as an execution of a finite instance.

use std::time::Duration;

use ioa_lang::core::AutomatonId;
use z3::ast::Bool;

use super::induction::{Grounded, executions, small, spread};
use crate::counterexample::{Execution, Origin, Wanted, find_execution, universe_sizes};
use crate::logic::{Encoded, Logic, Size};
use crate::obligations::{Goal, Kind, Piece, Target, TransitionSystem};
use crate::options::{Allowance, Options};
use crate::reason::Reason;
use crate::solver::{Answer, Solver, in_context_of};
use crate::watch::Clock;
use crate::watch::Task;

/// What a bounded check of one invariant came to.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundedOutcome {
    /// The invariant, by position in the target.
    pub invariant: usize,
    /// The answer.
    pub verdict: BoundedVerdict,
    /// How many questions the solver was asked.
    pub queries: u32,
    /// How long it took, by the clock that was passed in.
    pub time: Duration,
}

/// The answer to a bounded check.
#[derive(Clone, Debug, PartialEq)]
pub enum BoundedVerdict {
    /// No execution of at most so many steps violates the invariant, at any size: the solver answered `unsat` at each
    /// moment. Of longer executions this says nothing.
    Holds(Grounded),
    /// An execution violates the invariant in its last state.
    Violated(Box<Execution>),
    /// There is no execution at all, for this reason.
    Vacuous(String),
    /// No answer about executions of so many steps; none that is shorter violates the invariant.
    Unknown(u32, Reason),
}

/// Whether executions of at most `steps` steps violate the invariants of a target that `wanted` names, at any size.
///
/// Each question about one moment has as much time as the options give to an obligation. The outcomes come in the order
/// of the target's invariants, and but for their times they do not depend on the number of threads.
#[must_use]
pub fn bounded(
    target: &Target<'_>,
    steps: u32,
    wanted: &(dyn Fn(usize) -> bool + Sync),
    options: &Options<'_>,
    clock: Clock<'_>,
) -> Vec<BoundedOutcome> {
    let stated = |id: &AutomatonId| {
        let mut invariants = (0..target.invariants.len()).filter(|i| wanted(*i));
        invariants.any(|i| target.invariants[i].automaton == *id)
    };
    let automata: Vec<AutomatonId> = target.automata().into_iter().filter(stated).collect();
    let mut outcomes = spread(&automata, options.threads, |automaton| {
        let mut check = Check::new(target, *automaton, wanted, options, clock);
        check.give_up_again();
        if let Err(unsupported) = in_context_of(options, || check.run(steps)) {
            check.give_up(&Reason::from(unsupported));
        }
        check.search();
        options.turns_to(&[]);
        check.outcomes
    });
    outcomes.sort_by_key(|outcome| outcome.invariant);
    outcomes
}

/// The check of one automaton.
struct Check<'c, 'a> {
    target: &'c Target<'a>,
    automaton: AutomatonId,
    options: &'c Options<'c>,
    clock: Clock<'c>,
    /// The moment that is asked about.
    moment: u32,
    /// The invariants that no moment so far violates.
    open: Vec<usize>,
    outcomes: Vec<BoundedOutcome>,
    /// What the solver found to be violated, with the number of steps and the sizes of its countermodel.
    found: Vec<(usize, u32, Option<Vec<u32>>)>,
    queries: Vec<u32>,
    times: Vec<Duration>,
}

impl<'c, 'a> Check<'c, 'a> {
    fn new(
        target: &'c Target<'a>,
        automaton: AutomatonId,
        wanted: &dyn Fn(usize) -> bool,
        options: &'c Options<'c>,
        clock: Clock<'c>,
    ) -> Self {
        let count = target.invariants.len();
        let is_open = |i: &usize| wanted(*i) && target.invariants[*i].automaton == automaton;
        Self {
            target,
            automaton,
            options,
            clock,
            moment: 0,
            open: (0..count).filter(is_open).collect(),
            outcomes: Vec::new(),
            found: Vec::new(),
            queries: vec![0; count],
            times: vec![Duration::ZERO; count],
        }
    }

    /// Closes what took too long before.
    fn give_up_again(&mut self) {
        for invariant in self.open.clone() {
            if self.options.is_given_up(Task::Obligation(task(invariant))) {
                self.close(invariant, BoundedVerdict::Unknown(0, Reason::Timeout));
            }
        }
    }

    /// Says that this thread turns to something that all open invariants need.
    fn turns_to_open(&self) {
        let open: Vec<Kind> = self.open.iter().map(|invariant| task(*invariant)).collect();
        self.options.turns_to_obligations(&open);
    }

    /// Asks about all moments, until nothing is open any more.
    fn run(&mut self, steps: u32) -> Encoded<()> {
        self.turns_to_open();
        let mut logic = Logic::new(self.target.model, Size::Any);
        logic.declare_theories()?;
        let small = small(self.target)?;
        let grounded = match executions(self.target, self.automaton, (&small, &logic), self.options)
        {
            Ok(grounded) => grounded,
            Err(why) => {
                self.close_all(&BoundedVerdict::Vacuous(why));
                return Ok(());
            }
        };
        let system = TransitionSystem {
            target: self.target,
            logic: &logic,
            automaton: self.automaton,
        };
        let (mut unrolling, assume) = system.start()?;
        let mut solver = Solver::new(self.options);
        solver.assert_all(&assume);
        for moment in 0..=steps {
            self.moment = moment;
            self.turns_to_open();
            if moment > 0 {
                solver.assert_all(&unrolling.extend()?);
            }
            for invariant in self.open.clone() {
                let (goals, facts) = unrolling.goals(invariant, moment as usize)?;
                solver.assert_all(&facts);
                self.ask(invariant, &goals, &mut solver);
            }
            if self.open.is_empty() {
                return Ok(());
            }
        }
        self.close_all(&BoundedVerdict::Holds(grounded));
        Ok(())
    }

    /// Whether an invariant is false at the moment that was added last.
    fn ask(&mut self, invariant: usize, goals: &[Goal<'_>], solver: &mut Solver<'c>) {
        self.options.turns_to_obligations(&[task(invariant)]);
        let (begun, queries) = ((self.clock)(), solver.queries());
        let allowance = Allowance::of(self.options, self.clock, begun);
        let mut sizes = None;
        let answer = solver.within(&allowance, |solver| {
            solver.scoped(|solver| {
                solver.deny(goals);
                let answer = solver.check_in_every_way();
                if answer == Answer::Sat {
                    sizes = universe_sizes(solver, self.target.model);
                }
                answer
            })
        });
        match answer {
            Answer::Unsat => solver.assert_all(&lemma(goals)),
            Answer::Sat => {
                self.found.push((invariant, self.moment, sizes));
                self.open.retain(|i| *i != invariant);
            }
            Answer::Unknown(reason) => {
                self.close(invariant, BoundedVerdict::Unknown(self.moment, reason));
            }
        }
        self.queries[invariant] += solver.queries() - queries;
        self.times[invariant] += (self.clock)().saturating_sub(begun);
    }

    /// Looks for executions of finite instances that show what the solver found.
    fn search(&mut self) {
        for (invariant, steps, sizes) in std::mem::take(&mut self.found) {
            self.options.turns_to_obligations(&[task(invariant)]);
            let begun = (self.clock)();
            let wanted = Wanted {
                invariant,
                steps,
                origin: Origin::Start,
            };
            let allowance = Allowance::of(self.options, self.clock, begun);
            let limits = (self.options, allowance);
            let search = find_execution(self.target, wanted, sizes.as_deref(), limits);
            self.queries[invariant] += search.queries;
            self.times[invariant] += (self.clock)().saturating_sub(begun);
            self.close(
                invariant,
                match search.found {
                    Ok(execution) => BoundedVerdict::Violated(Box::new(execution)),
                    Err(reason) => BoundedVerdict::Unknown(steps, reason),
                },
            );
        }
    }

    fn close(&mut self, invariant: usize, verdict: BoundedVerdict) {
        self.open.retain(|i| *i != invariant);
        self.outcomes.push(BoundedOutcome {
            invariant,
            verdict,
            queries: self.queries[invariant],
            time: self.times[invariant],
        });
    }

    fn close_all(&mut self, verdict: &BoundedVerdict) {
        for invariant in self.open.clone() {
            self.close(invariant, verdict.clone());
        }
    }

    /// What is open has no reading in logic.
    fn give_up(&mut self, reason: &Reason) {
        self.close_all(&BoundedVerdict::Unknown(self.moment, reason.clone()));
    }
}

/// What a watch knows the check of an invariant as.
pub(super) fn task(invariant: usize) -> Kind {
    Kind::Initiation { invariant }
}

/// Goals that were shown, as assumptions for what follows.
fn lemma(goals: &[Goal<'_>]) -> Vec<Piece> {
    let formulas: Vec<Bool> = goals.iter().map(|goal| goal.formula.clone()).collect();
    formulas
        .into_iter()
        .map(|f| Piece::new("lemma", f))
        .collect()
}
