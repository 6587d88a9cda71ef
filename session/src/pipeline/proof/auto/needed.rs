//! Which lemmas a proof needs, and for what: the proof graph.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::Invariant;
use prover_bridge::{Kind, Options, Part, Target};

use super::super::request::Request;
use super::super::subject::{Subject, Wanted, describe, subject};
use crate::host::Host;
use crate::study::Study;

/// For each lemma, what needs it: goals and other lemmas, by name.
pub(super) type Graph = BTreeMap<String, BTreeSet<String>>;

/// The lemmas that are left when those are dropped, one after the other, without which the proof of the goals goes through as
/// well; and what each of them is needed for. Nothing where the goals are not proved.
pub(super) fn least(
    goals: &Study,
    lemmas: &[Invariant],
    request: &Request,
    options: &Options<'_>,
    host: &dyn Host,
) -> Option<(Vec<Invariant>, Graph)> {
    let among = |lemmas: &[Invariant]| {
        let study = with(goals, lemmas);
        let graph = needed((&study, lemmas.len()), request, options, host)?;
        let is_kept = |lemma: &&Invariant| graph.contains_key(&*lemma.name);
        let kept: Vec<Invariant> = lemmas.iter().filter(is_kept).cloned().collect();
        Some((kept, graph))
    };
    let (mut kept, mut graph) = among(lemmas)?;
    let mut at = kept.len();
    while at > 0 && host.stopped().is_none() {
        at -= 1;
        let mut fewer = kept.clone();
        let dropped = fewer.remove(at);
        if suffice(goals, &fewer, &graph[&*dropped.name], options, host)
            && let Some(smaller) = among(&fewer)
        {
            (kept, graph) = smaller;
            at = at.min(kept.len());
        }
    }
    Some((kept, graph))
}

/// The goals with some lemmas before them.
fn with(goals: &Study, lemmas: &[Invariant]) -> Study {
    let stated = lemmas.iter().chain(&goals.model.invariants);
    goals.stating(goals.sources.clone(), stated.cloned().collect())
}

/// Whether these lemmas suffice for what needed another one.
fn suffice(
    goals: &Study,
    lemmas: &[Invariant],
    users: &BTreeSet<String>,
    options: &Options<'_>,
    host: &dyn Host,
) -> bool {
    let study = with(goals, lemmas);
    let only = |kind: Kind| users.contains(&describe(&study, subject(&study, kind)).1);
    let options = Options {
        only: Some(&only),
        ..options.clone()
    };
    let target = Target::everything(&study.model);
    prover_bridge::is_relatively_inductive(&target, &options, &|| host.now())
}

/// The lemmas that the proof of the goals needs, directly or for other lemmas, each with what it is needed for; nothing where
/// the goals are not proved. The lemmas are the first invariants of the study.
///
/// For each obligation a minimal set of invariants is found without which its proof fails, from the goals backwards.
fn needed(
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
        // Where there is no lemma, none is needed.
        needed_invariants: lemmas > 0,
        ..options.clone()
    };
    let needs = prover_bridge::needs(&target, &options, &|| host.now());
    let own = study.model.invariants[..lemmas].iter();
    let own: BTreeSet<String> = own.map(|i| i.name.to_string()).collect();
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut open: Vec<String> = Vec::new();
    for need in &needs {
        let kind = need.obligation.kind;
        if !need.follows {
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
        let uses = uses.entry(name).or_default();
        match &need.needed {
            Some(needed) => uses.extend(needed.iter().map(ToString::to_string)),
            // Nobody has found out which of them can be spared.
            None => uses.extend(own.iter().cloned()),
        }
    }
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
