//! `ioa export` of runs, as its users meet it: every trace that `ioa` writes, and files that are none.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::sandbox::{Answer, Sandbox, refused};
use test_support::generate;

fn study(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies");
    path.join(name)
        .to_str()
        .expect("a path in UTF-8")
        .to_owned()
}

fn ioa(sandbox: &Sandbox, args: &str) -> Answer {
    let args: Vec<&str> = args.split_whitespace().collect();
    sandbox.ioa(&args)
}

/// A sandbox with a run of the ring of processes and channels in `run.itf.json`.
fn ring() -> Sandbox {
    let sandbox = Sandbox::new();
    let run = format!(
        "run {} --automaton LCR --random --steps 60 --trace run.itf.json",
        study("lcr")
    );
    assert_eq!(ioa(&sandbox, &run).code, Some(0));
    sandbox
}

type Clock = BTreeMap<String, u64>;

/// The events of a log: host and clock.
fn events(log: &str) -> Vec<(String, Clock)> {
    let lines: Vec<&str> = log.lines().skip(2).collect();
    let event = |pair: &[&str]| {
        let (host, clock) = pair[1].split_once(' ').expect("a host and its clock");
        let clock = serde_json::from_str(clock).expect("a clock in JSON");
        (host.to_owned(), clock)
    };
    lines.chunks(2).map(event).collect()
}

#[test]
fn the_clocks_of_a_log_are_vector_clocks() {
    let s = ring();
    for (hosts, channels) in [("", true), ("--host P", false)] {
        let answer = ioa(&s, &format!("export shiviz run.itf.json {hosts}"));
        assert_eq!(answer.code, Some(0), "{answer:?}");
        let events = events(&answer.out);
        assert!(events.len() > 10, "{answer:?}");
        assert_eq!(
            events.iter().any(|(host, _)| host.starts_with("C[")),
            channels
        );
        let mut now: BTreeMap<&str, &Clock> = BTreeMap::new();
        let (mut learnt, empty) = (0, Clock::new());
        for (host, clock) in &events {
            let before = now.get(&**host).copied().unwrap_or(&empty);
            let count = before.get(host).copied().unwrap_or(0);
            assert_eq!(clock[host], count + 1, "each host counts its own events");
            assert!(
                before.iter().all(|(h, n)| clock[h] >= *n),
                "nothing is forgotten"
            );
            for (other, n) in clock.iter().filter(|(other, _)| *other != host) {
                assert!(
                    now[&**other][other] >= *n,
                    "nothing is known of what is to come"
                );
                learnt += usize::from(before.get(other) != Some(n));
            }
            now.insert(host, clock);
        }
        assert!(learnt > 3, "some messages arrive");
    }
}

#[test]
fn diagrams_are_of_hosts_or_of_states() {
    let s = ring();
    let sequence = ioa(&s, "export mermaid run.itf.json --host P").out;
    assert!(sequence.contains("\nsequenceDiagram\n"), "{sequence}");
    assert!(
        sequence.contains("participant h0 as P[LCR.I#35;"),
        "{sequence}"
    );
    assert!(sequence.contains("->>"), "{sequence}");
    let run = "run . --schedule Normal --trace normal.itf.json";
    assert_eq!(ioa(&s, run).code, Some(0));
    let states = ioa(&s, "export mermaid normal.itf.json").out;
    assert!(
        states.contains("\nstateDiagram-v2\n  [*] --> s0\n"),
        "{states}"
    );
    let nodes = ioa(&s, "export mermaid normal.itf.json --host Node").out;
    assert!(nodes.contains("participant h0 as Node#35;"), "{nodes}");
    let lamp = "type Node\nautomaton Lamp\n  signature internal press(n: Node)\n  states lit: Array[Node, Bool] := constant(false)\n  \
                transitions internal press(n) eff lit[n] := ~lit[n]\n";
    s.write("lamp.ioa", lamp);
    let long = "run lamp.ioa --sort Node=3 --random --steps 3000 --trace long.itf.json";
    assert_eq!(ioa(&s, long).code, Some(0));
    let answer = ioa(
        &s,
        "export mermaid long.itf.json --host Node --out long.mmd",
    );
    assert!(
        answer.err.contains("Mermaid draws 50,000 unless"),
        "{answer:?}"
    );
    assert_eq!(answer.code, Some(0));
}

/// Two who speak and two who hear, each a component with a name of its own. The last hears whom its parameter tells.
const ROOM: &str = "\
type Side = enumeration of left, right
automaton Talker(me: Side)
  signature output say(const me)
  states said: Bool := false
  transitions output say(me) pre ~said eff said := true
automaton Ear(me: Side)
  signature input say(const me)
  states heard: Bool := false
  transitions input say(me) eff heard := true
automaton Wall(place, here: Side)
  signature input say(s: Side) where place = here /\\ s ~= here
  states echoes: Nat := 0
  transitions input say(s) eff echoes := echoes + 1
automaton Room
  components
    A: Talker(left);
    B: Talker(right);
    C: Ear(left);
    D: Ear(right);
    W[s: Side]: Wall(s, left)
schedule Both of Room do fire output say(left); fire output say(right) od
invariant Quiet of Room: W[left].echoes + W[right].echoes <= 1 /\\ (C.heard => A.said) /\\ (D.heard => B.said)
";

#[test]
fn a_component_takes_part_where_the_action_is_in_its_signature() {
    let s = Sandbox::new();
    s.write("room.ioa", ROOM);
    let run = "run room.ioa --schedule Both --trace run.itf.json";
    let answer = ioa(&s, run);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let log = ioa(&s, "export shiviz run.itf.json").out;
    let clock = |hosts: &[&str]| -> Clock { hosts.iter().map(|h| ((*h).into(), 1)).collect() };
    let expected = [
        ("A", clock(&["A"])),
        ("C", clock(&["A", "C"])),
        ("B", clock(&["B"])),
        ("D", clock(&["B", "D"])),
        ("W[left]", clock(&["B", "W[left]"])),
    ];
    let expected = expected.map(|(host, clock)| (host.to_owned(), clock));
    assert_eq!(events(&log), expected, "{log}");
    let diagram = ioa(&s, "export mermaid run.itf.json").out;
    let arrows: Vec<&str> = diagram
        .lines()
        .filter(|line| line.contains("->>"))
        .collect();
    let expected = [
        "  h0->>h1: say(left)",
        "  h2->>h3: say(right)",
        "  h2->>h4: say(right)",
    ];
    assert_eq!(arrows, expected, "{diagram}");
}

#[test]
fn files_of_others_are_left_alone() {
    let s = ring();
    for (form, file) in [
        ("shiviz", "run.log"),
        ("mermaid", "run.mmd"),
        ("itf", "strict.itf.json"),
    ] {
        let export = format!("export {form} run.itf.json --out {file}");
        let wrote = ioa(&s, &export);
        assert_eq!(
            (wrote.code, &*wrote.out),
            (Some(0), &*format!("wrote {file}\n"))
        );
        let first = fs::read(s.path(file)).expect("a file");
        assert_eq!(ioa(&s, &export).code, Some(0), "our own file is replaced");
        assert_eq!(fs::read(s.path(file)).expect("a file"), first);
        s.write(file, "dear diary");
        refused(&ioa(&s, &export), "is there already");
        assert_eq!(fs::read(s.path(file)).expect("a file"), b"dear diary");
        refused(&ioa(&s, &format!("{export}/within")), "cannot write");
        refused(
            &ioa(&s, &format!("export {form} run.itf.json --json")),
            "--out",
        );
    }
    let answer = ioa(&s, "export shiviz run.itf.json --out run.txt --json");
    assert_eq!(answer.json()["command"], "export shiviz");
}

#[test]
fn what_is_no_trace_is_refused() {
    let s = ring();
    let text = fs::read_to_string(s.path("run.itf.json")).expect("a trace");
    for part in 0..20 {
        s.write("cut.itf.json", &text[..text.len() * part / 20]);
        for form in ["shiviz", "mermaid", "itf"] {
            refused(
                &ioa(&s, &format!("export {form} cut.itf.json")),
                "the file ends too early",
            );
        }
    }
    let other = r##"{ "#meta": { "format": "ITF" }, "vars": ["x"], "states": [{ "x": 1 }] }"##;
    s.write("other.itf.json", other);
    s.write("notes.txt", "dear diary");
    for form in ["shiviz", "mermaid", "itf"] {
        let export = |file: &str| ioa(&s, &format!("export {form} {file}"));
        refused(&export("other.itf.json"), "not a trace that ioa wrote");
        refused(&export("notes.txt"), "this is no trace");
        refused(&export("none.itf.json"), "no such file");
        refused(&export("."), "is a folder");
    }
    refused(
        &ioa(&s, "export shiviz run.itf.json --host Q"),
        "there is C, P",
    );
    assert_eq!(
        ioa(&s, "run . --schedule Normal --trace flat.itf.json").code,
        Some(0)
    );
    refused(
        &ioa(&s, "export shiviz flat.itf.json"),
        "with --host; there is Ballot, Node",
    );
    refused(
        &ioa(&s, "export shiviz flat.itf.json --host Q"),
        "no sort is named Q",
    );
}

/// Whether there is nothing in a value but what ADR 015 has.
fn is_strict(json: &serde_json::Value) -> bool {
    const FORMS: [&str; 5] = ["#bigint", "#tup", "#set", "#map", "#unserializable"];
    match json {
        serde_json::Value::Null | serde_json::Value::Number(_) => false,
        serde_json::Value::Bool(_) | serde_json::Value::String(_) => true,
        serde_json::Value::Array(items) => items.iter().all(is_strict),
        serde_json::Value::Object(fields) => fields.iter().all(|(name, value)| {
            let is_form = !name.starts_with('#') || FORMS.contains(&&**name) && fields.len() == 1;
            is_form && is_strict(value)
        }),
    }
}

/// A fraction has no form in ITF.
const HALVES: &str = "\
automaton Halves
  signature internal halve
  states rest: Real := 1, steps: Nat := 0
  transitions
    internal halve
      eff rest := rest / 2; steps := steps + 1
invariant Some of Halves: steps < 5
";

#[test]
fn a_strict_trace_is_read_back_and_repeats() {
    let s = Sandbox::new();
    let (mut repeated, mut changed) = (0, 0);
    let generated = (0..12).map(|seed| generate::automaton(seed, seed % 4 == 0));
    for (seed, text) in generated.chain([HALVES.to_owned()]).enumerate() {
        s.write("random.ioa", &text);
        let sizes = match text == HALVES {
            true => "",
            false => "--sort Node=2 --sort Ballot=2",
        };
        fs::remove_file(s.path("run.itf.json")).unwrap_or_default();
        ioa(
            &s,
            &format!("run random.ioa --random --steps 12 --trace run.itf.json {sizes}"),
        );
        if !s.path("run.itf.json").exists() {
            continue;
        }
        let strict = ioa(&s, "export itf run.itf.json");
        assert_eq!(strict.code, Some(0), "seed {seed} {strict:?}");
        let document = strict.json();
        let names = document["vars"].as_array().expect("names");
        let names: Vec<&str> = names.iter().filter_map(|n| n.as_str()).collect();
        let states = document["states"].as_array().expect("states");
        let all = states
            .iter()
            .all(|s| names.iter().all(|n| is_strict(&s[n])));
        assert!(all, "seed {seed}: {}", strict.out);
        s.write("strict.itf.json", &strict.out);
        assert_eq!(ioa(&s, "export itf strict.itf.json").out, strict.out);
        let text = fs::read_to_string(s.path("run.itf.json")).expect("a trace");
        changed += usize::from(text != strict.out);
        let replay = |file: &str| {
            ioa(
                &s,
                &format!("run random.ioa --replay {file} {sizes} --json"),
            )
        };
        let (first, second) = (
            replay("run.itf.json").json(),
            replay("strict.itf.json").json(),
        );
        assert_eq!(first["exit"], second["exit"], "seed {seed} {second}");
        for what in ["verdict", "stories"] {
            let of = |document: &serde_json::Value| document["results"][1][what].clone();
            assert_eq!(of(&first), of(&second), "seed {seed}");
        }
        repeated += 1;
    }
    assert!(repeated > 6 && changed > 0, "{repeated} {changed}");
}

#[test]
fn an_event_graph_has_each_event_once_and_arrows_between_hosts() {
    let s = ring();
    let log = ioa(&s, "export shiviz run.itf.json");
    let picture = ioa(&s, "export svg run.itf.json");
    assert_eq!(picture.code, Some(0), "{picture:?}");
    let events = events(&log.out).len();
    assert_eq!(picture.out.matches("<circle").count(), events);
    let arrows = picture.out.matches("class=\"arrow\"").count();
    let mermaid = ioa(&s, "export mermaid run.itf.json").out;
    let messages = mermaid
        .lines()
        .filter(|line| line.contains("->>") && !line.contains("env"));
    assert_eq!(arrows, messages.count(), "one relation for both");
    assert!(arrows > 3 && picture.out.ends_with("</svg>\n"));
    assert_eq!(picture.out, ioa(&s, "export svg run.itf.json").out);
    refused(&ioa(&s, "export svg run.itf.json --host Nobody"), "Nobody");
}

#[test]
fn a_page_of_steps_has_every_state_and_nothing_of_it_is_markup() {
    let s = Sandbox::new();
    let model = "automaton Sign\n  signature\n    internal turn(n: Nat)\n  states\n    text: String := \"<b>&</script>\",\n    side: Nat := 0\n  transitions\n    internal turn(n)\n      pre n = side + 1 /\\ n < 4\n      eff side := n\n";
    s.write("sign.ioa", model);
    let run = ioa(&s, "run sign.ioa --random --steps 3 --trace run.itf.json");
    assert_eq!(run.code, Some(0), "{run:?}");
    let page = ioa(&s, "export html run.itf.json --out run.html");
    assert_eq!(page.code, Some(0), "{page:?}");
    let text = fs::read_to_string(s.path("run.html")).expect("the page");
    assert_eq!(text.matches("<section data-at=").count(), 4);
    assert_eq!(text.matches("<tr class=\"new\"><td>side</td>").count(), 3);
    assert!(text.contains("&lt;b&gt;&amp;&lt;/script&gt;") && !text.contains("<b>"));
    assert_eq!(text.matches("</script>").count(), 1);
    for outside in ["http://", "https://", "src=", "@import"] {
        let found = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!found.contains(outside), "{outside}");
    }
    let again = ioa(&s, "export html run.itf.json --out run.html");
    assert_eq!(again.code, Some(0), "what the tool made may be made again");
    refused(
        &ioa(&s, "export svg run.itf.json --out sign.ioa"),
        "sign.ioa",
    );
    s.write("cut.json", "{\"#meta\": {");
    refused(&ioa(&s, "export html cut.json"), "the file ends too early");
}

/// Letters of every kind that a label has to tell, to addressees who are chosen.
const LETTERS: &str = "\
type Node
type Letter = tuple of from: Node, urgent: Bool
automaton Post
  signature internal post(l: Letter, t: String, m: Mset[Nat]), sort
  states last: Null[Node] := nil, sent: Bool := false
  transitions
    internal post(l, t, m)
      where t = \"to \\\"all\\\"\" /\\ m = {3, 3}
      pre ~sent
      eff sent := true
    internal sort
      choose n: Node
      pre sent /\\ last = nil
      eff last := embed(n)
";

#[test]
fn labels_are_what_fire_takes_with_what_was_chosen() {
    let s = Sandbox::new();
    s.write("post.ioa", LETTERS);
    let label = "post([Node#0, true], \"to \\\"all\\\"\", {3, 3})";
    s.write(
        "session.txt",
        format!("fire {label}\nfire sort\ngraph\nsave run.itf.json\n"),
    );
    let answer = ioa(&s, "debug post.ioa --sort Node=1 --script session.txt");
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let graph = answer.out.split("> graph").nth(1).expect("a graph");
    assert!(graph.contains(label), "{graph}");
    assert!(graph.contains(" sort with n = Node#0"), "{graph}");
    let log = ioa(&s, "export shiviz run.itf.json --host Node");
    assert!(log.out.contains(label), "{log:?}");
    assert!(log.out.contains("sort with n = Node#0"), "{log:?}");
}

/// TLC is to count the states that `ioa explore` counts where nobody names sizes.
#[test]
fn a_module_has_the_sizes_at_which_the_study_explores_its_automaton() {
    let s = Sandbox::new();
    let text = "type Cup\nautomaton Shelf signature internal take(c: Cup)\nstates taken: Set[Cup] := {}\n\
                transitions internal take(c) pre c \\notin taken eff taken := insert(c, taken)\n";
    s.write("shelf.ioa", text);
    let section =
        "[[explore]]\nautomaton = \"Shelf\"\nallow_deadlock = true\nsizes = { Cup = 5 }\n";
    let cups = |sections: &str, flags: &str| {
        let head = "[study]\nname = \"shelf\"\nsources = [\"shelf.ioa\"]\n[sizes]\nCup = 2\n";
        s.write("ioa.toml", format!("{head}{sections}"));
        let _ = fs::remove_dir_all(s.path("out"));
        let answer = ioa(&s, &format!("export tla . {flags} --out out"));
        assert_eq!(answer.code, Some(0), "{answer:?}");
        let config = fs::read_to_string(s.path("out/Shelf.cfg")).expect("a configuration");
        config.matches("Cup_").count()
    };
    assert_eq!(cups("", "--automaton Shelf"), 2);
    assert_eq!(cups(section, "--automaton Shelf"), 5);
    assert_eq!(cups(section, "--automaton Shelf --sort Cup=3"), 3);
    // Where the study says it twice, or no automaton is named, the sizes are those of the study.
    assert_eq!(cups(&section.repeat(2), "--automaton Shelf"), 2);
    assert_eq!(cups(section, ""), 2);
}
