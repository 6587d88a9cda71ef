//! The command line as its users meet it: exit statuses, refusals, replay commands, documents.

use std::fs;
use std::path::PathBuf;

use crate::sandbox::{Answer, Sandbox, answered_but, refused};
use serde_json::Value as Json;

#[test]
fn broken_input_of_any_kind_is_refused_with_a_diagnostic() {
    let s = Sandbox::new();
    refused(&s.ioa(&["check", "missing.ioa"]), "no such file");
    s.write("empty.ioa", "");
    refused(&s.ioa(&["check", "empty.ioa"]), "declares nothing");
    s.write("junk.ioa", [0, 159, 146, 150, 255]);
    refused(&s.ioa(&["check", "junk.ioa"]), "not UTF-8");
    s.write("nul.ioa", "automaton A\0\0 signature");
    refused(&s.ioa(&["check", "nul.ioa"]), "error");
    s.write(
        "deep.ioa",
        format!("invariant I of A: {}", "(".repeat(10_000)),
    );
    refused(&s.ioa(&["check", "deep.ioa"]), "nested deeper");
    s.write(
        "bad.ioa",
        "type Node\nautomaton A\n  states x: Nod := 1\n  transitions\n",
    );
    refused(&s.ioa(&["check", "bad.ioa"]), "did you mean `Node`?");
    fs::create_dir(s.path("bare")).expect("a folder");
    refused(&s.ioa(&["verify", "bare"]), "has no ioa.toml");
    refused(&s.ioa(&["verify", "cons.ioa"]), "asks for nothing");
}

#[test]
fn sizes_that_make_no_instance_are_refused() {
    let s = Sandbox::new();
    let run = |sort: &str| s.ioa(&["run", ".", "--sort", sort]);
    refused(&run("Nodes=3"), "did you mean Node?");
    refused(&run("Node=0"), "never empty");
    refused(&run("Node=99999999999"), "too large");
    refused(&run("Ballot=5000"), "too large");
    refused(&run("Quorum=3"), "follows from that of Node");
    refused(&run("Node"), "expected NAME=SIZE");
    refused(&run("Node=-1"), "expected a number");
    refused(
        &s.ioa(&[
            "run",
            "global1.ioa",
            "cons.ioa",
            "--automaton",
            "Global1",
            "--random",
        ]),
        "has no size",
    );
}

#[test]
fn a_broken_manifest_and_unknown_names_are_refused() {
    let s = Sandbox::new();
    refused(
        &s.ioa(&["run", ".", "--schedule", "Norml"]),
        "did you mean Normal?",
    );
    refused(
        &s.ioa(&["run", ".", "--automaton", "Global2", "--random"]),
        "did you mean Global1?",
    );
    refused(
        &s.ioa(&["prove", ".", "--only", "Inv9"]),
        "no invariant, liveness property, simulation or automaton is named Inv9; did you mean Inv",
    );
    s.replace("ioa.toml", "\"cons.ioa\"", "\"../cons.ioa\"");
    refused(&s.ioa(&["check", "."]), "not inside the study's folder");
    s.write("ioa.toml", "[study]\nname = 3\n");
    refused(&s.ioa(&["verify", "."]), "ioa.toml");
}

#[test]
fn refusals_are_documents_too() {
    let s = Sandbox::new();
    s.write("bad.ioa", "invariant I of A: x\n");
    let answer = s.ioa(&["check", "bad.ioa", "--json"]);
    let document = answer.json();
    assert_eq!((answer.code, &document["exit"]), (Some(2), &Json::from(2)));
    assert_eq!(document["diagnostics"][0]["severity"], "error");
    assert_eq!(document["diagnostics"][0]["line"], 1);
}

#[test]
fn the_whole_job_succeeds_and_writes_its_report() {
    let s = Sandbox::new();
    let answer = s.ioa(&["verify", ".", "--report", "out"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let page = fs::read_to_string(s.path("out/report.html")).expect("a page");
    assert!(
        page.contains("Inv3") && !page.contains("http"),
        "the page needs no network"
    );
    let data = fs::read_to_string(s.path("out/report.json")).expect("a document");
    let document: Json = serde_json::from_str(&data).expect("JSON");
    let results = document["results"].as_array().expect("results");
    let verdict = |kind: &str, name: &str, verdict: &str| {
        results
            .iter()
            .any(|r| r["kind"] == kind && r["name"] == name && r["verdict"] == verdict)
    };
    for name in ["Inv1", "Inv2", "Inv3", "Inv4", "Inv5"] {
        assert!(
            verdict("invariant", name, "proved") && verdict("invariant", name, "tested"),
            "{name}"
        );
    }
    assert!(verdict("simulation", "Global1 to Cons", "proved"));
    assert!(verdict("pair", "Global1 to Cons", "tested"));
    assert!(results.iter().any(|r| r["scope"] == "unbounded"));
    assert!(results.iter().any(|r| r["scope"]["Node"] == 3));
}

#[test]
fn a_violated_invariant_is_shown_and_replayed() {
    let s = Sandbox::new();
    s.replace("global1.ioa", " /\\ B \\I voted[i] = {}", "");
    let first = s.ioa(&["run", "."]);
    assert_eq!(first.code, Some(1), "{first:?}");
    assert!(
        first.out.contains("invariant Inv5 of Global1 is violated"),
        "{}",
        first.out
    );
    let replay = first.replay();
    let again = s.ioa(&replay.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.code, Some(1));
    let story = |answer: &Answer| {
        let start = answer.out.find("invariant Inv5 of").expect("the story");
        answer.out[start..]
            .split("  see it again")
            .next()
            .expect("its text")
            .to_owned()
    };
    assert_eq!(story(&first), story(&again));
}

#[test]
fn the_naive_proof_block_is_refused_by_both_stages() {
    let s = Sandbox::new();
    s.replace(
        "refinement.ioa",
        "if Cons.chosen = {} /\\ Global1.val[b] ~= nil then",
        "if Global1.val[b] ~= nil then",
    );
    let pair = s.ioa(&["pair", ".", "--schedule", "Contention", "--runs", "100"]);
    assert_eq!(pair.code, Some(1), "{pair:?}");
    assert!(
        pair.out.contains("chooseVal") && pair.out.contains("false: chosen = {}"),
        "{}",
        pair.out
    );
    let replay = pair.replay();
    let again = s.ioa(&replay.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.code, Some(1), "{again:?}");
    let proof = s.ioa(&["prove", "."]);
    assert_eq!(proof.code, Some(1), "{proof:?}");
    assert!(
        proof.out.contains("ioa explore . ") && proof.out.contains("false: chosen = {}"),
        "{}",
        proof.out
    );
    let again = proof.replay();
    let again = s.ioa(&again.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.code, Some(1), "{again:?}");
}

#[test]
fn a_trace_is_written_replayed_and_refused_by_another_model() {
    let s = Sandbox::new();
    let args = [
        "run",
        ".",
        "--schedule",
        "Contention",
        "--seed",
        "5",
        "--trace",
        "t.itf.json",
    ];
    assert_eq!(s.ioa(&args).code, Some(0));
    let first = fs::read_to_string(s.path("t.itf.json")).expect("a trace");
    assert_eq!(s.ioa(&args).code, Some(0), "a trace replaces a trace");
    assert_eq!(
        first,
        fs::read_to_string(s.path("t.itf.json")).expect("a trace"),
        "same seed, same bytes"
    );
    assert_eq!(s.ioa(&["run", ".", "--replay", "t.itf.json"]).code, Some(0));
    assert_eq!(
        s.ioa(&["pair", ".", "--replay", "t.itf.json"]).code,
        Some(0)
    );
    refused(
        &s.ioa(&["run", ".", "--replay", "t.itf.json", "--sort", "Node=4"]),
        "other sizes",
    );
    s.write("cut.json", &first[..first.len() / 2]);
    refused(
        &s.ioa(&["run", ".", "--replay", "cut.json"]),
        "the trace is incomplete: the file ends too early",
    );
    s.replace("global1.ioa", "pre b \\notin ballots", "pre true");
    refused(
        &s.ioa(&["run", ".", "--replay", "t.itf.json"]),
        "another model",
    );
}

#[test]
fn runs_are_shown_as_they_go_and_from_their_traces() {
    let s = Sandbox::new();
    let run = ["run", ".", "--schedule", "Contention", "--seed", "5"];
    let trace = ["--show", "--trace", "t.itf.json"];
    let shown = s.ioa(&[&run[..], &trace].concat());
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let told = |answer: &Answer| -> Vec<String> {
        let lines = answer.out.lines().skip(1);
        let told = lines.take_while(|line| !line.starts_with('┌'));
        told.map(str::to_owned).collect()
    };
    let steps = told(&shown);
    assert!(
        steps[0].contains("0: a start state of Global1"),
        "{steps:?}"
    );
    assert!(steps.iter().any(|l| l.starts_with("  1: ")), "{steps:?}");
    // What goes into a set is shown by itself.
    assert!(steps.iter().any(|l| l.contains(" + Ballot#")), "{steps:?}");
    // The trace says where its model is, and at which sizes and in which meaning of the theories it was run.
    for again in [&["show", "t.itf.json"][..], &["show", "t.itf.json", "."]] {
        let again = s.ioa(again);
        assert_eq!(again.code, Some(0), "{again:?}");
        assert_eq!(told(&again), steps);
    }
    let document = fs::read_to_string(s.path("t.itf.json")).expect("a trace");
    let named = document.replacen("\".\"", "\"elsewhere\"", 1);
    s.write("moved.itf.json", &named);
    refused(
        &s.ioa(&["show", "moved.itf.json"]),
        "elsewhere, which is not there",
    );
    refused(&s.ioa(&["show", "global1.ioa"]), "not JSON");
    s.replace("global1.ioa", "pre b \\notin ballots", "pre true");
    refused(&s.ioa(&["show", "t.itf.json"]), "another model");
}

#[test]
fn a_thought_is_tried_without_writing_it_into_the_study() {
    let s = Sandbox::new();
    let prove =
        |formula: &str| s.ioa(&["prove", ".", "--automaton", "Global1", "--check", formula]);
    // What the stated invariants imply, or what is inductive with their help, is proved, and nothing else is told.
    let holds = prove("\\A i: Node \\A b: Ballot (b \\in voted[i] => i \\in initiated)");
    assert_eq!(holds.code, Some(0), "{holds:?}");
    assert!(
        holds.out.contains("proved") && !holds.out.contains("Inv1"),
        "{holds:?}"
    );
    let fails = prove("ballots = {}");
    assert_eq!(fails.code, Some(1), "{fails:?}");
    let again = "see it again: ioa prove . --automaton Global1 --check 'ballots = {}'\n";
    assert!(fails.out.contains(again), "{fails:?}");
    refused(&prove("ballots ="), "--check");
    refused(&prove("  % nothing"), "wants a formula");
    // What is proved is proved for every size: no element has a name there.
    refused(&prove("Node#0 \\notin failed"), "Node#0");
}

#[test]
fn a_question_about_one_instance_may_name_its_elements() {
    let s = Sandbox::new();
    let explore = |more: &[&str]| {
        let sizes = [
            "--sort", "Node=2", "--sort", "Value=1", "--sort", "Ballot=1",
        ];
        let about = ["explore", ".", "--automaton", "Global1"];
        s.ioa(&[&about[..], &sizes, more].concat())
    };
    let found = explore(&["--find", "Node#1 \\in failed /\\ Node#0 \\notin failed"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    assert!(found.out.contains("1 step from a start state"), "{found:?}");
    // Symmetry takes no element for another one that is asked about by its name.
    let reduced = explore(&[
        "--symmetry",
        "--check",
        "Node#1 \\in failed => Node#0 \\in failed",
    ]);
    assert_eq!(reduced.code, Some(1), "{reduced:?}");
    refused(
        &explore(&["--find", "Node#7 \\in failed"]),
        "Node#7 does not exist",
    );
}

/// A counter that goes wrong after twelve steps, and a specification that it does not implement from the twelfth step on.
const LONG: &str = "automaton Low
  signature output tick
  states n: Int := 0
  transitions output tick eff n := n + 1
automaton High
  signature output tick
  states n: Int := 0
  transitions output tick eff n := n + 1
invariant Small of Low: n < 12
forward simulation from Low to High: Low.n < 12 /\\ Low.n = High.n
proof
  for output tick do fire output tick od
";

#[test]
fn long_executions_are_cut_on_the_terminal_alone() {
    let s = Sandbox::new();
    s.write("long.ioa", LONG);
    for command in [
        &[
            "run",
            "long.ioa",
            "--automaton",
            "Low",
            "--random",
            "--steps",
            "20",
        ][..],
        &["explore", "long.ioa", "--automaton", "Low"],
        &["pair", "long.ioa", "--random", "--steps", "20"],
    ] {
        let short = s.ioa(command);
        assert_eq!(short.code, Some(1), "{short:?}");
        assert!(
            short.out.contains("earlier steps, shown by --full"),
            "{short:?}"
        );
        assert!(!short.out.contains("  1: "), "{short:?}");
        let full = s.ioa(&[command, &["--full"]].concat());
        for step in 0..=12 {
            let line = full
                .out
                .lines()
                .any(|l| l.starts_with(&format!("  {step}: ")));
            assert!(line, "no step {step} in {full:?}");
        }
        assert!(!full.out.contains("earlier steps"), "{full:?}");
        let document = s.ioa(&[command, &["--json"]].concat()).json();
        let results = document["results"].as_array().expect("results");
        let stories = results.iter().filter_map(|r| r["stories"].as_array());
        let frames = stories
            .flatten()
            .map(|s| s["frames"].as_array().expect("frames").len());
        assert!(frames.max() >= Some(13), "{document}");
    }
}

#[test]
fn a_users_file_is_never_overwritten() {
    let s = Sandbox::new();
    let before = fs::read_to_string(s.path("cons.ioa")).expect("a model");
    // What the run came to is told all the same.
    let answer = s.ioa(&["run", ".", "--schedule", "Normal", "--trace", "cons.ioa"]);
    answered_but(&answer, "1 finished", "is there already");
    refused(
        &s.ioa(&["infer", ".", "--output", "cons.ioa"]),
        "is there already",
    );
    assert_eq!(
        before,
        fs::read_to_string(s.path("cons.ioa")).expect("a model")
    );
}

#[test]
fn candidates_are_few_legal_and_include_what_the_proof_needs() {
    let s = Sandbox::new();
    let answer = s.ioa(&["infer", ".", "--output", "candidates.ioa", "--json"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let document = answer.json();
    let items = document["results"][0]["items"]
        .as_array()
        .expect("candidates");
    assert!((1..=60).contains(&items.len()), "{}", items.len());
    let has = |formula: &str| items.iter().any(|i| i["text"] == formula);
    assert!(
        has("\\A b: Ballot (val[b] ~= nil => val[b].val \\in proposed)"),
        "Inv1 in {items:#?}"
    );
    assert!(
        has("\\A n: Node (voted[n] \\I abstained[n] = {})"),
        "Inv5 in {items:#?}"
    );
    let check = s.ioa(&["check", "cons.ioa", "global1.ioa", "candidates.ioa"]);
    assert_eq!(check.code, Some(0), "{check:?}");
}

#[test]
fn equal_invocations_give_equal_documents_but_for_the_times() {
    let s = Sandbox::new();
    let document = |threads: &str| {
        let mut json = s
            .ioa(&["verify", ".", "--json", "--threads", threads])
            .json();
        forget_costs(&mut json);
        json
    };
    let first = document("2");
    assert_eq!(first, document("2"));
    assert_eq!(first, document("1"));
}

/// Removes times, and the solver's count of its own work, which depends on where its memory lies.
fn forget_costs(json: &mut Json) {
    match json {
        Json::Object(fields) => {
            fields.remove("seconds");
            fields.remove("resources");
            fields.values_mut().for_each(forget_costs);
        }
        Json::Array(items) => items.iter_mut().for_each(forget_costs),
        _ => {}
    }
}

#[test]
fn obligations_are_written_as_scripts() {
    let s = Sandbox::new();
    let answer = s.ioa(&["prove", ".", "--smt-dir", "smt"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let scripts: Vec<PathBuf> = fs::read_dir(s.path("smt"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert!(scripts.len() > 50, "{}", scripts.len());
    for script in scripts {
        let text = fs::read_to_string(&script).expect("a script");
        assert!(
            text.starts_with("; Obligation ") && text.contains("(check-sat)"),
            "{text}"
        );
    }
}

#[test]
fn what_never_ends_is_stopped_by_a_limit_that_is_named() {
    let s = Sandbox::new();
    s.write(
        "loop.ioa",
        "automaton Low\n  signature internal tick\n  states a: Int := 0\n  transitions internal tick\n\
         automaton High\n  signature internal noise\n  states z: Int := 0\n  transitions internal noise\n\
         forward simulation from Low to High: true\n  proof\n    states i: Int := 0\n    \
         for internal tick do while true do fire internal noise od od\n\
         schedule Forever of Low\n  states i: Int := 0\n  do while true do i := i + 1 od od\n",
    );
    let pair = s.ioa(&["pair", "loop.ioa", "--random", "--steps", "5"]);
    assert_eq!(pair.code, Some(3), "{pair:?}");
    assert!(
        pair.out.contains("high steps answer one low step"),
        "{}",
        pair.out
    );
    let run = s.ioa(&["run", "loop.ioa", "--schedule", "Forever"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.out.contains("a loop without end"), "{}", run.out);
}

#[test]
fn types_that_double_are_refused() {
    let s = Sandbox::new();
    let mut text = "type T0 = tuple of a, b: Bool\n".to_owned();
    for k in 1..60 {
        text.push_str(&format!("type T{k} = tuple of a, b: T{}\n", k - 1));
    }
    s.write("double.ioa", text);
    refused(&s.ioa(&["check", "double.ioa"]), "too large");
}

#[test]
fn formatting_changes_only_what_differs_and_nothing_that_cannot_be_parsed() {
    let sandbox = Sandbox::new();
    let tidy = "type Node\n\nautomaton A\n  signature\n    internal a\n  states\n    x: Int := 0\n  transitions\n    internal a\n      pre x = 0  % why\n";
    let messy = tidy.replace("  ", " ").replace("x = 0", "x=0");
    sandbox.write("tidy.ioa", tidy);
    sandbox.write("messy.ioa", &messy);
    let check = sandbox.ioa(&["fmt", "--check", "tidy.ioa", "messy.ioa"]);
    assert_eq!(check.code, Some(1), "{check:?}");
    assert!(
        check.out.contains("-   pre x=0 % why") || check.out.contains("- pre x=0 % why"),
        "{}",
        check.out
    );
    assert!(
        check.out.contains("+      pre x = 0  % why"),
        "{}",
        check.out
    );
    assert!(
        check.out.contains("would change: messy.ioa") && !check.out.contains("change: tidy.ioa")
    );
    assert_eq!(
        fs::read_to_string(sandbox.path("messy.ioa")).unwrap(),
        messy
    );
    let json = sandbox.ioa(&["fmt", "--check", "--json", "messy.ioa"]);
    assert_eq!(
        (json.code, &json.json()["diagnostics"][0]["file"]),
        (Some(1), &Json::from("messy.ioa"))
    );

    sandbox.write("broken.ioa", format!("{messy}    internal (\n"));
    let broken = fs::read_to_string(sandbox.path("broken.ioa")).unwrap();
    let written = sandbox.ioa(&["fmt", "broken.ioa", "messy.ioa"]);
    assert_eq!(written.code, Some(2), "{written:?}");
    assert!(written.err.contains("broken.ioa:11"), "{}", written.err);
    assert_eq!(
        fs::read_to_string(sandbox.path("broken.ioa")).unwrap(),
        broken
    );
    assert_eq!(fs::read_to_string(sandbox.path("messy.ioa")).unwrap(), tidy);

    let stamp = |name: &str| {
        fs::metadata(sandbox.path(name))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = stamp("tidy.ioa");
    assert_eq!(sandbox.ioa(&["fmt", "tidy.ioa"]).code, Some(0));
    assert_eq!(stamp("tidy.ioa"), before);
    assert_eq!(sandbox.ioa(&["fmt", "nowhere.ioa"]).code, Some(2));
}

#[test]
fn a_study_is_formatted_whole_and_means_the_same() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.ioa(&["fmt", "."]).code, Some(0));
    assert_eq!(sandbox.ioa(&["fmt", "--check", "."]).code, Some(0));
    assert_eq!(sandbox.ioa(&["check", "."]).code, Some(0));
}

#[test]
fn modules_are_written_once_and_nothing_else_is_replaced() {
    let sandbox = Sandbox::new();
    let export = ["export", "tla", ".", "--out", "modules"];
    for _ in 0..2 {
        let answer = sandbox.ioa(&export);
        assert_eq!(answer.code, Some(0), "{answer:?}");
    }
    for name in ["Cons", "Global1", "Global1RefinesCons"] {
        assert!(sandbox.path(&format!("modules/{name}.tla")).is_file());
        assert!(sandbox.path(&format!("modules/{name}.cfg")).is_file());
    }
    sandbox.write("modules/Cons.tla", "---- MODULE Cons ----\n====\n");
    assert_eq!(sandbox.ioa(&export).code, Some(2));
}

const CLASH: &str = "type Node
vocabulary Ends
  operators first, last: -> Node
end
imports Ends
automaton Speaker(i: Node)
  signature output say(const i)
  states said: Nat := 0
  transitions
    output say(i)
      eff said := 1
automaton Both
  components
    A: Speaker(first);
    B: Speaker(last)
invariant Said of Both: A.said <= 1
";

/// Where it depends on the theories whether components fit together, an exploration and a proof show that they do not.
#[test]
fn components_that_do_not_fit_are_shown_by_every_stage() {
    let s = Sandbox::new();
    s.write("clash.ioa", CLASH);
    assert_eq!(s.ioa(&["check", "clash.ioa"]).code, Some(0));
    let proved = s.ioa(&["prove", "clash.ioa"]);
    assert_eq!(proved.code, Some(3), "{}", proved.out);
    assert!(
        proved
            .out
            .contains("is not established: `say` is an output of both `A` and `B`"),
        "{}",
        proved.out
    );
    assert!(
        proved.out.contains(
            "false: what B: Speaker(last) requires of other components and of the theories"
        )
    );
    assert!(proved.out.contains("at clash.ioa:15:5"), "{}", proved.out);
    let explored = s.ioa(&[
        "explore",
        "clash.ioa",
        "--automaton",
        "Both",
        "--sort",
        "Node=1",
    ]);
    refused(&explored, "`say` is an output of both `A` and `B`");
    refused(
        &explored,
        "15 |     B: Speaker(last)\n   |     ^^^^^^^^^^^^^^^^",
    );
}

#[test]
fn a_study_says_which_runs_candidates_come_from() {
    let s = Sandbox::new();
    let asked = "[infer]\nautomaton = \"Global1\"";
    let random = format!("{asked}\nrandom = true\nruns = 2\nsteps = 5");
    s.replace("ioa.toml", asked, &random);
    let samples = |more: &[&str]| {
        let document = s
            .ioa(&[&["infer", ".", "--json", "--look-at", "decided"], more].concat())
            .json();
        document["results"][0]["figures"]["samples"].as_u64()
    };
    assert_eq!(samples(&[]), Some(12), "two runs of six states");
    assert_eq!(samples(&["--runs", "3"]), Some(18), "the command line wins");
    let both = random.replace("runs = 2", "schedule = \"Normal\"");
    s.replace("ioa.toml", &random, &both);
    let answer = s.ioa(&["infer", "."]);
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.err.contains("[infer] has either"), "{answer:?}");
}

#[test]
fn sizes_may_be_given_in_one_flag() {
    let s = Sandbox::new();
    let one = s.ioa(&[
        "explore",
        "cons.ioa",
        "--sort",
        "Node=1,Value=2",
        "--json",
        "--allow-deadlock",
    ]);
    assert_eq!(one.code, Some(0), "{one:?}");
    let many = [
        "explore",
        "cons.ioa",
        "--sort",
        "Node=1",
        "--sort",
        "Value=2",
        "--json",
        "--allow-deadlock",
    ];
    let many = s.ioa(&many);
    assert_eq!(
        one.json()["distinct_states"],
        many.json()["distinct_states"]
    );
    assert_eq!(one.json()["format"], 1);
    let wrong = s.ioa(&["explore", "cons.ioa", "--sort", "Node=1,Value"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn the_version_says_which_solver_answers() {
    let version = Sandbox::new().ioa(&["--version"]);
    assert_eq!(version.code, Some(0), "{version:?}");
    assert!(version.out.starts_with("ioa "), "{version:?}");
    assert!(version.out.contains("\nwith Z3 "), "{version:?}");
}
