//! Trace files that nobody would write are refused, or are what they were before: without a panic, and soon.

use std::collections::BTreeMap;
use std::sync::Arc;

use exporters::execution::{Execution, diagram, log, strict};
use finite::Universe;
use interpreter::Instance;
use interpreter::run::{self, Options, replay};
use interpreter::trace::{About, Recorder, read, write};
use ioa_lang::{Sources, load};

/// A composition with values of every form that trace files have.
const MODEL: &str = include_str!("hostile_traces.ioa");

/// An instance, and a trace of it.
fn whole() -> (Instance, String) {
    let mut sources = Sources::new();
    sources.add("whole.ioa", MODEL);
    let model = load(&sources).model;
    let sizes = BTreeMap::from([("H".to_owned(), 2)]);
    let universe = Universe::sized(&model, model.every_setting(), &sizes).expect("the sizes fit");
    let automaton = model.automaton_named("Whole").expect("it is declared");
    let instance = Instance::new(Arc::new(model), universe);
    let mut recorder = Recorder::new(automaton);
    let options = Options { seed: 1, steps: 3 };
    run::random(&instance, automaton, options, &mut recorder).expect("it can be run");
    let trace = recorder.trace().expect("there is a start state");
    let text = write(&instance, &trace, &About::default());
    (instance, text)
}

/// How many of the four ways of reading a text refuse it: repeating it, and the three exports.
fn refusals(instance: &Instance, text: &str) -> usize {
    let read = read(instance, text);
    let repeated = read.is_ok_and(|(trace, _)| replay(instance, &trace, &mut ()).is_ok());
    let execution = Execution::read(text).ok();
    let drawn = execution.map(|execution| (log(&execution, &[]), diagram(&execution, &[])));
    let (logged, drawn) = drawn.map_or((false, false), |(log, diagram)| {
        (log.is_ok(), diagram.is_ok())
    });
    let all = [repeated, logged, drawn, strict(text).is_ok()];
    all.iter().filter(|accepted| !**accepted).count()
}

/// What stands where a place was, in a text with the place's text in the middle.
fn with(text: &str, place: &str, other: &str) -> String {
    let changed = text.replacen(place, other, 1);
    assert_ne!(changed, text, "{place} is there");
    changed
}

#[test]
fn what_is_cut_short_is_refused() {
    let (instance, text) = whole();
    assert_eq!(refusals(&instance, &text), 0);
    let end = text.trim_end().len();
    for cut in (0..end).filter(|cut| text.is_char_boundary(*cut)) {
        assert_eq!(refusals(&instance, &text[..cut]), 4, "cut at {cut}");
    }
}

#[test]
fn a_byte_that_is_none_is_refused() {
    let (instance, text) = whole();
    for at in (0..text.len()).filter(|at| at % 3 == 0) {
        // Where there was space, a NUL is no space; elsewhere it is no part of a word.
        let mut bytes = text.clone().into_bytes();
        bytes[at] = 0;
        let damaged = String::from_utf8(bytes).expect("all is ASCII");
        assert_eq!(refusals(&instance, &damaged), 4, "NUL at {at}");
    }
}

#[test]
fn what_is_nested_deeply_is_refused_or_no_matter() {
    let (instance, text) = whole();
    for place in ["\"init\"", "\"output\"", "\"H#0\"", "\"say\"", "[]", "true"] {
        if !text.contains(place) {
            continue;
        }
        for depth in [10, 100, 126, 1_000, 100_000] {
            let [lists, records] = [("[", "]"), ("{\"a\":", "}")]
                .map(|(open, close)| open.repeat(depth) + place + &close.repeat(depth));
            for nested in [lists, records] {
                let damaged = with(&text, place, &nested);
                assert!(refusals(&instance, &damaged) >= 1, "{place} at {depth}");
            }
        }
    }
}

#[test]
fn numbers_of_any_size_are_refused_where_others_belong() {
    let (instance, text) = whole();
    let long = "9".repeat(20_000);
    let quoted = format!("\"{long}\"");
    let numbers = [
        "1e400",
        "-1",
        "0.5",
        "1e3",
        "-0",
        &*long,
        "null",
        "18446744073709551616",
    ];
    for place in ["\"index\": 1", "\"clause\": 0"] {
        let name = &place[..place.len() - 1];
        for number in numbers {
            let damaged = with(&text, place, &format!("{name}{number}"));
            assert_eq!(refusals(&instance, &damaged), 4, "{place} as {number}");
        }
    }
    for place in ["\"9\"", "\"-7\"", "\"1/2\"", "\"1\""] {
        for number in [
            &*quoted, "\"-\"", "\"\"", "\"1/0\"", "\" 1\"", "1", "\"0x1\"",
        ] {
            let damaged = with(&text, place, number);
            assert!(refusals(&instance, &damaged) >= 1, "{place} as {number}");
        }
    }
}

#[test]
fn names_that_are_not_there_are_refused() {
    let (instance, text) = whole();
    for (place, others) in [
        (
            "\"H#0\"",
            &[
                "\"H#2\"",
                "\"H#-1\"",
                "\"H#99999999999999999999\"",
                "\"H#\"",
                "\"\"",
            ][..],
        ),
        ("\"Whole\"", &["\"Sink\"", "\"\"", "null", "[]"]),
        ("\"say\"", &["\"\"", "\"say\\u0000\"", "\"init\""]),
        ("\"states\"", &["\"state\"", "\"\\u0000\""]),
    ] {
        for other in others {
            let damaged = with(&text, place, other);
            assert!(refusals(&instance, &damaged) >= 1, "{place} as {other}");
        }
    }
}
