//! The questions of one round, in lanes of units that share a context and its solvers.

use std::collections::BTreeMap;
use std::time::Duration;

use super::only_those;
use super::question::{Question, assumed, fingerprints};
use super::round::{Lanes, Purpose, Raw, Round};
use super::spread::spread;
use super::vacuity::{self, Guard};
use crate::logic::{Logic, Size, Unsupported};
use crate::obligations::{Background, Ground, Group, Kind, Unit};
use crate::options::Allowance;
use crate::reason::Reason;
use crate::solver::{Answer, Solver, Stated, in_context_of};
use crate::watch::Task;

/// Units of one lane share a context, which takes some milliseconds to make: as long as proving ten units may take.
/// Their number is fixed by the target, so that no answer depends on the threads.
const UNITS_PER_LANE: usize = 32;

/// Units, each with the obligations that are asked for.
type Lane = Vec<(Unit, Vec<Kind>)>;

/// Which solver an obligation is asked in, and how long.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Company {
    /// Briefly, in a solver that several share.
    Briefly,
    /// In full, in the solver that they share. What it has learnt from one changes what the next costs.
    Together,
    /// In full, in a solver of its own: so its answer and its costs are the same, whatever else is asked.
    Alone,
}

impl Round<'_, '_> {
    /// Asks all questions of the units.
    pub(super) fn solve(self, units: &[(Unit, Vec<Kind>)]) -> Vec<(Kind, Raw)> {
        match (self.options.apart, self.purpose) {
            (true, _) => self.asked(units, Company::Alone),
            (false, Purpose::Proof) => self.alone_where_long(units),
            (false, _) => self.asked(units, Company::Together),
        }
    }

    /// Asks all questions of the units: together what is soon decided, and the rest alone.
    fn alone_where_long(self, units: &[(Unit, Vec<Kind>)]) -> Vec<(Kind, Raw)> {
        let briefly = self.asked(units, Company::Briefly);
        let mut answers: BTreeMap<Kind, Raw> = briefly.into_iter().collect();
        let long = |kind: &Kind| answers.get(kind).is_none_or(|raw| raw.answer.is_open());
        let long = only_those(units, long);
        for (kind, raw) in self.asked(&long, Company::Alone) {
            let before = answers.get(&kind).map(|raw| (raw.time, raw.queries));
            let (time, queries) = before.unwrap_or_default();
            let both = Raw {
                time: raw.time + time,
                queries: raw.queries + queries,
                // What was done before depends on what else was asked, and is not counted.
                ..raw
            };
            answers.insert(kind, both);
        }
        answers.into_iter().collect()
    }

    /// Asks all questions of the units in such company.
    fn asked(self, units: &[(Unit, Vec<Kind>)], company: Company) -> Vec<(Kind, Raw)> {
        let mut out = Vec::new();
        let units = only_those(units, |kind| {
            let lost = self.options.is_given_up(Task::Obligation(*kind));
            out.extend(lost.then(|| (*kind, Raw::given_up())));
            !lost
        });
        let lanes = self.lanes(units, company);
        let all = Lanes::new(self.options.threads, lanes.len());
        out.extend(spread(&lanes, self.options.threads, |(assumable, lane)| {
            let kinds: Vec<Kind> = lane.iter().flat_map(|(_, kinds)| kinds.clone()).collect();
            self.options.turns_to_obligations(&kinds);
            let round = Round {
                assumable,
                lanes: Some(&all),
                ..self
            };
            let answers = in_context_of(self.options, || round.lane(lane, company));
            self.options.turns_to(&[]);
            all.finish();
            answers
        }));
        out
    }

    /// The units in lanes, those apart whose proofs may assume different invariants; or one lane for each obligation.
    fn lanes(self, units: Lane, company: Company) -> Vec<(Vec<bool>, Lane)> {
        if company == Company::Alone {
            let each = units.iter().flat_map(|(unit, kinds)| {
                let alone = |kind: &Kind| {
                    let assumable = self.target.assumable(*kind, self.assumable);
                    (assumable, vec![(*unit, vec![*kind])])
                };
                kinds.iter().map(alone)
            });
            return each.collect();
        }
        let mut restricted: BTreeMap<Vec<bool>, Lane> = BTreeMap::new();
        for (unit, kinds) in units {
            let mut apart: BTreeMap<Vec<bool>, Vec<Kind>> = BTreeMap::new();
            for kind in kinds {
                let assumable = self.target.assumable(kind, self.assumable);
                apart.entry(assumable).or_default().push(kind);
            }
            for (assumable, kinds) in apart {
                restricted.entry(assumable).or_default().push((unit, kinds));
            }
        }
        let mut lanes = Vec::new();
        for (assumable, units) in restricted {
            let count = units.len().div_ceil(UNITS_PER_LANE);
            lanes.extend((0..count).map(|lane| {
                let units = units.iter().skip(lane).step_by(count).cloned().collect();
                (assumable.clone(), units)
            }));
        }
        lanes
    }

    /// Whether nothing more needs to be asked.
    fn is_decided(self, out: &[(Kind, Raw)]) -> bool {
        let fails = || out.iter().any(|(_, raw)| raw.answer != Answer::Unsat);
        self.purpose == Purpose::Decision && fails()
    }

    fn lane(self, units: &[(Unit, Vec<Kind>)], company: Company) -> Vec<(Kind, Raw)> {
        let mut backgrounds: BTreeMap<Background, Vec<&(Unit, Vec<Kind>)>> = BTreeMap::new();
        for unit in units {
            backgrounds
                .entry(Background::of(self.target, unit.0))
                .or_default()
                .push(unit);
        }
        let mut logic = Logic::new(self.target.model, Size::Any);
        // What proofs rest on is looked for in a small instance.
        let is_judged = self.purpose == Purpose::Proof;
        let small = || is_judged.then(|| vacuity::small(self.target)).transpose();
        let small = match logic.declare_theories().and_then(|()| small()) {
            Ok(small) => small,
            Err(e) => {
                return units
                    .iter()
                    .flat_map(|(_, kinds)| refuse(kinds, &e))
                    .collect();
            }
        };
        let mut out = Vec::new();
        for (background, units) in backgrounds {
            let asked = (self, company);
            solve_background(asked, &logic, background, &units, &mut out);
        }
        if let Some(small) = &small {
            let mut guard = Guard::new(self.target, self.assumable, self.options, (small, &logic));
            self.judge(&mut guard, units, &mut out);
        }
        out
    }

    /// Finds out what the proofs of these units rest on, and adds the time for it to that for the proofs.
    fn judge(
        self,
        guard: &mut Guard<'_, '_>,
        units: &[(Unit, Vec<Kind>)],
        out: &mut [(Kind, Raw)],
    ) {
        for (unit, kinds) in units {
            self.options.turns_to_obligations(kinds);
            let proofs = out
                .iter_mut()
                .filter(|(kind, raw)| kinds.contains(kind) && raw.answer == Answer::Unsat);
            for (kind, raw) in proofs {
                let begun = (self.clock)();
                raw.basis = Some(guard.basis(*unit, *kind));
                raw.time += (self.clock)().saturating_sub(begun);
            }
        }
    }
}

/// All questions of the units of one background, in one solver.
fn solve_background<'l>(
    (round, company): (Round<'_, 'l>, Company),
    logic: &'l Logic<'l>,
    background: Background,
    units: &[&(Unit, Vec<Kind>)],
    out: &mut Vec<(Kind, Raw)>,
) {
    let kinds: Vec<Kind> = units.iter().flat_map(|(_, kinds)| kinds.clone()).collect();
    round.options.turns_to_obligations(&kinds);
    let ground = match logic.ground(round.target, background, round.assumable) {
        Ok(ground) => ground,
        Err(e) => {
            out.extend(units.iter().flat_map(|(_, kinds)| refuse(kinds, &e)));
            return;
        }
    };
    let mut solver = Solver::new(round.options);
    solver.assert_all(&ground.assume);
    // What is stated to find the fingerprints changes what the solver does, whether it is stated for them or not.
    let is_known = company == Company::Alone || round.options.proofs.is_some();
    let common = is_known.then(|| assumed(&ground.assume));
    for (unit, kinds) in units {
        if round.is_decided(out) {
            return;
        }
        let begun = (round.clock)();
        round.options.turns_to_obligations(kinds);
        match logic.groups(round.target, &ground, *unit, kinds, round.assumable) {
            Ok(groups) => {
                let asked = (
                    (round, company),
                    *unit,
                    (&ground, common),
                    groups.as_slice(),
                );
                solve_groups(asked, &mut solver, begun, out);
            }
            Err(e) => out.extend(refuse(kinds, &e)),
        }
    }
}

/// The groups of a unit, with the background that they are in and a hash of what is assumed there.
type Asked<'q, 'r, 'l> = (
    (Round<'r, 'l>, Company),
    Unit,
    (&'q Ground<'l>, Option<Stated>),
    &'q [Group<'l>],
);

fn solve_groups<'r, 'l>(
    ((round, company), unit, (ground, common), groups): Asked<'_, 'r, 'l>,
    solver: &mut Solver<'r>,
    mut begun: Duration,
    out: &mut Vec<(Kind, Raw)>,
) {
    for group in groups {
        if round.is_decided(out) {
            return;
        }
        solver.scoped(|solver| {
            solver.assert_all(&group.assume);
            let known = common.map(|common| fingerprints(common, group, round.options));
            let mut known = known.into_iter().flatten();
            for (kind, cases) in &group.members {
                round.options.turns_to_obligations(&[*kind]);
                let fingerprint = known.next();
                let mut raw = match cases {
                    Ok(cases) => Question {
                        round,
                        unit,
                        kind: *kind,
                        ground,
                        group,
                        cases,
                        fingerprint,
                        is_brief: company == Company::Briefly,
                        allowance: Allowance::of(round.options, round.clock, begun),
                    }
                    .answered(solver),
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

fn refuse(kinds: &[Kind], e: &Unsupported) -> Vec<(Kind, Raw)> {
    kinds.iter().map(|kind| (*kind, refused(e))).collect()
}

fn refused(e: &Unsupported) -> Raw {
    Raw::unasked(Answer::Unknown(Reason::OutsideEncoding {
        span: e.span,
        because: e.because.clone(),
    }))
}
