//! Why a lasso is fair, as the interpreter sees it.

use explorer::Bits;
use interpreter::trace::Trace;
use interpreter::{Executor, Interrupt, State};

use super::answer::{Fate, How};
use super::tasks::Classes;

/// Why the lasso that goes through a trace, and repeats what is after its stem, is fair to each task.
///
/// # Errors
/// What keeps the interpreter from saying which actions are enabled.
pub(super) fn fates(
    executor: &mut Executor<'_>,
    classes: &mut Classes<'_>,
    trace: &Trace,
    stem: usize,
) -> Result<Vec<Fate>, Interrupt> {
    let count = classes.tasks.count;
    let mut enabled = Vec::new();
    for (step, state) in cycle(trace, stem) {
        let mut set = Bits::none(count);
        for firing in executor.enabled(state)? {
            classes.of(&firing, &mut set);
        }
        enabled.push((step, set));
    }
    let mut taken = Vec::new();
    for (step, taken_step) in (1..).zip(&trace.steps).skip(stem) {
        let mut set = Bits::none(count);
        classes.of(&taken_step.label.firing, &mut set);
        taken.push((step, set));
    }
    let first = |sets: &[(usize, Bits)], task: usize, has: bool| {
        let found = sets.iter().find(|(_, set)| set.has(task) == has);
        found.map(|(step, _)| *step)
    };
    let fate = |(task, name): (usize, &String)| {
        let is_strong = classes.tasks.strong.has(task);
        let how = if first(&enabled, task, true).is_none() {
            How::NeverEnabled
        } else if let Some(step) = first(&taken, task, true) {
            How::Taken(step)
        } else {
            match first(&enabled, task, false) {
                Some(step) if !is_strong => How::Disabled(step),
                _ => How::Unfair,
            }
        };
        Fate {
            task: name.clone(),
            how,
        }
    };
    Ok(classes.names.iter().enumerate().map(fate).collect())
}

/// The states of the cycle, each with the number of steps that lead there; only once the one where it begins and ends.
fn cycle(trace: &Trace, stem: usize) -> impl Iterator<Item = (usize, &State)> {
    let end = trace.steps.len().max(stem + 1);
    (stem..end).filter_map(|step| Some((step, trace.state(step)?)))
}
