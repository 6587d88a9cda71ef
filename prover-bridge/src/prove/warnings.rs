//! What is true and hardly meant: clauses that no state enables, and invariants that say nothing.
//!
//! A small finite instance shows quickly that a clause can be enabled, that a premise can be met, that an invariant
//! excludes something. Where there is none, the solver is asked for every size, and only its `unsat` makes a warning.
//! Only invariants that are established count, since a false one excludes steps that happen.

use std::time::Duration;

use ioa_lang::Span;
use ioa_lang::core::{AutomatonId, Expr, ExprKind, Op, Quantifier, Store, TransitionId};
use z3::ast::Bool;

use super::round::literals;
use super::spread::spread;
use super::vacuity;
use crate::encode::{Encoded, Env, Logic, Size};
use crate::obligations::{Piece, Target, World};
use crate::report::{About, Warning};
use crate::solve::{Answer, Options, Session, in_context};

/// A question that takes longer is left open: a warning is not worth waiting for.
const PATIENCE: Duration = Duration::from_millis(500);

/// The same in the solver's own unit of work, so that what is found seldom depends on the machine.
const WORK: u32 = 1_000_000;

/// The warnings about a target, given which of its invariants are established.
pub(super) fn warnings(
    target: &Target<'_>,
    options: &Options<'_>,
    established: &[bool],
) -> Vec<Warning> {
    let options = Options {
        timeout: options.timeout.min(PATIENCE),
        resource_limit: match options.resource_limit {
            0 => WORK,
            limit => limit.min(WORK),
        },
        ..options.clone()
    };
    spread(&target.automata(), options.threads, |automaton| {
        in_context(|| {
            let mut any = Logic::new(target.model, Size::Any);
            let small = vacuity::small(target);
            let (Ok(()), Ok(small)) = (any.declare_theories(), small) else {
                return Vec::new();
            };
            let inspection = Inspection {
                target,
                options: &options,
                established,
                automaton: *automaton,
                small: &small,
                any: &any,
            };
            inspection.warnings()
        })
    })
}

/// What there has to be, or a warning is due.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// A state that the established invariants allow.
    State,
    /// One in which a clause is enabled.
    Step(TransitionId),
    /// One in which all premises of an invariant are met, whatever that invariant itself says.
    Premise(usize, &'a Expr),
    /// A state of the right types, which the invariants need not allow, and in which this one is false.
    Counter(usize),
}

/// One automaton, to be read in a small instance and at any size.
struct Inspection<'i, 'l> {
    target: &'i Target<'l>,
    options: &'i Options<'i>,
    established: &'i [bool],
    automaton: AutomatonId,
    small: &'l Logic<'l>,
    any: &'l Logic<'l>,
}

impl<'l> Inspection<'_, 'l> {
    fn warnings(&self) -> Vec<Warning> {
        // Where there is no state at all, the proofs are vacuous, and say so.
        if self.excluded(Wanted::State).is_some() {
            return Vec::new();
        }
        let clauses = &self.target.model.automaton(self.automaton).transitions;
        let clauses = (0..clauses.len()).map(TransitionId::at);
        let stated = (0..self.target.invariants.len())
            .filter(|i| self.established[*i])
            .filter(|i| self.target.invariants[*i].automaton == self.automaton);
        clauses
            .filter_map(|clause| self.clause(clause))
            .chain(stated.filter_map(|i| self.invariant(i)))
            .collect()
    }

    fn clause(&self, clause: TransitionId) -> Option<Warning> {
        let by = self.excluded(Wanted::Step(clause))?;
        let automaton = self.target.model.automaton(self.automaton);
        let name = format!("{}.{}", automaton.name, automaton.action_of(clause).name);
        Some(Warning {
            about: About::Clause(self.automaton, clause),
            span: automaton.transitions[clause.index()].pre.span,
            text: match by.as_slice() {
                [] => format!("{name} never happens: no state satisfies its precondition"),
                by => format!(
                    "{name} never happens: its precondition contradicts {}",
                    self.names(by)
                ),
            },
        })
    }

    fn invariant(&self, invariant: usize) -> Option<Warning> {
        let stated = self.target.invariants[invariant];
        let warn = |span: Span, text: String| {
            Some(Warning {
                about: About::Invariant(invariant),
                span,
                text,
            })
        };
        for part in stated.formula.conjuncts() {
            if has_premise(part)
                && let Some(by) = self.excluded(Wanted::Premise(invariant, part))
            {
                let because = match by.as_slice() {
                    [] => String::new(),
                    by => format!(" that {} allows", self.names(by)),
                };
                let text = format!(
                    "{} holds vacuously: its premise is false in every state{because}",
                    stated.name
                );
                return warn(part.span, text);
            }
        }
        self.excluded(Wanted::Counter(invariant))?;
        let text = format!(
            "{} holds vacuously: it follows from the types and axioms alone, whatever the state",
            stated.name
        );
        warn(stated.formula.span, text)
    }

    fn names(&self, invariants: &[usize]) -> String {
        let names = invariants.iter().map(|i| &*self.target.invariants[*i].name);
        names.collect::<Vec<_>>().join(", ")
    }

    /// The invariants that exclude what is wanted, if it is known that there is none at any size: a minimal set.
    fn excluded(&self, wanted: Wanted<'l>) -> Option<Vec<usize>> {
        let mut session = Session::new(self.options);
        session.assert_all(&self.pieces(self.small, wanted).ok()?);
        if session.check() == Answer::Sat {
            return None;
        }
        let mut session = Session::new(self.options);
        let pieces = self.pieces(self.any, wanted).ok()?;
        let literals = literals(&session, pieces.iter());
        session.minimal_core(literals)
    }

    fn pieces(&self, logic: &'l Logic<'l>, wanted: Wanted<'l>) -> Encoded<Vec<Piece>> {
        let mut assumable = self.established.to_vec();
        match wanted {
            Wanted::State | Wanted::Step(_) => {}
            Wanted::Premise(invariant, _) => assumable[invariant] = false,
            Wanted::Counter(_) => assumable.fill(false),
        }
        let target = self.target;
        let mut pieces = logic
            .ground(target, World::State(self.automaton), &assumable)?
            .assume;
        // The same symbols as those of the ground, which bear the names of the variables.
        let state = logic.unknown_state(target, self.automaton, "")?;
        match wanted {
            Wanted::State => {}
            Wanted::Step(clause) => {
                pieces.extend(logic.step(target, self.automaton, clause, &state)?.assume);
            }
            Wanted::Premise(invariant, part) => {
                let locals = &target.invariants[invariant].locals;
                let env = Env::default().with(Store::Pre, state).item(locals);
                let met = premises(logic, part, env)?;
                pieces.extend(met.into_iter().map(|p| Piece::new("premise", p)));
            }
            Wanted::Counter(invariant) => {
                let holds = logic.invariant_before(target, invariant, &state)?.formula;
                pieces.push(Piece::new("counter", holds.not()));
            }
        }
        pieces.extend(logic.facts());
        Ok(pieces)
    }
}

/// Whether a formula has the shape `\A x (p => q)`, with any number of quantifiers.
fn has_premise(formula: &Expr) -> bool {
    match &formula.kind {
        ExprKind::Quantified(Quantifier::ForAll, _, body) => has_premise(body),
        ExprKind::Apply(Op::Implies, _) => true,
        _ => false,
    }
}

/// The premises in such a formula, one within the other, for some values of its variables.
fn premises<'l>(logic: &'l Logic<'l>, formula: &'l Expr, mut env: Env<'l>) -> Encoded<Vec<Bool>> {
    let (mut met, mut formula) = (Vec::new(), formula);
    loop {
        match &formula.kind {
            ExprKind::Quantified(Quantifier::ForAll, locals, body) => {
                for local in locals {
                    let declared = env.declared(*local)?;
                    let name = format!("premise.{}!{}", declared.name, local.index());
                    let value = logic.unknown(&name, &declared.ty)?;
                    env.set_local(*local, value);
                }
                formula = body;
            }
            ExprKind::Apply(Op::Implies, sides) => {
                let [premise, conclusion] = sides.as_slice() else {
                    return Ok(met);
                };
                met.push(logic.holds(premise, &env)?);
                formula = conclusion;
            }
            _ => return Ok(met),
        }
    }
}
