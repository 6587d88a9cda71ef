//! Asking whether an obligation holds, with all premises or with few.
//!
//! Premises that a proof does not need can lead the solver astray: each quantifier alternation among them gives it more
//! terms to try. What it does not answer at a moderate expense is asked again with those invariants alone that the
//! proof needs in a small finite instance, where everything is decidable. That they suffice at every size is for the
//! solver to say; where it does not, the whole question is asked again, with all the time there is.
//!
//! All of this is tried with little work first: a proof that is found at all is mostly found soon, and where one way leads
//! astray another one is often short.

mod attempts;
mod recall;
mod small;

use z3::ast::Bool;

use super::round::{Purpose, Raw, Round};
use crate::counterexample::universe_sizes;
use crate::obligations::{Case, Ground, Group, Kind, Piece, Unit};
use crate::options::Allowance;
use crate::reason::Reason;
use crate::solver::{Answer, Fingerprint, Solver};
use attempts::{BRIEF, Denial, FIRST, GENEROUS, LAST, LONG, MODERATE, RESTARTS};
use small::{ELEMENTS, Premises, Selection, Small};

pub(super) use recall::{assumed, fingerprints};
pub(super) use small::literals;

/// Work for an obligation that is asked briefly, in Z3's own unit: about what it takes to make a solver for it alone, twice.
const SHORT: u32 = 20_000;

/// Work that it may take to see whether a proof goes through without an invariant, before a small instance is asked.
const DROPPING: u32 = 10_000;

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
    /// Whether it is left open where it is not soon decided.
    pub(super) is_brief: bool,
    /// The limits of all that is asked of it.
    pub(super) allowance: Allowance<'r>,
}

impl<'r> Question<'_, 'r, '_> {
    /// Asks whether each case holds, up to the first that does not; and, if that is wanted, which invariants they need.
    pub(super) fn ask(&self, solver: &mut Solver<'r>) -> Raw {
        solver.within(&self.allowance, |solver| self.ask_in_time(solver))
    }

    fn ask_in_time(&self, solver: &mut Solver<'_>) -> Raw {
        let mut raw = Raw::unasked(Answer::Unsat);
        if self.round.purpose == Purpose::Needs && self.round.options.needed_invariants {
            // What it needs, if that is found, shows that it holds.
            let unknown = vec![None; self.cases.len()];
            if let Some(needed) = self.needed(&unknown, FIRST, &mut raw.queries) {
                raw.used.clone_from(&needed);
                raw.needed = Some(needed);
                return raw;
            }
        }
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
            raw.needed = self.needed(&selected, u32::MAX, &mut raw.queries);
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
        let first = if self.is_brief { SHORT } else { FIRST };
        let brief = solver.limited(first, |solver| self.whole(solver, case, raw));
        if self.is_brief || !brief.is_open() {
            return (brief, None);
        }
        let instance = self.small(position);
        // Few premises that seem to be enough.
        let mut few: Option<Premises> = None;
        // A search for lemmas does better with another question than with more work for this one.
        let is_proof = self.round.purpose == Purpose::Proof;
        let fewest = if is_proof { ELEMENTS - 1 } else { ELEMENTS };
        for elements in fewest..=ELEMENTS {
            match instance.selection(elements, few.as_deref(), FIRST, &mut raw.queries) {
                // What is false there is not true at every size, however long one asks.
                Selection::Fails => return (brief, None),
                Selection::Needs(premises) if few.as_ref() != Some(&premises) => {
                    few = Some(premises);
                    if self
                        .denial(few.as_deref(), case)
                        .is_soon_refuted(&BRIEF, raw)
                    {
                        return (Answer::Unsat, few);
                    }
                }
                Selection::Needs(_) | Selection::Unclear => {}
            }
        }
        if let Some(sizes) = instance.failing_among_more(FIRST, &mut raw.queries) {
            raw.sizes = Some(sizes);
            return (brief, None);
        }
        for attempts in RESTARTS.iter().filter(|_| is_proof) {
            if self.denial(few.as_deref(), case).is_refuted(attempts, raw) {
                return (Answer::Unsat, few);
            }
        }
        let whole = solver.limited(MODERATE, |solver| self.whole(solver, case, raw));
        if !whole.is_open() {
            return (whole, None);
        }
        match instance.selection(ELEMENTS, few.as_deref(), GENEROUS, &mut raw.queries) {
            Selection::Fails => return (whole, None),
            Selection::Needs(premises) => few = Some(premises),
            Selection::Unclear => {}
        }
        if self.denial(few.as_deref(), case).is_refuted(&LONG, raw) {
            return (Answer::Unsat, few);
        }
        if few.is_some()
            && self
                .denial(few.as_deref(), case)
                .is_soon_refuted(&LAST, raw)
        {
            return (Answer::Unsat, few);
        }
        (self.once_more(solver, whole, case, raw), None)
    }

    /// The case at a position in small instances.
    fn small(&self, position: usize) -> Small<'r, '_> {
        Small {
            round: self.round,
            unit: self.unit,
            kind: self.kind,
            position,
            allowance: self.allowance.clone(),
        }
    }

    /// That what the case assumes, with few premises or with all, leaves a goal false.
    fn denial(&self, few: Option<&[usize]>, case: &Case<'_>) -> Denial<'_> {
        let options = self.round.options;
        let mut solver = Solver::new(options);
        for piece in self.pieces(case, few) {
            solver.assert_all(std::slice::from_ref(piece));
        }
        solver.deny(&case.goals);
        Denial {
            kind: self.kind,
            options,
            lanes: self.round.lanes,
            allowance: self.allowance.clone(),
            stated: solver.asserted(),
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

    /// A minimal set of invariants with which all cases hold, found by dropping one after the other, if so much work for each question is
    /// enough.
    fn needed(
        &self,
        selected: &[Option<Premises>],
        work: u32,
        queries: &mut u32,
    ) -> Option<Premises> {
        let mut asked = 0;
        let needed = self.of_each_case(selected, queries, |position, solver, assumed| {
            let brief = solver.limited(SHORT, |solver| {
                solver.core_within(assumed.clone(), DROPPING)
            });
            let kept = match brief {
                Some((kept, true)) => return Some(numbers(kept)),
                Some((kept, false)) => kept,
                None => assumed.clone(),
            };
            let small = self.small(position);
            let selections = (ELEMENTS..=ELEMENTS + 1)
                .map(|elements| small.selection(elements, None, FIRST, &mut asked));
            let mut sufficing =
                selections.filter_map(|small| self.sufficing(solver, &small, &assumed));
            let found = sufficing.next();
            found.or_else(|| solver.limited(work, |solver| solver.minimal_core(kept)))
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
            let mut solver = Solver::new(self.round.options).allowed(&self.allowance);
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
