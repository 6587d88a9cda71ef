//! What is true and hardly meant: clauses that no state enables, and invariants that say nothing.
//!
//! A small finite instance shows quickly that a clause can be enabled, that a premise can be met, that an invariant
//! excludes something. Where there is none, the solver is asked for every size, and only its `unsat` makes a warning.
//! Only invariants that are established count, since a false one excludes steps that happen.

mod states;

use std::time::Duration;

use ioa_lang::Span;
use ioa_lang::core::{ActionId, Automaton, TransitionId};
use z3::ast::Bool;

use self::states::{Small, States, Wanted};
use super::infinite::{lacking_small_instance, without_instance};
use super::question::literals;
use super::spread::spread;
use super::vacuity;
use crate::logic::{Encoded, Logic, Size};
use crate::obligations::{Background, Piece, Target};
use crate::options::Options;
use crate::report::{About, Warning};
use crate::solver::{Solver, in_context_of};
use crate::watch::Task;

pub(super) use self::states::Inspection;

/// A question that takes more work is left open, in the solver's own unit: a warning is not worth waiting for.
const WORK: u32 = 500_000;

/// Time for a question, which ends it where the solver takes long for little work.
const PATIENCE: Duration = Duration::from_secs(2);

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
        let (mut found, lacks_instance) = in_context_of(&options, || {
            let mut any = Logic::new(target.model, Size::Any);
            let small = vacuity::small(target);
            let (Ok(()), Ok(small)) = (any.declare_theories(), small) else {
                return (Vec::new(), false);
            };
            let inspection = Inspection {
                target,
                options: &options,
                established,
                supposed: false,
                inspected: established,
                automaton: *automaton,
                at: "",
            };
            let lacks = lacking_small_instance(target, &small, *automaton, &options);
            (inspection.warnings(Some(&small), &any), lacks.is_some())
        });
        if lacks_instance {
            found.extend(without_instance(target, &options, *automaton));
        }
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

/// Why there is nothing of what is wanted: a minimal set of what contradicts itself.
struct Excluded {
    /// Invariants.
    by: Vec<usize>,
    /// Parts of what is wanted.
    parts: Vec<Span>,
}

/// An inspection with what its questions have in common.
struct Inspector<'n, 'i, 'l> {
    inspection: &'n Inspection<'i, 'l>,
    small: Option<Small<'n, 'l>>,
    any: States<'l>,
}

impl<'i, 'l> Inspection<'i, 'l> {
    /// The warnings in one reading, which the `small` instance comes before; none where there is no state at all: then the
    /// proofs are vacuous, and say so.
    pub(super) fn warnings(
        &self,
        small: Option<&'l Logic<'l>>,
        logic: &'l Logic<'l>,
    ) -> Vec<Warning> {
        let inspector = self.inspector(small, logic);
        let mut inspector = match inspector {
            Ok(inspector) => inspector,
            Err(_) => return Vec::new(),
        };
        match inspector.excluded(Wanted::State) {
            None => inspector.oddities(),
            Some(_) => Vec::new(),
        }
    }

    /// Whether the invariants that hold allow any state, as far as is known.
    pub(super) fn has_states(&self, logic: &'l Logic<'l>) -> bool {
        let inspector = self.inspector(None, logic);
        inspector.is_ok_and(|mut inspector| inspector.excluded(Wanted::State).is_none())
    }

    fn inspector<'n>(
        &'n self,
        small: Option<&'l Logic<'l>>,
        logic: &'l Logic<'l>,
    ) -> Encoded<Inspector<'n, 'i, 'l>> {
        let small = small.map(|small| self.small(small)).transpose()?;
        Ok(Inspector {
            inspection: self,
            small,
            any: self.states(logic)?,
        })
    }

    fn states(&self, logic: &'l Logic<'l>) -> Encoded<States<'l>> {
        let background = Background::State(self.automaton);
        let ground = logic.ground(self.target, background, self.established)?;
        // The same symbols as those of the ground, which bear the names of the variables.
        let state = logic.unknown_state(self.target, self.automaton, "")?;
        logic.facts();
        Ok(States {
            logic,
            state,
            ground: ground.assume,
        })
    }

    fn small<'n>(&'n self, logic: &'l Logic<'l>) -> Encoded<Small<'n, 'l>> {
        let states = self.states(logic)?;
        let mut solver = Solver::new(self.options);
        let invariants = literals(&mut solver, states.ground.iter());
        Ok(Small {
            states,
            solver,
            invariants,
        })
    }
}

impl<'l> Inspector<'_, '_, 'l> {
    fn oddities(&mut self) -> Vec<Warning> {
        let inspection = self.inspection;
        let target = inspection.target;
        let actions = &target.model.automaton(inspection.automaton).actions;
        let actions = (0..actions.len()).map(ActionId::at);
        let mut clauses: Vec<(TransitionId, Excluded)> =
            actions.flat_map(|action| self.never(action)).collect();
        clauses.sort_by_key(|(clause, _)| *clause);
        let clauses = clauses.into_iter();
        let mut warnings: Vec<Warning> = clauses
            .map(|(clause, excluded)| inspection.clause(clause, &excluded))
            .collect();
        let stated = (0..target.invariants.len())
            .filter(|i| inspection.inspected[*i])
            .filter(|i| target.invariants[*i].automaton == inspection.automaton);
        warnings.extend(stated.filter_map(|i| self.invariant(i)));
        warnings
    }

    /// The clauses of an action that never happen. Those of an action of a composition are the cases that the components'
    /// clauses make together, some of which theories rule out: it is odd only if all of them are, and the first is shown.
    fn never(&mut self, action: ActionId) -> Vec<(TransitionId, Excluded)> {
        let automaton = self.inspection.automaton();
        let each = automaton
            .clauses(action)
            .map(|(clause, _)| Some((clause, self.excluded(Wanted::Step(clause))?)));
        if automaton.components.is_empty() {
            return each.flatten().collect();
        }
        let all: Option<Vec<(TransitionId, Excluded)>> = each.collect();
        all.into_iter().flatten().take(1).collect()
    }

    fn invariant(&mut self, invariant: usize) -> Option<Warning> {
        let inspection = self.inspection;
        let stated = inspection.target.invariants[invariant];
        let about = About::Invariant(invariant);
        let (name, at) = (&stated.name, inspection.at);
        for implication in &stated.formula.implications() {
            if let Some(excluded) = self.excluded(Wanted::Premise(invariant, implication)) {
                let allowed = match excluded.by.as_slice() {
                    [] => String::new(),
                    by => format!(" that {} allows", inspection.names(by)),
                };
                let because = format!("its premise is false in every state{allowed}");
                let if_so = inspection.supposition(&excluded.by);
                let what = format!("{name} holds vacuously{at}{if_so}");
                return Some(warning(about, what, because, &excluded, stated.span));
            }
        }
        let excluded = self.excluded(Wanted::Counter(invariant))?;
        let what = format!("{name} holds vacuously{at}");
        let because = "it follows from the types and axioms alone, whatever the state";
        Some(warning(about, what, because.into(), &excluded, stated.span))
    }

    /// Why there is nothing of what is wanted, if it is known that there is not.
    fn excluded(&mut self, wanted: Wanted<'_, 'l>) -> Option<Excluded> {
        if let Some(small) = &mut self.small
            && small.has(self.inspection, wanted).ok()?
        {
            return None;
        }
        let conditions = self.any.conditions(self.inspection, wanted).ok()?;
        let mut solver = Solver::new(self.inspection.options);
        let is_allowed = |piece: &&Piece| piece.invariant.is_none_or(|i| wanted.allows(i));
        let invariants = literals(&mut solver, self.any.ground.iter().filter(is_allowed));
        solver.assert_all(&conditions.facts);
        let first = self.inspection.target.invariants.len();
        let mut assumed = Vec::new();
        for (i, (_, condition)) in conditions.formulas.iter().enumerate() {
            let literal = Bool::new_const(format!("condition!{i}"));
            solver.assert(literal.implies(condition));
            assumed.push((first + i, literal));
        }
        // What contradicts itself needs no invariant that it contradicts.
        let core = solver.minimal_core(assumed.clone());
        let core = core.or_else(|| match invariants.is_empty() {
            true => None,
            false => solver.minimal_core([invariants, assumed].concat()),
        })?;
        let (by, parts): (Vec<usize>, Vec<usize>) = core.into_iter().partition(|i| *i < first);
        let parts = parts.into_iter().map(|i| conditions.formulas[i - first].0);
        Some(Excluded {
            by,
            parts: parts.collect(),
        })
    }
}

impl<'l> Inspection<'_, 'l> {
    fn automaton(&self) -> &'l Automaton {
        self.target.model.automaton(self.automaton)
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
