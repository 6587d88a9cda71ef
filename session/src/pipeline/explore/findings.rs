//! What an exploration came to, as findings and tables.

use std::collections::BTreeMap;

use explorer::{Instead, Question};
use interpreter::{Instance, Interrupt, State};
use ioa_lang::core::TransitionId;

use super::ended::{bound, is_counted, stopped, unfinished};
use super::exploration::{Ended, Exploration};
use super::orders;
use super::plan::ExplorePlan;
use super::seen::{Disagreement, LOOKED_AT, Shown};
use super::swarm;
use super::symmetry::reduced;
use crate::finding::{Finding, Item, Kind, Scope, Verdict};
use crate::interpretation;
use crate::numbers::{bytes, count, counted};
use crate::pipeline::plan::command;
use crate::pipeline::runs::{fault_account, limit_account};
use crate::pipeline::{liveness, unrun};
use crate::setup::Setup;
use crate::story::{Blame, Frame, Story, execution};
use crate::study::Study;

/// What is setup to all findings of one exploration.
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
    let instance = &*exploration.instance;
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
    unevaluated.retain(|finding| plan.only.is_empty() || plan.only.contains(&finding.name));
    findings.extend(unevaluated);
    findings
}

impl About<'_> {
    fn finding(&self, kind: Kind, name: &str, verdict: Verdict) -> Finding {
        Finding::new(kind, name, self.automaton, verdict, self.scope.clone())
    }

    /// How far the exploration went.
    fn extent(&self) -> Finding {
        let Exploration {
            distinct,
            generated,
            ended,
            ..
        } = *self.exploration;
        let mut finding = self.finding(Kind::Exploration, self.automaton, Verdict::Explored);
        let depth = self.exploration.levels.len().saturating_sub(1) as u64;
        finding.figures = BTreeMap::from([
            ("distinct_states", distinct),
            ("generated_states", generated),
            ("depth", depth),
            ("queue", self.exploration.queue),
            ("memory_bytes", self.exploration.memory),
            ("bytes_per_state", self.exploration.memory / distinct.max(1)),
        ]);
        finding.seconds = Some(self.exploration.seconds);
        finding.items = self.clauses();
        finding.summary = format!(
            "{}, {} generated, depth {depth}, {}",
            counted(distinct, "state"),
            count(generated),
            bytes(self.exploration.memory),
        );
        if let Some(orders) = &self.exploration.orders {
            finding.summary = orders::account(orders, &mut finding.figures);
            let endless = orders::endless(self.study, self.instance, orders);
            finding.stories.extend(endless);
            finding
                .warnings
                .extend(orders::undecided(self.study, self.plan));
        }
        if let Some(swarm) = &self.exploration.swarm {
            finding.summary = swarm.account(&mut finding.figures);
            let undecided = swarm::undecided(self.study, self.plan);
            finding.warnings.extend(undecided);
        }
        interpretation::say(
            self.study,
            self.instance.universe(),
            self.plan.automaton,
            self.exploration.tried,
            &mut finding.summary,
        );
        if let Some(symmetry) = &self.exploration.symmetry {
            let order = u64::try_from(symmetry.order()).unwrap_or(u64::MAX);
            finding.figures.insert("symmetry_order", order);
            let sorts = reduced(&self.study.model, symmetry);
            if !sorts.is_empty() {
                let what =
                    format!("; each state stands for those that symmetry of {sorts} makes of it");
                finding.summary.push_str(&what);
            }
        }
        if ended != Ended::Complete {
            finding.verdict = unfinished(ended);
            finding.bound = self.bound();
            finding.summary.push_str(&format!("; {}", stopped(ended)));
        }
        if let Ended::Outside(states) = ended {
            finding.figures.insert("states_outside", states);
            let states = counted(states, "state");
            finding.summary.push_str(&format!(": {states}"));
        }
        if !self.exploration.growing.is_empty() {
            let names = self.exploration.growing.join(", ");
            finding.warnings.push(format!(
                "the search may never end, for this keeps growing: {names}; a precondition that bounds it makes the instance finite, or --within keeps the search where it is small"
            ));
        }
        self.compare_with_expected(&mut finding);
        finding
    }

    /// Says in an extent that it has another number of states than was expected, if it has.
    fn compare_with_expected(&self, extent: &mut Finding) {
        let Exploration {
            distinct, ended, ..
        } = *self.exploration;
        if let Some(expected) = self.plan.expected
            && is_counted(ended)
            && expected != distinct
        {
            extent.verdict = Verdict::Violated;
            let expected = counted(expected, "state");
            extent
                .summary
                .push_str(&format!("; {expected} were expected"));
        }
    }

    /// The bound that was asked for and reached; none where no state was visited, for then nothing is established.
    fn bound(&self) -> Option<String> {
        let bound = bound(self.exploration.ended)?;
        (self.exploration.distinct > 0).then(|| bound.into())
    }

    /// How often each clause fired.
    fn clauses(&self) -> Vec<Item> {
        let automaton = self.study.model.automaton(self.plan.automaton);
        let fired = self.exploration.fired.iter().enumerate();
        // That a clause which refuses an input never fires is as it should be.
        let told = fired.filter(|(t, n)| **n > 0 || automaton.transitions[*t].refused.is_none());
        told.map(|(t, n)| Item {
            name: self.clause(TransitionId::at(t)),
            text: match n {
                0 => format!("never fired{}", self.why_never(TransitionId::at(t))),
                n => format!("fired {}", counted(*n, "time")),
            },
            verdict: None,
            figures: BTreeMap::from([("fired", *n)]),
            seconds: None,
            needed_for: Vec::new(),
            opinion: None,
        })
        .collect()
    }

    fn clause(&self, transition: TransitionId) -> String {
        let automaton = self.study.model.automaton(self.plan.automaton);
        let action = automaton.action_of(transition);
        let at = automaton.transitions[transition.index()].span;
        let (kind, name) = (action.kind.keyword(), &action.name);
        format!("{kind} {name} ({})", self.study.location(at))
    }

    fn why_never(&self, transition: TransitionId) -> String {
        let never = &self.exploration.never;
        let found = never.iter().find(|n| n.transition == transition);
        let Some(span) = found.and_then(|n| n.blocked_by) else {
            return String::new();
        };
        let blame = Blame::at(self.study, span, &[]);
        let where_looked = match self.exploration.distinct > LOOKED_AT as u64 {
            true => format!(" in the {} states looked at", count(LOOKED_AT as u64)),
            false => String::new(),
        };
        format!(
            ": {} ({}) was never true with what stands before it{where_looked}",
            blame.formula, blame.location
        )
    }

    fn of_invariant(&self, position: usize, shown: Option<&Shown>) -> Finding {
        let index = self.exploration.invariants[position];
        let name = &*self.study.model.invariants[index].name;
        let asked = self.plan.find.len() + self.plan.check.len();
        let first = self.study.model.invariants.len() - self.plan.within.len() - asked;
        let kind = match index.checked_sub(first) {
            None => Kind::Invariant,
            Some(n) if n < self.plan.find.len() => Kind::Find,
            Some(_) => Kind::Check,
        };
        match (kind, shown) {
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

    /// What an invariant says of no visited state. (Of a search that has hardly begun, that says nothing.)
    fn vacuous(&self, invariant: usize) -> Vec<String> {
        if self.exploration.ended == Ended::Found || self.exploration.distinct == 0 {
            return Vec::new();
        }
        let name = &self.study.model.invariants[invariant].name;
        let vacuous = self.exploration.vacuous.iter();
        let of_this = vacuous.filter(|v| v.invariant == invariant);
        of_this
            .map(|v| {
                let Blame {
                    formula, location, ..
                } = Blame::at(self.study, v.blocked_by, &[]);
                let together = match v.is_first {
                    true => "",
                    false => " with what stands before it",
                };
                format!("{name} holds vacuously: {formula} ({location}) was never true{together}")
            })
            .collect()
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
            let finding = self.finding(Kind::Find, name, Verdict::Explored);
            let mut finding = self.with_story(finding, shown, headline);
            for story in &mut finding.stories {
                story.blame.clear();
            }
            return finding;
        }
        let ended = self.exploration.ended;
        let mut finding = self.finding(Kind::Find, name, unfinished(ended));
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
        let quiescent = self.exploration.quiescent;
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
        let what_is_counted = if of_orbits { "representative" } else { "state" };
        let states = match (&self.exploration.orders, &self.exploration.swarm) {
            (Some(orders), _) => match orders.counts.cut {
                0 => counted(orders.counts.orders, "order"),
                cut => counted(orders.counts.orders + cut, "execution"),
            },
            (_, Some(swarm)) => swarm.extent(),
            _ => counted(self.exploration.distinct, what_is_counted),
        };
        let mut finding = self.finding(kind, name, Verdict::Explored);
        finding.figures = BTreeMap::from([("states", self.exploration.distinct)]);
        finding.summary = format!("{what} in all {states}");
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

    /// Tells, with the extent of the exploration, that there is no start state.
    fn tell_no_start(&self, extent: &mut Finding, shown: &Shown) {
        extent.stories.push(self.story(shown, String::new()));
        extent.replay = Some(self.replay());
    }

    fn with_story(&self, mut finding: Finding, shown: &Shown, headline: String) -> Finding {
        finding.stories.push(self.story(shown, headline));
        finding.figures = BTreeMap::from([("steps", shown.depth as u64)]);
        let is_breadth_first =
            self.exploration.orders.is_none() && self.exploration.swarm.is_none();
        let is_shortest = is_breadth_first && !self.plan.leaves_out();
        let how = match shown.shortened {
            Some(from) => format!("; shortened from {}", count(from as u64)),
            None if is_shortest && self.exploration.interpretation.is_some() => {
                "; none is shorter in this interpretation".to_owned()
            }
            None if is_shortest => "; none is shorter".to_owned(),
            None => String::new(),
        };
        let steps = counted(shown.depth as u64, "step");
        finding.summary = format!("{steps} from a start state{how}");
        finding.replay = Some(self.replay());
        if let Some(disagreement) = &shown.disagreement {
            finding.verdict = Verdict::Error;
            finding.summary = internal_error(disagreement);
        }
        finding
    }

    /// The command that shows it again.
    fn replay(&self) -> String {
        let setup = self
            .setup
            .in_interpretation(self.exploration.interpretation);
        let flags = self.plan.flags(self.study);
        format!("{} {flags}", command(self.study, &setup, "explore"))
    }

    /// What each of two engines has for one step.
    fn of_disagreement(&self, disagreement: &explorer::Disagreement) -> Vec<Frame> {
        let explorer::Disagreement {
            finder,
            judge,
            step,
            ..
        } = disagreement;
        let after = match step {
            0 => "start state".to_owned(),
            step => format!("state after step {step}"),
        };
        let mut frames = vec![self.frame(format!("{after}, by {finder}"), &disagreement.found)];
        if let Instead::Step(step) = &disagreement.instead {
            let automaton = self.plan.automaton;
            let label = execution::title(self.study, self.instance, automaton, step);
            frames.push(self.frame(format!("{after}, by {judge}: {label}"), &step.state));
        }
        frames
    }

    /// A state in full.
    fn frame(&self, title: String, state: &State) -> Frame {
        let layout = self.instance.layout(self.plan.automaton);
        Frame {
            title,
            step: None,
            values: execution::all(&self.study.model, layout.values(state)),
        }
    }

    /// The way to a state, and what is wrong there; a term without a value makes the headline another one.
    fn story(&self, shown: &Shown, headline: String) -> Story {
        let (headline, blame) = match &shown.interrupt {
            Some(Interrupt::Fault(fault)) => fault_account(self.study, fault),
            Some(Interrupt::Limit(limit)) => limit_account(self.study, limit),
            None => (headline, execution::blame(self.study, &shown.reasons)),
        };
        let mut story = Story::bare(headline, blame);
        if let Some(trace) = &shown.trace {
            execution::tell(self.study, self.instance, trace, &mut story);
        }
        if let Some(Disagreement::Step(disagreement)) = &shown.disagreement {
            story.frames.extend(self.of_disagreement(disagreement));
        }
        if let Some(number) = self.exploration.interpretation {
            let universe = self.instance.universe();
            let automaton = self.plan.automaton;
            let note = interpretation::note(self.study, universe, automaton, number);
            story.notes.push(note);
        }
        if let Some(state) = &shown.state {
            story
                .frames
                .push(self.frame("the state that was found".into(), state));
        }
        if let Some(disagreement) = &shown.disagreement {
            story.notes.push(internal_error(disagreement));
        }
        story
    }
}

/// What is said of engines that disagree.
fn internal_error(disagreement: &Disagreement) -> String {
    format!("internal error: {disagreement}; please report it with the model")
}

/// How grave it is what a state shows: a term without a value is a violation, one that takes too much work is not.
fn gravity(shown: &Shown) -> Verdict {
    match shown.interrupt {
        Some(Interrupt::Limit(_)) => Verdict::Unknown,
        _ => Verdict::Violated,
    }
}

/// The table of what there is at each depth.
#[must_use]
pub fn levels(exploration: &Exploration) -> String {
    let mut out = String::from("depth       states    generated\n");
    for (depth, level) in exploration.levels.iter().enumerate() {
        out.push_str(&format!(
            "{depth:>5} {:>12} {:>12}\n",
            count(level.states),
            count(level.generated)
        ));
    }
    out
}

/// The clauses that never fired, one a line.
#[must_use]
pub fn coverage(finding: &Finding) -> String {
    let never = finding
        .items
        .iter()
        .filter(|i| i.figures.get("fired") == Some(&0));
    never.map(|i| format!("{}: {}\n", i.name, i.text)).collect()
}
