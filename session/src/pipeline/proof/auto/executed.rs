//! What executions violate of what is not proved: invariants, proof blocks, and that steps have a result.

use std::collections::{BTreeMap, BTreeSet};

use finite::group_sorts;
use ioa_lang::core::{AutomatonId, Direction, Invariant};
use prover_bridge::{Counterexample, Kind, Obligation, Outcome, Part};

use super::super::request::{Method, Request};
use super::super::sorted::counterexamples;
use super::super::subject::{Subject, subject};
use super::super::unrolled::{self, Unrolling};
use super::effort::ASIDE;
use super::search::archive::spots;
use crate::finding::{self, Finding, Verdict};
use crate::host::Host;
use crate::instances::Instances;
use crate::pipeline::candidates::{TELLING, numbers_in, numbers_of};
use crate::pipeline::explore::{self, ExplorePlan, Limits};
use crate::pipeline::pairs::{self, Bounds, PairPlan};
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// No more states than this are visited of an instance as small as a counterexample, and no more pairs of states of any.
const FEW_STATES: u64 = 10_000;

/// No more states than this are visited of the instance that the study gives.
const STATES: u64 = 100_000;

/// No more sizes than this are looked at because the text has a number.
const MOST_COUNTED: usize = 8;

/// The solver looks for executions of no more steps than this.
const STEPS: u32 = 4;

/// Work for one question about executions, in the solver's own unit.
const WORK: u32 = 3_000_000;

/// A counterexample to induction.
#[derive(Clone)]
pub(super) struct Step<'o> {
    /// What it is called.
    pub(super) name: String,
    pub(super) obligation: &'o Obligation,
    pub(super) found: &'o Counterexample,
}

impl<'o> Step<'o> {
    /// The counterexamples to an obligation that have a state before the step.
    pub(super) fn of(outcome: &'o Outcome) -> impl Iterator<Item = Self> {
        let all = counterexamples(outcome).filter(|(_, found)| found.before.is_some());
        all.map(|(name, found)| Self {
            name,
            obligation: &outcome.obligation,
            found,
        })
    }
}

/// What some execution violates of what is not proved, with what is told of it.
pub(super) fn executed(
    (study, setup): (&Study, &Setup),
    request: &Request,
    (open, unproved): (&[Step<'_>], &[Kind]),
    host: &dyn Host,
) -> Vec<(Subject, Finding)> {
    let look = Look {
        study,
        setup,
        states: STATES,
        host,
    };
    let mut failed = look.in_instances(open, unproved);
    look.unrolled(request, unproved, &mut failed);
    failed.into_iter().collect()
}

/// Numbers of states, of which the first ones of some instances are visited: a few of each come before many of one.
pub(super) const LOOKS: [u64; 2] = [FEW_STATES, STATES];

/// What the first states of an instance violate of the invariants that a study states, so many at most.
pub(super) fn violated_at(
    (study, setup): (&Study, &Setup),
    states: u64,
    host: &dyn Host,
) -> Vec<Finding> {
    let look = Look {
        study,
        setup,
        states,
        host,
    };
    let mut by_automaton: BTreeMap<AutomatonId, Vec<usize>> = BTreeMap::new();
    for (at, invariant) in study.model.invariants.iter().enumerate() {
        by_automaton
            .entry(invariant.automaton)
            .or_default()
            .push(at);
    }
    let each = by_automaton.into_iter();
    let found = each.flat_map(|(automaton, stated)| look.violated(automaton, &stated));
    found.map(|(_, finding)| finding).collect()
}

/// The executions on which proof blocks of simulations fail that are not proved.
pub(super) fn failed_blocks(
    (study, setup): (&Study, &Setup),
    outcomes: &[Outcome],
    host: &dyn Host,
) -> Vec<Finding> {
    let is_open = |outcome: &&Outcome| {
        let about = subject(study, outcome.obligation.kind);
        matches!(about, Subject::Simulation(_)) && !outcome.is_proved()
    };
    let open: Vec<&Outcome> = outcomes.iter().filter(is_open).collect();
    let steps: Vec<Step<'_>> = open.iter().flat_map(|o| Step::of(o)).collect();
    let unproved: Vec<Kind> = open.iter().map(|o| o.obligation.kind).collect();
    let look = Look {
        study,
        setup,
        states: FEW_STATES,
        host,
    };
    look.in_instances(&steps, &unproved).into_values().collect()
}

/// The number of elements by sort.
type Sizes = BTreeMap<String, u64>;

/// The sizes that are given, by the study or by the setup.
fn given(study: &Study, setup: &Setup) -> Sizes {
    let mut given = study.manifest.sizes.clone();
    given.extend(setup.sorts.iter().cloned());
    given
}

/// The sizes that are given, after smaller ones: an execution with fewer elements is easier to read.
fn up_to(study: &Study, setup: &Setup) -> Vec<Sizes> {
    let given = given(study, setup);
    let at_most = |most: u64| -> Sizes {
        let sizes = given.iter();
        sizes
            .map(|(sort, size)| (sort.clone(), *size.min(&most)))
            .collect()
    };
    let mut all: Vec<Sizes> = [1, 2, u64::MAX].map(at_most).into();
    all.dedup();
    all
}

/// Sizes in which one sort has as many elements as a number says that is stated, and the others at most two: what the text counts to is
/// done by so many, and perhaps by no fewer.
fn counted_to(study: &Study, setup: &Setup, unproved: &[Kind]) -> Vec<Sizes> {
    let numbers = numbers_stated(study, unproved);
    let given = given(study, setup);
    let few: Sizes = (study.model.sorts.iter())
        .map(|sort| {
            let size = given.get(&*sort.name).copied().unwrap_or(2);
            (sort.name.to_string(), size.min(2))
        })
        .collect();
    let each = few.keys();
    let each = each.flat_map(|sort| numbers.iter().map(move |number| (sort, *number)));
    let sizes = each.map(|(sort, number)| {
        let mut sizes = few.clone();
        sizes.insert(sort.clone(), number);
        sizes
    });
    sizes.take(MOST_COUNTED).collect()
}

/// The telling numbers in the invariants that are not proved, and in the automata that these are about.
fn numbers_stated(study: &Study, unproved: &[Kind]) -> BTreeSet<u64> {
    let invariants = unproved
        .iter()
        .filter_map(|kind| match subject(study, *kind) {
            Subject::Invariant(at) => Some(&study.model.invariants[at]),
            _ => None,
        });
    let numbers = invariants.flat_map(|invariant| {
        let automaton = study.model.automaton(invariant.automaton);
        numbers_of(&invariant.formula)
            .into_iter()
            .chain(numbers_in(automaton))
    });
    numbers
        .filter_map(|number| u64::try_from(number).ok())
        .filter(|number| TELLING.contains(number))
        .collect()
}

/// What is not proved, by the sizes of the counterexamples.
fn by_sizes(study: &Study, open: &[Step<'_>]) -> BTreeMap<Sizes, Vec<Kind>> {
    let mut groups: BTreeMap<Sizes, Vec<Kind>> = BTreeMap::new();
    for step in open {
        if let Some(spot) = spots(study, step.found).into_iter().next() {
            let sizes = study.given_sizes(&spot.universe);
            groups.entry(sizes).or_default().push(step.obligation.kind);
        }
    }
    groups
}

/// A look at the executions of instances.
#[derive(Clone, Copy)]
struct Look<'l> {
    study: &'l Study,
    setup: &'l Setup,
    /// So many states are visited, at most.
    states: u64,
    host: &'l dyn Host,
}

impl Look<'_> {
    /// What executions violate: in instances as small as the counterexamples, and then, since a violation may need more elements than
    /// a counterexample has, in the instance that the study gives and in smaller ones.
    fn in_instances(self, open: &[Step<'_>], unproved: &[Kind]) -> BTreeMap<Subject, Finding> {
        let mut failed = BTreeMap::new();
        for (sizes, questions) in by_sizes(self.study, open) {
            let small = Look {
                setup: &self.setup.at_sizes(sizes),
                states: FEW_STATES,
                ..self
            };
            small.at(&questions, &mut failed);
        }
        let counted = counted_to(self.study, self.setup, unproved);
        for sizes in up_to(self.study, self.setup).into_iter().chain(counted) {
            let setup = &self.setup.at_sizes(sizes);
            Look { setup, ..self }.at(unproved, &mut failed);
        }
        failed
    }

    /// Adds what some execution violates of what is asked for and is not among them yet.
    fn at(self, questions: &[Kind], failed: &mut BTreeMap<Subject, Finding>) {
        let mut invariants: BTreeMap<AutomatonId, BTreeSet<usize>> = BTreeMap::new();
        let mut tried = BTreeSet::new();
        for question in questions {
            let subject = subject(self.study, *question);
            if failed.contains_key(&subject) || !tried.insert(subject) {
                continue;
            }
            let found = match (subject, question) {
                (Subject::Simulation(simulation), _) => self.failed_block(simulation),
                (Subject::AutomatonDefined(id), Kind::Definedness(Part::Transition(..))) => {
                    self.undefined_step(id)
                }
                (Subject::Invariant(at), _) => {
                    let automaton = self.study.model.invariants[at].automaton;
                    invariants.entry(automaton).or_default().insert(at);
                    None
                }
                _ => None,
            };
            failed.extend(found.map(|finding| (subject, finding)));
        }
        for (automaton, invariants) in invariants {
            let invariants: Vec<usize> = invariants.into_iter().collect();
            failed.extend(self.violated(automaton, &invariants));
        }
    }

    /// The shortest executions that violate some invariants of one automaton, by their positions in the model.
    fn violated(self, automaton: AutomatonId, invariants: &[usize]) -> Vec<(Subject, Finding)> {
        let stated = &self.study.model.invariants;
        let broken: Vec<usize> = match invariants {
            [only] => vec![*only],
            _ => {
                let together = self.violations(automaton, invariants);
                let is_among = |at: &&usize| together.iter().any(|f| *f.name == *stated[**at].name);
                invariants.iter().filter(is_among).copied().collect()
            }
        };
        // By itself, each is shown by the search that is to be repeated for it.
        let alone = broken.into_iter().filter_map(|at| {
            let found = self.violations(automaton, &[at]);
            let finding = found.into_iter().next()?;
            Some((Subject::Invariant(at), finding))
        });
        alone.collect()
    }

    /// What is found of the violations of some invariants.
    fn violations(self, automaton: AutomatonId, invariants: &[usize]) -> Vec<Finding> {
        let stated = invariants
            .iter()
            .map(|at| &self.study.model.invariants[*at]);
        let stated: Vec<Invariant> = stated.cloned().collect();
        let plan = ExplorePlan {
            keep_going: stated.len() > 1,
            ..ExplorePlan::survey(automaton, self.limits())
        };
        let findings = found_alone((self.study, self.setup), &stated, plan, self.host);
        let is_violation = |finding: &Finding| {
            finding.kind == finding::Kind::Invariant && finding.verdict == Verdict::Violated
        };
        let mut findings = findings.unwrap_or_default();
        findings.retain(is_violation);
        findings
    }

    fn limits(self) -> Limits {
        Limits {
            states: Some(self.states),
            time: Some(ASIDE),
            ..Limits::default()
        }
    }

    /// Adds what the solver finds violated in a few steps, of automata whose steps cannot be listed, for some parameter has values
    /// without end, and of those with quorums, which are not only majorities.
    fn unrolled(
        self,
        request: &Request,
        questions: &[Kind],
        failed: &mut BTreeMap<Subject, Finding>,
    ) {
        let mut explored = BTreeMap::new();
        for question in questions {
            let subject = subject(self.study, *question);
            let Subject::Invariant(at) = subject else {
                continue;
            };
            let invariant = &self.study.model.invariants[at];
            let automaton = invariant.automaton;
            let is_explored = explored
                .entry(automaton)
                .or_insert_with(|| self.can_explore(automaton));
            if (*is_explored && !self.has_groups(automaton)) || failed.contains_key(&subject) {
                continue;
            }
            let request = Request {
                only: vec![invariant.name.to_string()],
                automaton: Some(self.study.model.automaton(automaton).name.to_string()),
                method: Method::Bounded(STEPS),
                work: WORK,
                repeat: 1,
                ..request.clone()
            };
            let found = unrolled::prove(self.study, &request, Unrolling::Bounded(STEPS), self.host);
            let found = found.map_or(Vec::new(), |proof| proof.findings);
            let mut violated = found.into_iter().filter(|f| f.verdict == Verdict::Violated);
            failed.extend(violated.next().map(|finding| (subject, finding)));
        }
    }

    /// Whether an automaton speaks of quorums or other groups. An exploration takes all majorities for quorums, and all sets for subsets.
    fn has_groups(self, automaton: AutomatonId) -> bool {
        let model = &self.study.model;
        let setting = model.setting([automaton]);
        group_sorts(model, &setting).next().is_some()
    }

    /// Whether the steps from the start states of an automaton can be listed.
    fn can_explore(self, automaton: AutomatonId) -> bool {
        let limits = Limits {
            states: Some(1),
            ..self.limits()
        };
        let plan = ExplorePlan::survey(automaton, limits);
        found_alone((self.study, self.setup), &[], plan, self.host).is_ok()
    }

    /// The execution on which the proof block of a simulation fails, if it is forward and has one.
    fn failed_block(self, simulation: usize) -> Option<Finding> {
        let (study, setup) = (self.study, self.setup);
        let declared = &study.model.simulations[simulation];
        if declared.direction == Direction::Backward || declared.proof.is_none() {
            return None;
        }
        let plan = PairPlan::on_all_states(simulation, Bounds::of_states(FEW_STATES));
        let found = pairs::all(
            study,
            &Instances::new(study, setup),
            setup,
            &[plan],
            self.host,
        );
        let mut found = found.unwrap_or_default().findings.into_iter();
        found.find(|finding| finding.verdict == Verdict::Violated)
    }

    /// The shortest execution of an automaton after which some step has no result.
    fn undefined_step(self, automaton: AutomatonId) -> Option<Finding> {
        let plan = ExplorePlan {
            keep_going: false,
            ..ExplorePlan::survey(automaton, self.limits())
        };
        let found = found_alone((self.study, self.setup), &[], plan, self.host).ok()?;
        let mut findings = found.into_iter();
        let violated = findings.find(|finding| finding.verdict == Verdict::Violated)?;
        // The row of a proof is about all that is to be defined in the automaton.
        let name = self.study.model.automaton(automaton).name.to_string();
        Some(Finding { name, ..violated })
    }
}

/// What a search finds about these invariants, and about no others.
///
/// # Errors
/// Why the automaton cannot be explored.
pub(super) fn found_alone(
    (study, setup): (&Study, &Setup),
    stated: &[Invariant],
    plan: ExplorePlan,
    host: &dyn Host,
) -> Result<Vec<Finding>, BadInput> {
    let plan = ExplorePlan {
        only: stated.iter().map(|one| one.name.to_string()).collect(),
        ..plan
    };
    let study = &study.stating(study.sources.clone(), stated.to_vec());
    let found = explore::in_each_interpretation(study, setup, &plan, host)?;
    Ok(explore::findings(study, setup, &plan, &found))
}
