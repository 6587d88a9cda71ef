//! Optimal partial order reduction is held to the enumeration of all executions: it must take one for each order of
//! dependent steps, end where they end, and find what they find.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use explorer::{Counts, Dpor, Independence, Outcome, Question};
use interpreter::{
    Executor, Footprint, Found, FoundStep, Instance, Interrupt, Known, Label, State,
    TransitionSystem, Watch,
};
use ioa_lang::core::AutomatonId;
use session::pipeline::explore::{by_solver, watches};
use test_support::reference::{Orders, orders};

use crate::exactly::{Exactly, Reachable, Watched};
use crate::verdict::{Case, Seen, Unlike, refused};

/// More executions, or longer ones, are not enumerated.
const MOST: (u64, usize) = (4_000, 14);

/// More states are not visited.
const STATES: usize = 3_000;

/// What there is to find.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) ends: BTreeSet<State>,
    pub(crate) broken: BTreeSet<usize>,
    pub(crate) is_at_fault: bool,
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
pub(crate) struct Subject<'i> {
    pub(crate) executor: Executor<'i>,
    pub(crate) told: Told,
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

    fn footprint_of(&mut self, known: &Known) -> Footprint {
        let mut footprint = self.executor.footprint_of(known);
        if self.told == Told::NoWrites {
            footprint.writes.clear();
        }
        footprint
    }
}

/// More independence than footprints show, which both the search and the enumeration of executions ask for.
pub(crate) struct Shared<'o, 'k>(pub(crate) &'o RefCell<dyn Independence + 'k>);

impl Independence for Shared<'_, '_> {
    fn are_independent(&mut self, one: &Label, other: &Label) -> bool {
        self.0.borrow_mut().are_independent(one, other)
    }

    fn keeps(&mut self, label: &Label, watch: usize) -> bool {
        self.0.borrow_mut().keeps(label, watch)
    }
}

/// Nothing but what footprints show.
pub(crate) struct Nothing;

impl Independence for Nothing {
    fn are_independent(&mut self, _: &Label, _: &Label) -> bool {
        false
    }

    fn keeps(&mut self, _: &Label, _: usize) -> bool {
        false
    }
}

/// What the solver says.
struct Solver<'s>(Box<dyn Independence + 's>);

impl Independence for Solver<'_> {
    fn are_independent(&mut self, one: &Label, other: &Label) -> bool {
        self.0.are_independent(one, other)
    }

    fn keeps(&mut self, label: &Label, watch: usize) -> bool {
        self.0.keeps(label, watch)
    }
}

impl Case {
    /// What partial order reduction finds is what there is, whether only footprints say what is independent or all that is
    /// independent in the states that can be reached is known to be.
    pub(crate) fn against_all_executions(&self, told: Told) -> Result<BTreeSet<Seen>, Unlike> {
        let instance = Instance::new(self.model.clone(), self.universe.clone());
        let executor = Executor::new(&instance, self.automaton);
        let executor = executor.map_err(|errors| {
            let why: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            refused(&why.join("; "), "partial orders")
        })?;
        let mut subject = Subject { executor, told };
        let watches = self.watches(&instance);
        let (visited, steps) = self.visited(&mut subject.executor)?;
        let shown = match told {
            Told::NoWatches => &[][..],
            Told::Truth | Told::NoWrites => &watches,
        };
        let seen = self.is_reduced((&mut subject, shown), &visited, &RefCell::new(Nothing))?;
        if visited.is_at_fault || told != Told::Truth {
            return Ok(seen);
        }
        let watched = self.watched(&mut subject.executor, &steps);
        let exactly = RefCell::new(Exactly { steps, watched });
        let refined = self.is_reduced((&mut subject, shown), &visited, &exactly)?;
        Ok(seen.into_iter().chain(refined).collect())
    }

    /// What partial order reduction finds is what there is, if the solver says what is independent beside what footprints
    /// show.
    #[allow(dead_code, reason = "what judges many models does not ask the solver")]
    pub(crate) fn against_all_executions_by_solver(&self) -> Result<BTreeSet<Seen>, Unlike> {
        let instance = Instance::new(self.model.clone(), self.universe.clone());
        let Ok(executor) = Executor::new(&instance, self.automaton) else {
            return Err(Unlike::Skipped("cannot be run".into()));
        };
        let told = Told::Truth;
        let mut subject = Subject { executor, told };
        let (visited, _) = self.visited(&mut subject.executor)?;
        let goes_on = || false;
        let solver = by_solver(&instance, self.automaton, &self.invariants(), &goes_on);
        let solver = RefCell::new(Solver(solver.expect("a solver")));
        let watches = self.watches(&instance);
        self.is_reduced((&mut subject, &watches), &visited, &solver)
    }

    /// What partial order reduction finds is what there is, with some independence beside that of footprints.
    fn is_reduced(
        &self,
        (subject, watches): (&mut Subject<'_>, &[Watch]),
        visited: &Facts,
        independence: &RefCell<dyn Independence + '_>,
    ) -> Result<BTreeSet<Seen>, Unlike> {
        let (facts, counts) = self.reduced(subject, watches, independence)?;
        first_difference(&facts, visited)?;
        if facts.is_at_fault {
            return Ok(BTreeSet::from([Seen::Fault]));
        }
        let expected = Self::enumerated(subject, watches, independence)?;
        if (counts.orders, counts.redundant) != (expected.orders, 0) {
            return Err(differs(
                "how many there are",
                format!("expected {}, found {counts:?}", expected.orders),
            ));
        }
        let mut seen = BTreeSet::from([Seen::Complete]);
        seen.extend((!facts.broken.is_empty()).then_some(Seen::Violation));
        seen.extend((expected.orders < expected.executions).then_some(Seen::Reduced));
        seen.extend((counts.refined > 0).then_some(Seen::Refined));
        Ok(seen)
    }

    /// What each of the watches looks at.
    pub(crate) fn watched(&self, executor: &mut Executor<'_>, steps: &Reachable) -> Vec<Watched> {
        let clauses = self.model.automaton(self.automaton).transitions.len();
        let mut watched: Vec<Watched> = (0..clauses).map(Watched::Clause).collect();
        for invariant in self.invariants() {
            let conjuncts = self.model.invariants[invariant].formula.scoped_conjuncts();
            watched.extend(conjuncts.iter().map(|_| Watched::Unsaid));
            // What a state says of a formula, it says of its only conjunct without parameters.
            if let [(bound, _)] = &conjuncts[..]
                && bound.is_empty()
            {
                let broken = steps.keys();
                let broken =
                    broken.filter(|state| self.broken(executor, state).contains(&invariant));
                watched.pop();
                watched.push(Watched::Formula(broken.cloned().collect()));
            }
        }
        watched
    }

    pub(crate) fn watches(&self, instance: &Instance) -> Vec<Watch> {
        watches(instance, self.automaton, &self.invariants())
    }

    pub(crate) fn invariants(&self) -> Vec<usize> {
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
    pub(crate) fn visited(
        &self,
        executor: &mut Executor<'_>,
    ) -> Result<(Facts, Reachable), Unlike> {
        let (mut facts, mut all) = (Facts::default(), Reachable::new());
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
                facts.ends.insert(state.clone());
            }
            let after = next.iter().map(|(_, after)| after.clone());
            open.extend(after.filter(|after| visited.insert(after.clone())));
            all.insert(state, next.into_iter().collect());
            if visited.len() > STATES {
                return Err(Unlike::Skipped("too many states".into()));
            }
        }
        Ok((facts, all))
    }

    fn reduced(
        &self,
        subject: &mut Subject<'_>,
        watches: &[Watch],
        independence: &RefCell<dyn Independence + '_>,
    ) -> Result<(Facts, Counts), Unlike> {
        let check =
            |subject: &mut Subject<'_>, state: &State| self.broken(&mut subject.executor, state);
        let search = Dpor::new(subject, watches.to_vec(), None, check);
        let search = search.map_err(|_| Unlike::Skipped("no start state".into()))?;
        let mut search = search.refined_by(Box::new(Shared(independence)));
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
    fn enumerated(
        subject: &mut Subject<'_>,
        watches: &[Watch],
        independence: &RefCell<dyn Independence + '_>,
    ) -> Result<Orders<State>, Unlike> {
        let starts = starts(&mut subject.executor).unwrap_or_default();
        let starts: BTreeSet<State> = starts.into_iter().collect();
        let starts: Vec<State> = starts.into_iter().collect();
        let subject = RefCell::new(subject);
        let mut known: BTreeMap<(Label, Label), bool> = BTreeMap::new();
        let are_dependent = |one: &Label, other: &Label| {
            let [mine, theirs] = {
                let mut subject = subject.borrow_mut();
                [one, other].map(|label| subject.footprint(&label.firing))
            };
            let mut independence = independence.borrow_mut();
            let is_watched = |(_, watch): &(usize, &Watch)| {
                let pairs =
                    (mine.writes.iter()).flat_map(|a| theirs.writes.iter().map(move |b| (a, b)));
                pairs.into_iter().any(|(a, b)| watch.depends_on_both(a, b))
            };
            let mut watched = watches.iter().enumerate().filter(is_watched);
            watched.any(|(at, _)| {
                ![one, other]
                    .iter()
                    .all(|label| independence.keeps(label, at))
            }) || !mine.is_independent_of(&theirs) && !independence.are_independent(one, other)
        };
        let dependent = |one: &Label, other: &Label| {
            let pair = (one.clone(), other.clone());
            let pair = known.entry(pair);
            *pair.or_insert_with(|| are_dependent(one, other))
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

pub(crate) fn steps(
    executor: &mut Executor<'_>,
    state: &State,
) -> Result<Vec<(Label, State)>, Interrupt> {
    let mut found = Vec::new();
    let _ = executor.each_step(state, &mut |firing, choices, after| {
        found.push((Label::of(firing, choices), after.clone()));
        ControlFlow::Continue(())
    })?;
    Ok(found)
}
