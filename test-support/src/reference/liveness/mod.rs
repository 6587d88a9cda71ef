//! Liveness by enumeration of all cycles, with what is observed on each.
//!
//! A lasso consists of a path to a state and a closed walk from it. Whether it is fair, and whether it satisfies a formula,
//! depends only on which facts were true and which were false on the walk, which tasks were enabled, disabled and taken on
//! it, and which promises were open when it began. So all walks are enumerated, the shorter ones first, and of the walks
//! between two states with the same observations, one is kept.

mod walks;

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Connective, Fairness, Liveness, Local, LocalId, Temporal, Type};

use self::walks::{Class, Reachable, Seen, arrivals, closed_walks, has, is_fair, promises};
use super::{Fault, Scope, Stop, World};

/// The facts about a liveness property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lassos {
    /// The number of reachable states.
    pub states: usize,
    /// The number of steps of the shortest fair lasso that violates the property, if there is one.
    pub shortest: Option<usize>,
    /// The least number of steps to a state from which none can be reached where the property's first formula is true, if
    /// there is one and the property has no parameters.
    pub dead: Option<usize>,
    /// From how far away such a state can be reached at most, in steps.
    pub farthest: usize,
    /// Whether a formula of the property has no value in some state; then lassos are not examined.
    pub undefined: bool,
    /// The faults of start states and steps; if there are any, nothing else is computed.
    pub faults: BTreeSet<Fault>,
}

impl World<'_> {
    /// Computes the facts about a liveness property of an automaton with at most `most` states.
    ///
    /// # Errors
    /// Why this reference implementation cannot decide.
    pub fn lassos(&self, property: &Liveness, most: usize) -> Result<Lassos, String> {
        let mut found = Lassos::default();
        let looked = self.look_for_lassos(property, most, &mut found);
        looked.map_err(|stop| stop.to_string())?;
        Ok(found)
    }

    fn look_for_lassos(
        &self,
        property: &Liveness,
        most: usize,
        found: &mut Lassos,
    ) -> Result<(), Stop> {
        let classes = self.classes(property.automaton)?;
        let reachable = self.reach(property.automaton, &classes, most, &mut found.faults)?;
        found.states = reachable.states.len();
        if !found.faults.is_empty() {
            return Ok(());
        }
        for bound in self.valuations(&property.locals, &property.params)? {
            let Some(facts) = self.facts(property, &bound, &reachable)? else {
                found.undefined = true;
                return Ok(());
            };
            let shortest = shortest(&property.formula, &facts, &reachable, &classes)?;
            if property.params.is_empty() {
                (found.dead, found.farthest) = possible(&facts, &reachable);
            }
            found.shortest = found.shortest.into_iter().chain(shortest).min();
        }
        Ok(())
    }

    fn classes(&self, automaton: AutomatonId) -> Result<Vec<Class>, Stop> {
        let mut classes = Vec::new();
        for task in &self.automaton(automaton).tasks {
            let places: Vec<LocalId> = (0..task.locals.len()).map(LocalId::at).collect();
            for bound in self.valuations(&task.locals, &places)? {
                let mut actions = Vec::new();
                for (action, args) in &task.actions {
                    let mut scope = Scope::new(&task.locals, &[]);
                    scope.bound.clone_from(&bound);
                    let args = args.iter().map(|arg| self.value(arg, &mut scope));
                    actions.push((*action, args.collect::<Result<Vec<Value>, Stop>>()?));
                }
                classes.push((task.fairness == Fairness::Strong, actions));
            }
        }
        match classes.len() <= 64 {
            true => Ok(classes),
            false => Err(Stop::Beyond("too many tasks".into())),
        }
    }

    /// All values of some bound variables.
    fn valuations(
        &self,
        locals: &[Local],
        places: &[LocalId],
    ) -> Result<Vec<Vec<Option<Value>>>, Stop> {
        let types: Vec<&Type> = places.iter().map(|p| &locals[p.index()].ty).collect();
        let lists = self.lists(&types)?.into_iter();
        let bound = lists.map(|values| {
            let mut bound = vec![None; locals.len()];
            for (place, value) in places.iter().zip(values) {
                bound[place.index()] = Some(value);
            }
            bound
        });
        Ok(bound.collect())
    }

    fn reach(
        &self,
        automaton: AutomatonId,
        classes: &[Class],
        most: usize,
        faults: &mut BTreeSet<Fault>,
    ) -> Result<Reachable, Stop> {
        let started = self.started(automaton)?;
        faults.extend(started.faults);
        let mut reachable = Reachable::default();
        let mut numbers = BTreeMap::new();
        for start in started.states {
            let number = reachable.number(start, &mut numbers);
            reachable.starts.push(number);
        }
        while reachable.steps.len() < reachable.states.len() {
            if reachable.states.len() > most {
                return Err(Stop::Beyond("too many states".into()));
            }
            let state = reachable.states[reachable.steps.len()].clone();
            let expansion = self.expand(automaton, &state)?;
            faults.extend(expansion.faults);
            let mut steps = Vec::new();
            for step in expansion.steps {
                let clause = &self.automaton(automaton).transitions[step.clause.index()];
                let call = (clause.action, step.params[..clause.params.len()].to_vec());
                let tasks = classes.iter().enumerate();
                let tasks = tasks.filter(|(_, (_, actions))| actions.contains(&call));
                let tasks = tasks.fold(0, |set, (n, _)| set | 1 << n);
                for after in step.after {
                    steps.push((tasks, reachable.number(after, &mut numbers)));
                }
            }
            reachable.steps.push(steps);
        }
        Ok(reachable)
    }

    /// For each state, the facts that are true in it; none if one has no value.
    fn facts(
        &self,
        property: &Liveness,
        bound: &[Option<Value>],
        reachable: &Reachable,
    ) -> Result<Option<Vec<u64>>, Stop> {
        let formulas = property.formula.formulas();
        let mut facts = Vec::new();
        for state in &reachable.states {
            let mut set = 0;
            for (n, formula) in formulas.iter().enumerate() {
                let mut scope = Scope::new(&property.locals, state);
                scope.bound = bound.to_vec();
                match self.truth(formula, &mut scope) {
                    Ok(truth) => set |= u64::from(truth) << n,
                    Err(Stop::Fault(_)) => return Ok(None),
                    Err(beyond) => return Err(beyond),
                }
            }
            facts.push(set);
        }
        Ok(Some(facts))
    }
}

/// The least number of steps to a state from which no state can be reached where the first fact is true; and of the other states,
/// the greatest distance from one where it is.
fn possible(facts: &[u64], reachable: &Reachable) -> (Option<usize>, usize) {
    let distance = |state: usize| {
        let from = Reachable {
            states: Vec::new(),
            starts: vec![state],
            steps: reachable.steps.clone(),
        };
        let after = arrivals(&[], facts, &from).into_iter();
        let live = after.filter(|((state, _), _)| has(facts[*state], 0));
        live.map(|(_, steps)| steps).min()
    };
    let (mut dead, mut farthest) = (None, 0);
    for ((state, _), steps) in arrivals(&[], facts, reachable) {
        match distance(state) {
            None => dead = dead.into_iter().chain([steps]).min(),
            Some(distance) => farthest = farthest.max(distance),
        }
    }
    (dead, farthest)
}

/// The number of steps of the shortest fair lasso that does not satisfy a formula.
fn shortest<F>(
    formula: &Temporal<F>,
    facts: &[u64],
    reachable: &Reachable,
    classes: &[Class],
) -> Result<Option<usize>, Stop> {
    let mut next = 0;
    let numbered = formula.map(&mut |_| {
        next += 1;
        next - 1
    });
    let promises = promises(&numbered);
    let mut shortest = None;
    let arrivals = arrivals(&promises, facts, reachable);
    for knot in 0..reachable.states.len() {
        for (seen, cycle) in closed_walks(knot, facts, reachable)? {
            if !is_fair(seen, classes) {
                continue;
            }
            let of_knot = arrivals.iter().filter(|((state, _), _)| *state == knot);
            for ((_, open), stem) in of_knot {
                let open = |promise| has(*open, promise);
                let is_violated = !holds(&numbered, seen, &mut 0, &open);
                let length = stem + cycle;
                if is_violated && shortest.is_none_or(|known| length < known) {
                    shortest = Some(length);
                }
            }
        }
    }
    Ok(shortest)
}

/// Whether an execution that makes these observations again and again satisfies a formula; `promise` counts the promises of
/// the formula from left to right, some of which were open when the execution began to repeat itself.
fn holds(
    formula: &Temporal<usize>,
    seen: Seen,
    promise: &mut usize,
    open: &impl Fn(usize) -> bool,
) -> bool {
    match formula {
        Temporal::AlwaysEventually(fact) => has(seen.facts, *fact),
        Temporal::EventuallyAlways(fact) => !has(seen.not_facts, *fact),
        Temporal::LeadsTo(premise, goal) => {
            let number = *promise;
            *promise += 1;
            has(seen.facts, *goal) || !(open(number) || has(seen.facts, *premise))
        }
        Temporal::Not(inner) => !holds(inner, seen, promise, open),
        Temporal::Joined(connective, sides) => {
            let left = holds(&sides[0], seen, promise, open);
            let right = holds(&sides[1], seen, promise, open);
            match connective {
                Connective::And => left && right,
                Connective::Or => left || right,
                Connective::Implies => !left || right,
            }
        }
    }
}
