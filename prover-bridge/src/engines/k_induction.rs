//! k-induction: an invariant that holds in the first states of every execution, and in each state that comes after enough
//! states in which it holds.
//!
//! After Sheeran, Singh and Stålmarck, "Checking Safety Properties Using Induction and a SAT-Solver". With `k` = 0 this is
//! induction. The invariants of an automaton are proved together: each may be assumed of the states before. Where one
//! fails it is withdrawn, and those whose proofs used it, which the unsat core says, are asked about again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ioa_lang::Name;
use z3::ast::Bool;

use super::bounded::{BoundedVerdict, bounded, task};
use super::induction::{Grounded, at_the_root, spread, unclear};
use crate::counterexample::{Execution, Origin, Search, Wanted, find_execution, universe_sizes};
use crate::logic::{Encoded, Logic, Size};
use crate::obligations::{Goal, Kind, Target, TransitionSystem};
use crate::options::{Allowance, Options};
use crate::reason::Reason;
use crate::solver::{Answer, Solver, in_context_of};
use crate::watch::Clock;

/// What k-induction came to for one invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct KInductionOutcome {
    /// The invariant, by position in the target.
    pub invariant: usize,
    /// The answer.
    pub verdict: KInductionVerdict,
    /// How many questions the solver was asked.
    pub queries: u32,
    /// How long it took, by the clock that was passed in.
    pub time: Duration,
}

/// The answer to k-induction.
#[derive(Clone, Debug, PartialEq)]
pub enum KInductionVerdict {
    /// The solver answered `unsat` twice: no execution of at most k steps violates the invariant, and no k + 1 consecutive
    /// states in which it holds lead to one in which it does not.
    Proved(Grounded),
    /// An execution violates the invariant.
    Violated(Box<Execution>),
    /// Consecutive states in which all invariants hold lead to one in which this one is false. The first need not be
    /// reachable.
    Refuted(Box<Execution>),
    /// There is no execution at all, for this reason.
    Vacuous(String),
    /// The solver answered `unsat` with invariants assumed that are not proved themselves: it is proved, once these are.
    ProvedIf(Vec<Name>),
    /// No answer.
    Unknown(Reason),
}

/// Proves the invariants of a target by k-induction.
///
/// The outcomes come in the order of the target's invariants, and but for their times they do not depend on the number of
/// threads.
#[must_use]
pub fn k_induction(
    target: &Target<'_>,
    k: u32,
    options: &Options<'_>,
    clock: Clock<'_>,
) -> Vec<KInductionOutcome> {
    let mut grounded = BTreeMap::new();
    let mut outcomes = Vec::new();
    for base in bounded(target, k, &|_| true, options, clock) {
        let verdict = match base.verdict {
            BoundedVerdict::Holds(basis) => {
                grounded.insert(base.invariant, (basis, base.queries, base.time));
                continue;
            }
            BoundedVerdict::Violated(execution) => KInductionVerdict::Violated(execution),
            BoundedVerdict::Vacuous(why) => KInductionVerdict::Vacuous(why),
            BoundedVerdict::Unknown(_, reason) => KInductionVerdict::Unknown(reason),
        };
        outcomes.push(KInductionOutcome {
            invariant: base.invariant,
            verdict,
            queries: base.queries,
            time: base.time,
        });
    }
    let stepped = spread(&target.automata(), options.threads, |automaton| {
        let of_automaton = |i: &usize| target.invariants[*i].automaton == *automaton;
        let mut induction = Induction {
            target,
            k,
            options,
            clock,
            kept: grounded.keys().copied().filter(of_automaton).collect(),
            answers: BTreeMap::new(),
        };
        if let Err(unsupported) = in_context_of(options, || induction.run()) {
            induction.give_up(&Reason::from(unsupported));
        }
        options.turns_to(&[]);
        induction.finish()
    });
    for (invariant, step) in stepped {
        let (basis, queries, time) = grounded[&invariant];
        outcomes.push(KInductionOutcome {
            invariant,
            verdict: match step.verdict {
                None => KInductionVerdict::Proved(basis),
                Some(verdict) => verdict,
            },
            queries: queries + step.queries,
            time: time + step.time,
        });
    }
    outcomes.sort_by_key(|outcome| outcome.invariant);
    outcomes
}

/// What is known about the induction step of one invariant.
#[derive(Clone, Default)]
struct Step {
    /// Why it is not shown, if it is not.
    verdict: Option<KInductionVerdict>,
    /// The invariants that its proof uses.
    used: Vec<usize>,
    /// Of these, those that are withdrawn, where it is not shown without them.
    lacks: BTreeSet<usize>,
    queries: u32,
    time: Duration,
}

impl Step {
    fn is_shown(&self) -> bool {
        self.verdict.is_none() && self.lacks.is_empty()
    }
}

/// The induction step for all invariants of an automaton together.
struct Induction<'i, 'a> {
    target: &'i Target<'a>,
    k: u32,
    options: &'i Options<'i>,
    clock: Clock<'i>,
    /// The invariants that are assumed of the states before.
    kept: Vec<usize>,
    answers: BTreeMap<usize, Step>,
}

impl<'i> Induction<'i, '_> {
    fn run(&mut self) -> Encoded<()> {
        let Some(first) = self.kept.first() else {
            return Ok(());
        };
        let all: Vec<Kind> = self.kept.iter().map(|invariant| task(*invariant)).collect();
        self.options.turns_to_obligations(&all);
        let mut logic = Logic::new(self.target.model, Size::Any);
        logic.declare_theories()?;
        let system = TransitionSystem {
            target: self.target,
            logic: &logic,
            automaton: self.target.invariants[*first].automaton,
        };
        let (mut unrolling, assume) = system.anywhere()?;
        let mut solver = Solver::new(self.options);
        solver.assert_all(&assume);
        let mut hypotheses = BTreeMap::new();
        for invariant in &self.kept {
            hypotheses.insert(
                *invariant,
                Bool::new_const(format!("hypothesis!{invariant}")),
            );
        }
        for moment in 0..=self.k {
            for (invariant, literal) in &hypotheses {
                for piece in unrolling.assumption(*invariant, moment as usize)? {
                    solver.assert(literal.implies(&piece.formula));
                }
            }
            solver.assert_all(&unrolling.extend()?);
        }
        let mut goals = BTreeMap::new();
        for invariant in &self.kept {
            let (stated, facts) = unrolling.goals(*invariant, self.k as usize + 1)?;
            solver.assert_all(&facts);
            goals.insert(*invariant, stated);
        }
        self.withdraw(&mut solver, &hypotheses, &goals);
        Ok(())
    }

    /// Withdraws what is not shown and asks again about what rested on it, until nothing is withdrawn any more.
    fn withdraw(
        &mut self,
        solver: &mut Solver<'i>,
        hypotheses: &BTreeMap<usize, Bool>,
        goals: &BTreeMap<usize, Vec<Goal<'_>>>,
    ) {
        let mut open = self.kept.clone();
        while !open.is_empty() {
            for invariant in open {
                self.options.turns_to_obligations(&[task(invariant)]);
                let begun = (self.clock)();
                let queries = solver.queries();
                let before = self.answers.remove(&invariant).unwrap_or_default();
                let used = before.used.iter().copied();
                let lacks = used.filter(|i| !self.kept.contains(i)).collect();
                let mut step = self.ask(invariant, solver, hypotheses, &goals[&invariant], lacks);
                step.queries += solver.queries() - queries;
                step.time += (self.clock)().saturating_sub(begun);
                step.queries += before.queries;
                step.time += before.time;
                self.answers.insert(invariant, step);
            }
            let answers = &self.answers;
            self.kept.retain(|i| answers[i].is_shown());
            let kept = &self.kept;
            let rests = |i: &usize| answers[i].used.iter().any(|used| !kept.contains(used));
            open = kept.iter().copied().filter(rests).collect();
        }
    }

    /// Asks about one invariant, with the hypotheses that are kept; `lacks` are those that its proof used before and that
    /// are withdrawn since.
    fn ask(
        &self,
        invariant: usize,
        solver: &mut Solver<'i>,
        hypotheses: &BTreeMap<usize, Bool>,
        goals: &[Goal<'_>],
        lacks: BTreeSet<usize>,
    ) -> Step {
        let allowance = Allowance::of(self.options, self.clock, (self.clock)());
        let literals = |of: &[usize]| -> Vec<(usize, Bool)> {
            of.iter().map(|i| (*i, hypotheses[i].clone())).collect()
        };
        let (mut used, mut sizes) = (Vec::new(), None);
        let answer = solver.within(&allowance, |solver| {
            solver.scoped(|solver| {
                solver.deny(goals);
                let (answer, core) = solver.check_with_core(&literals(&self.kept));
                used = core;
                if answer == Answer::Sat {
                    sizes = universe_sizes(solver, self.target.model);
                }
                answer
            })
        });
        let verdict = match answer {
            Answer::Unsat => None,
            _ if !lacks.is_empty() => {
                return Step {
                    lacks,
                    ..Step::default()
                };
            }
            Answer::Unknown(reason) => Some(KInductionVerdict::Unknown(reason)),
            Answer::Sat => {
                let search = self.counterexample(invariant, sizes.as_deref());
                return Step {
                    verdict: Some(match search.found {
                        Ok(execution) => KInductionVerdict::Refuted(Box::new(execution)),
                        Err(reason) => KInductionVerdict::Unknown(reason),
                    }),
                    queries: search.queries,
                    ..Step::default()
                };
            }
        };
        Step {
            verdict,
            used,
            ..Step::default()
        }
    }

    /// Consecutive states of a finite instance that show why the step fails.
    fn counterexample(&self, invariant: usize, sizes: Option<&[u32]>) -> Search<Execution> {
        let wanted = Wanted {
            invariant,
            steps: self.k + 1,
            origin: Origin::Invariants(&self.kept),
        };
        let allowance = Allowance::of(self.options, self.clock, (self.clock)());
        find_execution(self.target, wanted, sizes, (self.options, allowance))
    }

    fn give_up(&mut self, reason: &Reason) {
        for invariant in std::mem::take(&mut self.kept) {
            let verdict = Some(KInductionVerdict::Unknown(reason.clone()));
            let step = Step {
                verdict,
                ..Step::default()
            };
            self.answers.insert(invariant, step);
        }
    }

    fn finish(mut self) -> Vec<(usize, Step)> {
        let lost = self
            .answers
            .iter()
            .filter(|(_, step)| !step.lacks.is_empty());
        let lost: BTreeMap<usize, BTreeSet<usize>> =
            lost.map(|(i, step)| (*i, step.lacks.clone())).collect();
        for (invariant, lacks) in &lost {
            let lacks: Vec<usize> = lacks.iter().copied().collect();
            let roots = at_the_root(&lacks, &lost).into_iter();
            let names: Vec<Name> = roots
                .map(|i| self.target.invariants[i].name.clone())
                .collect();
            if let Some(step) = self.answers.get_mut(invariant) {
                step.verdict = Some(match names.is_empty() {
                    true => KInductionVerdict::Unknown(unclear()),
                    false => KInductionVerdict::ProvedIf(names),
                });
            }
        }
        self.answers.into_iter().collect()
    }
}
