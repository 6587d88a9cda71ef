//! The steps and the invariants of an automaton, native as far as possible.

use interpreter::code::Word;
use interpreter::{Batch, Broken, Clause, Instance, Successors, Unexpanded};
use ioa_lang::Diagnostic;
use ioa_lang::core::{AutomatonId, TransitionId};

use crate::analysis::{Obstacle, Survey};
use crate::call::{Function, Tally, looks_each_time};
use crate::expand::over_states;
use crate::interpreted::{Interpreted, clear};
use crate::jit::{Code, Unsupported, Workshop};

/// What of an automaton is native.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Why there is no native code on this machine, if there is none.
    pub unsupported: Option<String>,
    /// The transition clauses that cannot be translated. If there are any, all steps are interpreted.
    pub clauses: Vec<(TransitionId, Obstacle)>,
    /// The invariants that are interpreted, by their positions in the model.
    pub invariants: Vec<(usize, Obstacle)>,
    /// The states whose steps were computed by native code.
    pub native: u64,
    /// The states whose steps were interpreted.
    pub interpreted: u64,
}

/// The steps and the invariants of an automaton all of whose states are words.
pub struct Native<'i> {
    interpreted: Interpreted<'i>,
    words: usize,
    clauses: usize,
    code: Option<Code>,
    expand: Option<Function>,
    check: Option<Function>,
    /// The positions, among the invariants that are checked, of those that `check` is about.
    checked: Vec<usize>,
    /// The positions of the others.
    unchecked: Vec<usize>,
    /// For each clause, the bytes of the successors that native code gave.
    bytes: Vec<u64>,
    /// What `check` found.
    verdicts: Vec<u64>,
    coverage: Coverage,
    listing: Option<String>,
}

impl<'i> Native<'i> {
    /// Compiles an automaton all of whose states are words, with the invariants to be checked, by their positions in
    /// the model.
    ///
    /// # Errors
    /// Every reason why it cannot be run at these sizes.
    ///
    /// # Panics
    /// If a state does not consist of words, or of none.
    pub fn new(
        instance: &'i Instance,
        automaton: AutomatonId,
        invariants: &[usize],
    ) -> Result<Self, Vec<Diagnostic>> {
        Self::made(instance, automaton, invariants, false)
    }

    /// The same, keeping the text of the machine code for [`Native::listing`].
    ///
    /// # Errors
    /// As [`Native::new`].
    ///
    /// # Panics
    /// As [`Native::new`].
    pub fn listed(
        instance: &'i Instance,
        automaton: AutomatonId,
        invariants: &[usize],
    ) -> Result<Self, Vec<Diagnostic>> {
        Self::made(instance, automaton, invariants, true)
    }

    fn made(
        instance: &'i Instance,
        automaton: AutomatonId,
        invariants: &[usize],
        listed: bool,
    ) -> Result<Self, Vec<Diagnostic>> {
        let layout = instance.layout(automaton);
        assert!(
            layout.is_packed() && layout.words() > 0,
            "states that consist of words"
        );
        let mut native = Self {
            interpreted: Interpreted::new(instance, automaton, invariants)?,
            words: layout.words(),
            clauses: instance.clauses(automaton).len(),
            code: None,
            expand: None,
            check: None,
            checked: Vec::new(),
            unchecked: (0..invariants.len()).collect(),
            bytes: Vec::new(),
            verdicts: Vec::new(),
            coverage: Coverage::default(),
            listing: None,
        };
        if let Err(why) = native.compile(instance, automaton, invariants, listed) {
            native.coverage.unsupported = Some(why);
            (native.code, native.expand, native.check) = (None, None, None);
            native.unchecked = (0..invariants.len()).collect();
        }
        Ok(native)
    }

    fn compile(
        &mut self,
        instance: &Instance,
        automaton: AutomatonId,
        invariants: &[usize],
        listed: bool,
    ) -> Result<(), Unsupported> {
        let mut workshop = Workshop::new()?;
        workshop.listing = listed.then(String::new);
        let mut functions = 0..;
        match surveyed(instance, automaton) {
            Ok((clauses, results)) => {
                let shape = (self.words, looks_each_time(results));
                workshop.function(|builder, job| {
                    over_states(builder, job, shape, |e, frame| {
                        frame.successors(e, &clauses);
                    })
                })?;
                self.expand = functions.next().map(|position| Function {
                    position,
                    words: self.words,
                    result: self.words,
                    results,
                });
            }
            Err(obstacles) => self.coverage.clauses = obstacles,
        }
        let formulas = self.translatable(instance, automaton, invariants);
        if !formulas.is_empty() {
            let results = formulas.len() as u64;
            let shape = (self.words, looks_each_time(results));
            workshop.function(|builder, job| {
                over_states(builder, job, shape, |e, frame| {
                    frame.verdicts(e, &formulas);
                })
            })?;
            self.check = functions.next().map(|position| Function {
                position,
                words: self.words,
                result: 1,
                results,
            });
        }
        self.listing = workshop.listing.take();
        self.code = Some(workshop.finish()?);
        Ok(())
    }

    /// The invariants that can be translated; notes which they are, and what keeps the others from it.
    fn translatable<'f>(
        &mut self,
        instance: &'f Instance,
        automaton: AutomatonId,
        invariants: &[usize],
    ) -> Vec<&'f Word> {
        let mut formulas = Vec::new();
        self.unchecked.clear();
        for (position, invariant) in invariants.iter().enumerate() {
            let formula = instance.invariant(automaton, *invariant);
            let formula = formula.ok_or(Obstacle::Unusable).and_then(|formula| {
                Survey::formula(&formula.body)?;
                Ok(&formula.body)
            });
            match formula {
                Ok(body) => {
                    formulas.push(body);
                    self.checked.push(position);
                }
                Err(obstacle) => {
                    self.coverage.invariants.push((*invariant, obstacle));
                    self.unchecked.push(position);
                }
            }
        }
        formulas
    }

    /// What is native, and how often it has been used.
    #[must_use]
    pub fn report(&self) -> &Coverage {
        &self.coverage
    }

    /// The machine code, as text; for those who want to look at it.
    #[must_use]
    pub fn listing(&self) -> Option<&str> {
        self.listing.as_deref()
    }

    /// What is native by native code, the rest by interpretation; clauses are counted apart.
    fn expand_all(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        let count = states.len() / self.words;
        let Some(function) = self.expand else {
            self.coverage.interpreted += count as u64;
            return self.interpreted.expand(states, batch);
        };
        let mut from = 0;
        while from < count {
            batch.ends.resize(count, 0);
            batch.active.resize(count, false);
            let tally = Tally {
                ends: &mut batch.ends,
                active: &mut batch.active,
                fired: &mut self.bytes,
            };
            let code = self.code.as_ref().expect("a function has code");
            let trouble = function.run(code, states, from, &mut batch.words, tally);
            let at = trouble.unwrap_or(count);
            self.coverage.native += (at - from) as u64;
            from = at;
            if trouble.is_some() {
                self.interpret(states, at, batch)?;
                from += 1;
            }
        }
        Ok(())
    }

    /// Interprets the steps from one state.
    fn interpret(
        &mut self,
        states: &[u64],
        position: usize,
        batch: &mut Batch,
    ) -> Result<(), Unexpanded> {
        let state = &states[position * self.words..][..self.words];
        // What is told of the states behind it is not true yet.
        batch.ends.truncate(position);
        batch.active.truncate(position);
        self.coverage.interpreted += 1;
        let expanded = self.interpreted.expand_one(state, batch);
        expanded.map_err(|_| Unexpanded(position))
    }

    /// Interprets some invariants in some states.
    fn check_interpreted(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        for (state, words) in states.chunks_exact(self.words).enumerate() {
            for invariant in &self.unchecked {
                if self.interpreted.is_broken(words, *invariant) {
                    let invariant = *invariant;
                    broken.push(Broken { state, invariant });
                }
            }
        }
    }
}

/// The clauses with the greatest number of results they can have together, if all of them can be translated.
fn surveyed(
    instance: &Instance,
    automaton: AutomatonId,
) -> Result<(Vec<Clause<'_>>, u64), Vec<(TransitionId, Obstacle)>> {
    let (mut clauses, mut obstacles, mut total) = (Vec::new(), Vec::new(), 0_u64);
    for (position, clause) in instance.clauses(automaton).into_iter().enumerate() {
        let bounds = clause.as_ref().ok_or(Obstacle::Unusable);
        match bounds.and_then(Survey::clause) {
            Ok(bounds) => total = total.saturating_add(bounds.results),
            Err(obstacle) => obstacles.push((TransitionId::at(position), obstacle)),
        }
        clauses.extend(clause);
    }
    if obstacles.is_empty() {
        Ok((clauses, total))
    } else {
        Err(obstacles)
    }
}

impl Successors for Native<'_> {
    fn words(&self) -> usize {
        self.words
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        clear(batch, self.clauses);
        self.bytes.clear();
        self.bytes.resize(self.clauses, 0);
        let expanded = self.expand_all(states, batch);
        for (fired, bytes) in batch.fired.iter_mut().zip(&self.bytes) {
            *fired += bytes / (8 * self.words as u64);
        }
        expanded
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        broken.clear();
        if let (Some(code), Some(function)) = (&self.code, self.check) {
            self.verdicts.clear();
            let found = function.run(code, states, 0, &mut self.verdicts, Tally::default());
            debug_assert_eq!(found, None, "a formula without a value is a result");
            for verdict in &self.verdicts {
                let state = (verdict >> 32) as usize;
                let invariant = self.checked[(verdict >> 1 & 0x7fff_ffff) as usize];
                let words = &states[state * self.words..][..self.words];
                if verdict & 1 == 0 || self.interpreted.is_broken(words, invariant) {
                    broken.push(Broken { state, invariant });
                }
            }
        }
        if !self.unchecked.is_empty() {
            self.check_interpreted(states, broken);
            broken.sort_unstable_by_key(|b| (b.state, b.invariant));
        }
    }
}
