//! Between which numbers the integers of an automaton stay, as its text says.

use finite::{Place, intervals};
use ioa_lang::Sources;
use ioa_lang::core::{AutomatonId, Model};

fn model(states: &str, transitions: &str) -> Model {
    let names: Vec<&str> = transitions
        .lines()
        .filter_map(|line| line.trim().strip_prefix("internal "))
        .collect();
    let text = format!(
        "automaton A\n  signature internal {}\n  states {states}\n  transitions\n{transitions}\n",
        names.join(", ")
    );
    let mut sources = Sources::new();
    sources.add("a.ioa", text.as_str());
    let loaded = ioa_lang::load(&sources);
    let mut errors = loaded.diagnostics.iter();
    let error = errors.find(|d| d.severity == ioa_lang::Severity::Error);
    assert!(error.is_none(), "{error:?}\n{text}");
    loaded.model
}

/// The interval of the first variable.
fn first(states: &str, transitions: &str) -> Option<(i64, i64)> {
    let model = model(states, transitions);
    let automaton = AutomatonId(0);
    let found = intervals(&model, automaton);
    let variable = |place: &Place| matches!(place, Place::Variable(_, v) if v.index() == 0);
    let mut found = found.iter().filter(|(place, _)| variable(place));
    found.next().map(|(_, range)| (range.low, range.high))
}

#[test]
fn a_guarded_counter_stays_below_its_guard() {
    let counts = "    internal up\n      pre x < 6\n      eff x := x + 1";
    assert_eq!(first("x: Nat := 0", counts), Some((0, 6)));
}

#[test]
fn a_remainder_is_less_than_what_is_divided_by() {
    let turns = "    internal turn\n      eff x := mod(x + 5, 12)";
    assert_eq!(first("x: Nat := 0", turns), Some((0, 11)));
}

#[test]
fn branches_are_joined() {
    let either = "    internal go\n      eff if x < 3 then x := 7 else x := 2 fi";
    assert_eq!(first("x: Nat := 4", either), Some((2, 7)));
}

#[test]
fn what_is_known_of_a_variable_is_forgotten_where_it_is_assigned() {
    let twice = "    internal go\n      pre x < 3\n      eff x := x + 4; x := x + 4";
    assert_eq!(first("x: Nat := 0", twice).map(|(_, high)| high), Some(10));
}

#[test]
fn what_holds_inside_a_binder_says_nothing_outside_of_it() {
    // No number is less than 0, and yet the assignment is reached.
    let asks = "    internal go\n      eff y := {n: Nat where n < 0 /\\ n = x}; x := 9";
    assert_eq!(first("x: Nat := 0, y: Set[Nat] := {}", asks), Some((0, 9)));
    let loops = "    internal go\n      eff for n: Nat where n < 0 /\\ n < x do y := insert(n, y) od; x := 9";
    assert_eq!(first("x: Nat := 0, y: Set[Nat] := {}", loops), Some((0, 9)));
}

#[test]
fn terms_are_looked_at_once_however_deeply_they_are_nested() {
    let deep = (0..60).fold("x".to_owned(), |term, _| format!("min({term}, 50) + 1"));
    let steps = format!("    internal go\n      eff x := {deep}");
    assert_eq!(first("x: Nat := 0", &steps), Some((0, 51)));
}
