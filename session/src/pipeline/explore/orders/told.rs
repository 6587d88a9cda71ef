//! What is said of executions that were taken one by one.

use std::collections::BTreeMap;

use interpreter::Instance;

use super::known::Orders;
use crate::numbers::{count, counted};
use crate::story::{Story, execution};
use crate::study::Study;

/// `1 was`, `2 were`.
fn were(number: u64) -> String {
    match number {
        1 => "1 was".into(),
        _ => format!("{} were", count(number)),
    }
}

/// Adds what was counted to the figures of an exploration, and says it in words.
pub(in crate::pipeline::explore) fn account(
    orders: &Orders,
    figures: &mut BTreeMap<&'static str, u64>,
) -> String {
    let counts = orders.counts;
    figures.clear();
    figures.extend([
        ("orders", counts.orders),
        ("executions_cut", counts.cut),
        ("redundant_executions", counts.redundant),
        ("steps_taken", counts.steps),
        ("longest_execution", counts.longest as u64),
    ]);
    // What follows a cut is not known, and other orders may begin in the same way.
    let taken = match counts.cut {
        0 => counted(counts.orders, "order"),
        cut => {
            let taken = counted(counts.orders + cut, "execution");
            format!("{taken}, of which {} cut", were(cut))
        }
    };
    let mut words = format!(
        "{taken}, {}, at most {} in one",
        counted(counts.steps, "step"),
        count(counts.longest as u64),
    );
    if let Some(ends) = orders.ends {
        figures.insert("end_states", ends);
        if ends > 0 {
            words.push_str(&format!(", {}", counted(ends, "end state")));
        }
    }
    if counts.redundant > 0 {
        words.push_str(&format!(", {} redundant", count(counts.redundant)));
    }
    if let Some(estimate) = orders.estimate {
        words.push_str(&format!("; about {} orders in all", about(estimate)));
    }
    if counts.refined > 0 {
        figures.insert("pairs_refined", counts.refined);
        let pairs = counted(counts.refined, "pair");
        words.push_str(&format!("; the solver finds {pairs} of steps independent"));
    }
    words
}

/// An estimate, which is not worth more than two digits.
pub(super) fn about(estimate: f64) -> String {
    if estimate >= 1e15 {
        return format!("{estimate:.0e}");
    }
    let scale = 10_f64.powf(estimate.log10().floor() - 1.0).max(1.0);
    count(((estimate / scale).round() * scale) as u64)
}

/// The execution that need not end, if there is one.
pub(in crate::pipeline::explore) fn endless(
    study: &Study,
    instance: &Instance,
    orders: &Orders,
) -> Option<Story> {
    let (trace, stem) = orders.endless.as_ref()?;
    let mut story = Story::bare("", Vec::new());
    let note = "--depth N cuts executions; without --dpor all states are visited";
    story.notes.push(note.into());
    match stem {
        Some(stem) => {
            story.headline = "an execution comes back to a state that it has passed".into();
            execution::tell_lasso(study, instance, (trace, *stem), &mut story);
        }
        None => {
            let steps = count(trace.steps.len() as u64);
            story.headline = format!("an execution has not ended after {steps} steps");
            execution::tell(study, instance, trace, &mut story);
        }
    }
    Some(story)
}
