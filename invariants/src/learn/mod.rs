//! Lemmas from states: clauses over quantified variables that hold in all states reached, and that no second look refutes.
//!
//! ```text
//! frame    quantified variables and what they range over: valuations are states times their values
//! term     what can be read of the state: variables, elements, parts, operators of theories
//! atom     relations between terms; nested: formulas with further quantifiers that are used like atoms
//! mined    atoms that the text itself has
//! columns  the truth of atoms, asked of whoever can evaluate them, and kept
//! cover    minimal clauses that hit all valuations
//! clause   clauses as invariants of the core
//! stock    all clauses that hold, to choose among
//! ```
//! What holds in all states of the right types says nothing of the automaton: a clause must be violated by some *made-up* state.
//! Of clauses that exclude the same made-up states the simplest is kept. What is kept is looked for elsewhere, and a state that
//! refutes it is learnt from, until nothing is refuted any more.

mod atom;
mod clause;
mod columns;
mod cover;
mod evidence;
mod frame;
mod mined;
mod nested;
mod search;
mod simplest;
mod stock;
mod term;

use std::cmp::Reverse;
use std::collections::VecDeque;

use finite::Universe;
use ioa_lang::core::{AutomatonId, ExprKind, Invariant, Model};
use rustc_hash::FxHashMap;

use crate::focus::{About, Focus};

pub use evidence::{Evidence, Truth, ones};
pub use stock::{Clause, Exclusion, Stock, Targets};

use columns::{Columns, Unknown};
use evidence::live;
use frame::Frame;
use search::{EXHAUSTIVE, FrameSearch};

/// This part of what may be spent is left to second looks, and to what they refute.
const FOR_SECOND_LOOKS: f64 = 0.25;

/// What has a count in it is rather said without: people and provers take longer to see what it comes to.
const COST_OF_COUNT: u32 = 20;

/// Steps for long clauses, in all: each is a look at a valuation.
const LONG_STEPS: u64 = 100_000_000;
/// One frame may take this part of what is left of them.
const LONG_SHARE: u64 = 5;

/// Of more variables than this, little is said: there would be too many clauses.
const FULLY_DESCRIBED: usize = 2;

/// What is said where the rest of the quantifiers could not be tried.
const OVER: &str = "the budget was used up: not all quantifiers were tried";

/// The same where there is no memory for them.
const FULL: &str = "the memory was used up: not all quantifiers were tried";

/// Which of the clauses that exclude the same made-up states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The simplest ones.
    Simple,
    /// Those that exclude most, and of these the simplest ones.
    Strong,
}

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Literals of a clause, at most.
    pub literals: usize,
    /// Nested formulas of each form that have two literals, at most.
    pub pairs: usize,
    /// Whether the formulas in preconditions and in the model's invariants are atoms too.
    pub mined: bool,
    /// Quantified variables of a clause, at most, apart from nested ones.
    pub variables: usize,
    /// Whether variables range over positions in sequences too, and over the elements of collections whose types have
    /// infinitely many values.
    pub is_ranged: bool,
    /// Whether little is said of the variables, so that all clauses can be found that say no more than that.
    pub is_lean: bool,
    /// Which of the clauses that exclude the same are kept.
    pub prefers: Preference,
    /// Candidates that are kept, at most.
    pub candidates: usize,
    /// Bytes that the truth of atoms in all states may take, about.
    pub memory: u64,
    /// Second looks, at most.
    pub rounds: usize,
    /// Reached states in which each literal of a clause must have been the only true one; 0 where all states of an instance
    /// were reached, so that nothing holds by chance.
    pub support: u64,
}

/// A formula that holds in all states that were looked at.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// The formula.
    pub invariant: Invariant,
    /// How many made-up states it excludes that those before it do not.
    pub excludes: u64,
}

/// What was learnt.
#[derive(Clone, Debug, Default)]
pub struct Learnt {
    /// What holds, the simplest first.
    pub lemmas: Vec<Lemma>,
    /// How many more clauses hold that exclude no made-up state that these do not.
    pub redundant: usize,
    /// How many were left out because the others imply them, if anybody has shown that.
    pub implied: usize,
    /// How many were refuted by second looks.
    pub refuted: usize,
    /// Whether time or a limit ended the search, and what may be missing.
    pub partial: Vec<String>,
    /// Whether the last second look refuted nothing.
    pub is_settled: bool,
}

/// Where a formula that holds so far is from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Source {
    /// It was given, by position.
    Given(usize),
    /// It is a clause of a frame.
    Clause(usize, Vec<usize>),
}

/// A formula that holds so far.
struct Entry {
    source: Source,
    cost: u32,
    /// The made-up states that it excludes, block by block.
    excludes: Vec<u64>,
}

impl Entry {
    /// How many made-up states it excludes.
    fn count(&self) -> u64 {
        let words = self.excludes.iter();
        words.map(|word| u64::from(word.count_ones())).sum()
    }

    /// What is kept rather has a lower rank.
    fn rank(&self, prefers: Preference) -> (Reverse<u64>, u32, &Source) {
        let count = match prefers {
            Preference::Simple => 0,
            Preference::Strong => self.count(),
        };
        (Reverse(count), self.cost, &self.source)
    }
}

/// A formula that others proposed, with the made-up states that it excludes.
struct Given {
    invariant: Invariant,
    cost: u32,
    excludes: Vec<u64>,
    /// How many blocks it was tested on.
    tested: usize,
    holds: bool,
}

impl Given {
    fn new(invariant: Invariant) -> Self {
        let mut cost = 0;
        invariant.formula.walk(&mut |part| {
            cost += match part.kind {
                ExprKind::Comprehension(..) => COST_OF_COUNT,
                _ => 1,
            };
        });
        Self {
            invariant,
            cost,
            excludes: Vec::new(),
            tested: 0,
            holds: true,
        }
    }
}

/// The search with all that it keeps from round to round.
struct Learner<'a> {
    about: About<'a>,
    effort: Effort,
    columns: Columns,
    /// The frames that were not looked at yet.
    open: VecDeque<Frame>,
    frames: Vec<FrameSearch>,
    /// The clauses of each frame, as long as none of them is refuted.
    clauses: Vec<Option<Vec<Vec<usize>>>>,
    given: Vec<Given>,
    /// What clauses exclude in the blocks that were there at first.
    excluded: FxHashMap<(usize, Vec<usize>), Vec<u64>>,
    blocks: usize,
    /// Whether long clauses are looked for, in so many steps at most.
    goes_long: bool,
    steps: u64,
    learnt: Learnt,
}

/// Learns lemmas about what is looked at of an automaton; formulas that are `given` are tested and chosen among together with those that are found.
///
/// # Errors
/// Why formulas cannot be evaluated.
pub fn learn(
    (model, automaton): (&Model, AutomatonId),
    focus: &Focus,
    given: Vec<Invariant>,
    evidence: &mut dyn Evidence,
    effort: Effort,
) -> Result<Learnt, String> {
    let about = About {
        model,
        automaton,
        focus,
    };
    let mut learner = Learner::new(about, given, evidence, effort);
    learner.learn(evidence)?;
    Ok(learner.learnt)
}

/// Whether the states of an automaton have collections whose elements or positions an effort that [is
/// ranged](Effort::is_ranged) quantifies over.
#[must_use]
pub fn has_ranges(about: (&Model, AutomatonId), universe: &Universe) -> bool {
    Frame::any_ranged(About::whole(about), universe)
}

impl<'a> Learner<'a> {
    fn new(
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
            excluded: FxHashMap::default(),
            blocks: evidence.universes().len(),
            goes_long: false,
            steps: LONG_STEPS,
            learnt: Learnt::default(),
        }
    }

    fn learn(&mut self, evidence: &mut dyn Evidence) -> Result<(), String> {
        if self.blocks == 0 {
            self.leave_untested();
            return Ok(());
        }
        let frames = Frame::all(self.about, evidence, self.effort.is_ranged).into_iter();
        self.open = frames
            .filter(|frame| frame.binders.len() <= self.effort.variables)
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
        };
        self.learnt.lemmas = self.given.iter().map(lemma).collect();
        self.note("no states could be visited");
    }

    /// Searches, looks elsewhere and learns from what refutes, until nothing does.
    fn rounds(&mut self, evidence: &mut dyn Evidence) -> Result<(), String> {
        let mut kept: Vec<Entry> = Vec::new();
        for round in 0..self.effort.rounds {
            self.search(evidence)?;
            kept = self.select(evidence);
            let candidates: Vec<Invariant> = kept
                .iter()
                .enumerate()
                .map(|(at, entry)| self.stated(&entry.source, &format!("Cand{}", at + 1)))
                .collect();
            let hold = self.hold_everywhere(&kept, &candidates, evidence)?;
            let both = kept.into_iter().zip(candidates).zip(hold);
            let holding = both.filter_map(|(pair, holds)| holds.then_some(pair));
            let (entries, candidates): (Vec<Entry>, Vec<Invariant>) = holding.unzip();
            kept = entries;
            let refuted = evidence.second_look(&candidates)?;
            let count = refuted.iter().filter(|r| **r).count();
            self.learnt.refuted += count;
            let mut fates = refuted.into_iter();
            kept.retain(|_| fates.next() != Some(true));
            if count == 0 && !self.goes_long && self.effort.literals > EXHAUSTIVE {
                // What long clauses are to exclude is known only once the short ones are true.
                self.goes_long = true;
            } else if count == 0 {
                self.learnt.is_settled = evidence.is_whole();
                break;
            }
            if evidence.is_spent() || round + 1 == self.effort.rounds {
                self.note("not all that was refuted elsewhere was replaced by something weaker");
                break;
            }
        }
        let lemmas = kept.iter().enumerate().map(|(at, entry)| Lemma {
            invariant: self.in_words(&entry.source, &format!("Cand{}", at + 1)),
            excludes: entry.count(),
        });
        self.learnt.lemmas = lemmas.collect();
        Ok(())
    }

    /// Which candidates hold in all reached states. In an instance where variables have too many values, the search has not
    /// looked at all of them.
    fn hold_everywhere(
        &self,
        kept: &[Entry],
        candidates: &[Invariant],
        evidence: &mut dyn Evidence,
    ) -> Result<Vec<bool>, String> {
        let is_open = |entry: &Entry| match entry.source {
            Source::Given(_) => false,
            Source::Clause(frame, _) => !self.frames[frame].has_seen_all(),
        };
        let open: Vec<usize> = (0..kept.len()).filter(|at| is_open(&kept[*at])).collect();
        let asked: Vec<Invariant> = open.iter().map(|at| candidates[*at].clone()).collect();
        let mut hold = vec![true; kept.len()];
        for (at, holds) in open
            .into_iter()
            .zip(evidence::hold_everywhere(evidence, &asked)?)
        {
            hold[at] = holds;
        }
        Ok(hold)
    }

    /// What is known to hold, as it was found.
    fn stated(&self, source: &Source, name: &str) -> Invariant {
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
    fn in_words(&self, source: &Source, name: &str) -> Invariant {
        let stated = self.stated(source, name);
        if let Source::Clause(frame, _) = source
            && self.frames[*frame].frame.is_ranged()
        {
            // Where a variable has infinitely many values, what it ranges over has to stand first.
            return stated;
        }
        Invariant {
            formula: simplest::simplest(&stated.formula),
            ..stated
        }
    }

    /// Tests what was given on the blocks that are new.
    fn test_given(&mut self, evidence: &mut dyn Evidence) -> Result<(), String> {
        for block in 0..evidence.universes().len() {
            let open: Vec<usize> = (0..self.given.len())
                .filter(|at| self.given[*at].holds && self.given[*at].tested == block)
                .collect();
            let asked: Vec<Invariant> = open
                .iter()
                .map(|at| self.given[*at].invariant.clone())
                .collect();
            if asked.is_empty() {
                continue;
            }
            let (reached, made_up) = evidence.states(block);
            for (at, truth) in open.into_iter().zip(evidence.truths(block, &asked)?) {
                let given = &mut self.given[at];
                let states: u64 = truth
                    .reached
                    .iter()
                    .map(|w| u64::from(w.count_ones()))
                    .sum();
                given.holds = states == reached as u64;
                given.tested = block + 1;
                if block < self.blocks {
                    let words = truth.made_up.iter().enumerate();
                    given
                        .excludes
                        .extend(words.map(|(at, w)| !w & live(made_up, at)));
                }
            }
        }
        Ok(())
    }

    /// Finds the clauses of the frames in which those of before do not hold any more.
    fn search(&mut self, evidence: &mut dyn Evidence) -> Result<(), String> {
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
            let how = (frame, self.effort.pairs, self.effort.mined);
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
    fn search_long(&mut self, evidence: &mut dyn Evidence) {
        let counts: Vec<usize> = (0..self.blocks).map(|b| evidence.states(b).1).collect();
        let mut open: Vec<Vec<u64>> = counts.iter().map(|count| ones(*count)).collect();
        for (at, clauses) in self.clauses.iter().enumerate() {
            for clause in clauses.iter().flatten() {
                let about = (&self.frames[at], at, clause);
                let excluded = excluded(&mut self.excluded, about, &counts, evidence);
                let all = open.iter_mut().flatten();
                all.zip(excluded).for_each(|(open, word)| *open &= !word);
            }
        }
        for at in 0..self.frames.len() {
            let frame = &mut self.frames[at];
            let Some(clauses) = &mut self.clauses[at] else {
                continue;
            };
            if frame.frame.binders.len() > FULLY_DESCRIBED || evidence.is_spent() {
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
                self.note(FULL);
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
        let absorbed = frame.absorb(self.about.model, evidence, &mut self.columns);
        let is_spent = matches!(absorbed, Err(Unknown::Spent));
        if self.if_known(absorbed)?.is_none() {
            // Where nothing is left to spend, what was found before stays: it is tested again before anybody hears of it.
            if !is_spent {
                self.clauses[at] = Some(Vec::new());
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

    /// The clauses that exclude made-up states which simpler ones do not.
    fn select(&mut self, evidence: &dyn Evidence) -> Vec<Entry> {
        let counts: Vec<usize> = (0..self.blocks).map(|b| evidence.states(b).1).collect();
        let mut entries: Vec<Entry> = Vec::new();
        for (at, clauses) in self.clauses.iter().enumerate() {
            let frame = &self.frames[at];
            for clause in clauses.iter().flatten() {
                let about = (frame, at, clause);
                let excludes = excluded(&mut self.excluded, about, &counts, evidence);
                let says_something = excludes.iter().any(|word| *word != 0);
                let least = self.effort.support;
                // To count the states that support a clause takes long.
                let is_supported = || least == 0 || least <= supported(frame, clause, self.blocks);
                if says_something && is_supported() {
                    entries.push(Entry {
                        source: Source::Clause(at, clause.clone()),
                        cost: frame.cost(clause),
                        excludes: excludes.to_vec(),
                    });
                }
            }
        }
        for (at, given) in self
            .given
            .iter()
            .enumerate()
            .filter(|(_, given)| given.holds)
        {
            entries.push(Entry {
                source: Source::Given(at),
                cost: given.cost,
                excludes: given.excludes.clone(),
            });
        }
        let prefers = self.effort.prefers;
        entries.sort_by(|a, b| a.rank(prefers).cmp(&b.rank(prefers)));
        let mut excluded: Vec<u64> = vec![0; counts.iter().map(|c| c.div_ceil(64)).sum()];
        let all = entries.len();
        entries.retain_mut(|entry| {
            for (word, before) in entry.excludes.iter_mut().zip(&mut excluded) {
                *word &= !*before;
                *before |= *word;
            }
            entry.excludes.iter().any(|word| *word != 0)
        });
        entries.truncate(self.effort.candidates);
        self.learnt.redundant = all - entries.len();
        entries
    }
}

/// The made-up states of so many in each block that a clause of a frame excludes. What was found out before is known.
fn excluded<'k>(
    known: &'k mut FxHashMap<(usize, Vec<usize>), Vec<u64>>,
    (frame, at, clause): (&FrameSearch, usize, &Vec<usize>),
    counts: &[usize],
    evidence: &dyn Evidence,
) -> &'k [u64] {
    known.entry((at, clause.clone())).or_insert_with(|| {
        let blocks = counts.iter().enumerate();
        let each = blocks.map(|(block, count)| {
            evidence.spend(frame.looks(clause, block, *count));
            frame.violators(clause, block, *count)
        });
        each.collect::<Vec<_>>().concat()
    })
}

/// The states that support the least supported literal of a clause.
fn supported(frame: &FrameSearch, clause: &[usize], blocks: usize) -> u64 {
    let mut sums = vec![0; clause.len()];
    for block in 0..blocks {
        for (sum, more) in sums.iter_mut().zip(frame.support(clause, block)) {
            *sum += more;
        }
    }
    sums.into_iter().min().unwrap_or(0)
}
