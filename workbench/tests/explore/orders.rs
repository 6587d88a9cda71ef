//! `--dpor`: one execution of each partial order of steps.

use super::{Answer, Sandbox, two_phase};

/// A composition: clients send to a server over channels that hold one message each, and the server gives up after some
/// time. Every execution ends.
const SERVICE: &str = "\
type C
automaton Client(c: C)
  signature
    output send(const c)
    internal think
  states thought: Bool := false, sent: Bool := false
  transitions
    internal think pre ~thought eff thought := true
    output send(c) pre thought /\\ ~sent eff sent := true
automaton Server
  signature
    input send(c: C)
    internal serve(c: C), giveUp
  states box: Set[C] := {}, served: Set[C] := {}, last: Null[C] := nil, over: Bool := false
  transitions
    input send(c) eff box := insert(c, box)
    internal serve(c) pre c \\in box /\\ ~(c \\in served) /\\ ~over eff served := insert(c, served); last := embed(c)
    internal giveUp pre ~over eff over := true
automaton Sys
  components clients[c: C]: Client(c); server: Server
invariant Asked of Sys: \\A c: C (c \\in server.served => clients[c].sent)
invariant NeverLast of Sys: \\A c: C (server.over /\\ server.last = embed(c) => server.box ~= {c})
";

/// Counts without end, and can stop.
const COUNT: &str = "\
automaton Count
  signature internal up, stop, undo
  states n: Int := 0, on: Bool := true
  transitions
    internal up pre on eff n := n + 1
    internal stop pre on eff on := false
    internal undo pre ~on /\\ n > 2 eff n := 0
invariant Small of Count: n < 4
";

const SYS: &str = "service.ioa --automaton Sys --sort C=3";

#[test]
fn what_holds_in_all_states_holds_in_all_orders_of_a_composition() {
    let s = Sandbox::with("service.ioa", SERVICE);
    let states = s.json(&format!("{SYS} --only Asked --allow-deadlock"));
    let orders = s.json(&format!("{SYS} --only Asked --dpor"));
    let verdict = |document: &serde_json::Value| document["results"][1]["verdict"].clone();
    assert_eq!(verdict(&states), "explored", "{states}");
    assert_eq!(verdict(&orders), "explored", "{orders}");
    let figures = &orders["results"][0]["figures"];
    assert_eq!(figures["redundant_executions"], 0, "{orders}");
    assert!(figures["orders"].as_u64() > Some(6), "{orders}");
    assert!(
        figures["steps_taken"].as_u64()
            < states["results"][0]["figures"]["generated_states"].as_u64(),
        "{orders} {states}"
    );
}

#[test]
fn a_violation_is_shown_without_what_need_not_happen_and_can_be_replayed() {
    let s = Sandbox::with("service.ioa", SERVICE);
    let found = s.explore(&format!(
        "{SYS} --only NeverLast --dpor --trace run.itf.json"
    ));
    // One client thinks, sends and is served, and the server gives up.
    found.says(1, "4 steps from a start state");
    found.says(1, "--dpor");
    assert!(!found.out.contains("none is shorter"), "{found:?}");
    s.run("run service.ioa --sort C=3 --replay run.itf.json")
        .says(1, "NeverLast");
}

/// Everybody counts and sends, and nobody looks at what that adds up to.
const CROWD: &str = "\
type Person
automaton Crowd
  signature internal come(p: Person)
  states
    here: Set[Person] := {}, all: Nat := 0, sent: Mset[Bool] := {}, gone: Array[Bool, Mset[Person]] := constant({})
  transitions
    internal come(p)
      pre p \\notin here
      eff here := insert(p, here);
          all := all + 1;
          sent := insert(true, sent);
          gone[false] := insert(p, gone[false])
invariant Few of Crowd: all < 4
";

#[test]
fn what_is_only_added_to_gives_one_order_unless_a_formula_looks_at_it() {
    let s = Sandbox::with("crowd.ioa", CROWD);
    let orders = |question: &str, persons: u64| {
        let args = format!("crowd.ioa --sort Person={persons} {question} --dpor");
        let document = s.json(&args);
        document["results"][0]["figures"]["orders"].as_u64()
    };
    assert_eq!(orders("--check true", 5), Some(1));
    assert_eq!(orders("--only Few --independence footprints", 3), Some(6));
    // Whoever comes does not make the formula true again.
    assert_eq!(orders("--only Few", 3), Some(1));
    s.explore("crowd.ioa --sort Person=5 --only Few --dpor")
        .says(1, "invariant Few of Crowd is violated");
}

/// Everybody sends something over a channel.
const CHANNEL: &str = "\
type Sender
automaton Channel
  signature internal send(s: Sender), receive(s: Sender)
  states sent: Set[Sender] := {}, queue: Seq[Sender] := {}
  transitions
    internal send(s)
      pre s \\notin sent
      eff sent := insert(s, sent); queue := queue |- s
    internal receive(s)
      pre queue ~= {} /\\ s = head(queue)
      eff queue := tail(queue)
invariant Short of Channel: len(queue) < 4
";

/// Either of two steps enables a third one, which remembers what came before it.
const EITHER: &str = "\
automaton Either
  signature internal one, other, third
  states a: Bool := false, b: Bool := false, gone: Bool := false, saw: Set[Bool] := {}, both: Bool := false
  transitions
    internal one pre ~a eff a := true
    internal other pre ~b eff b := true
    internal third pre (a \\/ b) /\\ ~gone eff gone := true; saw := {a}; both := a /\\ b
invariant Never of Either: ~(a /\\ b)
";

/// What was counted in the answer to a question.
fn figure(s: &Sandbox, question: &str, name: &str) -> Option<u64> {
    s.json(question)["results"][0]["figures"][name].as_u64()
}

#[test]
fn steps_that_commute_in_every_state_are_independent_though_they_touch_the_same() {
    let s = Sandbox::with("channel.ioa", CHANNEL);
    let all = "channel.ioa --sort Sender=4 --check true --dpor";
    let footprints = format!("{all} --independence footprints");
    assert_eq!(figure(&s, &footprints, "orders"), Some(336));
    assert_eq!(figure(&s, &footprints, "pairs_refined"), None);
    for _ in 0..2 {
        assert_eq!(figure(&s, all, "orders"), Some(24));
        assert_eq!(figure(&s, all, "redundant_executions"), Some(0));
        assert_eq!(figure(&s, all, "end_states"), Some(1));
        // Each is independent of what receives another one.
        assert_eq!(figure(&s, all, "pairs_refined"), Some(12));
    }
    s.explore("channel.ioa --sort Sender=4 --dpor --only Short")
        .says(1, "invariant Short of Channel is violated");
    s.explore("channel.ioa --sort Sender=4 --dpor --only Short --independence footprints")
        .says(1, "--dpor --independence footprints");
    s.explore("channel.ioa --sort Sender=4 --independence footprints")
        .says(2, "--dpor");
}

#[test]
fn steps_that_only_enable_the_same_are_independent() {
    let s = Sandbox::with("either.ioa", EITHER);
    let all = "either.ioa --check true --dpor";
    let footprints = format!("{all} --independence footprints");
    // Both before the third step, in two orders that do not matter; or one of them after it.
    assert_eq!(figure(&s, &footprints, "orders"), Some(4));
    assert_eq!(figure(&s, all, "orders"), Some(3));
    for question in [all, &footprints] {
        assert_eq!(figure(&s, question, "end_states"), Some(3));
        assert_eq!(figure(&s, question, "redundant_executions"), Some(0));
    }
    // It takes both to make it false, and nothing else.
    let found = s.explore("either.ioa --dpor --only Never");
    found.says(1, "2 steps from a start state");
}

#[test]
fn executions_that_need_not_end_are_shown_or_cut() {
    let s = Sandbox::with("count.ioa", COUNT);
    let cut = s.explore("count.ioa --dpor --depth 3");
    cut.says(0, "stopped at the bound on depth");
    assert!(!cut.out.contains("explored"), "{cut:?}");
    s.explore("count.ioa --dpor --depth 4")
        .says(1, "invariant Small of Count is violated");
    // Counting up never ends and never comes back.
    let endless = s.explore("count.ioa --dpor --check n>=0 --only deadlock --keep-going");
    endless.says(2, "deadlocks are allowed here");
    let endless = s.explore("count.ioa --dpor --keep-going");
    endless.says(1, "an execution has not ended after 10,001 steps");
    let cycle = s.explore(&format!("{} --dpor", two_phase(2)));
    cycle.says(3, "that it has passed");
    assert!(!cycle.out.contains("explored"), "{cycle:?}");
}

#[test]
fn bounds_on_time_and_memory_are_kept() {
    let s = Sandbox::with("service.ioa", SERVICE);
    let all = "service.ioa --automaton Sys --sort C=9 --only Asked --dpor";
    s.explore(&format!("{all} --time 1"))
        .says(0, "stopped at the bound on time");
    let answer: Answer = s.explore(&format!("{all} --memory 30K"));
    answer.says(0, "stopped at the bound on memory");
    assert!(!answer.out.contains("explored"), "{answer:?}");
}

#[test]
fn what_needs_states_is_refused() {
    let s = Sandbox::with("count.ioa", COUNT);
    for other in [
        "--symmetry",
        "--states 5",
        "--within n<3",
        "--possible n=0",
        "--levels",
        "--dot x.dot",
    ] {
        s.explore(&format!("count.ioa --dpor {other}"))
            .says(2, "--dpor");
    }
}
