//! Which lemmas a proof needs, and for what: the proof graph.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::Invariant;
use prover_bridge::{Kind, Need, Options, Part, Target};

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
    let asked = (options, host);
    let mut uses = Uses::found((goals, lemmas), request, asked)?;
    let (mut graph, mut kept) = (uses.graph(), lemmas.to_vec());
    kept.retain(|lemma| graph.contains_key(&*lemma.name));
    let mut at = kept.len();
    while at > 0 && host.stopped().is_none() {
        at -= 1;
        let mut fewer = kept.clone();
        let dropped = fewer.remove(at);
        if let Some(other) = uses.without(&dropped, &with(goals, &fewer), asked) {
            (uses, kept) = (other, fewer);
            graph = uses.graph();
            kept.retain(|lemma| graph.contains_key(&*lemma.name));
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

/// What an obligation is about, and what its proof needs.
#[derive(Clone)]
struct Use {
    /// The name of the goal or lemma.
    user: String,
    is_of_goal: bool,
    /// The names of the invariants without any of which its proof fails.
    needed: BTreeSet<String>,
}

/// What the proofs of obligations need.
#[derive(Clone)]
struct Uses {
    /// By the name of the obligation.
    each: BTreeMap<String, Use>,
    /// The names of all lemmas.
    lemmas: BTreeSet<String>,
}

impl Uses {
    /// What the proof of the goals needs, directly or for lemmas; nothing where the goals are not proved.
    ///
    /// For each obligation a minimal set of invariants is found without which its proof fails, from the goals backwards.
    fn found(
        (goals, lemmas): (&Study, &[Invariant]),
        request: &Request,
        (options, host): (&Options<'_>, &dyn Host),
    ) -> Option<Self> {
        let study = &with(goals, lemmas);
        let target = Target::everything(&study.model);
        let wanted = Wanted::of(study, request);
        let is_goal = |kind: Kind| match (kind, subject(study, kind)) {
            (Kind::Definedness(Part::Invariant(i)), _) | (_, Subject::Invariant(i)) => {
                i >= lemmas.len()
            }
            (_, subject) => wanted.contains(study, subject),
        };
        let options = Options {
            only: Some(&is_goal),
            // Where there is no lemma, none is needed.
            needed_invariants: !lemmas.is_empty(),
            ..options.clone()
        };
        let needs = prover_bridge::needs(&target, &options, &|| host.now());
        let mut uses = Self {
            each: BTreeMap::new(),
            lemmas: lemmas.iter().map(|l| l.name.to_string()).collect(),
        };
        for need in needs {
            let is_of_goal = is_goal(need.obligation.kind);
            match need.follows {
                true => uses.note(study, need, is_of_goal),
                false if is_of_goal => return None,
                // A lemma may fail that nothing needs after all.
                false => {}
            }
        }
        Some(uses)
    }

    fn note(&mut self, study: &Study, need: Need, is_of_goal: bool) {
        let (_, user, _) = describe(study, subject(study, need.obligation.kind));
        let needed = match &need.needed {
            Some(needed) => needed.iter().map(ToString::to_string).collect(),
            // Nobody has found out which of them can be spared.
            None => self.lemmas.clone(),
        };
        let own = Use {
            user,
            is_of_goal,
            needed,
        };
        self.each.insert(need.obligation.name, own);
    }

    /// The same without one of the lemmas, where what needed it follows from the others, which are stated in the study.
    fn without(
        &self,
        dropped: &Invariant,
        study: &Study,
        (options, host): (&Options<'_>, &dyn Host),
    ) -> Option<Self> {
        let target = Target::everything(&study.model);
        let named = prover_bridge::obligations(&target);
        let named: BTreeMap<Kind, String> = named.into_iter().map(|o| (o.kind, o.name)).collect();
        let own = |kind: Kind| self.each.get(&named[&kind]);
        let is_affected =
            |kind: Kind| own(kind).is_some_and(|own| own.needed.contains(&*dropped.name));
        let options = Options {
            only: Some(&is_affected),
            ..options.clone()
        };
        if !prover_bridge::is_relatively_inductive(&target, &options, &|| host.now()) {
            return None;
        }
        let mut uses = self.clone();
        uses.lemmas.remove(&*dropped.name);
        uses.each.retain(|_, own| own.user != *dropped.name);
        for need in prover_bridge::needs_alone(&target, &options, &|| host.now()) {
            if !need.follows {
                return None;
            }
            let is_of_goal = own(need.obligation.kind).is_some_and(|own| own.is_of_goal);
            uses.note(study, need, is_of_goal);
        }
        Some(uses)
    }

    /// The lemmas that the proof of the goals needs, directly or for other lemmas, each with what it is needed for. What the proofs of
    /// the others need is forgotten.
    fn graph(&mut self) -> Graph {
        let mut uses: BTreeMap<&str, BTreeSet<&String>> = BTreeMap::new();
        for own in self.each.values() {
            uses.entry(&own.user).or_default().extend(&own.needed);
        }
        let goals = self.each.values().filter(|own| own.is_of_goal);
        let goals: BTreeSet<&str> = goals.map(|own| &*own.user).collect();
        let mut open: Vec<&str> = goals.into_iter().collect();
        let mut graph = Graph::new();
        while let Some(user) = open.pop() {
            for lemma in uses.get(user).into_iter().flatten() {
                if self.lemmas.contains(*lemma) && **lemma != user {
                    if !graph.contains_key(*lemma) {
                        open.push(lemma);
                    }
                    let users = graph.entry((*lemma).clone()).or_default();
                    users.insert(user.to_owned());
                }
            }
        }
        let is_used = |own: &Use| own.is_of_goal || graph.contains_key(&own.user);
        self.each.retain(|_, own| is_used(own));
        self.lemmas.retain(|lemma| graph.contains_key(lemma));
        graph
    }
}
