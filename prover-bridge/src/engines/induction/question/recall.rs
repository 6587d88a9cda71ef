//! Obligations that were proved before are not asked again.

use z3::ast::Bool;

use super::super::round::Raw;
use super::Question;
use crate::obligations::{Case, Group, Piece};
use crate::options::Options;
use crate::solver::{Answer, Fingerprint, Proved, Solver, Stated, denial, stated};

impl<'r> Question<'_, 'r, '_> {
    /// The proof from before or, where there is none, what the solver says.
    pub(in super::super) fn answered(&self, solver: &mut Solver<'r>) -> Raw {
        Raw {
            assumed: Some(self.assumed()),
            ..self.recalled_or_asked(solver)
        }
    }

    fn recalled_or_asked(&self, solver: &mut Solver<'r>) -> Raw {
        let Some((proofs, fingerprint)) = self.round.options.proofs.zip(self.fingerprint.clone())
        else {
            return self.ask(solver);
        };
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

/// What pieces that several obligations assume state.
pub(in super::super) fn assumed(pieces: &[Piece]) -> Stated {
    Stated::list(&stated(&formulas(pieces)))
}

/// The fingerprints of the obligations of a group, in its order, with what is assumed of their background. Where each is asked by
/// itself, the resource limit decides what is proved, and is a part of the question.
pub(in super::super) fn fingerprints(
    common: Stated,
    group: &Group<'_>,
    options: &Options<'_>,
) -> Vec<Fingerprint> {
    let none: &[Case<'_>] = &[];
    let cases = group
        .members
        .iter()
        .map(|(_, cases)| cases.as_deref().unwrap_or(none));
    let denials: Vec<Vec<Bool>> = cases
        .clone()
        .map(|cases| cases.iter().map(|case| denial(&case.goals)).collect())
        .collect();
    // All formulas in a row: what the group assumes, then for each case what it assumes and what it denies.
    let mut all = formulas(&group.assume);
    for (cases, denials) in cases.clone().zip(&denials) {
        for (case, denied) in cases.iter().zip(denials) {
            all.extend(case.assumed().map(|piece| &piece.formula));
            all.push(denied);
        }
    }
    let mut hashes = stated(&all).into_iter();
    let mut next = |count: usize| Stated::list(&hashes.by_ref().take(count).collect::<Vec<_>>());
    let shared = [common, next(group.assume.len())];
    let mut of = |cases: &[Case<'_>]| {
        let cases = cases.iter().map(|case| next(case.assumed().count() + 1));
        let limit = options
            .apart
            .then(|| Stated::number(options.resource_limit));
        let all = shared.into_iter().chain(cases.collect::<Vec<_>>());
        Fingerprint::of(all.chain(limit))
    };
    cases.map(&mut of).collect()
}

fn formulas(pieces: &[Piece]) -> Vec<&Bool> {
    pieces.iter().map(|piece| &piece.formula).collect()
}
