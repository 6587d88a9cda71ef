//! Simulations by their definition, on all reachable states of a finite instance.

use std::collections::BTreeMap;

use interpreter::{FaultKind, Interrupt};
use ioa_lang::core::{AutomatonId, Simulation};
use paired_exec::{DefinitionFailure, MAX_PAIRS, MAX_STATES, Named, Side};

use crate::finding::{Finding, Kind, Verdict};
use crate::host::{Host, Stopwatch};
use crate::instances::Interpreted;
use crate::interpretation;
use crate::numbers::count;
use crate::pipeline::plan::command::command;
use crate::setup::Setup;
use crate::story::{Binding, Blame, Frame, Story, call};
use crate::study::{BadInput, Study};

/// Checks the definition of a simulation on all reachable states of both automata, in every instance up to the
/// first in which it fails.
///
/// # Errors
/// Why it cannot be checked at these sizes.
pub(super) fn check(
    study: &Study,
    instances: &Interpreted,
    setup: &Setup,
    simulation: usize,
    host: &dyn Host,
) -> Result<Finding, BadInput> {
    let started = Stopwatch::start(host);
    let _progress = host.begins("looking at all reachable states", None);
    let declared = &study.model.simulations[simulation];
    let name = study.model.simulation_name(declared);
    let low = &study.model.automaton(declared.low).name;
    let scope = study.scope(instances.of_run(0).1);
    let mut finding = Finding::new(Kind::Pair, name, &**low, Verdict::Explored, scope);
    let (mut low_states, mut high_states, mut related) = (0, 0, 0);
    for k in 0..instances.count() {
        let (number, instance) = instances.of_run(k);
        let checked = paired_exec::by_definition(instance, simulation);
        let checked = checked.map_err(|diagnostics| study.refuse(diagnostics))?;
        low_states += checked.low_states as u64;
        high_states += checked.high_states as u64;
        related += checked.related as u64;
        if let Some(broken) = &checked.failure {
            finding.verdict = verdict(broken);
            finding.stories.push(tell(study, declared, broken));
            instances.add_note(study, (declared.low, number), &mut finding);
            let command = command(study, &instances.setup(setup, number), "explore");
            finding.replay = Some(format!("{command} --simulation \"{}\"", finding.name));
            break;
        }
    }
    finding.seconds = Some(started.seconds());
    finding.figures = BTreeMap::from([
        ("low states", low_states),
        ("high states", high_states),
        ("related pairs", related),
    ]);
    finding.summary = match finding.stories.first() {
        Some(story) => story.headline.clone(),
        None => format!(
            "{}: {} low and {} high states, {} related pairs",
            declared.direction.keyword(),
            count(low_states),
            count(high_states),
            count(related)
        ),
    };
    say_interpretations((study, instances, setup), declared.low, &mut finding);
    Ok(finding)
}

/// Says in which interpretations of the theories all states were visited; that a claim holds in some of them is not enough.
pub(super) fn say_interpretations(
    (study, instances, setup): (&Study, &Interpreted, &Setup),
    low: AutomatonId,
    finding: &mut Finding,
) {
    if finding.verdict != Verdict::Explored {
        return;
    }
    let tried = instances.tried(instances.count());
    let universe = instances.of_run(0).1.universe();
    interpretation::say(study, universe, low, tried, &mut finding.summary);
    if !tried.are_all {
        finding.verdict = Verdict::Unknown;
        let chosen = study.chosen_interpretation(setup);
        finding.bound = chosen.map(|_| "interpretation".into());
    }
}

fn verdict(broken: &DefinitionFailure) -> Verdict {
    match broken {
        DefinitionFailure::TooMany
        | DefinitionFailure::Low(Interrupt::Limit(_))
        | DefinitionFailure::Interrupted(_, Interrupt::Limit(_)) => Verdict::Unknown,
        DefinitionFailure::Low(Interrupt::Fault(fault)) if fault.kind == FaultKind::NoStart => {
            Verdict::Vacuous
        }
        _ => Verdict::Violated,
    }
}

/// What is told about a simulation that fails.
struct Account<'s> {
    study: &'s Study,
    low: &'s str,
    high: &'s str,
}

/// A headline, and the states that it speaks of.
type Told = (String, Vec<Frame>);

fn tell(study: &Study, simulation: &Simulation, broken: &DefinitionFailure) -> Story {
    let account = Account {
        study,
        low: &study.model.automaton(simulation.low).name,
        high: &study.model.automaton(simulation.high).name,
    };
    let of_states = account.forward(broken).or_else(|| account.backward(broken));
    let blame = match &of_states {
        Some(_) => vec![Blame::at(study, simulation.relation.span, &[])],
        None => Vec::new(),
    };
    let (headline, frames) = of_states.unwrap_or_else(|| (account.interruption(broken), vec![]));
    Story {
        frames,
        ..Story::bare(headline, blame)
    }
}

impl Account<'_> {
    /// States of the automata under a title.
    fn frame(&self, title: String, states: &[(&str, &Named)]) -> Frame {
        let states = states.iter();
        Frame {
            title,
            step: None,
            values: states
                .flat_map(|(of, state)| values(self.study, of, state))
                .collect(),
        }
    }

    fn forward(&self, broken: &DefinitionFailure) -> Option<Told> {
        let Self { low, high, .. } = *self;
        Some(match broken {
            DefinitionFailure::NoStart { low: s } => (
                format!("a start state of {low} is related to no start state of {high}"),
                vec![self.frame(format!("the start state of {low}"), &[(low, s)])],
            ),
            DefinitionFailure::NoAnswer {
                before,
                high: u,
                step,
                after,
            } => {
                let action = call(&self.study.model, &step.action, &step.params);
                let taken = format!("{} {action}", step.kind.keyword());
                (
                    format!("no steps of {high} answer {action} from a related state"),
                    vec![
                        self.frame("related states".into(), &[(low, before), (high, u)]),
                        self.frame(taken, &[(low, after)]),
                    ],
                )
            }
            _ => return None,
        })
    }

    fn backward(&self, broken: &DefinitionFailure) -> Option<Told> {
        let Self { low, high, .. } = *self;
        Some(match broken {
            DefinitionFailure::NotAStart { low: s, high: u } => (
                format!(
                    "a state of {high} that is related to a start state of {low} is no start state"
                ),
                vec![self.frame("related states".into(), &[(low, s), (high, u)])],
            ),
            DefinitionFailure::Unrelated { low: s } => (
                format!("a reachable state of {low} is related to no reachable state of {high}"),
                vec![self.frame(format!("the state of {low}"), &[(low, s)])],
            ),
            DefinitionFailure::NoWay {
                before,
                step,
                after,
                high: u,
            } => {
                let action = call(&self.study.model, &step.action, &step.params);
                let taken = format!(
                    "{} {action}, and the related states after",
                    step.kind.keyword()
                );
                (
                    format!(
                        "no state of {high} related before {action} leads to one related after it"
                    ),
                    vec![
                        self.frame(format!("the state of {low} before"), &[(low, before)]),
                        self.frame(taken, &[(low, after), (high, u)]),
                    ],
                )
            }
            _ => return None,
        })
    }

    /// Why the definition could not be checked to the end.
    fn interruption(&self, broken: &DefinitionFailure) -> String {
        match broken {
            DefinitionFailure::Interrupted(Side::High, why) => {
                format!("{}: {}", self.high, reason(self.study, why))
            }
            DefinitionFailure::Interrupted(Side::Block, why) => {
                format!("the proof block: {}", reason(self.study, why))
            }
            DefinitionFailure::Interrupted(Side::Relation, why) => {
                format!("the relation: {}", reason(self.study, why))
            }
            DefinitionFailure::Low(why) => format!("{}: {}", self.low, reason(self.study, why)),
            _ => format!(
                "more than {} states of one automaton, or {} pairs of states: smaller sizes may do",
                count(MAX_STATES as u64),
                count(MAX_PAIRS as u64)
            ),
        }
    }
}

pub(super) fn reason(study: &Study, why: &Interrupt) -> String {
    let (what, span) = match why {
        Interrupt::Fault(fault) => (fault.kind.to_string(), fault.span),
        Interrupt::Limit(limit) => (limit.kind.to_string(), limit.span),
    };
    format!("{what} at {}", study.location(span))
}

fn values(study: &Study, automaton: &str, state: &Named) -> Vec<Binding> {
    let binding = |(name, value): &(ioa_lang::Name, ioa_lang::Value)| {
        Binding::new(format!("{automaton}.{name}"), value.display(&study.model))
    };
    state.iter().map(binding).collect()
}
