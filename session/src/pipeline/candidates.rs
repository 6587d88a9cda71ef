//! Candidates: runs become samples, samples become likely invariants, and the prover may say which are inductive.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use interpreter::run::{Event, Observer};
use interpreter::{Cell, Field, Instance, Layout, Location, Shape, State};
use invariants::{Added, Candidate, Limits, Misfit, Options, Reason, Report, Samples, Schema};
use ioa_lang::Value;
use ioa_lang::core::{Action, ActionId, AutomatonId, Type};

use super::plan::{Driver, Plan};
use super::runs;
use crate::finding::{Finding, Item, Kind, Verdict};
use crate::host::Host;
use crate::instances::{Instances, Interpreted};
use crate::numbers::count;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// Collects the states and steps of runs as samples.
pub struct Collector<'i> {
    instance: &'i Instance,
    automaton: AutomatonId,
    /// Where each variable lies, if all of them lie in words: then a state is a sample as it stands.
    fields: Option<Vec<Field>>,
    samples: Samples,
    before: Vec<u64>,
    after: Vec<u64>,
    misfit: Option<Misfit>,
}

impl<'i> Collector<'i> {
    /// A collector for runs of an automaton.
    #[must_use]
    pub fn new(instance: &'i Instance, automaton: AutomatonId) -> Self {
        let layout = instance.layout(automaton);
        let field = |variable| match layout.location(variable) {
            Location::Bits(field) => Some(*field),
            Location::Limbs(_) | Location::Cell(_) => None,
        };
        let schema = Schema::of_automaton(instance.model(), instance.universe(), automaton);
        Self {
            instance,
            automaton,
            fields: layout.ids().map(field).collect(),
            samples: Samples::new(schema, Limits::default()),
            before: Vec::new(),
            after: Vec::new(),
            misfit: None,
        }
    }

    /// What was collected.
    ///
    /// # Errors
    /// If a sample did not fit, which only values beyond the detector's bounds do.
    pub fn samples(self) -> Result<Samples, Misfit> {
        match self.misfit {
            Some(misfit) => Err(misfit),
            None => Ok(self.samples),
        }
    }

    fn layout(&self) -> &'i Layout {
        self.instance.layout(self.automaton)
    }

    /// The row of a state, in `after`.
    fn read(&mut self, state: &State) -> Result<(), Misfit> {
        if let Some(fields) = &self.fields {
            self.after.clear();
            self.after
                .extend(fields.iter().map(|field| field.read(state.words())));
            return Ok(());
        }
        let values: Vec<Value> = self
            .layout()
            .values(state)
            .map(|(_, value)| value)
            .collect();
        self.after = self.samples.encode_state(&values)?;
        Ok(())
    }

    fn take_start(&mut self, state: &State) -> Result<Added, Misfit> {
        self.read(state)?;
        std::mem::swap(&mut self.before, &mut self.after);
        self.samples.add_state(&self.before)
    }

    fn take_step(&mut self, event: &Event<'_>) -> Result<Added, Misfit> {
        self.read(event.post)?;
        let automaton = self.instance.model().automaton(self.automaton);
        let action = automaton.transitions[event.transition().index()].action;
        let params = self.params(&automaton.actions[action.index()], action, event.params())?;
        self.samples
            .add_step(action, &self.before, &self.after, &params)?;
        std::mem::swap(&mut self.before, &mut self.after);
        self.samples.add_state(&self.before)
    }

    fn params(
        &mut self,
        declared: &Action,
        action: ActionId,
        cells: &[Cell],
    ) -> Result<Vec<u64>, Misfit> {
        let packed: Option<Vec<u64>> = cells
            .iter()
            .map(|cell| match cell {
                Cell::Word(word) => Some(*word),
                _ => None,
            })
            .collect();
        if let Some(words) = packed {
            return Ok(words);
        }
        let decode = |(ty, cell): (&Type, &Cell)| {
            Shape::of(self.instance.model(), self.instance.universe(), ty).decode(cell)
        };
        let types = declared.params.iter().map(|(_, ty)| ty);
        let values: Vec<Value> = types.zip(cells).map(decode).collect();
        self.samples.encode_params(action, &values)
    }

    /// Keeps the first misfit and ends the run at it.
    fn note(&mut self, taken: Result<Added, Misfit>) -> ControlFlow<()> {
        match taken {
            Ok(_) => ControlFlow::Continue(()),
            Err(misfit) => {
                self.misfit.get_or_insert(misfit);
                ControlFlow::Break(())
            }
        }
    }
}

impl Observer for Collector<'_> {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        let taken = self.take_start(state);
        self.note(taken)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let taken = self.take_step(event);
        self.note(taken)
    }
}

/// Proposes invariants from the runs of some plans, which must all be of one automaton, and says in which instance these
/// were made.
///
/// # Errors
/// Why the runs cannot be made, or their states not be sampled.
pub fn propose(
    study: &Study,
    instances: &Instances<'_>,
    plans: &[Plan],
    seed: u64,
    host: &dyn Host,
) -> Result<(Arc<Instance>, Report), BadInput> {
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
    let instance = instances.of(automaton)?;
    let mut collector = Collector::new(&instance, automaton);
    let mut notes = Vec::new();
    for plan in plans {
        let plan = Plan {
            past_failures: true,
            ..*plan
        };
        let one = Interpreted::one(Arc::clone(&instance));
        let tally = runs::all(study, &one, plan, seed, host, &mut collector)?;
        if let Some(failure) = &tally.failure {
            let (name, words) = (tally.name(study), runs::words(&failure.ending));
            notes.push(format!("a run of {name} {words} (seed {})", failure.seed));
        }
    }
    let samples = collector
        .samples()
        .map_err(|m| BadInput::message(m.to_string()))?;
    let _progress = host.begins("proposing invariants", None);
    let mut report = invariants::detect(&samples, &Options::default());
    report.notes.extend(notes);
    Ok((instance, report))
}

/// The finding about a report's candidates, without the time that they took.
#[must_use]
pub fn finding(study: &Study, instance: &Instance, report: &Report) -> Finding {
    let scope = study.scope(instance);
    let verdict = match report.samples {
        // All runs may have ended before there was a state.
        0 => Verdict::Vacuous,
        _ => Verdict::Tested,
    };
    let subject = &*report.subject;
    let mut finding = Finding::new(Kind::Infer, "candidates", subject, verdict, scope);
    let redundant = report.count(|r| matches!(r, Reason::SameAs(_) | Reason::Implied));
    finding.figures = BTreeMap::from([
        ("samples", report.samples),
        ("distinct", report.rows),
        ("candidates", report.candidates.len() as u64),
        ("redundant", redundant as u64),
    ]);
    finding.summary = format!(
        "{} candidates from {} states ({} distinct); {} redundant ones folded",
        report.candidates.len(),
        count(report.samples),
        count(report.rows),
        count(redundant as u64)
    );
    for note in &report.notes {
        finding.summary.push_str(&format!("; {note}"));
    }
    finding.items = report.candidates.iter().map(item).collect();
    finding
}

fn item(candidate: &Candidate) -> Item {
    Item {
        name: candidate.name.clone(),
        text: candidate.formula.clone(),
        verdict: None,
        figures: BTreeMap::from([("situations", candidate.support)]),
        seconds: None,
        opinion: None,
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
