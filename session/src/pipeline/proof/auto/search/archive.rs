//! Counterexamples to induction as states that lemmas have to exclude.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use finite::Universe;
use interpreter::{Instance, State};
use invariants::learn::Targets;
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Invariant};
use prover_bridge::Counterexample;

use super::super::super::replay;
use super::super::source::{Source, Sources};
use crate::study::Study;

/// What a proof is wanted of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Owner {
    /// A goal, or what a proof of it presumes.
    Goal,
    /// A lemma, by position.
    Lemma(usize),
}

/// A state of one automaton that would have to be excluded.
#[derive(Clone, Debug)]
pub(in super::super) struct Spot {
    pub(in super::super) automaton: AutomatonId,
    /// Where it lies among the states of its automaton.
    pub(in super::super) block: usize,
    pub(in super::super) position: usize,
    pub(in super::super) state: State,
    pub(in super::super) universe: Universe,
    /// Where the states near it lie, of the same block, that are counterexamples too.
    pub(in super::super) near: Range<usize>,
}

/// A counterexample to what is not proved.
#[derive(Clone, Debug)]
pub(in super::super) struct Failed {
    pub(in super::super) owner: Owner,
    pub(in super::super) obligation: String,
    /// The invariant that the step breaks, if it is one.
    pub(in super::super) broken: Option<Invariant>,
    pub(in super::super) found: Counterexample,
}

/// A counterexample to induction.
#[derive(Clone, Debug)]
pub(in super::super) struct Cti {
    pub(in super::super) owner: Owner,
    pub(in super::super) obligation: String,
    pub(in super::super) found: Counterexample,
    /// To exclude one of these states is enough: in a simulation there is one of each automaton.
    pub(in super::super) spots: Vec<Spot>,
    /// The state after the step, if it is of the same automaton as the first spot.
    pub(in super::super) after: Option<State>,
    /// The lemmas that exclude it.
    pub(in super::super) excluded_by: Vec<usize>,
}

/// Counterexamples as states of instances, put where clauses can be chosen by them; none of what has no such reading. Where it is
/// known what is broken, with all that is `assumed` in the proof, the states near them are taken in too.
pub(in super::super) fn taken_in(
    study: &Study,
    sources: &mut Sources<'_>,
    (found, assumed): (Vec<Failed>, &[Invariant]),
) -> Vec<Cti> {
    let mut ctis = Vec::new();
    let mut groups: BTreeMap<(AutomatonId, String), Vec<(usize, usize)>> = BTreeMap::new();
    let mut broken = Vec::new();
    for failed in found {
        let found = failed.found;
        let spots = spots(study, &found);
        if spots.is_empty() {
            continue;
        }
        let cti = ctis.len();
        for (at, spot) in spots.iter().enumerate() {
            let key = (
                spot.automaton,
                format!("{:?}", (&found.sizes, &found.theories)),
            );
            groups.entry(key).or_default().push((cti, at));
        }
        let after = after(study, &found, &spots[0]);
        broken.push(failed.broken);
        ctis.push(Cti {
            owner: failed.owner,
            obligation: failed.obligation,
            found,
            spots,
            after,
            excluded_by: Vec::new(),
        });
    }
    for ((automaton, _), members) in groups {
        let Some(source) = sources.get_mut(&automaton) else {
            continue;
        };
        let states = members
            .iter()
            .map(|(cti, at)| ctis[*cti].spots[*at].state.clone());
        let mut states: Vec<State> = states.collect();
        let (cti, at) = members[0];
        let universe = ctis[cti].spots[at].universe.clone();
        for (cti, at) in &members {
            let near = match (&broken[*cti], &ctis[*cti].spots[..]) {
                (Some(broken), [spot]) => near(source, spot, (broken, assumed)),
                _ => Vec::new(),
            };
            let first = states.len();
            states.extend(near);
            ctis[*cti].spots[*at].near = first..states.len();
        }
        let block = source.excludes(&universe, states);
        for (position, (cti, at)) in members.into_iter().enumerate() {
            let spot = &mut ctis[cti].spots[at];
            (spot.block, spot.position) = (block, position);
        }
    }
    ctis
}

/// Where some states lie.
pub(in super::super) fn targets<'c>(spots: impl Iterator<Item = &'c Spot>) -> Targets {
    let mut targets = Targets::new();
    for spot in spots {
        targets.entry(spot.block).or_default().push(spot.position);
    }
    targets
}

/// The states near that of a counterexample from which a step breaks the same invariant.
fn near(
    source: &Source<'_>,
    spot: &Spot,
    (broken, assumed): (&Invariant, &[Invariant]),
) -> Vec<State> {
    let own = assumed.iter().filter(|i| i.automaton == spot.automaton);
    let own: Vec<Invariant> = own.cloned().collect();
    let target = own.iter().position(|i| i.name == broken.name);
    let given = (&spot.universe, &spot.state);
    target.map_or_else(Vec::new, |target| source.near(given, &own, target))
}

/// The states before the step.
pub(in super::super) fn spots(study: &Study, found: &Counterexample) -> Vec<Spot> {
    let Some(before) = &found.before else {
        return Vec::new();
    };
    let low = (before.automaton, &before.state);
    let high = before.high.as_ref().map(|(id, state)| (*id, state));
    let both = std::iter::once(low).chain(high);
    both.filter_map(|(automaton, values)| spot(study, found, automaton, values))
        .collect()
}

/// A state in the instance of a counterexample.
pub(in super::super) fn spot(
    study: &Study,
    found: &Counterexample,
    automaton: AutomatonId,
    values: &[Value],
) -> Option<Spot> {
    let universe = replay::universe(study, &[automaton], (&found.sizes, &found.theories))?;
    let instance = Instance::new(Arc::clone(&study.model), universe.clone());
    let state = instance.layout(automaton).state(values).ok()?;
    Some(Spot {
        automaton,
        block: 0,
        position: 0,
        state,
        universe,
        near: 0..0,
    })
}

fn after(study: &Study, found: &Counterexample, before: &Spot) -> Option<State> {
    let after = found.after.as_ref()?;
    let same = after.automaton == before.automaton;
    let values = same.then_some(&after.state)?;
    Some(spot(study, found, after.automaton, values)?.state)
}
