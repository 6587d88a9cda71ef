//! Trace files: in the forms of the format alone, and those that are refused.

use exporters::execution::{Execution, TraceError, strict};
use serde_json::{Value as Json, json};

use crate::{number, read, ring};

#[test]
fn a_strict_trace_has_the_forms_of_the_format_alone() {
    let mut document: Json = serde_json::from_str(&ring()).expect("JSON");
    document["states"][0]["x"] = json!([{ "#real": "-1/3" }, 7, { "#set": [{ "a": true }] }]);
    let text = strict(&document.to_string()).expect("a trace");
    let found: Json = serde_json::from_str(&text).expect("JSON");
    let expected =
        json!([{ "#unserializable": "-1/3" }, { "#bigint": "7" }, { "#set": [{ "a": true }] }]);
    assert_eq!(found["states"][0]["x"], expected);
    assert_eq!(
        strict(&text).as_deref(),
        Ok(&*text),
        "nothing is left to do"
    );
    for wrong in [
        json!(0.5),
        json!(null),
        json!({ "#other": 1 }),
        json!({ "#set": [], "a": 1 }),
    ] {
        document["states"][2]["x"] = wrong;
        let error = strict(&document.to_string()).expect_err("not in the format");
        assert!(error.to_string().contains("states.2.x"), "{error}");
    }
    document["states"][2]["x"] = json!(true);
    document["loop"] = json!(9);
    assert!(strict(&document.to_string()).is_err());
}

/// Whoever draws a trace has no model to ask, but what the file says twice must agree.
#[test]
fn a_trace_that_contradicts_itself_is_refused() {
    let good: Json = serde_json::from_str(&ring()).expect("JSON");
    let twice = {
        let mut document = good.clone();
        let again = document["states"][1].clone();
        document["states"]
            .as_array_mut()
            .expect("states")
            .push(again);
        number(&mut document);
        document
    };
    read(&twice.to_string());
    let cases = [
        ("/states/0/mbt::actionTaken", json!("send")),
        (
            "/states/0/mbt::nondetPicks/p0",
            json!({ "tag": "Some", "value": 1 }),
        ),
        ("/states/1/#meta/index", json!(2)),
        ("/states/1/#meta/kind", json!("input")),
        ("/states/1/#meta/kind", json!("other")),
        ("/states/1/#meta/label", json!("receive(Node#0, Node#1)")),
        ("/states/1/#meta/label", json!("sender")),
        ("/states/1/#meta/participants/0/kind", json!("input")),
        ("/states/1/#meta/participants/0/kind", json!("internal")),
        ("/states/1/#meta/participants/1/kind", json!("output")),
        (
            "/states/1/#meta/participants/1",
            good["states"][1]["#meta"]["participants"][0].clone(),
        ),
        ("/states/1/#meta/params/1", json!("Node#2")),
        ("/states/1/#meta/params", json!(["Node#0"])),
        ("/states/1/#meta/hidden", json!(["Node#0"])),
        ("/states/1/#meta/choices", json!([[0, "Node#0"]])),
        ("/states/1/mbt::nondetPicks/p0/value", json!("Node#2")),
        ("/states/1/mbt::nondetPicks/p0/tag", json!("None")),
        ("/states/2/mbt::actionTaken", json!("C.idle")),
        ("/states/2/#meta/participants/0/component", json!("C")),
        ("/states/2/#meta/participants/0/index", json!(["Node#2"])),
        ("/states/4/mbt::actionTaken", json!("receive")),
        ("/states/4/#meta/kind", json!("output")),
        ("/states/4/#meta/clause", json!(1)),
        (
            "/states/4/mbt::nondetPicks",
            json!({ "q": { "tag": "Some", "value": "Node#0" }, "p1": { "tag": "Some", "value": "Node#1" } }),
        ),
    ];
    for (path, other) in cases {
        let mut document = twice.clone();
        match document.pointer_mut(path) {
            Some(place) => *place = other.clone(),
            None => document["states"][0]["mbt::nondetPicks"]["p0"] = other.clone(),
        }
        let error = Execution::read(&document.to_string());
        assert!(
            matches!(error, Err(TraceError::Malformed { .. })),
            "{path} may be {other}"
        );
        assert!(
            strict(&document.to_string()).is_err(),
            "{path} may be {other}"
        );
    }
}

#[test]
fn what_is_no_trace_of_ours_is_refused() {
    let text = ring();
    for end in (0..text.len()).filter(|n| text.is_char_boundary(*n)) {
        assert_eq!(Execution::read(&text[..end]), Err(TraceError::Incomplete));
    }
    assert!(matches!(
        Execution::read("hello"),
        Err(TraceError::NotJson(_))
    ));
    let cases = [
        ("\"ioa\"", "\"quint\"", "not a trace that ioa wrote"),
        ("\"vars\"", "\"names\"", "has no vars"),
        ("\"states\"", "\"steps\"", "at states"),
        (
            "\"mbt::actionTaken\":\"P.idle\"",
            "\"a\":1",
            "states.2.mbt::actionTaken",
        ),
        (
            "\"participants\":[",
            "\"participants\":[7,",
            "#meta.participants",
        ),
        ("\"params\":[", "\"values\":[", "states.1.#meta.params"),
        ("\"label\":", "\"text\":", "states.1.#meta.label"),
        ("{\"#bigint\":\"0\"}", "null", ""),
    ];
    for (from, to, says) in cases {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        match (Execution::read(&broken), says) {
            (Err(error), says) => assert!(error.to_string().contains(says), "{error}"),
            (Ok(_), "") => assert!(strict(&broken).is_err()),
            (Ok(_), _) => panic!("{from} is missed"),
        }
    }
}
