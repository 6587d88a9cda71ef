//! How far an exploration went, and what it never did.

use std::collections::BTreeMap;

use ioa_lang::core::TransitionId;

use super::super::ended::{bound, is_counted, stopped, unfinished};
use super::super::exploration::{Ended, Exploration, Reduction};
use super::super::orders;
use super::super::seen::{LOOKED_AT, Shown};
use super::super::symmetry::reduced;
use super::About;
use crate::finding::{Finding, Item, Kind, Verdict};
use crate::interpretation;
use crate::numbers::{bytes, count, counted};
use crate::story::Blame;

impl About<'_> {
    /// How far the exploration went.
    pub(super) fn extent(&self) -> Finding {
        let Exploration {
            distinct, ended, ..
        } = *self.exploration;
        let (states, generated) = (self.exploration.states(), self.exploration.successors());
        let mut finding = self.finding(Kind::Exploration, self.automaton, Verdict::Explored);
        let depth = self.exploration.levels.len().saturating_sub(1) as u64;
        finding.figures = BTreeMap::from([
            ("distinct_states", states),
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
            counted(states, "state"),
            count(generated),
            bytes(self.exploration.memory),
        );
        if let Some(orders) = &self.exploration.orders {
            finding.summary = orders::account(orders, &mut finding.figures);
            let endless = orders::endless(self.study, self.instance, orders);
            finding.stories.extend(endless);
        }
        if let Some(swarm) = &self.exploration.swarm {
            finding.summary = swarm.account(&mut finding.figures);
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
            finding.figures.insert("representatives", distinct);
            let sorts = reduced(&self.study.model, symmetry);
            let what = match self.exploration.orbit_totals {
                _ if sorts.is_empty() => String::new(),
                None => {
                    format!("; each state stands for those that symmetry of {sorts} makes of it")
                }
                Some(_) => format!(
                    "; {} of them stand for all by symmetry of {sorts}",
                    count(distinct)
                ),
            };
            finding.summary.push_str(&what);
        }
        if let Some(Reduction { labels, refined }) = self.exploration.reduced {
            finding
                .figures
                .extend([("labels", labels), ("pairs_refined", refined)]);
            let what = "; what is visited suffices by partial order reduction, and others may be reachable";
            finding.summary.push_str(what);
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
        let (distinct, ended) = (self.exploration.states(), self.exploration.ended);
        if let Some(expected) = self.plan.expected
            && is_counted(ended)
            && expected != distinct
        {
            let expected = counted(expected, "state");
            extent
                .summary
                .push_str(&format!("; {expected} were expected"));
            extent.unmet = Some(format!(
                "{}: {expected} were expected, and there are {}",
                self.automaton,
                count(distinct)
            ));
        }
    }

    /// The bound that was asked for and reached; none where no state was visited, for then nothing is established.
    pub(super) fn bound(&self) -> Option<String> {
        let bound = bound(self.exploration.ended)?;
        (self.exploration.distinct > 0).then(|| bound.into())
    }

    /// How often each clause fired.
    fn clauses(&self) -> Vec<Item> {
        let automaton = self.study.model.automaton(self.plan.automaton);
        let fired = self.exploration.fired.iter().enumerate();
        // That a clause which refuses an input never fires is as it should be.
        let told = fired.filter(|(t, n)| {
            **n > 0 || automaton.transitions[*t].refused.is_none() && !self.is_idle_case(*t)
        });
        told.map(|(t, times)| {
            let id = TransitionId::at(t);
            let clause = self.study.clause(self.plan.automaton, id);
            Item::fired(clause, *times, || self.why_never(id))
        })
        .collect()
    }

    /// Whether a clause of a composition that never fired is only a case which does not occur, namely that certain components take
    /// part in an action, while other cases of the action do.
    fn is_idle_case(&self, clause: usize) -> bool {
        let automaton = self.study.model.automaton(self.plan.automaton);
        let mut cases = automaton.clauses(automaton.transitions[clause].action);
        let mut never = self.exploration.never.iter();
        let is_other_case =
            never.any(|never| never.transition.index() == clause && never.is_other_case);
        is_other_case && cases.any(|(id, _)| self.exploration.fired[id.index()] > 0)
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

    /// Tells, with the extent of the exploration, that there is no start state.
    pub(super) fn tell_no_start(&self, extent: &mut Finding, shown: &Shown) {
        extent.stories.push(self.story(shown, String::new()));
        extent.replay = Some(self.replay(&self.exploration.world));
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
