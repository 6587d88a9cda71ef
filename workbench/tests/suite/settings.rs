//! What an automaton assumes, it assumes for itself alone; what a composition is made of, and which inputs it takes.

use std::collections::BTreeMap;

use crate::sandbox::{Answer, Sandbox};

/// The command line on one text.
struct Text(Sandbox);

impl Text {
    fn new(text: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.write("model.ioa", text);
        Self(sandbox)
    }

    fn ioa(&self, command: &str, args: &str) -> Answer {
        let words = args.split_whitespace();
        let words: Vec<&str> = [command, "model.ioa", "--json"]
            .into_iter()
            .chain(words)
            .collect();
        self.0.ioa(&words)
    }

    /// The verdicts on invariants, simulations and the like, by name.
    fn verdicts(&self, command: &str, args: &str) -> BTreeMap<String, String> {
        let answer = self.ioa(command, args);
        let document = answer.json();
        let results = document["results"].as_array().expect("results").iter();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        results
            .map(|result| (text(&result["name"]), text(&result["verdict"])))
            .collect()
    }

    /// How many states there are.
    fn states(&self, args: &str) -> u64 {
        let document = self.ioa("explore", args).json();
        document["distinct_states"].as_u64().expect("a number")
    }
}

/// `Other` has two processes or more, by its parameters or by the theory in its heading; `Lone` may have one.
fn beside(other: &str) -> Text {
    Text::new(&format!(
        "type Host
vocabulary Ends
  operators first, final: -> Host
  axioms first ~= final
end
{other}
automaton Lone
  signature internal enter(h: Host)
  states inside: Set[Host] := {{}}
  transitions
    internal enter(h)
      pre \\A other: Host (other ~= h => other \\notin inside)
      eff if \\A other: Host (other = h) then inside := {{x: Host where true}} else inside := {{h}} fi
invariant Someone of Lone: \\E h: Host (h \\notin inside)
"
    ))
}

const OTHERS: [&str; 3] = [
    "automaton Other(a, b: Host) where a ~= b
  signature internal move
  states at: Host := a
  transitions internal move eff at := if at = a then b else a
invariant Apart of Other: a ~= b",
    "automaton Other
  assumes Ends
  signature internal move
  states at: Host := first
  transitions internal move eff at := if at = first then final else first
invariant Apart of Other: first ~= final",
    "automaton Other
  assumes TotalOrder(Host), Ends
  signature internal move(to: Host)
  states at: Host := first
  transitions internal move(to) pre to < at eff at := to
invariant Apart of Other: first ~= final",
];

#[test]
fn what_one_automaton_assumes_is_no_axiom_for_another() {
    for other in OTHERS {
        let text = beside(other);
        let proved = text.verdicts("prove", "");
        assert_eq!(proved["Someone"], "violated", "{other}");
        assert_eq!(proved["Apart"], "proved", "{other}");
        let alone = "--automaton Lone --sort Host=1 --keep-going --allow-deadlock";
        let explored = text.verdicts("explore", alone);
        assert_eq!(explored["Someone"], "violated", "{other}");
        let random = text.verdicts("run", "--automaton Lone --sort Host=1 --random --steps 9");
        assert_eq!(random["Someone"], "violated", "{other}");
        let refused = text.ioa("explore", "--automaton Other --sort Host=1");
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.out.contains("interpretation"), "{refused:?}");
        let fits = text.ioa(
            "explore",
            "--automaton Other --sort Host=2 --allow-deadlock",
        );
        assert_eq!(fits.code, Some(0), "{fits:?}");
    }
}

#[test]
fn what_is_checked_and_exported_of_an_automaton_supposes_nothing_of_others() {
    for other in OTHERS {
        let text = beside(other);
        let written = text.0.ioa(&[
            "export",
            "tla",
            "model.ioa",
            "--automaton",
            "Lone",
            "--sort",
            "Host=1",
        ]);
        assert_eq!(written.code, Some(0), "{written:?}");
        let checked = text.ioa("check", "--automaton Lone --sort Host=1");
        assert_eq!(checked.code, Some(0), "{checked:?}");
    }
}

/// No two clients sit at one desk. The order of the clients is known to another automaton.
const DESKS: &str = "type Client
type Desk

automaton Turns
  assumes TotalOrder(Client)
  signature internal next(c: Client)
  states last: Client
  transitions internal next(c) pre last < c eff last := c

automaton Desks
  signature internal sit(c: Client, d: Desk), leave(c: Client)
  states at: Array[Client, Null[Desk]] := constant(nil)
  transitions
    internal sit(c, d)
      pre at[c] = nil /\\ (\\A o: Client (at[o] ~= embed(d)))
      eff at[c] := embed(d)
    internal leave(c) pre at[c] ~= nil eff at[c] := nil
";

#[test]
fn no_candidate_compares_elements_whose_order_is_known_to_others_alone() {
    let s = Sandbox::new();
    let candidates = |text: &str| {
        s.write("desks.ioa", text);
        let line = "infer desks.ioa --automaton Desks --sort Client=3,Desk=2 --output c.ioa";
        let found = s.ioa(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(found.code, Some(0), "{found:?}");
        let read = s.ioa(&["check", "desks.ioa", "c.ioa"]);
        assert_eq!(read.code, Some(0), "{read:?}");
        std::fs::read_to_string(s.path("c.ioa")).expect("candidates")
    };
    let unordered = candidates(DESKS);
    assert!(unordered.contains("c ~= d /\\"), "{unordered}");
    let desks = "automaton Desks\n";
    let assumed = format!("{desks}  assumes TotalOrder(Client)\n");
    let ordered = candidates(&DESKS.replace(desks, &assumed));
    assert!(ordered.contains("c < d /\\"), "{ordered}");
}

#[test]
fn a_theory_is_known_to_those_alone_who_assume_it() {
    let text = beside(OTHERS[2]);
    text.0.replace(
        "model.ioa",
        "invariant Someone of Lone: ",
        "invariant Least of Lone: \\E h: Host \\A g: Host (~(g < h))\ninvariant Someone of Lone: ",
    );
    let refused = text.ioa("check", "");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.out.contains("no order"), "{refused:?}");
    let foreign = beside(&format!(
        "{}\ninvariant Far of Lone: Other.a ~= Other.b",
        OTHERS[0]
    ));
    assert_eq!(foreign.ioa("check", "").code, Some(2));
}

/// The theory is the same in both headings: each automaton assumes it.
#[test]
fn a_theory_of_two_headings_holds_for_both() {
    let text = beside(&format!(
        "{}\nautomaton Third
  assumes Ends
  signature internal move
  states at: Host := final
  transitions internal move eff at := first
invariant Distinct of Third: first ~= final",
        OTHERS[1]
    ));
    let proved = text.verdicts("prove", "");
    assert_eq!(proved["Apart"], "proved");
    assert_eq!(proved["Distinct"], "proved");
    assert_eq!(proved["Someone"], "violated");
}

#[test]
fn a_simulation_supposes_what_both_its_automata_assume() {
    let text = Text::new(
        "type Host
automaton Low(a, b: Host) where a ~= b
  signature output go(h: Host)
  states done: Bool := false
  transitions output go(h) pre ~done /\\ h = a eff done := true
automaton High(c: Host)
  signature output go(h: Host)
  states done: Bool := false
  transitions output go(h) pre ~done eff done := true
forward simulation from Low to High: High.done = Low.done /\\ \\E g, h: Host (g ~= h)
  proof
    for output go(h: Host) do fire output go(h) od",
    );
    assert_eq!(text.verdicts("prove", "")["Low to High"], "proved");
    let pair = text.ioa("pair", "--random --sort Host=2 --runs 3");
    assert_eq!(pair.code, Some(0), "{pair:?}");
}

#[test]
fn a_composition_supposes_nothing_for_the_sake_of_its_components() {
    let text = Text::new(
        "type Host
automaton Link(a, b: Host) where a ~= b
  signature internal go
  states used: Bool := false
  transitions internal go eff used := true
automaton Net
  components L[i, j: Host]: Link(i, j) where i ~= j
automaton Wrong
  components L[i, j: Host]: Link(i, j)
invariant Two of Net: \\E i, j: Host (i ~= j)
invariant Unused of Net: \\A i, j: Host (i = j => ~L[i, j].used)",
    );
    let proved = text.verdicts("prove", "");
    assert_eq!(proved["Two"], "violated");
    assert_eq!(proved["Unused"], "proved");
    assert_eq!(
        proved["Net"], "proved",
        "what is asked of the parameters holds"
    );
    assert_eq!(proved["Wrong"], "refuted");
    let alone = "--automaton Net --sort Host=1 --keep-going --allow-deadlock";
    let explored = text.verdicts("explore", alone);
    assert_eq!(explored["Two"], "violated");
    assert_eq!(explored["Unused"], "explored");
}

/// A family without the component for `none`, and with so many states of each component.
fn family(states: &str, actuals: &str) -> Text {
    Text::new(&format!(
        "type Host
vocabulary Some operators none: -> Host end
imports Some
automaton Proc(h: Host, start: Seq[Bool])
  signature internal go
  states {states}, on: Bool := false
  transitions internal go pre ~on eff on := true
automaton Sys
  components P[i: Host]: Proc(i, {actuals}) where i ~= none
invariant Absent of Sys: ~P[none].on"
    ))
}

#[test]
fn only_components_that_exist_are_started() {
    let declared = [
        // Any value, a value that has to be chosen, one that is undefined elsewhere, a condition that is false elsewhere.
        ("v: Bool", "{}", 4),
        ("v: Bool := choose x where h ~= none", "{}", 4),
        (
            "v: Bool := head(start)",
            "(if i = none then {} else {} |- true)",
            2,
        ),
        ("v: Seq[Host] := {} |- h so that h ~= none", "{}", 2),
        (
            "v: Seq[Bool] := start",
            "(if i = none then {} |- true else {})",
            2,
        ),
        (
            "v: Null[Bool] := choose x where x ~= nil /\\ h ~= none",
            "{}",
            4,
        ),
    ];
    for (states, actuals, each) in declared {
        let (states, condition) = match states.split_once(" so that ") {
            Some((states, condition)) => (states, format!(" so that {condition}")),
            None => (states, String::new()),
        };
        let text = family(states, actuals);
        text.0.replace(
            "model.ioa",
            "on: Bool := false\n",
            &format!("on: Bool := false{condition}\n"),
        );
        for hosts in 1..=3_u32 {
            let args = format!("--automaton Sys --sort Host={hosts} --allow-deadlock");
            assert_eq!(text.states(&args), u64::pow(each, hosts - 1), "{states}");
            assert_eq!(text.verdicts("explore", &args)["Absent"], "explored");
        }
        let run = text.ioa("run", "--automaton Sys --sort Host=3 --random --steps 9");
        assert_eq!(run.code, Some(0), "{states}: {run:?}");
        assert_eq!(text.verdicts("prove", "")["Absent"], "proved", "{states}");
    }
}

#[test]
fn a_composition_takes_the_inputs_that_some_component_has() {
    let text = Text::new(
        "type Host
automaton Proc(i: Host)
  signature input ping(j: Host) where j ~= i internal go
  states b: Bool := true
  transitions
    input ping(j) eff b := ~b
    internal go
automaton Sys
  components P[i: Host]: Proc(i)
automaton Spec
  signature input ping(j: Host) where \\E i: Host (j ~= i) internal go
  states s: Bool := true
  transitions
    input ping(j)
    internal go
forward simulation from Sys to Spec: true
  proof
    initially Spec.s := true
    for input ping(j: Host) do fire input ping(j) od
    for internal P[i].go ignore
schedule Try of Sys do fire input ping(Host#0) od",
    );
    assert_eq!(text.verdicts("prove", "")["Sys to Spec"], "proved");
    let nobody = text.ioa("run", "--schedule Try --sort Host=1");
    assert_eq!(nobody.code, Some(1), "{nobody:?}");
    assert!(nobody.out.contains("not enabled"), "{nobody:?}");
    assert_eq!(
        text.ioa("run", "--schedule Try --sort Host=2").code,
        Some(0)
    );
    // Alone there is no `ping`, and the one state remains.
    assert_eq!(text.states("--automaton Sys --sort Host=1"), 1);
    assert_eq!(text.states("--automaton Sys --sort Host=2"), 4);
}

/// A sender whose messages up to `last` reach a receiver with clauses for some of them.
fn channel(last: u32, receiver: &str) -> Text {
    Text::new(&format!(
        "automaton Source
  signature output say(k: Nat)
  states next: Nat := 2
  transitions output say(k) pre k = next /\\ k <= {last} eff next := next + 1
automaton Sink
  signature input say(k: Nat)
  states sum: Nat := 0
  transitions {receiver}
automaton Both components Source; Sink
invariant Few of Both: Source.next <= {last} + 1"
    ))
}

#[test]
fn an_input_is_never_refused() {
    let partial =
        "input say(k) where k = 2 eff sum := k input say(k) where k = 3 eff sum := sum + k";
    let fits = channel(3, partial);
    let quiet = "--automaton Both --allow-deadlock";
    assert_eq!(fits.states(quiet), 3);
    assert_eq!(fits.ioa("explore", quiet).code, Some(0));
    // `Sink` by itself refuses inputs, and whether `Both` may send them is to be shown.
    let proved = fits.verdicts("prove", "");
    assert_eq!((&*proved["Sink"], &*proved["Few"]), ("refuted", "proved"));
    let broken = channel(4, partial);
    for (command, args) in [
        ("explore", "--automaton Both"),
        ("run", "--automaton Both --random --steps 9"),
    ] {
        let answer = broken.ioa(command, args);
        assert_eq!(answer.code, Some(1), "{command}: {answer:?}");
        assert!(
            answer.out.contains("an input of Sink"),
            "{command}: {answer:?}"
        );
    }
    assert_eq!(broken.verdicts("prove", "")["Both"], "violated");
}

#[test]
fn an_input_that_the_signature_leaves_to_no_clause_is_said() {
    let text = Text::new(
        "type Color = enumeration of red, green, blue
automaton Lamp
  signature input show(c: Color) internal rest
  states last: Color := red
  transitions
    input show(const red) eff last := red
    input show(c) where c ~= red /\\ c ~= blue eff last := c
    internal rest",
    );
    for command in ["explore", "run --random"] {
        let (command, args) = command.split_once(' ').unwrap_or((command, ""));
        let refused = text.ioa(command, &format!("{args} --automaton Lamp"));
        assert_ne!(refused.code, Some(0), "{refused:?}");
        assert!(refused.out.contains("c = blue"), "{refused:?}");
    }
}

#[test]
fn a_counterexample_of_a_composition_has_no_parameters_of_its_components() {
    let text = Text::new(
        "automaton Cell(V: type, me: V)
  signature
    input  take(v: V)
    output give(v: V, const me)
  states
    held: Set[V] := {}
  transitions
    input take(v)
      eff held := insert(v, held)
    output give(v, me)
      pre v \\in held
      eff held := delete(v, held)
automaton Shelf(W: type)
  components C[w: W]: Cell(W, w)
invariant Alone of Shelf: \\A v, w, x: W (x \\in C[v].held => v = w)
",
    );
    let answer = text.ioa("prove", "--only Alone");
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let document = answer.json();
    let mut results = document["results"].as_array().expect("results").iter();
    let alone = results.find(|result| result["name"] == "Alone");
    let scope = &alone.expect("a result")["scope"];
    assert_eq!(scope, &serde_json::json!({"Shelf.W": 2}), "{answer:?}");
    assert!(!answer.out.contains("Cell."), "{answer:?}");
}
