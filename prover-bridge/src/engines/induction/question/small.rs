//! What small finite instances, where everything is decidable, say about a case.

use z3::ast::Bool;

use super::super::round::Round;
use super::super::vacuity;
use crate::obligations::{Background, Kind, Piece, Unit, all_facts};
use crate::options::Allowance;
use crate::solver::{Answer, Solver, in_context_of};

/// Numbers of invariants, by position in the target.
pub(super) type Premises = Vec<usize>;

/// The number of elements of every sort in the instance that shows what is needed: two ballots apart have one between
/// them. With one element less it is mostly the same, and found with a tenth of the work.
pub(super) const ELEMENTS: u32 = 3;

/// What such an instance says about a case.
pub(super) enum Selection {
    /// It does not hold there.
    Fails,
    /// It holds there, with these invariants.
    Needs(Premises),
    /// Nothing, in the time that it is given.
    Unclear,
}

/// The case of an obligation at a position, in small instances.
pub(super) struct Small<'r, 'l> {
    pub(super) round: Round<'r, 'l>,
    pub(super) unit: Unit,
    pub(super) kind: Kind,
    pub(super) position: usize,
    /// The limits of all that is asked of the obligation.
    pub(super) allowance: Allowance<'r>,
}

impl Small<'_, '_> {
    /// Whether a case holds in an instance with so many elements of every sort, and a minimal set of invariants that it needs there, as
    /// far as so much work tells; if few of them are named, and are enough, those.
    pub(super) fn selection(
        &self,
        elements: u32,
        few: Option<&[usize]>,
        work: u32,
        queries: &mut u32,
    ) -> Selection {
        let found = self.in_instance(elements, work, queries, |solver, assumed| {
            if let Some(few) = few {
                let own = assumed.iter().filter(|(number, _)| few.contains(number));
                let own: Vec<(usize, Bool)> = own.cloned().collect();
                match answer(solver, &own) {
                    Answer::Unsat => return Selection::Needs(few.to_vec()),
                    Answer::Unknown(_) => return Selection::Unclear,
                    Answer::Sat => {}
                }
            }
            match answer(solver, &assumed) {
                Answer::Sat => Selection::Fails,
                Answer::Unknown(_) => Selection::Unclear,
                Answer::Unsat => match solver.minimal_core(assumed) {
                    Some(premises) => Selection::Needs(premises),
                    None => Selection::Unclear,
                },
            }
        });
        found.unwrap_or(Selection::Unclear)
    }

    /// The sizes of an instance with one more element of every sort, if so much work tells that a case is false there. On a
    /// ring it may take four to show what is wrong.
    pub(super) fn failing_among_more(&self, work: u32, queries: &mut u32) -> Option<Vec<u32>> {
        let elements = ELEMENTS + 1;
        let found = self.in_instance(elements, work, queries, |solver, assumed| {
            answer(solver, &assumed) == Answer::Sat
        });
        let sorts = self.round.target.model.sorts.len();
        (found == Some(true)).then(|| vec![elements; sorts])
    }

    /// What is found of the case in an instance with so many elements of every sort, where the case is denied
    /// and each invariant is assumed as far as its literal is; nothing where the case has no reading.
    fn in_instance<T: Send + Sync>(
        &self,
        elements: u32,
        work: u32,
        queries: &mut u32,
        found: impl FnOnce(&mut Solver<'_>, Vec<(usize, Bool)>) -> T + Send + Sync,
    ) -> Option<T> {
        let (round, unit, kind) = (self.round, self.unit, self.kind);
        let (position, allowance) = (self.position, &self.allowance);
        in_context_of(round.options, || {
            let logic = vacuity::instance(round.target, elements).ok()?;
            let background = Background::of(round.target, unit);
            let ground = logic
                .ground(round.target, background, round.assumable)
                .ok()?;
            let groups = logic.groups(round.target, &ground, unit, &[kind], round.assumable);
            let groups = groups.ok()?;
            let facts = all_facts(&groups);
            let mut members = groups.iter().flat_map(|group| {
                let members = group.members.iter();
                members.map(move |(_, cases)| (group, cases))
            });
            let (group, cases) = members.next()?;
            let case = cases.as_ref().ok()?.get(position)?;
            let assumed = [&ground.assume, &facts, &group.assume];
            let assumed = assumed.into_iter().flatten().chain(case.assumed());
            let mut solver = Solver::new(round.options).allowed(allowance);
            let found = solver.limited(work, |solver| {
                let assumed = literals(solver, assumed);
                solver.deny(&case.goals);
                found(solver, assumed)
            });
            *queries += solver.queries();
            Some(found)
        })
    }
}

/// Whether all that is assumed can hold.
fn answer(solver: &mut Solver<'_>, assumed: &[(usize, Bool)]) -> Answer {
    let literals: Vec<Bool> = assumed.iter().map(|(_, literal)| literal.clone()).collect();
    solver.check_assuming(&literals)
}

/// Asserts assumptions, invariants only as far as a literal for each is assumed; these are returned.
pub(in super::super) fn literals<'p>(
    solver: &mut Solver<'_>,
    pieces: impl Iterator<Item = &'p Piece>,
) -> Vec<(usize, Bool)> {
    let mut literals = Vec::new();
    for piece in pieces {
        match piece.invariant {
            Some(invariant) => {
                let literal = Bool::new_const(format!("assume!{invariant}"));
                solver.assert(literal.implies(&piece.formula));
                literals.push((invariant, literal));
            }
            None => solver.assert(piece.formula.clone()),
        }
    }
    literals
}
