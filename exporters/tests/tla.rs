//! The modules that are written, and what is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use exporters::tla;
use finite::Universe;
use ioa_lang::core::{AutomatonId, Model};
use ioa_lang::diagnostic::has_errors;
use ioa_lang::{Sources, load};

fn model(texts: &[&str]) -> Model {
    let mut sources = Sources::new();
    for text in texts {
        sources.add("test", *text);
    }
    let loaded = load(&sources);
    assert!(!has_errors(&loaded.diagnostics), "{:?}", loaded.diagnostics);
    loaded.model
}

fn universe(model: &Model, size: u64) -> Universe {
    let given = model
        .sorts
        .iter()
        .filter(|s| s.size == ioa_lang::core::SortSize::Given);
    let sizes: BTreeMap<String, u64> = given.map(|s| (s.name.to_string(), size)).collect();
    Universe::new(model, model.every_setting(), &sizes).expect("the sizes fit")
}

/// The module of the first automaton of a text.
fn module(text: &str) -> Result<String, Vec<String>> {
    let model = model(&[text]);
    let module = tla::automaton(&model, &universe(&model, 2), AutomatonId(0));
    module.map(|m| m.text).map_err(messages)
}

fn messages(problems: Vec<ioa_lang::Diagnostic>) -> Vec<String> {
    problems.into_iter().map(|p| p.message).collect()
}

fn study(folder: &str, files: &[&str]) -> Model {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../case-studies")
        .join(folder);
    let texts: Vec<String> = files
        .iter()
        .map(|name| fs::read_to_string(folder.join(name)).expect("the study is there"))
        .collect();
    model(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_clause_is_a_definition_with_its_guards_and_new_values() {
    let model = study(
        "two-phase-commit",
        &["tcommit.ioa", "two-phase.ioa", "refinement.ioa"],
    );
    let universe = universe(&model, 3);
    let two_phase = model.automaton_named("TwoPhase").unwrap();
    let module = tla::automaton(&model, &universe, two_phase).unwrap();
    assert!(module.text.contains(
        "\
receivePrepared(r) ==
  /\\ tmState = \"init\"
  /\\ r \\in sentPrepared
  /\\ tmPrepared' = tmPrepared \\cup {r}
  /\\ UNCHANGED <<rmState, tmState, sentPrepared, sentDecisions>>
"
    ));
    // The second clause of an action has a name of its own.
    assert!(module.text.contains("\n  \\/ \\E r \\in RM : abort_2(r)\n"));
    assert!(module.config.contains("  RM = {RM_0, RM_1, RM_2}\n"));
    assert!(module.config.contains("\n  Agreement\n"));
    let refinement = tla::simulation(&model, &universe, 0).unwrap();
    assert_eq!(refinement.name, "TwoPhaseRefinesTCommit");
    assert!(
        refinement
            .text
            .contains("INSTANCE TCommit WITH\n  rmState <- rmState\n")
    );
    assert!(refinement.config.contains("PROPERTIES\n  Refinement\n"));
}

#[test]
fn a_set_given_by_its_elements_is_a_mapping_too() {
    let model = study(
        "lamport-paxos",
        &["consensus.ioa", "paxos.ioa", "refinement.ioa"],
    );
    let refinement = tla::simulation(&model, &universe(&model, 3), 0).unwrap();
    assert!(
        refinement
            .text
            .contains("chosen <- {v \\in Value : \\E b \\in Ballot :")
    );
    assert!(refinement.config.contains("  Ballot = {0, 1, 2}\n"));
}

#[test]
fn statements_become_terms_in_their_order() {
    let text = module(
        "type Node
         automaton A
           signature internal step(n: Node)
           states x: Int := 0, seen: Set[Node] := {}, last: Null[Node] := nil
           transitions
             internal step(n)
               eff x := x + 1;
                   if x > 3 then x := 0; seen := insert(n, seen) fi;
                   for m: Node in seen do x := x + 2 od;
                   last := choose l where l = nil \\/ l.val \\in seen",
    )
    .unwrap();
    assert!(text.contains("LET x_2 == x + 1\n"), "{text}");
    assert!(
        text.contains("holds == x_2 > 3\n") || text.contains("holds == 3 < x_2\n"),
        "{text}"
    );
    assert!(text.contains("RECURSIVE loop(_, _)"), "{text}");
    assert!(
        text.contains("\\E l \\in Some({l_0 \\in Null(Node) :"),
        "{text}"
    );
    assert!(text.contains("/\\ last' = l"), "{text}");
}

/// A start program that goes through the components gives their elements one after the other to an array of nothing.
#[test]
fn components_start_as_their_indices_say() {
    let model = model(&["type I
        automaton P(J: type, me: J)
          signature output go(const me)
          states seen: Set[J] := {me}
          transitions output go(me) eff seen := {}
        automaton Sys
          components P[i: I]: P(I, i)"]);
    let sizes = BTreeMap::from([("I".to_owned(), 2)]);
    let universe = Universe::sized(&model, model.every_setting(), &sizes)
        .expect("the open parameters need no size");
    let whole = model.automaton_named("Sys").expect("it is declared");
    let text = tla::automaton(&model, &universe, whole).unwrap().text;
    assert!(
        text.contains("result == loop(I, [P_seen |-> [i_ \\in I |-> 0]])"),
        "{text}"
    );
}

#[test]
fn a_parameter_of_an_infinite_type_ranges_over_what_a_condition_leaves() {
    let text = module(
        "automaton A
           signature output get(m: Int), internal add(k: Int) where 1 <= k /\\ k <= 3
           states box: Seq[Int] := {}
           transitions
             output get(m)
               pre box ~= {} /\\ m = head(box)
               eff box := tail(box)
             internal add(k)
               pre len(box) < 2
               eff box := box |- k",
    )
    .unwrap();
    // The head is not asked for where there is none.
    assert!(
        text.contains("\\E m \\in (IF box # <<>> THEN {Head(box)} ELSE {}) : get(m)"),
        "{text}"
    );
    assert!(text.contains("\\E k \\in 1..3 : add(k)"), "{text}");
}

#[test]
fn values_that_conditions_give_indirectly_are_a_set() {
    let text = module(
        "type Node
         type Msg = tuple of to: Node, seq: Nat
         type Event = union of got: Msg, none: Bool
         automaton A
           signature internal put(m: Msg), take(n: Node, k: Nat), echo(m: Msg), jump(k: Nat), see(k: Nat), copy(m: Msg)
           states net: Set[Msg] := {}, queue: Seq[Msg] := {}, last: Null[Msg] := nil,
             event: Event := none(true), count: Array[Node, Nat] := constant(0)
           transitions
             internal put(m)
               pre \\E n: Node (m = [n, count[n]])
               eff net := insert(m, net)
             internal take(n, k)
               pre [n, k] \\in net
               eff event := got([n, k])
             internal echo(m)
               pre m \\in queue \\/ last = embed(m)
               eff queue := queue |- m
             internal jump(k)
               pre \\E n: Node (k = count[n] + 1)
               eff last := nil
             internal see(k)
               pre \\E n: Node (event = got([n, k]))
               eff last := nil
             internal copy(m)
               pre queue ~= {} /\\ m.seq = head(queue).seq /\\ head(queue).to = m.to
               eff queue := tail(queue)
         invariant Old of A: \\A m: Msg (m \\in net \\/ m \\in queue => m.seq < 9)",
    )
    .unwrap();
    for set in [
        "\\E m \\in Range([n \\in Node |-> [to |-> n, seq |-> count[n]]]) : put(m)",
        "\\E k \\in Range([e_ \\in net |-> e_.seq]) : take(n, k)",
        "\\E m \\in Range(queue) \\cup Range([e_ \\in {e_ \\in {last} : e_ # Nil} |-> Val(e_)]) : echo(m)",
        "\\E k \\in Range([e_ \\in Range([e_ \\in {e_ \\in {event} : \"got\" \\in DOMAIN e_} |-> e_.got]) |-> e_.seq]) : see(k)",
        "IF queue # <<>> THEN {[to |-> Head(queue).to, seq |-> Head(queue).seq]} ELSE {}",
        "\\A m \\in net \\cup Range(queue) :",
    ] {
        let line: Vec<&str> = text.split_whitespace().collect();
        assert!(line.join(" ").contains(set), "{set}: {text}");
    }
}

#[test]
fn what_is_said_of_fields_of_sums_and_of_cases_is_a_set() {
    let text = r"
type Kind = enumeration of ask, ack
type Packet = tuple of num: Nat, kind: Kind
automaton A
  signature
    internal take(p: Packet), below(n: Nat), equal(p: Packet), apart(n: Nat), both(i: Int)
  states
    log: Seq[Bool] := {}
  transitions
    internal take(p) pre p.num < len(log) /\ p.kind = ack
    internal below(n) pre n + 1 < len(log)
    internal equal(p) pre p.num + 1 = len(log)
    internal apart(n) pre n < 2 \/ n = 5
    internal both(i) pre 0 <= i /\ 5 - i > len(log)
";
    let module = module(text).expect("it can be exported");
    for part in [
        r"\E p \in [num: 0..Len(log) - 1, kind: Kind] : take(p)",
        r"\E n \in 0..Len(log) - 1 - 1 : below(n)",
        r"\E p \in [num: {Len(log) - 1} \cap Nat, kind: Kind] : equal(p)",
        r"\E n \in 0..2 - 1 \cup {5} : apart(n)",
        r"\E i \in 0..5 - Len(log) - 1 : both(i)",
    ] {
        assert!(module.contains(part), "{part}\n{module}");
    }
}

#[test]
fn a_tuple_of_which_a_field_is_not_bounded_is_refused() {
    let text = "
type Packet = tuple of num: Nat, other: Nat
automaton A
  signature internal take(p: Packet)
  transitions internal take(p) pre p.num < 3
";
    assert_eq!(
        module(text),
        Err(vec![
            "p ranges over all of Packet, which TLC cannot go through: it cannot be exported"
                .into()
        ])
    );
}

#[test]
fn what_cannot_be_said_is_refused() {
    let refused = |text: &str| module(text).unwrap_err().join("; ");
    let any = refused(
        "automaton A
           signature internal step(k: Int)
           states x: Int := 0
           transitions internal step(k) eff x := k",
    );
    assert!(any.contains("k ranges over all of Int"), "{any}");
    let half = refused(
        "type Msg = tuple of to: Nat, seq: Nat
         automaton A
           signature internal step(m: Msg)
           states x: Nat := 0
           transitions internal step(m) pre m.seq = x \\/ m.to = x eff x := m.to",
    );
    assert!(half.contains("m ranges over all of Msg"), "{half}");
    let chosen = refused(
        "type Node
         automaton A
           signature internal step
           states best: Array[Node, Int] := constant(0)
           transitions internal step
             eff for n: Node where true do best[n] := choose b where 0 <= b /\\ b < 3 od",
    );
    assert!(chosen.contains("a choice is made in a loop"), "{chosen}");
}

#[test]
fn a_relation_that_is_no_function_is_refused() {
    let model = model(&["automaton Low
           signature internal step
           states x: Int := 0
           transitions internal step eff x := x + 1
         automaton High
           signature internal step
           states y: Int := 0
           transitions internal step eff y := y + 1
         forward simulation from Low to High: High.y <= Low.x
           proof
             initially High.y := 0
             for internal step ignore"]);
    let problems = messages(tla::simulation(&model, &universe(&model, 1), 0).unwrap_err());
    assert_eq!(
        problems,
        ["the relation does not say what High.y is: it cannot be exported"]
    );
}

/// A channel that delivers, two clauses of one action in one class, and a property with a parameter.
const DELIVERS: &str = "type Msg
    automaton Channel
      signature input send(m: Msg), output receive(m: Msg), internal tick
      states held: Set[Msg] := {}, ticks: Int := 0
      transitions
        input send(m)
          eff held := insert(m, held)
        output receive(m) where m = m
          pre m \\in held /\\ ticks = 0
          eff held := delete(m, held)
        output receive(m)
          pre m \\in held /\\ ticks ~= 0
          eff held := delete(m, held)
        internal tick
          eff ticks := 1 - ticks
      tasks
        {receive(m)} for m: Msg;
        {tick}";

#[test]
fn liveness_is_temporal_and_tasks_are_fairness() {
    let model = model(&[&format!(
        "{DELIVERS}
         liveness Ticks of Channel: always eventually ticks = 1
         liveness Delivered of Channel: m \\in held leads to m \\notin held for m: Msg"
    )]);
    let module = tla::automaton(&model, &universe(&model, 2), AutomatonId(0)).unwrap();
    let text = &module.text;
    assert!(
        text.contains("\nSpec == Init /\\ [][Next]_vars\n"),
        "{text}"
    );
    assert!(
        text.contains(
            "\
Fairness ==
  /\\ \\A m \\in Msg : WF_vars(receive(m) \\/ receive_2(m))
  /\\ WF_vars(tick)

FairSpec == Spec /\\ Fairness

Ticks == []<>(ticks = 1)

Delivered == \\A m \\in Msg : m \\in held ~> m \\notin held
"
        ),
        "{text}"
    );
    assert!(module.config.contains("SPECIFICATION FairSpec\n"));
    assert!(module.config.contains("PROPERTIES\n  Ticks\n  Delivered\n"));
}

#[test]
fn without_liveness_there_is_no_fairness() {
    let model = model(&[DELIVERS]);
    let module = tla::automaton(&model, &universe(&model, 2), AutomatonId(0)).unwrap();
    assert!(!module.text.contains("WF_vars"), "{}", module.text);
    assert!(module.config.contains("SPECIFICATION Spec\n"));
}

#[test]
fn a_task_without_end_is_refused() {
    let refused = module(
        "automaton A
           signature internal step(k: Int) where 0 <= k /\\ k < 3
           states x: Int := 0
           transitions internal step(k) eff x := k
           tasks {step(k)} for k: Int
         liveness Moves of A: always eventually x = 1",
    );
    assert_eq!(
        refused.unwrap_err(),
        ["k ranges over all of Int, which TLC cannot go through: it cannot be exported"]
    );
}

/// The models that use each type of the language.
const MODELS: [&str; 7] = [
    include_str!("models/unions.ioa"),
    include_str!("models/maps.ioa"),
    include_str!("models/bags.ioa"),
    include_str!("models/lets.ioa"),
    include_str!("models/lists.ioa"),
    include_str!("models/deep.ioa"),
    include_str!("models/tags.ioa"),
];

#[test]
fn the_models_for_the_second_oracle_can_be_exported() {
    for text in MODELS {
        assert_eq!(module(text).map(|_| ()), Ok(()), "{text}");
    }
}

#[test]
fn a_module_is_not_called_as_one_that_it_extends() {
    let model = model(&[MODELS[2]]);
    let module = tla::automaton(&model, &universe(&model, 2), AutomatonId(0)).unwrap();
    assert_eq!(module.name, "Bags_2");
    assert!(module.text.contains("---- MODULE Bags_2 ----"));
}

#[test]
fn whether_a_value_may_be_nil_can_be_told_of_infinite_types() {
    // TLC cannot go through `{<<x>> : x \in Nat}`, but it can tell whether a function is from one set to the other.
    let text = module(MODELS[4]).unwrap();
    assert!(
        text.contains("Null(S_) == {<<>>} \\cup [1..1 -> S_]\n"),
        "{text}"
    );
}

#[test]
fn strings_and_characters_are_compared_by_their_codes() {
    let text = module(
        "automaton A
           signature internal raise
           states word: String := \"ab\", sign: Char := 'c'
           transitions internal raise pre word < \"b\" /\\ sign <= 'd' eff word := \"b\"
         invariant Sorted of A: word > \"a\"",
    )
    .expect("a module");
    assert!(text.contains("Before(word, \"b\")"), "{text}");
    assert!(text.contains("~Before(\"d\", sign)"), "{text}");
    assert!(text.contains("Sorted == Before(\"a\", word)"), "{text}");
    assert!(
        text.contains("[\\\\]^_`abc"),
        "the signs are a string of TLA+"
    );
}

#[test]
fn a_problem_is_told_once_with_its_places() {
    let model = model(&["automaton A
           signature internal go
           states x: Real := 0.5
           transitions internal go pre x < 2.0 /\\ x ~= 1.5 eff x := x * x + 1.0
         invariant Small of A: x < 100.0 /\\ x > 0.0 /\\ abs(x) < 100.0"]);
    let refused = tla::automaton(&model, &universe(&model, 2), AutomatonId(0));
    let problems = refused.expect_err("there are no reals");
    let about_reals = problems
        .iter()
        .filter(|p| p.message.contains("integers only"));
    let about_reals: Vec<_> = about_reals.collect();
    let [problem] = about_reals.as_slice() else {
        panic!("{problems:#?}");
    };
    assert_eq!(problem.related.len(), 3, "{problem:#?}");
    assert!(
        problem.help.iter().any(|h| h.contains("more places")),
        "{problem:#?}"
    );
}

#[test]
fn the_set_of_all_maps_is_built_only_for_what_holds_maps() {
    let text = module(
        "type Item
         automaton A
           signature internal go(i: Item)
           states stock: Map[Item, Nat] := empty, near: Map[Item, Item] := empty,
             last: Null[Map[Item, Item]] := nil
           transitions internal go(i) eff stock[i] := 1; near[i] := i; last := embed(near)",
    )
    .expect("a module");
    assert!(text.contains("/\\ IsMap(stock, Item, Nat)\n"), "{text}");
    assert!(text.contains("/\\ IsMap(near, Item, Item)\n"), "{text}");
    assert!(
        text.contains("/\\ last \\in Null(Maps(Item, Item))\n"),
        "{text}"
    );
}
