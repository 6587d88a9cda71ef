//! What an exploration came to, as findings and tables.

use std::collections::{BTreeMap, BTreeSet};

use explorer::Question;
use interpreter::{Instance, Interrupt};

use super::ended::{stopped, unfinished};
use super::exploration::{Ended, Exploration};
use super::plan::ExplorePlan;
use super::seen::Shown;
use crate::finding::{Finding, Kind, Scope, Verdict};
use crate::numbers::counted;
use crate::pipeline::{liveness, unrun};
use crate::setup::Setup;
use crate::story::Blame;
use crate::study::Study;

mod extent;
mod shown;

pub use extent::{coverage, levels};

/// A search that was cut short after fewer states says nothing of what was never true in them.
const FEW_STATES: u64 = 1_000;

/// What is common to all findings of one exploration.
struct About<'a> {
    study: &'a Study,
    instance: &'a Instance,
    setup: &'a Setup,
    plan: &'a ExplorePlan,
    exploration: &'a Exploration,
    automaton: &'a str,
    scope: Scope,
}

/// The findings of an exploration: one for its extent, and one for each question.
#[must_use]
pub fn findings(
    study: &Study,
    setup: &Setup,
    plan: &ExplorePlan,
    exploration: &Exploration,
) -> Vec<Finding> {
    let instance = &*exploration.world.instance;
    let about = About {
        study,
        instance,
        setup,
        plan,
        exploration,
        automaton: &study.model.automaton(plan.automaton).name,
        scope: study.scope(instance),
    };
    let mut findings = vec![about.extent()];
    let found = |question| exploration.shown.iter().find(|s| s.question == question);
    for position in 0..exploration.invariants.len() {
        let shown = found(Question::Invariant(position));
        findings.push(about.of_invariant(position, shown));
    }
    if let Some(shown) = found(Question::Fault) {
        match exploration.ended {
            Ended::NoStart => about.tell_no_start(&mut findings[0], shown),
            _ => findings.push(about.of_fault(shown)),
        }
    }
    if plan.asks_for_deadlocks() {
        findings.push(about.of_deadlock(found(Question::Deadlock)));
    }
    // The shortest counterexamples first, what holds behind them in its own order.
    findings[1..].sort_by_key(|f| f.figures.get("steps").copied().unwrap_or(u64::MAX));
    findings.extend(liveness::findings(study, setup, plan, exploration));
    let mut unevaluated = unrun::invariants::findings(study, plan.automaton, &about.scope);
    unevaluated.retain(|finding| plan.asks_all() || plan.only.contains(&finding.name));
    findings.extend(unevaluated);
    if about.has_found() {
        // Nobody asked for more, and so little was visited that it says nothing.
        let is_asked = |f: &Finding| matches!(f.kind, Kind::Exploration | Kind::Find);
        findings.retain(|finding| is_asked(finding) || !finding.is_bounded());
    }
    findings
}

impl About<'_> {
    fn finding(&self, kind: Kind, name: &str, verdict: Verdict) -> Finding {
        Finding::new(kind, name, self.automaton, verdict, self.scope.clone())
    }

    /// Whether the search ended where it found a state that it looked for.
    fn has_found(&self) -> bool {
        let is_sought = |shown: &Shown| match shown.question {
            Question::Invariant(position) => {
                shown.interrupt.is_none() && self.kind_of(position) == Kind::Find
            }
            _ => false,
        };
        let shown = &self.exploration.shown;
        self.exploration.ended == Ended::Found && shown.iter().all(is_sought)
    }

    fn of_invariant(&self, position: usize, shown: Option<&Shown>) -> Finding {
        let index = self.exploration.invariants[position];
        let name = &*self.study.model.invariants[index].name;
        match (self.kind_of(position), shown) {
            (Kind::Find, shown) => self.of_find(name, shown),
            (kind, None) => Finding {
                warnings: self.vacuous(index),
                ..self.open(kind, name, "holds")
            },
            (kind, Some(shown)) => {
                let word = if kind == Kind::Check {
                    ""
                } else {
                    "invariant "
                };
                let headline = format!("{word}{name} of {} is violated", self.automaton);
                let finding = self.finding(kind, name, gravity(shown));
                self.with_story(finding, shown, headline)
            }
        }
    }

    /// Whether a formula is an invariant, or was asked for with the search. The study has them in this order.
    fn kind_of(&self, position: usize) -> Kind {
        let index = self.exploration.invariants[position];
        let asked = self.plan.find.len() + self.plan.check.len();
        let first = self.study.model.invariants.len() - self.plan.within.len() - asked;
        match index.checked_sub(first) {
            None => Kind::Invariant,
            Some(n) if n < self.plan.find.len() => Kind::Find,
            Some(_) => Kind::Check,
        }
    }

    /// What an invariant says of no visited state. (Of a search that has hardly begun, or that leaves states out, that says
    /// nothing.)
    fn vacuous(&self, invariant: usize) -> Vec<String> {
        let Exploration {
            ended, distinct, ..
        } = *self.exploration;
        let is_whole = matches!(ended, Ended::Complete | Ended::Outside(_));
        let is_partial = matches!(ended, Ended::Found | Ended::Restricted(_));
        if is_partial || distinct == 0 || (!is_whole && distinct < FEW_STATES) {
            return Vec::new();
        }
        let name = &self.study.model.invariants[invariant].name;
        let vacuous = self.exploration.vacuous.iter();
        let of_this = vacuous.filter(|v| v.invariant == invariant);
        let told: BTreeSet<String> = of_this
            .map(|v| {
                let Blame {
                    formula, location, ..
                } = Blame::at(self.study, v.blocked_by, &[]);
                let together = match v.is_first() {
                    true => "",
                    false => " with what stands before it",
                };
                format!("{name} holds vacuously: {formula} ({location}) was never true{together}")
            })
            .collect();
        told.into_iter().collect()
    }

    /// A state that was looked for. Not to have found one says something only where nothing was left out.
    fn of_find(&self, name: &str, shown: Option<&Shown>) -> Finding {
        if let Some(shown) = shown {
            let headline = format!("a state of {} with {name}", self.automaton);
            if shown.interrupt.is_some() {
                // The formula has no value there: nothing was found but a mistake in the question.
                let finding = self.finding(Kind::Find, name, gravity(shown));
                return self.with_story(finding, shown, headline);
            }
            let finding = self.finding(Kind::Find, name, Verdict::Found);
            let mut finding = self.with_story(finding, shown, headline);
            for story in &mut finding.stories {
                story.blame.clear();
            }
            return finding;
        }
        let ended = self.exploration.ended;
        let verdict = match ended {
            Ended::Complete => Verdict::Absent,
            ended => unfinished(ended),
        };
        let mut finding = self.finding(Kind::Find, name, verdict);
        finding.summary = match ended {
            Ended::Complete => "holds in no reachable state".into(),
            Ended::NoStart => stopped(ended).into(),
            ended => format!("holds in no state that was visited; {}", stopped(ended)),
        };
        finding
    }

    fn of_deadlock(&self, shown: Option<&Shown>) -> Finding {
        let name = "no deadlock";
        let mut finding = match shown {
            None => self.open(Kind::Deadlock, name, "some action is enabled"),
            Some(shown) => {
                let why = match shown.is_blocked {
                    true => "no action that is enabled has a result",
                    false => "no action is enabled",
                };
                let headline = format!("{} cannot go on: {why}", self.automaton);
                let finding = self.finding(Kind::Deadlock, name, Verdict::Violated);
                self.with_story(finding, shown, headline)
            }
        };
        for story in &mut finding.stories {
            story
                .notes
                .push("where this is as it should be, say --allow-deadlock".into());
        }
        let quiescent = self.exploration.resting();
        if quiescent > 0 {
            finding.figures.insert("quiescent_states", quiescent);
            let states = counted(quiescent, "state");
            let said = format!("; quiescent, with inputs alone enabled: {states}");
            finding.summary.push_str(&said);
        }
        finding
    }

    fn of_fault(&self, shown: &Shown) -> Finding {
        let name = format!("steps of {}", self.automaton);
        let finding = self.finding(Kind::Definedness, &name, gravity(shown));
        self.with_story(
            finding,
            shown,
            format!("a step of {} has no result", self.automaton),
        )
    }

    /// What no visited state says no to.
    fn open(&self, kind: Kind, name: &str, what: &str) -> Finding {
        let ended = self.exploration.ended;
        let symmetry = self.exploration.symmetry.as_ref();
        let of_orbits = symmetry.is_some_and(|s| s.order() > 1);
        let what_is_counted = match self.exploration.orbit_totals {
            None if of_orbits => "representative",
            _ if self.exploration.reduced.is_some() => "visited state",
            _ => "state",
        };
        let states = match (&self.exploration.orders, &self.exploration.swarm) {
            (Some(orders), _) => match orders.counts.cut {
                0 => counted(orders.counts.orders, "order"),
                cut => counted(orders.counts.orders + cut, "execution"),
            },
            (_, Some(swarm)) => swarm.extent(),
            _ => counted(self.exploration.states(), what_is_counted),
        };
        let mut finding = self.finding(kind, name, Verdict::Explored);
        finding.figures = BTreeMap::from([("states", self.exploration.states())]);
        finding.summary = match self.exploration.reduced {
            None => format!("{what} in all {states}"),
            Some(_) => format!("{what} in all {states}, and so in all states"),
        };
        if ended != Ended::Complete {
            finding.verdict = unfinished(ended);
            finding.bound = self.bound();
            finding.summary = match ended {
                Ended::NoStart => stopped(ended).into(),
                ended => format!("{what} in {states}; {}", stopped(ended)),
            };
        }
        finding
    }
}

/// How grave it is what a state shows: a term without a value is a violation, one that takes too much work is not.
fn gravity(shown: &Shown) -> Verdict {
    match shown.interrupt {
        Some(Interrupt::Limit(_)) => Verdict::Unknown,
        _ => Verdict::Violated,
    }
}
