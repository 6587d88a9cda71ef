//! `ioa pair --suggest`: simulations that nobody wrote.

use crate::sandbox::{Answer, Sandbox};

/// A server that grants a lock by messages, and a specification that knows the owner. No variable is called alike.
const LOCK: &str = r"
type Client
automaton Server
  signature
    input    want(c: Client)
    internal grant(c: Client)
    output   enter(c: Client), leave(c: Client)
  states
    asked: Set[Client] := {},
    granted: Set[Client] := {},
    inside: Set[Client] := {},
    free: Bool := true
  transitions
    input want(c)
      eff asked := insert(c, asked)
    internal grant(c)
      pre c \in asked /\ free
      eff free := false; asked := delete(c, asked); granted := insert(c, granted)
    output enter(c)
      pre c \in granted
      eff granted := delete(c, granted); inside := insert(c, inside)
    output leave(c)
      pre c \in inside
      eff inside := delete(c, inside); free := true
automaton Owner
  signature
    input    want(c: Client)
    internal take(c: Client)
    output   enter(c: Client), leave(c: Client)
  states
    wishes: Set[Client] := {},
    owner: Null[Client] := nil,
    busy: Bool := false
  transitions
    input want(c)
      eff wishes := insert(c, wishes)
    internal take(c)
      pre owner = nil /\ c \in wishes
      eff owner := embed(c); wishes := delete(c, wishes)
    output enter(c)
      pre owner = embed(c) /\ ~busy
      eff busy := true
    output leave(c)
      pre owner = embed(c) /\ busy
      eff owner := nil; busy := false
";

/// What a quorum has voted for is decided: the vote that completes a quorum chooses.
const CONSENSUS: &str = r"
type Node
type Value
type Quorum
assumes Quorums(Quorum, Node)
automaton Votes
  signature
    internal vote(n: Node, v: Value)
    output   decide(v: Value)
  states
    ballot: Array[Node, Null[Value]] := constant(nil)
  transitions
    internal vote(n, v)
      pre ballot[n] = nil
      eff ballot[n] := embed(v)
    output decide(v)
      pre \E q: Quorum \A n: Node (n \in q => ballot[n] = embed(v))
automaton Agreement
  signature
    internal pick(v: Value)
    output   decide(v: Value)
  states
    chosen: Null[Value] := nil
  transitions
    internal pick(v)
      pre chosen = nil
      eff chosen := embed(v)
    output decide(v)
      pre chosen = embed(v)
";

/// A counter, and one that counts modulo 3.
const COUNTER: &str = r"
automaton Counter
  signature
    input  tick
    output at(k: Nat)
  states n: Nat := 0
  transitions
    input tick eff n := n + 1
    output at(k) pre k = mod(n, 3)
automaton Modular
  signature
    input  tick
    output at(k: Nat)
  states r: Nat := 0
  transitions
    input tick eff r := mod(r + 1, 3)
    output at(k) pre k = r
";

/// A queue in two parts.
const QUEUE: &str = r"
type Msg
automaton Line
  signature
    input    put(m: Msg)
    internal move
    output   get(m: Msg)
  states waiting: Seq[Msg] := {}, wire: Seq[Msg] := {}
  transitions
    input put(m) eff waiting := waiting |- m
    internal move
      pre waiting ~= {}
      eff wire := wire |- head(waiting); waiting := tail(waiting)
    output get(m)
      pre wire ~= {} /\ m = head(wire)
      eff wire := tail(wire)
automaton Fifo
  signature
    input  put(m: Msg)
    output get(m: Msg)
  states q: Seq[Msg] := {}
  transitions
    input put(m) eff q := q |- m
    output get(m)
      pre q ~= {} /\ m = head(q)
      eff q := tail(q)
";

/// The automata of a model, with what a suggestion says of them.
fn suggested(text: &str, name: &str) -> (Sandbox, Answer) {
    let s = Sandbox::new();
    s.write("model.ioa", text);
    let answer = s.ioa(&["pair", "model.ioa", "--suggest", "--simulation", name]);
    (s, answer)
}

/// The simulation that an answer proposes.
fn proposed(answer: &Answer) -> String {
    let from = answer.out.find("\nforward simulation from ");
    let from = from.unwrap_or_else(|| panic!("nothing is proposed: {}{}", answer.out, answer.err));
    let text = &answer.out[from..];
    text.split("\nit is not proved yet")
        .next()
        .unwrap_or(text)
        .to_owned()
}

/// Pastes what is proposed into the model, and follows it along all executions at these sizes.
fn pasted(s: &Sandbox, text: &str, name: &str, sizes: &[&str]) {
    s.write("proposed.ioa", text);
    let files = ["explore", "model.ioa", "proposed.ioa", "--simulation", name];
    let sizes: Vec<&str> = sizes.iter().flat_map(|size| ["--sort", size]).collect();
    let answer = s.ioa(&[&files[..], &sizes].concat());
    assert_eq!(answer.code, Some(0), "{text}{}{}", answer.out, answer.err);
    assert!(answer.out.contains("explored"), "{}", answer.out);
}

#[test]
fn what_is_proposed_holds_at_sizes_that_it_was_not_found_at() {
    let (s, answer) = suggested(LOCK, "Server to Owner");
    let text = proposed(&answer);
    assert!(text.contains("fire internal take(c)"), "{text}");
    assert!(!text.contains("\n\n"), "{text}");
    pasted(&s, &text, "Server to Owner", &["Client=4"]);
    let (s, answer) = suggested(CONSENSUS, "Votes to Agreement");
    let text = proposed(&answer);
    // The condition under which a vote chooses is found, too.
    assert!(
        text.contains("if ") && text.contains("fire internal pick(v)"),
        "{text}"
    );
    pasted(&s, &text, "Votes to Agreement", &["Node=4", "Value=2"]);
}

#[test]
fn what_needs_no_lemma_is_proved() {
    for (model, name) in [(COUNTER, "Counter to Modular"), (QUEUE, "Line to Fifo")] {
        let (_, answer) = suggested(model, name);
        proposed(&answer);
        assert_eq!(answer.code, Some(0), "{}{}", answer.out, answer.err);
        let rows = answer.out.lines();
        let mut of_proof = rows.filter(|row| row.contains("simulation ") && row.contains(name));
        assert!(of_proof.any(|row| row.contains("proved")), "{}", answer.out);
    }
}

#[test]
fn the_relation_that_is_stated_is_kept_where_its_block_is_wrong() {
    let wrong = r"
forward simulation from Votes to Agreement:
  \A v: Value (Agreement.chosen = embed(v)
    <=> \E q: Quorum \A n: Node (n \in q => Votes.ballot[n] = embed(v)))
  proof
    for internal vote(n: Node, v: Value) do fire internal pick(v) od
    for output decide(v: Value) do fire output decide(v) od
";
    let (s, answer) = suggested(&format!("{CONSENSUS}{wrong}"), "Votes to Agreement");
    let text = proposed(&answer);
    assert!(text.contains(r"\E q: Quorum \A n: Node (n \in q => Votes.ballot[n] = embed(v))"));
    s.write("model.ioa", CONSENSUS);
    pasted(&s, &text, "Votes to Agreement", &["Node=3", "Value=2"]);
}

#[test]
fn what_is_no_implementation_is_shown_by_an_execution() {
    let stack = QUEUE.replace("m = head(wire)", "m = last(wire)");
    let stack = stack.replace("wire := tail(wire)", "wire := init(wire)");
    let (_, answer) = suggested(&stack, "Line to Fifo");
    assert!(
        !answer.out.contains("forward simulation from"),
        "{}",
        answer.out
    );
    let why = "no execution of Fifo has the trace of this one of Line";
    assert!(answer.out.contains(why), "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("output get(Msg#1)"), "{}", answer.out);
    // The model is infinite, so that not everything was looked at.
    assert_eq!(answer.code, Some(3));
    let finite = |text: &str| {
        let text = text.replace(
            "input put(m) eff waiting",
            "input put(m) eff if len(waiting) < 1 then waiting",
        );
        let text = text.replace("waiting |- m\n", "waiting |- m fi\n");
        text.replace("pre waiting ~= {}", "pre waiting ~= {} /\\ len(wire) < 2")
    };
    let (_, answer) = suggested(&finite(&stack), "Line to Fifo");
    assert!(
        answer.out.contains("output get(Msg#"),
        "{}{}",
        answer.out,
        answer.err
    );
}

#[test]
fn where_the_specification_decides_early_nothing_is_proposed() {
    let model = r"
automaton Late
  signature
    output go, left, right
  states at: Nat := 0
  transitions
    output go pre at = 0 eff at := 1
    output left pre at = 1 eff at := 2
    output right pre at = 1 eff at := 2
automaton Early
  signature
    output go, left, right
  states at: Nat := 0
  transitions
    output go
      choose n: Nat where n = 1 \/ n = 2
      pre at = 0
      eff at := n
    output left pre at = 1 eff at := 3
    output right pre at = 2 eff at := 3
";
    let (_, answer) = suggested(model, "Late to Early");
    assert_eq!(answer.code, Some(3), "{}{}", answer.out, answer.err);
    assert!(
        answer.out.contains("there is no forward simulation"),
        "{}",
        answer.out
    );
    assert!(
        !answer.out.contains("forward simulation from"),
        "{}",
        answer.out
    );
}

#[test]
fn names_that_are_no_automata_are_refused() {
    let said = |name| {
        let (_, answer) = suggested(COUNTER, name);
        assert_eq!(answer.code, Some(2), "{}", answer.out);
        answer.err
    };
    assert!(said("Counter to Modulr").contains("did you mean Modular?"));
    assert!(said("Counter").contains("does not name two automata"));
    assert!(said("Counter to Counter").contains("from an automaton to itself"));
    let s = Sandbox::new();
    s.write("model.ioa", COUNTER);
    let answer = s.ioa(&["pair", "model.ioa", "--suggest"]);
    assert!(
        answer.err.contains("from which automaton to which?"),
        "{}",
        answer.err
    );
    let answer = s.ioa(&["pair", "model.ioa", "--suggest", "--random"]);
    assert_eq!(answer.code, Some(2), "{}", answer.out);
}
