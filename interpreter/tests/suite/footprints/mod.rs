//! Footprints: which they are for a model whose steps can be read off, and against what steps do on random automata.

mod cells;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use interpreter::{
    Access, Cell, Executor, Firing, Footprint, Instance, Label, State, Step, TransitionSystem,
};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, TransitionId, VarId};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use test_support::generate;

use self::cells::{agree, with_cell_of_cell};
use crate::common::{random_values, small};

const FIRST: AutomatonId = AutomatonId(0);

/// Seeds of random automata.
const CASES: u64 = 60;
/// States of each of them that are looked at.
const STATES: usize = 8;

/// Each clause touches the state in a way of its own.
const CLAUSES: &str = "
type Ballot
type Node
type Pair = tuple of left: Node, right: Bool
automaton A
  signature internal send(n: Node), take(n: Node, m: Node), all, next(n: Node), part(n: Node), free(n: Node)
  states
    sent: Set[Pair] := {}, at: Array[Node, Node], on: Array[Node, Bool] := constant(false),
    last: Map[Node, Pair] := empty, grid: Array[Node, Array[Node, Bool]] := constant(constant(false)), b: Bool := true
  transitions
    internal send(n)
      pre on[n] /\\ b
      eff sent := insert([n, true], sent)
    internal take(n, m)
      pre [n, false] \\in sent /\\ ~defined(last, m)
      eff last[m] := [n, on[m]]
    internal all
      pre \\A n: Node (on[n])
      eff for n: Node where true do on[n] := false od
    internal next(n)
      eff on[at[n]] := true
    internal part(n)
      eff grid[n][n] := b
    internal free(n)
      ensuring b' ~= on[n]
";

/// What is read and what is written by the first enabled or disabled firing of a clause, with names.
fn shown(instance: &Instance, firing: &Firing) -> (Vec<String>, Vec<String>) {
    let layout = instance.layout(FIRST);
    let mut executor = Executor::new(instance, FIRST).expect("it can be run");
    let Footprint { reads, writes, .. } = executor.footprint(firing);
    let show = |access: &Access| {
        let name = layout.name(access.variable);
        let indices = access.cell.iter();
        indices.fold(name.to_string(), |name, index| {
            format!("{name}[{}]", index.display(instance.model()))
        })
    };
    let show = |all: &BTreeSet<Access>| {
        let mut names: Vec<String> = all.iter().map(show).collect();
        names.sort();
        names
    };
    (show(&reads), show(&writes))
}

#[test]
fn cells_are_named_where_the_parameters_say_which() {
    let instance = small(CLAUSES);
    let firing = |clause: usize, params: &[u64]| Firing {
        transition: TransitionId::at(clause),
        params: params.iter().map(|p| Cell::Word(*p)).collect(),
        hidden: Vec::new(),
    };
    let expect = |firing: &Firing, reads: &[&str], writes: &[&str]| {
        let (found, changed) = shown(&instance, firing);
        assert_eq!(found, reads);
        assert_eq!(changed, writes);
    };
    let (send, other) = (firing(0, &[1]), firing(0, &[2]));
    expect(&send, &["b", "on[Node#1]"], &["sent[[Node#1, true]]"]);
    expect(
        &firing(1, &[0, 2]),
        &["last[Node#2]", "on[Node#2]", "sent[[Node#0, false]]"],
        &["last[Node#2]"],
    );
    expect(&firing(2, &[]), &["on"], &["on"]);
    expect(&firing(3, &[1]), &["at[Node#1]", "on"], &["on"]);
    expect(&firing(4, &[1]), &["b"], &["grid[Node#1][Node#1]"]);
    expect(&firing(5, &[0]), &["b", "on[Node#0]"], &["b"]);
    let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
    let mut footprint = |firing: &Firing| executor.footprint(firing);
    // Two messages that are sent commute, one that is awaited does not commute with its being sent, nor does what
    // changes a cell with what reads the whole array.
    assert!(footprint(&send).is_independent_of(&footprint(&other)));
    assert!(footprint(&send).is_independent_of(&footprint(&firing(1, &[1, 0]))));
    assert!(!footprint(&send).is_independent_of(&footprint(&send)));
    assert!(!footprint(&firing(2, &[])).is_independent_of(&footprint(&send)));
    assert!(!footprint(&send).is_independent_of(&footprint(&firing(5, &[0]))));
}

fn values_of(instance: &Instance, state: &State) -> Vec<Value> {
    let layout = instance.layout(FIRST);
    layout.ids().map(|v| layout.value(state, v)).collect()
}

/// Takes what is touched from one state, and all else from another.
fn mixed(touched: &BTreeSet<Access>, from: &[Value], otherwise: &[Value]) -> Vec<Value> {
    let mut values = otherwise.to_vec();
    for Access { variable, cell } in touched {
        let at = variable.index();
        values[at] = with_cell_of_cell(&values[at], cell, &from[at]);
    }
    values
}

/// The results of a firing, or that one of them is missing.
fn results(executor: &mut Executor<'_>, state: &State, firing: &Firing) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let all = executor.each_outcome(state, firing, &mut |choices, after| {
        steps.push(Step {
            label: Label::of(firing, choices),
            state: after.clone(),
        });
        ControlFlow::Continue(())
    });
    all.ok().map(|_| steps)
}

/// What the tests of footprints have met.
#[derive(Debug, Default)]
struct Met {
    steps: usize,
    cells: usize,
    cells_of_cells: usize,
    elsewhere: usize,
    disabled: usize,
}

impl Met {
    /// Holds the steps by a firing from a state to its footprint.
    fn steps(
        &mut self,
        executor: &mut Executor<'_>,
        firing: &Firing,
        [mine, others]: [&[Value]; 2],
        context: &str,
    ) {
        let instance = executor.instance();
        let layout = instance.layout(FIRST);
        let Footprint {
            reads,
            writes,
            accumulations,
            ..
        } = executor.footprint(firing);
        let is_accumulated = |v: VarId| accumulations.keys().any(|access| access.variable == v);
        let state = layout.state(mine).expect("it was made before");
        let enabled = executor.is_enabled(&state, firing);
        // Elsewhere there are the same values where it reads.
        let other = mixed(&reads, mine, others);
        let Ok(there) = layout.state(&other) else {
            return;
        };
        let Ok(enabled) = enabled else {
            assert!(executor.is_enabled(&there, firing).is_err(), "{context}");
            return;
        };
        assert_eq!(
            executor.is_enabled(&there, firing),
            Ok(enabled),
            "{context}"
        );
        self.disabled += usize::from(!enabled);
        let expected = results(executor, &state, firing);
        let found = results(executor, &there, firing);
        let (Some(expected), Some(found)) = (&expected, &found) else {
            assert!(expected.is_none() && found.is_none(), "{context}");
            return;
        };
        assert_eq!(found.len(), expected.len(), "{context}");
        self.cells += writes.iter().filter(|w| !w.cell.is_empty()).count();
        self.cells_of_cells += writes.iter().filter(|w| w.cell.len() > 1).count();
        for (step, there) in expected.iter().zip(found) {
            let after = values_of(instance, &step.state);
            // Nothing but what is written has changed.
            assert_eq!(mixed(&writes, &after, mine), after, "{context}");
            self.steps += 1;
            assert_eq!(step.label, there.label, "{context}");
            let there = values_of(instance, &there.state);
            // What becomes of that in which the step accumulates depends on what it was.
            let others = layout.ids().filter(|v| !is_accumulated(*v));
            for (v, name) in others.map(|v| (v.index(), layout.name(v))) {
                let (here, elsewhere) = ([&mine[v], &after[v]], [&other[v], &there[v]]);
                assert!(agree(here, elsewhere), "{name}: {firing:?}\n{context}");
            }
            self.elsewhere += usize::from(other != mine);
        }
    }
}

/// A random automaton, to be looked at in random states that are drawn one after the other.
struct Case<'i> {
    executor: Executor<'i>,
    rng: ChaCha8Rng,
    /// The seed and the text, for messages.
    context: String,
}

/// Clauses that touch cells of cells.
const NESTED: &str = "
type Ballot
type Node
automaton A
  signature internal clear(n: Node, m: Node), move(n: Node, m: Node), put(n: Node, m: Node), note(n: Node, m: Node),
    change(n: Node, m: Node), row(n: Node), copy(n: Node, m: Node), part(n: Node, m: Node), pick(n: Node, m: Node)
  states
    grid: Array[Node, Array[Node, Bool]] := constant(constant(false)), sent: Array[Node, Set[Node]] := constant({}),
    bag: Array[Node, Array[Node, Mset[Node]]] := constant(constant({})), at: Array[Node, Node],
    last: Array[Node, Map[Node, Node]] := constant(empty), kept: Map[Node, Array[Node, Bool]] := empty
  transitions
    internal clear(n, m)
      pre grid[n][m]
      eff grid[n][m] := false
    internal move(n, m)
      pre m \\in sent[n]
      eff sent[n] := delete(m, sent[n]); sent[m] := insert(n, sent[m])
    internal put(n, m)
      pre ~grid[m][n]
      eff bag[n][m] := insert(m, bag[n][m])
    internal note(n, m)
      pre ~defined(last[n], m)
      eff last[n][m] := at[m]
    internal change(n, m)
      pre defined(last[n], m)
      eff at[last[n][m]] := n
    internal row(n)
      pre \\A m: Node (grid[n][m])
      eff grid[n][at[n]] := false
    internal copy(n, m)
      eff grid[n] := grid[m]
    internal part(n, m)
      pre defined(kept, n)
      eff kept[n][m] := grid[m][n]
    internal pick(n, m)
      eff grid[n][m] := choose b
";

/// Looks at many random automata, and at two whose steps do what those of random ones seldom do.
fn each_random_automaton(mut look: impl FnMut(&mut Case<'_>)) {
    let random = (0..CASES).map(|seed| generate::automaton(seed, seed % 2 == 0));
    let all = random.chain([NESTED, COUNTERS].map(String::from));
    for (seed, text) in (0..).zip(all) {
        let instance = small(&text);
        if let Ok(executor) = Executor::new(&instance, FIRST) {
            look(&mut Case {
                executor,
                rng: ChaCha8Rng::seed_from_u64(seed),
                context: format!("seed {seed}\n{text}"),
            });
        }
    }
}

impl Case<'_> {
    /// The values of the variables in a state, and the state; none if no state has the values that were drawn.
    fn state(&mut self) -> Option<(Vec<Value>, State)> {
        let instance = self.executor.instance();
        let values = random_values(instance, FIRST, &mut self.rng);
        let state = instance.layout(FIRST).state(&values).ok()?;
        Some((values, state))
    }
}

#[test]
fn steps_of_random_automata_stay_within_their_footprints() {
    let mut met = Met::default();
    each_random_automaton(|case| {
        let mut firings: Vec<Firing> = Vec::new();
        for _ in 0..STATES {
            let Some((mine, state)) = case.state() else {
                continue;
            };
            // Those that other states enable may be disabled here.
            firings.truncate(10);
            let here = case.executor.enabled(&state).unwrap_or_default();
            firings.splice(0..0, here.into_iter().take(10));
            for firing in &firings {
                let others = random_values(case.executor.instance(), FIRST, &mut case.rng);
                met.steps(&mut case.executor, firing, [&mine, &others], &case.context);
            }
        }
    });
    println!("{met:#?}");
    assert!(met.steps > 1_000 && met.elsewhere > 500 && met.cells > 50 && met.disabled > 100);
    assert!(met.cells_of_cells > 20);
}

/// A clause for each manner of accumulating, and some that look at what others accumulate in.
const COUNTERS: &str = "
type Ballot
type Node
automaton A
  signature internal add(k: Nat), double, put(n: Node), throw(n: Node), draw(n: Node), take, look(n: Node), both
  states
    total: Nat := 0, sent: Mset[Node] := {}, at: Array[Node, Mset[Node]] := constant({}), seen: Nat := 0
  transitions
    internal add(k)
      pre k < 3
      eff total := total + k
    internal double
      eff total := total + total
    internal put(n)
      eff sent := insert(n, sent)
    internal throw(n)
      eff sent := delete(n, sent)
    internal draw(n)
      eff at[n] := insert(n, at[n])
    internal take
      pre total > 0
      eff total := 0
    internal look(n)
      eff seen := count(n, sent)
    internal both
      eff total := total + 1; total := 2
";

#[test]
fn what_accumulates_in_one_manner_commutes_and_nothing_else_that_overlaps_does() {
    let instance = small(COUNTERS);
    let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
    let mut footprint = |clause: usize, param: Option<u64>| {
        executor.footprint(&Firing {
            transition: TransitionId::at(clause),
            params: param.into_iter().map(Cell::Word).collect(),
            hidden: Vec::new(),
        })
    };
    let [add, more] = [1, 2].map(|k| footprint(0, Some(k)));
    let [put, again] = [0, 0].map(|n| footprint(2, Some(n)));
    let other = footprint(3, Some(1));
    let [draw, drawn] = [0, 0].map(|n| footprint(4, Some(n)));
    let (double, throw, take, look) = (
        footprint(1, None),
        footprint(3, Some(0)),
        footprint(5, None),
        footprint(6, Some(0)),
    );
    let both = footprint(7, None);
    for (one, another) in [
        (&add, &more),
        (&put, &again),
        (&put, &other),
        (&draw, &drawn),
        (&throw, &throw),
    ] {
        assert!(one.is_independent_of(another), "{one:?} {another:?}");
    }
    // Doubling reads what it adds to; a multiset that is empty stays so when something is thrown out before it is put in.
    let apart = [
        (&add, &double),
        (&add, &take),
        (&put, &throw),
        (&put, &look),
        (&add, &both),
        (&both, &both),
    ];
    for (one, another) in apart {
        assert!(!one.is_independent_of(another), "{one:?} {another:?}");
        assert!(!another.is_independent_of(one), "{another:?} {one:?}");
    }
}

/// The states after a step by each of two firings, in this order, if both can be taken.
fn after_both(
    executor: &mut Executor<'_>,
    state: &State,
    [first, second]: [&Firing; 2],
) -> Option<BTreeSet<State>> {
    let mut all = BTreeSet::new();
    for step in results(executor, state, first)? {
        let steps = results(executor, &step.state, second)?;
        all.extend(steps.into_iter().map(|step| step.state));
    }
    Some(all)
}

#[test]
fn independent_steps_of_random_automata_commute() {
    let (mut pairs, mut accumulating) = (0, 0);
    each_random_automaton(|case| {
        for _ in 0..STATES {
            let Some((_, state)) = case.state() else {
                continue;
            };
            let executor = &mut case.executor;
            let enabled = executor.enabled(&state).unwrap_or_default();
            let enabled: Vec<(Firing, Footprint)> = enabled
                .into_iter()
                .take(12)
                .map(|firing| (firing.clone(), executor.footprint(&firing)))
                .collect();
            for (i, (one, mine)) in enabled.iter().enumerate() {
                for (other, theirs) in &enabled[i + 1..] {
                    if !mine.is_independent_of(theirs) {
                        continue;
                    }
                    let there = after_both(executor, &state, [one, other]);
                    let back = after_both(executor, &state, [other, one]);
                    assert_eq!(there, back, "{one:?} {other:?}\n{}", case.context);
                    pairs += 1;
                    let mut written = mine.writes.iter();
                    accumulating +=
                        usize::from(written.any(|w| theirs.writes.iter().any(|t| w.overlaps(t))));
                }
            }
        }
    });
    println!("{pairs} pairs, {accumulating} of which accumulate in the same");
    assert!(pairs > 500 && accumulating > 20);
}
