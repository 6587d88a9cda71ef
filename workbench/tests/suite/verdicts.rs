//! Answers that must not say more than is known: of what has no value, of states that are reached, of several interpretations.

use crate::sandbox::{Answer, Sandbox};

const UNDEFINED: &str = "\
automaton Reader
  signature internal go
  states queue: Seq[Nat] := {} |- 0, n: Nat := 0
  transitions internal go eff n := n + 1
invariant Head of Reader: head(queue) = head(queue)
invariant Grows of Reader: n >= 0
";

#[test]
fn what_may_have_no_value_is_not_said_to_hold() {
    let s = Sandbox::new();
    s.write("reader/reader.ioa", UNDEFINED);
    s.write(
        "reader/ioa.toml",
        "[study]\nname = \"reader\"\nsources = [\"reader.ioa\"]\n[prove]\n",
    );
    let answer = s.ioa(&["verify", "reader"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(!answer.out.contains("for every size."), "{}", answer.out);
    let found = s.ioa(&["prove", "reader", "--json"]).json();
    let verdict = |name: &str| {
        let mut results = found["results"].as_array().expect("results").iter();
        let result = results.find(|result| result["name"] == name);
        result.expect("a result")["verdict"].clone()
    };
    assert_eq!(verdict("Head"), "conditional", "{found}");
    // What has a value everywhere is proved whatever becomes of the others.
    assert_eq!(verdict("Grows"), "proved", "{found}");
    // That one has none in a state that is reached is a violation.
    s.replace("reader/reader.ioa", ":= {} |- 0", ":= {}");
    let answer = s.ioa(&["prove", "reader"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    has(&answer, "an execution reaches the first state");
}

/// A counter that goes as far as a parameter says, which has infinitely many values.
const COUNTER: &str = "\
automaton Counter(most: Nat)
  signature internal step
  states k: Nat := 0, j: Nat := 0
  transitions internal step
    pre k < most
    eff k := k + 1; j := j + 1
";

#[test]
fn a_step_from_a_state_that_is_reached_violates_what_it_breaks() {
    let s = Sandbox::new();
    let invariant = "invariant Small of Counter: k < 51\n";
    s.write(
        "counter.ioa",
        format!("{COUNTER}{invariant}invariant Same of Counter: j = k\n"),
    );
    let answer = s.ioa(&["prove", "counter.ioa"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(
        answer.out.contains("an execution reaches the first state"),
        "{answer:?}"
    );
    // What would exclude that state is false, and is not proposed.
    assert!(
        !answer.out.contains("excludes the first state"),
        "{answer:?}"
    );
}

#[test]
fn what_is_proposed_is_true_where_the_counterexample_is() {
    let s = Sandbox::new();
    s.write(
        "counter.ioa",
        format!("{COUNTER}invariant Small of Counter: k < 51\n"),
    );
    let answer = s.ioa(&["prove", "counter.ioa"]);
    let lines = answer.out.lines().map(str::trim);
    let proposed: Vec<&str> = lines
        .filter(|line| line.starts_with("invariant Lemma"))
        .collect();
    assert!(!proposed.is_empty(), "{answer:?}");
    s.write("all.ioa", format!("{COUNTER}{}\n", proposed.join("\n")));
    // Interpretation 5 gives the parameter a value that the proposals were not made from.
    let explored = s.ioa(&[
        "explore",
        "all.ioa",
        "--interpretation",
        "5",
        "--allow-deadlock",
    ]);
    assert!(
        !explored.out.contains("violated"),
        "{proposed:?}: {explored:?}"
    );
}

#[test]
fn the_shortest_execution_of_one_interpretation_need_not_be_that_of_another() {
    let s = Sandbox::new();
    s.write(
        "steps.ioa",
        "type N\nautomaton Steps(k: N) assumes TotalOrder(N)\n  signature internal step\n  states n: Nat := 0\n  \
         transitions internal step eff n := n + 1\n\
         invariant Few of Steps: (\\E j: N (k < j) => n < 5) /\\ (~\\E j: N (k < j) => n < 2)\n",
    );
    let of = |number: &str| {
        let sizes = ["explore", "steps.ioa", "--sort", "N=2"];
        let one: &[&str] = if number.is_empty() {
            &[]
        } else {
            &["--interpretation", number]
        };
        s.ioa(&[&sizes[..], one].concat()).out
    };
    assert!(
        of("").contains("5 steps from a start state; none is shorter in this"),
        "{}",
        of("")
    );
    assert!(
        of("2").contains("2 steps from a start state"),
        "{}",
        of("2")
    );
}

#[test]
fn what_is_false_is_shown_though_there_are_states_without_end() {
    let s = Sandbox::new();
    s.write(
        "endless.ioa",
        "automaton Endless\n  signature internal step\n  states k: Nat := 0\n  transitions internal step eff k := k + 1\n\
         invariant Never of Endless: k < 1\n",
    );
    let answer = s.ioa(&["infer", "endless.ioa", "--why", "k < 3"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    // Another invariant that is false earlier does not hide it.
    assert!(
        answer.out.contains("3 steps from a start state"),
        "{answer:?}"
    );
}

/// Of what is not proved the verdict is looked for in the study's own instance, too: a counterexample to induction has one
/// worker, and an execution with one never breaks the invariant.
#[test]
fn what_only_a_larger_instance_violates_is_violated() {
    let s = Sandbox::new();
    s.write(
        "work/work.ioa",
        "type Worker\n\
         automaton Team\n  signature internal finish(w: Worker), wait\n  \
         states finished: Set[Worker] := {}, number: Nat := 0, waited: Nat := 0\n  transitions\n    \
         internal finish(w)\n      pre w \\notin finished\n      \
         eff finished := insert(w, finished); number := number + 1\n    \
         internal wait\n      pre waited < 20000\n      eff waited := waited + 1\n\
         invariant Few of Team: number < 4\n",
    );
    s.write(
        "work/ioa.toml",
        "[study]\nname = \"work\"\nsources = [\"work.ioa\"]\n[sizes]\nWorker = 4\n[prove]\n",
    );
    for command in ["prove", "verify"] {
        let answer = s.ioa(&[command, "work"]);
        assert_eq!(answer.code, Some(1), "{answer:?}");
        has(&answer, "invariant Few of Team is violated");
        has(&answer, "4: internal finish(Worker#");
    }
}

/// Where steps cannot be listed, the solver looks for a short execution.
#[test]
fn what_a_few_steps_with_any_number_violate_is_violated() {
    let s = Sandbox::new();
    s.write(
        "buffer.ioa",
        "automaton Buffer\n  signature input put(k: Int), internal move\n  \
         states waiting: Int := 0, most: Int := 0\n  transitions\n    \
         input put(k)\n      eff waiting := k\n    \
         internal move\n      pre most < waiting\n      eff most := waiting\n\
         invariant Small of Buffer: most < 1000000\n",
    );
    let answer = s.ioa(&["prove", "buffer.ioa"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    has(&answer, "violated after 2 steps");
    has(&answer, "--bmc");
}

/// A proof that rests on something false is told so, and shows no counterexample of its own.
#[test]
fn what_rests_on_a_violated_invariant_needs_it() {
    let s = Sandbox::new();
    s.write(
        "jump.ioa",
        "automaton Jump\n  signature internal step, jump\n  \
         states j: Nat := 0, dead: Bool := false, seen: Bool := false\n  transitions\n    \
         internal step\n      pre ~dead\n      eff seen := j > 2\n    \
         internal jump\n      eff j := 9; dead := true\n\
         invariant Low of Jump: j <= 2\n\
         invariant Unseen of Jump: ~seen\n",
    );
    let answer = s.ioa(&["prove", "jump.ioa"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    has(&answer, "its proof needs Low, which is violated");
    has(&answer, "invariant Low of Jump is violated");
    has(
        &answer,
        "since Low is violated, something else has to rule the first state out",
    );
}

/// That channels between different nodes control what arrives does not depend on which number arrives.
#[test]
fn components_fit_together_whatever_number_is_sent() {
    let s = Sandbox::new();
    let model = |others: &str| {
        format!(
            "type Node\n\
             automaton Proc(i: Node)\n  signature\n    \
             output send(const i, j: Node, s: Nat) where j ~= i\n    \
             input recv(j: Node, const i, s: Nat){others}\n  \
             states last: Nat := 0\n  transitions\n    \
             output send(i, j, s)\n      pre s = 1\n    \
             input recv(j, i, s)\n      eff last := s\n\
             automaton Channel(i: Node, j: Node)\n  signature\n    \
             input send(const i, const j, s: Nat)\n    output recv(const i, const j, s: Nat)\n  \
             states sent: Null[Nat] := nil\n  transitions\n    \
             input send(i, j, s)\n      eff sent := embed(s)\n    \
             output recv(i, j, s)\n      pre sent = embed(s)\n\
             automaton Net\n  components\n    P[i: Node]: Proc(i);\n    \
             C[i: Node, j: Node]: Channel(i, j) where i ~= j\n\
             invariant Small of Net: \\A i: Node (P[i].last < 2)\n"
        )
    };
    let explore = [
        "explore",
        "net.ioa",
        "--automaton",
        "Net",
        "--sort",
        "Node=2",
    ];
    s.write("net.ioa", model(" where j ~= i"));
    let answer = s.ioa(&explore);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    has(&answer, "holds in all ");
    s.write("net.ioa", model(""));
    let answer = s.ioa(&explore);
    assert_eq!(answer.code, Some(2), "{answer:?}");
    let why = "an output of no component";
    assert!(answer.err.contains(why), "{answer:?}");
}

#[test]
fn what_components_that_do_not_fit_together_prove_is_conditional() {
    let s = Sandbox::new();
    let text = "\
type Node
automaton Source(i, j: Node)
  signature output send(const i, const j)
  states sent: Nat := 0
  transitions output send(x, y) pre sent = 0 eff sent := 1
automaton Sink(i, j: Node)
  signature input send(const i, const j)
  states got: Bool := false
  transitions input send(x, y) eff got := true
automaton Net(a, b: Node)
  components
    From: Source(a, b);
    To: Sink(b, a)
invariant AtMostOne of Net: From.sent <= 1
";
    s.write("net.ioa", text);
    let answer = s.ioa(&["prove", "net.ioa", "--automaton", "Net"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    has(&answer, "an output of no component for");
    has(&answer, "conditional");
    has(&answer, "proved, if what Net requires holds");
    s.write("net.ioa", text.replace("Sink(b, a)", "Sink(a, b)"));
    let answer = s.ioa(&["prove", "net.ioa", "--automaton", "Net"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
}

#[test]
fn what_never_happens_is_told_for_every_value_of_a_parameter() {
    let s = Sandbox::new();
    let text = "\
type Node
automaton Post(first: Node)
  signature internal lift(n: Node), drop(n: Node), burn
  states held: Set[Node] := {}
  transitions
    internal lift(n) pre n = first eff held := insert(n, held)
    internal drop(n) pre n \\in held /\\ n ~= first eff held := delete(n, held)
    internal burn pre first \\in held eff held := {}
";
    s.write("post.ioa", text);
    let answer = s.ioa(&["check", "post.ioa", "--sort", "Node=3"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let never = "Post.drop never happens at Node=3";
    assert!(
        answer.err.contains(never) && answer.err.matches("W107").count() == 1,
        "{answer:?}"
    );
    // What is not looked at is said.
    s.write(
        "post.ioa",
        text.replace(
            "held: Set[Node] := {}",
            "held: Set[Node] := {}, burnt: Nat := 0",
        )
        .replace("eff held := {}", "eff burnt := burnt + 1"),
    );
    let answer = s.ioa(&["check", "post.ioa", "--sort", "Node=3"]);
    has(&answer, "what never happens in Post is not told");
}

fn has(answer: &Answer, text: &str) {
    assert!(answer.out.contains(text), "no {text}: {answer:?}");
}

/// Numbers that begin with zero. A step takes any number, so that no instance is visited.
const FROM_ZERO: &str = "\
automaton Sum
  signature internal add(k: Int)
  states n: Int := 0
  transitions internal add(k)
    eff n := n + k
invariant Positive of Sum: n > 0
invariant Zero of Sum: n = 0
invariant Whole of Sum: div(10, n) = 10
";

/// What begins in a start state needs no execution that leads there, and no invariant excludes it.
#[test]
fn a_start_state_is_not_said_to_be_excluded() {
    let s = Sandbox::new();
    s.write("sum.ioa", FROM_ZERO);
    let answer = s.ioa(&["prove", "sum.ioa", "--auto", "--budget", "2"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    has(
        &answer,
        "it is not established that Sum.Whole is defined: its proof needs Positive, which is violated",
    );
    has(
        &answer,
        "the first state is a start state: an execution begins there",
    );
    let excluded = "no execution reaches the first state if";
    assert!(!answer.out.contains(excluded), "{}", answer.out);
}

/// A step from a start state is an execution.
#[test]
fn a_step_from_a_start_state_violates_what_it_breaks() {
    let s = Sandbox::new();
    s.write("sum.ioa", FROM_ZERO);
    let answer = s.ioa(&[
        "prove", "sum.ioa", "--auto", "--budget", "2", "--only", "Zero",
    ]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    has(&answer, "invariant Zero of Sum is violated");
    has(&answer, "add breaks it in a start state");
    let unreached = "no execution need reach";
    assert!(!answer.out.contains(unreached), "{}", answer.out);
}

/// What a trace file shows is called what it is.
#[test]
fn a_start_state_is_no_counterexample_to_induction() {
    let s = Sandbox::new();
    s.write("sum.ioa", FROM_ZERO);
    let asked = [
        "prove",
        "sum.ioa",
        "--only",
        "Sum",
        "--trace",
        "why.itf.json",
    ];
    let answer = s.ioa(&asked);
    has(
        &answer,
        "wrote a state because of which it is not established that Sum.Whole is defined to why.itf.json",
    );
}
