//! Traces survive the way through a file, are repeated exactly, and are refused where they do not belong.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{instance, model, paxos, paxos_texts, record};
use finite::Universe;
use interpreter::Instance;
use interpreter::run::{self, Ending, Options, ReplayError, replay};
use interpreter::trace::{About, Recorder, Trace, TraceError, origin, read, write};
use ioa_lang::core::AutomatonId;
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
        inputs: vec!["a model.ioa".into()],
        repeats_after: None,
    };
    write(instance, trace, &about)
}

/// A light that goes on and off.
const LIGHT: &str = "
automaton Light
  signature internal on, off
  states lit: Bool := false
  transitions
    internal on pre ~lit eff lit := true
    internal off pre lit eff lit := false
";

#[test]
fn where_an_infinite_execution_repeats_is_written_and_checked() {
    let light = instance(model(&[LIGHT]), &[]);
    let mut recorder = Recorder::new(AutomatonId(0));
    let options = Options { seed: 1, steps: 3 };
    run::random(&light, AutomatonId(0), options, &mut recorder).unwrap();
    let trace = recorder.trace().unwrap();
    assert_eq!(trace.steps.len(), 3);
    let written = |repeats_after| {
        let about = About {
            repeats_after,
            ..About::default()
        };
        write(&light, &trace, &about)
    };
    // After the third step the light is on, as it is after the first; or it stays so.
    for (after, next) in [(1, 2), (3, 3)] {
        let text = written(Some(after));
        let document: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(document["loop"], next);
        assert_eq!(read(&light, &text).unwrap().1.repeats_after, Some(after));
        assert_eq!(origin(&text).unwrap().repeats_after, Some(after));
    }
    for wrong in [0, 2, 4] {
        let why = read(&light, &written(Some(wrong))).unwrap_err().to_string();
        assert!(why.contains("repeats_after"), "{why}");
    }
    let moved = written(Some(1)).replace("\"loop\": 2", "\"loop\": 1");
    assert!(matches!(read(&light, &moved), Err(TraceError::Untrue(_))));
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
        .position(|s| !s.label.firing.hidden.is_empty())
        .unwrap();
    let same = |t: &mut Trace| {
        let firing = &mut t.steps[hidden].label.firing;
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
        .position(|s| !s.label.choices.is_empty())
        .unwrap();
    let surplus = refused(&|t| {
        let choice = t.steps[chosen].label.choices[0].clone();
        t.steps[chosen].label.choices.push(choice);
    });
    assert!(
        matches!(&surplus, ReplayError::Fault { step, .. } if *step == chosen + 1),
        "{surplus}"
    );
    let forgotten = refused(&|t| t.steps[chosen].label.choices.clear());
    assert!(matches!(&forgotten, ReplayError::Diverged { step, .. } if *step == chosen + 1));
}

/// Components with indices and without, hidden outputs, choices and hidden parameters of one name.
const COMPOSED: &str = r"
type H
automaton Source(i: H)
  signature
    output say(const i, k: Nat) where k < 3
    internal think(n: Nat) where n < 3
  states
    left: Nat := 9,
    bag: Set[H] := {},
    mode: Array[H, Bool] := constant(false)
  transitions
    output say(h, k)
      choose d: H
      pre left > 0
      eff left := left - 1;
          bag := insert(d, bag);
          mode[i] := choose b;
          mode[d] := choose b where b = true
    internal think(n)
      pre n < left
      eff left := choose l where 6 <= l /\ l <= 9
automaton Sink
  signature
    input say(h: H, k: Nat) where k < 3
    internal pop
  states
    queue: Seq[Nat] := {},
    last: Null[H] := nil
  transitions
    input say(h, k)
      eff if len(queue) < 3 then queue := queue |- k fi;
          last := embed(h)
    internal pop
      pre queue ~= {}
      eff queue := tail(queue)
automaton Whole
  components
    S[i: H]: Source(i);
    K: Sink
  hidden say(h, k) where k = 0
";

/// An instance of the composition, and a trace of it.
fn composed() -> (Instance, String) {
    let model = model(&[COMPOSED]);
    let sizes = BTreeMap::from([("H".to_owned(), 2)]);
    let universe = Universe::sized(&model, model.every_setting(), &sizes).unwrap();
    let automaton = model.automaton_named("Whole").unwrap();
    let whole = Instance::new(Arc::new(model), universe);
    let mut recorder = Recorder::new(automaton);
    let options = Options { seed: 3, steps: 8 };
    run::random(&whole, automaton, options, &mut recorder).unwrap();
    let text = written(&whole, &recorder.trace().unwrap());
    (whole, text)
}

/// What is only for people: what is said there of how the trace was made cannot be known.
const FOR_PEOPLE: [&str; 4] = [
    "/#meta/description",
    "/#meta/ioa/seed",
    "/#meta/ioa/inputs",
    "/#meta/ioa/inputs/0",
];

/// Other values in the place of a part of a trace, such as someone might write there.
fn altered(json: &Json) -> Vec<Json> {
    match json {
        Json::Null => vec![json!(1)],
        Json::Bool(b) => vec![json!(!b), json!("true")],
        Json::Number(n) => vec![json!(n.as_u64().unwrap_or(0) + 1), json!(0.5), Json::Null],
        Json::String(text) => {
            let mut others = vec![json!(format!("{text}x")), json!(""), json!(7)];
            let names = [
                "input", "output", "internal", "H#0", "H#1", "S", "K", "say", "think",
            ];
            others.extend(
                ["0", "1", "2"]
                    .into_iter()
                    .chain(names)
                    .map(|name| json!(name)),
            );
            others
        }
        Json::Array(items) => {
            let shorter = items.iter().skip(1).cloned().collect();
            let longer = items.iter().chain(items.first()).cloned().collect();
            vec![Json::Array(shorter), Json::Array(longer), json!({})]
        }
        Json::Object(fields) => {
            let without = fields.keys().map(|name| {
                let mut fields = fields.clone();
                fields.remove(name);
                Json::Object(fields)
            });
            let mut others: Vec<Json> = without.collect();
            let mut more = fields.clone();
            more.insert("more".to_owned(), json!("H#0"));
            others.push(Json::Object(more));
            others
        }
    }
}

#[test]
fn nothing_that_a_trace_says_can_be_falsified() {
    let (whole, text) = composed();
    let good: Json = serde_json::from_str(&text).unwrap();
    let states = good["states"].as_array().unwrap();
    let joint = |state: &Json| state.pointer("/#meta/participants/1").is_some();
    assert!(states.iter().any(joint));
    let mut paths = Vec::new();
    collect(&good, String::new(), &mut paths);
    let mut refused = 0;
    for path in paths.iter().filter(|path| !FOR_PEOPLE.contains(&&***path)) {
        let now = good.pointer(path).unwrap();
        for other in altered(now).into_iter().filter(|other| other != now) {
            let mut json = good.clone();
            *json.pointer_mut(path).unwrap() = other.clone();
            let back = read(&whole, &json.to_string()).ok();
            let repeats = back.is_some_and(|(trace, _)| replay(&whole, &trace, &mut ()).is_ok());
            assert!(!repeats, "{path} may be {other}");
            refused += 1;
        }
    }
    assert!(refused > 2_000, "{refused}");
}

#[test]
fn what_is_falsified_is_named_with_its_step() {
    let (whole, text) = composed();
    let refused = |path: &str, value: Json| {
        let mut json: Json = serde_json::from_str(&text).unwrap();
        *json.pointer_mut(path).unwrap() = value;
        read(&whole, &json.to_string()).unwrap_err().to_string()
    };
    let kind = refused("/states/1/#meta/kind", json!("input"));
    assert!(
        kind.starts_with("step 1 of the trace says of #meta.kind: \"input\"; the model says: \""),
        "{kind}"
    );
    let index = refused("/states/2/#meta/index", json!(7));
    assert!(
        index.starts_with("step 2 of the trace says of #meta.index: \"7\"; the model says: \"2\""),
        "{index}"
    );
    let action = refused("/states/0/mbt::actionTaken", json!("say"));
    assert!(
        action.starts_with("the start state of the trace says of mbt::actionTaken"),
        "{action}"
    );
    let sizes = refused("/#meta/ioa/sizes/H", json!(3));
    assert!(
        sizes.starts_with("the trace says of #meta.ioa.sizes.H"),
        "{sizes}"
    );
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
