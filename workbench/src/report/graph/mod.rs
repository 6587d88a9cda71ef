//! Graphs of what a report is about: what a proof needs, which automaton implements which.

mod layers;
mod picture;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{AutomatonId, ComponentId, Direction};
use session::finding::{Finding, Kind, Verdict};
use session::setup::Setup;
use session::study::Study;

pub use picture::picture;
pub use text::{DOT_MARK, MERMAID_MARK, dot, mermaid};

/// No more actions than this are named on an arrow between two components.
const MOST_NAMED: usize = 3;

/// Things, and arrows from each to those that it rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The things.
    pub nodes: Vec<Node>,
    /// From which to which, by position, with what is written on the arrow.
    pub edges: Vec<(usize, usize, String)>,
}

/// A thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is called.
    pub name: String,
    /// The same for one of this name of another automaton.
    pub of: String,
    /// What it has come to, if that was asked.
    pub verdict: Option<Verdict>,
    /// Whether it is a simulation.
    pub is_simulation: bool,
}

impl Graph {
    /// The proof graph: what was proved, with arrows to the invariants that each proof needs; nothing where it was not found out
    /// what proofs need.
    #[must_use]
    pub fn of_proofs(findings: &[Finding]) -> Option<Self> {
        let is_claim = |f: &&Finding| {
            matches!(f.kind, Kind::Invariant | Kind::Simulation)
                && f.figures.contains_key("obligations")
        };
        let claims: Vec<&Finding> = findings.iter().filter(is_claim).collect();
        if !claims.iter().any(|claim| claim.needs.is_some()) {
            return None;
        }
        let places: BTreeMap<&str, usize> = (claims.iter().enumerate())
            .filter(|(_, claim)| claim.kind == Kind::Invariant)
            .map(|(place, claim)| (&*claim.name, place))
            .collect();
        let edges = claims.iter().enumerate().flat_map(|(user, claim)| {
            let needs = claim.needs.iter().flatten();
            let used = needs.filter_map(|name| places.get(&**name).copied());
            used.filter(move |used| *used != user)
                .map(move |used| (user, used, String::new()))
        });
        let edges = edges.collect();
        let node = |claim: &&Finding| Node {
            name: claim.name.clone(),
            of: claim.automaton.clone(),
            verdict: Some(claim.verdict),
            is_simulation: claim.kind == Kind::Simulation,
        };
        let nodes = claims.iter().map(node).collect();
        Some(Self { nodes, edges })
    }

    /// The components of a composition, with an arrow from each to those that it sends actions to; nothing for an automaton
    /// without components, and for one that cannot be run.
    #[must_use]
    pub fn of_components(study: &Study, id: AutomatonId) -> Option<Self> {
        let automaton = study.model.automaton(id);
        if automaton.components.is_empty() {
            return None;
        }
        let setup = study.sized(&Setup::default(), &[id]);
        let instance = study.instance(&setup, study.model.setting([id])).ok()?;
        let wires = instance.wires(id);
        let mut ends: Vec<ComponentId> = wires.iter().flat_map(|w| [w.from, w.to]).collect();
        ends.sort_unstable();
        ends.dedup();
        let place = |id| ends.iter().position(|other| *other == id);
        let edges = wires.iter().filter_map(|wire| {
            let actions = wire.actions.iter();
            let mut names: Vec<&str> = actions.map(|at| &*automaton.actions[*at].name).collect();
            if names.len() > MOST_NAMED {
                names.truncate(MOST_NAMED);
                names.push("...");
            }
            Some((place(wire.from)?, place(wire.to)?, names.join(", ")))
        });
        let edges: Vec<_> = edges.collect();
        let node = |id: &ComponentId| {
            let component = &automaton.components[id.index()];
            let indices = component.indices.iter();
            let indices: String = indices.map(|(name, _)| format!("[{name}]")).collect();
            Node {
                name: format!("{}{indices}: {}", component.path, component.automaton),
                of: String::new(),
                verdict: None,
                is_simulation: false,
            }
        };
        let nodes = ends.iter().map(node).collect();
        (!edges.is_empty()).then_some(Self { nodes, edges })
    }

    /// The automata of a study, with an arrow for each simulation, from the low to the high one; nothing where there is no
    /// simulation.
    #[must_use]
    pub fn of_automata(study: &Study, findings: &[Finding]) -> Option<Self> {
        let model = &study.model;
        let mut involved: Vec<_> = (model.simulations.iter())
            .flat_map(|s| [s.low, s.high])
            .collect();
        let mut seen = BTreeSet::new();
        involved.retain(|id| seen.insert(*id));
        let place = |id| involved.iter().position(|other| *other == id);
        let edges = model.simulations.iter().filter_map(|simulation| {
            let name = model.simulation_name(simulation);
            let about = |f: &&Finding| f.kind == Kind::Simulation && f.name == name;
            let verdict = findings.iter().rev().find(about).map(|f| f.verdict.word());
            let direction = match simulation.direction {
                Direction::Forward => "forward simulation",
                Direction::Backward => "backward simulation",
            };
            let label = match verdict {
                Some(verdict) => format!("{direction}: {verdict}"),
                None => direction.to_owned(),
            };
            Some((place(simulation.low)?, place(simulation.high)?, label))
        });
        let edges: Vec<_> = edges.collect();
        let node = |id| Node {
            name: model.automaton(id).name.to_string(),
            of: String::new(),
            verdict: None,
            is_simulation: false,
        };
        let nodes = involved.iter().map(|id| node(*id)).collect();
        (!edges.is_empty()).then_some(Self { nodes, edges })
    }
}
