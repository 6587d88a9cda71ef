//! `ioa check`: read and type-check, and say what is there.

use ioa_lang::Name;
use session::host::Host;
use session::numbers::counted;
use session::study::{BadInput, Study};
use session::{inspection, interpretation};

use super::answer::Answer;
use crate::args::CheckArgs;
use crate::console::Console;
use crate::reading;

/// Checks the inputs.
///
/// # Errors
/// Every mistake in them; sizes at which there is nothing to show.
pub(super) fn run(args: &CheckArgs, console: &Console) -> Result<Answer, BadInput> {
    let mut study = reading::study(&args.common.inputs)?;
    let setup = args.common.setup();
    let mut closing = format!("{}: {}\n", study.name, contents(&study));
    let is_deep = args.deep || !args.common.sorts.is_empty();
    if is_deep || args.interpret {
        let settings = study.by_setting(args.common.automaton.as_deref())?;
        for (setting, automata) in settings {
            let mut universes = study.universes(&setup, setting)?;
            if args.interpret {
                let number = study.chosen_interpretation(&setup);
                closing.push_str(&interpretation::show(&study, &universes, number));
            }
            let universe = universes.each.swap_remove(0);
            if is_deep {
                match inspection::doubts(&study, universe, &automata, &setup, console) {
                    Ok(doubts) => {
                        closing.push_str(&unvisited(&doubts.unvisited));
                        study.warnings.extend(doubts.warnings);
                    }
                    Err(why) => closing.push_str(&format!("not inspected: {why}\n")),
                }
            }
        }
    }
    if let Some(stopped) = console.stopped().filter(|_| is_deep) {
        let line = format!("not everything was inspected: {}\n", stopped.words());
        closing.push_str(&line);
    }
    if !is_deep {
        let endless = inspection::endless(&study, &setup)?;
        study.warnings.extend(endless);
    }
    Ok(Answer {
        closing,
        ..Answer::with_warnings(&study, console)
    })
}

/// That what never happens in some automata is not told, a line for each.
fn unvisited(automata: &[Name]) -> String {
    let most = counted(inspection::MAX_STATES, "state");
    let line = |name: &Name| {
        format!(
            "what never happens in {name} is not told: at most {most} are visited, and not for long\n"
        )
    };
    automata.iter().map(line).collect()
}

/// What a study declares, in one line: `2 automata (Cons, Global1), 7 invariants, 1 simulation, 2 schedules`.
fn contents(study: &Study) -> String {
    let model = &study.model;
    let names: Vec<&str> = model.automata.iter().map(|a| &*a.name).collect();
    let parts = [
        (model.automata.len(), "automaton", "automata"),
        (model.invariants.len(), "invariant", "invariants"),
        (
            model.liveness.len(),
            "liveness property",
            "liveness properties",
        ),
        (model.simulations.len(), "simulation", "simulations"),
        (model.schedules.len(), "schedule", "schedules"),
    ];
    let there = parts.iter().filter(|(n, _, _)| *n > 0);
    let mut counted: Vec<String> = there
        .map(|(n, one, many)| match *n {
            1 => format!("1 {one}"),
            n => format!("{n} {many}"),
        })
        .collect();
    if let (Some(automata), false) = (counted.first_mut(), names.is_empty()) {
        automata.push_str(&format!(" ({})", names.join(", ")));
    }
    match counted.is_empty() {
        true => "no automaton, invariant, simulation or schedule".into(),
        false => counted.join(", "),
    }
}
