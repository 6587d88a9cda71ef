//! What is said of a search that has ended, or that could not begin.

use std::sync::Arc;

use explorer::{Finding, Question, Search};
use interpreter::{Executor, FaultKind, Instance, Interrupt, Layout, Rows};
use ioa_lang::core::AutomatonId;

use super::super::exploration::{Ended, Exploration, nothing};
use super::super::growth;
use super::super::plan::ExplorePlan;
use super::super::seen::{PATIENCE, Show, Shown, Unseen, graph};
use super::super::symmetry::canonicalise;
use super::checkpoint::Keeper;
use super::steps::Steps;
use super::time_limit::TimeLimit;
use crate::host::Host;
use crate::interpretation::World;
use crate::study::{BadInput, Study};

/// What is said of a search that has ended, beyond what it has counted. It is kept if it can go on, and leaves nothing on disk
/// if it cannot.
pub(super) fn concluded<'i>(
    known: Exploration,
    mut search: Search<Steps<'i>>,
    mut keeper: Keeper<'_, '_>,
    (study, plan): (&Study, &ExplorePlan),
    (executor, rows): (&mut Executor<'i>, &Rows<'i>),
    host: &dyn Host,
) -> Result<Exploration, BadInput> {
    let ended = known.ended;
    let seconds = keeper.seconds();
    let can_go_on = !matches!(ended, Ended::Complete | Ended::Stuck | Ended::Outside(_));
    if can_go_on {
        keeper.keep(&mut search);
    }
    let mut exploration = Exploration {
        seconds,
        kept: keeper.result().filter(|_| can_go_on),
        ..known
    };
    if is_cut_off(ended) {
        let layout = executor.instance().layout(plan.automaton);
        exploration.growing = growing(&search, layout, rows);
    }
    look_back(
        &mut exploration,
        &mut search,
        (study, plan),
        (executor, rows),
        host,
    );
    check_disk(&search)?;
    if !can_go_on {
        clear_disk(plan)?;
    }
    Ok(exploration)
}

/// The variables that keep growing.
fn growing(search: &Search<Steps<'_>>, layout: &Layout, rows: &Rows<'_>) -> Vec<String> {
    let quarters = search.quarters(growth::LOOKED_AT);
    growth::growing(layout, rows, (search.distinct(), search.depth()), &quarters)
}

/// Removes what a search that cannot go on has kept on disk.
fn clear_disk(plan: &ExplorePlan) -> Result<(), BadInput> {
    let mut folder = plan.disk.iter();
    folder.try_for_each(|folder| folder.clear().map_err(BadInput::message))
}

/// Refuses to say anything of a search whose states cannot be read or written.
pub(super) fn check_disk(search: &Search<Steps<'_>>) -> Result<(), BadInput> {
    search.trouble().map_or(Ok(()), |why| {
        Err(BadInput::message(format!(
            "{why}; nothing was lost of what was kept on disk before: the same command goes on from there"
        )))
    })
}

/// What can be said once the states are visited: what none of them shows, their graph, and the way to what was found.
pub(in crate::pipeline::explore) fn look_back<'i>(
    exploration: &mut Exploration,
    search: &mut Search<Steps<'i>>,
    (study, plan): (&Study, &ExplorePlan),
    (executor, rows): (&mut Executor<'i>, &Rows<'i>),
    host: &dyn Host,
) {
    // Where steps are left out, it says nothing that a clause was not taken or a formula not put to the test.
    if exploration.reduced.is_none() {
        let _limit = TimeLimit::new(executor.instance().cancel(), Some(PATIENCE), host);
        let mut unseen = Unseen {
            search,
            executor,
            rows,
        };
        exploration.never = unseen.never(&exploration.fired);
        exploration.vacuous = unseen.vacuous(&exploration.invariants);
    }
    if plan.graph {
        let symmetry = exploration.symmetry.as_deref();
        let canonical = |row: &mut [u64]| canonicalise(symmetry, row);
        let drawn = graph(study, executor, search, (rows, &canonical));
        exploration.graph = Some(drawn);
    }
    let mut findings: Vec<Finding> = relevant(search, plan).cloned().collect();
    // Within one depth, the order in which states are met depends on how they are packed.
    findings.sort_by_key(|finding| (finding.depth, finding.question));
    for finding in findings {
        let mut show = Show {
            world: &exploration.world,
            executor,
            rows,
            symmetry: exploration.symmetry.as_deref(),
            invariants: &exploration.invariants,
        };
        let shown = show.finding(&finding, search.path(&finding).as_ref());
        exploration.shown.push(shown);
    }
}

/// What a search has counted.
pub(in crate::pipeline::explore) fn summed_up(
    search: &Search<Steps<'_>>,
    instance: &Arc<Instance>,
    automaton: AutomatonId,
    invariants: Vec<usize>,
) -> Exploration {
    let levels = search.levels();
    let mut fired = search.fired().to_vec();
    fired.resize(instance.model().automaton(automaton).transitions.len(), 0);
    Exploration {
        distinct: search.distinct(),
        generated: search.starts() + levels.iter().map(|l| l.generated).sum::<u64>(),
        levels,
        queue: search.queue(),
        quiescent: search.quiescent(),
        memory: search.memory(),
        fired,
        ..nothing(instance, automaton, invariants)
    }
}

/// What comes of an automaton whose start states cannot be computed.
pub(in crate::pipeline::explore) fn unstarted(
    instance: &Arc<Instance>,
    automaton: AutomatonId,
    invariants: Vec<usize>,
    interrupt: Interrupt,
) -> Exploration {
    Exploration {
        ended: match is_no_start(&interrupt) {
            true => Ended::NoStart,
            false => Ended::Found,
        },
        shown: vec![Shown {
            interrupt: Some(interrupt),
            ..Shown::of(&World::only(instance), Question::Fault, 0)
        }],
        ..nothing(instance, automaton, invariants)
    }
}

/// Whether it is that there is no start state.
fn is_no_start(interrupt: &Interrupt) -> bool {
    matches!(interrupt, Interrupt::Fault(fault) if fault.kind == FaultKind::NoStart)
}

/// Whether a bound ended a search that might have gone on for ever.
fn is_cut_off(ended: Ended) -> bool {
    use Ended::{Depth, Memory, States, Stopped, Time};
    matches!(ended, Depth | Memory(_) | States | Stopped(_) | Time)
}

/// The findings that the plan asks about.
fn relevant<'s>(
    search: &'s Search<Steps<'_>>,
    plan: &ExplorePlan,
) -> impl Iterator<Item = &'s Finding> {
    let deadlocks = plan.asks_for_deadlocks();
    let findings = search.findings().iter();
    findings.filter(move |f| deadlocks || f.question != Question::Deadlock)
}
