//! Visits of small instances: which states are reached there, and which refute candidates.

use std::cell::RefCell;
use std::sync::Arc;

use explorer::{Bounds, Question, Search, Status};
use finite::{Ranges, Universe};
use interpreter::{Executor, FaultKind, Instance, Interrupt, Layout, Rows, State};
use ioa_lang::Diagnostic;
use ioa_lang::core::{Automaton, AutomatonId, Invariant, Model};

use crate::host::Host;
use crate::pipeline::candidates::Work;
use crate::pipeline::explore::{Steps, TimeLimit, steps};
use crate::study::Study;

/// How far a visit goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) states: u64,
    pub(super) seconds: f64,
    pub(super) memory: u64,
}

/// What a visit came to.
#[derive(Debug, Default)]
pub(super) struct Visit {
    /// Whether all reachable states were visited.
    pub(super) is_complete: bool,
    pub(super) distinct: u64,
    /// The states that were asked for.
    pub(super) states: Vec<State>,
    /// Whether the state is among them that was asked about.
    #[cfg_attr(
        not(feature = "smt"),
        expect(dead_code, reason = "only proofs ask about one state")
    )]
    pub(super) is_found: bool,
    /// Other reached states that what is learnt should exclude: the dead ones, where the question is what tells these apart.
    pub(super) dead: Vec<State>,
    /// The candidates that are false in some state, each with such states.
    pub(super) refuted: Vec<(usize, State)>,
}

/// The model without what a search of one automaton does not need.
pub(super) fn bare(model: &Model, automaton: AutomatonId) -> Model {
    let mut model = model.clone();
    for (at, other) in model.automata.iter_mut().enumerate() {
        if at != automaton.index() {
            without_steps(other);
        }
    }
    model.invariants.clear();
    model.schedules.clear();
    model.simulations.clear();
    model.liveness.clear();
    model
}

/// Leaves the state of an automaton, and nothing that happens.
pub(super) fn without_steps(automaton: &mut Automaton) {
    automaton.actions.clear();
    automaton.transitions.clear();
    automaton.tasks.clear();
}

/// What is asked of a visit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked<'a> {
    /// Invariants that are tested.
    pub(super) candidates: &'a [Invariant],
    /// So many of the states are wanted at most, evenly chosen.
    pub(super) states: usize,
    /// A state about which it is asked whether it is reached.
    pub(super) sought: Option<&'a State>,
}

/// Where states are visited, and by what means.
pub(super) struct Visitor<'v> {
    pub(super) study: &'v Study,
    /// The model without what a search does not need.
    pub(super) bare: &'v Model,
    pub(super) automaton: AutomatonId,
    pub(super) threads: usize,
    pub(super) host: &'v dyn Host,
    /// The ranges by which integers are packed; visits in which they were too narrow have made them wider.
    pub(super) ranges: &'v RefCell<Option<Ranges>>,
    /// What is done is added to this.
    pub(super) work: &'v Work,
}

impl Visitor<'_> {
    /// Visits the states of an instance, testing candidates on them.
    ///
    /// # Errors
    /// Why that cannot be done.
    pub(super) fn visit(
        &self,
        universe: &Universe,
        asked: Asked<'_>,
        reach: Reach,
    ) -> Result<Visit, String> {
        let mut model = self.bare.clone();
        model.invariants = asked.candidates.to_vec();
        let plain = Instance::new(Arc::new(model), universe.clone());
        loop {
            let ranges = self.ranges.borrow().clone();
            let universe = universe.clone().with_ranges(ranges.clone());
            let packed = Instance::new(Arc::clone(plain.model()), universe);
            let found = self.attempt((&plain, &packed), asked, reach);
            if packed.range_overflows().is_empty() {
                return found;
            }
            let wider = ranges.and_then(|ranges| packed.range_overflows().widen(&ranges));
            self.ranges.replace(wider);
        }
    }

    /// Visits the states of an instance whose integers may outgrow their ranges: then what comes of it means nothing.
    fn attempt(
        &self,
        (plain, packed): (&Instance, &Instance),
        asked: Asked<'_>,
        reach: Reach,
    ) -> Result<Visit, String> {
        let rows = Rows::new(packed, self.automaton);
        let mut executor = Executor::new(packed, self.automaton).map_err(words)?;
        executor.check_enumerable().map_err(words)?;
        let bounds = Bounds {
            depth: None,
            states: Some(reach.states),
            memory: reach.memory,
        };
        let (workers, is_native) = self.workers(packed, &rows, asked.candidates.len())?;
        let mut search = Search::begin(workers, bounds);
        let limit = TimeLimit::new(packed.cancel(), Some(reach.seconds), self.host);
        let mut status = match search.start(&mut executor, &rows, &|_| {}) {
            Ok(status) => status,
            Err(Interrupt::Fault(fault)) if fault.kind == FaultKind::NoStart => {
                return Ok(Visit {
                    is_complete: true,
                    ..Visit::default()
                });
            }
            Err(_) => return Err("its start states cannot be listed".into()),
        };
        while status == Status::Going && packed.range_overflows().is_empty() {
            status = search.advance();
        }
        drop(limit);
        if !packed.range_overflows().is_empty() {
            return Ok(Visit::default());
        }
        let layouts = (packed.layout(self.automaton), plain.layout(self.automaton));
        let visited = (search.distinct(), search.fired().iter().sum());
        self.work
            .visited(visited, asked.candidates.len(), is_native);
        Ok(summed_up((&search, status), &rows, layouts, asked))
    }

    /// Steps for each thread, with the tests of so many candidates; and whether all of this is machine code.
    fn workers<'i>(
        &self,
        instance: &'i Instance,
        rows: &Rows<'i>,
        candidates: usize,
    ) -> Result<(Vec<Steps<'i>>, bool), String> {
        let mut is_native = cfg!(feature = "native");
        let positions: Vec<usize> = (0..candidates).collect();
        let each = (0..self.threads.max(1)).map(|_| {
            let about = (self.study, instance);
            let made = steps(about, self.automaton, &positions, rows, true);
            let (steps, interpreted) = made.map_err(words)?;
            is_native &= interpreted.is_empty();
            Ok(steps)
        });
        let workers = each.collect::<Result<_, String>>()?;
        Ok((workers, is_native))
    }
}

/// What a search comes to, with its states as they are where integers have no ranges.
fn summed_up(
    (search, status): (&Search<Steps<'_>>, Status),
    rows: &Rows<'_>,
    (packed, plain): (&Layout, &Layout),
    asked: Asked<'_>,
) -> Visit {
    let findings = search.findings();
    let is_sound = findings.iter().all(|f| f.question != Question::Fault);
    let unpacked = |row: &[u64]| packed.translated(&rows.state(row), plain).ok();
    let refuted = findings
        .iter()
        .filter_map(|finding| match finding.question {
            Question::Invariant(at) => Some((at, unpacked(&finding.state)?)),
            _ => None,
        });
    let distinct = search.distinct();
    let step = distinct.div_ceil(asked.states.max(1) as u64).max(1);
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    let states: Vec<State> = match asked.states {
        0 => Vec::new(),
        _ => search
            .states()
            .step_by(step)
            .filter_map(|row| unpacked(&row))
            .collect(),
    };
    let is_found = asked.sought.is_some_and(|sought| {
        // What does not fit the ranges is none of the states, which all do.
        plain.translated(sought, packed).is_ok_and(|sought| {
            let mut row = Vec::new();
            rows.push(&sought, &mut row);
            search.states().any(|state| state == row)
        })
    });
    Visit {
        is_complete: status == Status::Complete && is_sound,
        distinct,
        refuted: refuted.collect(),
        states,
        is_found,
        dead: Vec::new(),
    }
}

/// Diagnostics in a line.
pub(super) fn words(diagnostics: Vec<Diagnostic>) -> String {
    let messages: Vec<String> = diagnostics.into_iter().map(|d| d.message).collect();
    messages.join("; ")
}
