//! A stock of clauses: all that hold in the states seen so far, for whoever chooses among them by what they exclude.
//!
//! [`learn`](super::learn) keeps the clauses that together exclude all made-up states that any of them excludes. A proof needs
//! others: those that exclude the states from which a step breaks a goal (after Schultz, Dardik and Tripakis, Plain and Simple
//! Inductive Invariant Inference for Distributed Protocols in TLA+, FMCAD 2022).

mod diagrams;
mod targets;

use ioa_lang::core::{AutomatonId, Invariant, Model};

use diagrams::{Diagrams, Made};
use targets::hits;

pub use targets::Targets;

use super::evidence::Evidence;
use super::learner::{Effort, Learner, Learnt, Source};
use super::search::excluding::Excluding;
use crate::focus::About;

/// A clause of a stock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause(Origin);

/// Where a clause is from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Origin {
    /// The frames of the learner.
    Learnt(Source),
    /// A frame of diagrams, by its number.
    Diagram(usize, Vec<usize>),
}

/// What a clause excludes.
#[derive(Clone, Debug)]
pub struct Exclusion {
    /// The clause.
    pub clause: Clause,
    /// How intricate it is.
    pub cost: u32,
    /// For each of the blocks that were asked about, in ascending order, the made-up states in which it is false, a bit for each:
    /// also of states that were not asked about.
    pub excludes: Vec<Vec<u64>>,
}

impl Exclusion {
    fn made(made: Made) -> Self {
        Self {
            clause: Clause(Origin::Diagram(made.frame, made.literals)),
            cost: made.cost,
            excludes: made.excludes,
        }
    }
}

/// All clauses that hold in the reached states of some blocks.
pub struct Stock<'a> {
    learner: Learner<'a>,
    /// Whether clauses were learnt from all states, before any was asked for.
    is_learnt: bool,
    /// What is made for the states that are to be excluded, if that is wanted.
    diagrams: Option<Diagrams>,
}

impl std::fmt::Debug for Stock<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stock")
            .field("learnt", &self.learner.learnt)
            .finish_non_exhaustive()
    }
}

impl<'a> Stock<'a> {
    /// Learns what [`learn`](super::learn) learns, and keeps all clauses that hold.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub fn gather(
        about: (&'a Model, AutomatonId),
        given: Vec<Invariant>,
        evidence: &mut dyn Evidence,
        effort: Effort,
    ) -> Result<Self, String> {
        let mut learner = Learner::new(About::whole(about), given, evidence, effort);
        learner.learn(evidence)?;
        Ok(Self {
            learner,
            is_learnt: true,
            diagrams: None,
        })
    }

    /// The stock, with clauses besides that are made for the states which they are to exclude.
    #[must_use]
    pub fn with_diagrams(mut self) -> Self {
        self.diagrams = Some(Diagrams::default());
        self
    }

    /// A stock without clauses.
    #[must_use]
    pub fn unlearnt(
        about: (&'a Model, AutomatonId),
        evidence: &dyn Evidence,
        effort: Effort,
    ) -> Self {
        Self {
            learner: Learner::new(About::whole(about), Vec::new(), evidence, effort),
            is_learnt: false,
            diagrams: None,
        }
    }

    /// What was learnt at first.
    #[must_use]
    pub fn learnt(&self) -> &Learnt {
        &self.learner.learnt
    }

    /// All clauses that hold in the reached states, chosen or not, with nested quantifiers only if they are wanted: the simplest
    /// ones, so many at most.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub fn all(
        &mut self,
        evidence: &mut dyn Evidence,
        (nested, most): (bool, usize),
    ) -> Result<Vec<Invariant>, String> {
        let learner = &mut self.learner;
        learner.search(evidence)?;
        let frames = learner.frames.iter().zip(&learner.clauses).enumerate();
        let clauses = frames.flat_map(|(at, (frame, clauses))| {
            let clauses = clauses.iter().flatten();
            let wanted = clauses.filter(move |clause| {
                frame.reads_state(clause) && (nested || !frame.is_nested(clause))
            });
            wanted.map(move |clause| (frame.cost(clause), at, clause))
        });
        let mut clauses: Vec<(u32, usize, &Vec<usize>)> = clauses.collect();
        clauses.sort_unstable();
        let stated = clauses.into_iter().take(most);
        let stated = stated.map(|(_, frame, clause)| {
            let source = Source::Clause(frame, clause.clone());
            learner.stated(&source, "Clause")
        });
        Ok(stated.collect())
    }

    /// The clauses that hold in the reached states of all blocks, new ones among them, and are false in some of the made-up
    /// states that are asked about.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub fn excluding(
        &mut self,
        evidence: &mut dyn Evidence,
        targets: &Targets,
    ) -> Result<Vec<Exclusion>, String> {
        let learner = &mut self.learner;
        let about = learner.about;
        let mut found: Vec<Exclusion> = Vec::new();
        if let Some(diagrams) = &mut self.diagrams {
            let made = diagrams.excluding(about, evidence, targets, &mut learner.columns)?;
            found.extend(made.into_iter().map(Exclusion::made));
        }
        if !self.is_learnt {
            return Ok(found);
        }
        learner.search(evidence)?;
        for (at, clauses) in learner.clauses.iter().enumerate() {
            let frame = &learner.frames[at];
            let mut excluding = Excluding::of(frame);
            for literals in clauses.iter().flatten() {
                let each = targets.keys().map(|block| {
                    let made_up = evidence.states(*block).1;
                    evidence.spend(frame.looks(literals, *block, made_up));
                    excluding.violators(literals, *block, made_up)
                });
                let excludes: Vec<Vec<u64>> = each.collect();
                if hits(&excludes, targets) {
                    found.push(Exclusion {
                        clause: Clause(Origin::Learnt(Source::Clause(at, literals.clone()))),
                        cost: frame.cost(literals),
                        excludes,
                    });
                }
            }
        }
        Ok(found)
    }

    /// A clause as an invariant, said as simply as is known.
    #[must_use]
    pub fn stated(&self, clause: &Clause, name: &str) -> Invariant {
        match &clause.0 {
            Origin::Learnt(source) => self.learner.in_words(source, name),
            Origin::Diagram(frame, literals) => {
                let about = self.learner.about;
                let about = (about.model, about.automaton);
                let diagrams = self.diagrams.as_ref();
                let diagrams = diagrams.expect("the clause is from a diagram");
                diagrams.stated(about, (*frame, literals), name)
            }
        }
    }
}
