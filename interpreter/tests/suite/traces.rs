//! Traces survive the way through a file, are repeated exactly, and are refused where they do not belong.

use crate::common::{instance, model, paxos, paxos_texts, record};
use interpreter::Instance;
use interpreter::run::{self, Ending, Options, ReplayError, replay};
use interpreter::trace::{About, Recorder, Trace, TraceError, read, write};
use serde_json::{Value as Json, json};

/// Every kind of type, hidden parameters, choices and open variables.
const MIXED: &str = r"
type Node
type Phase = enumeration of idle, busy
type Letter = tuple of to: Node, text: Seq[Int]
automaton Mixed
  signature
    internal step(n: Node), pick, open
  states
    i: Int := choose k where 5 <= k /\ k <= 9,
    big: Int := 2 ** 80,
    s: Set[Set[Node]] := {},
    o: Null[Letter] := nil,
    a: Array[Int, Phase] := constant(idle),
    b: Array[Node, Array[Bool, Null[Phase]]] := constant(constant(nil)),
    sent: Seq[Letter] := {}
  transitions
    internal step(n)
      choose m: Node, d: Nat where m ~= n /\ d < 3
      eff s := insert({n, m}, s);
          o := embed([m, {} |- i]);
          sent := sent |- o.val;
          a[i] := busy;
          b[n][true] := embed(busy)
    internal pick
      eff i := choose k where i <= k /\ k <= i + 2;
          big := choose k where big <= k /\ k < big + 2
    internal open
      ensuring i' > i - 3 /\ i' < i + 3
invariant Fine of Mixed: len(sent) < 1000
";

fn mixed() -> Instance {
    instance(model(&[MIXED]), &[("Node", 3)])
}

fn random_trace(instance: &Instance, seed: u64) -> Trace {
    let automaton = instance.model().automaton_named("Mixed").unwrap();
    let mut recorder = Recorder::new(automaton);
    let options = Options { seed, steps: 40 };
    let report = run::random(instance, automaton, options, &mut recorder).unwrap();
    assert_eq!(report.ending, Ending::StepLimit);
    recorder.trace().unwrap()
}

fn written(instance: &Instance, trace: &Trace) -> String {
    let about = About {
        description: "a test".into(),
        seed: Some(u64::MAX),
    };
    write(instance, trace, &about)
}

#[test]
fn a_trace_is_read_back_as_it_was_written_and_repeats() {
    let mixed = mixed();
    for seed in 0..20 {
        let trace = random_trace(&mixed, seed);
        let text = written(&mixed, &trace);
        let (back, about) = read(&mixed, &text).unwrap();
        assert_eq!(back, trace);
        assert_eq!(
            (&*about.description, about.seed),
            ("a test", Some(u64::MAX))
        );
        assert_eq!(written(&mixed, &back), text);

        let mut recorder = Recorder::new(trace.automaton);
        let report = replay(&mixed, &back, &mut recorder).unwrap();
        assert_eq!((report.ending, report.steps), (Ending::Finished, 40));
        assert_eq!(report.state.as_ref(), Some(trace.last()));
        assert_eq!(recorder.trace(), Some(trace));
    }
}

#[test]
fn a_trace_looks_as_other_tools_expect() {
    let paxos = paxos();
    let (_, trace) = record(&paxos, "Normal", 1);
    let json: Json = serde_json::from_str(&written(&paxos, &trace)).unwrap();
    assert_eq!(json["#meta"]["format"], "ITF");
    assert_eq!(
        json["#meta"]["varTypes"]["val"],
        "(BALLOT -> nil(UNIT) | embed(VALUE))"
    );
    assert_eq!(json["#meta"]["ioa"]["sizes"]["Quorum"], 4);
    let first = &json["states"][1];
    assert_eq!(first["mbt::actionTaken"], "init");
    assert_eq!(
        first["mbt::nondetPicks"]["i"],
        json!({ "tag": "Some", "value": "Node#0" })
    );
    assert_eq!(first["initiated"], json!({ "#set": ["Node#0"] }));
    let nil = json!({ "tag": "nil", "value": { "#tup": [] } });
    assert_eq!(first["val"]["#map"][2], json!(["Ballot#2", nil]));
    let vars = json["vars"].as_array().unwrap();
    assert!(vars.iter().all(|v| !first[v.as_str().unwrap()].is_null()));
}

#[test]
fn a_trace_of_a_violation_repeats_the_violation() {
    let text = MIXED.replace("len(sent) < 1000", "len(sent) < 3");
    let mixed = instance(model(&[&text]), &[("Node", 3)]);
    let automaton = mixed.model().automaton_named("Mixed").unwrap();
    let mut recorder = Recorder::new(automaton);
    let options = Options {
        seed: 1,
        steps: 100,
    };
    let report = run::random(&mixed, automaton, options, &mut recorder).unwrap();
    assert!(matches!(&report.ending, Ending::Violated(all) if &*all[0].name == "Fine"));
    let again = replay(&mixed, &recorder.trace().unwrap(), &mut ()).unwrap();
    assert_eq!(again, report);
}

#[test]
fn a_trace_of_another_model_or_other_sizes_is_refused_and_of_a_reformatted_one_is_not() {
    let here = mixed();
    let text = written(&here, &random_trace(&here, 1));

    let changed = MIXED.replace("5 <= k", "4 <= k");
    let other = read(&instance(model(&[&changed]), &[("Node", 3)]), &text).unwrap_err();
    assert!(matches!(&other, TraceError::OtherModel { automaton, .. } if automaton == "Mixed"));
    assert!(
        other.to_string().contains("Mixed has changed since"),
        "{other}"
    );

    let sizes = read(&instance(model(&[MIXED]), &[("Node", 4)]), &text).unwrap_err();
    assert_eq!(
        sizes.to_string(),
        "the trace was made with other sizes: Node 3 (now 4)"
    );

    let renamed = MIXED.replace("Mixed", "Blended");
    let gone = read(&instance(model(&[&renamed]), &[("Node", 3)]), &text).unwrap_err();
    assert_eq!(gone, TraceError::UnknownAutomaton("Mixed".into()));

    let reformatted = MIXED.replace("\n    ", "  % a comment\n\n        ");
    assert!(read(&instance(model(&[&reformatted]), &[("Node", 3)]), &text).is_ok());

    // Properties may be added without making the executions others.
    let texts = paxos_texts();
    let paxos = paxos();
    let text = written(&paxos, &record(&paxos, "Normal", 1).1);
    let more = format!("{}\ninvariant New of Global1: true", texts[1]);
    let more = instance(
        model(&[&texts[0], &more]),
        &[("Node", 3), ("Value", 2), ("Ballot", 3)],
    );
    assert!(read(&more, &text).is_ok());
}

#[test]
fn a_trace_that_is_no_execution_is_refused() {
    let mixed = mixed();
    let trace = random_trace(&mixed, 1);
    let refused = |change: &dyn Fn(&mut Trace)| {
        let mut trace = trace.clone();
        change(&mut trace);
        replay(&mixed, &trace, &mut ()).unwrap_err()
    };
    assert_eq!(
        refused(&|t| t.start = t.last().clone()),
        ReplayError::NotAStart
    );
    let hidden = trace
        .steps
        .iter()
        .position(|s| !s.firing.hidden.is_empty())
        .unwrap();
    let same = |t: &mut Trace| {
        let firing = &mut t.steps[hidden].firing;
        firing.hidden[0] = firing.params[0].clone();
    };
    assert_eq!(refused(&same), ReplayError::Disabled { step: hidden + 1 });
    let missing = refused(&|t| drop(t.steps.remove(hidden)));
    assert!(
        matches!(
            &missing,
            ReplayError::Diverged { .. } | ReplayError::Fault { .. }
        ),
        "{missing}"
    );
    let chosen = trace
        .steps
        .iter()
        .position(|s| !s.choices.is_empty())
        .unwrap();
    let surplus = refused(&|t| {
        let choice = t.steps[chosen].choices[0].clone();
        t.steps[chosen].choices.push(choice);
    });
    assert!(
        matches!(&surplus, ReplayError::Fault { step, .. } if *step == chosen + 1),
        "{surplus}"
    );
    let forgotten = refused(&|t| t.steps[chosen].choices.clear());
    assert!(matches!(&forgotten, ReplayError::Diverged { step, .. } if *step == chosen + 1));
}

/// Every part of a trace replaced by every kind of JSON: an error or a trace, and never a panic.
#[test]
fn hostile_json_is_an_error() {
    let mixed = mixed();
    for text in [
        "",
        "{",
        "null",
        "[]",
        "{}",
        "\u{0}",
        r#"{"states": []}"#,
        &"[".repeat(100_000),
    ] {
        assert!(read(&mixed, text).is_err());
    }
    let mut trace = random_trace(&mixed, 1);
    trace.steps.truncate(4);
    let good: Json = serde_json::from_str(&written(&mixed, &trace)).unwrap();
    let mut paths = Vec::new();
    collect(&good, String::new(), &mut paths);
    let mut refused = 0;
    for path in &paths {
        for bad in hostile() {
            let mut json = good.clone();
            *json.pointer_mut(path).unwrap() = bad;
            match read(&mixed, &json.to_string()) {
                Ok((trace, _)) => drop(replay(&mixed, &trace, &mut ())),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > paths.len(), "{refused} of {} places", paths.len());
    let message = read(&mixed, &good.to_string().replace("Node#1", "Node#7")).unwrap_err();
    assert!(
        message.to_string().starts_with("at states.0.b: "),
        "{message}"
    );
}

fn hostile() -> Vec<Json> {
    vec![
        Json::Null,
        json!(true),
        json!(-1),
        json!(4_000_000_000_u64),
        json!("Node#4294967295"),
        json!("Node#x"),
        json!([]),
        json!([[], [0]]),
        json!({}),
        json!({ "#bigint": "12x" }),
        json!({ "#bigint": "9".repeat(30_000) }),
        json!({ "#set": [{ "#set": ["Node#9"] }] }),
        json!({ "tag": "embed" }),
        json!({ "#map": [[1]] }),
    ]
}

fn collect(json: &Json, path: String, paths: &mut Vec<String>) {
    match json {
        Json::Object(map) => {
            for (key, value) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect(value, format!("{path}/{key}"), paths);
            }
        }
        Json::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(n, value)| collect(value, format!("{path}/{n}"), paths));
        }
        _ => {}
    }
    paths.push(path);
}
