//! Any bytes are read as a trace, repeated and drawn without a panic, and so is every altered form of a good one. What is
//! accepted is what would be written.
#![no_main]

use std::sync::{Arc, LazyLock};

use exporters::execution::{Execution, diagram, log, strict};
use interpreter::Instance;
use interpreter::run::{self, Options, replay};
use interpreter::trace::{About, Recorder, read, write};
use finite::Universe;
use ioa_lang::{Sources, load};
use libfuzzer_sys::fuzz_target;
use serde_json::Value as Json;

const MODEL: &str = include_str!("../../workbench/tests/hostile_traces.ioa");

/// An instance, and a good trace of it.
static WHOLE: LazyLock<(Instance, Json)> = LazyLock::new(|| {
    let mut sources = Sources::new();
    sources.add("whole.ioa", MODEL);
    let model = load(&sources).model;
    let sizes = [("H".to_owned(), 2)].into();
    let universe = Universe::sized(&model, model.every_setting(), &sizes).expect("the sizes fit");
    let automaton = model.automaton_named("Whole").expect("it is declared");
    let instance = Instance::new(Arc::new(model), universe);
    let mut recorder = Recorder::new(automaton);
    let options = Options { seed: 1, steps: 6 };
    run::random(&instance, automaton, options, &mut recorder).expect("it can be run");
    let trace = recorder.trace().expect("there is a start state");
    let text = write(&instance, &trace, &About::default());
    let document = serde_json::from_str(&text).expect("it is JSON");
    (instance, document)
});

fuzz_target!(|bytes: &[u8]| {
    let (instance, good) = &*WHOLE;
    attempt(instance, &String::from_utf8_lossy(bytes));
    let mut altered = good.clone();
    for change in bytes.chunks_exact(4) {
        alter(&mut altered, change);
    }
    attempt(instance, &altered.to_string());
});

fn attempt(instance: &Instance, text: &str) {
    if let Ok((trace, about)) = read(instance, text) {
        let written = write(instance, &trace, &about);
        assert_eq!(read(instance, &written), Ok((trace.clone(), about)));
        drop(replay(instance, &trace, &mut ()));
        Execution::read(&written).expect("what is written agrees with itself");
    }
    if let Ok(execution) = Execution::read(text) {
        drop(log(&execution, &[]));
        drop(diagram(&execution, &[]));
    }
    if let Ok(text) = strict(text) {
        assert_eq!(strict(&text), Ok(text.clone()), "nothing is left to do");
    }
}

/// Goes some steps into a document, and changes what is there.
fn alter(json: &mut Json, change: &[u8]) {
    let mut place = json;
    for step in &change[..3] {
        let step = usize::from(*step);
        let count = match &*place {
            Json::Array(items) => items.len(),
            Json::Object(fields) => fields.len(),
            _ => 0,
        };
        if count == 0 {
            break;
        }
        let inner = match place {
            Json::Array(items) => items.get_mut(step % count),
            Json::Object(fields) => fields.values_mut().nth(step % count),
            _ => None,
        };
        place = inner.expect("there are so many");
    }
    *place = match change[3] {
        0 => Json::Null,
        1 => Json::Bool(true),
        2 => Json::from(u64::MAX),
        3 => Json::from(-0.5),
        4 => Json::String("\0".into()),
        5 => Json::from("H#1"),
        6 => Json::Array(vec![place.take()]),
        7 => serde_json::json!({ "#bigint": "-18446744073709551616" }),
        8 => serde_json::json!({ "#set": [place.take()] }),
        9 => serde_json::json!({ "tag": "Some", "value": place.take() }),
        n => Json::from(n),
    };
}
