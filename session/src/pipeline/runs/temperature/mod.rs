//! How hot the monitors of an automaton get in its runs.
//!
//! The *temperature* of a monitor rises by one degree with each hot state, is zero again in a cold one, and stays as it is in
//! the others. An infinite execution is wrong if it rises without bound (Deligiannis and others, Uncovering Bugs in
//! Distributed Storage Systems during Testing (Not in Production!), FAST 2016, section 3.1). A run is finite, so some
//! temperature is taken for infinite: a heuristic, for a run that gets so hot may cool down later, or be unfair. A visit to
//! all states of an instance decides the property. Only a run that ends in a hot state where no step of the system itself changes
//! anything is wrong for certain: if no input comes, it stays there forever, and is fair.

mod findings;

use std::ops::ControlFlow;

use interpreter::run::{Ending, Event, Observer, Report};
use interpreter::{Executor, Instance, Interrupt, State, TransitionSystem};
use ioa_lang::core::{ActionKind, AutomatonId, Expr, Invariant, Liveness};

use super::failure::Failure;
use super::watching::watching;
use crate::pipeline::plan::Plan;
use crate::study::{BadInput, Study};

pub(super) use findings::findings;

/// What is asked of the runs of a plan.
pub(super) struct Asked {
    automaton: AutomatonId,
    /// The temperature that is taken for infinite. Without one, no temperature is measured: only the ends of runs are looked at.
    bound: Option<u64>,
    /// The positions of the monitors' properties in the model.
    properties: Vec<usize>,
    /// For each of them two formulas: which states are hot, and which are cold.
    formulas: Vec<Invariant>,
}

/// The temperatures in the runs of a plan.
#[derive(Debug)]
pub struct Temperatures {
    bound: Option<u64>,
    gauges: Vec<Gauge>,
}

/// The temperature of one monitor.
#[derive(Debug)]
struct Gauge {
    /// The position of its property in the model.
    property: usize,
    hottest: u64,
    /// The seed of the run in which it was so hot.
    seed: u64,
    /// The first run with which it finds something wrong.
    ended: Option<Ended>,
}

/// A run with which a monitor finds something wrong.
#[derive(Debug)]
struct Ended {
    why: Why,
    run: Failure,
}

/// Why a monitor ends a run, or what it finds wrong with the end of one.
#[derive(Clone, Debug)]
pub(super) enum Why {
    /// It is as hot as is taken for infinitely hot.
    TooHot,
    /// It has no temperature, for a formula has no value.
    Undefined(Interrupt),
    /// Nothing leads out of a state where it is hot, unless an input does, which need not come; whether anything is enabled.
    StaysHot { is_enabled: bool },
}

impl Asked {
    /// What a plan asks about its runs: temperatures, if it says which one is infinite, and else whether they end where a monitor
    /// is hot, if there is one.
    ///
    /// # Errors
    /// The automaton has no temperature, and the plan asks for it.
    pub(super) fn of(study: &Study, plan: &Plan) -> Result<Option<Self>, BadInput> {
        let automaton = plan.drive.automaton(study);
        let all = study.model.liveness.iter().enumerate();
        let monitors = all.filter_map(|(position, property)| {
            let is_about_runs = property.automaton == automaton && property.params.is_empty();
            let heat = property.formula.heat().filter(|_| is_about_runs)?;
            Some((position, property, heat))
        });
        let (mut properties, mut formulas) = (Vec::new(), Vec::new());
        for (position, property, (hot, cold)) in monitors {
            properties.push(position);
            formulas.extend([hot, cold].map(|formula| stated(property, formula)));
        }
        if properties.is_empty() && plan.temperature.is_none() {
            return Ok(None);
        }
        if properties.is_empty() {
            let name = &study.model.automaton(automaton).name;
            return Err(BadInput::message(format!(
                "{name} has no temperature: that is for a monitor with hot states (`monitor M of {name}`), or for an automaton with a \
                 property `(always eventually P) => (always eventually Q)`"
            )));
        }
        Ok(Some(Self {
            automaton,
            bound: plan.temperature,
            properties,
            formulas,
        }))
    }

    /// An instance that says where the formulas hold.
    pub(super) fn watching(&self, instance: &Instance) -> Instance {
        watching(instance, &self.formulas)
    }

    /// A thermometer for runs of an instance. It evaluates the formulas in `watching`, which [`Self::watching`] makes of that
    /// instance.
    ///
    /// # Errors
    /// Why the formulas cannot be evaluated at these sizes.
    pub(super) fn thermometer<'i>(
        &self,
        study: &Study,
        watching: &'i Instance,
    ) -> Result<Thermometer<'i>, BadInput> {
        let executor = Executor::new(watching, self.automaton);
        Ok(Thermometer {
            executor: executor.map_err(|diagnostics| study.refuse(diagnostics))?,
            automaton: self.automaton,
            bound: self.bound,
            readings: vec![Reading::default(); self.properties.len()],
            ended: None,
        })
    }

    /// The temperatures before the first run.
    pub(super) fn temperatures(&self) -> Temperatures {
        let gauge = |property: &usize| Gauge {
            property: *property,
            hottest: 0,
            seed: 0,
            ended: None,
        };
        Temperatures {
            bound: self.bound,
            gauges: self.properties.iter().map(gauge).collect(),
        }
    }
}

/// A formula of a property, as an invariant that holds where the formula does.
fn stated(property: &Liveness, formula: &Expr) -> Invariant {
    Invariant {
        name: property.name.clone(),
        automaton: property.automaton,
        locals: property.locals.clone(),
        formula: formula.clone(),
        uses: None,
        span: property.span,
    }
}

/// Measures the temperatures in a run, and ends it where one is taken for infinite.
pub(super) struct Thermometer<'i> {
    executor: Executor<'i>,
    automaton: AutomatonId,
    bound: Option<u64>,
    readings: Vec<Reading>,
    /// The monitor that has ended the run.
    ended: Option<(usize, Why)>,
}

#[derive(Clone, Copy, Default)]
struct Reading {
    now: u64,
    hottest: u64,
}

/// What a monitor says about a state. One that is hot and cold is cold.
#[derive(Clone, Copy)]
enum Heat {
    Hot,
    Cold,
    Neither,
}

/// What was measured in a run.
pub(super) struct Measured {
    /// How hot each monitor got.
    hottest: Vec<u64>,
    /// The monitor that finds something wrong with the run, and what it is.
    pub(super) found: Option<(usize, Why)>,
}

impl Measured {
    /// Whether a monitor finds something wrong with the run.
    pub(super) fn is_wrong(&self) -> bool {
        self.found.is_some()
    }
}

impl Thermometer<'_> {
    /// What was measured in the last run, which ended so.
    pub(super) fn measured(&mut self, report: &Report) -> Measured {
        let readings = self.readings.iter();
        Measured {
            hottest: readings.map(|reading| reading.hottest).collect(),
            found: self.judge(report),
        }
    }

    /// The monitor that finds something wrong with a run that ended so, and what it is.
    fn judge(&mut self, report: &Report) -> Option<(usize, Why)> {
        if self.ended.is_some() {
            return self.ended.clone();
        }
        let last = report.state.as_ref()?;
        match report.ending {
            Ending::Deadlock => self.stays_hot(last, false),
            Ending::NothingNew if self.may_stay(last) => self.stays_hot(last, true),
            _ => None,
        }
    }

    /// Whether an execution may stay in a state forever and be fair: no step that the automaton controls leads to another
    /// one.
    fn may_stay(&mut self, state: &State) -> bool {
        let declared = self.executor.instance().model().automaton(self.automaton);
        let all = self.executor.each_step(state, &mut |firing, _, after| {
            let is_input = declared.action_of(firing.transition).kind == ActionKind::Input;
            match is_input || after == state {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        matches!(all, Ok(ControlFlow::Continue(())))
    }

    /// The monitor that finds something wrong with staying in a state, and what it is.
    fn stays_hot(&mut self, state: &State, is_enabled: bool) -> Option<(usize, Why)> {
        (0..self.readings.len()).find_map(|monitor| match self.heat(monitor, state) {
            Ok(Heat::Hot) => Some((monitor, Why::StaysHot { is_enabled })),
            Ok(Heat::Cold | Heat::Neither) => None,
            Err(why) => Some((monitor, why)),
        })
    }

    fn note(&mut self, state: &State) -> ControlFlow<()> {
        let Some(bound) = self.bound else {
            return ControlFlow::Continue(());
        };
        for monitor in 0..self.readings.len() {
            if let Err(why) = self.read(monitor, state, bound) {
                self.ended = Some((monitor, why));
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn read(&mut self, monitor: usize, state: &State, bound: u64) -> Result<(), Why> {
        let heat = self.heat(monitor, state)?;
        let reading = &mut self.readings[monitor];
        match heat {
            Heat::Cold => reading.now = 0,
            Heat::Hot => reading.now += 1,
            Heat::Neither => {}
        }
        reading.hottest = reading.hottest.max(reading.now);
        match reading.now >= bound {
            true => Err(Why::TooHot),
            false => Ok(()),
        }
    }

    fn heat(&mut self, monitor: usize, state: &State) -> Result<Heat, Why> {
        let mut holds = |formula| {
            let holds = self.executor.holds(state, 2 * monitor + formula);
            holds.map_err(Why::Undefined)
        };
        let (is_hot, is_cold) = (holds(0)?, holds(1)?);
        Ok(match (is_hot, is_cold) {
            (_, true) => Heat::Cold,
            (true, false) => Heat::Hot,
            (false, false) => Heat::Neither,
        })
    }
}

impl Observer for Thermometer<'_> {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        self.readings.fill(Reading::default());
        self.ended = None;
        self.note(state)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        self.note(event.post)
    }
}

impl Temperatures {
    /// Adds what was measured in a run with a seed.
    pub(super) fn add(&mut self, measured: &Measured, seed: u64) {
        for (gauge, hottest) in self.gauges.iter_mut().zip(&measured.hottest) {
            if *hottest > gauge.hottest {
                (gauge.hottest, gauge.seed) = (*hottest, seed);
            }
        }
    }

    /// A run with which some monitor finds something wrong.
    pub(super) fn shown(&self) -> Option<&Failure> {
        let mut ended = self.gauges.iter().filter_map(|gauge| gauge.ended.as_ref());
        ended.next().map(|ended| &ended.run)
    }

    /// Keeps a run with which a monitor finds something wrong, if it is the first.
    pub(super) fn keep(&mut self, (monitor, why): (usize, Why), run: Failure) {
        let ended = &mut self.gauges[monitor].ended;
        ended.get_or_insert(Ended { why, run });
    }
}
