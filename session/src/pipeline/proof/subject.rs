//! What obligations belong to, and which of it a request is about.

use ioa_lang::core::AutomatonId;
use prover_bridge::{Kind as Question, Part};

use super::request::Request;
use crate::finding::Kind;
use crate::study::Study;

/// What an obligation belongs to, in the order in which findings are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    Axioms,
    Requirements(AutomatonId),
    Invariant(usize),
    Simulation(usize),
    AutomatonDefined(AutomatonId),
    SimulationDefined(usize),
}

pub(super) fn subject(study: &Study, question: Question) -> Subject {
    match question {
        Question::Initiation { invariant } | Question::Consecution { invariant, .. } => {
            Subject::Invariant(invariant)
        }
        Question::SimulationStart { simulation }
        | Question::SimulationTotal { simulation }
        | Question::SimulationStep { simulation, .. } => Subject::Simulation(simulation),
        Question::Requirement { automaton, .. } => Subject::Requirements(automaton),
        Question::Definedness(part) => match part {
            Part::Axiom(_) => Subject::Axioms,
            Part::Start(automaton) | Part::Input(automaton, _) | Part::Transition(automaton, _) => {
                Subject::AutomatonDefined(automaton)
            }
            Part::Invariant(i) => Subject::AutomatonDefined(study.model.invariants[i].automaton),
            Part::Relation(s) | Part::Initially(s) | Part::Entry(s, _) => {
                Subject::SimulationDefined(s)
            }
        },
    }
}

/// What kind of thing a subject is, its name, and the automaton it belongs to.
pub(super) fn describe(study: &Study, subject: Subject) -> (Kind, String, String) {
    let model = &study.model;
    let automaton = |id: AutomatonId| model.automaton(id).name.to_string();
    match subject {
        Subject::Axioms => (Kind::Definedness, "axioms".into(), String::new()),
        Subject::Requirements(id) => (Kind::Requirement, automaton(id), automaton(id)),
        Subject::Invariant(i) => {
            let invariant = &model.invariants[i];
            (
                Kind::Invariant,
                invariant.name.to_string(),
                automaton(invariant.automaton),
            )
        }
        Subject::Simulation(s) => {
            let simulation = &model.simulations[s];
            (
                Kind::Simulation,
                model.simulation_name(simulation),
                automaton(simulation.low),
            )
        }
        Subject::AutomatonDefined(id) => (Kind::Definedness, automaton(id), automaton(id)),
        Subject::SimulationDefined(s) => {
            let simulation = &model.simulations[s];
            (
                Kind::Definedness,
                model.simulation_name(simulation),
                automaton(simulation.low),
            )
        }
    }
}

/// What of a target a request is about: what it names, and what a proof of that presumes, namely that the theories are
/// as they have to be and that nothing in the automata is undefined.
pub(super) struct Wanted<'r> {
    request: &'r Request,
    presumed: Vec<String>,
}

impl<'r> Wanted<'r> {
    pub(super) fn of(study: &Study, request: &'r Request) -> Self {
        Self {
            request,
            presumed: automata_of(study, &request.only),
        }
    }

    pub(super) fn contains(&self, study: &Study, subject: Subject) -> bool {
        if subject == Subject::Axioms {
            return true;
        }
        let (kind, name, automaton) = describe(study, subject);
        let only = &self.request.only;
        let is_presumed = matches!(kind, Kind::Definedness | Kind::Requirement);
        let named = only.is_empty()
            || only.contains(&name)
            || (is_presumed && self.presumed.contains(&name));
        let asked = self.request.automaton.as_ref();
        named && asked.is_none_or(|a| *a == automaton)
    }
}

/// The automata that named invariants and simulations speak of: a proof presumes that nothing in them is undefined.
fn automata_of(study: &Study, only: &[String]) -> Vec<String> {
    let model = &study.model;
    let invariants = model.invariants.iter();
    let invariants = invariants.filter(|i| only.iter().any(|name| **name == *i.name));
    let simulations = model.simulations.iter();
    let simulations = simulations.filter(|s| only.contains(&model.simulation_name(s)));
    let automata = invariants
        .map(|i| i.automaton)
        .chain(simulations.flat_map(|s| [s.low, s.high]));
    automata
        .map(|id| model.automaton(id).name.to_string())
        .collect()
}
