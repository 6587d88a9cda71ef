//! Running statements: effects, start programs, schedules and proof blocks.

use std::ops::ControlFlow;

use ioa_lang::Span;
use ioa_lang::core::{ActionId, Store};

use crate::code::{Binder, Choose, Det, Fire, Plan, Row, Stmt, StmtKind, Term, Word};
use crate::interrupt::fault::{FaultKind, LimitKind};
use crate::interrupt::limits::{MAX_DOMAIN, STATEMENT_COST};
use crate::state::cell::{Cell, Shape};
use crate::state::layout::State;
use crate::transition::Choice;
use crate::vm::Machine;
use crate::vm::halt::{Stop, stop};
use crate::vm::oracle::{Options, Oracle};

/// What statements need from their environment.
pub(crate) trait Context {
    /// The oracle that resolves a `choose`.
    fn oracle(&mut self) -> &mut dyn Oracle;

    /// Makes another automaton take a step. `Break` ends the program.
    fn fire(&mut self, machine: &mut Machine, call: Call) -> Result<ControlFlow<()>, Stop>;

    /// Makes it take a step that is drawn at random, with weights for some actions. `Break` ends the program.
    fn fire_any(&mut self, _: &mut Machine, _: &[(ActionId, f64)]) -> ControlFlow<()> {
        unreachable!("the front end lets only schedules draw what they fire")
    }
}

/// A `fire` statement with its terms evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The action.
    pub action: ActionId,
    /// Its parameters.
    pub args: Vec<Cell>,
    /// Values for the hidden parameters and the choices of the step, in order of evaluation; may be empty.
    pub using: Vec<Cell>,
    /// The statement.
    pub span: Span,
}

/// The environment of an effect or a start program: no other automaton, only choices.
struct Alone<'o>(&'o mut dyn Oracle);

impl Context for Alone<'_> {
    fn oracle(&mut self) -> &mut dyn Oracle {
        self.0
    }

    fn fire(&mut self, _: &mut Machine, _: Call) -> Result<ControlFlow<()>, Stop> {
        unreachable!("the front end lets only schedules and proof blocks fire")
    }
}

impl Machine {
    /// Runs the statements of an effect or a start program.
    pub(crate) fn run_alone(
        &mut self,
        block: &[Stmt],
        oracle: &mut dyn Oracle,
    ) -> Result<(), Stop> {
        self.run(block, &mut Alone(oracle)).map(|_| ())
    }

    /// Runs statements in order.
    pub(crate) fn run(
        &mut self,
        block: &[Stmt],
        context: &mut dyn Context,
    ) -> Result<ControlFlow<()>, Stop> {
        for statement in block {
            self.spend(STATEMENT_COST, statement.span)?;
            if self.statement(statement, context)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn statement(
        &mut self,
        statement: &Stmt,
        context: &mut dyn Context,
    ) -> Result<ControlFlow<()>, Stop> {
        match &statement.kind {
            StmtKind::Set(target, value) => self.assign(target, value)?,
            StmtKind::Choose {
                choice,
                target,
                value,
            } => {
                self.choose(choice, context.oracle(), statement.span)?;
                self.assign(target, value)?;
            }
            StmtKind::If(branches, otherwise) => {
                let taken = self.branch(branches)?;
                // Where there is no `else`, no branch may be taken.
                if let (Some(record), Some(id)) = (&mut self.branches, statement.id)
                    && (taken < branches.len() || !otherwise.is_empty())
                {
                    record.insert((id, taken));
                }
                let body = branches.get(taken).map_or(otherwise, |(_, body)| body);
                return self.run(body, context);
            }
            StmtKind::For { plan, binder, body } => {
                return self.for_each(plan, binder, body, context);
            }
            StmtKind::While(condition, body) => {
                while self.word(condition)? != 0 {
                    self.spend(STATEMENT_COST, statement.span)?;
                    if self.run(body, context)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            StmtKind::Fire(fire) => {
                let call = self.call(fire, statement.span)?;
                return context.fire(self, call);
            }
            StmtKind::FireAny(weights) => return Ok(context.fire_any(self, weights)),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The position of the first branch whose condition holds; if none does, that of `else`, which comes last.
    fn branch(&mut self, branches: &[(Word, Box<[Stmt]>)]) -> Result<usize, Stop> {
        for (position, (condition, _)) in branches.iter().enumerate() {
            if self.word(condition)? != 0 {
                return Ok(position);
            }
        }
        Ok(branches.len())
    }

    /// The values are determined before the body runs for the first of them.
    fn for_each(
        &mut self,
        plan: &Plan,
        binder: &Binder,
        body: &[Stmt],
        context: &mut dyn Context,
    ) -> Result<ControlFlow<()>, Stop> {
        for value in self.candidates(plan, binder)? {
            self.bind(binder.slot, value.clone());
            match self.run(body, context) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Ok(ControlFlow::Break(())),
                Err(stop) => return Err(stop.bind(binder.slot, value)),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn call(&mut self, fire: &Fire, span: Span) -> Result<Call, Stop> {
        let args: Result<_, Stop> = fire.args.iter().map(|a| self.term(a)).collect();
        let using: Result<_, Stop> = fire.using.iter().map(|u| self.term(u)).collect();
        Ok(Call {
            action: fire.action,
            args: args?,
            using: using?,
            span,
        })
    }

    /// All values of the only binder of a plan.
    fn candidates(&mut self, plan: &Plan, binder: &Binder) -> Result<Vec<Cell>, Stop> {
        let mut found = Vec::new();
        self.every_valuation(plan, &mut |machine| {
            found.push(machine.bound(binder));
            Ok(())
        })?;
        debug_assert!(found.len() as u64 <= MAX_DOMAIN);
        Ok(found)
    }

    /// Binds the binder to the value that the oracle chooses.
    fn choose(&mut self, choice: &Choose, oracle: &mut dyn Oracle, span: Span) -> Result<(), Stop> {
        let Choose {
            binder, det, place, ..
        } = choice;
        let row = |oracle: &mut dyn Oracle, det: &Det| oracle.row(det.site, det.rows.len());
        let value = if let (Some(state), Some(place)) = (oracle.destination(), place) {
            let value = self.read_in(state, place)?;
            self.check_choice(choice, &value, FaultKind::BadChoice, span)?;
            value
        } else if let Some(value) = oracle.given() {
            self.check_choice(choice, &value, FaultKind::BadChoice, span)?;
            value
        } else if let Some(det) = det
            && let Some(row) = row(oracle, det)
        {
            let Row { terms, span } = &det.rows[row];
            let value = self.term(&terms[0])?;
            self.check_choice(choice, &value, FaultKind::BadYield, *span)?;
            value
        } else if let Some([value]) = oracle.recall().as_deref() {
            value.clone()
        } else {
            let Some(plan) = &choice.plan else {
                return Err(stop(LimitKind::Domain, span));
            };
            let mut candidates = Options::new(std::iter::once(binder));
            self.every_valuation(plan, &mut |machine| {
                candidates.push(std::iter::once(machine.bound(binder)));
                Ok(())
            })?;
            if candidates.is_empty() {
                return Err(stop(FaultKind::NothingToChoose, span));
            }
            let [value] = candidates.get(oracle.pick_of(&candidates)) else {
                unreachable!("a choose has one variable");
            };
            value.clone()
        };
        self.bind(binder.slot, value.clone());
        self.chosen.push(Choice {
            local: binder.slot,
            value,
        });
        Ok(())
    }

    /// The value of a term in another state.
    fn read_in(&mut self, state: &State, term: &Term) -> Result<Cell, Stop> {
        let here = std::mem::replace(self.store_mut(Store::Pre), state.clone());
        let value = self.term(term);
        *self.store_mut(Store::Pre) = here;
        value
    }

    /// Whether a value that did not come from the search may be chosen.
    fn check_choice(
        &mut self,
        choice: &Choose,
        value: &Cell,
        otherwise: FaultKind,
        span: Span,
    ) -> Result<(), Stop> {
        let slot = choice.binder.slot;
        if let Some(plan) = &choice.plan {
            self.check_defined(plan)?;
        }
        self.bind(slot, value.clone());
        if choice.binder.refuses(value) || self.word(&choice.predicate)? == 0 {
            return Err(stop(otherwise, span).bind(slot, value.clone()));
        }
        Ok(())
    }
}

impl Binder {
    /// Whether a number is not a value of the binder's type.
    pub(crate) fn refuses(&self, value: &Cell) -> bool {
        match (&*self.shape, value) {
            (Shape::Nat, Cell::Int(n)) => n.is_negative(),
            (Shape::Number { nat: true }, Cell::Word(n)) => n.cast_signed() < 0,
            _ => false,
        }
    }
}
