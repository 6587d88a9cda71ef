//! The look itself.

use std::collections::BTreeSet;

use interpreter::{State, States};
use ioa_lang::core::{Expr, Invariant};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::StatePool;
use super::super::block::Block;
use super::super::looked::Visited;
use super::super::visits::{
    Asked, Bound, DIVES, DiveLimits, LIKE_A_VISIT, Place, Places, may_grow, telling_key,
};
use super::{Cost, DEPTHS, Far, LastLooks, LastPlace};

/// Where numbers or collections may grow, executions are looked at too in which these grow by no more than this.
const GROWTHS: [u64; 3] = [2, 4, 8];
/// This part of what may be spent is left to the final look, after which nothing is learnt.
const FOR_FINAL_LOOK: f64 = 0.2;
/// In so many instances searches go deep, and random runs are made: these come to states that no search breadth first comes to.
const FAR: usize = 4;
/// So many candidates are tested at once on the states of random runs.
const AT_ONCE: usize = 16;
/// So many states beside one that refutes a candidate are learnt from: what takes its place is to be true of them as well.
const BESIDE: usize = 200;

/// A part of the look: it is done in all instances before the next part begins.
#[derive(Clone, Copy)]
enum Turn {
    /// States are visited, as deep as that.
    Visits(usize),
    /// Searches go deep in orders that are drawn, a round of them.
    Dives(usize),
    /// Random runs are made. They take longer than the first visits, but mostly refute more.
    Runs,
}

const TURNS: [Turn; DEPTHS.len() + DIVES + 1] = [
    Turn::Visits(0),
    Turn::Dives(0),
    Turn::Dives(1),
    Turn::Runs,
    Turn::Visits(1),
    Turn::Visits(2),
    Turn::Visits(3),
];

impl StatePool<'_> {
    /// Says which candidates are refuted; if this is not final, the look ends at the first instance that refutes some. What is done is
    /// not taken from what is spent on learning.
    pub(in crate::pipeline::candidates::states) fn looks_last(
        &mut self,
        candidates: &[Invariant],
        is_final: bool,
    ) -> Vec<bool> {
        let mut refuted = vec![false; candidates.len()];
        let mut looks = match self.last.take() {
            Some(looks) => looks,
            None => self.last_looks(),
        };
        let most = match is_final {
            true => self.budget.last,
            false => (self.budget.last as f64 * (1.0 - FOR_FINAL_LOOK)) as u64,
        };
        let before = self.work.done();
        let until = before + most.saturating_sub(looks.spent);
        let instances = 0..looks.each.len();
        let all = TURNS.map(|turn| instances.clone().map(move |at| (turn, at)));
        for (turn, at) in all.into_iter().flatten() {
            let left = until.saturating_sub(self.work.done());
            let is_enough = !is_final && refuted.contains(&true);
            if self.is_stopped() || left == 0 || is_enough {
                break;
            }
            match turn {
                Turn::Visits(depth) => {
                    let Some(depth) = looks.each[at].depth_in(depth) else {
                        continue;
                    };
                    if !looks.is_passed_over(at, depth) {
                        let how = (depth, (left, looks.dearest()));
                        self.tests_last(&mut looks.each[at], how, (candidates, &mut refuted));
                    }
                }
                Turn::Dives(round) => {
                    let how = (round, left);
                    self.dives_last(&mut looks.each[at], how, (candidates, &mut refuted));
                }
                Turn::Runs => {
                    self.runs_last(&mut looks.each[at], until, (candidates, &mut refuted));
                }
            }
        }
        let done = self.work.done() - before;
        looks.spent += done;
        self.before += done;
        self.last = Some(looks);
        refuted
    }

    /// The instances of the last look, those with fewer elements first, without those that were learnt from as a whole.
    fn last_looks(&self) -> LastLooks {
        let is_whole = |place: &Place| {
            let mut whole = self.looked.exhausted.iter();
            whole.any(|visited| visited.label == place.label)
        };
        let whole: Vec<&Place> = self.all.iter().filter(|place| is_whole(place)).collect();
        let is_learnt = |place: &Place| {
            let is_same =
                |own: &&Place| (&own.sizes, own.theories) == (&place.sizes, place.theories);
            whole.iter().any(is_same) || is_whole(place)
        };
        let places = Places::of((self.study, self.setup), self.automaton, self.budget.tried);
        let is_bounded = may_grow(&self.bare, self.automaton);
        let numbers = self.numbers();
        let numbers = numbers.iter().filter_map(|n| u64::try_from(n).ok());
        let numbers: BTreeSet<u64> = numbers.collect();
        let bounds: Vec<Bound> = match is_bounded {
            true => GROWTHS.map(|by| self.bound(by)).to_vec(),
            false => Vec::new(),
        };
        let given = places.as_ref().map(|places| places.given.clone());
        let given = given.unwrap_or_default();
        let places = places.map(|places| places.far(&self.all, &bounds, &numbers));
        let places = places.unwrap_or_default();
        let each = places.into_iter().filter(|place| !is_learnt(place));
        let each = each.map(|place| {
            let is_laborious = self.laborious.contains(&place.label);
            let is_growing = is_bounded && !self.is_exhaustive && place.bound.is_none();
            let known = self.tested.get(&place.label);
            let visited = known.and_then(|known| known.visited.as_ref());
            LastPlace {
                is_growing,
                goes_on: is_laborious.then_some(0),
                ends: visited.is_some_and(|visited| visited.is_whole).then_some(0),
                tested: FxHashMap::default(),
                far: None,
                last: None,
                place,
            }
        });
        let mut each: Vec<LastPlace> = each.collect();
        let mut far: Vec<&mut LastPlace> = (each.iter_mut())
            .filter(|own| own.place.bound.is_none() && own.ends.is_none())
            .collect();
        far.sort_by_key(|own| (own.place.sizes != given, telling_key(&own.place)));
        for own in far.into_iter().take(FAR) {
            own.far = Some(Far::default());
        }
        LastLooks { each, spent: 0 }
    }

    /// Tests the candidates that are not refuted by searches of an instance that go deep, if there are such searches there, with so
    /// much work for all instances.
    fn dives_last(
        &mut self,
        own: &mut LastPlace,
        (round, work): (usize, u64),
        (candidates, refuted): (&[Invariant], &mut [bool]),
    ) {
        // Where all states of some instances are known, the work is better spent on visits to other instances, which miss nothing.
        let Some(Far { dived, .. }) = own.far.as_mut().filter(|_| !self.is_exhaustive) else {
            return;
        };
        let known = &mut dived[round];
        let open = untested(known, (candidates, refuted));
        if open.is_empty() {
            return;
        }
        self.progress
            .say(&format!("searching deep at {}", own.place.label));
        let limits = DiveLimits {
            round,
            work: work / FAR as u64,
            seconds: self.time_left(),
            memory: self.room(),
        };
        let tested: Vec<Invariant> = open.iter().map(|at| candidates[*at].clone()).collect();
        let found = self.visitor().dive(&own.place.universe, &tested, limits);
        let mut refuting: Vec<State> = Vec::new();
        // What cannot be searched shows nothing.
        for (candidate, state) in found.unwrap_or_default() {
            refuted[open[candidate]] = true;
            refuting.push(state);
        }
        let holding = open.iter().filter(|at| !refuted[**at]);
        known.extend(holding.map(|at| candidates[*at].formula.clone()));
        self.learns_from(&own.place, refuting);
    }

    /// Tests the candidates that are not refuted on random runs of an instance, if some are made there, until so much work is done.
    fn runs_last(
        &mut self,
        own: &mut LastPlace,
        until: u64,
        (candidates, refuted): (&[Invariant], &mut [bool]),
    ) {
        let Some(Far { run: known, .. }) = &mut own.far else {
            return;
        };
        let open = untested(known, (candidates, refuted));
        if open.is_empty() {
            return;
        }
        self.progress.say(&format!(
            "testing candidates on runs at {}",
            own.place.label
        ));
        let blocks = self.passed(&own.place);
        let mut refuting: Vec<State> = Vec::new();
        // Where formulas take long there is no time for all states, and some are better than none for every candidate.
        let turns = blocks
            .iter()
            .flat_map(|blocks| open.chunks(AT_ONCE).map(move |some| (blocks, some)));
        let mut is_over = false;
        for (blocks, some) in turns {
            let some = some.iter().copied().filter(|at| !refuted[*at]);
            let some: Vec<usize> = some.collect();
            let tested: Vec<Invariant> = some.iter().map(|at| candidates[*at].clone()).collect();
            let found = (self.work.done() < until).then(|| self.refuted_in(blocks, &tested));
            let Some(found) = found.flatten() else {
                is_over = true;
                break;
            };
            for (candidate, state) in found {
                refuted[some[candidate]] = true;
                refuting.push(state);
            }
        }
        if !is_over {
            let holding = open.iter().filter(|at| !refuted[**at]);
            known.extend(holding.map(|at| candidates[*at].formula.clone()));
        }
        self.learns_from(&own.place, refuting);
    }

    /// Learns from states of an instance, each once, if there are any.
    fn learns_from(&mut self, place: &Place, mut states: Vec<State>) {
        if states.is_empty() {
            return;
        }
        states.sort_unstable();
        states.dedup();
        let states = states.into_iter().collect();
        let block = Block::new(place.universe.clone(), states, States::new());
        self.blocks.push(block);
    }

    /// Tests the candidates that are not refuted in an instance, as deep as that, unless it is likely to be too much work.
    fn tests_last(
        &mut self,
        own: &mut LastPlace,
        (depth, most): (usize, (u64, Option<Cost>)),
        (candidates, refuted): (&[Invariant], &mut [bool]),
    ) {
        let known = self.tested.get(&own.place.label);
        let is_deep = known.is_some_and(|known| {
            let enough = || {
                let renamings = self.visitor().renamings(&own.place.universe);
                DEPTHS[depth].saturating_mul(renamings)
            };
            let visited = known.visited.as_ref();
            visited.is_some_and(|v| v.is_whole || v.states >= enough())
        });
        let is_known = |formula: &Expr| {
            is_deep && known.is_some_and(|known| known.survivors.contains(formula))
        };
        let is_open = |at: &usize| {
            let formula = &candidates[*at].formula;
            !refuted[*at] && own.is_open(formula, depth) && !is_known(formula)
        };
        let open: Vec<usize> = (0..candidates.len()).filter(is_open).collect();
        let affordable = || own.affordable(open.len(), depth, most);
        let Some(states) = (!open.is_empty()).then(affordable).flatten() else {
            return;
        };
        let tested: Vec<Invariant> = open.iter().map(|at| candidates[*at].clone()).collect();
        self.progress.say(&format!(
            "testing candidates once more at {}",
            own.place.label
        ));
        let asked = Asked {
            candidates: &tested,
            states: BESIDE,
            bound: own.place.bound,
            is_last: true,
            ..Asked::default()
        };
        let before = self.work.done();
        let found = self.visit_in(&own.place.universe, asked, states);
        let each = (self.work.done() - before) / (LIKE_A_VISIT + open.len() as u64);
        own.last = Some((depth, each));
        // What cannot be visited shows nothing.
        let found = found.unwrap_or_default();
        match found.distinct >= states && found.is_native {
            true => own.goes_on = Some(depth),
            false => own.ends = Some(depth),
        }
        if found.is_complete {
            own.far = None;
        }
        let mut refuting: Vec<State> = Vec::new();
        for (candidate, state) in found.refuted {
            refuted[open[candidate]] = true;
            refuting.push(state);
        }
        let holding = open.iter().filter(|at| !refuted[**at]);
        own.tested
            .extend(holding.map(|at| (candidates[*at].formula.clone(), depth)));
        if refuting.is_empty() {
            self.note_survived(Visited {
                label: own.place.label.clone(),
                states: found.all,
                is_reduced: found.distinct < found.all,
                is_whole: found.is_complete,
            });
            return;
        }
        refuting.extend(found.states.iter());
        self.learns_from(&own.place, refuting);
    }

    /// Notes that the candidates are true of an instance; of its visits the last one counts.
    fn note_survived(&mut self, visited: Visited) {
        if visited.states > 0 {
            let survived = &mut self.looked.survived;
            survived.retain(|other| other.label != visited.label);
            survived.push(visited);
        }
    }
}

/// The candidates, by position, that are neither refuted nor known to hold.
fn untested(known: &FxHashSet<Expr>, (candidates, refuted): (&[Invariant], &[bool])) -> Vec<usize> {
    let is_open = |at: &usize| !refuted[*at] && !known.contains(&candidates[*at].formula);
    (0..candidates.len()).filter(is_open).collect()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use invariants::learn::Evidence;
    use ioa_lang::core::AutomatonId;

    use super::*;
    use crate::host::Silent;
    use crate::pipeline::candidates::states::Budget;
    use crate::pipeline::candidates::{Thoroughness, Work};
    use crate::setup::Setup;
    use crate::study::Study;

    /// What seven lamps do together no fewer can do; and no lamp is on that is not there.
    const LAMPS: &str = "\
type Lamp
automaton Street
  signature
    internal switch(l: Lamp), fuse
  states
    on: Set[Lamp] := {},
    dark: Bool := false
  transitions
    internal switch(l)
      eff on := insert(l, on)
    internal fuse
      pre 7 <= size(on)
      eff dark := true
invariant Bright of Street: ~dark
invariant Dark of Street: dark => on ~= {}
";

    /// Clocks that tick alone, if there are three: the states near the start are those in which few of them have ticked often.
    const CLOCKS: &str = "\
type Clock
automaton Shelf
  signature
    internal tick(a: Clock, b: Clock, c: Clock)
  states
    ticks: Array[Clock, Nat] := constant(0),
    all: Nat := 0
  transitions
    internal tick(a, b, c)
      pre a ~= b /\\ b ~= c /\\ a ~= c
      eff ticks[a] := ticks[a] + 1;
          all := all + 1
invariant Seldom of Shelf: \\E a: Clock (ticks[a] <= 70)
invariant Within of Shelf: \\A a: Clock (ticks[a] <= all)
";

    /// Of two members, a majority has both, and so has a single quorum of all, but one member may be enough as well.
    const COMMITTEE: &str = "\
type Node
type Quorum
assumes Quorums(Quorum, Node)
automaton Committee
  signature
    internal vote(n: Node), decide(q: Quorum)
  states
    voted: Set[Node] := {},
    done: Bool := false
  transitions
    internal vote(n)
      eff voted := insert(n, voted)
    internal decide(q)
      pre \\A n: Node (n \\in q => n \\in voted)
      eff done := true
invariant Another of Committee: \\A n, p: Node (n ~= p /\\ done => \\E m: Node (m ~= n /\\ m \\in voted))
invariant Enough of Committee: done => \\E q: Quorum \\A n: Node (n \\in q => n \\in voted)
";

    fn lamps() -> (Study, Setup) {
        studied("Lamp", LAMPS)
    }

    /// A study of a text, with two elements of a sort.
    fn studied(sort: &str, text: &str) -> (Study, Setup) {
        let study = Study::of_text(text);
        let setup = Setup {
            sorts: vec![(sort.into(), 2)],
            ..Setup::default()
        };
        (study, setup)
    }

    fn pool<'s>(study: &'s Study, setup: &'s Setup, last: u64) -> StatePool<'s> {
        let budget = Budget {
            last,
            ..Thoroughness::THOROUGH.budget
        };
        let about = (study, setup);
        let pool = StatePool::gather(about, AutomatonId::at(0), (budget, Rc::default()), &Silent);
        pool.expect("sizes that fit")
    }

    #[test]
    fn what_no_smaller_instance_shows_is_refuted_by_the_last_look() {
        let (study, setup) = lamps();
        let stated = &study.model.invariants;
        let mut pool = pool(&study, &setup, Work::in_seconds(5.0));
        let refuted = pool.second_look(stated);
        assert_eq!(refuted.expect("both can be tested"), [false, false]);
        let before = pool.left();
        assert_eq!(pool.last_look(stated, false), [true, false]);
        // What is refuted is learnt from, and what was tested is not tested again.
        let blocks = pool.universes().len();
        assert_eq!(pool.last_look(&stated[1..], true), [false]);
        assert_eq!(pool.universes().len(), blocks);
        assert!(
            before - pool.left() < 0.01,
            "nothing is taken from what is spent on learning"
        );
    }

    #[test]
    fn random_runs_refute_what_is_true_of_all_states_near_the_start() {
        let (study, setup) = studied("Clock", CLOCKS);
        let mut pool = pool(&study, &setup, Work::in_seconds(5.0));
        let stated = &study.model.invariants;
        assert_eq!(pool.last_look(stated, true), [true, false]);
    }

    #[test]
    fn what_holds_with_majorities_is_tested_with_other_quorums() {
        let (study, setup) = studied("Node", COMMITTEE);
        let mut pool = pool(&study, &setup, Work::in_seconds(5.0));
        let stated = &study.model.invariants;
        let refuted = pool.second_look(stated);
        assert_eq!(refuted.expect("both can be tested"), [false, false]);
        assert_eq!(pool.last_look(stated, true), [true, false]);
    }

    #[test]
    fn tests_on_states_that_are_kept_end_when_all_is_stopped() {
        let (study, setup) = lamps();
        let mut pool = pool(&study, &setup, 0);
        pool.budget.keeps = true;
        let place = pool.all[0].clone();
        let stated = &study.model.invariants;
        assert!(pool.look(&place, stated).is_ok());
        pool.budget.seconds = -1.0;
        let stopped = pool.look(&place, stated).err();
        assert_eq!(stopped.as_deref(), Some("the tests were stopped"));
    }

    #[test]
    fn nothing_is_refuted_where_nothing_may_be_spent() {
        let (study, setup) = lamps();
        let mut pool = pool(&study, &setup, 0);
        assert_eq!(
            pool.last_look(&study.model.invariants, true),
            [false, false]
        );
    }
}
