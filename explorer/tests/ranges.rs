//! A search by packed integers counts and finds what one by general values does, for any number of threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use explorer::{Bounds, Level, Question, Search, Status};
use finite::{Ranges, Universe, intervals};
use interpreter::{Executor, Instance, Interpreted, Rows};
use ioa_lang::core::AutomatonId;
use ioa_lang::{Severity, Sources};

/// Lamport's bakery, with tickets up to a number.
const BAKERY: &str = "
type Node
type Place = enumeration of outside, waiting, inside
automaton Bakery
  signature
    internal draw(n: Node), enter(n: Node), leave(n: Node)
  states
    place: Array[Node, Place] := constant(outside),
    ticket: Array[Node, Nat] := constant(0),
    last: Nat := 0,
    balance: Int := 0
  transitions
    internal draw(n)
      pre place[n] = outside /\\ last < 9
      eff last := last + 1;
          ticket[n] := last;
          place[n] := waiting;
          balance := balance - 3
    internal enter(n)
      pre place[n] = waiting /\\ \\A m: Node (place[m] ~= outside => ticket[n] <= ticket[m])
      eff place[n] := inside
    internal leave(n)
      pre place[n] = inside
      eff place[n] := outside;
          ticket[n] := 0;
          balance := balance + 1;
          if \\A m: Node (ticket[m] = 0) then last := 0 fi
invariant Alone of Bakery: \\A n, m: Node (place[n] = inside /\\ place[m] = inside => n = m)
invariant Early of Bakery: last < 5
invariant Rich of Bakery: balance > -12
";

/// What a search counts and finds: its levels, its steps by clause, its findings with their depths.
type Found = (Vec<Level>, Vec<u64>, Vec<(usize, Question)>);

fn search(instance: &Instance, threads: usize) -> Found {
    let id = AutomatonId(0);
    let rows = Rows::new(instance, id);
    let mut executor = Executor::new(instance, id).expect("it can be run");
    let mut starts = Vec::new();
    for outcome in executor.starts().expect("start states") {
        rows.push(&outcome.state, &mut starts);
    }
    let steps = (0..threads).map(|_| Interpreted::new(instance, id, &[0, 1, 2], rows.clone()));
    let steps = steps.collect::<Result<_, _>>().expect("it can be run");
    let bounds = Bounds {
        depth: Some(16),
        states: None,
        memory: u64::MAX,
    };
    let mut search = Search::new(steps, &starts, bounds);
    while search.advance() == Status::Going {}
    let findings = search.findings().iter().map(|f| (f.depth, f.question));
    let mut findings: Vec<_> = findings.collect();
    findings.sort_unstable();
    (search.levels(), search.fired().to_vec(), findings)
}

#[test]
fn packed_integers_make_no_difference_but_to_the_size_of_states() {
    let mut sources = Sources::new();
    sources.add("bakery", BAKERY);
    let loaded = ioa_lang::load(&sources);
    for diagnostic in &loaded.diagnostics {
        assert_ne!(diagnostic.severity, Severity::Error, "{diagnostic:?}");
    }
    let (model, id) = (Arc::new(loaded.model), AutomatonId(0));
    let sizes = BTreeMap::from([("Node".to_owned(), 3)]);
    let universe = Universe::new(&model, model.every_setting(), &sizes).expect("the sizes fit");
    let general = Instance::new(Arc::clone(&model), universe.clone());
    let expected = search(&general, 1);
    assert!(
        expected.0.len() > 16 && expected.2.len() == 2,
        "{expected:?}"
    );
    let from_text = Ranges::of(&model, id, |place| {
        intervals(&model, id).get(place).copied()
    });
    let bounded = from_text.map(|ranges| ranges.len());
    assert_eq!(bounded, Some(2), "the text bounds tickets, not the balance");
    let mut ranges = Ranges::of(&model, id, |_| Some(finite::GUESS));
    let packed = loop {
        let universe = universe.clone().with_ranges(ranges.clone());
        let instance = Instance::new(Arc::clone(&model), universe);
        search(&instance, 2);
        if instance.range_overflows().is_empty() {
            break instance;
        }
        ranges = ranges.and_then(|ranges| instance.range_overflows().widen(&ranges));
    };
    assert!(general.layout(id).cells() > 0 && packed.layout(id).is_packed());
    for threads in 1..4 {
        assert_eq!(search(&packed, threads), expected, "{threads} threads");
    }
}
