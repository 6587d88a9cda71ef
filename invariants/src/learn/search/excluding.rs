//! Which made-up states clauses exclude.

use rustc_hash::FxHashMap;

use super::super::evidence::live;
use super::FrameSearch;

/// Finds the made-up states that clauses of a frame exclude, one clause after the other. Where each literal is true is looked up
/// once: to go through all assignments takes longer than to combine the states.
pub(crate) struct Excluding<'f> {
    frame: &'f FrameSearch,
    /// By block and literal, where it is true for each assignment.
    known: FxHashMap<(usize, usize), Vec<&'f [u64]>>,
}

impl<'f> Excluding<'f> {
    pub(crate) fn of(frame: &'f FrameSearch) -> Self {
        Self {
            frame,
            known: FxHashMap::default(),
        }
    }

    /// The made-up states of a block, of which there are so many, that violate a clause: none, if the block was not taken in.
    pub(crate) fn violators(&mut self, clause: &[usize], block: usize, made_up: usize) -> Vec<u64> {
        let mut out = vec![0_u64; made_up.div_ceil(64)];
        if block >= self.frame.blocks.len() {
            return out;
        }
        for literal in clause {
            let look_up = || self.frame.true_made_up(*literal, block);
            self.known.entry((block, *literal)).or_insert_with(look_up);
        }
        let rows = clause.iter().map(|literal| &self.known[&(block, *literal)]);
        let rows: Vec<&Vec<&[u64]>> = rows.collect();
        note_violated(&mut out, &rows);
        for (at, word) in out.iter_mut().enumerate() {
            *word &= live(made_up, at);
        }
        out
    }
}

impl FrameSearch {
    /// The made-up states of a block in which a literal is true, for each assignment.
    fn true_made_up(&self, literal: usize, block: usize) -> Vec<&[u64]> {
        let assignments = self.blocks[block].iter();
        let each = assignments.map(|columns| &self.truth(columns, literal).made_up[..]);
        each.collect()
    }
}

/// Notes the states in which no literal of a clause is true for some assignment: the literals' states are given by assignment.
fn note_violated(out: &mut [u64], literals: &[&Vec<&[u64]>]) {
    // Clauses are short, and there are many of them: for the usual numbers of literals there is a loop of its own.
    match literals {
        [a, b] => {
            for (a, b) in a.iter().zip(*b) {
                let each = out.iter_mut().zip(*a).zip(*b);
                each.for_each(|((out, a), b)| *out |= !(a | b));
            }
        }
        [a, b, c] => {
            for ((a, b), c) in a.iter().zip(*b).zip(*c) {
                let each = out.iter_mut().zip(*a).zip(*b).zip(*c);
                each.for_each(|(((out, a), b), c)| *out |= !(a | b | c));
            }
        }
        _ => {
            let assignments = literals.first().map_or(0, |first| first.len());
            for assignment in 0..assignments {
                for (at, out) in out.iter_mut().enumerate() {
                    let any = literals.iter().map(|states| states[assignment][at]);
                    *out |= !any.fold(0, |any, own| any | own);
                }
            }
        }
    }
}
