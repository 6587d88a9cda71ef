//! An event graph as text.

use super::lanes;
use crate::execution::mark::Mark;
use crate::execution::{Execution, TraceError};

/// A lane is at least so wide.
const NARROW: usize = 6;

/// An execution as text: a column for each host, a line for each step, `*` where a host takes part, `o` where it receives,
/// and a line between those that share the step. Where a message is lost there is an `x`, and where a component fails a `!`.
/// Steps that are repeated forever are marked in front, and the last line says so.
///
/// # Errors
/// The hosts asked for are not there.
pub fn sketch(execution: &Execution, hosts: &[String]) -> Result<String, TraceError> {
    let lanes = lanes(execution, hosts)?;
    let widths = lanes.hosts.iter().map(|name| name.chars().count() + 2);
    let widths: Vec<usize> = widths.map(|width| width.max(NARROW)).collect();
    let names = lanes.hosts.iter().zip(&widths);
    let names: String = names
        .map(|(name, width)| format!("{name:<width$}"))
        .collect();
    let mut out = format!("      {}\n", names.trim_end());
    let cycle = execution.cycle();
    for (number, step) in (0..).zip(&execution.steps) {
        let events = lanes.events.iter().filter(|event| event.step == number);
        let taking: Vec<usize> = events.map(|event| event.host).collect();
        let first = Mark::of(&step.action).map_or('*', Mark::character);
        let row = widths.iter().enumerate();
        let row: String = row
            .map(|(host, width)| cell((host, *width), &taking, first))
            .collect();
        if !taking.is_empty() {
            let again = if cycle.contains(&number) { ':' } else { ' ' };
            let (number, label) = (number + 1, &step.label);
            out.push_str(&format!("{number:>4}{again} {row} {label}\n"));
        }
    }
    if !cycle.is_empty() {
        out.push_str("    : these steps are repeated for ever\n");
    }
    Ok(out)
}

/// The part of a line that is a host's, as wide as its lane, with what leads to the next host; the character is that of the
/// host that takes the step.
fn cell((host, width): (usize, usize), taking: &[usize], mark_of_first: char) -> String {
    let (first, last) = (taking.iter().min(), taking.iter().max());
    let is_between = |at: usize| first.is_some_and(|f| *f <= at) && last.is_some_and(|l| at < *l);
    let mark = match taking.iter().position(|taking| *taking == host) {
        Some(0) => mark_of_first,
        Some(_) => 'o',
        None if is_between(host) => '-',
        None => '|',
    };
    let filler = if is_between(host) { "-" } else { " " };
    format!("{mark}{}", filler.repeat(width - 1))
}
