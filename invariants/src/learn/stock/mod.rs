//! A stock of clauses: all that hold in the states seen so far, for whoever chooses among them by what they exclude.
//!
//! [`learn`](super::learn) keeps the clauses that together exclude all made-up states that any of them excludes. A proof needs
//! others: those that exclude the states from which a step breaks a goal (after Schultz, Dardik and Tripakis, Plain and Simple
//! Inductive Invariant Inference for Distributed Protocols in TLA+, FMCAD 2022).

mod clause;
mod diagrams;
mod generalised;
mod strengthened;

use ioa_lang::core::{AutomatonId, Invariant, Model};

pub use clause::{Clause, Exclusion};

use clause::Origin;
use diagrams::Diagrams;
use generalised::Generalised;
use strengthened::Strengthened;

use super::clause::{Less, simplest};
use super::columns::Unknown;
use super::evidence::Evidence;
use super::learner::{Effort, Learner, Learnt, Source};
use super::search::FrameSearch;
use super::search::excluding::Excluding;
use super::targets::{Targets, hits};
use crate::focus::About;

/// All clauses that hold in the reached states of some blocks.
pub struct Stock<'a> {
    learner: Learner<'a>,
    /// Whether clauses were learnt from all states, before any was asked for.
    is_learnt: bool,
    /// What is made for the states that are to be excluded, if that is wanted.
    diagrams: Option<Diagrams>,
    /// What says more than clauses that turned out not to be inductive.
    strengthened: Strengthened,
    generalised: Generalised,
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
            strengthened: Strengthened::default(),
            generalised: Generalised::default(),
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
            strengthened: Strengthened::default(),
            generalised: Generalised::default(),
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
            found.extend(
                made.into_iter()
                    .map(|made| Exclusion::made(made, Origin::Diagram)),
            );
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

    /// Clauses that say more than a given one does: they hold in the reached states, and are false in some of the made-up states that are asked
    /// about. They are made so that they exclude some of `states`. There are some where the given clause says
    /// what the members of no group have in common.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub fn stronger(
        &mut self,
        evidence: &mut dyn Evidence,
        (clause, states): (&Clause, &Targets),
        targets: &Targets,
    ) -> Result<Vec<Exclusion>, String> {
        let about = self.learner.about;
        // What says more than a generalisation says more than what that was made of.
        let clause = self.generalised.origin(clause);
        if self
            .strengthened
            .is_new(clause, states, evidence.universes().len())
        {
            let (learner, drawn) = (&mut self.learner, self.diagrams.as_ref());
            let frames = (&learner.frames[..], drawn, &self.strengthened);
            let Some((frame, literals)) = frame_of(frames, clause) else {
                return Ok(Vec::new());
            };
            let than = (literals, states);
            match frame.strengthened(about, than, evidence, &mut learner.columns) {
                Ok(Some((frame, found))) => self.strengthened.take(clause.clone(), frame, found),
                Ok(None) | Err(Unknown::Full | Unknown::Spent) => {}
                Err(Unknown::Reason(reason)) => return Err(reason),
            }
        }
        let columns = &mut self.learner.columns;
        let made = self
            .strengthened
            .excluding(about, (clause, targets), evidence, columns)?;
        let made = made.into_iter();
        Ok(made
            .map(|made| Exclusion::made(made, Origin::Stronger))
            .collect())
    }

    /// A clause that supposes less of its variables than a given one does: it holds in the reached states, and is false in some of the
    /// made-up states that are asked about. None if the given one supposes only what it has to.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub fn more_general(
        &mut self,
        evidence: &mut dyn Evidence,
        (clause, less): (&Clause, Less),
        targets: &Targets,
    ) -> Result<Option<Exclusion>, String> {
        let (stated, cost) = match &clause.0 {
            Origin::General(at) => {
                let own = self.generalised.clause(*at);
                (own.stated.clone(), own.cost)
            }
            _ => match frame_of(self.frames(), clause) {
                Some((frame, literals)) if !frame.frame.is_ranged() => {
                    let about = (self.learner.about.model, self.learner.about.automaton);
                    (frame.invariant(about, literals, ""), frame.cost(literals))
                }
                _ => return Ok(None),
            },
        };
        let (than, stated) = ((clause, less), (&stated, cost));
        self.generalised.excluding(evidence, than, stated, targets)
    }

    fn frames(&self) -> Frames<'_> {
        (
            &self.learner.frames,
            self.diagrams.as_ref(),
            &self.strengthened,
        )
    }

    /// A clause as an invariant, said as simply as is known.
    #[must_use]
    pub fn stated(&self, clause: &Clause, name: &str) -> Invariant {
        match &clause.0 {
            Origin::Learnt(source) => return self.learner.in_words(source, name),
            Origin::General(at) => {
                let stated = &self.generalised.clause(*at).stated;
                return Invariant {
                    name: name.into(),
                    formula: simplest(&stated.formula),
                    ..stated.clone()
                };
            }
            Origin::Diagram(..) | Origin::Stronger(..) => {}
        }
        let found = frame_of(self.frames(), clause);
        let (frame, literals) = found.expect("the clause is of a frame");
        let about = (self.learner.about.model, self.learner.about.automaton);
        frame.in_words(about, literals, name)
    }
}

/// The frames of a learner, those of diagrams if there are any, and those of clauses that say more than others.
type Frames<'s> = (&'s [FrameSearch], Option<&'s Diagrams>, &'s Strengthened);

/// The frame that a clause is of, with its literals; none if it is of no frame.
fn frame_of<'s, 'c>(
    (learnt, drawn, stronger): Frames<'s>,
    clause: &'c Clause,
) -> Option<(&'s FrameSearch, &'c [usize])> {
    Some(match &clause.0 {
        Origin::Learnt(Source::Given(_)) | Origin::General(_) => return None,
        Origin::Learnt(Source::Clause(at, literals)) => (&learnt[*at], literals),
        Origin::Diagram(at, literals) => (drawn?.frame(*at), literals),
        Origin::Stronger(at, literals) => (stronger.frame(*at), literals),
    })
}
