//! A relation is a term of the core: the one that its text stands for, with the same types.

mod common;

use std::collections::BTreeMap;

use common::{Dice, global1, texts};
use invariants::{Options, Samples, detect};
use ioa_lang::core::{EnumId, Invariant, SortId, TupleId, UnionId};
use ioa_lang::value::Value;
use ioa_lang::{Loaded, Sources};

/// Variables of all kinds of types.
const KINDS: &str = "
type Node
type Slot
assumes TotalOrder(Slot)
type Phase = enumeration of idle, busy, done
type Msg = tuple of src: Node, kind: Phase
type Item = union of num: Int, who: Node
automaton Kinds
  states
    phase: Array[Node, Phase],
    slot: Array[Node, Slot],
    box: Map[Node, Nat],
    item: Item,
    bag: Mset[Node],
    queue: Seq[Node],
    last: Null[Msg],
    a, b: Nat,
    c, d: Int,
    seen, gone: Set[Node],
    flag: Bool
";

/// A few states, so that many relations hold, most of them by chance.
fn few_states_of_all_kinds(seed: u64) -> Samples {
    let mut samples = common::samples(KINDS, &[("Node", 2), ("Slot", 3)]);
    let mut dice = Dice::new(seed);
    for _ in 0..3 {
        let row = samples
            .encode_state(&state(&mut dice))
            .expect("values of their types");
        samples.add_state(&row).expect("a state");
    }
    samples
}

fn state(dice: &mut Dice) -> Vec<Value> {
    let node = |at: u64| Value::Element(SortId(0), at as u32);
    let phase = |at: u64| Value::Enumerator(EnumId(0), at as u32);
    let array = |parts: [Value; 2]| Value::Array {
        entries: (0..).map(node).zip(parts).collect(),
        default: None,
    };
    let mut nodes = || -> Vec<Value> { (0..2).filter(|_| dice.flip()).map(node).collect() };
    let (bag, queue, seen, gone) = (nodes(), nodes(), nodes(), nodes());
    let keys = nodes();
    let number = dice.below(4);
    let item = match dice.flip() {
        true => Value::Union(UnionId(0), 0, Box::new(Value::int(number))),
        false => Value::Union(UnionId(0), 1, Box::new(node(dice.below(2)))),
    };
    let msg = Value::Tuple(TupleId(0), vec![node(dice.below(2)), phase(dice.below(3))]);
    let last = dice.flip().then(|| Box::new(msg));
    let mut slot = || Value::Element(SortId(1), dice.below(3) as u32);
    let slots = [slot(), slot()];
    vec![
        array([phase(dice.below(3)), phase(dice.below(3))]),
        array(slots),
        Value::Map(
            keys.into_iter()
                .map(|key| (key, Value::int(number)))
                .collect(),
        ),
        item,
        Value::Mset(
            bag.into_iter()
                .map(|node| (node, 1))
                .collect::<BTreeMap<_, _>>(),
        ),
        Value::Seq(queue),
        Value::Null(last),
        Value::int(number),
        Value::int(3 * number + 1),
        Value::int(2 * number + 5),
        Value::int(-(number as i64)),
        Value::Set(seen.into_iter().collect()),
        Value::Set(gone.into_iter().collect()),
        Value::Bool(dice.flip()),
    ]
}

/// What holds in the samples, however little evidence there is, is read from its text as it was built.
fn is_what_its_text_stands_for(samples: &Samples, mut sources: Sources, least: usize) {
    let holding = detect(samples, &Options { confidence: 0.0 });
    let said = texts(samples, &holding);
    assert!(said.len() > least, "{}", said.len());
    let subject = samples.schema().subject();
    let before = ioa_lang::load(&sources).model.invariants.len();
    let stated = said.iter().enumerate();
    let stated = stated.map(|(at, formula)| format!("invariant F{at} of {subject}: {formula}"));
    sources.add("holding.ioa", stated.collect::<Vec<_>>().join("\n"));
    let Loaded {
        model, diagnostics, ..
    } = ioa_lang::load(&sources);
    let errors = diagnostics
        .iter()
        .filter(|d| d.severity == ioa_lang::Severity::Error);
    assert_eq!(errors.collect::<Vec<_>>(), [] as [&ioa_lang::Diagnostic; 0]);
    let read: Vec<&Invariant> = model.invariants.iter().skip(before).collect();
    assert_eq!(read.len(), said.len());
    for ((read, relation), text) in read.into_iter().zip(&holding.relations).zip(said) {
        assert_eq!(read.formula, relation.invariant.formula, "{text}");
    }
}

#[test]
fn relations_of_all_kinds_are_the_terms_that_their_texts_stand_for() {
    let mut sources = Sources::default();
    sources.add("kinds.ioa", KINDS);
    for seed in 0..20 {
        is_what_its_text_stands_for(&few_states_of_all_kinds(seed), sources.clone(), 30);
    }
}

#[test]
fn relations_of_the_case_study_are_the_terms_that_their_texts_stand_for() {
    is_what_its_text_stands_for(&global1::run(20, 100, 3), global1::sources(), 20);
}
