//! A search in every interpretation of the theories: what holds in one of them may be wrong in another.

use interpreter::Instance;

use super::super::liveness::{self, Answer, Outcome};
use super::exploration::{Ended, Exploration, LeftOut, Others};
use super::orders;
use super::plan::{ExplorePlan, Limits};
use super::seen::Shown;
use super::visit::explore;
use crate::host::Host;
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// Visits the states that a plan asks for in each interpretation of the theories, or in the one that is chosen. It stops
/// at the first interpretation that is not visited completely, or in which something is found unless the plan is to keep
/// going; what is counted is counted in all of them together. The study is the one with the plan's formulas, the setup the
/// one with its sizes.
///
/// A checkpoint and a graph hold one search: with them, one interpretation is visited.
///
/// # Errors
/// Why the automaton cannot be run at these sizes, or a search cannot be taken up.
pub fn in_each_interpretation(
    study: &Study,
    setup: &Setup,
    plan: &ExplorePlan,
    host: &dyn Host,
) -> Result<Exploration, BadInput> {
    let setting = study.model.setting([plan.automaton]);
    let instances = study.instances(setup, setting)?;
    let mut found = both(study, instances.of_run(0).1, plan, setup.threads, host)?;
    found.tried = instances.tried(1);
    if found.tried.are_all {
        return Ok(found);
    }
    found = numbered(found, instances.of_run(0).0);
    let goes_into_file = plan.checkpoint.is_some() || plan.resume.is_some() || plan.graph;
    if study.chosen_interpretation(setup).is_some() {
        return Ok(left(found, Others::NotChosen));
    }
    if goes_into_file {
        return Ok(left(found, Others::NotInFile));
    }
    if !goes_on(&found, plan) {
        return Ok(left(found, Others::Found));
    }
    for place in 1..instances.count() {
        let rest = ExplorePlan {
            limits: remaining(&plan.limits, &found),
            ..plan.clone()
        };
        let (number, instance) = instances.of_run(place);
        let mut next = both(study, instance, &rest, setup.threads, host)?;
        next.tried = instances.tried(place + 1);
        found = together(found, numbered(next, number));
        if !goes_on(&found, plan) {
            return Ok(left(found, Others::Found));
        }
    }
    Ok(left(found, Others::TooMany))
}

/// Says that what was found is so in the interpretation with this number.
fn numbered(mut found: Exploration, number: u64) -> Exploration {
    let shown = found.shown.iter_mut().map(|shown| &mut shown.world);
    let answered = found.liveness.iter_mut().map(|answer| &mut answer.world);
    for world in shown.chain(answered).chain([&mut found.world]) {
        world.interpretation = Some(number);
    }
    found
}

/// Whether other interpretations are tried after those in which this was found.
fn goes_on(found: &Exploration, plan: &ExplorePlan) -> bool {
    let lets_go_on = |answer: &Answer| match answer.outcome {
        Outcome::Holds { .. } | Outcome::Possible { .. } | Outcome::Unknown(_) => true,
        _ => plan.keep_going,
    };
    let is_over = match found.ended {
        Ended::Complete => found.liveness.iter().all(lets_go_on),
        // Nothing is known of infinite executions then, in any interpretation.
        Ended::Outside(_) | Ended::Restricted(_) | Ended::Swarm => true,
        Ended::Stuck => plan.keep_going,
        _ => false,
    };
    is_over && (plan.keep_going || found.shown.is_empty())
}

/// Visits all states of an instance, and decides the liveness properties.
fn both(
    study: &Study,
    instance: &Instance,
    plan: &ExplorePlan,
    threads: usize,
    host: &dyn Host,
) -> Result<Exploration, BadInput> {
    let found = match plan.dpor {
        true => orders::explore(study, instance, plan, host)?,
        false => explore(study, instance, plan, threads, host)?,
    };
    let mut found = restricted(found, plan);
    found.liveness = liveness::answers(study, &found, plan, host);
    Ok(found)
}

/// The exploration, which is not complete where the plan leaves something out.
fn restricted(found: Exploration, plan: &ExplorePlan) -> Exploration {
    let left_out = match (plan.when.is_empty(), plan.ignore.is_empty()) {
        (true, true) => return found,
        (false, true) => LeftOut::Steps,
        (true, false) => LeftOut::Differences,
        (false, false) => LeftOut::Both,
    };
    match found.ended {
        Ended::Complete => Exploration {
            ended: Ended::Restricted(left_out),
            ..found
        },
        _ => found,
    }
}

/// The exploration, with the reason why there are interpretations that were not visited, if there are any.
fn left(found: Exploration, why: Others) -> Exploration {
    match (found.ended, found.tried.are_all) {
        (Ended::Complete, false) => Exploration {
            ended: Ended::Interpretations(why),
            ..found
        },
        _ => found,
    }
}

/// What is left of the limits.
fn remaining(limits: &Limits, found: &Exploration) -> Limits {
    Limits {
        states: limits.states.map(|n| n.saturating_sub(found.distinct)),
        time: limits.time.map(|n| (n - found.seconds).max(0.0)),
        ..*limits
    }
}

/// Two explorations as one: counts are added, and what no state showed in either was never seen. Of what both show, the
/// shorter way is kept.
fn together(first: Exploration, second: Exploration) -> Exploration {
    let stand_for_others = first.orbit_totals.is_some() || second.orbit_totals.is_some();
    let orbit_totals = stand_for_others.then(|| first.all().with(second.all()));
    let mut never = second.never;
    never.retain(|n| first.never.iter().any(|m| m.transition == n.transition));
    let mut vacuous = second.vacuous;
    vacuous.retain(|v| first.vacuous.iter().any(|w| w.is_same(v)));
    let ended = match (first.ended, second.ended) {
        (Ended::Outside(first), Ended::Outside(second)) => Ended::Outside(first + second),
        (Ended::Outside(states), Ended::Complete | Ended::Restricted(_)) => Ended::Outside(states),
        // What lies behind a step without a result is not visited, in whichever of them it is.
        (Ended::Stuck, Ended::Complete) => Ended::Stuck,
        (_, ended) => ended,
    };
    Exploration {
        ended,
        orbit_totals,
        distinct: first.distinct + second.distinct,
        generated: first.generated + second.generated,
        levels: summed(&first.levels, &second.levels, |a, b| explorer::Level {
            states: a.states + b.states,
            generated: a.generated + b.generated,
        }),
        queue: first.queue + second.queue,
        quiescent: first.quiescent + second.quiescent,
        memory: first.memory.max(second.memory),
        orders: first.orders.zip(second.orders).map(|(a, b)| a.with(b)),
        swarm: first.swarm.zip(second.swarm).map(|(a, b)| a.with(b)),
        fired: summed(&first.fired, &second.fired, |a, b| a + b),
        seconds: first.seconds + second.seconds,
        never,
        vacuous,
        shown: shorter(first.shown, second.shown),
        liveness: liveness::together(first.liveness, second.liveness),
        ..second
    }
}

/// What two explorations show: for each question the one that fewer steps lead to.
fn shorter(first: Vec<Shown>, second: Vec<Shown>) -> Vec<Shown> {
    let mut all = first;
    for shown in second {
        match all.iter_mut().find(|one| one.question == shown.question) {
            Some(one) if shown.depth < one.depth => *one = shown,
            Some(_) => {}
            None => all.push(shown),
        }
    }
    all
}

/// Two lists, entry by entry; behind the end of the shorter one, the other's entries.
fn summed<T: Clone>(first: &[T], second: &[T], add: impl Fn(&T, &T) -> T) -> Vec<T> {
    let both = first.iter().zip(second).map(|(a, b)| add(a, b));
    let (shorter, longer) = match first.len() <= second.len() {
        true => (first, second),
        false => (second, first),
    };
    both.chain(longer[shorter.len()..].iter().cloned())
        .collect()
}
