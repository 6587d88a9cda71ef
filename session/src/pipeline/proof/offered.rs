//! Lines to paste that say what a proof uses.

use std::collections::BTreeMap;

use ioa_lang::Name;
use prover_bridge::{Kind as Question, Report};

use crate::study::Study;

/// For each invariant and each entry of a proof block that is proved, and for which it was found out what that needs: its heading
/// with `uses`, where it has none yet and this says less than may be assumed now.
pub(super) fn uses(study: &Study, report: &Report) -> Vec<String> {
    let mut needed: BTreeMap<Claim, Option<Vec<&Name>>> = BTreeMap::new();
    for outcome in &report.outcomes {
        let Some(claim) = claim(study, outcome.obligation.kind) else {
            continue;
        };
        let known = needed.entry(claim).or_insert_with(|| Some(Vec::new()));
        match outcome.needed.as_ref().filter(|_| outcome.is_proved()) {
            Some(names) => known.iter_mut().for_each(|all| all.extend(names)),
            None => *known = None,
        }
    }
    let known = needed.into_iter();
    let known = known.filter_map(|(claim, needed)| line(study, claim, &needed?));
    known.collect()
}

/// What `uses` can stand in the heading of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// An invariant, by position in the model.
    Invariant(usize),
    /// An entry, by the positions of the simulation and of the entry in its proof block.
    Entry(usize, usize),
}

/// The claim whose heading says what the proof of an obligation may use.
fn claim(study: &Study, question: Question) -> Option<Claim> {
    let model = &study.model;
    match question {
        Question::Consecution { invariant, .. } => Some(Claim::Invariant(invariant)),
        Question::SimulationStep {
            simulation,
            transition,
        } => {
            let stated = &model.simulations[simulation];
            let action = model.automaton(stated.low).transitions[transition.index()].action;
            let mut entries = stated.proof.iter().flat_map(|proof| &proof.entries);
            let entry = entries.position(|entry| entry.action == action)?;
            Some(Claim::Entry(simulation, entry))
        }
        _ => None,
    }
}

/// A heading with what its proof needs, in the order in which the invariants are stated.
fn line(study: &Study, claim: Claim, needed: &[&Name]) -> Option<String> {
    let model = &study.model;
    let (heading, own, automata, said) = match claim {
        Claim::Invariant(position) => {
            let stated = &model.invariants[position];
            let automaton = &model.automaton(stated.automaton).name;
            let heading = format!("invariant {} of {automaton}", stated.name);
            let automata = vec![stated.automaton];
            (heading, Some(&stated.name), automata, &stated.uses)
        }
        Claim::Entry(simulation, position) => {
            let stated = &model.simulations[simulation];
            let entry = &stated.proof.as_ref()?.entries[position];
            let heading = study.sources.text(entry.span).to_owned();
            (heading, None, vec![stated.low, stated.high], &entry.uses)
        }
    };
    let assumable = model.invariants.iter();
    let assumable = assumable.filter(|i| automata.contains(&i.automaton) && Some(&i.name) != own);
    let assumable: Vec<&Name> = assumable.map(|invariant| &invariant.name).collect();
    let mut names = assumable.clone();
    names.retain(|name| needed.contains(name));
    if said.is_some() || names.len() == assumable.len() {
        return None;
    }
    // A list cannot be empty, but an invariant may always use itself.
    if names.is_empty() {
        names.push(own?);
    }
    let names: Vec<&str> = names.into_iter().map(|name| &**name).collect();
    Some(format!("{heading} uses {}", names.join(", ")))
}
