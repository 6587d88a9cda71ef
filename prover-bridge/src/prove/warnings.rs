//! What is true and hardly meant: clauses that no state enables, and invariants that say nothing.
//!
//! A small finite instance shows quickly that a clause can be enabled, that a premise can be met, that an invariant
//! excludes something. Where there is none, the solver is asked for every size, and only its `unsat` makes a warning.
//! Only invariants that are established count, since a false one excludes steps that happen.

use std::time::Duration;

use ioa_lang::Span;
use ioa_lang::core::{ActionId, AutomatonId, Expr, Implication, Store, TransitionId};
use z3::ast::Bool;

use super::infinite::without_instance;
use super::question::literals;
use super::spread::spread;
use super::vacuity;
use crate::encode::{Encoded, Env, Logic, Size};
use crate::obligations::{Piece, Target, World};
use crate::report::{About, Warning};
use crate::solve::{Answer, Options, Session, in_context};
use crate::watch::Task;

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
    let options = impatient(options);
    let mut automata = target.automata();
    automata.retain(|id| !options.is_given_up(Task::Warnings(*id)));
    spread(&automata, options.threads, |automaton| {
        options.turns_to(&[Task::Warnings(*automaton)]);
        let mut found = in_context(|| {
            let mut any = Logic::new(target.model, Size::Any);
            let small = vacuity::small(target);
            let (Ok(()), Ok(small)) = (any.declare_theories(), small) else {
                return Vec::new();
            };
            let inspection = Inspection {
                target,
                options: &options,
                established,
                supposed: false,
                inspected: established,
                automaton: *automaton,
                small: Some(&small),
                logic: &any,
                at: "",
            };
            inspection.warnings()
        });
        found.extend(without_instance(target, &options, *automaton));
        options.turns_to(&[]);
        found
    })
}

/// The options for warnings.
pub(super) fn impatient<'o>(options: &Options<'o>) -> Options<'o> {
    Options {
        timeout: options.timeout.min(PATIENCE),
        resource_limit: match options.resource_limit {
            0 => WORK,
            limit => limit.min(WORK),
        },
        ..options.clone()
    }
}

/// What there has to be, or a warning is due.
#[derive(Clone, Copy)]
enum Wanted<'w, 'l> {
    /// A state that the established invariants allow.
    State,
    /// One in which a clause is enabled.
    Step(TransitionId),
    /// One in which the premises of an implication in an invariant are met, whatever that invariant itself says.
    Premise(usize, &'w Implication<'l>),
    /// A state of the right types, which the invariants need not allow, and in which this one is false.
    Counter(usize),
}

/// What is wanted, for the solver.
struct Question {
    /// What holds of the states in question.
    ground: Vec<Piece>,
    /// What one of them has to satisfy, part by part.
    conditions: Vec<(Span, Bool)>,
}

/// Why there is nothing of what is wanted: a minimal set of what contradicts itself.
struct Excluded {
    /// Invariants.
    by: Vec<usize>,
    /// Parts of what is wanted.
    parts: Vec<Span>,
}

/// One automaton, to be read at any size or in one instance.
pub(super) struct Inspection<'i, 'l> {
    pub(super) target: &'i Target<'l>,
    pub(super) options: &'i Options<'i>,
    /// The invariants that hold, by position in the target: they exclude what contradicts them.
    pub(super) established: &'i [bool],
    /// Whether it is only supposed that they hold.
    pub(super) supposed: bool,
    /// The invariants that are looked at themselves.
    pub(super) inspected: &'i [bool],
    pub(super) automaton: AutomatonId,
    /// A small instance that is looked at before; what there is in it, there is.
    pub(super) small: Option<&'l Logic<'l>>,
    pub(super) logic: &'l Logic<'l>,
    /// Of what sizes the warnings speak, with ` at ` before them; empty for every size.
    pub(super) at: &'i str,
}

impl<'l> Inspection<'_, 'l> {
    /// The warnings; none where there is no state at all: then the proofs are vacuous, and say so.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        match self.has_states() {
            true => self.oddities(),
            false => Vec::new(),
        }
    }

    /// Whether the invariants that hold allow any state, as far as is known.
    pub(super) fn has_states(&self) -> bool {
        self.excluded(Wanted::State).is_none()
    }

    fn oddities(&self) -> Vec<Warning> {
        let actions = &self.target.model.automaton(self.automaton).actions;
        let actions = (0..actions.len()).map(ActionId::at);
        let mut clauses: Vec<(TransitionId, Excluded)> =
            actions.flat_map(|action| self.never(action)).collect();
        clauses.sort_by_key(|(clause, _)| *clause);
        let stated = (0..self.target.invariants.len())
            .filter(|i| self.inspected[*i])
            .filter(|i| self.target.invariants[*i].automaton == self.automaton);
        let clauses = clauses.into_iter();
        clauses
            .map(|(clause, excluded)| self.clause(clause, &excluded))
            .chain(stated.filter_map(|i| self.invariant(i)))
            .collect()
    }

    /// The clauses of an action that never happen. Those of an action of a composition are the cases that the components'
    /// clauses make together, some of which theories rule out: it is odd only if all of them are, and the first is shown.
    fn never(&self, action: ActionId) -> Vec<(TransitionId, Excluded)> {
        let automaton = self.target.model.automaton(self.automaton);
        let each = automaton
            .clauses(action)
            .map(|(clause, _)| Some((clause, self.excluded(Wanted::Step(clause))?)));
        if automaton.components.is_empty() {
            return each.flatten().collect();
        }
        let all: Option<Vec<(TransitionId, Excluded)>> = each.collect();
        all.into_iter().flatten().take(1).collect()
    }

    fn clause(&self, clause: TransitionId, excluded: &Excluded) -> Warning {
        let automaton = self.target.model.automaton(self.automaton);
        let action = &automaton.action_of(clause).name;
        let (name, at, if_so) = (&automaton.name, self.at, self.supposition(&excluded.by));
        let what = format!("{name}.{action} never happens{at}{if_so}");
        let because = match excluded.by.as_slice() {
            [] => "no state satisfies its precondition".into(),
            by => format!("its precondition contradicts {}", self.names(by)),
        };
        let about = About::Clause(self.automaton, clause);
        let span = automaton.transitions[clause.index()].span;
        warning(about, what, because, excluded, span)
    }

    fn invariant(&self, invariant: usize) -> Option<Warning> {
        let stated = self.target.invariants[invariant];
        let about = About::Invariant(invariant);
        let (name, at) = (&stated.name, self.at);
        for implication in &stated.formula.implications() {
            if let Some(excluded) = self.excluded(Wanted::Premise(invariant, implication)) {
                let allowed = match excluded.by.as_slice() {
                    [] => String::new(),
                    by => format!(" that {} allows", self.names(by)),
                };
                let because = format!("its premise is false in every state{allowed}");
                let if_so = self.supposition(&excluded.by);
                let what = format!("{name} holds vacuously{at}{if_so}");
                return Some(warning(about, what, because, &excluded, stated.span));
            }
        }
        let excluded = self.excluded(Wanted::Counter(invariant))?;
        let what = format!("{name} holds vacuously{at}");
        let because = "it follows from the types and axioms alone, whatever the state";
        Some(warning(about, what, because.into(), &excluded, stated.span))
    }

    /// What a warning supposes: ` if Whole holds`.
    fn supposition(&self, by: &[usize]) -> String {
        match by {
            [] => String::new(),
            _ if !self.supposed => String::new(),
            [_] => format!(" if {} holds", self.names(by)),
            _ => format!(" if {} hold", self.names(by)),
        }
    }

    fn names(&self, invariants: &[usize]) -> String {
        let names = invariants.iter().map(|i| &*self.target.invariants[*i].name);
        names.collect::<Vec<_>>().join(", ")
    }

    /// Why there is nothing of what is wanted, if it is known that there is not.
    fn excluded(&self, wanted: Wanted<'_, 'l>) -> Option<Excluded> {
        if let Some(small) = self.small {
            let Question { ground, conditions } = self.question(small, wanted).ok()?;
            let mut session = Session::new(self.options);
            session.assert_all(&ground);
            for (_, condition) in conditions {
                session.assert(condition);
            }
            if session.check() == Answer::Sat {
                return None;
            }
        }
        let Question { ground, conditions } = self.question(self.logic, wanted).ok()?;
        let mut session = Session::new(self.options);
        let invariants = literals(&mut session, ground.iter());
        let first = self.target.invariants.len();
        let mut assumed = Vec::new();
        for (i, (_, condition)) in conditions.iter().enumerate() {
            let literal = Bool::new_const(format!("condition!{i}"));
            session.assert(literal.implies(condition));
            assumed.push((first + i, literal));
        }
        // What contradicts itself needs no invariant that it contradicts.
        let core = session.minimal_core(assumed.clone());
        let core = core.or_else(|| match invariants.is_empty() {
            true => None,
            false => session.minimal_core([invariants, assumed].concat()),
        })?;
        let (by, parts): (Vec<usize>, Vec<usize>) = core.into_iter().partition(|i| *i < first);
        let parts = parts.into_iter().map(|i| conditions[i - first].0);
        Some(Excluded {
            by,
            parts: parts.collect(),
        })
    }

    fn question(&self, logic: &'l Logic<'l>, wanted: Wanted<'_, 'l>) -> Encoded<Question> {
        let mut assumable = self.established.to_vec();
        match wanted {
            Wanted::State | Wanted::Step(_) => {}
            Wanted::Premise(invariant, _) => assumable[invariant] = false,
            Wanted::Counter(_) => assumable.fill(false),
        }
        let target = self.target;
        let mut ground = logic
            .ground(target, World::State(self.automaton), &assumable)?
            .assume;
        // The same symbols as those of the ground, which bear the names of the variables.
        let state = logic.unknown_state(target, self.automaton, "")?;
        let conditions = match wanted {
            Wanted::State => Vec::new(),
            Wanted::Step(clause) => {
                let (env, _) = logic.unknown_params(target, self.automaton, clause, &state)?;
                let automaton = target.model.automaton(self.automaton);
                let clause = &automaton.transitions[clause.index()];
                let conditions = clause.applies.conjuncts().into_iter();
                conditions_in(logic, conditions.chain(clause.pre.conjuncts()), &env)?
            }
            Wanted::Premise(invariant, implication) => {
                let locals = &target.invariants[invariant].locals;
                let mut env = Env::default().with(Store::Pre, state).item(locals);
                for local in &implication.locals {
                    let declared = env.declared(*local)?;
                    let name = format!("premise.{}!{}", declared.name, local.index());
                    let value = logic.unknown(&name, &declared.ty)?;
                    env.set_local(*local, value);
                }
                conditions_in(logic, implication.premises.iter().copied(), &env)?
            }
            Wanted::Counter(invariant) => {
                let holds = logic.invariant_before(target, invariant, &state)?.formula;
                vec![(target.invariants[invariant].formula.span, holds.not())]
            }
        };
        ground.extend(logic.facts());
        Ok(Question { ground, conditions })
    }
}

/// Formulas with their places.
fn conditions_in<'l>(
    logic: &'l Logic<'l>,
    formulas: impl Iterator<Item = &'l Expr>,
    env: &Env<'l>,
) -> Encoded<Vec<(Span, Bool)>> {
    formulas
        .map(|formula| Ok((formula.span, logic.holds(formula, env)?)))
        .collect()
}

/// A warning at the first of the parts that exclude each other, or at `span` where they are none.
fn warning(
    about: About,
    what: String,
    because: String,
    excluded: &Excluded,
    span: Span,
) -> Warning {
    let mut parts = excluded.parts.iter().copied();
    Warning {
        about,
        what,
        because,
        span: parts.next().unwrap_or(span),
        with: parts.collect(),
    }
}
