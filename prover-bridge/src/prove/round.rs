//! One round: every question of some units, asked with certain invariants assumed.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Clock;
use super::question::Question;
use super::spread::spread;
use super::vacuity::{self, Basis, Guard};
use crate::encode::{Logic, Outside, Size};
use crate::obligations::{Ground, Group, Kind, Target, Unit, World};
use crate::report::Reason;
use crate::solve::{Answer, Deadline, Options, Session, in_context};
use crate::watch::Task;

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
    /// The invariants that the proof uses, if that was to be found out: perhaps more than it needs.
    pub(super) used: Vec<usize>,
    /// What a proof rests on, where this is one.
    pub(super) basis: Option<Basis>,
    pub(super) time: Duration,
    pub(super) resources: u64,
    pub(super) queries: u32,
}

impl Raw {
    /// An answer that cost nothing so far.
    pub(super) fn unasked(answer: Answer) -> Self {
        Self {
            answer,
            sizes: None,
            needed: None,
            used: Vec::new(),
            basis: None,
            time: Duration::ZERO,
            resources: 0,
            queries: 0,
        }
    }

    /// What an obligation comes to that took too long before.
    fn given_up() -> Self {
        Self::unasked(Answer::Unknown(Reason::Timeout))
    }

    /// Whether this is a proof, and one of something.
    pub(super) fn is_grounded(&self) -> bool {
        self.answer == Answer::Unsat && matches!(self.basis, Some(Ok(_)))
    }
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
        let (mut units, mut out) = (units.to_vec(), Vec::new());
        for (_, kinds) in &mut units {
            kinds.retain(|kind| {
                let lost = self.options.is_given_up(Task::Obligation(*kind));
                out.extend(lost.then(|| (*kind, Raw::given_up())));
                !lost
            });
        }
        units.retain(|(_, kinds)| !kinds.is_empty());
        let count = units.len().div_ceil(UNITS_PER_LANE);
        let lanes: Vec<Vec<&(Unit, Vec<Kind>)>> = (0..count)
            .map(|lane| units.iter().skip(lane).step_by(count).collect())
            .collect();
        out.extend(spread(&lanes, self.options.threads, |lane| {
            let kinds: Vec<Kind> = lane.iter().flat_map(|(_, kinds)| kinds.clone()).collect();
            self.options.turns_to_obligations(&kinds);
            let answers = in_context(|| self.lane(lane));
            self.options.turns_to(&[]);
            answers
        }));
        out
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
        Guard::new(self.target, self.assumable, self.options, (&small, &logic))
            .judge(units, &mut out, self.clock);
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
    let kinds: Vec<Kind> = units.iter().flat_map(|(_, kinds)| kinds.clone()).collect();
    round.options.turns_to_obligations(&kinds);
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
        round.options.turns_to_obligations(kinds);
        match logic.groups(round.target, &ground, *unit, kinds, round.assumable) {
            Ok(groups) => {
                let asked = (round, *unit, &ground, groups.as_slice());
                solve_groups(asked, &mut session, begun, out);
            }
            Err(e) => out.extend(refuse(kinds, &e)),
        }
    }
}

fn solve_groups<'r, 'l>(
    (round, unit, ground, groups): (Round<'r, 'l>, Unit, &Ground<'l>, &[Group<'l>]),
    session: &mut Session<'r>,
    mut begun: Duration,
    out: &mut Vec<(Kind, Raw)>,
) {
    for group in groups {
        session.scoped(|session| {
            session.assert_all(&group.assume);
            for (kind, cases) in &group.members {
                round.options.turns_to_obligations(&[*kind]);
                let mut raw = match cases {
                    Ok(cases) => Question {
                        round,
                        unit,
                        kind: *kind,
                        ground,
                        group,
                        cases,
                        deadline: Deadline::of(round.options, round.clock, begun),
                    }
                    .ask(session),
                    Err(e) => refused(e),
                };
                let now = (round.clock)();
                raw.time = now.saturating_sub(begun);
                begun = now;
                out.push((*kind, raw));
            }
        });
    }
}

fn refuse(kinds: &[Kind], e: &Outside) -> Vec<(Kind, Raw)> {
    kinds.iter().map(|kind| (*kind, refused(e))).collect()
}

fn refused(e: &Outside) -> Raw {
    Raw::unasked(Answer::Unknown(Reason::OutsideEncoding {
        span: e.span,
        because: e.because.clone(),
    }))
}
