//! Proofs: all obligations of a study, summed up for each invariant and each simulation.

mod replay;
mod unrolled;

use std::collections::BTreeMap;
use std::time::Duration;

use ioa_lang::core::AutomatonId;
use ioa_lang::diagnostic::nearest;
use prover_bridge::{
    About, Grounded, Kind as Question, Obligation, Options, Outcome, Part, Report, Spent, Target,
    Verdict as Answer, Warning,
};

use crate::finding::{Finding, Item, Kind, Scope, Verdict};
use crate::host::Host;
use crate::numbers::counted;
use crate::story::{Story, induction};
use crate::study::{BadInput, Study};
use unrolled::Unrolling;

/// Time for each question to the solver, where nothing else is asked for.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// How far proofs may go, and what else is wanted.
#[derive(Clone, Debug)]
pub struct Request {
    /// Names of invariants or simulations to report on; all where none is named.
    pub only: Vec<String>,
    /// The automaton to report on; all where none is named.
    pub automaton: Option<String>,
    /// Time for each question to the solver.
    pub timeout: Duration,
    /// Solver resources for each question; 0 for no limit.
    pub resource_limit: u32,
    /// Whether to find out which invariants each obligation needs.
    pub cores: bool,
    /// At most how many threads.
    pub threads: usize,
    /// How invariants are proved.
    pub method: Method,
}

/// How invariants are proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By induction, with simulations and all that proofs presume.
    #[default]
    Induction,
    /// Not proved, but checked in executions of at most so many steps, at every size.
    Bounded(u32),
    /// By induction over so many steps.
    KInduction(u32),
}

impl Request {
    /// What asks for the same limit on the command line.
    fn limit_flag(&self) -> String {
        match self.resource_limit {
            0 => String::new(),
            n => format!(" --rlimit {n}"),
        }
    }
}

/// What came of a proof.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What is established and what is not.
    pub findings: Vec<Finding>,
    /// What the time went to.
    pub spent: Spent,
}

/// What an obligation belongs to, in the order in which findings are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Axioms,
    Requirements(AutomatonId),
    Invariant(usize),
    Simulation(usize),
    AutomatonDefined(AutomatonId),
    SimulationDefined(usize),
}

/// Proves everything the study states, and reports on what was asked for.
///
/// All invariants of an automaton are proved together, since each may use the others. Where some are named, only these
/// are proved and reported on, with those that their proofs turn out to use.
///
/// # Errors
/// A name that nothing bears; no invariant, where the method is about these alone.
pub fn prove(study: &Study, request: &Request, host: &dyn Host) -> Result<Proof, BadInput> {
    check_names(study, &request.only)?;
    if let Some(name) = &request.automaton {
        study.automaton(Some(name))?;
    }
    if let Some(unrolling) = Unrolling::of(request.method) {
        return unrolled::prove(study, request, unrolling, host);
    }
    let target = Target::everything(&study.model);
    let wanted = Wanted::of(study, request);
    let only = |kind: Question| wanted.contains(study, subject(study, kind));
    let everything = request.only.is_empty() && request.automaton.is_none();
    let _progress = host.begins("proving", None);
    let mut report = None;
    host.supervises(&target, request.timeout, &mut |watch| {
        let options = Options {
            only: (!everything).then_some(&only),
            timeout: request.timeout,
            resource_limit: request.resource_limit,
            threads: request.threads,
            needed_invariants: request.cores,
            watch,
            ..Options::default()
        };
        report = Some(prover_bridge::prove(&target, &options, &|| host.now()));
    });
    let report = report.expect("a host that supervises a proof runs it");
    Ok(Proof {
        findings: findings(study, request, &report),
        spent: report.spent,
    })
}

/// What of a target a request is about: what it names, and what a proof of that presumes, namely that the theories are
/// as they have to be and that nothing in the automata is undefined.
struct Wanted<'r> {
    request: &'r Request,
    presumed: Vec<String>,
}

impl<'r> Wanted<'r> {
    fn of(study: &Study, request: &'r Request) -> Self {
        Self {
            request,
            presumed: automata_of(study, &request.only),
        }
    }

    fn contains(&self, study: &Study, subject: Subject) -> bool {
        if subject == Subject::Axioms {
            return true;
        }
        let (kind, name, automaton) = describe(study, subject);
        let only = &self.request.only;
        let is_presumed = matches!(kind, Kind::Definedness | Kind::Requirement);
        let named = only.is_empty()
            || only.contains(&name)
            || (is_presumed && self.presumed.contains(&name));
        let asked = self.request.automaton.as_ref();
        named && asked.is_none_or(|a| *a == automaton)
    }
}

/// The obligations that a request is about, in the order of the target's.
#[must_use]
pub fn wanted_obligations(
    study: &Study,
    request: &Request,
    target: &Target<'_>,
) -> Vec<Obligation> {
    let wanted = Wanted::of(study, request);
    let mut all = prover_bridge::obligations(target);
    all.retain(|o| wanted.contains(study, subject(study, o.kind)));
    all
}

/// The automata that named invariants and simulations speak of: a proof presumes that nothing in them is undefined.
fn automata_of(study: &Study, only: &[String]) -> Vec<String> {
    let model = &study.model;
    let invariants = model.invariants.iter();
    let invariants = invariants.filter(|i| only.iter().any(|name| **name == *i.name));
    let simulations = model.simulations.iter();
    let simulations = simulations.filter(|s| only.contains(&model.simulation_name(s)));
    let automata = invariants
        .map(|i| i.automaton)
        .chain(simulations.flat_map(|s| [s.low, s.high]));
    automata
        .map(|id| model.automaton(id).name.to_string())
        .collect()
}

fn check_names(study: &Study, only: &[String]) -> Result<(), BadInput> {
    let model = &study.model;
    let known: Vec<String> = (model.invariants.iter().map(|i| i.name.to_string()))
        .chain(model.liveness.iter().map(|l| l.name.to_string()))
        .chain(model.simulations.iter().map(|s| model.simulation_name(s)))
        .chain(model.automata.iter().map(|a| a.name.to_string()))
        .collect();
    let Some(name) = only.iter().find(|name| !known.contains(name)) else {
        return Ok(());
    };
    let nearest = nearest(name, known.iter().map(String::as_str));
    let hint = nearest.map_or(String::new(), |n| format!("; did you mean {n}?"));
    Err(BadInput::message(format!(
        "no invariant, liveness property, simulation or automaton is named {name}{hint}"
    )))
}

fn findings(study: &Study, request: &Request, report: &Report) -> Vec<Finding> {
    let mut grouped: BTreeMap<Subject, Vec<&Outcome>> = BTreeMap::new();
    for outcome in &report.outcomes {
        let subject = subject(study, outcome.obligation.kind);
        grouped.entry(subject).or_default().push(outcome);
    }
    let wanted = Wanted::of(study, request);
    grouped.retain(|subject, _| wanted.contains(study, *subject));
    let subjects: Vec<Subject> = grouped.keys().copied().collect();
    let warned = |subject: Subject| {
        let about = |w: &&Warning| bearer(study, &subjects, w.about) == Some(subject);
        let warnings = report.warnings.iter().filter(about);
        warnings.map(|w| worded(study, w)).collect()
    };
    let all = grouped.iter().map(|(subject, outcomes)| Finding {
        warnings: warned(*subject),
        ..finding(study, request, *subject, outcomes)
    });
    all.collect()
}

/// Which of the subjects that are reported on shows a warning: what it is about, or the last that is about its
/// automaton, on whose steps it bears.
fn bearer(study: &Study, subjects: &[Subject], about: About) -> Option<Subject> {
    let bears = |subject: &Subject| match about {
        About::Invariant(warned) => *subject == Subject::Invariant(warned),
        About::Clause(warned, _) | About::Theories(warned) => match *subject {
            Subject::Invariant(i) => study.model.invariants[i].automaton == warned,
            Subject::Simulation(s) => {
                let stated = &study.model.simulations[s];
                [stated.low, stated.high].contains(&warned)
            }
            Subject::AutomatonDefined(id) => id == warned,
            Subject::Requirements(id) => id == warned && matches!(about, About::Theories(_)),
            Subject::Axioms | Subject::SimulationDefined(_) => false,
        },
    };
    subjects.iter().rev().copied().find(bears)
}

/// A warning with its places.
fn worded(study: &Study, warning: &Warning) -> String {
    let places = std::iter::once(&warning.span).chain(&warning.with);
    let places: Vec<String> = places.map(|span| study.location(*span)).collect();
    format!("{warning} (at {})", places.join(" and "))
}

fn subject(study: &Study, question: Question) -> Subject {
    match question {
        Question::Initiation { invariant } | Question::Consecution { invariant, .. } => {
            Subject::Invariant(invariant)
        }
        Question::SimulationStart { simulation }
        | Question::SimulationTotal { simulation }
        | Question::SimulationStep { simulation, .. } => Subject::Simulation(simulation),
        Question::Requirement { automaton, .. } => Subject::Requirements(automaton),
        Question::Definedness(part) => match part {
            Part::Axiom(_) => Subject::Axioms,
            Part::Start(automaton) | Part::Input(automaton, _) | Part::Transition(automaton, _) => {
                Subject::AutomatonDefined(automaton)
            }
            Part::Invariant(i) => Subject::AutomatonDefined(study.model.invariants[i].automaton),
            Part::Relation(s) | Part::Initially(s) | Part::Entry(s, _) => {
                Subject::SimulationDefined(s)
            }
        },
    }
}

/// What kind of thing a subject is, its name, and the automaton it belongs to.
fn describe(study: &Study, subject: Subject) -> (Kind, String, String) {
    let model = &study.model;
    let automaton = |id: AutomatonId| model.automaton(id).name.to_string();
    match subject {
        Subject::Axioms => (Kind::Definedness, "axioms".into(), String::new()),
        Subject::Requirements(id) => (Kind::Requirement, automaton(id), automaton(id)),
        Subject::Invariant(i) => {
            let invariant = &model.invariants[i];
            (
                Kind::Invariant,
                invariant.name.to_string(),
                automaton(invariant.automaton),
            )
        }
        Subject::Simulation(s) => {
            let simulation = &model.simulations[s];
            (
                Kind::Simulation,
                model.simulation_name(simulation),
                automaton(simulation.low),
            )
        }
        Subject::AutomatonDefined(id) => (Kind::Definedness, automaton(id), automaton(id)),
        Subject::SimulationDefined(s) => {
            let simulation = &model.simulations[s];
            (
                Kind::Definedness,
                model.simulation_name(simulation),
                automaton(simulation.low),
            )
        }
    }
}

fn finding(study: &Study, request: &Request, subject: Subject, outcomes: &[&Outcome]) -> Finding {
    let (kind, name, automaton) = describe(study, subject);
    let started = outcomes.iter().copied().find(|o| is_violation(study, o));
    let verdict = match started {
        Some(_) => Verdict::Violated,
        None => together(outcomes),
    };
    let mut finding = Finding::new(kind, name, automaton, verdict, scope(outcomes));
    finding.seconds = Some(outcomes.iter().map(|o| o.time.as_secs_f64()).sum());
    finding.figures = figures(outcomes);
    finding.summary = summary(outcomes, started);
    finding.items = outcomes.iter().map(|o| item(o)).collect();
    let stories = outcomes.iter().filter_map(|o| story(study, o, started));
    finding.stories = stories.take(STORIES).collect();
    if !finding.stories.is_empty() {
        finding.replay = Some(format!(
            "ioa prove {} --only \"{}\" --timeout {}{}",
            study.inputs,
            finding.name,
            request.timeout.as_millis(),
            request.limit_flag(),
        ));
    }
    finding
}

/// Whether a counterexample to an obligation is an execution of no steps.
fn is_violation(study: &Study, outcome: &Outcome) -> bool {
    match (outcome.obligation.kind, &outcome.verdict) {
        (Question::Initiation { invariant }, Answer::Refuted(found)) => {
            replay::is_violated(study, invariant, found)
        }
        _ => false,
    }
}

/// The story of what an obligation is not established for; `started` is the one that a start state violates, if one does.
fn story(study: &Study, outcome: &Outcome, started: Option<&Outcome>) -> Option<Story> {
    let name = &outcome.obligation.name;
    match &outcome.verdict {
        Answer::Refuted(found) => {
            let headline = match outcome.obligation.kind {
                Question::Initiation { invariant } if started == Some(outcome) => {
                    let invariant = &study.model.invariants[invariant];
                    let automaton = &study.model.automaton(invariant.automaton).name;
                    format!("invariant {} of {automaton} is violated", invariant.name)
                }
                Question::Definedness(_) => format!("it is not established that {name}"),
                Question::Requirement {
                    automaton,
                    position,
                } => {
                    let requirement = &study.model.automaton(automaton).requirements[position];
                    format!(
                        "{name} is not established: {}{}",
                        requirement.otherwise,
                        induction::values(study, found)
                    )
                }
                _ => format!("{name} is not established"),
            };
            let mut story = induction::tell(study, headline, found);
            let is_start = matches!(outcome.obligation.kind, Question::Initiation { .. });
            if is_start && started != Some(outcome) {
                story.notes.push(UNCONFIRMED.into());
            }
            Some(story)
        }
        Answer::Unknown(reason) => {
            let found = outcome.without_unproved.as_ref()?;
            let headline = format!("{name} is not established: {reason}");
            Some(induction::tell(study, headline, found))
        }
        Answer::Proved(_) | Answer::Vacuous(_) => None,
    }
}

/// What is said of a start state that nobody but the solver knows to be one.
const UNCONFIRMED: &str = "this is a start state as the solver reads the model; the executor does not confirm that it is \
                           one, or that the invariant is false in it";

/// Every size, but for a counterexample, which is of some size.
fn scope(outcomes: &[&Outcome]) -> Scope {
    let found = outcomes.iter().find_map(|o| match &o.verdict {
        Answer::Refuted(found) => Some(Scope::Sizes(found.sizes.clone())),
        _ => None,
    });
    found.unwrap_or(Scope::UNBOUNDED)
}

/// At most so many counterexamples are told of one invariant or simulation.
const STORIES: usize = 3;

/// What the obligations of one thing come to: one counterexample refutes it, and it is proved if all of them are, each
/// of something.
fn together(outcomes: &[&Outcome]) -> Verdict {
    let has = |wanted: Verdict| outcomes.iter().any(|o| verdict(&o.verdict) == wanted);
    let worst = [
        Verdict::Refuted,
        Verdict::Unknown,
        Verdict::Vacuous,
        Verdict::Proved,
    ];
    let found = worst.into_iter().find(|verdict| has(*verdict));
    found.unwrap_or(Verdict::Unknown)
}

/// The verdict on a proof of something. There is no other way to it.
pub(super) fn proved(_: Grounded) -> Verdict {
    Verdict::Proved
}

fn verdict(answer: &Answer) -> Verdict {
    match answer {
        Answer::Proved(grounded) => proved(*grounded),
        Answer::Vacuous(_) => Verdict::Vacuous,
        Answer::Refuted(_) => Verdict::Refuted,
        Answer::Unknown(_) => Verdict::Unknown,
    }
}

fn figures(outcomes: &[&Outcome]) -> BTreeMap<&'static str, u64> {
    let proved = outcomes.iter().filter(|o| o.is_proved()).count();
    BTreeMap::from([
        ("obligations", outcomes.len() as u64),
        ("proved", proved as u64),
        (
            "queries",
            outcomes.iter().map(|o| u64::from(o.queries)).sum(),
        ),
        ("resources", outcomes.iter().map(|o| o.resources).sum()),
    ])
}

fn summary(outcomes: &[&Outcome], started: Option<&Outcome>) -> String {
    let open: Vec<String> = outcomes
        .iter()
        .filter_map(|o| {
            let step = o
                .obligation
                .name
                .rsplit(" / ")
                .next()
                .unwrap_or(&o.obligation.name);
            match &o.verdict {
                Answer::Proved(_) => None,
                Answer::Vacuous(why) => Some(format!("{step} is proved of nothing: {why}")),
                Answer::Refuted(_) if started == Some(*o) => Some("false in a start state".into()),
                Answer::Refuted(_) => Some(match o.obligation.kind {
                    Question::Definedness(_) => format!("not shown: {step}"),
                    _ => format!("{step} breaks it"),
                }),
                Answer::Unknown(reason) => Some(format!("{step}: {reason}")),
            }
        })
        .collect();
    match open.is_empty() {
        true => counted(outcomes.len() as u64, "obligation"),
        false => open.join("; "),
    }
}

fn item(outcome: &Outcome) -> Item {
    let text = match (&outcome.verdict, &outcome.needed) {
        (Answer::Unknown(reason), _) => reason.to_string(),
        (Answer::Vacuous(why), _) => why.clone(),
        (_, Some(needed)) => format!("needs {}", induction::join(needed)),
        _ => String::new(),
    };
    Item {
        name: outcome.obligation.name.clone(),
        text,
        verdict: Some(verdict(&outcome.verdict)),
        figures: BTreeMap::from([
            ("queries", u64::from(outcome.queries)),
            ("resources", outcome.resources),
        ]),
        seconds: Some(outcome.time.as_secs_f64()),
        opinion: None,
    }
}
