//! Lemmas that small instances need: of all short clauses that hold, those that are inductive together there, and of these the few
//! that the goals rest on.
//!
//! The solver decides quickly what holds in a small instance, most quickly where the operators of the theories have one meaning each,
//! and is asked about few lemmas at every size. If one of these has a counterexample, instances of its sizes are looked at as well,
//! or all meanings of the operators in them.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{AutomatonId, Invariant, Model, SortSize};
use prover_bridge::{Options, Slice, SliceOf, SmallInstance, slice};

use super::super::super::request::Request;
use super::super::effort::Slices;
use super::super::goals::Goals;
use super::super::source::Sources;
use super::super::told::{Attempt, Engine};
use super::asking::{Lemmas, Unproved};
use crate::host::{Host, Progress};
use crate::numbers::counted;
use crate::setup::Setup;
use crate::study::BadInput;

/// Elements of each sort in the first instances. What holds by chance with few elements mostly fails with one more.
const FIRST: [u32; 2] = [3, 4];
/// No sort has more of them in others.
const MOST_ELEMENTS: u64 = 6;
/// Meanings of the theories' operators that are looked at one by one at the same sizes, at most.
const MOST_MEANINGS: usize = 6;
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
    asked: (&Goals, &Request, &Setup),
    (sources, slices): (&mut Sources<'_>, Slices),
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
        if stop() || (nested && slices.is_quick) {
            break;
        }
        let mut clauses = source.clauses(nested, slices.most + 1)?;
        if clauses.len() > slices.most && slices.is_quick {
            break;
        }
        clauses.truncate(slices.most);
        let mut slicing = Slicing {
            asked,
            automaton,
            clauses,
            needed: Vec::new(),
            looks: Vec::new(),
            options: &options,
            host,
        };
        for elements in FIRST {
            slicing.look_at(vec![elements; sorts]);
        }
        let (attempt, is_inductive) = slicing.lemmas(progress);
        if is_inductive {
            return Ok((attempt, true));
        }
        best = best.or_better(attempt);
    }
    Ok((best, false))
}

/// Instances of some sizes.
struct Look {
    sizes: Vec<u32>,
    instances: Vec<SmallInstance>,
    /// Whether these are all instances of these sizes.
    is_whole: bool,
}

/// The search with what it knows.
struct Slicing<'a> {
    asked: (&'a Goals, &'a Request, &'a Setup),
    automaton: AutomatonId,
    clauses: Vec<Invariant>,
    /// Those of the clauses that are known to be needed, by position.
    needed: Vec<usize>,
    /// The instances that are looked at.
    looks: Vec<Look>,
    options: &'a Options<'a>,
    host: &'a dyn Host,
}

impl Slicing<'_> {
    /// Lemmas, and whether they are inductive with the goals at every size.
    fn lemmas(&mut self, progress: &mut dyn Progress) -> (Attempt, bool) {
        let mut attempt = Attempt {
            engine: Engine::Slices,
            clauses: self.clauses.len() as u64,
            ..Attempt::default()
        };
        while attempt.rounds < ROUNDS && !self.options.stop.is_some_and(|stop| stop()) {
            attempt.rounds += 1;
            let looks = self.looks.iter();
            progress.say(&format!(
                "round {}: {} in {}",
                attempt.rounds,
                counted(self.clauses.len() as u64, "clause"),
                counted(
                    looks.map(|look| look.instances.len() as u64).sum(),
                    "small instance"
                )
            ));
            if !self.slice() {
                return (attempt, false);
            }
            attempt.lemmas = self.named();
            let lemmas = Lemmas {
                known: &[],
                chosen: &attempt.lemmas,
            };
            let mut holds = BTreeSet::new();
            let about = (self.asked.0, self.asked.1);
            let unproved = lemmas.unproved(about, &mut holds, self.options, self.host);
            if unproved.is_empty() {
                return (attempt, true);
            }
            let refuted = unproved.iter().filter(|u| u.found.is_ok());
            attempt.counterexamples += refuted.count() as u64;
            if !self.learn(&unproved) {
                break;
            }
        }
        (attempt, false)
    }

    /// Finds out which clauses the goals need in the small instances, and forgets those that are not inductive there; says whether
    /// the goals are.
    fn slice(&mut self) -> bool {
        let spent = |resources| {
            if let Some(spent) = self.options.spent {
                spent(resources / LIGHTER);
            }
        };
        let options = Options {
            resource_limit: WORK,
            spent: Some(&spent),
            ..self.options.clone()
        };
        let goals = self.asked.0;
        let of = SliceOf {
            candidates: &self.clauses,
            goals: &goals.invariants_of(self.automaton),
            needed: &self.needed,
        };
        let looks = self.looks.iter();
        let instances: Vec<SmallInstance> = looks.flat_map(|look| look.instances.clone()).collect();
        let found = slice(&goals.study.model, self.automaton, of, &instances, &options);
        let Slice::Found { needed, kept } = found else {
            return false;
        };
        self.needed = needed;
        self.keep(&kept);
        true
    }

    /// Forgets all clauses but these, by position.
    fn keep(&mut self, kept: &[usize]) {
        let needed = kept.iter().enumerate();
        let needed = needed.filter(|(_, at)| self.needed.contains(at));
        self.needed = needed.map(|(at, _)| at).collect();
        self.clauses = kept.iter().map(|at| self.clauses[*at].clone()).collect();
    }

    /// The clauses that are needed, with names of their own.
    fn named(&self) -> Vec<Invariant> {
        let needed = self.needed.iter();
        let named = needed.map(|at| Invariant {
            name: format!("sliced {at}").into(),
            ..self.clauses[*at].clone()
        });
        named.collect()
    }

    /// Learns from what is not proved at every size: instances of the sizes of counterexamples are looked at; clauses are dropped of
    /// which nothing is known or that are false at first. Says whether anything was learnt.
    fn learn(&mut self, unproved: &[Unproved]) -> bool {
        let model = &self.asked.0.study.model;
        let (mut is_new, mut dropped) = (false, BTreeSet::new());
        for unproved in unproved {
            let size = match &unproved.found {
                Ok(found) if found.before.is_some() => size(model, &found.sizes),
                _ => None,
            };
            match (size, unproved.lemma) {
                (Some(size), _) if self.look_at(size.clone()) => is_new = true,
                // It is known of all instances of these sizes that the lemmas are inductive there, so this is one that cannot be
                // looked at.
                (_, Some(lemma)) => {
                    dropped.insert(self.needed[lemma]);
                }
                _ => {}
            }
        }
        let left: Vec<usize> = (0..self.clauses.len())
            .filter(|at| !dropped.contains(at))
            .collect();
        self.keep(&left);
        is_new || !dropped.is_empty()
    }

    /// Looks at instances of some sizes from now on: at first at some meanings of the theories' operators, and if that is not enough
    /// at all of them together. Says whether there are instances of these sizes that were not looked at.
    fn look_at(&mut self, sizes: Vec<u32>) -> bool {
        let before = self.looks.iter().filter(|look| look.sizes == sizes);
        let (mut is_seen, mut is_whole) = (false, false);
        before.for_each(|look| {
            is_seen = true;
            is_whole |= look.is_whole;
        });
        if is_whole {
            return false;
        }
        let meanings = match is_seen {
            true => Vec::new(),
            false => self.meanings(&sizes),
        };
        let is_whole = meanings.is_empty() || meanings.len() < MOST_MEANINGS;
        let instances = match meanings.is_empty() {
            true => vec![SmallInstance::Sized(sizes.clone())],
            false => meanings,
        };
        self.looks.push(Look {
            sizes,
            instances,
            is_whole,
        });
        true
    }

    /// Instances of some sizes, one for each of some meanings of the theories' operators.
    fn meanings(&self, sizes: &[u32]) -> Vec<SmallInstance> {
        let (goals, _, setup) = self.asked;
        let study = &goals.study;
        let parameters = &study.model.automaton(self.automaton).parameters;
        // An interpretation is found for given values of parameters.
        if !parameters.values.is_empty() {
            return Vec::new();
        }
        let setting = study.model.setting([self.automaton]);
        let sorts = study.model.sorts.iter().zip(sizes);
        let given = sorts.filter(|(sort, _)| sort.size == SortSize::Given);
        let given: Vec<(String, u64)> = given
            .map(|(sort, size)| (sort.name.to_string(), u64::from(*size)))
            .collect();
        let mut each = Vec::new();
        while each.len() < MOST_MEANINGS {
            let setup = Setup {
                sorts: given.clone(),
                interpretation: Some(each.len() as u64 + 1),
                ..setup.clone()
            };
            let Ok(universe) = study.universe(&setup, setting.clone()) else {
                break;
            };
            let has_one = universe.interpretation().tables.is_empty();
            each.push(SmallInstance::Interpreted(universe));
            if has_one {
                break;
            }
        }
        each
    }
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
