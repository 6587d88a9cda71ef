//! The search in all frames, round by round: what is found is looked for elsewhere, and what is refuted there is replaced.
//!
//! ```text
//! effort    how much is tried
//! learnt    what comes of it
//! entry     formulas that hold so far
//! searches  the search for clauses in each frame
//! choice    which of them are kept
//! tested    whether they hold where their frames have not seen everything
//! ```

mod choice;
mod effort;
mod entry;
mod learnt;
mod searches;
mod tested;

use std::collections::VecDeque;

use ioa_lang::core::Invariant;

use super::clause::simplest;
use super::columns::Columns;
use super::evidence::Evidence;
use super::frame::Frame;
use super::search::{EXHAUSTIVE, FrameSearch};
use crate::focus::About;
use entry::{Entry, Given};
use tested::{Fate, Tested};

pub use effort::{Effort, Preference};
pub(super) use entry::Source;
pub use learnt::{Learnt, Lemma};
pub use searches::NO_MEMORY;

/// Steps for long clauses, in all: each is a look at a valuation.
const LONG_STEPS: u64 = 100_000_000;

/// This part of what may be spent is left to second looks, and to what they refute.
const FOR_SECOND_LOOKS: f64 = 0.25;

/// No states are made up once more where no more than this part is left.
const FOR_MADE_UP: f64 = 0.3;

/// What is said where candidates were refuted, and nothing more is learnt.
const NOT_REPLACED: &str = "not all that was refuted elsewhere was replaced by something weaker";

/// What is said where clauses were left out because there was no time to test them.
const NOT_TESTED: &str =
    "the search ended early: candidates were left out that could not be tested on all states";

/// Of more variables than this, little is said: there would be too many clauses.
const FULLY_DESCRIBED: usize = 2;

/// The search with all that it keeps from round to round.
pub(super) struct Learner<'a> {
    pub(super) about: About<'a>,
    effort: Effort,
    pub(super) columns: Columns,
    /// The frames that were not looked at yet.
    open: VecDeque<Frame>,
    pub(super) frames: Vec<FrameSearch>,
    /// The clauses of each frame, as long as none of them is refuted.
    pub(super) clauses: Vec<Option<Vec<Vec<usize>>>>,
    given: Vec<Given>,
    /// Clauses that were tested beyond their frames.
    tested: Tested,
    blocks: usize,
    /// How often states were made up that no candidate excludes.
    made_up: usize,
    /// Whether long clauses are looked for, in so many steps at most.
    goes_long: bool,
    steps: u64,
    pub(super) learnt: Learnt,
}

impl<'a> Learner<'a> {
    pub(super) fn new(
        about: About<'a>,
        given: Vec<Invariant>,
        evidence: &dyn Evidence,
        effort: Effort,
    ) -> Self {
        Self {
            about,
            effort,
            columns: Columns::new(about.automaton, effort.memory),
            open: VecDeque::new(),
            frames: Vec::new(),
            clauses: Vec::new(),
            given: given.into_iter().map(Given::new).collect(),
            tested: Tested::default(),
            blocks: evidence.universes().len(),
            made_up: 0,
            goes_long: false,
            steps: LONG_STEPS,
            learnt: Learnt::default(),
        }
    }

    /// Learns what holds and says something.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub(super) fn learn(&mut self, evidence: &mut dyn Evidence) -> Result<(), String> {
        if self.blocks == 0 {
            self.leave_untested();
            return Ok(());
        }
        let frames = Frame::all(self.about, evidence, self.effort.is_ranged).into_iter();
        self.open = frames
            .filter(|frame| frame.described() <= self.effort.variables)
            .map(|frame| {
                let is_large = frame.is_ranged() || frame.binders.len() > FULLY_DESCRIBED;
                match self.effort.is_lean || is_large {
                    true => frame.lean(),
                    false => frame,
                }
            })
            .collect();
        self.rounds(evidence)
    }

    fn note(&mut self, what: &str) {
        if self.learnt.partial.iter().all(|said| said != what) {
            self.learnt.partial.push(what.to_owned());
        }
    }

    /// What was given, where there are no states to test it on.
    fn leave_untested(&mut self) {
        let lemma = |given: &Given| Lemma {
            invariant: given.invariant.clone(),
            excludes: 0,
            is_spared: false,
        };
        self.learnt.lemmas = self.given.iter().map(lemma).collect();
        self.note("no states could be visited");
    }

    /// Searches, looks elsewhere and learns from what refutes, until nothing does.
    fn rounds(&mut self, evidence: &mut dyn Evidence) -> Result<(), String> {
        let mut kept: Vec<Entry> = Vec::new();
        let mut left = self.effort.rounds;
        while left > 0 {
            left -= 1;
            self.search(evidence)?;
            kept = self.select(evidence);
            let candidates: Vec<Invariant> = kept
                .iter()
                .enumerate()
                .map(|(at, entry)| self.stated(&entry.source, &format!("Cand{}", at + 1)))
                .collect();
            let hold = self.hold_everywhere(&kept, &candidates, evidence)?;
            self.forget_false(&kept, &hold);
            let both = kept.into_iter().zip(candidates).zip(hold);
            let holding = both.filter_map(|(pair, holds)| holds.then_some(pair));
            let (entries, candidates): (Vec<Entry>, Vec<Invariant>) = holding.unzip();
            kept = entries;
            let refuted = evidence.second_look(&candidates)?;
            let is_refuted = self.drop_refuted(&mut kept, &refuted);
            if !is_refuted && !self.goes_long && self.effort.literals > EXHAUSTIVE {
                // What long clauses are to exclude is known only once the short ones are true.
                self.goes_long = true;
                left = self.effort.rounds;
            } else if !is_refuted && self.makes_up(&candidates, evidence)? {
                // What excludes these is found in the next round.
                left = self.effort.rounds;
            } else if !is_refuted {
                let is_whole = evidence.is_whole();
                let refuted = self.last_look(&candidates, evidence, false);
                if !self.drop_refuted(&mut kept, &refuted) {
                    self.learnt.is_settled = is_whole;
                    break;
                }
                left = self.effort.rounds;
            }
            if evidence.is_spent() || left == 0 {
                self.note(NOT_REPLACED);
                break;
            }
        }
        self.look_finally(&mut kept, evidence);
        let lemmas = kept.iter().enumerate().map(|(at, entry)| Lemma {
            invariant: self.in_words(&entry.source, &format!("Cand{}", at + 1)),
            excludes: entry.count,
            is_spared: entry.count == 0,
        });
        self.learnt.lemmas = lemmas.collect();
        Ok(())
    }

    /// Leaves out what is refuted; says whether anything is.
    fn drop_refuted(&mut self, kept: &mut Vec<Entry>, refuted: &[bool]) -> bool {
        let count = refuted.iter().filter(|refuted| **refuted).count();
        self.learnt.refuted += count;
        let mut fates = refuted.iter();
        kept.retain(|_| fates.next() != Some(&true));
        count > 0
    }

    /// Says what is refuted farther away, where that is asked.
    fn last_look(
        &self,
        candidates: &[Invariant],
        evidence: &mut dyn Evidence,
        is_final: bool,
    ) -> Vec<bool> {
        match self.effort.made_up {
            0 => Vec::new(),
            _ => evidence.last_look(candidates, is_final),
        }
    }

    /// Leaves out what is refuted when it is about to be reported.
    fn look_finally(&mut self, kept: &mut Vec<Entry>, evidence: &mut dyn Evidence) {
        let stated = kept.iter().map(|entry| self.stated(&entry.source, "Cand"));
        let candidates: Vec<Invariant> = stated.collect();
        let refuted = self.last_look(&candidates, evidence, true);
        if self.drop_refuted(kept, &refuted) {
            self.note(NOT_REPLACED);
        }
    }

    /// Makes up states that no candidate excludes, if that is wanted once more and there is enough left to look at them.
    fn makes_up(
        &mut self,
        candidates: &[Invariant],
        evidence: &mut dyn Evidence,
    ) -> Result<bool, String> {
        if self.made_up == self.effort.made_up || evidence.left() < FOR_MADE_UP {
            return Ok(false);
        }
        self.made_up += 1;
        evidence.make_up(candidates)
    }

    /// Which candidates hold in all reached states. In an instance where variables have too many values, the search has not
    /// looked at all of them. What there is no time to test does not count as holding.
    fn hold_everywhere(
        &mut self,
        kept: &[Entry],
        candidates: &[Invariant],
        evidence: &mut dyn Evidence,
    ) -> Result<Vec<bool>, String> {
        let is_open = |entry: &Entry| match entry.source {
            Source::Given(_) => false,
            Source::Clause(frame, _) => !self.frames[frame].has_seen_all(),
        };
        let open: Vec<usize> = (0..kept.len()).filter(|at| is_open(&kept[*at])).collect();
        let clauses = open.iter().map(|at| (&kept[*at].source, &candidates[*at]));
        let clauses: Vec<(&Source, &Invariant)> = clauses.collect();
        let fates = self.tested.fates(&clauses, evidence)?;
        if fates.contains(&Fate::Open) {
            self.note(NOT_TESTED);
        }
        let mut hold = vec![true; kept.len()];
        for (at, fate) in open.into_iter().zip(fates) {
            hold[at] = fate == Fate::Holds;
        }
        Ok(hold)
    }

    /// Forgets clauses of frames that take no more states in and so do not notice what refutes them.
    fn forget_false(&mut self, kept: &[Entry], hold: &[bool]) {
        for (entry, _) in kept.iter().zip(hold).filter(|(_, holds)| !**holds) {
            if let Source::Clause(frame, clause) = &entry.source
                && self.frames[*frame].is_closed
                && let Some(clauses) = &mut self.clauses[*frame]
            {
                clauses.retain(|own| own != clause);
            }
        }
    }

    /// What is known to hold, as it was found.
    pub(super) fn stated(&self, source: &Source, name: &str) -> Invariant {
        match source {
            Source::Given(given) => Invariant {
                name: name.into(),
                ..self.given[*given].invariant.clone()
            },
            Source::Clause(frame, clause) => {
                let about = (self.about.model, self.about.automaton);
                self.frames[*frame].invariant(about, clause, name)
            }
        }
    }

    /// What is known to hold, said as simply as is known.
    pub(super) fn in_words(&self, source: &Source, name: &str) -> Invariant {
        match source {
            Source::Given(_) => {
                let stated = self.stated(source, name);
                Invariant {
                    formula: simplest(&stated.formula),
                    ..stated
                }
            }
            Source::Clause(frame, clause) => {
                let about = (self.about.model, self.about.automaton);
                self.frames[*frame].in_words(about, clause, name)
            }
        }
    }
}
