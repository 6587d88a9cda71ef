//! The guard against proofs of nothing: whether what a proof assumes can be true at all.
//!
//! From contradictory assumptions everything follows: of an automaton without start states, of a clause that no state
//! enables, under axioms without a model. That assumptions are consistent is shown by a small finite instance, which
//! is quickly found. Where there is none, the solver is asked for every size, and only its `unsat` makes a proof vacuous.

use std::collections::BTreeMap;

use finite::Universe;
use ioa_lang::core::{AutomatonId, AxiomId, Setting, SortId, TransitionId};

use z3::ast::Bool;

use crate::logic::{Encoded, FiniteSize, Logic, Size};
use crate::obligations::{Background, Kind, Piece, Target, Unit};
use crate::options::Options;
use crate::solver::{Answer, Solver};

/// The number of elements of every sort in the instance that is looked for first.
const SMALL: u32 = 2;

/// Work for each question, in Z3's own unit: a contradiction that takes more to find is not looked for any further.
const WORK: u32 = 1_000_000;

/// What proofs assume, by what it is that there has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Assumed {
    /// An interpretation of all that is assumed together with an axiom.
    Theories(AxiomId),
    /// An interpretation of the theories that an automaton uses.
    Axioms(AutomatonId),
    StartState(AutomatonId),
    /// A state of some background, which the invariants and the relation allow.
    State(Background),
    /// A state that the invariants before this one allow.
    Earlier(usize),
    /// A step of a clause, whatever the invariants say: that they exclude it may be their purpose.
    Step(AutomatonId, TransitionId),
}

/// What lets a proof be called one: nobody found that what it assumes contradicts itself. Only the guard makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grounded(());

/// What a proof rests on, or why it is one of nothing.
pub(crate) type Basis = Result<Grounded, String>;

/// The questions of one lane, each asked once.
pub(crate) struct Guard<'g, 'l> {
    target: &'g Target<'l>,
    assumable: &'g [bool],
    options: &'g Options<'g>,
    /// The small instance.
    small: &'l Logic<'l>,
    /// For each background a solver that knows what is assumed in the small instance.
    solvers: BTreeMap<Background, Solver<'g>>,
    /// The model at any size.
    any: &'l Logic<'l>,
    known: BTreeMap<Assumed, bool>,
    /// Which axioms of a setting contradict each other, once that was asked.
    axioms: BTreeMap<Setting, Option<String>>,
}

/// The vocabulary of the small instance.
///
/// # Errors
/// An operator that has no reading in logic.
pub(crate) fn small<'a>(target: &Target<'a>) -> Encoded<Logic<'a>> {
    instance(target, SMALL)
}

/// The vocabulary of an instance with so many elements of every sort.
///
/// # Errors
/// An operator that has no reading in logic.
pub(super) fn instance<'a>(target: &Target<'a>, elements: u32) -> Encoded<Logic<'a>> {
    instance_of(target, vec![elements; target.model.sorts.len()])
}

/// The vocabulary of an instance with so many elements of each sort.
///
/// # Errors
/// An operator that has no reading in logic.
pub(crate) fn instance_of<'a>(target: &Target<'a>, sorts: Vec<u32>) -> Encoded<Logic<'a>> {
    declared(target, sorts, None)
}

/// The vocabulary of an instance in which the operators of the theories have the meaning that they have in a universe.
///
/// # Errors
/// An operator that has no reading in logic.
pub(crate) fn interpreted<'a>(target: &Target<'a>, universe: &Universe) -> Encoded<Logic<'a>> {
    let sorts = (0..target.model.sorts.len()).map(SortId::at);
    let size = |sort| u32::try_from(universe.size(sort)).unwrap_or(u32::MAX);
    declared(target, sorts.map(size).collect(), Some(universe.clone()))
}

fn declared<'a>(
    target: &Target<'a>,
    sorts: Vec<u32>,
    meaning: Option<Universe>,
) -> Encoded<Logic<'a>> {
    let size = FiniteSize {
        copy: 0,
        sorts,
        meaning,
        expand: true,
        windowed: false,
    };
    let mut logic = Logic::new(target.model, Size::Finite(size));
    logic.declare_theories()?;
    Ok(logic)
}

impl<'g, 'l> Guard<'g, 'l> {
    /// A guard over proofs that may assume these invariants, with the vocabulary of the [`small`] instance and that of
    /// any size.
    pub(crate) fn new(
        target: &'g Target<'l>,
        assumable: &'g [bool],
        options: &'g Options<'g>,
        (small, any): (&'l Logic<'l>, &'l Logic<'l>),
    ) -> Self {
        Self {
            target,
            assumable,
            options,
            small,
            solvers: BTreeMap::new(),
            any,
            known: BTreeMap::new(),
            axioms: BTreeMap::new(),
        }
    }

    /// What a proof of an obligation rests on.
    pub(crate) fn basis(&mut self, unit: Unit, kind: Kind) -> Basis {
        let assumed = assumed(self.target, unit, kind);
        match assumed
            .into_iter()
            .find(|what| self.is_contradictory(*what))
        {
            None => Ok(Grounded(())),
            Some(what) => Err(match self.contradictory_axioms(unit) {
                Some(axioms) => axioms,
                None => explain(self.target, what),
            }),
        }
    }

    /// Whether what is assumed cannot be. Of a step it is the action that counts: its clauses are the cases that were
    /// told apart, by a person or by composing components, and that one of the cases is none takes nothing from what is
    /// shown of the others.
    fn is_contradictory(&mut self, what: Assumed) -> bool {
        if !self.is_none(what) {
            return false;
        }
        let Assumed::Step(id, clause) = what else {
            return true;
        };
        let automaton = self.target.model.automaton(id);
        let mut cases = automaton.clauses(automaton.transitions[clause.index()].action);
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
        self.small_instance(what).unwrap_or(false)
    }

    fn small_instance(&mut self, what: Assumed) -> Encoded<bool> {
        let background = self.background(what);
        if !self.solvers.contains_key(&background) {
            let ground = self.small.ground(self.target, background, self.assumable)?;
            let mut solver = Solver::new(self.options);
            solver.assert_all(&ground.assume);
            self.solvers.insert(background, solver);
        }
        let pieces = self.pieces(self.small, what)?;
        let Some(solver) = self.solvers.get_mut(&background) else {
            return Ok(false);
        };
        Ok(solver.scoped(|solver| {
            solver.assert_all(&pieces);
            solver.limited(WORK, Solver::check) == Answer::Sat
        }))
    }

    /// Whether the solver finds the contradiction at any size.
    fn is_impossible(&self, what: Assumed) -> bool {
        let background = self.background(what);
        let Ok(ground) = self.any.ground(self.target, background, self.assumable) else {
            return false;
        };
        let Ok(pieces) = self.pieces(self.any, what) else {
            return false;
        };
        let mut solver = Solver::new(self.options);
        solver.assert_all(&ground.assume);
        solver.assert_all(&pieces);
        solver.limited(WORK, Solver::check) == Answer::Unsat
    }

    /// The unknown states that an assumption is about, or that it is about none.
    fn background(&self, what: Assumed) -> Background {
        match what {
            Assumed::Theories(_) => Background::Bare,
            Assumed::State(background) => background,
            Assumed::Earlier(invariant) => {
                Background::Start(self.target.invariants[invariant].automaton)
            }
            Assumed::Axioms(automaton)
            | Assumed::StartState(automaton)
            | Assumed::Step(automaton, _) => Background::Start(automaton),
        }
    }

    /// What is assumed beside the background, stated.
    fn pieces(&self, logic: &'l Logic<'l>, what: Assumed) -> Encoded<Vec<Piece>> {
        let (target, assumable) = (self.target, self.assumable);
        logic.begin_obligation();
        let mut pieces = Vec::new();
        match what {
            Assumed::Axioms(_) | Assumed::State(_) => {}
            Assumed::Theories(axiom) => {
                let axiom = target.model.axiom(axiom);
                let axioms = logic.axioms(&target.model.setting_of_axiom(axiom))?;
                let axioms = axioms.into_iter();
                pieces.extend(axioms.map(|(axiom, formula)| Piece::new(&*axiom.name, formula)));
            }
            Assumed::Earlier(invariant) => {
                let automaton = target.invariants[invariant].automaton;
                let state = logic.unknown_state(target, automaton, "")?;
                pieces.extend(logic.earlier(target, invariant, &state, assumable));
            }
            Assumed::StartState(automaton) => {
                let start = logic.start(target, automaton, "")?;
                pieces.extend(start.choices.into_iter().chain([start.so_that]));
            }
            Assumed::Step(automaton, clause) => {
                let before = logic.unknown_state(target, automaton, "")?;
                let step = logic.step(target, (automaton, clause), &before, "")?;
                pieces.extend(step.assume);
            }
        }
        pieces.extend(logic.facts());
        Ok(pieces)
    }

    /// Says which of the axioms that a unit assumes contradict each other, if some do: a minimal set of them, by name.
    fn contradictory_axioms(&mut self, unit: Unit) -> Option<String> {
        let model = self.target.model;
        let setting = match unit {
            Unit::Axiom(axiom) => model.setting_of_axiom(model.axiom(axiom)),
            _ => Background::of(self.target, unit).setting(self.target),
        };
        if !self.axioms.contains_key(&setting) {
            let found = self.contradiction(&setting);
            self.axioms.insert(setting.clone(), found);
        }
        self.axioms[&setting].clone()
    }

    fn contradiction(&self, setting: &Setting) -> Option<String> {
        let axioms = self.any.axioms(setting).ok()?;
        let mut solver = Solver::new(self.options);
        solver.assert_all(&self.any.facts());
        let mut literals = Vec::new();
        for (position, (_, formula)) in axioms.iter().enumerate() {
            let literal = Bool::new_const(format!("axiom!{position}"));
            solver.assert(literal.implies(formula));
            literals.push((position, literal));
        }
        let core = solver.limited(WORK, |solver| solver.minimal_core(literals))?;
        let names: Vec<&str> = core.iter().map(|i| &*axioms[*i].0.name).collect();
        Some(match names.as_slice() {
            [one] => format!("no interpretation satisfies the axiom {one}"),
            _ => format!("the axioms {} contradict each other", names.join(", ")),
        })
    }
}

/// What a proof about all executions of an automaton rests on: a start state, in the small instance or at any size.
pub(crate) fn executions<'l>(
    target: &Target<'l>,
    automaton: AutomatonId,
    readings: (&'l Logic<'l>, &'l Logic<'l>),
    options: &Options<'_>,
) -> Basis {
    let nothing = vec![false; target.invariants.len()];
    let start = Kind::Initiation { invariant: 0 };
    Guard::new(target, &nothing, options, readings).basis(Unit::Start(automaton), start)
}

/// What the proof of an obligation assumes: every obligation assumes at least that the theories have a meaning.
fn assumed(target: &Target<'_>, unit: Unit, kind: Kind) -> Vec<Assumed> {
    let low = |s: usize| target.model.simulations[s].low;
    let state = Assumed::State(Background::of(target, unit));
    let is_definedness = matches!(kind, Kind::Definedness(_));
    match unit {
        Unit::Axiom(axiom) => vec![Assumed::Theories(axiom)],
        Unit::Requirement(automaton, _) | Unit::Input(automaton, _) => {
            vec![Assumed::Axioms(automaton)]
        }
        // That something is defined is shown without what it is about: a start state, a step that is enabled.
        Unit::Start(automaton) if is_definedness => vec![Assumed::Axioms(automaton)],
        Unit::Start(automaton) => vec![Assumed::StartState(automaton)],
        Unit::Defined(invariant) => vec![Assumed::Earlier(invariant)],
        Unit::Step(..) if is_definedness => vec![state],
        Unit::Step(automaton, clause) => vec![state, Assumed::Step(automaton, clause)],
        Unit::SimulationStart(s) => vec![Assumed::StartState(low(s))],
        Unit::SimulationTotal(_) | Unit::Relation(_) => vec![state],
        Unit::SimulationStep(s, clause) => vec![state, Assumed::Step(low(s), clause)],
    }
}

fn explain(target: &Target<'_>, what: Assumed) -> String {
    let name = |id: AutomatonId| &target.model.automaton(id).name;
    match what {
        Assumed::Theories(_) | Assumed::Axioms(_) => "the axioms contradict each other".into(),
        Assumed::StartState(automaton) => format!("{} has no start state", name(automaton)),
        Assumed::State(Background::Related(_)) => {
            "the relation and the invariants hold in no states".into()
        }
        Assumed::State(_) | Assumed::Earlier(_) => "the invariants hold in no state".into(),
        Assumed::Step(automaton, clause) => {
            let action = target.model.automaton(automaton).action_of(clause);
            format!("{}.{} has no step", name(automaton), action.name)
        }
    }
}
