//! Asking whether an obligation holds, with all premises or with few.
//!
//! Premises that a proof does not need can lead the solver astray: each quantifier alternation among them gives it more
//! terms to try. What it does not answer at a moderate expense is asked again with those invariants alone that the
//! proof needs in a small finite instance, where everything is decidable. That they suffice at every size is for the
//! solver to say; where it does not, the whole question is asked again, with all the time there is.
//!
//! All of this is tried with little work first: a proof that is found at all is mostly found soon, and where one way leads
//! astray another one is often short.

mod recall;
mod small;

use z3::ast::Bool;

use super::round::{Raw, Round};
use crate::counterexample::universe_sizes;
use crate::obligations::{Case, Ground, Group, Kind, Piece, Unit};
use crate::options::Deadline;
use crate::reason::Reason;
use crate::solver::{Answer, Fingerprint, Solver};
use small::{Premises, Selection, Small};

pub(super) use recall::{assumed, fingerprints};
pub(super) use small::literals;

/// Work that the attempt with all premises may take before other ways are tried, in Z3's own unit: about a fifth of a second's.
const FIRST: u32 = 200_000;

/// Work that each of these ways may take while all are tried.
const BRIEF: u32 = FIRST / 4;

/// Work that the attempt with all premises may take after that: about a second's.
const MODERATE: u32 = 1_000_000;

/// In how many ways the solver is asked with few premises.
const VARIATIONS: u32 = 4;

/// Work that each of these attempts may take, and each question to the instance.
const GENEROUS: u32 = 3 * MODERATE;

/// One obligation of a unit, as formulas.
pub(super) struct Question<'q, 'r, 'l> {
    pub(super) round: Round<'r, 'l>,
    pub(super) unit: Unit,
    pub(super) kind: Kind,
    pub(super) ground: &'q Ground<'l>,
    pub(super) group: &'q Group<'l>,
    pub(super) cases: &'q [Case<'l>],
    /// What it is known by, where proofs are remembered.
    pub(super) fingerprint: Option<Fingerprint>,
    /// The end of the time for all that is asked of it.
    pub(super) deadline: Deadline<'r>,
}

impl<'r> Question<'_, 'r, '_> {
    /// Asks whether each case holds, up to the first that does not; and, if that is wanted, which invariants they need.
    pub(super) fn ask(&self, solver: &mut Solver<'r>) -> Raw {
        solver.within(self.deadline, |solver| self.ask_in_time(solver))
    }

    fn ask_in_time(&self, solver: &mut Solver<'_>) -> Raw {
        let mut raw = Raw::unasked(Answer::Unsat);
        let (queries, resources) = (solver.queries(), solver.resources());
        let mut selected: Vec<Option<Premises>> = Vec::new();
        for (position, case) in self.cases.iter().enumerate() {
            let (answer, premises) = self.answer(solver, position, case, &mut raw);
            selected.push(premises);
            raw.answer = answer;
            if raw.answer != Answer::Unsat {
                break;
            }
        }
        raw.queries += solver.queries() - queries;
        raw.resources += solver.resources().saturating_sub(resources);
        if self.round.options.needed_invariants && raw.answer == Answer::Unsat {
            raw.needed = self.needed(&selected, &mut raw.queries);
        }
        if self.round.options.only.is_some() && raw.answer == Answer::Unsat {
            raw.used = match &raw.needed {
                Some(needed) => needed.clone(),
                None => self.used(&selected, &mut raw.queries),
            };
        }
        raw
    }

    /// Asks whether one case holds; with the premises, where few were selected that suffice.
    fn answer(
        &self,
        solver: &mut Solver<'_>,
        position: usize,
        case: &Case<'_>,
        raw: &mut Raw,
    ) -> (Answer, Option<Premises>) {
        let brief = solver.limited(FIRST, |solver| self.whole(solver, case, raw));
        if !is_open(&brief) {
            return (brief, None);
        }
        let instance = self.small(position);
        let mut small = instance.selection(FIRST, &mut raw.queries);
        match &small {
            // What is false there is not true at every size, however long one asks.
            Selection::Fails => return (brief, None),
            Selection::Needs(premises) => {
                let found = self.in_several_ways(premises, BRIEF, case, raw);
                if found == Some(Answer::Unsat) {
                    return (Answer::Unsat, Some(premises.clone()));
                }
            }
            Selection::Unclear => {}
        }
        if let Some(sizes) = instance.failing_among_more(FIRST, &mut raw.queries) {
            raw.sizes = Some(sizes);
            return (brief, None);
        }
        let first = solver.limited(MODERATE, |solver| self.whole(solver, case, raw));
        if !is_open(&first) {
            return (first, None);
        }
        if matches!(small, Selection::Unclear) {
            small = instance.selection(GENEROUS, &mut raw.queries);
        }
        match small {
            Selection::Fails => return (first, None),
            Selection::Needs(premises) => {
                if self.with_only(&premises, case, raw) == Answer::Unsat {
                    return (Answer::Unsat, Some(premises));
                }
            }
            Selection::Unclear => {}
        }
        (self.once_more(solver, first, case, raw), None)
    }

    /// The case at a position in small instances.
    fn small(&self, position: usize) -> Small<'r, '_> {
        Small {
            round: self.round,
            unit: self.unit,
            kind: self.kind,
            position,
            deadline: self.deadline,
        }
    }

    /// Asks with all premises.
    fn whole(&self, solver: &mut Solver<'_>, case: &Case<'_>, raw: &mut Raw) -> Answer {
        solver.scoped(|solver| {
            solver.assert_all(&case.assume);
            solver.deny(&case.goals);
            let mut answer = solver.check();
            if answer == Answer::Sat && !case.defined.is_empty() {
                solver.assert_all(&case.defined);
                answer = solver.check();
            }
            if answer == Answer::Sat {
                raw.sizes = universe_sizes(solver, self.round.target.model);
            }
            answer
        })
    }

    /// Asks with all premises and all the work that is allowed, where more may help.
    fn once_more(
        &self,
        solver: &mut Solver<'_>,
        before: Answer,
        case: &Case<'_>,
        raw: &mut Raw,
    ) -> Answer {
        let was_all = (1..=MODERATE).contains(&self.round.options.resource_limit);
        match before {
            Answer::Unknown(Reason::Timeout | Reason::ResourceLimit) if !was_all => {
                self.whole(solver, case, raw)
            }
            before => before,
        }
    }

    /// Asks with only some of the invariants: in several ways, then with all the work that is allowed.
    fn with_only(&self, premises: &[usize], case: &Case<'_>, raw: &mut Raw) -> Answer {
        let found = self.in_several_ways(premises, GENEROUS, case, raw);
        found.unwrap_or_else(|| self.in_one_way(premises, (0, u32::MAX), case, raw))
    }

    /// Asks with only some of the invariants in several ways, as the luck of the solver with quantifiers changes with each of
    /// them, until one of them decides.
    fn in_several_ways(
        &self,
        premises: &[usize],
        work: u32,
        case: &Case<'_>,
        raw: &mut Raw,
    ) -> Option<Answer> {
        let mut ways = (0..VARIATIONS).map(|way| self.in_one_way(premises, (way, work), case, raw));
        ways.find(|answer| !is_open(answer))
    }

    /// Asks with only some of the invariants, in one of the ways that a solver can be set up, with so much work.
    fn in_one_way(
        &self,
        premises: &[usize],
        (variation, work): (u32, u32),
        case: &Case<'_>,
        raw: &mut Raw,
    ) -> Answer {
        let mut solver = Solver::varied(self.round.options, variation).until(self.deadline);
        let resources = solver.resources();
        for piece in self.pieces(case, Some(premises)) {
            solver.assert_all(std::slice::from_ref(piece));
        }
        solver.deny(&case.goals);
        let answer = solver.limited(work, Solver::check);
        raw.queries += solver.queries();
        raw.resources += solver.resources().saturating_sub(resources);
        answer
    }

    /// What a case assumes, without those invariants that are none of the premises.
    pub(super) fn pieces<'p>(
        &'p self,
        case: &'p Case<'_>,
        premises: Option<&'p [usize]>,
    ) -> impl Iterator<Item = &'p Piece> {
        let assumed = [&self.ground.assume, &self.group.assume];
        let is_kept = move |piece: &&Piece| match (piece.invariant, premises) {
            (Some(invariant), Some(premises)) => premises.contains(&invariant),
            _ => true,
        };
        let assumed = assumed.into_iter().flatten();
        assumed.chain(case.assumed()).filter(is_kept)
    }

    /// The invariants that a proof of all cases uses; where none is found again, all that were assumed.
    fn used(&self, selected: &[Option<Premises>], queries: &mut u32) -> Premises {
        let used = self.of_each_case(selected, queries, |_, solver, assumed| {
            let core = solver.limited(MODERATE, |solver| solver.core(assumed.clone()));
            Some(numbers(core.unwrap_or(assumed)))
        });
        used.unwrap_or_default()
    }

    /// A minimal set of invariants with which all cases hold, found by dropping one after the other.
    fn needed(&self, selected: &[Option<Premises>], queries: &mut u32) -> Option<Premises> {
        let mut asked = 0;
        let needed = self.of_each_case(selected, queries, |position, solver, assumed| {
            let (kept, is_sure) = solver.core_within(assumed.clone(), BRIEF)?;
            if is_sure {
                return Some(numbers(kept));
            }
            let small = self.small(position).selection(FIRST, &mut asked);
            let found = self.sufficing(solver, &small, &assumed);
            found.or_else(|| solver.minimal_core(kept))
        });
        *queries += asked;
        needed
    }

    /// What a small instance needs, where the solver finds that it suffices at every size: then it is minimal. Where an invariant is
    /// needed, the solver may search for a model without it and find none in any time.
    fn sufficing(
        &self,
        solver: &mut Solver<'_>,
        small: &Selection,
        assumed: &[(usize, Bool)],
    ) -> Option<Premises> {
        let Selection::Needs(premises) = small else {
            return None;
        };
        let own = assumed.iter().filter(|(at, _)| premises.contains(at));
        let own: Vec<(usize, Bool)> = own.cloned().collect();
        let core = solver.limited(FIRST, |solver| solver.core(own));
        core.map(numbers)
    }

    /// The invariants that `found` finds each case to rest on, in a solver where the case is denied; where they were
    /// selected, those, for what a small instance needs is needed.
    fn of_each_case(
        &self,
        selected: &[Option<Premises>],
        queries: &mut u32,
        mut found: impl FnMut(usize, &mut Solver<'_>, Vec<(usize, Bool)>) -> Option<Premises>,
    ) -> Option<Premises> {
        let mut together = Vec::new();
        for (position, (case, premises)) in self.cases.iter().zip(selected).enumerate() {
            if let Some(premises) = premises {
                together.extend(premises);
                continue;
            }
            let mut solver = Solver::new(self.round.options).until(self.deadline);
            let assumed = literals(&mut solver, self.pieces(case, None));
            solver.deny(&case.goals);
            together.extend(found(position, &mut solver, assumed)?);
            *queries += solver.queries();
        }
        together.sort_unstable();
        together.dedup();
        Some(together)
    }
}

/// The numbers of assumptions.
fn numbers(assumed: Vec<(usize, Bool)>) -> Premises {
    assumed.into_iter().map(|(number, _)| number).collect()
}

/// Whether more may be found out by asking otherwise.
fn is_open(answer: &Answer) -> bool {
    matches!(
        answer,
        Answer::Unknown(Reason::Timeout | Reason::ResourceLimit | Reason::Incomplete(_))
    )
}
