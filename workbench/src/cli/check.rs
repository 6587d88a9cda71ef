//! `ioa check`: read and type-check, and say what is there.

use super::Answer;
use crate::args::CheckArgs;
use crate::console::Console;
use crate::interpretation;
use crate::study::{BadInput, Study};

/// Checks the inputs.
///
/// # Errors
/// Every mistake in them; sizes at which there is nothing to show.
pub(super) fn run(args: &CheckArgs, console: &Console) -> Result<Answer, BadInput> {
    let study = Study::load(&args.common.inputs)?;
    let mut answer = Answer::about(&study, console);
    answer.closing = format!("{}: {}\n", study.name, contents(&study));
    if args.interpret {
        let universe = study.universe(&args.common)?;
        answer
            .closing
            .push_str(&interpretation::show(&study, &universe));
    }
    Ok(answer)
}

/// What a study declares, in one line: `2 automata (Cons, Global1), 7 invariants, 1 simulation, 2 schedules`.
fn contents(study: &Study) -> String {
    let model = &study.model;
    let names: Vec<&str> = model.automata.iter().map(|a| &*a.name).collect();
    let parts = [
        (model.automata.len(), "automaton", "automata"),
        (model.invariants.len(), "invariant", "invariants"),
        (model.simulations.len(), "simulation", "simulations"),
        (model.schedules.len(), "schedule", "schedules"),
    ];
    let counted: Vec<String> = parts
        .iter()
        .filter(|(n, _, _)| *n > 0)
        .map(|(n, one, many)| match *n {
            1 => format!("1 {one}"),
            n => format!("{n} {many}"),
        })
        .collect();
    match counted.is_empty() {
        true => "no automaton, invariant, simulation or schedule".into(),
        false => format!("{} ({})", counted.join(", "), names.join(", ")),
    }
}
