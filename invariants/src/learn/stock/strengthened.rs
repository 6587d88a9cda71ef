//! Clauses that say more than others which turned out not to be inductive.

use rustc_hash::FxHashSet;

use super::super::columns::{Columns, Unknown};
use super::super::evidence::Evidence;
use super::super::search::excluding::Excluding;
use super::super::search::{FrameSearch, Stronger};
use super::super::targets::{Targets, hits};
use super::clause::Clause;
use super::diagrams::Made;
use crate::focus::About;

/// A clause counts as more intricate by this for each other one that excludes more.
const OUTDONE: u32 = 10;

/// Clauses that say more than another one, in a frame of their own.
struct Found {
    than: Clause,
    frame: FrameSearch,
    clauses: Vec<Stronger>,
    /// How many blocks they are known to hold in, the first ones.
    blocks: usize,
}

/// What was found so far.
#[derive(Default)]
pub(super) struct Strengthened {
    all: Vec<Found>,
    /// What was asked for, and how many blocks there were.
    asked: FxHashSet<(Clause, Targets, usize)>,
}

impl Strengthened {
    /// One of the frames.
    pub(super) fn frame(&self, at: usize) -> &FrameSearch {
        &self.all[at].frame
    }

    /// Whether it was not asked for before what says more than a clause, with so many blocks.
    pub(super) fn is_new(&mut self, clause: &Clause, targets: &Targets, blocks: usize) -> bool {
        let asked = (clause.clone(), targets.clone(), blocks);
        self.asked.insert(asked)
    }

    /// Takes in clauses of a frame that say more than another one.
    pub(super) fn take(&mut self, than: Clause, frame: FrameSearch, clauses: Vec<Stronger>) {
        self.all.push(Found {
            than,
            frame,
            clauses,
            blocks: 0,
        });
    }

    /// What says more than a clause, and excludes some of the made-up states that are asked about and no reached one.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub(super) fn excluding(
        &mut self,
        about: About<'_>,
        (than, targets): (&Clause, &Targets),
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
    ) -> Result<Vec<Made>, String> {
        let mut found = Vec::new();
        let all = self.all.iter_mut().enumerate();
        for (at, own) in all.filter(|(_, own)| own.than == *than) {
            match own.absorb(about, evidence, columns) {
                Ok(()) => {}
                Err(Unknown::Full | Unknown::Spent) => continue,
                Err(Unknown::Reason(reason)) => return Err(reason),
            }
            let mut excluding = Excluding::of(&own.frame);
            let made = own.clauses.iter().map(|clause| {
                let frame = (&own.frame, &mut excluding);
                let made = Made::of((at, clause.literals.clone()), frame, targets, evidence);
                Made {
                    cost: made.cost + OUTDONE * clause.outdone_by,
                    ..made
                }
            });
            found.extend(made.filter(|made| hits(&made.excludes, targets)));
        }
        Ok(found)
    }
}

impl Found {
    /// Keeps the clauses that hold in the blocks that were not looked at yet.
    fn absorb(
        &mut self,
        about: About<'_>,
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
    ) -> Result<(), Unknown> {
        self.frame.absorb_diagram(about.model, evidence, columns)?;
        let blocks = evidence.universes().len();
        let clauses = self.clauses.iter();
        let clauses: Vec<Vec<usize>> = clauses.map(|clause| clause.literals.clone()).collect();
        let (hold, looks) = self.frame.hold_in(self.blocks..blocks, &clauses);
        evidence.spend(looks);
        self.blocks = blocks;
        let mut fates = hold.into_iter();
        self.clauses.retain(|_| fates.next() == Some(true));
        Ok(())
    }
}
