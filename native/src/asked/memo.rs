//! Answers by what they depend on, side by side in one vector.

/// An answer that is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer<'m> {
    pub(super) words: &'m [u64],
    /// The fuel that the interpreter used for it.
    pub(super) fuel: u64,
}

/// A hash table of answers with open addressing. An entry consists of the words that were given, the fuel plus 1, which is 0 where
/// there is no entry, and the answer if it is one word. Of a longer one the entry says where it lies among `words`.
#[derive(Debug)]
pub(super) struct Memo {
    /// How many words are given each time.
    keys: usize,
    /// Whether all answers are of one word.
    is_short: bool,
    entries: Vec<u64>,
    /// The number of entries that there is room for, a power of two.
    room: usize,
    count: usize,
    /// The longer answers, each after its length.
    words: Vec<u64>,
}

/// The words of an entry besides its key.
const VALUE: usize = 2;

/// The number of entries that a table has room for at first.
const FIRST: usize = 64;

impl Memo {
    /// Nothing, where so many words are given each time, and all answers are of one word or not.
    pub(super) fn new(keys: usize, is_short: bool) -> Self {
        Self {
            keys,
            is_short,
            entries: Vec::new(),
            room: 0,
            count: 0,
            words: Vec::new(),
        }
    }

    /// The number of words that it takes.
    pub(super) fn size(&self) -> usize {
        self.entries.capacity() + self.words.capacity()
    }

    /// Forgets all answers.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.keys, self.is_short);
    }

    /// The answer where these words are given, if it is remembered.
    pub(super) fn get(&self, given: &[u64]) -> Option<Answer<'_>> {
        if self.count == 0 {
            return None;
        }
        let value = &self.entries[self.place(given) + self.keys..][..VALUE];
        let fuel = value[0].checked_sub(1)?;
        let words = match self.is_short {
            true => &value[1..],
            false => {
                let (length, from) = self.words[value[1] as usize..].split_first()?;
                &from[..*length as usize]
            }
        };
        Some(Answer { words, fuel })
    }

    /// Remembers an answer that is not remembered yet.
    pub(super) fn insert(&mut self, given: &[u64], answer: Answer<'_>) {
        // At most three of four entries are taken.
        if 4 * (self.count + 1) > 3 * self.room {
            self.grow();
        }
        let value = match *answer.words {
            [word] if self.is_short => word,
            _ => {
                self.words.push(answer.words.len() as u64);
                self.words.extend_from_slice(answer.words);
                (self.words.len() - answer.words.len() - 1) as u64
            }
        };
        self.put(given, [answer.fuel + 1, value]);
        self.count += 1;
    }

    fn put(&mut self, key: &[u64], value: [u64; VALUE]) {
        let place = self.place(key);
        let entry = &mut self.entries[place..][..key.len() + VALUE];
        entry[..key.len()].copy_from_slice(key);
        entry[key.len()..].copy_from_slice(&value);
    }

    fn grow(&mut self) {
        let (stride, keys) = (self.stride(), self.keys);
        self.room = (2 * self.room).max(FIRST);
        let old = std::mem::replace(&mut self.entries, vec![0; self.room * stride]);
        for entry in old.chunks_exact(stride).filter(|entry| entry[keys] != 0) {
            let value = std::array::from_fn(|at| entry[keys + at]);
            self.put(&entry[..keys], value);
        }
    }

    fn stride(&self) -> usize {
        self.keys + VALUE
    }

    /// Where the entry with a key begins, or a free one where there is none.
    fn place(&self, key: &[u64]) -> usize {
        let stride = self.stride();
        let mut at = hash(key) as usize & (self.room - 1);
        loop {
            let entry = &self.entries[at * stride..][..stride];
            // Keys are short: a call to compare them would take longer than the comparison.
            if entry[self.keys] == 0 || key.iter().zip(entry).all(|(a, b)| a == b) {
                return at * stride;
            }
            at = (at + 1) & (self.room - 1);
        }
    }
}

/// A hash whose lower bits depend on all bits of the words.
fn hash(words: &[u64]) -> u64 {
    let mut hash = 0_u64;
    for word in words {
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 32;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_found_again_until_all_are_forgotten() {
        let mut memo = Memo::new(2, false);
        let key = |n: u64| [n << 40, n % 7];
        let words = |n: u64| vec![n; (n % 4) as usize];
        for n in 0..1000 {
            assert_eq!(memo.get(&key(n)), None);
            let words = words(n);
            let answer = Answer {
                words: &words,
                fuel: n,
            };
            memo.insert(&key(n), answer);
        }
        for n in 0..1000 {
            let words = words(n);
            let answer = Answer {
                words: &words,
                fuel: n,
            };
            assert_eq!(memo.get(&key(n)), Some(answer));
        }
        assert_eq!(memo.get(&key(1000)), None);
        assert!(memo.size() >= 1000 * 4, "{}", memo.size());
        memo.clear();
        assert_eq!((memo.get(&key(1)), memo.size()), (None, 0));
    }

    #[test]
    fn answers_of_one_word_lie_in_their_entries() {
        let mut memo = Memo::new(1, true);
        for n in 0..1000 {
            let words = &[n * n];
            memo.insert(&[n], Answer { words, fuel: 1 });
        }
        assert!(memo.words.is_empty());
        for n in 0..1000 {
            assert_eq!(memo.get(&[n]).map(|answer| answer.words[0]), Some(n * n));
        }
    }

    #[test]
    fn what_depends_on_nothing_is_remembered_too() {
        let mut memo = Memo::new(0, true);
        let answer = Answer {
            words: &[7],
            fuel: 0,
        };
        memo.insert(&[], answer);
        assert_eq!(memo.get(&[]), Some(answer));
    }
}
