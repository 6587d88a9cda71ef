//! Steps that the solver shows to be independent are tried in both orders by the interpreter, in random states.

use std::ops::ControlFlow;

use interpreter::{Executor, Firing, Label, State, TransitionSystem};
use ioa_lang::core::AutomatonId;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use session::pipeline::explore::by_solver;
use test_support::{generate, values};

/// Seeds of random automata.
const AUTOMATA: u64 = 60;

/// States in which the steps of each are tried.
const STATES: usize = 12;

/// What a firing does in a state.
#[derive(Debug, PartialEq, Eq)]
enum Tried {
    Disabled,
    /// It has a result. Clauses with several are not tried.
    Result(State),
    /// It has none, though it is enabled.
    Nothing,
}

/// What a firing does, if it has at most one result.
fn tried(executor: &mut Executor<'_>, state: &State, firing: &Firing) -> Option<Tried> {
    match executor.is_enabled(state, firing) {
        Ok(true) => {}
        Ok(false) => return Some(Tried::Disabled),
        Err(_) => return Some(Tried::Nothing),
    }
    let mut results = Vec::new();
    let all = executor.each_outcome(state, firing, &mut |choices, after| {
        results.push((choices.is_empty(), after.clone()));
        ControlFlow::Continue(())
    });
    match (all, results.pop()) {
        (Ok(_), Some((true, after))) => Some(Tried::Result(after)),
        (Ok(_), _) => None,
        (Err(_), _) => Some(Tried::Nothing),
    }
}

/// What the second firing does before the first one has a result, and after it; and the state that the two lead to.
fn in_order(
    executor: &mut Executor<'_>,
    state: &State,
    [first, second]: [&Firing; 2],
) -> Option<Option<State>> {
    let Tried::Result(between) = tried(executor, state, first)? else {
        return Some(None);
    };
    let before = tried(executor, state, second)?;
    let after = tried(executor, &between, second)?;
    match (before, after) {
        (Tried::Result(_), Tried::Result(end)) => Some(Some(end)),
        (before, after) if before == after => Some(None),
        (before, after) => panic!("{before:?} before {first:?}, {after:?} after it: {second:?}"),
    }
}

/// A random state of the one automaton of an instance.
fn random_state(executor: &Executor<'_>, rng: &mut ChaCha8Rng) -> Option<State> {
    let instance = executor.instance();
    let layout = instance.layout(AutomatonId(0));
    let (model, universe) = (instance.model(), instance.universe());
    let ids = layout.ids();
    let values: Vec<_> = ids
        .map(|v| values::draw(model, universe, layout.ty(v), rng))
        .collect();
    layout.state(&values).ok()
}

/// How many pairs of firings that overlap were shown to be independent, and how often both had a result.
#[derive(Debug, Default)]
struct Met {
    pairs: usize,
    taken: usize,
}

impl Met {
    /// Tries the steps of an automaton.
    fn automaton(&mut self, seed: u64) {
        let text = generate::automaton(seed, seed.is_multiple_of(2));
        let instance = super::instance(&text).expect("a right model");
        let Ok(mut executor) = Executor::new(&instance, AutomatonId(0)) else {
            return;
        };
        let stop = || false;
        let Some(mut solver) = by_solver(&instance, AutomatonId(0), &[], &stop) else {
            return;
        };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let states: Vec<State> = (0..STATES)
            .filter_map(|_| random_state(&executor, &mut rng))
            .collect();
        let mut firings: Vec<Firing> = Vec::new();
        for state in &states {
            let enabled = executor.enabled(state).unwrap_or_default();
            firings.extend(enabled.into_iter().take(2));
        }
        firings.sort();
        firings.dedup();
        for (at, one) in firings.iter().enumerate() {
            for other in &firings[at..] {
                let overlap = !executor
                    .footprint(one)
                    .is_independent_of(&executor.footprint(other));
                let [mine, theirs] = [one, other].map(|firing| Label::of(firing, &[]));
                if overlap && solver.are_independent(&mine, &theirs) {
                    self.pairs += 1;
                    self.pair(&mut executor, &states, [one, other]);
                }
            }
        }
    }

    /// Tries a pair in both orders.
    fn pair(&mut self, executor: &mut Executor<'_>, states: &[State], [one, other]: [&Firing; 2]) {
        for state in states {
            let there = in_order(executor, state, [one, other]);
            let back = in_order(executor, state, [other, one]);
            if let (Some(there), Some(back)) = (there, back) {
                self.taken += usize::from(there.is_some());
                assert_eq!(there, back, "{one:?} {other:?} in {state:?}");
            }
        }
    }
}

#[test]
fn steps_that_the_solver_shows_to_be_independent_commute() {
    let tried = |parity: u64| {
        let mut met = Met::default();
        (0..AUTOMATA)
            .filter(|seed| seed % 2 == parity)
            .for_each(|seed| met.automaton(seed));
        met
    };
    let (even, odd) = std::thread::scope(|scope| {
        let even = scope.spawn(|| tried(0));
        let odd = tried(1);
        (even.join().expect("the other half runs through"), odd)
    });
    println!("{even:?} {odd:?}");
    assert!(even.pairs + odd.pairs > 20 && even.taken + odd.taken > 20);
}
