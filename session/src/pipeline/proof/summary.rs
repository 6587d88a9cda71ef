//! What came of the obligations of one thing, in a line.

use std::collections::BTreeSet;

use ioa_lang::Name;
use prover_bridge::{Kind as Question, Outcome, Reason, Verdict as Answer, names, proved_if};

use crate::numbers::{count, counted};

/// If nothing is known about any of so many obligations, they are named; more are only counted.
const MOST_NAMED: usize = 3;

/// What is the matter with some obligations, which are named.
struct Open<'o> {
    what: What,
    steps: Vec<&'o str>,
}

/// What is the matter with an obligation that is not proved.
#[derive(PartialEq)]
enum What {
    /// A start state violates the invariant, as the executor confirms.
    FalseAtStart,
    /// A step from a start state violates it, as the executor confirms.
    BrokenAtStart,
    /// There is a counterexample to what is to be shown.
    NotShown,
    /// There is a counterexample to induction.
    Broken,
    /// There is no answer, or one that means nothing, for this reason.
    Unclear(String),
    /// It is proved, if others are.
    Conditional,
}

/// What came of the obligations of one thing: how many there are, or what is the matter with those that are not proved. Each
/// of these is named, with others of which the same is true. `violation` is the one whose counterexample is an execution.
pub(super) fn summary(outcomes: &[&Outcome], violation: Option<&Outcome>) -> String {
    let groups = groups(outcomes, violation);
    let conditions = conditions(outcomes);
    let all = counted(outcomes.len() as u64, "obligation");
    let open: usize = groups.iter().map(|group| group.steps.len()).sum();
    let sentences: Vec<String> = groups.iter().map(|g| sentence(g, &conditions)).collect();
    let sentences = sentences.join("; ");
    match (groups.as_slice(), open) {
        ([], _) => all,
        ([only], _) if only.what == What::Conditional => proved_if(&conditions),
        ([only], open) if open == outcomes.len() && open > MOST_NAMED => match &only.what {
            What::Unclear(why) => format!("all {all}: {why}"),
            _ => format!("{sentences} (all {all})"),
        },
        (_, 1) => sentences,
        (_, open) => format!("{sentences} ({} of {all})", count(open as u64)),
    }
}

/// The obligations that are not proved, with what is the matter with them; what is the matter with several is said once.
fn groups<'o>(outcomes: &[&'o Outcome], violation: Option<&Outcome>) -> Vec<Open<'o>> {
    let mut groups: Vec<Open<'o>> = Vec::new();
    for outcome in outcomes {
        let Some(what) = what(outcome, violation) else {
            continue;
        };
        let step = step(outcome);
        match groups.iter_mut().find(|group| group.what == what) {
            Some(group) => group.steps.push(step),
            None => groups.push(Open {
                what,
                steps: vec![step],
            }),
        }
    }
    groups
}

/// The last part of an obligation's name: `vote`, of `Global1.Inv5 / vote`.
fn step(outcome: &Outcome) -> &str {
    let name = &outcome.obligation.name;
    name.rsplit_once(" / ").map_or(name, |(_, step)| step)
}

/// What is the matter with an obligation; nothing, where it is proved.
fn what(outcome: &Outcome, violation: Option<&Outcome>) -> Option<What> {
    let is_violated = violation.is_some_and(|o| o.obligation.kind == outcome.obligation.kind);
    Some(match (&outcome.verdict, outcome.obligation.kind) {
        (Answer::Proved(_), _) => return None,
        (Answer::Refuted(_), Question::Initiation { .. }) if is_violated => What::FalseAtStart,
        (Answer::Refuted(_), Question::Consecution { .. }) if is_violated => What::BrokenAtStart,
        (Answer::Refuted(_), Question::Definedness(_)) => What::NotShown,
        (Answer::Refuted(_), _) => What::Broken,
        (Answer::Vacuous(why), _) => What::Unclear(format!("proved of nothing, as {why}")),
        (Answer::Unknown(Reason::Timeout), _) => {
            What::Unclear("timeout (--timeout gives it more time)".into())
        }
        (Answer::Unknown(reason), _) => What::Unclear(reason.to_string()),
        (Answer::ProvedIf(_), _) => What::Conditional,
    })
}

fn sentence(group: &Open<'_>, conditions: &[Name]) -> String {
    let steps = names(&group.steps);
    match (&group.what, group.steps.as_slice()) {
        (What::FalseAtStart, _) => "false in a start state".into(),
        (What::BrokenAtStart, _) => format!("{steps} breaks it in a start state"),
        (What::NotShown, _) => format!("not shown: {steps}"),
        (What::Broken, [_]) => format!("{steps} breaks it"),
        (What::Broken, _) => format!("{steps} break it"),
        (What::Unclear(why), _) => format!("{steps}: {why}"),
        (What::Conditional, _) => format!("{steps}: {}", proved_if(conditions)),
    }
}

/// All that the proofs wait for.
fn conditions(outcomes: &[&Outcome]) -> Vec<Name> {
    let conditions = outcomes
        .iter()
        .filter_map(|outcome| match &outcome.verdict {
            Answer::ProvedIf(condition) => Some(&condition.invariants),
            _ => None,
        });
    let all: BTreeSet<Name> = conditions.flatten().cloned().collect();
    all.into_iter().collect()
}
