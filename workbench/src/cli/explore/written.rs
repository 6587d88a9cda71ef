//! What an exploration writes: the graph of the states, and an execution.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::Instance;
use interpreter::trace::{About, Trace};
use session::interpretation::World;
use session::numbers::counted;
use session::pipeline::explore::Exploration;
use session::pipeline::liveness::{self, Outcome};
use session::study::Study;

use super::super::answer::Answer;
use super::super::execution::replay::continuation;
use crate::files::Made;
use crate::reading;

/// Writes the graph of the states.
pub(super) fn write_graph(graph: &Result<String, String>, path: &Path, answer: &mut Answer) {
    match graph {
        Ok(text) => answer.write(("the graph", Made::Graph), path, text),
        Err(why) => {
            let line = format!("no graph is written: {why}\n");
            answer.closing.push_str(&line);
        }
    }
}

/// Writes the shortest of the executions that are shown.
pub(super) fn write_trace(
    (study, inputs): (&Study, &[PathBuf]),
    (exploration, is_farthest_asked): (&Exploration, bool),
    path: &Path,
    answer: &mut Answer,
) {
    let shown = exploration.shown.iter();
    let traces = shown.filter_map(|s| s.trace.as_ref().map(|trace| (&s.world, trace)));
    let found = match (&exploration.orders, &exploration.swarm) {
        (Some(_), _) => "an execution, found by partial order reduction",
        (_, Some(_)) => "an execution, found by a swarm of searches",
        _ => "a shortest execution, found by exploration",
    };
    let found = found.to_owned();
    let finite = traces.map(|(world, trace)| (world, Cow::Borrowed(trace), found.clone(), None));
    let answers = exploration.liveness.iter();
    let answered = answers.filter_map(|answer| {
        let (trace, description, repeats_after) = shown_by(&answer.outcome)?;
        Some((
            &answer.world,
            Cow::Borrowed(trace),
            description,
            repeats_after,
        ))
    });
    let all = finite.chain(answered);
    let shortest = all.min_by_key(|(_, trace, ..)| trace.steps.len());
    // Only where nothing is wrong.
    let farthest = || exploration.liveness.iter().find_map(farthest);
    let shown = match is_farthest_asked {
        true => shortest.or_else(farthest),
        false => shortest,
    };
    let Some((world, trace, description, repeats_after)) = shown else {
        answer
            .closing
            .push_str("no trace is written: there is nothing to show\n");
        return;
    };
    let about = About {
        description,
        seed: None,
        inputs: reading::named(inputs),
        repeats_after,
    };
    let what = counted(trace.steps.len() as u64, "step");
    // The trace is one of the model in the files, which knows nothing of --when.
    let universe = world.instance.universe().clone();
    let instance = &Instance::new(Arc::clone(&study.model), universe);
    answer.write_trace((instance, &trace), (&about, &what), path);
}

/// An execution, with where it was found, its description, and after how many steps it repeats.
type Told<'e> = (&'e World, Cow<'e, Trace>, String, Option<usize>);

/// The execution to a state from which the most steps are needed to what stays possible, and from there on.
fn farthest(answer: &liveness::Answer) -> Option<Told<'_>> {
    let transient = match &answer.outcome {
        Outcome::Possible { transient, .. } => transient.as_ref()?,
        _ => return None,
    };
    let whole = Cow::Owned(transient.whole());
    let description = "an execution to a state that is farthest from what is possible, and back";
    Some((&answer.world, whole, description.to_owned(), None))
}

/// The execution that shows the answer to a question about executions that go on forever, with its description, and after how
/// many steps it repeats.
fn shown_by(outcome: &Outcome) -> Option<(&Trace, String, Option<usize>)> {
    match outcome {
        Outcome::Violated(lasso) => {
            let goes_on = continuation(lasso.trace.steps.len(), lasso.stem);
            let description = format!("a fair execution: {goes_on}");
            Some((&lasso.trace, description, Some(lasso.stem)))
        }
        Outcome::Dead(dead) => Some((
            &dead.trace,
            "a shortest execution to a dead state".into(),
            None,
        )),
        Outcome::Undefined(found) => {
            let description = "an execution to a state in which a formula has no value".into();
            Some((found.trace.as_ref()?, description, None))
        }
        Outcome::Holds { .. } | Outcome::Possible { .. } | Outcome::Unknown(_) => None,
    }
}
