//! Many states that are rarely looked at. A small collection takes some hundred bytes as a cell, for a node has room for several
//! elements; as words it takes some bytes an element.

use crate::state::cell::Cell;
use crate::state::layout::State;

/// The bits of a byte that hold a part of a word; the last one says whether there is more of it.
const PAYLOAD_BITS: u32 = 7;

/// States of one automaton, in the form of words, of which most are small.
#[derive(Clone, Debug, Default)]
pub struct States {
    /// How many words and how many cells each state has.
    widths: (usize, usize),
    bytes: Vec<u8>,
    /// Where the bytes of each state end.
    ends: Vec<usize>,
}

impl States {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many states there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes that they take, about.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.bytes.len() + self.ends.len() * size_of::<usize>()) as u64
    }

    /// As many of them as take so many bytes, about, evenly chosen.
    #[must_use]
    pub fn thinned(&self, bytes: u64) -> Self {
        let step = self.bytes().div_ceil(bytes.max(1)).max(1);
        match usize::try_from(step) {
            Ok(1) => self.clone(),
            Ok(step) => self.iter().step_by(step).collect(),
            Err(_) => Self::new(),
        }
    }

    /// Adds a state, which must be one of the same automaton in the same instance.
    pub fn push(&mut self, state: &State) {
        self.widths = (state.words.len(), state.cells.len());
        let mut words = state.words.clone();
        for cell in &state.cells {
            cell.push_counted(&mut words);
        }
        for mut word in words {
            while word >> PAYLOAD_BITS != 0 {
                self.bytes.push((word as u8) | 1 << PAYLOAD_BITS);
                word >>= PAYLOAD_BITS;
            }
            self.bytes.push(word as u8);
        }
        self.ends.push(self.bytes.len());
    }

    /// The state at a position.
    ///
    /// # Panics
    /// If there are not so many states.
    #[must_use]
    pub fn get(&self, at: usize) -> State {
        let all = self.words(at);
        let (words, mut rest) = all.split_at(self.widths.0);
        let cells = (0..self.widths.1).map(|_| {
            let (cell, behind) = Cell::split_counted(rest).expect("the words of a state");
            rest = behind;
            cell
        });
        State {
            cells: cells.collect(),
            words: words.to_vec(),
        }
    }

    /// The words of the state at a position.
    fn words(&self, at: usize) -> Vec<u64> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let (mut words, mut word, mut shift) = (Vec::new(), 0, 0);
        for byte in &self.bytes[start..self.ends[at]] {
            word |= u64::from(byte & !(1 << PAYLOAD_BITS)) << shift;
            shift += PAYLOAD_BITS;
            if byte >> PAYLOAD_BITS == 0 {
                words.push(word);
                (word, shift) = (0, 0);
            }
        }
        words
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = State> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }
}

impl Extend<State> for States {
    fn extend<I: IntoIterator<Item = State>>(&mut self, states: I) {
        states.into_iter().for_each(|state| self.push(&state));
    }
}

impl FromIterator<State> for States {
    fn from_iter<I: IntoIterator<Item = State>>(states: I) -> Self {
        let mut all = Self::new();
        all.extend(states);
        all.bytes.shrink_to_fit();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::cell::Number;

    fn state(word: u64, numbers: &[i64]) -> State {
        let cells = numbers.iter().map(|n| Cell::Int(Number::Small(*n)));
        State {
            words: vec![word, !word],
            cells: vec![
                Cell::seq(cells.collect()).expect("a short sequence"),
                Cell::Null(None),
            ],
        }
    }

    #[test]
    fn states_come_back_in_their_order_and_take_little_memory() {
        let given: Vec<State> = (0..100)
            .map(|n| state(n, &[-1, 7, 9][..(n % 4).min(3) as usize]))
            .collect();
        let kept: States = given.iter().cloned().collect();
        assert_eq!(kept.len(), given.len());
        assert!(kept.iter().eq(given.iter().cloned()));
        assert_eq!(kept.get(42), given[42]);
        assert!(kept.bytes() < 100 * 50, "{} bytes", kept.bytes());
    }

    #[test]
    fn of_too_many_states_some_are_taken_from_everywhere() {
        let all: States = (0..100).map(|n| state(n, &[7])).collect();
        let few = all.thinned(all.bytes() / 10);
        assert_eq!(few.len(), 10);
        assert_eq!((few.get(0), few.get(9)), (all.get(0), all.get(90)));
        assert_eq!(all.thinned(all.bytes()).len(), 100);
        assert_eq!(all.thinned(0).len(), 1);
    }

    #[test]
    fn states_without_variables_are_counted_too() {
        let kept: States = [State::default(), State::default()].into_iter().collect();
        assert!(kept.iter().eq([State::default(), State::default()]));
        assert!(States::new().is_empty());
    }
}
