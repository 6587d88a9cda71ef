//! Partial order reduction of a search that keeps states is held to a visit to all states: it must find the same deadlocks, the
//! same formulas broken, and a step without a result where there is one.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use explorer::{Bounds, Independence, Question, Reduced, Relation, Search, Status};
use interpreter::{Executor, Guards, Instance, Interpreted, Rows, State};

use crate::exactly::Exactly;
use crate::orders::{Facts, Nothing, Shared, Subject, Told};
use crate::verdict::{Case, Seen, Unlike};

/// Models with more states are not judged.
const MOST: u64 = 300;

/// In models with more states, it is not tried of all labels whether they are independent.
const FEW: u64 = 40;

impl Case {
    /// Whether there is a state to begin with.
    pub(crate) fn starts(&self) -> bool {
        let instance = Instance::new(self.model.clone(), self.universe.clone());
        Executor::new(&instance, self.automaton).is_ok_and(|mut executor| executor.starts().is_ok())
    }

    /// What a reduced search finds is what there is, whether only footprints say what is independent or all that is independent in
    /// the states that can be reached is known to be.
    pub(crate) fn against_all_states(&self, told: Told) -> Result<BTreeSet<Seen>, Unlike> {
        let instance = Instance::new(self.model.clone(), self.universe.clone());
        let executor = Executor::new(&instance, self.automaton);
        let executor = executor.map_err(|_| Unlike::Skipped("cannot be run".into()))?;
        let mut subject = Subject { executor, told };
        let (visited, steps) = self.visited(&mut subject.executor)?;
        let all = steps.len() as u64;
        if all > MOST {
            return Err(Unlike::Skipped("many states".into()));
        }
        let nothing: RefCell<Nothing> = RefCell::new(Nothing);
        let mut seen = self.is_kept(&instance, (&mut subject, &nothing), (&visited, all))?;
        if visited.is_at_fault || told != Told::Truth || all > FEW {
            return Ok(seen);
        }
        let watched = self.watched(&mut subject.executor, &steps);
        let exactly = RefCell::new(Exactly { steps, watched });
        seen.extend(self.is_kept(&instance, (&mut subject, &exactly), (&visited, all))?);
        Ok(seen)
    }

    fn is_kept(
        &self,
        instance: &Instance,
        (subject, independence): (&mut Subject<'_>, &RefCell<dyn Independence + '_>),
        (visited, all): (&Facts, u64),
    ) -> Result<BTreeSet<Seen>, Unlike> {
        let (found, states) = self.found_by_some(instance, subject, independence)?;
        let differs = |what: &str| {
            Err(Unlike::Differs {
                what: format!("reduced searches: {what}"),
                shown: format!("expected {visited:?}\nfound    {found:?}"),
            })
        };
        if found.is_at_fault != visited.is_at_fault {
            return differs("faults");
        }
        if found.is_at_fault {
            return Ok(BTreeSet::from([Seen::Fault]));
        }
        if found.ends != visited.ends {
            return differs("where executions end");
        }
        if found.broken != visited.broken {
            return differs("violations");
        }
        let mut seen = BTreeSet::from([Seen::Complete]);
        seen.extend((!found.broken.is_empty()).then_some(Seen::Violation));
        seen.extend((!found.ends.is_empty()).then_some(Seen::Deadlock));
        seen.extend((states < all).then_some(Seen::Reduced));
        Ok(seen)
    }

    /// What a reduced search finds, and how many states it visits.
    fn found_by_some(
        &self,
        instance: &Instance,
        subject: &mut Subject<'_>,
        independence: &RefCell<dyn Independence + '_>,
    ) -> Result<(Facts, u64), Unlike> {
        let (automaton, told) = (self.automaton, subject.told);
        let invariants = self.invariants();
        let watches = self.watches(instance);
        let clauses = self.model.automaton(automaton).transitions.len();
        let shown = match told {
            Told::NoWatches => &watches[..clauses],
            _ => &watches,
        };
        let independence: Box<dyn Independence + '_> = Box::new(Shared(independence));
        let relation = Relation::of(
            self.model.automaton(automaton),
            subject,
            &mut Guards::new(instance, automaton),
            (shown, Some(independence)),
        );
        let rows = Rows::new(instance, automaton);
        let steps = Interpreted::new(instance, automaton, &invariants, rows.clone());
        let steps = steps.map_err(|_| Unlike::Skipped("cannot be enumerated".into()))?;
        let labelled = Executor::new(instance, automaton).expect("it could be run before");
        let known = (rows.clone(), Guards::new(instance, automaton));
        let reduced = Reduced::new(steps, Box::new(labelled), known, Arc::new(relation));
        let mut starts = Vec::new();
        let found = subject.executor.starts();
        let found = found.map_err(|_| Unlike::Skipped("no start state".into()))?;
        found
            .iter()
            .for_each(|start| rows.push(&start.state, &mut starts));
        let bounds = Bounds {
            depth: None,
            states: None,
            memory: 1 << 30,
        };
        let mut search = Search::new(vec![reduced], &starts, bounds);
        while search.advance() == Status::Going {}
        let mut facts = Facts::default();
        for row in search.states() {
            let state = rows.state(&row);
            if self.is_end(&mut subject.executor, &state) {
                facts.ends.insert(state);
            }
        }
        for finding in search.findings() {
            match finding.question {
                Question::Invariant(position) => {
                    facts.broken.insert(invariants[position]);
                }
                Question::Fault => facts.is_at_fault = true,
                Question::Deadlock => {}
            }
        }
        Ok((facts, search.distinct()))
    }

    /// Whether no step leads on from a state, and none is without a result.
    fn is_end(&self, executor: &mut Executor<'_>, state: &State) -> bool {
        crate::orders::steps(executor, state).is_ok_and(|steps| steps.is_empty())
    }
}
