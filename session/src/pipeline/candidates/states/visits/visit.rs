//! Visits of small instances: which states are reached there, and which refute candidates.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use explorer::symmetry::{Orbits, Symmetry};
use explorer::{Bounds, Question, Represented, Search, Status, Within};
use finite::{Ranges, Universe};
use interpreter::run::Coverage;
use interpreter::{Executor, FaultKind, Instance, Interrupt, Layout, Rows, State, States};
use ioa_lang::Diagnostic;
use ioa_lang::core::{Automaton, AutomatonId, Invariant, Model};

use super::bounds::{Bound, bounded};
use crate::host::Host;
use crate::pipeline::candidates::Work;
use crate::pipeline::explore::{FirstRanges, Numbering, Steps, TimeLimit, steps};
use crate::study::Study;

/// How far a visit goes.
#[derive(Clone, Copy, Debug)]
pub(in crate::pipeline::candidates::states) struct Reach {
    pub(in crate::pipeline::candidates::states) states: u64,
    pub(in crate::pipeline::candidates::states) seconds: f64,
    pub(in crate::pipeline::candidates::states) memory: u64,
}

/// What a visit came to.
#[derive(Debug, Default)]
pub(in crate::pipeline::candidates::states) struct Visit {
    /// Whether all reachable states were visited.
    pub(in crate::pipeline::candidates::states) is_complete: bool,
    /// Whether the executions leave the bounds that were given: no steps were taken from some states.
    pub(in crate::pipeline::candidates::states) is_left: bool,
    /// Whether machine code took the steps and tested the candidates.
    pub(in crate::pipeline::candidates::states) is_native: bool,
    pub(in crate::pipeline::candidates::states) distinct: u64,
    /// For how many states these stand.
    pub(in crate::pipeline::candidates::states) all: u64,
    /// The states that were asked for.
    pub(in crate::pipeline::candidates::states) states: States,
    /// Whether the state is among them that was asked about.
    #[cfg_attr(
        not(feature = "smt"),
        expect(dead_code, reason = "only proofs ask about one state")
    )]
    pub(in crate::pipeline::candidates::states) is_found: bool,
    /// Other reached states that what is learnt should exclude: the dead ones, where the question is what tells these apart.
    pub(in crate::pipeline::candidates::states) dead: States,
    /// The candidates that are false in some state, each with such states.
    pub(in crate::pipeline::candidates::states) refuted: Vec<(usize, State)>,
}

/// The model without what a search of one automaton does not need.
pub(in crate::pipeline::candidates::states) fn bare(
    model: &Model,
    automaton: AutomatonId,
) -> Model {
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
pub(in crate::pipeline::candidates::states) fn without_steps(automaton: &mut Automaton) {
    automaton.actions.clear();
    automaton.transitions.clear();
    automaton.tasks.clear();
}

/// What is asked of a visit.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::pipeline::candidates::states) struct Asked<'a> {
    /// Invariants that are tested.
    pub(in crate::pipeline::candidates::states) candidates: &'a [Invariant],
    /// So many of the states are wanted at most, evenly chosen.
    pub(in crate::pipeline::candidates::states) states: usize,
    /// A state about which it is asked whether it is reached.
    pub(in crate::pipeline::candidates::states) sought: Option<&'a State>,
    /// No steps are taken from states with larger numbers, or longer collections.
    pub(in crate::pipeline::candidates::states) bound: Option<Bound>,
    /// Whether this is a last look, in which one state may stand for all that differ from it in the names of interchangeable elements.
    pub(in crate::pipeline::candidates::states) is_last: bool,
}

/// Candidates are not tested farther from the start than this. Where few states are at each distance, as where a counter only grows,
/// going from one distance to the next takes longer than visiting the states.
const DEEP: usize = 5_000;

/// To visit states is about as much work as to test so many candidates on them.
pub(in crate::pipeline::candidates::states) const LIKE_A_VISIT: u64 = 10;

/// So many states are visited at most: with representatives these are more, so that they are worthwhile even where tests take so many
/// times as long.
const DEEPER: f64 = 2.0;

/// Where candidates are tested by the interpreter, which takes longer, so many times fewer states are visited.
const INTERPRETED: u64 = 8;

/// Where states do not fit in words, collections take up to so many times what is counted of them: most of their nodes have room for many
/// elements, and hold few.
const SPARSE: u64 = 4;

/// Ranges of integers by the bounds that executions are kept within; none where integers are not packed.
pub(in crate::pipeline::candidates::states) type Widened = BTreeMap<Option<Bound>, Option<Ranges>>;

/// Where states are visited, and by what means.
pub(in crate::pipeline::candidates::states) struct Visitor<'v> {
    pub(in crate::pipeline::candidates::states) study: &'v Study,
    /// The model without what a search does not need.
    pub(in crate::pipeline::candidates::states) bare: &'v Model,
    /// Whether it has few of the steps that the automaton has.
    pub(in crate::pipeline::candidates::states) is_partial: bool,
    pub(in crate::pipeline::candidates::states) automaton: AutomatonId,
    pub(in crate::pipeline::candidates::states) threads: usize,
    pub(in crate::pipeline::candidates::states) host: &'v dyn Host,
    /// The ranges by which integers are packed at first.
    pub(in crate::pipeline::candidates::states) first_ranges: &'v FirstRanges,
    /// The ranges for each bound: visits in which they were too narrow have made them wider.
    pub(in crate::pipeline::candidates::states) ranges: &'v RefCell<Widened>,
    /// What their steps exercise is added to this.
    pub(in crate::pipeline::candidates::states) coverage: &'v RefCell<Coverage>,
    /// What is done is added to this.
    pub(in crate::pipeline::candidates::states) work: &'v Work,
}

impl Visitor<'_> {
    /// Visits the states of an instance, testing candidates on them.
    ///
    /// # Errors
    /// Why that cannot be done.
    pub(in crate::pipeline::candidates::states) fn visit(
        &self,
        universe: &Universe,
        asked: Asked<'_>,
        reach: Reach,
    ) -> Result<Visit, String> {
        let mut model = self.bare.clone();
        model.invariants = asked.candidates.to_vec();
        let within = asked.bound;
        let within = within.and_then(|bound| bounded(&model, self.automaton, bound));
        model.invariants.extend(within);
        let plain = Instance::new(Arc::new(model), universe.clone());
        self.in_ranges((&plain, true), asked.bound, |packed| {
            self.attempt((&plain, packed), asked, reach)
        })
    }

    /// What comes of the same instance with ranges for its integers, and with dictionaries for elements of sets if these may be used, in
    /// executions that are kept within a bound: where an integer outgrows its range, or a dictionary is full, all is done again.
    pub(super) fn in_ranges<T>(
        &self,
        (plain, may_number): (&Instance, bool),
        bound: Option<Bound>,
        attempt: impl Fn(&Instance) -> T,
    ) -> T {
        let mut ranges = self.ranges_within(plain, bound);
        let automata = [self.automaton];
        let mut numbering = Numbering::new(plain, &automata, may_number);
        loop {
            ranges = numbering.add(ranges);
            let packed = plain.in_ranges(ranges.clone());
            let found = attempt(&packed);
            if packed.range_overflows().is_empty() {
                return found;
            }
            ranges = ranges.and_then(|ranges| packed.range_overflows().widen(&ranges));
            // In other instances, elements have other codes.
            let kept = ranges.clone().map(|ranges| ranges.with_dictionaries([]));
            self.ranges.borrow_mut().insert(bound, kept);
        }
    }

    /// The ranges by which integers are packed in executions that are kept within a bound. Those of earlier visits are kept.
    fn ranges_within(&self, plain: &Instance, bound: Option<Bound>) -> Option<Ranges> {
        let known = self.ranges.borrow();
        match known.get(&bound) {
            Some(known) => known.clone(),
            None => self.first_ranges.at(plain).cloned(),
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
        let executor = Executor::new(packed, self.automaton).map_err(words)?;
        let mut executor = executor.meeting_all();
        executor.check_enumerable().map_err(words)?;
        let symmetry = self.symmetry(packed, asked);
        let (workers, is_native) = self.workers((packed, &rows), &symmetry, asked)?;
        let states = match is_native || asked.candidates.is_empty() {
            true => reach.states,
            false => reach.states / INTERPRETED,
        };
        let bounds = Bounds {
            depth: (!asked.candidates.is_empty()).then_some(DEEP),
            states: Some(states),
            memory: match packed.layout(self.automaton).is_packed() {
                true => reach.memory,
                false => reach.memory / SPARSE,
            },
        };
        let mut search = Search::begin(workers, bounds);
        let limit = TimeLimit::new(packed.cancel(), Some(reach.seconds), self.host);
        let stands_for = |row: &mut [u64]| {
            if let Some(symmetry) = &symmetry {
                symmetry.canonicalise(row);
            }
        };
        let mut status = match search.start(&mut executor, &rows, &stands_for) {
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
        let is_left = self.leaves((&search, status), (packed, &rows), asked)?;
        let fired = Coverage::of_clauses(search.fired());
        self.coverage.borrow_mut().add(&fired);
        let layouts = (packed.layout(self.automaton), plain.layout(self.automaton));
        let visited = (search.distinct(), search.fired().iter().sum());
        let candidates = asked.candidates.len();
        match asked.is_last && is_native {
            true => self.work.tested(visited, candidates),
            false => {
                let counted = self.work.visited(visited, candidates, is_native);
                self.work.looped(search.turns(), counted);
            }
        }
        let mut found = summed_up((&search, status), &rows, layouts, asked);
        if let Some(symmetry) = symmetry {
            self.work.renamed(visited.1, symmetry.is_sorting());
            let all = symmetry.represented(search.states());
            found.all = u64::try_from(all).unwrap_or(u64::MAX);
        }
        Ok(Visit {
            is_complete: found.is_complete && !self.is_partial,
            is_left,
            is_native,
            ..found
        })
    }

    /// For how many states of an instance one of them may stand at most in a last look.
    pub(in crate::pipeline::candidates::states) fn renamings(&self, universe: &Universe) -> u64 {
        let instance = Instance::new(Arc::new(self.bare.clone()), universe.clone());
        let order = Symmetry::of(&instance, self.automaton, &[]).order();
        u64::try_from(order).unwrap_or(u64::MAX)
    }

    /// By what symmetry states stand for others, if they may and each may stand for many.
    fn symmetry(&self, instance: &Instance, asked: Asked<'_>) -> Option<Arc<Symmetry>> {
        let positions: Vec<usize> = (0..instance.model().invariants.len()).collect();
        let symmetry = || Symmetry::of(instance, self.automaton, &positions);
        let symmetry = asked.is_last.then(symmetry)?;
        symmetry
            .can_pay(DEEPER * asked.candidates.len() as f64 / LIKE_A_VISIT as f64)
            .then(|| Arc::new(symmetry))
    }

    /// Whether some of the states of a search that has visited all are outside the bounds that were given.
    fn leaves<'i>(
        &self,
        (search, status): (&Search<Steps<'i>>, Status),
        (instance, rows): (&'i Instance, &Rows<'i>),
        asked: Asked<'_>,
    ) -> Result<bool, String> {
        if asked.bound.is_none() || status != Status::Complete {
            return Ok(false);
        }
        let positions: Vec<usize> = (0..instance.model().invariants.len()).collect();
        let made = steps(
            (self.study, instance),
            self.automaton,
            &positions,
            rows,
            true,
        );
        let (steps, _) = made.map_err(words)?;
        let mut within = Within::new(steps, asked.candidates.len());
        Ok(search.states().any(|row| !within.outside(&row).is_empty()))
    }

    /// Steps for each thread, with the tests of what is asked; and whether all of this is machine code.
    pub(super) fn workers<'i>(
        &self,
        (instance, rows): (&'i Instance, &Rows<'i>),
        symmetry: &Option<Arc<Symmetry>>,
        asked: Asked<'_>,
    ) -> Result<(Vec<Steps<'i>>, bool), String> {
        let mut is_native = cfg!(feature = "native");
        let candidates = asked.candidates.len();
        let positions: Vec<usize> = (0..instance.model().invariants.len()).collect();
        let each = (0..self.threads.max(1)).map(|_| {
            let about = (self.study, instance);
            let made = steps(about, self.automaton, &positions, rows, true);
            let (steps, interpreted) = made.map_err(words)?;
            is_native &= interpreted.is_empty();
            let steps = match symmetry {
                Some(symmetry) => {
                    let orbits = Orbits::of(Arc::clone(symmetry));
                    Box::new(Represented::new(steps, orbits)) as Steps<'_>
                }
                None => steps,
            };
            Ok(match asked.bound {
                Some(_) => Box::new(Within::new(steps, candidates)) as Steps<'_>,
                None => steps,
            })
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
    let states: States = match asked.states {
        0 => States::new(),
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
        is_left: false,
        is_native: false,
        distinct,
        all: distinct,
        refuted: refuted.collect(),
        states,
        is_found,
        dead: States::new(),
    }
}

/// Diagnostics in a line.
pub(in crate::pipeline::candidates::states) fn words(diagnostics: Vec<Diagnostic>) -> String {
    let messages: Vec<String> = diagnostics.into_iter().map(|d| d.message).collect();
    messages.join("; ")
}
