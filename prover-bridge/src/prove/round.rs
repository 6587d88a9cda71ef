//! One round: every question of some units, asked with certain invariants assumed.

use std::collections::BTreeMap;
use std::time::Duration;

use z3::ast::Bool;

use super::Clock;
use super::spread::spread;
use super::vacuity::{self, Guard};
use crate::counterexample;
use crate::encode::{Logic, Outside, Size};
use crate::obligations::{Case, Ground, Group, Kind, Piece, Target, Unit, World};
use crate::report::Reason;
use crate::solve::{Answer, Options, Session, in_context};

/// Units of one lane share a context, which takes some milliseconds to make: as long as proving ten units may take.
/// Their number is fixed by the target, so that no answer depends on the threads.
const UNITS_PER_LANE: usize = 32;

/// What the unbounded question came to.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    pub(super) answer: Answer,
    /// The sizes of the sorts in the countermodel, if there is one.
    pub(super) sizes: Option<Vec<u32>>,
    pub(super) needed: Option<Vec<usize>>,
    /// Why a proof is none of anything: its assumptions contradict each other.
    pub(super) vacuous: Option<String>,
    pub(super) time: Duration,
    pub(super) resources: u64,
    pub(super) queries: u32,
}

/// What to ask: which units of a target under which assumptions.
#[derive(Clone, Copy)]
pub(super) struct Round<'r, 'a> {
    pub(super) target: &'r Target<'a>,
    pub(super) assumable: &'r [bool],
    pub(super) options: &'r Options<'r>,
    pub(super) clock: Clock<'r>,
}

impl Round<'_, '_> {
    /// Asks all questions of the units.
    pub(super) fn solve(self, units: &[(Unit, Vec<Kind>)]) -> Vec<(Kind, Raw)> {
        let count = units.len().div_ceil(UNITS_PER_LANE);
        let lanes: Vec<Vec<&(Unit, Vec<Kind>)>> = (0..count)
            .map(|lane| units.iter().skip(lane).step_by(count).collect())
            .collect();
        spread(&lanes, self.options.threads, |lane| {
            in_context(|| self.lane(lane))
        })
    }

    fn lane(self, units: &[&(Unit, Vec<Kind>)]) -> Vec<(Kind, Raw)> {
        let mut worlds: BTreeMap<World, Vec<&(Unit, Vec<Kind>)>> = BTreeMap::new();
        for unit in units {
            worlds
                .entry(World::of(self.target, unit.0))
                .or_default()
                .push(unit);
        }
        let mut logic = Logic::new(self.target.model, Size::Any);
        let declared = logic.declare_theories();
        let small = match declared.and_then(|()| vacuity::small(self.target)) {
            Ok(small) => small,
            Err(e) => {
                return units
                    .iter()
                    .flat_map(|(_, kinds)| refuse(kinds, &e))
                    .collect();
            }
        };
        let mut out = Vec::new();
        for (world, units) in worlds {
            solve_world(self, &logic, world, &units, &mut out);
        }
        Guard::new(self, &small, &logic).mark(units, &mut out);
        out
    }
}

/// All questions of the units of one world, in one solver.
fn solve_world<'l>(
    round: Round<'_, 'l>,
    logic: &'l Logic<'l>,
    world: World,
    units: &[&(Unit, Vec<Kind>)],
    out: &mut Vec<(Kind, Raw)>,
) {
    let ground = match logic.ground(round.target, world, round.assumable) {
        Ok(ground) => ground,
        Err(e) => {
            out.extend(units.iter().flat_map(|(_, kinds)| refuse(kinds, &e)));
            return;
        }
    };
    let mut session = Session::new(round.options);
    session.assert_all(&ground.assume);
    for (unit, kinds) in units {
        let begun = (round.clock)();
        match logic.groups(round.target, &ground, *unit, kinds, round.assumable) {
            Ok(groups) => solve_groups(round, &mut session, &ground, &groups, begun, out),
            Err(e) => out.extend(refuse(kinds, &e)),
        }
    }
}

fn solve_groups(
    round: Round<'_, '_>,
    session: &mut Session<'_>,
    ground: &Ground<'_>,
    groups: &[Group<'_>],
    mut begun: Duration,
    out: &mut Vec<(Kind, Raw)>,
) {
    for group in groups {
        session.scoped(|session| {
            session.assert_all(&group.assume);
            for (kind, cases) in &group.members {
                let mut raw = match cases {
                    Ok(cases) => solve_cases(round, session, cases),
                    Err(e) => refused(e),
                };
                if round.options.needed_invariants
                    && raw.answer == Answer::Unsat
                    && let Ok(cases) = cases
                {
                    raw.needed = needed(round.options, ground, group, cases, &mut raw.queries);
                }
                let now = (round.clock)();
                raw.time = now.saturating_sub(begun);
                begun = now;
                out.push((*kind, raw));
            }
        });
    }
}

/// Asks whether each case holds, up to the first that does not.
fn solve_cases(round: Round<'_, '_>, session: &mut Session<'_>, cases: &[Case<'_>]) -> Raw {
    let mut raw = Raw {
        answer: Answer::Unsat,
        sizes: None,
        needed: None,
        vacuous: None,
        time: Duration::ZERO,
        resources: 0,
        queries: 0,
    };
    let (queries, resources) = (session.queries(), session.resources());
    for case in cases {
        raw.answer = session.scoped(|session| {
            session.assert_all(&case.assume);
            session.deny(&case.goals);
            let answer = session.check();
            if answer == Answer::Sat {
                raw.sizes = counterexample::universe_sizes(&session.solver, round.target.model);
            }
            answer
        });
        if raw.answer != Answer::Unsat {
            break;
        }
    }
    raw.queries = session.queries() - queries;
    raw.resources = session.resources().saturating_sub(resources);
    raw
}

/// A minimal set of invariants with which all cases hold, found by dropping one after the other.
fn needed(
    options: &Options<'_>,
    ground: &Ground<'_>,
    group: &Group<'_>,
    cases: &[Case<'_>],
    queries: &mut u32,
) -> Option<Vec<usize>> {
    let mut needed = Vec::new();
    for case in cases {
        let pieces = ground
            .assume
            .iter()
            .chain(&group.assume)
            .chain(&case.assume);
        let mut session = Session::new(options);
        let literals = literals(&session, pieces);
        session.deny(&case.goals);
        needed.extend(session.minimal_core(literals)?);
        *queries += session.queries();
    }
    needed.sort_unstable();
    needed.dedup();
    Some(needed)
}

/// Asserts assumptions, invariants only as far as a literal for each is assumed; these are returned.
pub(super) fn literals<'p>(
    session: &Session<'_>,
    pieces: impl Iterator<Item = &'p Piece>,
) -> Vec<(usize, Bool)> {
    let mut literals = Vec::new();
    for piece in pieces {
        match piece.invariant {
            Some(invariant) => {
                let literal = Bool::new_const(format!("assume!{invariant}"));
                session.solver.assert(literal.implies(&piece.formula));
                literals.push((invariant, literal));
            }
            None => session.solver.assert(&piece.formula),
        }
    }
    literals
}

fn refuse(kinds: &[Kind], e: &Outside) -> Vec<(Kind, Raw)> {
    kinds.iter().map(|kind| (*kind, refused(e))).collect()
}

fn refused(e: &Outside) -> Raw {
    Raw {
        answer: Answer::Unknown(Reason::OutsideEncoding {
            span: e.span,
            because: e.because.clone(),
        }),
        sizes: None,
        needed: None,
        vacuous: None,
        time: Duration::ZERO,
        resources: 0,
        queries: 0,
    }
}
