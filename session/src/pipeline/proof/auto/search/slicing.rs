//! Lemmas that small instances need: of all short clauses that hold, those that are inductive together there, and of these the few
//! that the goals rest on.
//!
//! The solver decides quickly what holds in a small instance, and is asked about few lemmas at every size. If one of these has a
//! counterexample with more elements, an instance of its size is looked at as well.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{AutomatonId, Invariant, Model};
use prover_bridge::{Options, Slice, slice};

use super::super::super::request::Request;
use super::super::goals::Goals;
use super::super::source::Sources;
use super::super::told::{Attempt, Engine};
use super::asking::{Lemmas, Unproved};
use crate::host::{Host, Progress};
use crate::numbers::counted;
use crate::study::BadInput;

/// Clauses that are looked at, the simplest ones, at most.
const MOST: usize = 1500;
/// Elements of each sort in the first instances. What holds by chance with few elements mostly fails with one more.
const FIRST: [u32; 2] = [3, 4];
/// No sort has more of them in others.
const MOST_ELEMENTS: u64 = 6;
/// Slices that are made, at most.
const ROUNDS: u64 = 12;
/// Work for a question about all clauses together, in the solver's own unit.
const WORK: u32 = 6_000_000;
/// In an instance, where all quantifiers are written out, a unit takes about a fifth of the time.
const LIGHTER: u64 = 5;
/// Work for a question about every size.
const ANY_SIZE: u32 = 600_000;

/// Looks for lemmas of the one automaton that the goals are about. What it comes to is whether they are inductive with the goals.
///
/// # Errors
/// Why formulas cannot be evaluated.
pub(in super::super) fn sliced(
    asked: (&Goals, &Request),
    sources: &mut Sources<'_>,
    (options, is_enough): (&Options<'_>, &(dyn Fn() -> bool + Sync)),
    (host, progress): (&dyn Host, &mut dyn Progress),
) -> Result<(Attempt, bool), BadInput> {
    let mut best = Attempt::default();
    // The proof block of a simulation is no invariant, which is all that is asked of an instance.
    let [automaton] = asked.0.automata[..] else {
        return Ok((best, false));
    };
    let source = sources
        .get_mut(&automaton)
        .expect("each automaton of the goals has a source");
    let stop = || is_enough() || options.stop.is_some_and(|stop| stop());
    let options = Options {
        stop: Some(&stop),
        resource_limit: ANY_SIZE,
        ..options.clone()
    };
    let sorts = asked.0.study.model.sorts.len();
    for nested in [false, true] {
        if stop() {
            break;
        }
        let clauses = source.clauses(nested, MOST)?;
        let mut slicing = Slicing {
            asked,
            clauses,
            sizes: FIRST.map(|elements| vec![elements; sorts]).to_vec(),
            options: &options,
            host,
        };
        let (attempt, is_inductive) = slicing.lemmas(automaton, progress);
        if is_inductive {
            return Ok((attempt, true));
        }
        best = best.or_better(attempt);
    }
    Ok((best, false))
}

/// The search with what it knows.
struct Slicing<'a> {
    asked: (&'a Goals, &'a Request),
    clauses: Vec<Invariant>,
    /// The sizes of the instances that are looked at.
    sizes: Vec<Vec<u32>>,
    options: &'a Options<'a>,
    host: &'a dyn Host,
}

impl Slicing<'_> {
    /// Lemmas, and whether they are inductive with the goals at every size.
    fn lemmas(&mut self, automaton: AutomatonId, progress: &mut dyn Progress) -> (Attempt, bool) {
        let (goals, request) = self.asked;
        let model = &*goals.study.model;
        let stated = goals.invariants_of(automaton);
        let mut attempt = Attempt {
            engine: Engine::Slices,
            clauses: self.clauses.len() as u64,
            ..Attempt::default()
        };
        let spent = |resources| {
            if let Some(spent) = self.options.spent {
                spent(resources / LIGHTER);
            }
        };
        let in_instances = Options {
            resource_limit: WORK,
            spent: Some(&spent),
            ..self.options.clone()
        };
        while attempt.rounds < ROUNDS && !self.options.stop.is_some_and(|stop| stop()) {
            attempt.rounds += 1;
            progress.say(&format!(
                "round {}: {} in {}",
                attempt.rounds,
                counted(self.clauses.len() as u64, "clause"),
                counted(self.sizes.len() as u64, "small instance")
            ));
            let both = (&self.clauses[..], &stated[..]);
            let found = slice(model, automaton, both, &self.sizes, &in_instances);
            let Slice::Found { needed, kept } = found else {
                return (attempt, false);
            };
            let named = needed.iter().map(|at| Invariant {
                name: format!("sliced {at}").into(),
                ..self.clauses[*at].clone()
            });
            attempt.lemmas = named.collect();
            let lemmas = Lemmas {
                known: &[],
                chosen: &attempt.lemmas,
            };
            let mut holds = BTreeSet::new();
            let about = (goals, request);
            let unproved = lemmas.unproved(about, &mut holds, self.options, self.host);
            if unproved.is_empty() {
                return (attempt, true);
            }
            let refuted = unproved.iter().filter(|u| u.found.is_ok());
            attempt.counterexamples += refuted.count() as u64;
            let instances = self.sizes.len();
            let dropped = learn(model, &unproved, &needed, &mut self.sizes);
            if dropped.is_empty() && self.sizes.len() == instances {
                break;
            }
            // What is not inductive with all clauses is not so with fewer.
            let left = kept.into_iter().filter(|at| !dropped.contains(at));
            self.clauses = left.map(|at| self.clauses[at].clone()).collect();
        }
        (attempt, false)
    }
}

/// Learns from what is not proved at every size: adds the sizes of counterexamples; lemmas are dropped of which nothing is known
/// or that are false at first. Returns those that are to be dropped.
fn learn(
    model: &Model,
    unproved: &[Unproved],
    needed: &[usize],
    sizes: &mut Vec<Vec<u32>>,
) -> BTreeSet<usize> {
    let mut dropped = BTreeSet::new();
    for unproved in unproved {
        let size = match &unproved.found {
            Ok(found) if found.before.is_some() => size(model, &found.sizes),
            _ => None,
        };
        match (size, unproved.lemma) {
            (Some(size), _) if !sizes.contains(&size) => sizes.push(size),
            // It is known of this instance that the lemmas are inductive there, so this is one that cannot be looked at.
            (_, Some(lemma)) => {
                dropped.insert(needed[lemma]);
            }
            _ => {}
        }
    }
    dropped
}

/// The sizes of a counterexample, in the order of the sorts, with at least as many elements as there are in the first instance.
fn size(model: &Model, sizes: &BTreeMap<String, u64>) -> Option<Vec<u32>> {
    let each = model.sorts.iter().map(|sort| {
        let elements = sizes.get(&*sort.name).copied().unwrap_or(0);
        let elements = elements.max(FIRST[0].into());
        (elements <= MOST_ELEMENTS).then_some(elements as u32)
    });
    each.collect()
}
