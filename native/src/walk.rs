//! The steps of random runs: all steps by one clause, and whether the invariants hold, for one state at a time.

use interpreter::code::Stmt;
use interpreter::run::{Moves, Shortcut};
use interpreter::{Clause, Draws, Instance};
use ioa_lang::core::{AutomatonId, TransitionId};

use crate::analysis::{Survey, chooses};
use crate::call::{Tally, looks_each_time};
use crate::jit::{Code, Function, Shape, Unsupported, Workshop};

/// What native code knows of the steps and the invariants of an automaton; nothing where there is no native code.
pub struct Walker {
    code: Option<Code>,
    clauses: Vec<Option<(Function, Moves)>>,
    /// What finds invariants that do not hold, if all invariants can be translated.
    check: Option<Function>,
    verdicts: Vec<u64>,
    /// The steps by a clause from the state at hand.
    found: Vec<u64>,
    /// The exchanges in the order of the clauses that were made for the step at hand.
    swaps: Vec<(usize, usize)>,
    /// How many clauses were asked for, and how many of these questions were answered.
    pub asked: u64,
    /// How many of these questions were answered.
    pub answered: u64,
    /// How many steps were taken where nobody looked.
    pub taken: u64,
}

impl Walker {
    /// For random runs of an automaton. Whatever cannot be translated is left to interpretation.
    #[must_use]
    pub fn new(instance: &Instance, automaton: AutomatonId) -> Self {
        let mut walker = Self {
            code: None,
            clauses: Vec::new(),
            check: None,
            verdicts: Vec::new(),
            found: Vec::new(),
            swaps: Vec::new(),
            asked: 0,
            answered: 0,
            taken: 0,
        };
        let layout = instance.layout(automaton);
        if !layout.is_packed()
            || layout.words() == 0
            || walker.compile(instance, automaton).is_err()
        {
            (walker.code, walker.check) = (None, None);
            walker.clauses.clear();
        }
        walker
    }

    fn compile(&mut self, instance: &Instance, automaton: AutomatonId) -> Result<(), Unsupported> {
        let words = instance.layout(automaton).words();
        let mut workshop = Workshop::new()?;
        for clause in instance.clauses(automaton) {
            let known = clause.and_then(|clause| {
                let (moves, results) = known(&clause)?;
                Some((clause, moves, results))
            });
            let Some((clause, moves, results)) = known else {
                self.clauses.push(None);
                continue;
            };
            let steps = moves == Moves::Steps;
            let after = if steps { words } else { 0 };
            let shape = Shape {
                words,
                result: clause.binders.len() + after,
                each: looks_each_time(results),
                clauses: None,
            };
            let function = workshop.function(shape, |e, frame| frame.moves(e, &clause, steps))?;
            self.clauses.push(Some((function, moves)));
        }
        let stated = 0..instance.model().invariants.len();
        let stated = stated.filter(|i| instance.model().invariants[*i].automaton == automaton);
        let formulas: Option<Vec<_>> = stated
            .map(|i| {
                let formula = instance.invariant(automaton, i)?;
                Survey::formula(&formula.body).ok().map(|_| &formula.body)
            })
            .collect();
        if let Some(formulas) = formulas {
            self.check = Some(workshop.verdicts(words, &formulas)?);
        }
        self.code = Some(workshop.finish()?);
        Ok(())
    }
}

/// What can be known of the steps by a clause, and how many there can be. What a run hands out is for the run to know.
fn known(clause: &Clause<'_>) -> Option<(Moves, u64)> {
    if clause.handed {
        return None;
    }
    let chosen = clause.relation.is_some() || clause.effect.iter().any(|s: &Stmt| chooses(s));
    if !chosen && let Ok(bounds) = Survey::clause(clause) {
        return Some((Moves::Steps, bounds.results));
    }
    let bounds = Survey::valuations(clause).ok()?;
    (!clause.binders.is_empty()).then_some((Moves::Valuations, bounds.results))
}

impl Walker {
    /// Draws a step from a state and takes it, if all about it is known and it leads to where the invariants hold.
    fn drawn(
        &mut self,
        state: &mut [u64],
        clauses: &mut [TransitionId],
        draws: &mut Draws,
    ) -> Option<()> {
        let mut found = std::mem::take(&mut self.found);
        let after = self.draw(state, clauses, draws, &mut found);
        let taken = after.filter(|at| self.all_hold(&found[*at..][..state.len()]));
        if let Some(at) = taken {
            state.copy_from_slice(&found[at..][..state.len()]);
        }
        self.found = found;
        taken.map(|_| ())
    }

    /// Draws a step from a state: says at which of the words found the state after it begins.
    fn draw(
        &mut self,
        state: &[u64],
        clauses: &mut [TransitionId],
        draws: &mut Draws,
        found: &mut Vec<u64>,
    ) -> Option<usize> {
        for tried in 0..clauses.len() {
            let drawn = tried + draws.position(clauses.len() - tried);
            clauses.swap(tried, drawn);
            self.swaps.push((tried, drawn));
            found.clear();
            let Some(Moves::Steps) = self.moves(state, clauses[tried], found) else {
                return None;
            };
            let (function, _) = self.clauses[clauses[tried].index()]?;
            let width = self.code.as_ref()?.shape(function).result;
            let count = found.len() / width;
            if count > 0 {
                let place = draws.position(count);
                return Some((place + 1) * width - state.len());
            }
        }
        None
    }
}

impl Shortcut for Walker {
    fn moves(
        &mut self,
        state: &[u64],
        transition: TransitionId,
        found: &mut Vec<u64>,
    ) -> Option<Moves> {
        self.asked += 1;
        let code = self.code.as_ref()?;
        let (function, moves) = self.clauses[transition.index()]?;
        let trouble = code.run(function, state, 0, found, Tally::default());
        if trouble.is_some() {
            return None;
        }
        self.answered += 1;
        Some(moves)
    }

    fn all_hold(&mut self, state: &[u64]) -> bool {
        let (Some(code), Some(function)) = (&self.code, self.check) else {
            return false;
        };
        self.verdicts.clear();
        let trouble = code.run(function, state, 0, &mut self.verdicts, Tally::default());
        trouble.is_none() && self.verdicts.is_empty()
    }

    fn stride(
        &mut self,
        state: &mut [u64],
        clauses: &mut [TransitionId],
        draws: &mut Draws,
        most: u64,
    ) -> u64 {
        if self.check.is_none() {
            return 0;
        }
        let mut taken = 0;
        while taken < most {
            self.swaps.clear();
            let step = draws.attempt(|draws| self.drawn(state, clauses, draws));
            if step.is_none() {
                for (a, b) in self.swaps.drain(..).rev() {
                    clauses.swap(a, b);
                }
                break;
            }
            taken += 1;
        }
        self.taken += taken;
        taken
    }
}
