//! The made-up states that a frame tells apart, by the valuations of its literals: there are far fewer of these than states times
//! values of the variables, and a clause excludes a state if it is false of one of the valuations that the state has.

use rustc_hash::FxHashMap;

use super::super::cover::{Row, WORDS_COMBINED, bits};
use super::super::evidence::ones;
use super::open::Open;

/// Valuations beyond this are not kept.
const MAX_VALUATIONS: usize = 400_000;
/// In the time of one look at a row, so many states are looked up.
const STATES_LOOKED_UP: usize = 8;

/// The valuations of made-up states, each with the states that have it under some assignment.
#[derive(Default)]
pub(crate) struct MadeUp {
    known: FxHashMap<Row, usize>,
    /// For each literal the valuations in which it is true.
    holding: Vec<Vec<u64>>,
    /// For each valuation its states.
    states: Vec<Vec<u32>>,
}

impl MadeUp {
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// How many states are noted, once for each of their valuations.
    pub(super) fn noted(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Notes that a state has a valuation. Valuations beyond so many are left out.
    pub(super) fn add(&mut self, valuation: &[u64], state: u32) {
        let at = match self.known.get(valuation) {
            Some(at) => *at,
            None if self.len() >= MAX_VALUATIONS => return,
            None => self.note(valuation),
        };
        self.states[at].push(state);
    }

    /// Notes a valuation that is new; says at which position.
    fn note(&mut self, valuation: &[u64]) -> usize {
        let at = self.len();
        self.holding.resize(64 * valuation.len(), Vec::new());
        if at.is_multiple_of(64) {
            self.holding.iter_mut().for_each(|words| words.push(0));
        }
        for literal in bits(valuation) {
            self.holding[literal][at / 64] |= 1 << (at % 64);
        }
        self.known.insert(valuation.into(), at);
        self.states.push(Vec::new());
        at
    }

    /// Leaves out, once all states of a block are noted, that one has a valuation more than once.
    pub(super) fn settle(&mut self) {
        for states in &mut self.states {
            states.sort_unstable();
            states.dedup();
        }
    }

    /// What tells which of these states clauses exclude.
    pub(super) fn sieve(&self) -> Sieve<'_> {
        Sieve {
            made_up: self,
            alive: ones(self.len()),
        }
    }

    /// A valuation by its position.
    fn valuation(&self, at: usize) -> Row {
        let mut row = vec![0_u64; self.holding.len() / 64];
        for (literal, words) in self.holding.iter().enumerate() {
            row[literal / 64] |= (words[at / 64] >> (at % 64) & 1) << (literal % 64);
        }
        row.into_boxed_slice()
    }
}

/// Tells which states clauses exclude, one clause after the other, of those that are open. A state that is not open any more never is
/// again: a valuation that only such states have is not looked at any more.
pub(crate) struct Sieve<'m> {
    made_up: &'m MadeUp,
    /// The valuations that some open state may have.
    alive: Vec<u64>,
}

impl Sieve<'_> {
    /// The open states that a clause excludes, each once, and how many looks at a row that took.
    pub(crate) fn excluded(&mut self, clause: &[usize], open: &Open) -> (Vec<u32>, u64) {
        let mut looks = 1 + clause.len() * self.alive.len() / WORDS_COMBINED;
        let mut found: Vec<u32> = Vec::new();
        for word in 0..self.alive.len() {
            let holds = clause
                .iter()
                .map(|literal| self.made_up.holding[*literal][word]);
            let mut rest = self.alive[word] & !holds.fold(0, |any, own| any | own);
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let states = &self.made_up.states[64 * word + bit as usize];
                let before = found.len();
                found.extend(states.iter().filter(|state| open.has(**state)));
                looks += states.len() / STATES_LOOKED_UP;
                if found.len() == before {
                    self.alive[word] &= !(1 << bit);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        (found, looks as u64)
    }

    /// The valuation at a position, if some open state has it.
    pub(super) fn open(&self, at: usize, open: &Open) -> Option<Row> {
        let is_alive = self.alive[at / 64] >> (at % 64) & 1 == 1;
        let is_open = || self.made_up.states[at].iter().any(|state| open.has(*state));
        (is_alive && is_open()).then(|| self.made_up.valuation(at))
    }

    pub(super) fn len(&self) -> usize {
        self.made_up.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_excludes_the_states_of_which_some_valuation_makes_it_false() {
        let mut made_up = MadeUp::default();
        // Literals 2n and 2n + 1 are each other's negation.
        for (valuation, state) in [
            (0b0101, 3),
            (0b0101, 64),
            (0b0110, 3),
            (0b0101, 3),
            (0b1010, 7),
        ] {
            made_up.add(&[valuation], state);
        }
        made_up.settle();
        assert_eq!((made_up.len(), made_up.noted()), (3, 4));
        let mut open = Open::all(&[8, 1]);
        let mut sieve = made_up.sieve();
        assert_eq!(sieve.excluded(&[1, 3], &open).0, [3, 64]);
        assert_eq!(sieve.excluded(&[0, 3], &open).0, [3]);
        open.close(&[3]);
        assert_eq!(sieve.excluded(&[0, 3], &open).0, []);
        assert_eq!(sieve.excluded(&[1, 3], &open).0, [64]);
        let valuations = (0..sieve.len()).map(|at| sieve.open(at, &open));
        let valuations: Vec<Option<Row>> = valuations.collect();
        let expected = [Some([0b0101].into()), None, Some([0b1010].into())];
        assert_eq!(valuations, expected);
    }
}
