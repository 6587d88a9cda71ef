//! Large texts that look like what people write.

/// A text of about so many lines, with or without mistakes.
pub(crate) fn text(lines: usize, with_mistakes: bool) -> String {
    let mut text = String::from("type Node\ntype Value\nassumes TotalOrder(Value)\n");
    let mut count = text.lines().count();
    let mut number = 0;
    while count < lines {
        let part = part(number, with_mistakes);
        count += part.lines().count();
        text.push_str(&part);
        number += 1;
    }
    text
}

/// An abstract automaton, a concrete one, what is claimed of them, and a schedule.
fn part(number: usize, with_mistakes: bool) -> String {
    let part = TEMPLATE.replace("@", &number.to_string());
    match with_mistakes {
        false => part,
        // An unknown name, a wrong type and a syntax error in each hundred lines or so.
        true => part
            .replacen(
                "decided := insert(n, decided)",
                "decided := insert(n, decide)",
                1,
            )
            .replacen("best[n] := embed(v)", "best[n] := v", 1)
            .replacen(
                "fire input propose(now, value);",
                "fire input propose(now, value;",
                1,
            ),
    }
}

const TEMPLATE: &str = r"
type Phase@ = enumeration of idle@, voting@, done@
type Vote@ = tuple of from, to: Node, value: Value, round: Nat

% What is promised.
automaton Spec@
  signature
    input    propose(n: Node, v: Value)
    output   decide(n: Node, v: Value)
    internal choose@(v: Value)
  states
    proposed: Set[Value] := {},
    chosen: Null[Value] := nil,
    decided: Set[Node] := {}
  transitions
    input propose(n, v)
      eff proposed := insert(v, proposed)
    internal choose@(v)
      pre v \in proposed /\ chosen = nil
      eff chosen := embed(v)
    output decide(n, v)
      pre n \notin decided /\ chosen = embed(v)
      eff decided := insert(n, decided)

invariant Proposed@ of Spec@: chosen ~= nil => chosen.val \in proposed

% How it is done.
automaton Impl@
  signature
    input    propose(n: Node, v: Value)
    output   decide(n: Node, v: Value)
    internal vote(n, m: Node, v: Value),
             receive(p: Vote@),
             advance(n: Node)
  states
    proposed: Set[Value] := {},
    chosen: Null[Value] := nil,
    decided: Set[Node] := {},
    phase: Array[Node, Phase@] := constant(idle@),
    best: Array[Node, Null[Value]] := constant(nil),
    network: Set[Vote@] := {},
    log: Seq[Value] := {},
    rounds: Array[Node, Nat] := constant(0)
  transitions
    input propose(n, v)
      eff proposed := insert(v, proposed);
          if phase[n] = idle@ then
            best[n] := embed(v);
            phase[n] := voting@
          elseif best[n] ~= nil /\ best[n].val < v then
            log := log |- v
          fi
    internal vote(n, m, v)
      pre phase[n] = voting@ /\ n ~= m /\ best[n] = embed(v)
      eff network := insert([n, m, v, rounds[n]], network)
    internal receive(p)
      pre p \in network /\ \A q: Vote@ (q \in network /\ q.to = p.to => q.round <= p.round)
      eff network := delete(p, network);
          if chosen = nil /\ p.value \in proposed then chosen := embed(p.value) fi;
          for n: Node where n = p.to \/ n = p.from do phase[n] := done@ od
    internal advance(n)
      pre phase[n] ~= done@ /\ size(network) < 10
      eff rounds[n] := rounds[n] + 1
    output decide(n, v)
      pre n \notin decided /\ chosen = embed(v)
      eff decided := insert(n, decided)

invariant Kept@ of Impl@: chosen ~= nil => chosen.val \in proposed
invariant Rounds@ of Impl@:
  \A n: Node (rounds[n] >= 0 /\ (phase[n] = voting@ => best[n] ~= nil \/ log ~= {}))

forward simulation from Impl@ to Spec@:
  Spec@.proposed = Impl@.proposed /\ Spec@.chosen = Impl@.chosen /\ Spec@.decided = Impl@.decided
  proof
    initially
      Spec@.proposed := {};
      Spec@.chosen := nil;
      Spec@.decided := {}
    for input propose(n: Node, v: Value) do fire input propose(n, v) od
    for output decide(n: Node, v: Value) do fire output decide(n, v) od
    for internal vote(n: Node, m: Node, v: Value) ignore
    for internal advance(n: Node) ignore
    for internal receive(p: Vote@) do
      if Impl@.chosen = nil /\ p.value \in Impl@.proposed then
        fire internal choose@(p.value)
      fi
    od

schedule Busy@ of Impl@
  states
    turns: Int := 0,
    now: Node := Node#0,
    value: Value := Value#0
  do
    while turns < 10 do
      now := chooseRandom({n: Node where n \notin decided});
      fire input propose(now, value);
      turns := turns + 1
    od
  od
";
