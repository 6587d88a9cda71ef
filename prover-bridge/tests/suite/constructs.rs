//! Each construct of the language, proved in a small automaton and refuted in one that is a little wrong.

use crate::common::{model, prove_all, unproved};

/// Proves what the text states and lists what is not proved.
fn check(text: &str) -> String {
    unproved(&prove_all(&model(&[text])))
}

#[test]
fn numbers() {
    let text = |guard: &str| {
        format!(
            "automaton Counter
               signature internal up, down, halve
               states n: Int := 0
               transitions
                 internal up eff n := n + 2
                 internal down pre {guard} eff n := n - 2
                 internal halve pre mod(n, 4) = 0 eff n := div(n, 2)
             invariant Even of Counter: mod(n, 2) = 0 /\\ n >= 0"
        )
    };
    assert_eq!(check(&text("n >= 2")), "");
    assert_eq!(check(&text("n >= 1")), "");
    assert_eq!(check(&text("n >= 0")), "Counter.Even / down: refuted\n");
}

#[test]
fn naturals_do_not_go_below_zero() {
    let text = |guard: &str| {
        format!(
            "automaton A
               signature internal down
               states n: Nat := 5
               transitions internal down pre {guard} eff n := n - 1
             invariant Small of A: n <= 5"
        )
    };
    assert_eq!(check(&text("n > 0")), "");
    assert_eq!(check(&text("true")), "A.down is defined: refuted\n");
}

#[test]
fn division_by_zero_and_guards() {
    let text = |pre: &str| {
        format!(
            "automaton A
               signature internal go(k: Int)
               states n: Int := 1
               transitions internal go(k) pre {pre} eff n := mod(n, k) + 1
             invariant Positive of A: n > 0"
        )
    };
    assert_eq!(check(&text("k ~= 0 /\\ div(10, k) > 1")), "");
    assert_eq!(
        check(&text("div(10, k) > 1 /\\ k ~= 0")),
        "A.go is defined: refuted\n"
    );
    // Where it is undefined there is no step that could break anything.
    assert_eq!(
        check(&text("k = 0 \\/ div(10, k) > 1")),
        "A.go is defined: refuted\n"
    );
    assert_eq!(
        check(&text("k ~= 0 /\\ n > 0").replace("+ 1", "- 1")),
        "A.Positive / go: refuted\n"
    );
}

const QUEUE: &str = "type Msg
automaton Queue
  signature
    input put(m: Msg)
    output get(m: Msg)
  states
    queue: Seq[Msg] := {},
    seen: Set[Msg] := {}
  transitions
    input put(m)
      eff queue := queue |- m;
          seen := insert(m, seen)
    output get(m)
      pre PRE
      eff queue := tail(queue)
invariant Seen of Queue: \\A m: Msg (m \\in queue => m \\in seen)";

#[test]
fn sequences() {
    assert_eq!(
        check(&QUEUE.replace("PRE", "queue ~= {} /\\ m = head(queue)")),
        ""
    );
    assert_eq!(
        check(&QUEUE.replace("PRE", "m = head(queue)")),
        "Queue.get is defined: refuted\n"
    );
    let forgetful = QUEUE
        .replace("PRE", "queue ~= {}")
        .replace("insert(m, seen)", "seen");
    assert_eq!(check(&forgetful), "Queue.Seen / put: refuted\n");
}

#[test]
fn sequences_are_compared_with_ones_that_are_written_out() {
    let text = |take: &str, formula: &str| {
        format!(
            "type Node
             automaton Mail
               signature internal send(i: Node, j: Node), take(j: Node)
               states
                 has: Array[Node, Bool] := constant(true),
                 box: Array[Node, Seq[Bool]] := constant({{}})
               transitions
                 internal send(i, j)
                   pre has[i] /\\ box[j] = {{}}
                   eff has[i] := false;
                       box[j] := box[j] |- true
                 internal take(j)
                   pre box[j] ~= {{}}
                   eff box[j] := tail(box[j]);
                       {take}
             invariant Stated of Mail: {formula}"
        )
    };
    let somewhere = "(\\E i: Node (has[i])) \\/ \\E i: Node (box[i] ~= {})";
    assert_eq!(check(&text("has[j] := true", somewhere)), "");
    assert_eq!(
        check(&text("has[j] := has[j]", somewhere)),
        "Mail.Stated / take: refuted\n"
    );
    let short = "\\A i: Node (box[i] = {} \\/ box[i] = {} |- true)";
    assert_eq!(check(&text("has[j] := true", short)), "");
    let wrong = "\\A i: Node (box[i] = {} \\/ box[i] = {} |- false)";
    assert_eq!(
        check(&text("has[j] := true", wrong)),
        "Mail.Stated / send: refuted\n"
    );
}

#[test]
fn tuples_and_enumerations() {
    let text = |next: &str| {
        format!(
            "type Phase = enumeration of idle, trying, busy
             type Cell = tuple of phase: Phase, count: Int
             type Node
             automaton A
               signature internal try(n: Node), enter(n: Node), leave(n: Node)
               states cell: Array[Node, Cell] := constant([idle, 0])
               transitions
                 internal try(n) pre cell[n].phase = idle eff cell[n].phase := trying
                 internal enter(n)
                   pre cell[n].phase = trying
                   eff cell[n] := [busy, cell[n].count + 1]
                 internal leave(n)
                   pre cell[n].phase = busy
                   eff cell[n] := set_phase(cell[n], {next})
             invariant Entered of A: \\A n: Node (cell[n].phase = busy => cell[n].count > 0)
             invariant Counted of A: \\A n: Node (cell[n].count >= 0)"
        )
    };
    assert_eq!(check(&text("idle")), "");
    let broken = text("idle").replace("cell[n].count + 1", "cell[n].count");
    assert_eq!(check(&broken), "A.Entered / enter: refuted\n");
}

const MARK: &str = "type Node
automaton A
  signature internal all(S: Set[Node]), wipe
  states
    mark: Array[Node, Bool] := constant(false),
    chosen: Set[Node] := {},
    peers: Array[Node, Set[Node]] := constant({})
  transitions
    internal all(S)
      eff for n: Node in S do
            mark[n] := true;
            chosen := insert(n, chosen);
            for m: Node where m ~= n do
              peers[n] := insert(m, peers[n])
            od
          od
    internal wipe
      eff for n: Node where mark[n] do mark[n] := false; chosen := delete(n, chosen) od
invariant Same of A: \\A n: Node (mark[n] <=> n \\in chosen)
invariant NotSelf of A: \\A n: Node (n \\notin peers[n])";

#[test]
fn loops() {
    assert_eq!(check(MARK), "");
    assert_eq!(
        check(&MARK.replace("where m ~= n", "where true")),
        "A.NotSelf / all: refuted\n"
    );
    assert_eq!(
        check(&MARK.replace("mark[n] := false; ", "")),
        "A.Same / wipe: refuted\n"
    );
}

#[test]
fn choices() {
    let text = |predicate: &str| {
        format!(
            "type Node
             automaton A
               signature internal pick
               states
                 bound: Int := choose k where 1 <= k /\\ k <= 3,
                 limit: Int := choose k where k >= 4,
                 last: Null[Node] := nil,
                 used: Set[Node] := {{}}
               transitions
                 internal pick
                   pre \\E n: Node (n \\notin used)
                   eff last := choose c where {predicate};
                       if last ~= nil then used := insert(last.val, used) fi;
                       bound := choose k where k < limit /\\ k > 0
             invariant Bounded of A: 0 < bound /\\ bound < limit
             invariant Used of A: last ~= nil => last.val \\in used"
        )
    };
    assert_eq!(check(&text("c = nil \\/ c.val \\notin used")), "");
    let impossible = "c ~= nil /\\ c.val \\in used /\\ c.val \\notin used";
    assert_eq!(
        check(&text(impossible)),
        "A.pick is defined: refuted\n\
         A.Bounded / pick: vacuous: A.pick has no step\n\
         A.Used / pick: vacuous: A.pick has no step\n"
    );
    assert_eq!(
        check(&text("c.val \\notin used")),
        "A.pick is defined: refuted\n"
    );
    let lower = text("true").replace("k >= 4", "k >= 2");
    assert!(check(&lower).contains("A.Bounded / start: refuted"));
}

#[test]
fn ensuring_relates_before_and_after() {
    let text = |relation: &str| {
        format!(
            "automaton A
               signature internal grow
               states n: Int := 0, old: Int := 0
               transitions internal grow eff old := n ensuring {relation}
             invariant Ordered of A: old <= n"
        )
    };
    assert_eq!(check(&text("n' > n")), "");
    assert_eq!(check(&text("n' > old")), "A.Ordered / grow: refuted\n");
}

#[test]
fn sizes_of_sets() {
    let text = |delta: &str| {
        format!(
            "type Node
             automaton A
               signature internal join(n: Node), leave(n: Node)
               states members: Set[Node] := {{}}, count: Int := 0
               transitions
                 internal join(n) pre n \\notin members eff members := insert(n, members); count := count + {delta}
                 internal leave(n) pre n \\in members eff members := delete(n, members); count := count - 1
             invariant Counted of A: count = size(members)"
        )
    };
    assert_eq!(check(&text("1")), "");
    assert_eq!(check(&text("2")), "A.Counted / join: refuted\n");
}

#[test]
fn what_has_no_reading_says_why() {
    let text = "automaton A
          signature internal grow
          states bound: Int := 0
          transitions internal grow eff bound := bound + 1
        invariant Counted of A: size({x: Int where x < bound}) >= 0";
    assert_eq!(
        check(text),
        "A.Counted / start: unknown: outside the encoding: a set over an infinite type whose elements are not bounded \
         on both sides\nA.Counted / grow: unknown: outside the encoding: a set over an infinite type whose elements are \
         not bounded on both sides\n"
    );
}

#[test]
fn sets_of_sets_and_indexed_by_sets() {
    let text = |added: &str| {
        format!(
            "type Node
             automaton A
               signature internal add(S: Set[Node])
               states family: Set[Set[Node]] := {{}}, hit: Array[Set[Node], Bool] := constant(false)
               transitions
                 internal add(S) pre S ~= {{}} eff family := insert({added}, family); hit[S] := true
             invariant NoneEmpty of A: {{}} \\notin family
             invariant Hit of A: \\A S: Set[Node] (S \\in family => hit[S])"
        )
    };
    assert_eq!(check(&text("S")), "");
    assert_eq!(
        check(&text("S - S")),
        "A.NoneEmpty / add: refuted\nA.Hit / add: refuted\n"
    );
}

#[test]
fn several_clauses_and_hidden_parameters() {
    let text = |hidden: &str| {
        format!(
            "automaton A
               signature internal go(k: Int)
               states n: Int := 0
               transitions
                 internal go(k) where k > 0 eff n := n + k
                 internal go(0) eff n := 0
                 internal go(k; local z: Int) where k < 0 pre {hidden} eff n := n + z
             invariant Natural of A: n >= 0"
        )
    };
    assert_eq!(check(&text("z > k /\\ z >= 0")), "");
    assert_eq!(check(&text("z > k")), "A.Natural / go#3: refuted\n");
}
