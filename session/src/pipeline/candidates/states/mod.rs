//! The states that lemmas are learnt from: all states of small instances, and those of others that refute candidates.

mod alive;
mod block;
mod evidence;
#[cfg(feature = "smt")]
mod excluded;
mod kept;
mod last;
mod looked;
mod made_up;
#[cfg(feature = "smt")]
mod near;
mod said;
mod visits;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use finite::Universe;
use interpreter::States;
use interpreter::run::Coverage;
#[cfg(feature = "smt")]
use interpreter::{Executor, Instance};
use invariants::learn::{Evidence, Lemma, Truth, ones};
use ioa_lang::core::{AutomatonId, Invariant, Model};

#[cfg(feature = "smt")]
pub(in crate::pipeline) use excluded::Reached;
pub use looked::{Looked, Visited};
#[cfg(feature = "smt")]
pub(in crate::pipeline) use said::{numbers_in, numbers_of};
#[cfg(feature = "smt")]
pub(in crate::pipeline) use visits::TELLING;

use block::{Block, Kept, Reader};
use last::LastLooks;
use looked::Tested;
use visits::{Asked, Place, Reach, Visit, Visitor, Widened, bare, without_steps};

use super::work::Work;
use crate::host::{Host, Progress, Stopwatch};
use crate::pipeline::explore::FirstRanges;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// How much is spent on learning.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Seconds, for all of it: the outermost limit, since what is reached in a time differs between machines.
    pub seconds: f64,
    /// Work, of which a unit is about a nanosecond of one core.
    pub work: u64,
    /// Instances with more states are not learnt from.
    pub visited: u64,
    /// States of one instance that are learnt from, at most, evenly chosen among all.
    pub sample: usize,
    /// Instances that are learnt from, at most.
    pub instances: usize,
    /// States that are made up for the first instance that is learnt from, which is the richest one; for each other one a fourth of that.
    pub made_up: usize,
    /// Sizes that are tried, at most, the smaller ones first.
    pub tried: usize,
    /// States of each instance that candidates have to survive, at most.
    pub look: u64,
    /// Work for the last look, beside the other.
    pub last: u64,
    /// Whether the states of these are kept, so that they are visited once.
    pub keeps: bool,
    /// Bytes, about, for what is visited and learnt from.
    pub memory: u64,
    /// Whether less memory is wanted than the program takes by itself.
    pub is_scarce: bool,
    /// Whether less work is done than usual because somebody is in a hurry.
    pub is_quick: bool,
}

/// The part of what may be spent that the first visits take.
const FOR_VISITS: f64 = 0.25;
/// The part of the memory that one visit may take; the rest is for what is learnt.
const VISIT_SHARE: u64 = 4;
/// The part of the memory that states may take which are learnt from. It is counted, not measured, so that the same comes of a search each
/// time.
const STATES_SHARE: u64 = 8;
/// Of what is left for states, those of one instance that were reached may take this part, and those that are made up for it so much
/// again.
const INSTANCE_SHARE: u64 = 16;
/// What is said where there is no memory for more.
pub(super) const FEW_STATES: &str = "the memory was used up: fewer states were learnt from";
/// What is said where collections become so large in runs that formulas about their elements would take long.
const CROWDED: &str =
    "states of runs with more than 100 elements in a collection were looked at only for relations";
/// A glance at an instance goes through so many times fewer states than a look.
const GLANCE: u64 = 10;
/// This part of the time is left to the last look.
const FOR_LAST_LOOK: f64 = 0.15;
/// What is learnt from, and where candidates are looked for again.
pub(in crate::pipeline) struct StatePool<'s> {
    study: &'s Study,
    setup: &'s Setup,
    automaton: AutomatonId,
    /// Only states from which this stays possible are learnt from; the dead ones are to be excluded.
    alive: Option<Invariant>,
    bare: Model,
    /// Whether only a few values are tried for some parameters, so that no visit shows all states.
    is_partial: bool,
    /// The ranges by which integers are packed in visits, at first and later.
    first_ranges: FirstRanges,
    ranges: RefCell<Widened>,
    /// What the steps of all visits have exercised.
    coverage: RefCell<Coverage>,
    blocks: Vec<Block>,
    /// The states of instances that are looked at again and again, by their labels.
    kept: BTreeMap<String, Kept>,
    /// What was tested before at places, by their labels.
    tested: BTreeMap<String, Tested>,
    elsewhere: Vec<Place>,
    /// The labels of those that have too many states to visit all.
    laborious: BTreeSet<String>,
    /// The labels of those of them of which only a part is looked at.
    glanced: BTreeSet<String>,
    /// What is known of the last look, once there was one.
    last: Option<LastLooks>,
    /// How often states were made up that no candidate excludes.
    drawn: u64,
    /// All instances, the smaller ones first.
    all: Vec<Place>,
    /// Those all of whose states were visited, perhaps within bounds, the smaller ones first.
    whole: Vec<Place>,
    budget: Budget,
    started: Stopwatch<'s>,
    threads: usize,
    host: &'s dyn Host,
    progress: Box<dyn Progress>,
    is_exhaustive: bool,
    /// Whether the same is true of executions in which numbers and collections stay small.
    is_bounded: bool,
    /// What was done so far, here and by others who spend the same.
    work: Rc<Work>,
    /// What was done before.
    before: u64,
    looked: Looked,
    /// Whether the last second look had time for all instances.
    is_whole: bool,
}

impl<'s> StatePool<'s> {
    /// The states of as many small instances of an automaton as the budget allows; what is done for that is added to the work.
    ///
    /// # Errors
    /// Sizes that do not fit the model.
    pub(in crate::pipeline) fn gather(
        about: (&'s Study, &'s Setup),
        automaton: AutomatonId,
        spending: (Budget, Rc<Work>),
        host: &'s dyn Host,
    ) -> Result<Self, BadInput> {
        let mut pool = Self::empty(about, automaton, spending, host);
        pool.fill(about)?;
        Ok(pool)
    }

    /// The same for an automaton that cannot be explored because some parameters may be any number: a few numbers are tried for these.
    /// None if there are no such parameters.
    ///
    /// # Errors
    /// Sizes that do not fit the model.
    #[cfg(feature = "smt")]
    pub(in crate::pipeline) fn gather_by_few_numbers(
        about: (&'s Study, &'s Setup),
        automaton: AutomatonId,
        spending: (Budget, Rc<Work>),
        host: &'s dyn Host,
    ) -> Result<Option<Self>, BadInput> {
        let mut pool = Self::empty(about, automaton, spending, host);
        if !visits::take_few_numbers(&mut pool.bare, automaton) {
            return Ok(None);
        }
        pool.is_partial = true;
        pool.first_ranges = FirstRanges::of(&pool.bare, automaton);
        pool.fill(about)?;
        Ok(Some(pool))
    }

    /// Whether the steps of instances can be listed.
    #[cfg(feature = "smt")]
    pub(in crate::pipeline) fn can_be_visited(&self) -> bool {
        self.all.first().is_none_or(|place| {
            let instance = Instance::new(Arc::new(self.bare.clone()), place.universe.clone());
            let executor = Executor::new(&instance, self.automaton);
            executor.is_ok_and(|executor| executor.check_enumerable().is_ok())
        })
    }

    /// The states of as many small instances as the budget allows from which a formula stays possible, with the dead ones, which
    /// are to be excluded.
    ///
    /// # Errors
    /// Sizes that do not fit the model; no instance shows anything.
    pub(in crate::pipeline::candidates) fn alive(
        about: (&'s Study, &'s Setup),
        formula: Invariant,
        spending: (Budget, Rc<Work>),
        host: &'s dyn Host,
    ) -> Result<Self, BadInput> {
        let mut pool = Self::empty(about, formula.automaton, spending, host);
        pool.alive = Some(formula);
        pool.fill(about)?;
        let why = match (pool.blocks.is_empty(), pool.looked.hopeless()) {
            (false, _) => return Ok(pool),
            (true, Some(hopeless)) => hopeless,
            (true, None) => "nothing is known of dead states: no small instance has few enough states to visit all of them".to_owned(),
        };
        Err(BadInput::message(format!("--possible: {why}")))
    }

    fn empty(
        (study, setup): (&'s Study, &'s Setup),
        automaton: AutomatonId,
        (budget, work): (Budget, Rc<Work>),
        host: &'s dyn Host,
    ) -> Self {
        let bare = bare(&study.model, automaton);
        Self {
            study,
            setup,
            automaton,
            alive: None,
            first_ranges: FirstRanges::of(&bare, automaton),
            ranges: RefCell::default(),
            coverage: RefCell::default(),
            bare,
            is_partial: false,
            blocks: Vec::new(),
            kept: BTreeMap::new(),
            tested: BTreeMap::new(),
            elsewhere: Vec::new(),
            laborious: BTreeSet::new(),
            glanced: BTreeSet::new(),
            last: None,
            drawn: 0,
            all: Vec::new(),
            whole: Vec::new(),
            budget,
            started: Stopwatch::start(host),
            threads: setup.threads,
            host,
            progress: host.begins("looking for small instances", None),
            is_exhaustive: false,
            is_bounded: false,
            before: work.done(),
            work,
            looked: Looked::within(budget.is_scarce, budget.is_quick),
            is_whole: false,
        }
    }

    /// Whether all ends now, by the clock or by the user.
    fn is_stopped(&self) -> bool {
        self.host.stopped().is_some() || self.started.seconds() > self.budget.seconds
    }

    /// Whether the time for visits is over.
    fn is_late(&self) -> bool {
        self.left() < 1.0 - FOR_VISITS
    }

    /// Whether instances differ in the interpretation of theories, which takes time to find.
    fn is_interpreted(&self) -> bool {
        let mut all = self.all.iter();
        all.any(|place| !place.universe.interpretation().tables.is_empty())
    }

    /// Whether all states of some instance were visited, or all that small numbers lead to, so that no clause holds by chance.
    pub(in crate::pipeline) fn is_exhaustive(&self) -> bool {
        self.is_exhaustive || self.is_bounded
    }

    /// Takes the states of runs of an instance as well: what is proposed is true of them. Those with crowded collections are left out,
    /// and this is noted.
    pub(in crate::pipeline::candidates) fn add_runs(
        &mut self,
        universe: &Universe,
        states: &States,
    ) {
        let count = states.len();
        let reader = Reader::new(&self.bare, self.automaton, universe);
        let all = states.iter();
        let states: States = all.filter(|state| !reader.is_crowded(state)).collect();
        if states.len() < count {
            self.looked.note(CROWDED);
        }
        // Where instances are known as a whole, a sample is enough here: relations were tested on all states already.
        let step = match self.is_exhaustive() {
            true => states.len().div_ceil(self.budget.sample).max(1),
            false => 1,
        };
        let states = self.fitting(&states.iter().step_by(step).collect());
        // Where not all states of any instance are known, runs may go where the others do not.
        let made_up = match self.is_exhaustive() {
            true => States::new(),
            false => self.made_up(universe, &states, self.budget.made_up),
        };
        self.blocks
            .push(Block::new(universe.clone(), states, made_up));
    }

    /// What was exercised in the visits.
    pub(in crate::pipeline::candidates) fn coverage(&self) -> Coverage {
        self.coverage.borrow().clone()
    }

    /// What was looked at.
    pub(in crate::pipeline::candidates) fn looked(self) -> Looked {
        self.looked
    }

    /// Tests candidates at a place.
    fn visit(&self, place: &Place, candidates: &[Invariant]) -> Result<Visit, String> {
        let asked = Asked {
            candidates,
            bound: place.bound,
            ..Asked::default()
        };
        let most = match self.glanced.contains(&place.label) {
            true => self.budget.look / GLANCE,
            false => self.budget.look,
        };
        self.visit_in(&place.universe, asked, most)
    }

    /// Visits at most so many states of an instance and keeps those that are learnt from: all of them, of many instances, would
    /// take too much memory.
    fn thinned(&self, place: &Place, most: u64) -> Result<Visit, String> {
        let asked = Asked {
            states: self.budget.sample,
            bound: place.bound,
            ..Asked::default()
        };
        let mut found = self.visit_in(&place.universe, asked, most)?;
        self.add_far(place, &mut found, self.budget.sample);
        found.states = found.states.thinned(self.room());
        Ok(found)
    }

    /// Seconds that are left.
    pub(in crate::pipeline::candidates) fn time_left(&self) -> f64 {
        (self.budget.seconds - self.started.seconds()).max(0.1)
    }

    /// Visits at most so many states of an instance.
    fn visit_in(
        &self,
        universe: &Universe,
        asked: Asked<'_>,
        states: u64,
    ) -> Result<Visit, String> {
        let reach = Reach {
            states,
            seconds: self.time_left(),
            memory: self.budget.memory / VISIT_SHARE,
        };
        match &self.alive {
            Some(formula) => self.visit_alive(universe, (formula, asked), reach),
            None => self.visitor().visit(universe, asked, reach),
        }
    }

    /// Where formulas are true in the states of a block.
    fn truths_in(&self, block: &Block, formulas: &[Invariant]) -> Result<Vec<Truth>, String> {
        let asked = (self.study, self.stating(formulas), self.automaton);
        block.truths(asked, &self.work)
    }

    /// The same for formulas that are known to be true but `within` some states, if it is said of them; nothing if all is stopped
    /// meanwhile.
    fn truths_unless_stopped(
        &self,
        block: &Block,
        formulas: &[Invariant],
        within: &[Option<&Truth>],
    ) -> Result<Option<Vec<Truth>>, String> {
        let asked = (self.study, self.stating(formulas), self.automaton);
        block.truths_within(asked, within, (&self.work, &|| self.is_stopped()))
    }

    /// In how many reached states of the blocks each formula is true.
    ///
    /// # Errors
    /// Why they cannot be evaluated.
    pub(in crate::pipeline::candidates) fn satisfying(
        &self,
        formulas: &[Invariant],
    ) -> Result<Vec<u64>, String> {
        let mut counts = vec![0; formulas.len()];
        for block in &self.blocks {
            for (count, truth) in counts.iter_mut().zip(self.truths_in(block, formulas)?) {
                let words = truth.reached.iter();
                *count += words.map(|word| u64::from(word.count_ones())).sum::<u64>();
            }
        }
        Ok(counts)
    }

    /// In how many of the made-up states an invariant is false while all of these lemmas hold.
    ///
    /// # Errors
    /// Why they cannot be evaluated.
    pub(in crate::pipeline::candidates) fn open(
        &self,
        invariant: &Invariant,
        lemmas: &[Lemma],
    ) -> Result<u64, String> {
        let lemmas = lemmas.iter().map(|lemma| lemma.invariant.clone());
        let formulas: Vec<Invariant> = [invariant.clone()].into_iter().chain(lemmas).collect();
        let mut count = 0;
        for block in &self.blocks {
            let truths = self.truths_in(block, &formulas)?;
            let all = ones(block.made_up.len());
            let open = all.iter().enumerate().map(|(at, all)| {
                let own = all & !truths[0].made_up[at];
                let lemmas = truths[1..].iter().map(|truth| truth.made_up[at]);
                lemmas.fold(own, |open, holds| open & holds)
            });
            count += open.map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        Ok(count)
    }

    /// A model with the same states, in which nothing happens and which states these formulas.
    fn stating(&self, formulas: &[Invariant]) -> Arc<Model> {
        let mut model = self.bare.clone();
        without_steps(&mut model.automata[self.automaton.index()]);
        model.invariants = formulas.to_vec();
        Arc::new(model)
    }

    /// Bytes that the states of one more instance may take.
    fn room(&self) -> u64 {
        let held: u64 = self.blocks.iter().map(|block| block.bytes()).sum();
        (self.budget.memory / STATES_SHARE).saturating_sub(held) / INSTANCE_SHARE
    }

    /// As many of the states as there is room for, evenly chosen; it is noted if these are not all.
    fn fitting(&mut self, states: &States) -> States {
        let few = states.thinned(self.room());
        if few.len() < states.len() {
            self.lacks_memory();
        }
        few
    }

    /// Notes that more states would be learnt from if there were more memory.
    fn lacks_memory(&mut self) {
        self.looked.note(FEW_STATES);
    }

    fn visitor(&self) -> Visitor<'_> {
        Visitor {
            study: self.study,
            bare: &self.bare,
            is_partial: self.is_partial,
            automaton: self.automaton,
            threads: self.threads,
            host: self.host,
            first_ranges: &self.first_ranges,
            ranges: &self.ranges,
            coverage: &self.coverage,
            work: &self.work,
        }
    }
}
