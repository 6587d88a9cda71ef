//! Clauses that are made for the states which they are to exclude: frames of diagrams, and what was found
//! in them.

use std::collections::BTreeSet;

use ioa_lang::core::Type;
use rustc_hash::FxHashMap;

use super::super::columns::{Columns, Unknown};
use super::super::evidence::Evidence;
use super::super::search::FrameSearch;
use super::super::search::excluding::Excluding;
use super::super::targets::Targets;
use crate::focus::About;

/// As long as one in so many of the clauses for a state still holds, no others are looked for.
const STILL: usize = 2;

/// A clause of a frame that was made for a state.
pub(super) struct Made {
    pub(super) frame: usize,
    pub(super) literals: Vec<usize>,
    pub(super) cost: u32,
    /// For each of the blocks that were asked about, the made-up states in which it is false.
    pub(super) excludes: Vec<Vec<u64>>,
}

impl Made {
    /// What a clause of a frame, which is given with what tells what clauses of it exclude, is false of.
    pub(super) fn of(
        (at, literals): (usize, Vec<usize>),
        (frame, excluding): (&FrameSearch, &mut Excluding<'_>),
        targets: &Targets,
        evidence: &dyn Evidence,
    ) -> Self {
        let violators = |block: &usize| {
            let made_up = evidence.states(*block).1;
            excluding.violators(&literals, *block, made_up)
        };
        Self {
            frame: at,
            cost: frame.cost(&literals),
            excludes: targets.keys().map(violators).collect(),
            literals,
        }
    }
}

/// Clauses of a frame, with how many blocks there were when they were found.
struct Found {
    frame: usize,
    clauses: Vec<Vec<usize>>,
    blocks: usize,
}

/// The frames of diagrams, and the clauses that exclude states.
#[derive(Default)]
pub(super) struct Diagrams {
    frames: Vec<(Vec<Type>, FrameSearch)>,
    /// By block and made-up state.
    found: FxHashMap<(usize, usize), Found>,
}

impl Diagrams {
    /// Clauses that exclude made-up states of some blocks, and no state that was reached.
    ///
    /// # Errors
    /// Why formulas cannot be evaluated.
    pub(super) fn excluding(
        &mut self,
        about: About<'_>,
        evidence: &mut dyn Evidence,
        targets: &Targets,
        columns: &mut Columns,
    ) -> Result<Vec<Made>, String> {
        let mut all: BTreeSet<(usize, Vec<usize>)> = BTreeSet::new();
        for (block, states) in targets {
            let types = FrameSearch::telling_apart(about, evidence.universes()[*block]);
            let frame = match self.absorbed(about, types, evidence, columns) {
                Ok(frame) => frame,
                Err(Unknown::Full | Unknown::Spent) => continue,
                Err(Unknown::Reason(reason)) => return Err(reason),
            };
            for state in states {
                if evidence.is_spent() {
                    break;
                }
                self.look(frame, (*block, *state), evidence);
                let found = &self.found[&(*block, *state)];
                let clauses = found.clauses.iter();
                all.extend(clauses.map(|clause| (found.frame, clause.clone())));
            }
        }
        let frames = self.frames.iter().map(|(_, frame)| Excluding::of(frame));
        let mut excluding: Vec<Excluding<'_>> = frames.collect();
        let made = all.into_iter().map(|(at, clause)| {
            let own = (&self.frames[at].1, &mut excluding[at]);
            Made::of((at, clause), own, targets, evidence)
        });
        Ok(made.collect())
    }

    /// The frame with variables of these types, which has taken in all blocks.
    fn absorbed(
        &mut self,
        about: About<'_>,
        types: Vec<Type>,
        evidence: &mut dyn Evidence,
        columns: &mut Columns,
    ) -> Result<usize, Unknown> {
        let known = self.frames.iter().position(|(own, _)| *own == types);
        let frame = match known {
            Some(known) => known,
            None => {
                let frame = FrameSearch::of_diagram(about, &types, evidence, columns)?;
                self.frames.push((types, frame));
                self.frames.len() - 1
            }
        };
        let search = &mut self.frames[frame].1;
        search.absorb_diagram(about.model, evidence, columns)?;
        Ok(frame)
    }

    /// Finds the clauses that exclude a state, unless enough of those of before still hold: then these are kept.
    fn look(&mut self, frame: usize, (block, state): (usize, usize), evidence: &dyn Evidence) {
        let blocks = evidence.universes().len();
        if let Some(found) = self.found.get_mut(&(block, state)) {
            let (hold, looks) = self.frames[frame]
                .1
                .hold_in(found.blocks..blocks, &found.clauses);
            evidence.spend(looks);
            found.blocks = blocks;
            let before = found.clauses.len();
            let mut fates = hold.into_iter();
            found.clauses.retain(|_| fates.next() == Some(true));
            // Where none excluded it before, none does now.
            if STILL * found.clauses.len() >= before {
                return;
            }
        }
        let (clauses, looks) = self.frames[frame].1.excluding(block, state);
        evidence.spend(looks);
        let found = Found {
            frame,
            clauses,
            blocks,
        };
        self.found.insert((block, state), found);
    }

    /// One of the frames.
    pub(super) fn frame(&self, at: usize) -> &FrameSearch {
        &self.frames[at].1
    }
}
