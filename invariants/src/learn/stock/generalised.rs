//! Clauses that say more than others do, since they suppose less of their variables.

use ioa_lang::core::Invariant;
use rustc_hash::FxHashMap;

use super::super::clause::{General, Less, Way};
use super::super::evidence::{Evidence, complement, ones};
use super::super::targets::{Targets, hits};
use super::clause::{Clause, Exclusion, Origin};

/// A clause counts as so much more intricate than the one that it says more than: of clauses that exclude as much, the one that is known
/// to matter comes first.
const BEYOND: u32 = 1;

/// A clause that says more than another one.
pub(super) struct Generalisation {
    than: Clause,
    /// What it says, not in its simplest form.
    pub(super) stated: Invariant,
    /// How intricate it is.
    pub(super) cost: u32,
}

/// What says more than a clause.
struct Found {
    /// Where it is among all; none if nothing says more.
    at: Option<usize>,
    /// How many blocks it is known to hold in, the first ones.
    blocks: usize,
}

/// What was found so far.
#[derive(Default)]
pub(super) struct Generalised {
    all: Vec<Generalisation>,
    found: FxHashMap<(Clause, Less), Found>,
}

impl Generalised {
    /// One of the clauses.
    pub(super) fn clause(&self, at: usize) -> &Generalisation {
        &self.all[at]
    }

    /// The clause of a frame that a clause was made of.
    pub(super) fn origin<'c>(&'c self, clause: &'c Clause) -> &'c Clause {
        match clause.0 {
            Origin::General(at) => self.origin(&self.all[at].than),
            _ => clause,
        }
    }

    /// What says more than a clause, which is given with what it says and how intricate it is, and excludes some of the made-up states that
    /// are asked about and no reached one.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub(super) fn excluding(
        &mut self,
        evidence: &mut dyn Evidence,
        (than, less): (&Clause, Less),
        (stated, cost): (&Invariant, u32),
        targets: &Targets,
    ) -> Result<Option<Exclusion>, String> {
        let Some(at) = self.of(evidence, (than, less), (stated, cost)) else {
            return Ok(None);
        };
        let own = &self.all[at];
        let mut excludes = Vec::new();
        for block in targets.keys() {
            let truths = evidence.truths(*block, std::slice::from_ref(&own.stated))?;
            excludes.push(complement(&truths[0], evidence.states(*block)).made_up);
        }
        Ok(hits(&excludes, targets).then_some(Exclusion {
            clause: Clause(Origin::General(at)),
            cost: own.cost,
            excludes,
        }))
    }

    /// Where the clause is that says more than another one and holds in all reached states, if there is one.
    fn of(
        &mut self,
        evidence: &mut dyn Evidence,
        (than, less): (&Clause, Less),
        (stated, cost): (&Invariant, u32),
    ) -> Option<usize> {
        let blocks = evidence.universes().len();
        let key = (than.clone(), less);
        let at = match self.found.get(&key) {
            // With more states there is none either.
            Some(Found { at: None, .. }) => return None,
            Some(Found {
                at: Some(at),
                blocks,
            }) if holds(evidence, *blocks, &self.all[*at].stated) => Some(*at),
            _ => most_general(evidence, stated, less).map(|general| {
                self.number(Generalisation {
                    than: than.clone(),
                    stated: general,
                    cost: cost + BEYOND,
                })
            }),
        };
        self.found.insert(key, Found { at, blocks });
        at
    }

    /// The number of a clause: what says the same has the same.
    fn number(&mut self, general: Generalisation) -> usize {
        let own = &general.stated;
        let says_the_same = |one: &Generalisation| {
            one.stated.formula == own.formula && one.stated.locals == own.locals
        };
        let known = self.all.iter().position(says_the_same);
        known.unwrap_or_else(|| {
            self.all.push(general);
            self.all.len() - 1
        })
    }
}

/// A clause that supposes as little as possible and holds in all reached states; none if nothing can be left out of the given one.
fn most_general(evidence: &mut dyn Evidence, stated: &Invariant, less: Less) -> Option<Invariant> {
    let mut general = General::of(stated)?;
    let mut is_more = false;
    let kinds: &[fn(&General) -> Vec<Way>] = match less {
        Less::Differences => &[General::without],
        Less::Identities => &[General::lacking, General::without, General::apart],
    };
    for ways in kinds {
        // What does not hold by itself does not hold with something else left out.
        for way in surviving(evidence, &general, ways(&general)) {
            if !general.is_possible(&way) {
                continue;
            }
            let next = general.in_way(&way);
            if holds(evidence, 0, &next.invariant()) {
                (general, is_more) = (next, true);
            }
        }
    }
    is_more.then(|| general.invariant())
}

/// The ways in which a clause still holds in all reached states.
fn surviving(evidence: &mut dyn Evidence, general: &General, mut ways: Vec<Way>) -> Vec<Way> {
    for block in 0..evidence.universes().len() {
        if ways.is_empty() || evidence.is_spent() {
            return Vec::new();
        }
        let stated = ways.iter().map(|way| general.in_way(way).invariant());
        let stated: Vec<Invariant> = stated.collect();
        let mut holding = are_true(evidence, block, &stated).into_iter();
        ways.retain(|_| holding.next() == Some(true));
    }
    ways
}

/// Which of some invariants hold in the reached states of a block. Without what bounds its variables, one may have no value there.
fn are_true(evidence: &mut dyn Evidence, block: usize, stated: &[Invariant]) -> Vec<bool> {
    let reached = ones(evidence.states(block).0);
    if let Ok(truths) = evidence.truths(block, stated) {
        return truths
            .iter()
            .map(|truth| truth.reached == reached)
            .collect();
    }
    let alone = |one: &Invariant| {
        let truths = evidence.truths(block, std::slice::from_ref(one));
        truths.is_ok_and(|truths| truths[0].reached == reached)
    };
    stated.iter().map(alone).collect()
}

/// Whether an invariant holds in the reached states of all blocks from this one on.
fn holds(evidence: &mut dyn Evidence, from: usize, invariant: &Invariant) -> bool {
    for block in from..evidence.universes().len() {
        if evidence.is_spent() {
            return false;
        }
        if are_true(evidence, block, std::slice::from_ref(invariant)) != [true] {
            return false;
        }
    }
    true
}
