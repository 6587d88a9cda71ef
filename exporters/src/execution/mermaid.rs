//! Diagrams for Mermaid: a sequence diagram where there are hosts, a state diagram of the states met where there are
//! none, or no steps.

use std::collections::BTreeMap;
use std::ops::Range;

use super::lanes::{Event, Lanes};
use super::mark::Mark;
use super::{Execution, TraceError, words};

/// What a diagram begins with.
pub const MARK: &str = "%% Execution of ";

/// Mermaid draws no longer text than this unless its `maxTextSize` says so.
pub const MOST_CHARACTERS: usize = 50_000;

/// An execution as a diagram.
///
/// # Errors
/// The hosts asked for are not there.
pub fn diagram(execution: &Execution, hosts: &[String]) -> Result<String, TraceError> {
    let title = text(&format!(
        "{} ({})",
        execution.automaton, execution.description
    ));
    let body = match Lanes::of(execution, hosts) {
        Ok(_) if execution.steps.is_empty() => states(execution),
        Ok(lanes) => sequence(&lanes, &execution.cycle()),
        Err(TraceError::NoHosts { .. }) => states(execution),
        Err(other) => return Err(other),
    };
    Ok(format!("{MARK}{title}\n{body}"))
}

/// Events from top to bottom, those of some steps in a loop. An arrow shows what a host learns about another: that it came so far.
fn sequence(lanes: &Lanes, cycle: &Range<usize>) -> String {
    let mut out = String::from("sequenceDiagram\n");
    if lanes.events.iter().any(|e| e.is_input || e.is_output) {
        out.push_str("  actor env as environment\n");
    }
    for (n, name) in lanes.hosts.iter().enumerate() {
        out.push_str(&format!("  participant h{n} as {}\n", text(name)));
    }
    let mut is_in_loop = false;
    for ((n, event), causes) in lanes.events.iter().enumerate().zip(lanes.causes()) {
        if !is_in_loop && cycle.contains(&event.step) {
            is_in_loop = true;
            out.push_str("  loop again and again\n");
        }
        let host = event.host;
        let sources: Vec<usize> = causes.into_iter().map(|c| lanes.events[c].host).collect();
        let label = text(&marked(event));
        if event.is_input {
            out.push_str(&format!("  env->>h{host}: {label}\n"));
        } else if event.is_output {
            out.push_str(&format!("  h{host}->>env: {label}\n"));
        } else if sources.is_empty() && !is_shared(event, &lanes.events[n + 1..]) {
            out.push_str(&format!("  Note over h{host}: {label}\n"));
        }
        for source in sources {
            out.push_str(&format!("  h{source}->>h{host}: {label}\n"));
        }
    }
    if is_in_loop {
        out.push_str("  end\n");
    }
    out
}

/// The action, and what makes the event stand out.
fn marked(event: &Event) -> String {
    match event.mark {
        Some(Mark::Loss) => format!("✗ {}", event.label),
        Some(Mark::Crash) => format!("⚡ {}", event.label),
        None => event.label.clone(),
    }
}

/// Whether the step is shown by arrows from this event.
fn is_shared(event: &Event, later: &[Event]) -> bool {
    let mut same = later.iter().take_while(|e| e.step == event.step);
    same.any(|e| e.clock.get(&event.host) == event.clock.get(&event.host))
}

/// The states that were met, each once, with what a step changed beside it.
fn states(execution: &Execution) -> String {
    let mut numbers: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    let mut arrows: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    let (mut notes, mut order) = (String::new(), Vec::new());
    let mut last = 0;
    for (n, state) in execution.states.iter().enumerate() {
        let values = state.iter();
        let shown: Vec<String> = values
            .map(|(name, value)| format!("{name} = {}", words::value(value)))
            .collect();
        let next = numbers.len();
        let is_new = !numbers.contains_key(&shown);
        let number = *numbers.entry(shown.clone()).or_insert(next);
        if is_new {
            let before = n.checked_sub(1).map(|before| &execution.states[before]);
            let changed = (0..state.len()).filter(|v| before.is_none_or(|b| b[*v] != state[*v]));
            let changed: Vec<&str> = changed.map(|v| &*shown[v]).collect();
            notes.push_str(&note(number, &changed));
        }
        if let Some(step) = n.checked_sub(1).map(|before| &execution.steps[before]) {
            let labels = arrows.entry((last, number)).or_insert_with(|| {
                order.push((last, number));
                Vec::new()
            });
            let label = text(&step.label);
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        last = number;
    }
    let mut out = String::from("stateDiagram-v2\n  [*] --> s0\n");
    for (from, to) in order {
        let labels = arrows[&(from, to)].join(", ");
        out.push_str(&format!("  s{from} --> s{to}: {labels}\n"));
    }
    out + &notes
}

fn note(state: usize, lines: &[&str]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines
        .iter()
        .map(|line| format!("    {}\n", text(line)))
        .collect();
    format!("  note right of s{state}\n{lines}  end note\n")
}

/// A text in which nothing means anything to Mermaid.
fn text(plain: &str) -> String {
    let mut out = String::new();
    for c in plain.chars() {
        match c {
            '#' | ';' | ':' | '<' | '>' | '%' | '"' | '`' | '\\' => {
                out.push_str(&format!("#{};", u32::from(c)));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
