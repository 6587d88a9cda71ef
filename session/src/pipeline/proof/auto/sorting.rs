//! Counterexamples to induction, sorted: either an execution reaches the state before the step, and the model or the invariant
//! is wrong, or none does, and an invariant is missing that rules the state out. Of such invariants there may be candidates.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::slice;

use ioa_lang::core::{AutomatonId, Invariant};
use prover_bridge::{Counterexample, Kind as Question, Obligation, Outcome};

use super::super::request::{Proof, Request};
use super::super::sorted::{Hint, Reachability, Sorted};
use super::super::subject::{Subject, subject};
use super::effort::Effort;
use super::executed::{Step, executed};
use super::goals::Goals;
use super::offers::{Names, offers};
use super::search::archive::spots;
use super::source::{Gathered, Refutation, Source, Sources};
use super::told::Telling;
use crate::finding::{Finding, Kind, Scope, Verdict};
use crate::host::{Host, Stopwatch};
use crate::pipeline::candidates::Reached;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// No more counterexamples than this are sorted.
const MOST: usize = 24;

/// Proves as [`prove`](super::super::prove) does, and says of each counterexample to induction what small instances show: an
/// invariant that is false in a reached state is violated, and of a state that is not reached there may be candidates that
/// exclude it.
///
/// # Errors
/// Those of a proof.
pub fn prove_and_sort(
    (study, setup): (&Study, &Setup),
    request: &Request,
    host: &dyn Host,
) -> Result<Proof, BadInput> {
    super::super::prove_and(study, request, host, &|study, request, report| {
        sort((study, setup), request, &report.outcomes, host)
    })
}

/// Sorts counterexamples to induction. Nothing is said of what cannot be explored.
pub(super) fn sort(
    (study, setup): (&Study, &Setup),
    request: &Request,
    outcomes: &[Outcome],
    host: &dyn Host,
) -> Sorted {
    let mut open: Vec<Step<'_>> = outcomes.iter().flat_map(Step::of).take(MOST).collect();
    let mut goals = Goals::of(study, request);
    let (effort, setup) = (Effort::aside(), study.sized(setup, &goals.automata));
    let mut sorted = Sorted::default();
    let mut unproved = unproved(study, outcomes);
    let questions = in_question(study, outcomes);
    for (failed, finding) in executed((study, &setup), request, (&open, &questions), host) {
        open.retain(|step| subject(study, step.obligation.kind) != failed);
        if let Subject::Invariant(at) = failed {
            unproved.retain(|one| !is_same(one, &study.model.invariants[at]));
        }
        sorted.violated.push(finding);
    }
    goals = goals.only(|goal| unproved.iter().any(|i| is_same(i, goal)));
    // What is violated is told, and the others are looked at without it.
    while host.stopped().is_none() {
        if open.is_empty() && goals.study.model.invariants.is_empty() {
            break;
        }
        let sorting = Sorting {
            study,
            goals: &goals,
            setup: &setup,
            request,
            effort: &effort,
            host,
        };
        match sorting.sort(&open) {
            Ok(Looked::Violated(found)) => {
                let (goal, finding) = *found;
                open.retain(|step| {
                    broken(study, step.obligation).is_none_or(|i| !is_same(i, &goal))
                });
                goals = goals.only(|other| !is_same(other, &goal));
                sorted.violated.extend(finding);
            }
            Ok(Looked::Hints(hints)) => {
                sorted.hints = hints;
                break;
            }
            Err(_) => break,
        }
    }
    sorted
}

/// What is not proved, and the simulations that rest on it.
fn in_question(study: &Study, outcomes: &[Outcome]) -> Vec<Question> {
    let is_all_proved = outcomes.iter().all(Outcome::is_proved);
    let is_open = |outcome: &&Outcome| {
        let is_simulation = matches!(
            subject(study, outcome.obligation.kind),
            Subject::Simulation(_)
        );
        !outcome.is_proved() || (is_simulation && !is_all_proved)
    };
    let open = outcomes.iter().filter(is_open);
    open.map(|outcome| outcome.obligation.kind).collect()
}

/// The invariants that are not proved.
fn unproved<'s>(study: &'s Study, outcomes: &[Outcome]) -> Vec<&'s Invariant> {
    let open = outcomes.iter().filter(|outcome| !outcome.is_proved());
    open.filter_map(|outcome| broken(study, &outcome.obligation))
        .collect()
}

/// The invariant that an obligation is about.
fn broken<'s>(study: &'s Study, obligation: &Obligation) -> Option<&'s Invariant> {
    match subject(study, obligation.kind) {
        Subject::Invariant(at) => Some(&study.model.invariants[at]),
        _ => None,
    }
}

fn is_same(one: &Invariant, other: &Invariant) -> bool {
    (one.automaton, &one.name) == (other.automaton, &other.name)
}

/// What a look at small instances comes to.
enum Looked {
    /// An execution violates this goal: the finding says which.
    Violated(Box<(Invariant, Option<Finding>)>),
    /// What is known of each counterexample, by its name.
    Hints(BTreeMap<String, Hint>),
}

/// What counterexamples are sorted with.
struct Sorting<'s> {
    /// All that is stated, also what is proved.
    study: &'s Study,
    goals: &'s Goals,
    setup: &'s Setup,
    request: &'s Request,
    effort: &'s Effort,
    host: &'s dyn Host,
}

impl Sorting<'_> {
    fn sort(&self, open: &[Step<'_>]) -> Result<Looked, BadInput> {
        let (mut sources, work) = (Sources::new(), Rc::default());
        let steps = open.iter();
        let steps = steps.flat_map(|step| spots(&self.goals.study, step.found));
        let mut about: BTreeSet<AutomatonId> = steps.map(|spot| spot.automaton).collect();
        about.extend(
            self.goals
                .study
                .model
                .invariants
                .iter()
                .map(|goal| goal.automaton),
        );
        for automaton in about {
            let effort = (self.setup, self.effort, &work);
            match Source::gather(self.goals, automaton, effort, self.host)? {
                Gathered::Source(source) => {
                    sources.insert(automaton, *source);
                }
                Gathered::Refuted(refutation) => {
                    let Refutation { goal, setup } = *refutation;
                    let found = self.telling().violated(slice::from_ref(&goal), &setup)?;
                    let mut found = found.findings.into_iter();
                    let is_it = |f: &Finding| f.kind == Kind::Invariant && f.name == *goal.name;
                    let finding = found.find(|f| is_it(f) && f.verdict == Verdict::Violated);
                    return Ok(Looked::Violated(Box::new((goal, finding))));
                }
            }
        }
        let about = (self.study, &self.goals.study);
        let mut offers = offers(about, open, &mut sources, self.host)?;
        let mut names = Names::of(&self.study.model);
        let mut hints = BTreeMap::new();
        for step in open {
            let name = &step.name;
            let reached = self.reached(step.found, &sources)?;
            let offers = match reached {
                // What excludes a state that is reached is false.
                Some(Reachability::Yes(_)) => Vec::new(),
                _ => offers.remove(name).unwrap_or_default(),
            };
            let hint = Hint {
                reached,
                settle: offers.iter().any(|offer| offer.settles),
                candidates: names.texts(&offers),
            };
            hints.insert(name.clone(), hint);
        }
        Ok(Looked::Hints(hints))
    }

    fn telling(&self) -> Telling<'_> {
        Telling {
            study: &self.goals.study,
            goals: self.goals,
            request: self.request,
            started: Stopwatch::start(self.host),
            budget: self.effort.seconds(),
            work: self.effort.work,
            host: self.host,
        }
    }

    /// Whether the state before the step is reached, as far as that was found out.
    fn reached(
        &self,
        found: &Counterexample,
        sources: &Sources<'_>,
    ) -> Result<Option<Reachability>, BadInput> {
        let study = &self.goals.study;
        let spots = spots(study, found);
        let sizes = match Scope::Sizes(found.sizes.clone()).words() {
            words if words.is_empty() => String::new(),
            words => format!(" at {words}"),
        };
        for spot in &spots {
            let universe = &spot.universe;
            let is_interpreted =
                !universe.interpretation().tables.is_empty() || universe.is_regrouped(&study.model);
            let sizes = match is_interpreted {
                true => format!("{sizes} in this interpretation of the theories"),
                false => sizes.clone(),
            };
            let Some(source) = sources.get(&spot.automaton) else {
                continue;
            };
            let whose = match spots.len() {
                1 => String::new(),
                _ => format!("of {} ", study.model.automaton(spot.automaton).name),
            };
            match source.reaches(&spot.universe, &spot.state)? {
                Reached::No => {
                    return Ok(Some(Reachability::No(format!(
                        "no execution reaches the first state {whose}(all reachable states{sizes} were visited): an invariant is \
                         missing that rules it out"
                    ))));
                }
                Reached::Yes if spots.len() == 1 => {
                    return Ok(Some(Reachability::Yes(format!(
                        "an execution reaches the first state{sizes}: what is to be shown is false"
                    ))));
                }
                Reached::Yes | Reached::NotAmong(_) => {}
            }
        }
        Ok(None)
    }
}
