//! Single transitions of finite instances, with quantifiers left to the solver and written out.

use std::collections::BTreeMap;

use crate::common::{CONS, GLOBAL1, model};
use finite::Universe;
use ioa_lang::Value;
use ioa_lang::core::{Model, TransitionId};
use prover_bridge::finite::{StepAnswer, TransitionQuery};

/// The answers with native and with expanded quantifiers, which must be the same.
fn step(
    model: &Model,
    (automaton, action): (&str, &str),
    sizes: &[(&str, u64)],
    state: &[Value],
    params: &[Value],
    choices: &[Value],
) -> StepAnswer {
    let sizes: BTreeMap<String, u64> = sizes.iter().map(|(s, n)| ((*s).to_owned(), *n)).collect();
    let universe = Universe::new(model, model.every_setting(), &sizes).expect("sizes");
    let id = model.automaton_named(automaton).expect("the automaton");
    let transitions = &model.automaton(id).transitions;
    let position = (0..transitions.len())
        .find(|i| *model.automaton(id).action_of(TransitionId::at(*i)).name == *action)
        .expect("the action");
    let mut query = TransitionQuery::new(model, &universe, id);
    let native = query
        .step(state, TransitionId::at(position), params, choices)
        .expect("an answer");
    query.expand_quantifiers = true;
    let expanded = query.step(state, TransitionId::at(position), params, choices);
    assert_eq!(expanded.as_ref(), Ok(&native));
    native
}

fn element(model: &Model, sort: &str, index: u32) -> Value {
    Value::Element(model.sort_named(sort).expect("the sort"), index)
}

fn set(values: impl IntoIterator<Item = Value>) -> Value {
    Value::Set(values.into_iter().collect())
}

/// A state of Global1 with three nodes and two ballots, in which two nodes gave up the first ballot.
fn state(model: &Model) -> Vec<Value> {
    let node = |i| element(model, "Node", i);
    let ballot = |i| element(model, "Ballot", i);
    let array = |entries: Vec<(Value, Value)>| Value::Array {
        entries: entries.into_iter().collect(),
        default: None,
    };
    let per_node = |sets: [Value; 3]| array((0..).map(node).zip(sets).collect());
    vec![
        set([node(0), node(1), node(2)]),
        set([]),
        set([]),
        set([element(model, "Value", 0)]),
        set([ballot(0), ballot(1)]),
        set([]),
        set([]),
        array(vec![
            (ballot(0), Value::Null(None)),
            (ballot(1), Value::Null(None)),
        ]),
        per_node([set([]), set([]), set([])]),
        per_node([set([ballot(0)]), set([]), set([])]),
    ]
}

const SIZES: [(&str, u64); 3] = [("Node", 3), ("Value", 1), ("Ballot", 2)];

#[test]
fn a_majority_that_gives_up_a_ballot_kills_it() {
    let model = model(&[CONS, GLOBAL1]);
    let ballot = |i| element(&model, "Ballot", i);
    let params = [element(&model, "Node", 1), set([ballot(0), ballot(1)])];
    let before = state(&model);
    let answer = step(
        &model,
        ("Global1", "abstain"),
        &SIZES,
        &before,
        &params,
        &[],
    );
    assert!(answer.enabled && answer.undefined.is_empty());
    assert_eq!(answer.after[6], set([ballot(0)]));
    assert_eq!(answer.after[..6], before[..6]);
}

#[test]
fn a_false_precondition_disables() {
    let model = model(&[CONS, GLOBAL1]);
    let params = [element(&model, "Node", 0), element(&model, "Ballot", 0)];
    let answer = step(
        &model,
        ("Global1", "vote"),
        &SIZES,
        &state(&model),
        &params,
        &[],
    );
    assert!(!answer.enabled);
}

const MIXED: &str = "type Node
type Pair = tuple of left: Int, right: Null[Node]
automaton A
  signature internal go(k: Int)
  states
    queue: Seq[Pair] := {},
    n: Nat := 0,
    s: Set[Int] := {}
  transitions
    internal go(k)
      pre div(-7, k) ~= 3
      eff queue := (queue |- [mod(-7, k), nil]) || queue;
          s := delete(2, insert(k + 1, s));
          if k > 0 then n := choose c where c > 3 else n := choose c where c < 3 fi";

#[test]
fn numbers_sequences_and_choices() {
    let model = model(&[MIXED]);
    let tuple = |left: i64| {
        let pair = ioa_lang::core::TupleId(0);
        Value::Tuple(pair, vec![Value::int(left), Value::Null(None)])
    };
    let before = [
        Value::Seq(vec![tuple(5)]),
        Value::int(1),
        set([Value::int(2)]),
    ];
    let go = |k: i64, choice: i64| {
        let sizes = [("Node", 2)];
        step(
            &model,
            ("A", "go"),
            &sizes,
            &before,
            &[Value::int(k)],
            &[Value::int(choice)],
        )
    };
    let answer = go(2, 4);
    // Euclidean: -7 = 2 * -4 + 1.
    assert!(answer.enabled && answer.choices_fit);
    assert_eq!(
        answer.after[0],
        Value::Seq(vec![tuple(5), tuple(1), tuple(5)])
    );
    assert_eq!(answer.after[1], Value::int(4));
    assert!(!go(2, 3).choices_fit && !go(-1, 3).choices_fit && go(-1, 2).choices_fit);
    let lacks: Vec<&str> = go(0, 1).undefined.iter().map(|(_, lack)| *lack).collect();
    assert!(lacks.contains(&"division by zero"), "{lacks:?}");
}

const TALLY: &str = "type Node
automaton A
  signature internal count, settle
  states
    n: Nat := 0,
    votes: Array[Node, Nat] := constant(1),
    voters: Set[Node] := {},
    last: Null[Node] := nil
  transitions
    internal count
      eff for v: Node in voters do n := n + votes[v] od
    internal settle
      ensuring last'.val \\in voters
invariant Few of A: \\A v: Node (v \\in voters => votes[v] < 3)
invariant Apart of A: \\E v: Node (v \\in voters \\/ v = last.val)";

fn tally(model: &Model) -> Vec<Value> {
    let node = |i| element(model, "Node", i);
    let votes = [(node(0), 2), (node(1), 5), (node(2), 3)];
    vec![
        Value::int(1),
        Value::Array {
            entries: votes.map(|(v, n)| (v, Value::int(n))).into(),
            default: None,
        },
        set([node(0), node(2)]),
        Value::Null(None),
    ]
}

#[test]
fn a_sum_over_the_elements_of_a_set() {
    let model = model(&[TALLY]);
    let sizes = [("Node", 3)];
    let answer = step(&model, ("A", "count"), &sizes, &tally(&model), &[], &[]);
    assert_eq!(answer.after[0], Value::int(1 + 2 + 3));
    assert_eq!(answer.after[1..], tally(&model)[1..]);
}

#[test]
fn a_relation_is_asked_of_every_value_that_it_leaves_open() {
    let model = model(&[TALLY]);
    let some = Value::Null(Some(Box::new(element(&model, "Node", 0))));
    let sizes = [("Node", 3)];
    let answer = step(
        &model,
        ("A", "settle"),
        &sizes,
        &tally(&model),
        &[],
        &[some],
    );
    // The given value would do, but nil could not even be asked.
    assert!(answer.enabled && answer.ensured);
    let lacks: Vec<&str> = answer.undefined.iter().map(|(_, lack)| *lack).collect();
    assert_eq!(lacks, ["`.val` of nil"]);
}

#[test]
fn formulas_in_a_state() {
    let model = model(&[TALLY]);
    let universe = Universe::new(
        &model,
        model.every_setting(),
        &BTreeMap::from([("Node".to_owned(), 3)]),
    )
    .expect("sizes");
    let query = TransitionQuery::new(&model, &universe, ioa_lang::core::AutomatonId(0));
    let ask = |invariant: usize, state: &[Value]| {
        let stated = &model.invariants[invariant];
        let answer = query.holds(state, &stated.locals, &stated.formula);
        let answer = answer.expect("an answer");
        (answer.holds, answer.undefined.len())
    };
    let mut state = tally(&model);
    assert_eq!(ask(0, &state), (false, 0));
    // An element of `voters` settles it, but for the others `last.val` is asked for.
    assert_eq!(ask(1, &state), (true, 1));
    state[2] = set([element(&model, "Node", 0)]);
    assert_eq!(ask(0, &state), (true, 0));
}
