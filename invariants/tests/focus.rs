//! Relations of terms that somebody gave, in cases that somebody tells apart, and without what is left out.

mod common;

use common::{Dice, texts};
use finite::Universe;
use invariants::{Focus, Limits, Options, Samples, Schema, detect};
use ioa_lang::core::{AutomatonId, OpenTerm, Type, VarId};
use ioa_lang::value::Value;
use ioa_lang::{FileId, Loaded, Sources};

const TEXT: &str = "
type Node
automaton A
  states
    n, m: Int,
    high: Bool,
    queue: Seq[Int],
    load: Array[Node, Int]
";

fn loaded() -> Loaded {
    let mut sources = Sources::default();
    sources.add("a.ioa", TEXT);
    ioa_lang::load(&sources)
}

fn terms(loaded: &Loaded, texts: &[&str], wanted: Option<&Type>) -> Vec<OpenTerm> {
    let read = |text: &&str| {
        let found = ioa_lang::open_term(&loaded.names, (FileId(1), text), AutomatonId(0), wanted);
        found.expect("a term of the test")
    };
    texts.iter().map(read).collect()
}

/// Samples of values, with those of the terms.
fn sampled(focus: &Focus, states: Vec<(Vec<Value>, Vec<Option<Value>>)>) -> Samples {
    let model = loaded().model;
    let sizes = [("Node".to_owned(), 2)].into();
    let universe = Universe::new(&model, model.every_setting(), &sizes).expect("sizes");
    let schema = Schema::focused((&model, &universe, AutomatonId(0)), focus);
    let mut samples = Samples::new(schema, Limits::default());
    for (values, own) in states {
        let mut row = samples.encode_state(&values).expect("values");
        row.extend(samples.encode_own(own).expect("values of the terms"));
        samples.add_state(&row).expect("a state");
    }
    samples
}

/// A state: `m` is above `n` by 3 where it is high, and below elsewhere; a load is at most 100, and at least `n` for node 0.
fn state(dice: &mut Dice) -> (Vec<Value>, i64, i64, Option<i64>, [i64; 2]) {
    let n = dice.below(1000) as i64;
    let high = dice.flip();
    let m = if high {
        n + 3
    } else {
        n - 1 - dice.below(50) as i64
    };
    let queue: Vec<i64> = (0..dice.below(3)).map(|_| dice.below(9) as i64).collect();
    let loads = [0, 1].map(|_| dice.below(100) as i64);
    let node = |at: u32| Value::Element(ioa_lang::core::SortId(0), at);
    let load = Value::Array {
        entries: [0, 1]
            .map(|at| (node(at), Value::int(loads[at as usize])))
            .into(),
        default: None,
    };
    let numbers = queue.iter().map(|n| Value::int(*n)).collect();
    let values = vec![
        Value::int(n),
        Value::int(m),
        Value::Bool(high),
        Value::Seq(numbers),
        load,
    ];
    (values, n, m, queue.first().copied(), loads)
}

fn found(samples: &Samples) -> Vec<String> {
    texts(samples, &detect(samples, &Options { confidence: 0.0 }))
}

#[test]
fn what_holds_in_a_case_is_found_there_and_nowhere_else() {
    let loaded = loaded();
    let focus = Focus {
        splits: terms(&loaded, &["high"], Some(&Type::Bool)),
        ..Focus::default()
    };
    let mut dice = Dice::new(1);
    let states = (0..500).map(|_| {
        let (values, ..) = state(&mut dice);
        let own = vec![Some(values[2].clone())];
        (values, own)
    });
    let found = found(&sampled(&focus, states.collect()));
    let has = |text: &str| found.iter().any(|own| own == text);
    assert!(has("high => m = n + 3"), "{found:#?}");
    assert!(has("~high => m < n"), "{found:#?}");
    assert!(!has("m = n + 3") && !has("m < n") && !has("~high => m = n + 3"));
    // What is supposed is not found.
    assert!(!has("high => high"));
}

#[test]
fn a_term_is_compared_where_it_has_a_value() {
    let loaded = loaded();
    let focus = Focus {
        terms: terms(&loaded, &["head(queue)", "abs(n - m)"], None),
        ..Focus::default()
    };
    let mut dice = Dice::new(2);
    let states = (0..500).map(|_| {
        let (values, n, m, head, _) = state(&mut dice);
        let own = vec![head.map(Value::int), Some(Value::int((n - m).abs()))];
        (values, own)
    });
    let found = found(&sampled(&focus, states.collect()));
    let bounded = "queue ~= {} => head(queue) <= 8";
    assert!(found.iter().any(|own| own == bounded), "{found:#?}");
    assert!(
        found.iter().any(|own| own == "1 <= abs(n - m)"),
        "{found:#?}"
    );
    assert!(!found.iter().any(|own| own == "head(queue) <= 8"));
}

#[test]
fn a_term_that_leaves_a_variable_open_is_compared_for_all_of_its_values() {
    let loaded = loaded();
    let focus = Focus {
        terms: terms(&loaded, &["max(load[i], 50)"], None),
        ..Focus::default()
    };
    let mut dice = Dice::new(3);
    let states = (0..500).map(|_| {
        let (values, _, _, _, loads) = state(&mut dice);
        let own = loads.map(|load| Some(Value::int(load.max(50))));
        (values, own.to_vec())
    });
    let found = found(&sampled(&focus, states.collect()));
    let bounded = "\\A p: Node (50 <= max(load[p], 50))";
    assert!(found.iter().any(|own| own == bounded), "{found:#?}");
    let compared = "\\A p: Node (load[p] <= max(load[p], 50))";
    assert!(found.iter().any(|own| own == compared), "{found:#?}");
}

#[test]
fn nothing_is_said_of_what_is_left_out() {
    let focus = Focus {
        left_out: [VarId(1), VarId(4)].into(),
        ..Focus::default()
    };
    let mut dice = Dice::new(4);
    let states = (0..500).map(|_| (state(&mut dice).0, Vec::new()));
    let found = found(&sampled(&focus, states.collect()));
    assert!(found.iter().any(|own| own.contains("queue")), "{found:#?}");
    let reads = |own: &&String| own.contains('m') || own.contains("load");
    assert_eq!(found.iter().find(reads), None);
}
