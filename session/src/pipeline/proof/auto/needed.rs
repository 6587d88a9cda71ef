//! Which lemmas a proof needs, and for what: the proof graph.

use std::collections::{BTreeMap, BTreeSet};

use prover_bridge::{Kind, Options, Part, Target};

use super::super::request::Request;
use super::super::subject::{Subject, Wanted, describe, subject};
use crate::host::Host;
use crate::study::Study;

/// For each lemma, what needs it: goals and other lemmas, by name.
pub(super) type Graph = BTreeMap<String, BTreeSet<String>>;

/// The lemmas that the proof of the goals needs, directly or for other lemmas, each with what it is needed for; nothing where
/// the goals are not proved. The lemmas are the first invariants of the study.
///
/// For each obligation a minimal set of invariants is found without which its proof fails, from the goals backwards.
pub(super) fn needed(
    (study, lemmas): (&Study, usize),
    request: &Request,
    options: &Options<'_>,
    host: &dyn Host,
) -> Option<Graph> {
    let target = Target::everything(&study.model);
    let wanted = Wanted::of(study, request);
    let is_goal = |kind: Kind| match (kind, subject(study, kind)) {
        (Kind::Definedness(Part::Invariant(i)), _) | (_, Subject::Invariant(i)) => i >= lemmas,
        (_, subject) => wanted.contains(study, subject),
    };
    let options = Options {
        only: Some(&is_goal),
        needed_invariants: true,
        ..options.clone()
    };
    let report = prover_bridge::prove(&target, &options, &|| host.now());
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut open: Vec<String> = Vec::new();
    for outcome in &report.outcomes {
        let kind = outcome.obligation.kind;
        if !outcome.is_proved() {
            // A lemma may fail that nothing needs after all.
            if is_goal(kind) {
                return None;
            }
            continue;
        }
        let (_, name, _) = describe(study, subject(study, kind));
        if is_goal(kind) && !open.contains(&name) {
            open.push(name.clone());
        }
        let needed = outcome.needed.iter().flatten().map(ToString::to_string);
        uses.entry(name).or_default().extend(needed);
    }
    let own: BTreeSet<String> = study.model.invariants[..lemmas]
        .iter()
        .map(|i| i.name.to_string())
        .collect();
    let mut graph = Graph::new();
    while let Some(user) = open.pop() {
        for lemma in uses.get(&user).into_iter().flatten() {
            if own.contains(lemma) && *lemma != user {
                if !graph.contains_key(lemma) {
                    open.push(lemma.clone());
                }
                graph.entry(lemma.clone()).or_default().insert(user.clone());
            }
        }
    }
    Some(graph)
}
