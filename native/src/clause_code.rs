//! Machine code that lists all steps by one clause from one state, and that tests the invariants in a state.

use interpreter::code::Stmt;
use interpreter::{Clause, ClauseSteps, Instance, Rows, StepDetail};
use ioa_lang::core::{AutomatonId, TransitionId};

use crate::analysis::CodegenCheck;
use crate::asked::Interpreter;
use crate::jit::call::Tally;
use crate::jit::job::{Shape, looks_each_time};
use crate::jit::{Code, Function, JitCompiler, Unsupported};

/// The clauses and the invariants of an automaton as separate machine code functions; none for those that are interpreted.
pub struct ClauseCode {
    code: Option<Code>,
    clauses: Vec<Option<(Function, StepDetail)>>,
    /// The functions that find violated invariants, if all invariants can be translated.
    check: Option<Vec<Function>>,
    verdicts: Vec<u64>,
    /// The number of requests for the steps by a clause.
    pub asked: u64,
    /// The number of requests that machine code answered.
    pub answered: u64,
}

impl ClauseCode {
    /// Compiles the clauses and invariants of an automaton for random runs. What cannot be translated is interpreted.
    #[must_use]
    pub fn new(instance: &Instance, automaton: AutomatonId) -> Self {
        let mut made = Self {
            code: None,
            clauses: Vec::new(),
            check: None,
            verdicts: Vec::new(),
            asked: 0,
            answered: 0,
        };
        let layout = instance.layout(automaton);
        if !layout.is_packed() || layout.words() == 0 || made.compile(instance, automaton).is_err()
        {
            (made.code, made.check) = (None, None);
            made.clauses.clear();
        }
        made
    }

    fn compile(&mut self, instance: &Instance, automaton: AutomatonId) -> Result<(), Unsupported> {
        let words = instance.layout(automaton).words();
        let mut compiler = JitCompiler::new()?;
        // The states have no cells, but terms can have general values.
        let rows = Rows::new(instance, automaton);
        compiler.services.interpreter = Some(Interpreter::new(instance, automaton, &rows));
        for clause in instance.clauses(automaton) {
            let known = clause.and_then(|clause| {
                let (extent, results) = known(&clause)?;
                Some((clause, extent, results))
            });
            let Some((clause, extent, results)) = known else {
                self.clauses.push(None);
                continue;
            };
            let steps = extent == StepDetail::Steps;
            let after = if steps { words } else { 0 };
            let shape = Shape {
                words,
                result: clause.binders.len() + after,
                each: looks_each_time(results),
                clauses: None,
            };
            let (function, ()) =
                compiler.function(shape, |e, frame| frame.moves(e, &clause, steps))?;
            self.clauses.push(Some((function, extent)));
        }
        let stated = 0..instance.model().invariants.len();
        let stated = stated.filter(|i| instance.model().invariants[*i].automaton == automaton);
        let formulas: Option<Vec<_>> = stated
            .map(|i| {
                let formula = instance.invariant(automaton, i)?;
                let checked = CodegenCheck::default().formula(&formula.body);
                checked.ok().map(|_| &formula.body)
            })
            .collect();
        if let Some(formulas) = formulas {
            self.check = Some(compiler.verdicts(words, &formulas)?);
        }
        self.code = Some(compiler.finish()?);
        Ok(())
    }
}

/// What machine code can say about the steps by a clause, and how many there can be. The values that a run supplies are not
/// known here.
fn known(clause: &Clause<'_>) -> Option<(StepDetail, u64)> {
    // The values of the parameters must be words.
    if clause.handed || clause.binders.iter().any(|binder| !binder.packed) {
        return None;
    }
    let chosen = clause.relation.is_some() || clause.effect.iter().any(Stmt::chooses);
    if !chosen && let Ok((steps, _)) = CodegenCheck::default().clause(clause) {
        return Some((StepDetail::Steps, steps.results));
    }
    let results = CodegenCheck::default().valuations(clause).ok()?.results;
    (!clause.binders.is_empty()).then_some((StepDetail::Parameters, results))
}

impl ClauseSteps for ClauseCode {
    fn steps_by(
        &mut self,
        state: &[u64],
        transition: TransitionId,
        found: &mut Vec<u64>,
    ) -> Option<StepDetail> {
        self.asked += 1;
        let code = self.code.as_ref()?;
        let (function, extent) = self.clauses[transition.index()]?;
        let bailout = code.run(function, state, 0, found, Tally::default());
        if bailout.is_some() {
            return None;
        }
        self.answered += 1;
        Some(extent)
    }

    fn all_hold(&mut self, state: &[u64]) -> bool {
        let (Some(code), Some(check)) = (&self.code, &self.check) else {
            return false;
        };
        self.verdicts.clear();
        check.iter().all(|function| {
            let bailout = code.run(*function, state, 0, &mut self.verdicts, Tally::default());
            bailout.is_none() && self.verdicts.is_empty()
        })
    }
}
