//! Optimal partial order reduction is held to the enumeration of all executions: it must take one for each order of
//! dependent steps, end where they end, and find what they find.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use explorer::{Counts, Dpor, Outcome, Question};
use interpreter::{
    Executor, Firing, Footprint, Found, FoundStep, Instance, Interrupt, Label, State,
    TransitionSystem, Watch,
};
use ioa_lang::core::AutomatonId;
use test_support::reference::{Orders, orders};

use crate::verdict::{Case, Seen, Unlike, refused};

/// More executions, or longer ones, are not enumerated.
const MOST: (u64, usize) = (4_000, 14);

/// More states are not visited.
const STATES: usize = 3_000;

/// What there is to find.
#[derive(Debug, Default, PartialEq, Eq)]
struct Facts {
    ends: BTreeSet<State>,
    broken: BTreeSet<usize>,
    is_at_fault: bool,
}

/// What the search is told of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "what judges many models tells the truth")]
pub(crate) enum Told {
    /// What is so.
    Truth,
    /// That no step writes anything.
    NoWrites,
    /// That nothing decides whether a step is enabled or a formula holds.
    NoWatches,
}

/// The interpreter, whose footprints may be made to lie.
struct Subject<'i> {
    executor: Executor<'i>,
    told: Told,
}

impl TransitionSystem for Subject<'_> {
    fn engine(&self) -> &'static str {
        "a subject"
    }

    fn automaton(&self) -> AutomatonId {
        self.executor.automaton()
    }

    fn each_start(&mut self, found: &mut Found<'_>) -> Result<ControlFlow<()>, Interrupt> {
        self.executor.each_start(found)
    }

    fn each_step(
        &mut self,
        state: &State,
        found: &mut FoundStep<'_>,
    ) -> Result<ControlFlow<()>, Interrupt> {
        self.executor.each_step(state, found)
    }

    fn successor(&mut self, state: &State, label: &Label) -> Result<Option<State>, Interrupt> {
        self.executor.successor(state, label)
    }

    fn footprint(&mut self, firing: &Firing) -> Footprint {
        let mut footprint = self.executor.footprint(firing);
        if self.told == Told::NoWrites {
            footprint.writes.clear();
        }
        footprint
    }
}

impl Case {
    /// What partial order reduction finds is what there is.
    pub(crate) fn against_all_executions(&self, told: Told) -> Result<BTreeSet<Seen>, Unlike> {
        let instance = Instance::new(self.model.clone(), self.universe.clone());
        let executor = Executor::new(&instance, self.automaton);
        let executor = executor.map_err(|errors| {
            let why: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            refused(&why.join("; "), "partial orders")
        })?;
        let mut subject = Subject { executor, told };
        let watches = self.watches(&instance);
        let visited = self.visited(&mut subject.executor)?;
        let shown = match told {
            Told::NoWatches => &[][..],
            Told::Truth | Told::NoWrites => &watches,
        };
        let (facts, counts) = self.reduced(&mut subject, shown)?;
        first_difference(&facts, &visited)?;
        if facts.is_at_fault {
            return Ok(BTreeSet::from([Seen::Fault]));
        }
        let expected = Self::enumerated(&mut subject, shown)?;
        if (counts.orders, counts.redundant) != (expected.orders, 0) {
            return Err(differs(
                "how many there are",
                format!("expected {}, found {counts:?}", expected.orders),
            ));
        }
        let mut seen = BTreeSet::from([Seen::Complete]);
        seen.extend((!facts.broken.is_empty()).then_some(Seen::Violation));
        seen.extend((expected.orders < expected.executions).then_some(Seen::Reduced));
        Ok(seen)
    }

    fn watches(&self, instance: &Instance) -> Vec<Watch> {
        let mut watches = Watch::of_clauses(instance.model().automaton(self.automaton));
        for invariant in self.invariants() {
            watches.extend(Watch::of_formula(&self.model.invariants[invariant].formula));
        }
        watches
    }

    fn invariants(&self) -> Vec<usize> {
        let stated = self.model.invariants.iter().enumerate();
        let ours = stated.filter(|(_, invariant)| invariant.automaton == self.automaton);
        ours.map(|(position, _)| position).collect()
    }

    fn broken(&self, executor: &mut Executor<'_>, state: &State) -> Vec<usize> {
        let mut broken = self.invariants();
        broken.retain(|position| !matches!(executor.holds(state, *position), Ok(true)));
        broken
    }

    /// All states, one after the other.
    fn visited(&self, executor: &mut Executor<'_>) -> Result<Facts, Unlike> {
        let mut facts = Facts::default();
        let Ok(mut open) = starts(executor) else {
            return Err(Unlike::Skipped("no start state".into()));
        };
        let mut visited: BTreeSet<State> = open.iter().cloned().collect();
        while let Some(state) = open.pop() {
            facts.broken.extend(self.broken(executor, &state));
            let Ok(next) = steps(executor, &state) else {
                facts.is_at_fault = true;
                continue;
            };
            if next.is_empty() {
                facts.ends.insert(state);
            }
            let next = next.into_iter().map(|(_, after)| after);
            open.extend(next.filter(|after| visited.insert(after.clone())));
            if visited.len() > STATES {
                return Err(Unlike::Skipped("too many states".into()));
            }
        }
        Ok(facts)
    }

    fn reduced(
        &self,
        subject: &mut Subject<'_>,
        watches: &[Watch],
    ) -> Result<(Facts, Counts), Unlike> {
        let check =
            |subject: &mut Subject<'_>, state: &State| self.broken(&mut subject.executor, state);
        let search = Dpor::new(subject, watches.to_vec(), None, check);
        let mut search = search.map_err(|_| Unlike::Skipped("no start state".into()))?;
        let mut facts = Facts::default();
        loop {
            match search.advance() {
                Outcome::Going => facts.ends.extend(search.end().cloned()),
                Outcome::Complete => break,
                Outcome::Fault => {
                    facts.is_at_fault = true;
                    break;
                }
                other => return Err(differs("the search breaks off", format!("{other:?}"))),
            }
            if search.counts().orders > MOST.0 {
                return Err(Unlike::Skipped("too many orders".into()));
            }
        }
        facts.broken = (search.found().iter())
            .filter_map(|found| match found.question {
                Question::Invariant(position) => Some(position),
                Question::Deadlock | Question::Fault => None,
            })
            .collect();
        Ok((facts, search.counts()))
    }

    /// All executions, one after the other.
    fn enumerated(subject: &mut Subject<'_>, watches: &[Watch]) -> Result<Orders<State>, Unlike> {
        let starts = starts(&mut subject.executor).unwrap_or_default();
        let starts: BTreeSet<State> = starts.into_iter().collect();
        let starts: Vec<State> = starts.into_iter().collect();
        let subject = RefCell::new(subject);
        let dependent = |one: &Label, other: &Label| {
            let mut subject = subject.borrow_mut();
            let (one, other) = (
                subject.footprint(&one.firing),
                subject.footprint(&other.firing),
            );
            let mut pairs =
                (one.writes.iter()).flat_map(|a| other.writes.iter().map(move |b| (a, b)));
            !one.is_independent_of(&other)
                || pairs.any(|(a, b)| watches.iter().any(|watch| watch.depends_on_both(a, b)))
        };
        let steps =
            |state: &State| steps(&mut subject.borrow_mut().executor, state).unwrap_or_default();
        orders(&starts, steps, dependent, MOST)
            .ok_or_else(|| Unlike::Skipped("too many executions".into()))
    }
}

fn differs(what: &str, shown: String) -> Unlike {
    Unlike::Differs {
        what: format!("partial orders: {what}"),
        shown,
    }
}

/// In what the facts that were found differ from those that are expected.
fn first_difference(found: &Facts, expected: &Facts) -> Result<(), Unlike> {
    let shown = || format!("expected {expected:?}\nfound {found:?}");
    if found.is_at_fault != expected.is_at_fault {
        return Err(differs("faults", shown()));
    }
    // At a fault the search ends.
    if found.is_at_fault || found == expected {
        return Ok(());
    }
    Err(differs(
        match found.ends == expected.ends {
            true => "violations",
            false => "where executions end",
        },
        shown(),
    ))
}

fn starts(executor: &mut Executor<'_>) -> Result<Vec<State>, Interrupt> {
    let starts = executor.starts()?.into_iter();
    Ok(starts.map(|start| start.state).collect())
}

fn steps(executor: &mut Executor<'_>, state: &State) -> Result<Vec<(Label, State)>, Interrupt> {
    let mut found = Vec::new();
    let _ = executor.each_step(state, &mut |firing, choices, after| {
        found.push((Label::of(firing, choices), after.clone()));
        ControlFlow::Continue(())
    })?;
    Ok(found)
}
