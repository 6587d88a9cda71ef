//! Where the lemmas of one automaton come from: the states of small instances, and the clauses that hold in them.

use std::collections::BTreeMap;
use std::rc::Rc;

use interpreter::State;
use invariants::Focus;
use invariants::learn::{Clause, Exclusion, Less, Stock, Targets};
use ioa_lang::core::{AutomatonId, Invariant, Model};
use prover_bridge::Options;

use super::effort::Effort;
use super::goals::Goals;
use crate::host::Host;
use crate::pipeline::candidates::{Reached, StatePool, Work, ordered};
use crate::setup::Setup;
use crate::study::BadInput;
use finite::Universe;

/// Second looks at all clauses, each of which is followed by a search for what holds still.
const LOOKS: usize = 4;

/// States and clauses of one automaton.
pub(super) struct Source<'s> {
    pub(super) automaton: AutomatonId,
    pool: StatePool<'s>,
    stock: Stock<'s>,
}

/// What a look at small instances comes to.
pub(super) enum Gathered<'s> {
    /// The goals hold there.
    Source(Box<Source<'s>>),
    /// A goal is false in a state that is reached.
    Refuted(Box<Refutation>),
}

/// A goal that is false.
pub(super) struct Refutation {
    pub(super) goal: Invariant,
    /// The sizes at which a state is reached that shows it.
    pub(super) setup: Setup,
}

impl<'s> Source<'s> {
    /// Visits small instances and learns from their states.
    ///
    /// # Errors
    /// Sizes that do not fit the model; formulas that cannot be evaluated.
    pub(super) fn gather(
        goals: &'s Goals,
        automaton: AutomatonId,
        (setup, effort, work): (&'s Setup, &Effort, &Rc<Work>),
        host: &'s dyn Host,
    ) -> Result<Gathered<'s>, BadInput> {
        let study = &goals.study;
        let spending = || (effort.states, Rc::clone(work));
        let about = (study, setup);
        let mut pool = StatePool::gather(about, automaton, spending(), host)?;
        if !pool.can_be_visited() {
            // Where numbers from outside may be any, a few of them show what there is to be learnt.
            let few = StatePool::gather_by_few_numbers(about, automaton, spending(), host)?;
            pool = few.unwrap_or(pool);
        }
        let stated = goals.evaluable_of(automaton, setup);
        if pool.refutes(&stated).map_err(BadInput::message)?
            && let Some(refutation) = refutation(&pool, &stated, setup)?
        {
            return Ok(Gathered::Refuted(Box::new(refutation)));
        }
        if !effort.learns {
            let stock = Stock::unlearnt((&*study.model, automaton), &pool, effort.clauses);
            let stock = stock.with_diagrams();
            return Ok(Gathered::Source(Box::new(Self {
                automaton,
                pool,
                stock,
            })));
        }
        let relations = pool
            .relations(&Focus::everything())
            .map_err(BadInput::message)?;
        let given = ordered(&study.model, relations);
        let mut clauses = effort.clauses;
        if !pool.is_exhaustive() {
            clauses.support = crate::pipeline::candidates::SUPPORT;
        }
        let about = (&*study.model, automaton);
        let mut stock =
            Stock::gather(about, given, &mut pool, clauses).map_err(BadInput::message)?;
        if effort.draws {
            stock = stock.with_diagrams();
        }
        Ok(Gathered::Source(Box::new(Self {
            automaton,
            pool,
            stock,
        })))
    }

    /// A goal that is false in a reached state of an instance that was not learnt from: perhaps a larger one.
    ///
    /// # Errors
    /// Why goals cannot be tested.
    pub(super) fn refuted_elsewhere(
        &mut self,
        goals: &Goals,
        setup: &Setup,
    ) -> Result<Option<Refutation>, BadInput> {
        let stated = goals.evaluable_of(self.automaton, setup);
        let refuted = self.second_look(&stated)?;
        let refuted = stated.into_iter().zip(refuted);
        let refuted: Vec<Invariant> = refuted
            .filter_map(|(goal, is_refuted)| is_refuted.then_some(goal))
            .collect();
        refutation(&self.pool, &refuted, setup)
    }

    /// The candidates of the detector and the conditions on start states that are inductive together, perhaps with the help of goals.
    pub(super) fn inductive(&self, goals: &Goals, options: &Options<'_>) -> Vec<Invariant> {
        let learnt = self.stock.learnt().lemmas.iter();
        let learnt = learnt.map(|l| l.invariant.clone());
        let candidates = start_conditions(&goals.study.model, self.automaton);
        let candidates = candidates.into_iter().chain(learnt).collect();
        goals.inductive_among(self.automaton, candidates, options)
    }

    /// All clauses that hold in the reached states, with nested quantifiers only if they are wanted: the simplest ones, so many at
    /// most. Other instances refute none of them.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub(super) fn clauses(
        &mut self,
        nested: bool,
        most: usize,
    ) -> Result<Vec<Invariant>, BadInput> {
        let mut looks = 0;
        loop {
            let found = self.stock.all(&mut self.pool, (nested, most));
            let mut clauses = found.map_err(BadInput::message)?;
            let refuted = self.second_look(&clauses)?;
            looks += 1;
            if looks < LOOKS && refuted.contains(&true) {
                continue;
            }
            let mut fates = refuted.into_iter();
            clauses.retain(|_| fates.next() != Some(true));
            return Ok(clauses);
        }
    }

    /// Has more to spend: until so much work is done in all.
    pub(super) fn spends_until(&mut self, done: u64) {
        self.pool.spends_until(done);
    }

    /// States near a given one from which a step breaks the invariant at this position among those that are stated, all of
    /// which hold there.
    pub(super) fn near(
        &self,
        given: (&Universe, &State),
        stated: &[Invariant],
        target: usize,
    ) -> Vec<State> {
        self.pool.near(given, stated, target)
    }

    /// Takes in states that are to be excluded; returns their block.
    pub(super) fn excludes(&mut self, universe: &Universe, states: Vec<State>) -> usize {
        self.pool.add_excluded(universe, states)
    }

    /// The clauses that are false in some of these states.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub(super) fn excluding(&mut self, states: &Targets) -> Result<Vec<Exclusion>, BadInput> {
        let found = self.stock.excluding(&mut self.pool, states);
        found.map_err(BadInput::message)
    }

    /// Clauses that say more than a given one, and are false in some of these states; with what they exclude of all that is asked about.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub(super) fn stronger(
        &mut self,
        clause: &Clause,
        (states, all): (&Targets, &Targets),
    ) -> Result<Vec<Exclusion>, BadInput> {
        let found = self.stock.stronger(&mut self.pool, (clause, states), all);
        found.map_err(BadInput::message)
    }

    /// A clause that supposes less of its variables than a given one, and is false in some of these states, if there is one.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub(super) fn more_general(
        &mut self,
        clause: (&Clause, Less),
        states: &Targets,
    ) -> Result<Option<Exclusion>, BadInput> {
        let found = self.stock.more_general(&mut self.pool, clause, states);
        found.map_err(BadInput::message)
    }

    /// A clause as an invariant.
    pub(super) fn stated(&self, clause: &Clause, name: &str) -> Invariant {
        self.stock.stated(clause, name)
    }

    /// Which of some invariants are false in a reached state of other instances, which is learnt from.
    ///
    /// # Errors
    /// Why they cannot be tested.
    pub(super) fn second_look(&mut self, invariants: &[Invariant]) -> Result<Vec<bool>, BadInput> {
        use invariants::learn::Evidence;
        self.pool.second_look(invariants).map_err(BadInput::message)
    }

    /// Whether a state is reached.
    pub(super) fn reaches(&self, universe: &Universe, state: &State) -> Result<Reached, BadInput> {
        self.pool
            .reaches(universe, state)
            .map_err(BadInput::message)
    }

    /// Which of some invariants are false in a reached state of an instance.
    ///
    /// # Errors
    /// Why they cannot be tested.
    pub(super) fn refuted_at(
        &self,
        universe: &Universe,
        invariants: &[Invariant],
    ) -> Result<Vec<bool>, BadInput> {
        let refuted = self.pool.refuted_at(universe, invariants);
        refuted.map_err(BadInput::message)
    }

    /// Learns that a state is reached.
    pub(super) fn is_reached(&mut self, universe: &Universe, state: State) {
        self.pool.add_reached(universe, state);
    }
}

/// What `so that` says of start states: where it describes something that no step changes, it is true of all states.
fn start_conditions(model: &Model, automaton: AutomatonId) -> Vec<Invariant> {
    let start = &model.automaton(automaton).start;
    let conditions = start.so_that.conjuncts().into_iter();
    let conditions = conditions.filter(|condition| !condition.is_true());
    let stated = conditions.enumerate().map(|(at, condition)| Invariant {
        name: format!("start {at}").into(),
        automaton,
        locals: start.locals.clone(),
        formula: condition.clone(),
        uses: None,
        span: condition.span,
    });
    stated.collect()
}

/// The first goal that an instance refutes.
fn refutation(
    pool: &StatePool<'_>,
    goals: &[Invariant],
    setup: &Setup,
) -> Result<Option<Refutation>, BadInput> {
    for goal in goals {
        if let Some(setup) = pool.refuting(goal, setup).map_err(BadInput::message)? {
            let goal = goal.clone();
            return Ok(Some(Refutation { goal, setup }));
        }
    }
    Ok(None)
}

/// The sources of all automata that lemmas may speak of.
pub(super) type Sources<'s> = BTreeMap<AutomatonId, Source<'s>>;
