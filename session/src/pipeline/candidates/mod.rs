//! Candidates: formulas that hold in all states that were looked at. Clauses are learnt from all states of small instances,
//! relations of numbers and sets from runs; all of them have to survive a second look at other instances. The prover may say
//! which are inductive.

mod collector;
mod focus;
mod implied;
mod life;
mod proposal;
mod standing;
mod states;
mod support;
mod why;
mod work;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use interpreter::run::Coverage;
use interpreter::{Instance, States};
use invariants::learn::{Effort, Learnt, Mining, Preference, learn};
use invariants::{Options, Report};
use ioa_lang::core::{AutomatonId, Invariant, Model};

use super::plan::{Driver, Plan};
use super::runs;
use crate::host::{Briefly, Host};
use crate::instances::{Instances, Interpreted};
use crate::setup::Setup;
use crate::study::{BadInput, Study};

pub use collector::Collector;
pub use focus::{Focused, Naming};

pub use life::separating;
pub use proposal::{Proposal, Purpose, finding};
pub use standing::{Standing, recalled};
pub use states::{Budget, Looked, Visited};
pub use support::{Question, Support};
pub use why::why;

pub(in crate::pipeline) use proposal::formula_text;
pub(in crate::pipeline) use states::StatePool;
#[cfg(feature = "smt")]
pub(in crate::pipeline) use states::{Reached, TELLING, numbers_in, numbers_of};
pub(in crate::pipeline) use work::Work;

/// What the process takes beside what is visited and learnt from: the program, the solver with its contexts, machine code.
const BY_ITSELF: u64 = 85 << 20;
/// With less memory than this for what is visited and learnt from, hardly anything would be found.
const LEAST: u64 = 16 << 20;

/// What is said where runs have more values than there is memory for.
const FULL: &str =
    "the states of runs take more than their part of the memory: not all were looked at";

/// What is said where the runs took too long.
const SLOW: &str = "the runs take long: not all of them were made";

/// Runs may take this part of the time.
const RUNS_TIME: f64 = 0.25;

/// In a quick look this part of the usual work is done, and this part of that of the last look.
const QUICK_WORK: u64 = 2;
const QUICK_LAST: u64 = 10;

/// States of runs that are kept as they are may take this part of the memory.
const RUNS_SHARE: u64 = 16;

/// The part of the memory for what is visited and learnt from that may be taken by what is learnt.
const fn for_learning(memory: u64) -> u64 {
    memory / 8 * 3
}

/// How much is tried, and spent on it.
#[derive(Clone, Copy, Debug)]
pub struct Thoroughness {
    /// What is tried.
    pub effort: Effort,
    /// What may be spent.
    pub budget: Budget,
    /// How often states are made up that nothing excludes of what was found.
    pub made_up: usize,
    /// Whether the prover is asked which candidates the others imply.
    pub minimal: bool,
}

impl Thoroughness {
    /// For a question by itself.
    pub const THOROUGH: Self = Self {
        effort: Effort {
            literals: 4,
            pairs: 8,
            mining: Mining::Comparisons,
            variables: 3,
            is_ranged: true,
            is_lean: false,
            prefers: Preference::Simple,
            candidates: 160,
            memory: for_learning(4 << 30),
            rounds: 100,
            made_up: 0,
            support: 0,
            spares_bounds: false,
        },
        budget: Budget {
            seconds: 120.0,
            work: Work::in_seconds(45.0),
            visited: 350_000,
            sample: 2000,
            instances: 6,
            made_up: 8_000,
            tried: 56,
            look: 400_000,
            last: Work::in_seconds(15.0),
            keeps: false,
            memory: 4 << 30,
            is_scarce: false,
            is_quick: false,
        },
        made_up: 4,
        minimal: true,
    };
    /// For one question among many.
    pub const QUICK: Self = Self {
        effort: Effort {
            literals: 2,
            pairs: 0,
            mining: Mining::Nothing,
            variables: 2,
            is_ranged: false,
            is_lean: false,
            prefers: Preference::Simple,
            candidates: 60,
            memory: 1 << 27,
            rounds: 8,
            made_up: 0,
            support: 0,
            spares_bounds: false,
        },
        budget: Budget {
            seconds: 300.0,
            work: u64::MAX,
            visited: 20_000,
            sample: 500,
            instances: 3,
            made_up: 8_000,
            tried: 10,
            look: 10_000,
            last: 0,
            keeps: false,
            memory: 1 << 29,
            is_scarce: false,
            is_quick: false,
        },
        made_up: 0,
        minimal: false,
    };

    /// The same within so many seconds. If these are more than before, the work that may be done grows in proportion.
    #[must_use]
    pub fn lasting(mut self, seconds: f64) -> Self {
        let budget = &mut self.budget;
        let times = (seconds / budget.seconds).max(1.0);
        budget.work = (budget.work as f64 * times) as u64;
        budget.last = (budget.last as f64 * times) as u64;
        budget.seconds = seconds;
        self
    }

    /// The same with less work, above all in the last look: it ends sooner, but less is found, and more of it may be false.
    #[must_use]
    pub fn quickly(mut self) -> Self {
        self.budget.work /= QUICK_WORK;
        self.budget.last /= QUICK_LAST;
        self.budget.is_quick = true;
        self
    }

    /// The same with so much memory, about, for the whole process.
    #[must_use]
    pub fn within(mut self, memory: u64) -> Self {
        let own = memory.saturating_sub(BY_ITSELF).max(LEAST);
        self.budget.memory = own;
        self.budget.is_scarce = memory < BY_ITSELF + LEAST;
        self.effort.memory = for_learning(own);
        self
    }
}

/// Reached states in which each literal of a clause must have been the only true one, where not all states of any instance were
/// visited: that it held in so many by chance is less likely than one in a hundred, if it is as likely false as true.
pub(in crate::pipeline) const SUPPORT: u64 = 7;

/// Proposes invariants from the runs of some plans, which must all be of one automaton, and from the states of small instances; about
/// what is named of it.
///
/// # Errors
/// Why the runs cannot be made, or their states not be sampled; mistakes in what is named.
pub fn propose(
    about: (&Study, &Setup),
    asked: (&[Plan], &Naming),
    how: Thoroughness,
    host: &dyn Host,
) -> Result<Proposal, BadInput> {
    proposed(about, asked, (how, None), host)
}

/// The same, with the evidence for a formula in question where not all states of any instance are known.
fn proposed(
    (study, setup): (&Study, &Setup),
    (plans, naming): (&[Plan], &Naming),
    (how, questioned): (Thoroughness, Option<&Invariant>),
    host: &dyn Host,
) -> Result<Proposal, BadInput> {
    let Some(automaton) = plans.first().map(|p| p.drive.automaton(study)) else {
        return Err(BadInput::message(
            "there are no runs to propose invariants from",
        ));
    };
    if plans.iter().any(|p| p.drive.automaton(study) != automaton) {
        return Err(BadInput::message(
            "the runs are of several automata; name one with --automaton",
        ));
    }
    let focused = Focused::of(study, automaton, naming)?;
    // Whether what is stated holds is not asked here, and to find it out in every state may take long.
    let unstated = study.stating(study.sources.clone(), Vec::new());
    let instance = Instances::new(&unstated, setup).of(automaton)?;
    let about = (&instance, automaton, &focused);
    let room = how.budget.memory / RUNS_SHARE;
    let seconds = how.budget.seconds * RUNS_TIME;
    let (mut runs, of_runs, mut coverage) =
        observed(&unstated, about, (plans, setup), (room, seconds, host))?;
    let spending = (how.budget, Rc::default());
    let mut states = StatePool::gather((study, setup), automaton, spending, host)?;
    let mut effort = Effort {
        made_up: how.made_up,
        spares_bounds: how.minimal,
        ..how.effort
    };
    if !states.is_exhaustive() {
        effort.support = SUPPORT;
    }
    let of_states = states.relations(&focused.focus);
    let of_states = of_states.map_err(BadInput::message)?;
    let of_steps = runs.relations.iter();
    let of_steps = of_steps.map(|relation| relation.invariant.clone());
    let of_steps = states.telling(of_steps.collect());
    let given = ordered(&study.model, of_steps.into_iter().chain(of_states));
    states.add_runs(instance.universe(), &of_runs);
    let constant = states.constant(&focused).map_err(BadInput::message)?;
    let support = questioned.map(|formula| support::least(&states, formula));
    let support = support.transpose().map_err(BadInput::message)?;
    let about = (&*study.model, automaton);
    let learnt = learn(about, &focused.focus, given, &mut states, effort);
    let mut learnt = learnt.map_err(BadInput::message)?;
    let open = questioned.map(|formula| states.open(formula, &learnt.lemmas));
    let open = open.transpose().map_err(BadInput::message)?;
    let question = support.zip(open);
    let question = question.map(|(support, open)| Question { support, open });
    coverage.add(&states.coverage());
    let idle = runs::never_happened(study, automaton, &coverage);
    runs.notes.extend(idle);
    // The states take memory that the solver needs now.
    let time = (states.time_left(), how.budget.seconds);
    let looked = states.looked();
    if how.minimal {
        implied::leave_out_implied((study, automaton), &mut learnt, time, host);
    }
    rename(&study.model, &mut learnt);
    Ok(Proposal {
        instance,
        automaton,
        focused,
        constant,
        runs,
        learnt,
        looked,
        question,
        stopped: host.stopped(),
        purpose: None,
    })
}

/// What runs show of the relations of variables and of the steps of actions.
fn observed(
    study: &Study,
    (instance, automaton, focused): (&Arc<Instance>, AutomatonId, &Focused),
    (plans, setup): (&[Plan], &Setup),
    (room, seconds, host): (u64, f64, &dyn Host),
) -> Result<(Report, States, Coverage), BadInput> {
    let brief = Briefly::new(host, seconds);
    let collector = Collector::new(instance, automaton, &focused.focus, room);
    let mut collector = collector.map_err(|diagnostics| focused.refuse(diagnostics))?;
    let (mut notes, mut coverage) = (Vec::new(), Coverage::default());
    for plan in plans {
        let plan = Plan {
            past_failures: true,
            ..plan.clone()
        };
        let one = Interpreted::one(Arc::clone(instance));
        let tally = runs::all(study, &one, &plan, setup, &brief, &mut collector)?;
        coverage.add(&tally.coverage);
        if tally.stopped.is_some() && host.stopped().is_none() {
            notes.push(SLOW.to_owned());
        }
        if let Some(failure) = &tally.failure {
            let (name, words) = (tally.name(study), runs::words(&failure.ending));
            notes.push(format!(
                "a run of {name} {words} (seed {})",
                failure.turn.options.seed
            ));
        }
    }
    if collector.is_full() {
        notes.push(FULL.to_owned());
    }
    let (samples, states) = collector
        .samples()
        .map_err(|m| BadInput::message(m.to_string()))?;
    let mut report =
        invariants::detect_until(&samples, &Options::default(), &|| host.stopped().is_some());
    report.notes.extend(notes);
    Ok((report, states, coverage))
}

/// Relations in the order of their texts, each once. Of those that say the same of all states the first is reported, which must not
/// depend on where they were found.
pub(in crate::pipeline) fn ordered(
    model: &Model,
    relations: impl IntoIterator<Item = Invariant>,
) -> Vec<Invariant> {
    let relations = relations.into_iter();
    let texts = relations.map(|stated| (formula_text(model, &stated), stated));
    let ordered: BTreeMap<String, Invariant> = texts.collect();
    ordered.into_values().collect()
}

/// Names the candidates `Cand1`, `Cand2`, ... without those that an invariant of the model has.
fn rename(model: &Model, learnt: &mut Learnt) {
    let is_free = |name: &String| model.invariants.iter().all(|i| *i.name != **name);
    let names = (1..).map(|n| format!("Cand{n}")).filter(is_free);
    for (lemma, name) in learnt.lemmas.iter_mut().zip(names) {
        lemma.invariant.name = name.into();
    }
}

/// The plans whose runs are sampled: those that the command line asks for or, as far as it says nothing, those that
/// `[infer]` does; where neither says what drives them, the study's runs of the automaton.
///
/// # Errors
/// Names that do not exist; both a schedule and random runs.
pub fn plans(study: &Study, setup: &Setup, driver: &Driver) -> Result<Vec<Plan>, BadInput> {
    let section = study.manifest.infer.as_ref();
    let named = setup.automaton.clone();
    let inferred = || section.map(|section| section.automaton.clone());
    let setup = Setup {
        automaton: named.or_else(inferred),
        ..setup.clone()
    };
    let mut driver = driver.clone();
    if let Some(section) = section {
        if section.random && section.schedule.is_some() {
            return Err(BadInput::message(
                "ioa.toml: [infer] has either a schedule or random = true",
            ));
        }
        if driver.schedule.is_none() && !driver.random {
            driver.schedule.clone_from(&section.schedule);
            driver.random = section.random;
        }
        driver.runs = driver.runs.or(section.runs);
        driver.steps = driver.steps.or(section.steps);
    }
    Plan::asked(study, &setup, &driver)
}
