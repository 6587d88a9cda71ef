//! `provided` against `ensuring`: it leads to the same states, and disables a clause where `ensuring` finds no outcome.

use std::collections::{BTreeMap, BTreeSet};

use interpreter::{Cell, Executor, FaultKind, Instance, Interrupt, State};
use ioa_lang::core::{AutomatonId, TransitionId};
use ioa_lang::{Severity, Sources, load};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use test_support::generate;

use crate::common::{instance, model, random_values, small};

const FIRST: AutomatonId = AutomatonId(0);

/// Seeds of random automata.
const CASES: u64 = 150;
/// States of each of them that are looked at.
const STATES: usize = 12;

/// The states after the steps of a clause from a state, by the parameters that its name shows; nothing where a term has no value.
type Steps = BTreeMap<Vec<Cell>, BTreeSet<State>>;

fn steps(executor: &mut Executor<'_>, state: &State, clause: TransitionId) -> Option<Steps> {
    let enabled = executor.enabled(state).ok()?;
    let mut steps = Steps::new();
    for firing in enabled.iter().filter(|f| f.transition == clause) {
        let found = match executor.outcomes(state, firing) {
            Ok(found) => found,
            Err(Interrupt::Fault(fault)) if fault.kind == FaultKind::NoOutcome => Vec::new(),
            Err(_) => return None,
        };
        let after = steps.entry(firing.params.clone()).or_default();
        after.extend(found.into_iter().map(|outcome| outcome.state));
    }
    steps.retain(|_, after| !after.is_empty());
    Some(steps)
}

/// The text with `provided` in the place of one `ensuring`.
fn texts(text: &str) -> impl Iterator<Item = String> {
    let places = text
        .match_indices("ensuring ")
        .map(|(at, found)| (at, at + found.len()));
    places.map(|(begin, end)| format!("{}provided {}", &text[..begin], &text[end..]))
}

/// Whether it can be said: an input has no `provided`, and what it asks for is neither chosen nor written by a loop.
fn is_sayable(text: &str) -> bool {
    let mut sources = Sources::new();
    sources.add("test", text);
    let mut diagnostics = load(&sources).diagnostics.into_iter();
    diagnostics.all(|d| d.severity != Severity::Error)
}

/// The clauses that differ between two instances of the same automaton but for one `provided`.
fn changed(one: &Instance, other: &Instance) -> Vec<TransitionId> {
    let clauses = |instance: &Instance| instance.model().automaton(FIRST).transitions.clone();
    let pairs = clauses(one).into_iter().zip(clauses(other)).enumerate();
    let differs = pairs.filter(|(_, (a, b))| a.ensuring != b.ensuring || a.pre != b.pre);
    differs.map(|(at, _)| TransitionId::at(at)).collect()
}

#[test]
fn what_is_provided_leads_to_the_states_that_ensuring_allows() {
    let (mut taken, mut disabled, mut clauses) = (0, 0, 0);
    for seed in 0..CASES {
        let text = generate::automaton(seed, true);
        for provided in texts(&text).filter(|text| is_sayable(text)) {
            let (ensures, provides) = (small(&text), small(&provided));
            let (Ok(mut one), Ok(mut other)) = (
                Executor::new(&ensures, FIRST),
                Executor::new(&provides, FIRST),
            ) else {
                continue;
            };
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            for clause in changed(&ensures, &provides) {
                clauses += 1;
                for _ in 0..STATES {
                    let values = random_values(&ensures, FIRST, &mut rng);
                    let Ok(state) = ensures.layout(FIRST).state(&values) else {
                        continue;
                    };
                    let Some(mine) = steps(&mut one, &state, clause) else {
                        continue;
                    };
                    let Some(theirs) = steps(&mut other, &state, clause) else {
                        panic!("seed {seed}: a term has no value\n{provided}");
                    };
                    assert_eq!(mine, theirs, "seed {seed}\n{provided}");
                    taken += usize::from(!mine.is_empty());
                    disabled += usize::from(mine.is_empty());
                }
            }
        }
    }
    println!("{clauses} clauses: {taken} states with steps, {disabled} without");
    assert!(clauses > 10 && taken > 30 && disabled > 30);
}

/// Written with branches, parts of values and a variable that only the condition decides.
const RELATION: &str = "
type Pair = tuple of a: Int, b: Int
automaton R
  signature internal go(up: Bool), free
  states p: Pair := [0, 0], m: Array[Bool, Int] := constant(0), k: Int := 0
  transitions
    internal go(up)
      eff if up then p.a := p.a + 1; m[up] := p.a elseif p.b < 2 then p.b := p.b + 1 fi;
          m[~up] := p.b
      provided p'.a + p'.b <= 3 /\\ m'[up] ~= 2 /\\ p' ~= p
    internal free
      provided k' \\in {k + 1, k + 2} /\\ k' <= 3
";

#[test]
fn a_condition_on_the_outcome_is_a_precondition() {
    let instance = instance(model(&[RELATION]), &[]);
    let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
    let starts = executor.starts().expect("there are start states");
    let mut seen: BTreeSet<State> = starts.into_iter().map(|start| start.state).collect();
    let mut left: Vec<State> = seen.iter().cloned().collect();
    let mut steps = 0;
    while let Some(state) = left.pop() {
        for firing in executor.enabled(&state).expect("all terms have values") {
            for outcome in executor
                .outcomes(&state, &firing)
                .expect("there is an outcome")
            {
                steps += 1;
                if seen.insert(outcome.state.clone()) {
                    left.push(outcome.state);
                }
            }
        }
    }
    // Counted by a few lines of another language.
    assert_eq!((seen.len(), steps), (36, 77));
}
