//! Obligations that were proved before are not asked again.

use super::question::Question;
use super::round::Raw;
use crate::obligations::{Goal, Piece};
use crate::solver::{Answer, Solver, denial};
use crate::solver::{Fingerprint, Proved, Stated};

impl<'r> Question<'_, 'r, '_> {
    /// The proof from before or, where there is none, what the solver says.
    pub(super) fn answered(&self, solver: &mut Solver<'r>) -> Raw {
        let Some((proofs, shared)) = self.round.options.proofs.zip(self.shared) else {
            return self.ask(solver);
        };
        let cases = self.cases.iter().flat_map(|case| {
            let assumed = stated(&case.assume);
            [assumed, denied(&case.goals)]
        });
        let fingerprint = Fingerprint::of(shared.into_iter().chain(cases));
        let recalled = proofs.recall(&fingerprint);
        if let Some(raw) = recalled.and_then(|proved| self.recalled(&proved)) {
            return raw;
        }
        let raw = self.ask(solver);
        if raw.answer == Answer::Unsat {
            proofs.remember(&fingerprint, &self.proved(&raw));
        }
        raw
    }

    /// What was found then, if it tells all that is asked now.
    fn recalled(&self, proved: &Proved) -> Option<Raw> {
        let options = self.round.options;
        let assumed = self.assumed();
        let named = |positions: &Option<Vec<usize>>| -> Option<Vec<usize>> {
            let positions = positions.as_ref()?.iter();
            positions.map(|at| assumed.get(*at).copied()).collect()
        };
        let (needed, used) = (named(&proved.needed), named(&proved.used));
        let used = used.or_else(|| needed.clone());
        if (options.needed_invariants && needed.is_none())
            || (options.only.is_some() && used.is_none())
        {
            return None;
        }
        Some(Raw {
            needed: needed.filter(|_| options.needed_invariants),
            used: used.unwrap_or_default(),
            resources: proved.resources,
            queries: proved.queries,
            recalled: true,
            ..Raw::unasked(Answer::Unsat)
        })
    }

    fn proved(&self, raw: &Raw) -> Proved {
        let assumed = self.assumed();
        let positions = |invariants: &Vec<usize>| {
            let position = |i: &usize| assumed.iter().position(|assumed| assumed == i);
            invariants.iter().map(position).collect()
        };
        let is_known = self.round.options.only.is_some();
        Proved {
            queries: raw.queries,
            resources: raw.resources,
            needed: raw.needed.as_ref().and_then(positions),
            used: Some(&raw.used).filter(|_| is_known).and_then(positions),
        }
    }

    /// The invariants that may be assumed, in the order in which they are stated.
    fn assumed(&self) -> Vec<usize> {
        let pieces = self.cases.iter().flat_map(|case| self.pieces(case, None));
        let mut assumed = Vec::new();
        for invariant in pieces.filter_map(|piece| piece.invariant) {
            if !assumed.contains(&invariant) {
                assumed.push(invariant);
            }
        }
        assumed
    }
}

/// What pieces state.
pub(super) fn stated(pieces: &[Piece]) -> Stated {
    Stated::of(pieces.iter().map(|piece| &piece.formula))
}

fn denied(goals: &[Goal<'_>]) -> Stated {
    Stated::of([&denial(goals)])
}
