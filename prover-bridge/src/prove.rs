//! Proving a target: all obligations, in lanes that share solvers, until what is left stands by itself.
//!
//! Each invariant is proved with all others assumed before the step. Where one of them fails, what used it is not
//! proved, so the failed ones are withdrawn and the rest is asked again, until nothing fails any more: what remains is
//! inductive by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ioa_lang::Name;
use z3::Solver;
use z3::ast::Bool;

use crate::counterexample::{self, Search};
use crate::encode::{Logic, Outside, Size};
use crate::obligations::{
    Case, Ground, Group, Kind, Obligation, Target, Unit, World, obligations, units,
};
use crate::report::{Outcome, Reason, Report, Verdict};
use crate::solve::{Answer, Options, Session, in_context};

/// A source of time. The crate has no clock of its own.
pub type Clock<'c> = &'c (dyn Fn() -> Duration + Sync);

/// Recursion over deep formulas needs room; it is address space until it is used.
const STACK: usize = 256 << 20;

/// Units of one lane share a context. Their number is fixed by the target, so that no answer depends on the threads.
const UNITS_PER_LANE: usize = 32;

/// What the unbounded question came to.
#[derive(Clone, Debug)]
pub(crate) struct Raw {
    pub(crate) answer: Answer,
    /// The sizes of the sorts in the countermodel, if there is one.
    pub(crate) sizes: Option<Vec<u32>>,
    pub(crate) needed: Option<Vec<usize>>,
    pub(crate) time: Duration,
    pub(crate) resources: u64,
    pub(crate) queries: u32,
}

/// What to ask: which units of a target under which assumptions.
#[derive(Clone, Copy)]
struct Round<'r, 'a> {
    target: &'r Target<'a>,
    assumable: &'r [bool],
    options: &'r Options<'r>,
    clock: Clock<'r>,
}

/// Proves a target.
///
/// The outcomes come in the order of [`obligations`]; everything in them but the times is the same on every run,
/// whatever the number of threads, unless a timeout strikes.
#[must_use]
pub fn prove(target: &Target<'_>, options: &Options<'_>, clock: Clock<'_>) -> Report {
    let listed = obligations(target);
    let mut assumable = vec![true; target.invariants.len()];
    let mut settled: BTreeMap<Kind, Raw> = BTreeMap::new();
    let mut lost: BTreeSet<Kind> = BTreeSet::new();
    let mut open = units(target);
    loop {
        let round = Round {
            target,
            assumable: &assumable,
            options,
            clock,
        };
        let first = settled.is_empty();
        for (kind, raw) in round.solve(&open) {
            if !first && raw.answer != Answer::Unsat {
                lost.insert(kind);
            }
            accumulate(&mut settled, kind, raw);
        }
        let kept = withdraw(target, &assumable, &settled);
        if kept == assumable {
            break;
        }
        assumable = kept;
        open = still_proved(&units(target), &settled);
    }
    let report = Finish {
        target,
        options,
        clock,
        established: &assumable,
    };
    report.write(listed, &settled, &lost)
}

/// A later answer counts; costs add up.
fn accumulate(settled: &mut BTreeMap<Kind, Raw>, kind: Kind, mut raw: Raw) {
    if let Some(before) = settled.get(&kind) {
        raw.time += before.time;
        raw.resources += before.resources;
        raw.queries += before.queries;
    }
    settled.insert(kind, raw);
}

/// The invariants that are left when those with an obligation that is not proved are withdrawn.
fn withdraw(target: &Target<'_>, assumable: &[bool], settled: &BTreeMap<Kind, Raw>) -> Vec<bool> {
    let mut kept = assumable.to_vec();
    for (kind, raw) in settled {
        if let Kind::Initiation { invariant } | Kind::Consecution { invariant, .. } = kind
            && raw.answer != Answer::Unsat
        {
            kept[*invariant] = false;
        }
    }
    debug_assert_eq!(kept.len(), target.invariants.len());
    kept
}

/// The units with only those obligations that are proved so far.
fn still_proved(
    units: &[(Unit, Vec<Kind>)],
    settled: &BTreeMap<Kind, Raw>,
) -> Vec<(Unit, Vec<Kind>)> {
    let proved = |kind: &Kind| {
        settled
            .get(kind)
            .is_some_and(|raw| raw.answer == Answer::Unsat)
    };
    units
        .iter()
        .map(|(unit, kinds)| (*unit, kinds.iter().copied().filter(proved).collect()))
        .filter(|(_, kinds): &(Unit, Vec<Kind>)| !kinds.is_empty())
        .collect()
}

impl Round<'_, '_> {
    /// Asks all questions of the units.
    fn solve(self, units: &[(Unit, Vec<Kind>)]) -> Vec<(Kind, Raw)> {
        let count = units.len().div_ceil(UNITS_PER_LANE).max(units.len().min(2));
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
        let mut out = Vec::new();
        for (world, units) in worlds {
            if let Err(e) = &declared {
                out.extend(units.iter().flat_map(|(_, kinds)| refuse(kinds, e)));
                continue;
            }
            solve_world(self, &logic, world, &units, &mut out);
        }
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
        let mut literals: Vec<(usize, Bool)> = Vec::new();
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
        session.deny(&case.goals);
        needed.extend(minimal_core(&mut session, literals)?);
        *queries += session.queries();
    }
    needed.sort_unstable();
    needed.dedup();
    Some(needed)
}

fn minimal_core(session: &mut Session<'_>, literals: Vec<(usize, Bool)>) -> Option<Vec<usize>> {
    let assume =
        |kept: &[(usize, Bool)]| -> Vec<Bool> { kept.iter().map(|(_, l)| l.clone()).collect() };
    let in_core = |solver: &Solver, kept: Vec<(usize, Bool)>| -> Vec<(usize, Bool)> {
        let core = solver.get_unsat_core();
        kept.into_iter()
            .filter(|(_, l)| core.iter().any(|c| c.ast_eq(l)))
            .collect()
    };
    if session.check_assuming(&assume(&literals)) != Answer::Unsat {
        return None;
    }
    let mut kept = in_core(&session.solver, literals);
    let mut at = 0;
    while at < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        if session.check_assuming(&assume(&fewer)) == Answer::Unsat {
            kept = in_core(&session.solver, fewer);
        } else {
            at += 1;
        }
    }
    Some(kept.into_iter().map(|(invariant, _)| invariant).collect())
}

/// Turns raw answers into outcomes.
struct Finish<'r, 'a> {
    target: &'r Target<'a>,
    options: &'r Options<'r>,
    clock: Clock<'r>,
    established: &'r [bool],
}

impl Finish<'_, '_> {
    fn write(
        &self,
        listed: Vec<Obligation>,
        settled: &BTreeMap<Kind, Raw>,
        lost: &BTreeSet<Kind>,
    ) -> Report {
        let lemmas = self.lemmas(lost);
        let searched = self.search(settled, lost);
        let outcomes: Vec<Outcome> = listed
            .into_iter()
            .filter_map(|obligation| {
                let raw = settled.get(&obligation.kind)?;
                let lemmas = lemmas.get(&obligation.kind);
                let searched = searched.get(&obligation.kind);
                Some(self.outcome(obligation, raw, lemmas, searched))
            })
            .collect();
        Report {
            queries: outcomes.iter().map(|o| o.queries).sum(),
            established: self.established.to_vec(),
            outcomes,
        }
    }

    /// For each obligation that was proved with invariants withdrawn since: which of those its proof needs.
    fn lemmas(&self, lost: &BTreeSet<Kind>) -> BTreeMap<Kind, Vec<usize>> {
        let mine = |kinds: &[Kind]| kinds.iter().copied().filter(|k| lost.contains(k)).collect();
        let open: Vec<(Unit, Vec<Kind>)> = units(self.target)
            .into_iter()
            .map(|(unit, kinds)| (unit, mine(&kinds)))
            .filter(|(_, kinds): &(Unit, Vec<Kind>)| !kinds.is_empty())
            .collect();
        let options = Options {
            needed_invariants: true,
            ..self.options.clone()
        };
        let round = Round {
            target: self.target,
            assumable: &vec![true; self.established.len()],
            options: &options,
            clock: self.clock,
        };
        let withdrawn = |i: &usize| !self.established[*i];
        let answers = round.solve(&open).into_iter();
        answers
            .map(|(kind, raw)| {
                let needed = raw.needed.unwrap_or_default();
                (kind, needed.into_iter().filter(withdrawn).collect())
            })
            .collect()
    }

    /// Small counterexamples to what was not proved with all invariants assumed.
    fn search(
        &self,
        settled: &BTreeMap<Kind, Raw>,
        lost: &BTreeSet<Kind>,
    ) -> BTreeMap<Kind, (Search, Duration)> {
        let mut open = Vec::new();
        for (unit, kinds) in units(self.target) {
            for kind in kinds {
                if let Some(raw) = settled.get(&kind)
                    && !lost.contains(&kind)
                    && may_be_refuted(&raw.answer)
                {
                    open.push((unit, kind, raw));
                }
            }
        }
        let all = vec![true; self.established.len()];
        let found = spread(&open, self.options.threads, |(unit, kind, raw)| {
            let begun = (self.clock)();
            let sizes = raw.sizes.as_deref();
            let search =
                counterexample::find(self.target, (*unit, *kind), &all, sizes, self.options);
            vec![(*kind, (search, (self.clock)().saturating_sub(begun)))]
        });
        found.into_iter().collect()
    }

    fn outcome(
        &self,
        obligation: Obligation,
        raw: &Raw,
        lemmas: Option<&Vec<usize>>,
        searched: Option<&(Search, Duration)>,
    ) -> Outcome {
        let names = |of: &Vec<usize>| -> Vec<Name> {
            of.iter()
                .map(|i| self.target.invariants[*i].name.clone())
                .collect()
        };
        let verdict = match (&raw.answer, lemmas, searched) {
            (Answer::Unsat, _, _) => Verdict::Proved,
            (_, Some(lemmas), _) => Verdict::Unknown(Reason::NeedsUnproved(names(lemmas))),
            (answer, None, Some((search, _))) => judged(answer, &search.found),
            (Answer::Unknown(reason), None, None) => Verdict::Unknown(reason.clone()),
            (Answer::Sat, None, None) => Verdict::Unknown(Reason::Incomplete(
                "no counterexample was looked for".into(),
            )),
        };
        let (extra, time) = searched.map_or((0, Duration::ZERO), |(s, t)| (s.queries, *t));
        Outcome {
            obligation,
            verdict,
            time: raw.time + time,
            resources: raw.resources,
            queries: raw.queries + extra,
            needed: raw.needed.as_ref().map(names),
        }
    }
}

/// Whether a counterexample may be found though the unbounded question had this answer.
fn may_be_refuted(answer: &Answer) -> bool {
    match answer {
        Answer::Unsat => false,
        Answer::Sat => true,
        Answer::Unknown(reason) => {
            !matches!(reason, Reason::OutsideEncoding { .. } | Reason::Stopped)
        }
    }
}

/// The verdict where the unbounded question had this answer and the search came to that. Only a counterexample in hand
/// refutes: the solver's own may have infinite sets, or sizes that are none.
fn judged(answer: &Answer, found: &Result<counterexample::Counterexample, Reason>) -> Verdict {
    match (found, answer) {
        (Ok(counterexample), _) => Verdict::Refuted(Box::new(counterexample.clone())),
        (Err(_), Answer::Unknown(reason)) => Verdict::Unknown(reason.clone()),
        (Err(Reason::Incomplete(why)), _) => Verdict::Unknown(Reason::Incomplete(format!(
            "the solver has a countermodel, but {why}"
        ))),
        (Err(reason), _) => Verdict::Unknown(reason.clone()),
    }
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
        time: Duration::ZERO,
        resources: 0,
        queries: 0,
    }
}

/// Runs `work` on each item, on at most so many threads; the results come in the order of the items.
fn spread<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Vec<R> + Sync,
) -> Vec<R> {
    let threads = threads.clamp(1, items.len().max(1));
    let run = |thread: usize| {
        let mine = items.iter().enumerate().skip(thread).step_by(threads);
        mine.map(|(i, item)| (i, work(item))).collect::<Vec<_>>()
    };
    let (run, mut results) = (&run, Vec::new());
    std::thread::scope(|scope| {
        let mut handles = Vec::new();
        for thread in 0..threads {
            let builder = std::thread::Builder::new().stack_size(STACK);
            match builder.spawn_scoped(scope, move || run(thread)) {
                Ok(handle) => handles.push(handle),
                // Where no thread is to be had, this one does the work.
                Err(_) => results.extend(run(thread)),
            }
        }
        for handle in handles {
            match handle.join() {
                Ok(found) => results.extend(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().flat_map(|(_, found)| found).collect()
}
