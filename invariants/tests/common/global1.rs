//! The ballot algorithm of the Paxos case study with 3 nodes, 2 values and 3 ballots, transition by transition.

use invariants::Samples;
use ioa_lang::Sources;

use super::{Dice, of_automaton, record};

const NODES: u64 = 3;
const VALUES: u64 = 2;
const BALLOTS: u64 = 3;

/// The state: sets as masks, `val` as 0 or a value plus 1.
#[derive(Clone, Copy, Default)]
struct State {
    initiated: u64,
    decided: u64,
    failed: u64,
    proposed: u64,
    ballots: u64,
    succeeded: u64,
    dead: u64,
    val: [u64; 3],
    voted: [u64; 3],
    abstained: [u64; 3],
}

impl State {
    /// The packed row.
    fn row(&self) -> Vec<u64> {
        let pack =
            |parts: &[u64; 3], bits: u64| parts[0] | parts[1] << bits | parts[2] << (2 * bits);
        vec![
            self.initiated,
            self.decided,
            self.failed,
            self.proposed,
            self.ballots,
            self.succeeded,
            self.dead,
            pack(&self.val, 2),
            pack(&self.voted, 3),
            pack(&self.abstained, 3),
        ]
    }

    fn has_quorum(sets: &[u64; 3], ballot: u64) -> bool {
        sets.iter().filter(|s| **s >> ballot & 1 == 1).count() >= 2
    }

    fn may_assign(&self, b: u64, v: u64) -> bool {
        let below = |c: u64| self.dead >> c & 1 == 1 || self.val[c as usize] == v + 1;
        self.ballots >> b & 1 == 1
            && self.val[b as usize] == 0
            && self.proposed >> v & 1 == 1
            && (0..b).all(below)
    }

    fn is_active(&self, i: u64) -> bool {
        self.initiated >> i & 1 == 1 && self.failed >> i & 1 == 0
    }

    /// The state after an action, if it is enabled.
    fn step(&self, action: usize, i: u64, b: u64, v: u64, set: u64) -> Option<Self> {
        let mut next = *self;
        let node = i as usize;
        let enabled = match action {
            0 | 1 => true,
            2 => self.ballots >> b & 1 == 0,
            3 => self.may_assign(b, v),
            4 => {
                self.is_active(i)
                    && self.ballots >> b & 1 == 1
                    && self.abstained[node] >> b & 1 == 0
            }
            5 => self.is_active(i) && set & self.voted[node] == 0,
            6 => self.ballots >> b & 1 == 1 && Self::has_quorum(&self.voted, b),
            _ => {
                self.is_active(i)
                    && self.decided >> i & 1 == 0
                    && (0..BALLOTS)
                        .any(|b| self.succeeded >> b & 1 == 1 && self.val[b as usize] == v + 1)
            }
        };
        match action {
            0 => {
                (next.initiated, next.proposed) = (next.initiated | 1 << i, next.proposed | 1 << v);
            }
            1 => next.failed |= 1 << i,
            2 => next.ballots |= 1 << b,
            3 => next.val[b as usize] = v + 1,
            4 => next.voted[node] |= 1 << b,
            5 => {
                next.abstained[node] |= set;
                let dies = |b: &u64| set >> b & 1 == 1 && Self::has_quorum(&next.abstained, *b);
                next.dead |= (0..BALLOTS).filter(dies).fold(0, |mask, b| mask | 1 << b);
            }
            6 => next.succeeded |= 1 << b,
            _ => next.decided |= 1 << i,
        }
        enabled.then_some(next)
    }
}

/// The case study's own text.
pub(crate) fn sources() -> Sources {
    let mut sources = Sources::new();
    for (name, text) in [
        (
            "cons.ioa",
            include_str!("../../../case-studies/paxos/cons.ioa"),
        ),
        (
            "global1.ioa",
            include_str!("../../../case-studies/paxos/global1.ioa"),
        ),
    ] {
        sources.add(name, text);
    }
    sources
}

/// No samples yet of the automaton as the case study declares it.
pub(crate) fn empty() -> Samples {
    let model = ioa_lang::load(&sources()).model;
    let automaton = model.automaton_named("Global1").expect("it is declared");
    let sizes = [("Node", NODES), ("Value", VALUES), ("Ballot", BALLOTS)];
    of_automaton(&model, automaton, &sizes)
}

/// All samples of random runs: actions and parameters are drawn until they are enabled. Failures are rarer than the
/// rest, else most runs would end soon; in some runs many nodes propose first, as a schedule would have it.
pub(crate) fn run(runs: u64, steps: u64, seed: u64) -> Samples {
    let mut samples = empty();
    let mut dice = Dice::new(seed);
    for _ in 0..runs {
        let mut state = State::default();
        samples.add_state(&state.row()).expect("a state");
        let eager = dice.flip();
        for _ in 0..steps {
            let action = if eager && state.initiated != 7 {
                0
            } else {
                dice.below(8) as usize
            };
            if action == 1 && dice.below(10) > 0 {
                continue;
            }
            let [i, b, v] = [NODES, BALLOTS, VALUES].map(|n| dice.below(n));
            let set = 1 << dice.below(BALLOTS) | if dice.flip() { 1 << b } else { 0 };
            let Some(next) = state.step(action, i, b, v, set) else {
                continue;
            };
            let params: &[u64] = match action {
                0 | 7 => &[i, v],
                1 => &[i],
                2 | 6 => &[b],
                3 => &[b, v],
                4 => &[i, b],
                _ => &[i, set],
            };
            record(&mut samples, action, &state.row(), &next.row(), params);
            state = next;
        }
    }
    samples
}

/// Rows of reachable states, for measuring how fast they are added.
pub(crate) fn rows(count: usize) -> Vec<Vec<u64>> {
    let samples = run(200, 400, 7);
    let states = samples.states();
    let row = |at: usize| (0..states.width()).map(|c| states.column(c)[at]).collect();
    let distinct: Vec<Vec<u64>> = (0..states.rows()).map(row).collect();
    distinct.iter().cycle().take(count).cloned().collect()
}
