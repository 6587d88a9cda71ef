//! The search for clauses in each frame, and what is tested beside them.

use ioa_lang::core::Invariant;

use super::super::columns::Unknown;
use super::super::evidence::{Evidence, live, ones};
use super::super::search::Open;
use super::super::search::{EXHAUSTIVE, FrameSearch};
use super::{FOR_SECOND_LOOKS, FULLY_DESCRIBED, Learner};

/// One frame may take this part of the steps that are left for long clauses.
const LONG_SHARE: u64 = 5;

/// So many of the formulas that were given are tested at once.
const GIVEN_AT_ONCE: usize = 512;

/// So many of them are tested where nothing is left to spend: these are soon done.
const GIVEN_AT_LAST: usize = 32;

/// What is said where some of the formulas that were given were not tested.
const UNTESTED: &str = "the search ended early: not all relations were tested";

/// What is said where the rest of the quantifiers could not be tried.
const OVER: &str = "the search ended early: not all quantifiers were tried";

/// What is said of the rest of the quantifiers where there is no memory to try them.
pub const NO_MEMORY: &str = "the memory was used up: not all quantifiers were tried";

/// How many states of each block are made up.
pub(super) fn made_up(evidence: &dyn Evidence) -> Vec<usize> {
    let blocks = 0..evidence.universes().len();
    blocks.map(|block| evidence.states(block).1).collect()
}

impl Learner<'_> {
    /// Tests what was given on the blocks that are new, the simplest first. What there was no time to test is left out, but for the
    /// first ones.
    fn test_given(&mut self, evidence: &mut dyn Evidence) -> Result<(), String> {
        for block in 0..evidence.universes().len() {
            let is_open = |at: &usize| self.given[*at].holds && self.given[*at].tested == block;
            let mut open: Vec<usize> = (0..self.given.len()).filter(is_open).collect();
            open.sort_by_key(|at| self.given[*at].cost);
            let at_once = match evidence.is_spent() {
                true => GIVEN_AT_LAST,
                false => GIVEN_AT_ONCE,
            };
            for (number, tested) in open.chunks(at_once).enumerate() {
                if number > 0 && evidence.is_spent() {
                    let rest = &open[number * at_once..];
                    rest.iter().for_each(|at| self.given[*at].holds = false);
                    self.note(UNTESTED);
                    break;
                }
                self.test_at(block, tested, evidence)?;
            }
        }
        Ok(())
    }

    /// Tests some of what was given on a block.
    fn test_at(
        &mut self,
        block: usize,
        tested: &[usize],
        evidence: &mut dyn Evidence,
    ) -> Result<(), String> {
        let asked = tested.iter().map(|at| self.given[*at].invariant.clone());
        let asked: Vec<Invariant> = asked.collect();
        let (reached, made_up) = evidence.states(block);
        for (at, truth) in tested.iter().zip(evidence.truths(block, &asked)?) {
            let given = &mut self.given[*at];
            given.holds = truth.reached == ones(reached);
            given.tested = block + 1;
            let words = truth.made_up.iter().enumerate();
            given
                .excludes
                .extend(words.map(|(at, w)| !w & live(made_up, at)));
        }
        Ok(())
    }

    /// Finds the clauses of the frames in which those of before do not hold any more.
    pub(in super::super) fn search(&mut self, evidence: &mut dyn Evidence) -> Result<(), String> {
        self.test_given(evidence)?;
        for at in 0..self.frames.len() {
            self.search_again(at, evidence)?;
        }
        while let Some(frame) = self.open.pop_front() {
            if evidence.left() < FOR_SECOND_LOOKS {
                self.note(OVER);
                self.open.clear();
                break;
            }
            evidence.begins(&frame.binders);
            let goes_long = self.effort.literals > EXHAUSTIVE;
            let how = (frame, self.effort.pairs, self.effort.mining, goes_long);
            let search = FrameSearch::new(self.about, how, evidence, &mut self.columns);
            let Some(search) = self.if_known(search)? else {
                continue;
            };
            self.frames.push(search);
            self.clauses.push(None);
            self.search_again(self.frames.len() - 1, evidence)?;
        }
        if self.goes_long {
            self.search_long(evidence);
        }
        Ok(())
    }

    /// Finds long clauses that exclude made-up states which no others do.
    fn search_long(&mut self, evidence: &dyn Evidence) {
        let counts = made_up(evidence);
        let mut open = Open::all(&counts);
        for (frame, clauses) in self.frames.iter().zip(&self.clauses) {
            let mut sieve = frame.sieve();
            for clause in clauses.iter().flatten() {
                let (excluded, looks) = sieve.excluded(clause, &open);
                evidence.spend(looks);
                open.close(&excluded);
            }
        }
        for at in 0..self.frames.len() {
            let frame = &mut self.frames[at];
            let Some(clauses) = &mut self.clauses[at] else {
                continue;
            };
            // Where a block was not taken in, nobody knows what holds in its states.
            let is_blind = frame.taken_in() < counts.len();
            if frame.frame.binders.len() > FULLY_DESCRIBED || is_blind || evidence.is_spent() {
                continue;
            }
            let most = (self.effort.literals, self.steps / LONG_SHARE);
            let found = frame.long_clauses(most, &mut open);
            self.steps -= found.looks;
            evidence.spend(found.looks);
            clauses.extend(found.found);
            if found.is_partial || frame.is_truncated {
                self.note("not all long clauses were tried");
            }
        }
    }

    /// What rests on columns, if they are known; if they are not, why is noted.
    fn if_known<T>(&mut self, found: Result<T, Unknown>) -> Result<Option<T>, String> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(Unknown::Full) => {
                self.note(NO_MEMORY);
                Ok(None)
            }
            Err(Unknown::Spent) => {
                self.note(OVER);
                Ok(None)
            }
            Err(Unknown::Reason(reason)) => Err(reason),
        }
    }

    /// Finds the clauses of a frame, unless those of before hold in the new states as well.
    fn search_again(&mut self, at: usize, evidence: &mut dyn Evidence) -> Result<(), String> {
        if evidence.is_spent() && self.clauses[at].is_none() {
            self.note(OVER);
            return Ok(());
        }
        let frame = &mut self.frames[at];
        if frame.is_closed {
            return Ok(());
        }
        evidence.begins(&frame.frame.binders);
        let absorbed = frame.absorb(self.about.model, evidence, &mut self.columns);
        let is_spent = matches!(absorbed, Err(Unknown::Spent));
        if self.if_known(absorbed)?.is_none() {
            // What was found before stays: it is tested again before anybody hears of it.
            if !is_spent {
                self.frames[at].is_closed = true;
                self.clauses[at].get_or_insert_default();
            }
            return Ok(());
        }
        let frame = &mut self.frames[at];
        let clauses = self.clauses[at].as_ref();
        if clauses.is_some_and(|clauses| clauses.iter().all(|c| frame.holds(c))) {
            return Ok(());
        }
        let before = self.clauses[at].as_deref().unwrap_or_default();
        let found = frame.clauses(self.effort.literals, before);
        evidence.spend(found.looks);
        let is_partial = found.is_partial || frame.is_truncated;
        self.clauses[at] = Some(found.found);
        if is_partial {
            self.note("not all long clauses were tried");
        }
        Ok(())
    }
}
