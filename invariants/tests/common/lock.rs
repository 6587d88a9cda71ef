//! A lock service: clients wait, one at a time holds the lock and works.

use invariants::Samples;

use super::{Dice, record, samples};

const TEXT: &str = "
type Client
type Phase = enumeration of idle, pending, working
automaton Lock
  signature
    internal ask(c: Client), grant(c: Client), release(c: Client)
  states
    phase: Array[Client, Phase],
    owner: Null[Client],
    waiting: Set[Client]
";

const CLIENTS: u64 = 3;

/// Phases of a client.
const IDLE: u64 = 0;
const WAITING: u64 = 1;
const WORKING: u64 = 2;

#[derive(Clone, Copy, Default)]
struct State {
    phase: [u64; 3],
    /// 0 or the holder plus 1.
    owner: u64,
    waiting: u64,
}

impl State {
    fn row(&self) -> Vec<u64> {
        let phases = self.phase[0] | self.phase[1] << 2 | self.phase[2] << 4;
        vec![phases, self.owner, self.waiting]
    }
}

/// Samples of random runs; with `broken`, a client may be granted a lock that another holds.
pub(crate) fn run(runs: u64, steps: u64, seed: u64, broken: bool) -> Samples {
    let mut samples = samples(TEXT, &[("Client", CLIENTS)]);
    let mut dice = Dice::new(seed);
    for _ in 0..runs {
        let mut state = State::default();
        samples.add_state(&state.row()).expect("a state");
        for _ in 0..steps {
            let (action, c) = (dice.below(3) as usize, dice.below(CLIENTS));
            let phase = state.phase[c as usize];
            let mut next = state;
            let enabled = match action {
                0 => phase == IDLE,
                1 => phase == WAITING && (state.owner == 0 || broken),
                _ => phase == WORKING,
            };
            match action {
                0 => (next.phase[c as usize], next.waiting) = (WAITING, state.waiting | 1 << c),
                1 => {
                    next.phase[c as usize] = WORKING;
                    next.waiting &= !(1 << c);
                    next.owner = c + 1;
                }
                _ => (next.phase[c as usize], next.owner) = (IDLE, 0),
            }
            if enabled {
                record(&mut samples, action, &state.row(), &next.row(), &[c]);
                state = next;
            }
        }
    }
    samples
}
