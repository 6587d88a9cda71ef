//! The guard against proofs of nothing: whether what a proof assumes can be true at all.
//!
//! From contradictory assumptions everything follows: of an automaton without start states, of a clause that no state
//! enables, under axioms without a model. That assumptions are consistent is shown by a small finite instance, which
//! is quickly found. Where there is none, the solver is asked for every size, and only its `unsat` makes a proof vacuous.

use std::collections::BTreeMap;
use std::time::Duration;

use ioa_lang::core::{AutomatonId, TransitionId};

use z3::ast::Bool;

use super::round::{Raw, Round};
use crate::encode::{Encoded, FiniteSize, Logic, Size};
use crate::obligations::{Kind, Piece, Target, Unit, World};
use crate::solve::{Answer, Options, Session};

/// The number of elements of every sort in the instance that is looked for first.
const SMALL: u32 = 2;

/// A contradiction that takes longer to find is not looked for any further.
const PATIENCE: Duration = Duration::from_secs(1);

/// What proofs assume, by what it is that there has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Assumed {
    /// An interpretation of the theories, for what an automaton asks of them.
    Axioms(AutomatonId),
    StartState(AutomatonId),
    /// A state of the world, which the invariants and the relation allow.
    State(World),
    /// A step of a clause, whatever the invariants say: that they exclude it may be their purpose.
    Step(AutomatonId, TransitionId),
}

/// The questions of one lane, each asked once.
pub(super) struct Guard<'g, 'l> {
    round: Round<'g, 'l>,
    /// The small instance, in a solver of its own.
    small: (&'l Logic<'l>, Session<'g>),
    /// The model at any size.
    any: &'l Logic<'l>,
    known: BTreeMap<Assumed, bool>,
}

/// The vocabulary of the small instance.
///
/// # Errors
/// An operator that has no reading in logic.
pub(super) fn small<'a>(target: &Target<'a>) -> Encoded<Logic<'a>> {
    instance(target, SMALL)
}

/// The vocabulary of an instance with so many elements of every sort.
///
/// # Errors
/// An operator that has no reading in logic.
pub(super) fn instance<'a>(target: &Target<'a>, elements: u32) -> Encoded<Logic<'a>> {
    let size = FiniteSize {
        sorts: vec![elements; target.model.sorts.len()],
        meaning: None,
        expand: true,
        windowed: false,
    };
    let mut logic = Logic::new(target.model, Size::Finite(size));
    logic.declare_theories()?;
    Ok(logic)
}

impl<'g, 'l> Guard<'g, 'l> {
    /// A guard over the proofs of a round, with the vocabulary of the [`small`] instance and that of any size.
    pub(super) fn new(round: Round<'g, 'l>, small: &'l Logic<'l>, any: &'l Logic<'l>) -> Self {
        Self {
            round,
            small: (small, Session::new(round.options)),
            any,
            known: BTreeMap::new(),
        }
    }

    /// Marks the proofs of these units that rest on a contradiction.
    pub(super) fn mark(&mut self, units: &[&(Unit, Vec<Kind>)], out: &mut [(Kind, Raw)]) {
        for (unit, kinds) in units {
            let mut proved: Vec<&mut (Kind, Raw)> = out
                .iter_mut()
                .filter(|(kind, raw)| kinds.contains(kind) && assumes(*kind, raw))
                .collect();
            if proved.is_empty() {
                continue;
            }
            let contradiction = assumed(self.round.target, *unit)
                .into_iter()
                .find(|what| self.is_contradictory(*what));
            if let Some(what) = contradiction {
                let why = match self.contradictory_axioms(*unit) {
                    Some(axioms) => axioms,
                    None => explain(self.round.target, what),
                };
                proved
                    .iter_mut()
                    .for_each(|entry| entry.1.vacuous = Some(why.clone()));
            }
        }
    }

    /// Whether what is assumed cannot be. The clauses of an action of a composition are the cases that the components'
    /// clauses make together, some of which theories rule out; only all of them together are the action's steps.
    fn is_contradictory(&mut self, what: Assumed) -> bool {
        let Assumed::Step(id, clause) = what else {
            return self.is_none(what);
        };
        let automaton = self.round.target.model.automaton(id);
        if !self.is_none(what) || automaton.components.is_empty() {
            return self.is_none(what);
        }
        let action = automaton.transitions[clause.index()].action;
        let mut cases = automaton.clauses(action);
        cases.all(|(case, _)| self.is_none(Assumed::Step(id, case)))
    }

    fn is_none(&mut self, what: Assumed) -> bool {
        if let Some(known) = self.known.get(&what) {
            return *known;
        }
        let contradictory = !self.is_possible(what) && self.is_impossible(what);
        self.known.insert(what, contradictory);
        contradictory
    }

    /// Whether there is a small instance.
    fn is_possible(&mut self, what: Assumed) -> bool {
        let (logic, session) = &mut self.small;
        let Ok(pieces) = pieces(self.round, logic, what) else {
            return false;
        };
        session.scoped(|session| {
            session.assert_all(&pieces);
            session.check() == Answer::Sat
        })
    }

    /// Whether the solver finds the contradiction at any size.
    fn is_impossible(&self, what: Assumed) -> bool {
        let options = impatient(self.round.options);
        let Ok(pieces) = pieces(self.round, self.any, what) else {
            return false;
        };
        let mut session = Session::new(&options);
        session.assert_all(&pieces);
        session.check() == Answer::Unsat
    }

    /// Says which of the axioms that a unit assumes contradict each other, if some do: a minimal set of them, by name.
    fn contradictory_axioms(&self, unit: Unit) -> Option<String> {
        let options = impatient(self.round.options);
        let target = self.round.target;
        let axioms = self
            .any
            .axioms(&World::of(target, unit).setting(target))
            .ok()?;
        let mut session = Session::new(&options);
        session.assert_all(&self.any.facts());
        let mut literals = Vec::new();
        for (position, (_, formula)) in axioms.iter().enumerate() {
            let literal = Bool::new_const(format!("axiom!{position}"));
            session.assert(literal.implies(formula));
            literals.push((position, literal));
        }
        let core = session.minimal_core(literals)?;
        let names: Vec<&str> = core.iter().map(|i| &*axioms[*i].0.name).collect();
        Some(match names.as_slice() {
            [one] => format!("no interpretation satisfies the axiom {one}"),
            _ => format!("the axioms {} contradict each other", names.join(", ")),
        })
    }
}

/// The options for what is asked of any size.
fn impatient<'o>(options: &Options<'o>) -> Options<'o> {
    Options {
        timeout: options.timeout.min(PATIENCE),
        ..options.clone()
    }
}

/// Whether this is a proof that assumes what its unit assumes; that something is defined is shown without.
fn assumes(kind: Kind, raw: &Raw) -> bool {
    raw.answer == Answer::Unsat && !matches!(kind, Kind::Definedness(_))
}

/// What the proofs of a unit assume.
fn assumed(target: &Target<'_>, unit: Unit) -> Vec<Assumed> {
    let low = |s: usize| target.model.simulations[s].low;
    let state = Assumed::State(World::of(target, unit));
    match unit {
        Unit::Start(automaton) => vec![Assumed::StartState(automaton)],
        Unit::SimulationStart(s) => vec![Assumed::StartState(low(s))],
        Unit::Step(automaton, clause) => vec![state, Assumed::Step(automaton, clause)],
        Unit::SimulationTotal(_) => vec![state],
        Unit::SimulationStep(s, clause) => vec![state, Assumed::Step(low(s), clause)],
        Unit::Requirement(automaton, _) => vec![Assumed::Axioms(automaton)],
        Unit::Axiom(_) | Unit::Defined(_) | Unit::Relation(_) | Unit::Input(..) => Vec::new(),
    }
}

fn pieces<'l>(round: Round<'_, 'l>, logic: &'l Logic<'l>, what: Assumed) -> Encoded<Vec<Piece>> {
    let target = round.target;
    let world = match what {
        Assumed::State(world) => world,
        Assumed::Axioms(automaton)
        | Assumed::StartState(automaton)
        | Assumed::Step(automaton, _) => World::Start(automaton),
    };
    let mut pieces = logic.ground(target, world, round.assumable)?.assume;
    match what {
        Assumed::Axioms(_) | Assumed::State(_) => {}
        Assumed::StartState(automaton) => {
            let start = logic.start(target, automaton, "")?;
            pieces.extend(start.choices.into_iter().chain([start.so_that]));
        }
        Assumed::Step(automaton, clause) => {
            let before = logic.unknown_state(target, automaton, "")?;
            pieces.extend(logic.step(target, automaton, clause, &before)?.assume);
        }
    }
    pieces.extend(logic.facts());
    Ok(pieces)
}

fn explain(target: &Target<'_>, what: Assumed) -> String {
    let name = |id: AutomatonId| &target.model.automaton(id).name;
    match what {
        Assumed::Axioms(_) => "the axioms contradict each other".into(),
        Assumed::StartState(automaton) => format!("{} has no start state", name(automaton)),
        Assumed::State(World::Related(_)) => {
            "the relation and the invariants hold in no states".into()
        }
        Assumed::State(_) => "the invariants hold in no state".into(),
        Assumed::Step(automaton, clause) => {
            let action = target.model.automaton(automaton).action_of(clause);
            format!("{}.{} has no step", name(automaton), action.name)
        }
    }
}
