//! The guard against proofs of nothing: whether what a proof assumes can be true at all.
//!
//! From contradictory assumptions everything follows: of an automaton without start states, of a clause that no state
//! enables, under axioms without a model. That assumptions are consistent is shown by a small finite instance, which
//! is quickly found. Where there is none, the solver is asked for every size, and only its `unsat` makes a proof vacuous.

use std::collections::BTreeMap;
use std::time::Duration;

use ioa_lang::core::{AutomatonId, Setting, TransitionId};

use z3::ast::Bool;

use super::Clock;
use super::round::Raw;
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
    /// An interpretation of all that is assumed together with an axiom.
    Theories(usize),
    /// An interpretation of the theories that an automaton uses.
    Axioms(AutomatonId),
    StartState(AutomatonId),
    /// A state of the world, which the invariants and the relation allow.
    State(World),
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
    /// The small instance, in a solver of its own.
    small: (&'l Logic<'l>, Session<'g>),
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
pub(super) fn instance_of<'a>(target: &Target<'a>, sorts: Vec<u32>) -> Encoded<Logic<'a>> {
    let size = FiniteSize {
        sorts,
        meaning: None,
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
            small: (small, Session::new(options)),
            any,
            known: BTreeMap::new(),
            axioms: BTreeMap::new(),
        }
    }

    /// Finds out what the proofs of these units rest on, and adds the time for it to that for the proofs.
    pub(super) fn judge(
        &mut self,
        units: &[&(Unit, Vec<Kind>)],
        out: &mut [(Kind, Raw)],
        clock: Clock<'_>,
    ) {
        for (unit, kinds) in units {
            self.options.turns_to_obligations(kinds);
            let proofs = out
                .iter_mut()
                .filter(|(kind, raw)| kinds.contains(kind) && raw.answer == Answer::Unsat);
            for (kind, raw) in proofs {
                let begun = clock();
                raw.basis = Some(self.basis(*unit, *kind));
                raw.time += clock().saturating_sub(begun);
            }
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
        let Ok(pieces) = self.pieces(self.small.0, what) else {
            return false;
        };
        let session = &mut self.small.1;
        session.scoped(|session| {
            session.assert_all(&pieces);
            session.check() == Answer::Sat
        })
    }

    /// Whether the solver finds the contradiction at any size.
    fn is_impossible(&self, what: Assumed) -> bool {
        let options = impatient(self.options);
        let Ok(pieces) = self.pieces(self.any, what) else {
            return false;
        };
        let mut session = Session::new(&options);
        session.assert_all(&pieces);
        session.check() == Answer::Unsat
    }

    /// What is assumed, stated.
    fn pieces(&self, logic: &'l Logic<'l>, what: Assumed) -> Encoded<Vec<Piece>> {
        let (target, assumable) = (self.target, self.assumable);
        let stated = |i: usize| target.invariants[i].automaton;
        let world = match what {
            Assumed::Theories(_) => World::Bare,
            Assumed::State(world) => world,
            Assumed::Earlier(invariant) => World::Start(stated(invariant)),
            Assumed::Axioms(automaton)
            | Assumed::StartState(automaton)
            | Assumed::Step(automaton, _) => World::Start(automaton),
        };
        let mut pieces = logic.ground(target, world, assumable)?.assume;
        match what {
            Assumed::Axioms(_) | Assumed::State(_) => {}
            Assumed::Theories(axiom) => {
                let axiom = target.model.axiom(axiom);
                let axioms = logic.axioms(&target.model.setting_of_axiom(axiom))?;
                let axioms = axioms.into_iter();
                pieces.extend(axioms.map(|(axiom, formula)| Piece::new(&*axiom.name, formula)));
            }
            Assumed::Earlier(invariant) => {
                let state = logic.unknown_state(target, stated(invariant), "")?;
                pieces.extend(logic.earlier(target, invariant, &state, assumable));
            }
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

    /// Says which of the axioms that a unit assumes contradict each other, if some do: a minimal set of them, by name.
    fn contradictory_axioms(&mut self, unit: Unit) -> Option<String> {
        let model = self.target.model;
        let setting = match unit {
            Unit::Axiom(axiom) => model.setting_of_axiom(model.axiom(axiom)),
            _ => World::of(self.target, unit).setting(self.target),
        };
        if !self.axioms.contains_key(&setting) {
            let found = self.contradiction(&setting);
            self.axioms.insert(setting.clone(), found);
        }
        self.axioms[&setting].clone()
    }

    fn contradiction(&self, setting: &Setting) -> Option<String> {
        let options = impatient(self.options);
        let axioms = self.any.axioms(setting).ok()?;
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

/// What the proof of an obligation assumes: every obligation assumes at least that the theories have a meaning.
fn assumed(target: &Target<'_>, unit: Unit, kind: Kind) -> Vec<Assumed> {
    let low = |s: usize| target.model.simulations[s].low;
    let state = Assumed::State(World::of(target, unit));
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
        Assumed::State(World::Related(_)) => {
            "the relation and the invariants hold in no states".into()
        }
        Assumed::State(_) | Assumed::Earlier(_) => "the invariants hold in no state".into(),
        Assumed::Step(automaton, clause) => {
            let action = target.model.automaton(automaton).action_of(clause);
            format!("{}.{} has no step", name(automaton), action.name)
        }
    }
}
