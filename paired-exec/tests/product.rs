//! The product of the automata of a simulation means what following it in lockstep means.

mod common;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use interpreter::{Executor, Instance, State, TransitionSystem};
use ioa_lang::Sources;
use paired_exec::{Bounds, End, Followed, Product, begins_well, exhaustive};
use test_support::generate::{self, Drafts};

/// Jobs are taken from a queue and done by workers; the specification only counts them. The block has branches, fires several steps
/// for one, says what is chosen, and reads the high state. A high action has two clauses.
const PAIR: &str = r"
type Worker
automaton Pool
  signature
    input    add(b: Bool)
    internal begin(w: Worker), idle(w: Worker), flush
    output   done(w: Worker)
  states
    queue: Seq[Bool] := {},
    busy: Set[Worker] := {},
    added: Nat
    so that added <= 1
  transitions
    input add(b)
      eff if added < 2 /\ len(queue) < 2 then queue := queue |- b; added := added + 1 fi
    internal begin(w)
      pre w \notin busy /\ queue ~= {}
      eff busy := insert(w, busy); queue := tail(queue)
    internal idle(w)
      pre w \in busy
      eff busy := delete(w, busy); queue := queue |- true
    output done(w)
      pre w \in busy
      eff busy := delete(w, busy)
    internal flush
      pre queue ~= {}
      eff queue := {}

automaton Count
  signature
    input    add(b: Bool)
    internal move(k: Nat), drop(b: Bool), back, rest
    output   done(w: Worker)
  states open: Nat, running: Nat := 0, last: Null[Bool] := nil, dropped: Nat := 0
    so that open <= 1
  transitions
    input add(b)
      eff last := embed(b); if open < 2 then open := open + 1 fi
    internal move(k)
      choose m: Nat
      pre open >= k /\ m = k
      eff open := open - m; running := running + k
    internal drop(b) where b
      pre open > 0
      eff open := open - 1; dropped := 1
    internal drop(b) where ~b
      pre open > 0
      eff open := open - 1
    internal back
      pre running > 0
      eff running := running - 1; open := open + 1
    internal rest
      eff last := choose x where x = last \/ x = nil
    output done(w)
      pre running > 0
      eff running := running - 1
invariant Small of Count: open <= 4 /\ running <= 2

forward simulation from Pool to Count:
  Count.open = len(Pool.queue) /\ Count.running = size(Pool.busy) /\ puts = Pool.added
  proof
    states puts: Nat := 7
    initially
      puts := Pool.added;
      Count.open := 0
    for input add(b: Bool) do
      if Pool.added < 2 /\ len(Pool.queue) < 2 then puts := puts + 1; fire input add(b)
      elseif len(Pool.queue) >= 2 then fire input add(b)
      else fire input add(b); fire internal drop(true)
      fi
    od
    for internal begin(w: Worker) do fire internal move(1) using 1 for m od
    for internal idle(w: Worker) do
      if Count.last = nil then fire internal rest using nil for last
      elseif size(Pool.busy) = 1 then fire internal rest using Count.last for last
      fi;
      fire internal back
    od
    for output done(w: Worker) do fire output done(w) od
    for internal flush do
      if len(Pool.queue) = 1 then fire internal drop(head(Pool.queue))
      elseif len(Pool.queue) = 2 then fire internal drop(true); fire internal drop(false)
      else
        fire internal drop(true); fire internal drop(false); fire internal drop(false);
        if len(Pool.queue) = 4 then fire internal drop(false) fi
      fi
    od
";

/// The pair with something else in the place of some text, which may be the same.
fn pair(from: &str, to: &str) -> Instance {
    assert!(PAIR.contains(from), "{from}");
    let mut sources = Sources::new();
    sources.add("pair", PAIR.replace(from, to));
    common::instance(&sources, &[("Worker", 2)])
}

const MOST: usize = 20_000;

fn followed(instance: &Instance) -> Followed {
    let bounds = Bounds {
        triples: Some(MOST as u64),
        memory: u64::MAX,
        within: &[],
        along: None,
    };
    exhaustive(instance, 0, bounds, &mut |_, _| true).expect("it can be run")
}

/// What a search of the product finds.
#[derive(Debug, PartialEq)]
struct Searched {
    states: u64,
    depth: u64,
    fired: Vec<u64>,
    /// After how many steps an invariant is false, or something has no value.
    fails: Option<u64>,
}

/// Visits the states of the product breadth first, up to the first in which something is wrong.
fn searched(instance: &Instance, product: &Product) -> Searched {
    let universe = instance.universe().clone();
    let joined = Instance::new(Arc::new(product.model.clone()), universe);
    let mut executor = Executor::new(&joined, product.automaton).expect("it can be run");
    let mut depths: BTreeMap<State, u64> = BTreeMap::new();
    let mut queue: Vec<State> = Vec::new();
    let mut found = Searched {
        states: 0,
        depth: 0,
        fired: vec![
            0;
            joined
                .model()
                .automaton(product.automaton)
                .transitions
                .len()
        ],
        fails: None,
    };
    let _ = executor
        .each_start(&mut |_, state| {
            if depths.insert(state.clone(), 0).is_none() {
                queue.push(state.clone());
            }
            ControlFlow::Continue(())
        })
        .expect("there are start states");
    let mut next = 0;
    while let (Some(state), None) = (queue.get(next).cloned(), found.fails) {
        next += 1;
        let depth = depths[&state];
        if !executor
            .violations(&state)
            .is_ok_and(|wrong| wrong.is_empty())
        {
            found.fails = Some(depth);
            break;
        }
        let result = executor.each_step(&state, &mut |firing, _, after| {
            found.fired[firing.transition.index()] += 1;
            if !depths.contains_key(after) {
                depths.insert(after.clone(), depth + 1);
                queue.push(after.clone());
            }
            ControlFlow::Continue(())
        });
        if result.is_err() {
            found.fails = Some(depth + 1);
        }
        assert!(depths.len() < MOST, "there are too many states");
    }
    found.states = depths.len() as u64;
    found.depth = depths.values().copied().max().unwrap_or(0);
    found
}

#[test]
fn a_product_has_the_steps_of_the_pair() {
    let instance = pair("", "");
    let expected = followed(&instance);
    assert_eq!(expected.end, End::Complete);
    assert!(!expected.has_drawn && begins_well(&instance, 0) == Ok(true));
    let product = Product::of(instance.model(), 0, &[]).expect("the block leaves nothing open");
    let found = searched(&instance, &product);
    assert_eq!(
        (found.states, found.depth),
        (expected.triples, expected.depth)
    );
    assert_eq!(found.fails, None);
    let counts = product.counts(&found.fired);
    assert_eq!(counts.fired, expected.fired);
    assert_eq!(counts.fired.iter().sum::<u64>(), expected.low_steps);
    assert_eq!(counts.high_steps, expected.high_steps);
    assert_eq!(counts.branches, expected.branches);
    assert!(
        expected.triples > 50 && counts.branches.len() > 5,
        "{expected:?}"
    );
}

/// Whatever claim fails, it fails in the product after as many steps.
#[test]
fn a_product_fails_where_the_pair_does() {
    let broken = [
        // The relation, and the block's own variables.
        ("puts := puts + 1; fire", "fire"),
        (
            "initially\n      puts := Pool.added;",
            "initially\n      puts := 0;",
        ),
        ("/\\ puts = Pool.added", "/\\ len(Pool.queue) < 2"),
        // High steps that are not enabled, in any of several places.
        ("move(1) using 1 for m", "move(2) using 2 for m"),
        ("move(1) using 1 for m", "move(1) using 2 for m"),
        (
            "rest using Count.last for last",
            "rest using embed(false) for last",
        ),
        (
            "else fire input add(b); fire internal drop(true)",
            "else fire internal drop(true); fire input add(b)",
        ),
        (
            "where ~b\n      pre open > 0",
            "where ~b\n      pre open > 1",
        ),
        // Other traces.
        (
            "fire output done(w) od",
            "fire output done(w); fire output done(w) od",
        ),
        (
            "for output done(w: Worker) do fire output done(w) od",
            "for output done(w: Worker) ignore",
        ),
        (
            "then puts := puts + 1; fire input add(b)",
            "then puts := puts + 1; fire input add(~b)",
        ),
        (
            "fire internal move(1) using 1 for m od",
            "fire internal move(1) using 1 for m; fire output done(w) od",
        ),
        // High invariants, at the end and on the way.
        ("open <= 4 /\\ running <= 2", "open <= 1"),
        ("open <= 4 /\\ running <= 2", "running <= 1"),
        (
            "fire internal drop(true); fire internal drop(false)\n",
            "fire internal drop(true); fire input add(true); fire internal drop(true)\n",
        ),
        // Terms without a value.
        (
            "fire internal drop(head(Pool.queue))",
            "fire internal drop(head(tail(Pool.queue)))",
        ),
        ("if Count.last = nil then", "if Count.last.val then"),
        (
            "len(Pool.queue) /\\ Count.running",
            "len(tail(Pool.queue)) /\\ Count.running",
        ),
    ];
    let mut depths = Vec::new();
    for (from, to) in broken {
        let instance = pair(from, to);
        let End::Failed(failure, _) = followed(&instance).end else {
            panic!("{to}: nothing fails");
        };
        let product = Product::of(instance.model(), 0, &[]).expect(to);
        let found = match begins_well(&instance, 0).expect("it can be run") {
            true => searched(&instance, &product).fails,
            false => Some(0),
        };
        assert_eq!(found, Some(failure.step), "{to}");
        depths.push(failure.step);
    }
    depths.sort_unstable();
    depths.dedup();
    assert!(depths.len() > 3, "{depths:?}");
}

/// Where something is left to chance, or cannot be told beforehand, there is no product.
#[test]
fn what_is_left_open_has_no_product() {
    let open = [
        ("move(1) using 1 for m", "move(1)"),
        ("rest using nil for last", "rest"),
        ("      Count.open := 0\n", "      Count.dropped := 0\n"),
        (
            "fire internal move(1) using 1 for m od",
            "for v: Worker where v = w do fire internal move(1) using 1 for m od od",
        ),
        // A condition on the state after a step, and an argument that the step itself changes.
        (
            "      fire internal back\n",
            "      if Count.running > 0 then fire internal back fi\n",
        ),
        (
            "move(1) using 1 for m",
            "move(Count.open) using Count.open for m",
        ),
    ];
    for (from, to) in open {
        let instance = pair(from, to);
        assert!(Product::of(instance.model(), 0, &[]).is_none(), "{to}");
    }
    // Which of two clauses is taken would be drawn: then the product fails, and the pair has to be followed in lockstep.
    let instance = pair("internal drop(b) where ~b", "internal drop(b)");
    let product =
        Product::of(instance.model(), 0, &[]).expect("the block itself leaves nothing open");
    assert!(searched(&instance, &product).fails.is_some());
    assert!(followed(&instance).has_drawn);
}

/// Random simulations: what is found along all executions is found in the product, if there is one. Where something is left to chance,
/// or the product of a pair is not searched for another reason, nothing is compared.
#[test]
fn random_pairs_and_their_products_agree() {
    let drafts = Drafts::of_parts(9);
    let (mut agreed, mut failing, mut deep) = (0, 0, 0);
    for seed in 0..SEEDS {
        let made = generate::forward(&drafts.draft(seed));
        match compared(&made) {
            Compared::Not => {}
            Compared::Differ(how) => {
                let smallest = drafts.shrunk(seed, 300, |draft| {
                    matches!(compared(&generate::forward(draft)), Compared::Differ(_))
                });
                let made = generate::forward(&smallest);
                panic!("seed {seed}: {how}\n{}", made.text);
            }
            Compared::Agree { fails, states } => {
                agreed += 1;
                failing += u64::from(fails);
                deep += u64::from(!fails && states > 10);
            }
        }
    }
    println!("{agreed} agree: {failing} fail, {deep} hold with more than ten states");
    assert!(
        agreed * 10 > SEEDS && failing > 10 && deep > 0,
        "{agreed} {failing} {deep}"
    );
}

/// How many random simulations are compared.
const SEEDS: u64 = 1_000;

enum Compared {
    /// There is nothing to compare.
    Not,
    Agree {
        fails: bool,
        states: u64,
    },
    Differ(String),
}

fn compared(made: &generate::Model) -> Compared {
    let mut sources = Sources::new();
    sources.add("pair", made.text.clone());
    let loaded = ioa_lang::load(&sources);
    let is_wrong = loaded
        .diagnostics
        .iter()
        .any(|d| d.severity == ioa_lang::Severity::Error);
    if is_wrong || loaded.model.simulations.is_empty() {
        return Compared::Not;
    }
    let instance = common::instance(&sources, &made.sizes);
    let bounds = Bounds {
        triples: Some(2_000),
        memory: u64::MAX,
        within: &[],
        along: None,
    };
    let begins = begins_well(&instance, 0);
    let (Ok(true), Some(product)) = (begins, Product::of(instance.model(), 0, &[])) else {
        return Compared::Not;
    };
    let Ok(expected) = exhaustive(&instance, 0, bounds, &mut |_, _| true) else {
        return Compared::Not;
    };
    let fails = match &expected.end {
        End::Failed(failure, _) => Some(failure.step),
        End::Low(_, Some(trace)) => Some(trace.steps.len() as u64 + 1),
        End::Complete => None,
        _ => return Compared::Not,
    };
    let found = searched(&instance, &product);
    if expected.has_drawn {
        // What is left to chance fails in the product.
        return match found.fails {
            Some(_) => Compared::Not,
            None => Compared::Differ(format!("it holds, expected {:?}", expected.end)),
        };
    }
    if found.fails != fails {
        return Compared::Differ(format!(
            "{:?}, expected {fails:?}: {:?}",
            found.fails, expected.end
        ));
    }
    let counts = product.counts(&found.fired);
    let seen = (
        found.states,
        found.depth,
        counts.high_steps,
        counts.fired,
        counts.branches,
    );
    let Followed {
        triples,
        depth,
        high_steps,
        fired,
        branches,
        ..
    } = expected;
    let wanted = (triples, depth, high_steps, fired, branches);
    if fails.is_none() && seen != wanted {
        return Compared::Differ(format!("{seen:?}, expected {wanted:?}"));
    }
    Compared::Agree {
        fails: fails.is_some(),
        states: found.states,
    }
}

/// The name of a study, its files, and the sizes of its sorts.
type Study<'s> = (&'s str, &'s [&'s str], &'s [(&'s str, u64)]);

#[test]
fn the_products_of_studies_are_small_enough_to_be_searched_twice() {
    let studies: [Study<'_>; 3] = [
        (
            "two-phase-commit",
            &["tcommit.ioa", "two-phase.ioa", "refinement.ioa"],
            &[("RM", 2)],
        ),
        (
            "lamport-paxos",
            &["paxos.ioa", "consensus.ioa", "refinement.ioa"],
            &[("Acceptor", 2), ("Ballot", 2), ("Value", 1)],
        ),
        (
            "migrating-table",
            &["table.ioa", "migrating.ioa", "refinement.ioa"],
            &[("Client", 1), ("Key", 1), ("Value", 1)],
        ),
    ];
    for (study, files, sizes) in studies {
        let mut sources = Sources::new();
        for file in files {
            let path = format!(
                "{}/../case-studies/{study}/{file}",
                env!("CARGO_MANIFEST_DIR")
            );
            let text = std::fs::read_to_string(&path).expect(&path);
            sources.add(path, text);
        }
        let instance = common::instance(&sources, sizes);
        let expected = followed(&instance);
        assert_eq!(expected.end, End::Complete, "{study}");
        let product = Product::of(instance.model(), 0, &[]).expect(study);
        let found = searched(&instance, &product);
        assert_eq!(found.fails, None, "{study}");
        let counts = product.counts(&found.fired);
        assert_eq!(
            (found.states, found.depth, counts.fired, counts.high_steps),
            (
                expected.triples,
                expected.depth,
                expected.fired,
                expected.high_steps
            ),
            "{study}"
        );
        assert_eq!(counts.branches, expected.branches, "{study}");
    }
}
