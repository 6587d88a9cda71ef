//! Dictionaries: the values that occur as elements of sets, numbered in the order in which they are met.
//!
//! A set takes a bit for each code that an element can have. Where an element is a message with several fields there are thousands of
//! these, and in the states of one algorithm hardly any of them occurs. So the elements are coded once more: each that is met gets the
//! next number, and the set takes a bit for each number. Databases call this dictionary encoding.
//!
//! A number is never changed. What has none yet is noted, and gets one when nothing is computed: several threads can meet values in any
//! order, and yet these get the same numbers each time. Where nothing depends on the numbers, each value gets one as soon as it is met.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The bits of an entry that hold a number plus 1; the code lies above them.
pub const NUMBER_BITS: u32 = 12;

/// Maximum width of the codes that can get a number.
pub const MAX_CODE_BITS: u32 = u64::BITS - NUMBER_BITS;

/// A factor that spreads codes over a table (Knuth, "The Art of Computer Programming", volume 3, section 6.4).
pub const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The numbers of first dictionaries: a set takes a word.
const FIRST: usize = 64;

/// Growth factor of a dictionary that is full.
const GROWTH: usize = 2;

/// Maximum number of numbers in a dictionary: a set takes as many limbs as a value may have.
pub const MOST: usize = 64 * super::packing::MAX_LIMBS;

/// The codes of the values that were met, each with its number.
#[derive(Debug)]
pub struct Dictionary {
    /// Open addressing: 0 where nothing is, else a code with its number plus 1. Their number is a power of two.
    entries: Box<[AtomicU64]>,
    /// The codes by their numbers.
    codes: Box<[AtomicU64]>,
    /// How many of them there are.
    known: AtomicUsize,
    /// Those that were met and have no number, and whether there are some.
    met: Mutex<BTreeSet<u64>>,
    has_met: AtomicBool,
    /// What was computed from all numbers that there were.
    computed: Mutex<Computed>,
    /// Whether a code gets a number as soon as it is met.
    is_at_once: bool,
}

/// Words that were computed from all numbers that there were.
#[derive(Debug, Default)]
struct Computed {
    words: Vec<Weak<[AtomicU64]>>,
    /// How many numbers there were when they became 0 last.
    known: usize,
}

impl Dictionary {
    /// An empty one.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::new(Self::with_room(FIRST, false))
    }

    /// An empty one with as much room, in which each code gets a number as soon as it is met. So the numbers depend on which thread is first.
    #[must_use]
    pub fn at_once(&self) -> Arc<Self> {
        Arc::new(Self::with_room(self.codes.len(), true))
    }

    fn with_room(room: usize, is_at_once: bool) -> Self {
        let zeros = |count: usize| (0..count).map(|_| AtomicU64::new(0)).collect();
        Self {
            // At most a quarter of them is used, so that one is found at the first place, as a rule.
            entries: zeros((4 * room).next_power_of_two()),
            codes: zeros(room),
            known: AtomicUsize::new(0),
            met: Mutex::default(),
            has_met: AtomicBool::new(false),
            computed: Mutex::default(),
            is_at_once,
        }
    }

    /// One with so much room, in which these codes have their positions as numbers; none if there is no such dictionary.
    #[must_use]
    pub fn restored(room: u64, codes: &[u64]) -> Option<Arc<Self>> {
        let room = usize::try_from(room).ok()?;
        if !(FIRST..=MOST).contains(&room) {
            return None;
        }
        let restored = Self::with_room(room, false);
        let is_new = |code: &u64| code >> MAX_CODE_BITS == 0 && restored.number(*code).is_none();
        let are_good = codes.iter().all(|code| is_new(code) && restored.add(*code));
        are_good.then(|| Arc::new(restored))
    }

    /// How many numbers there can be.
    #[must_use]
    pub fn room(&self) -> u64 {
        self.codes.len() as u64
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.load(Ordering::Acquire)
    }

    /// Whether nothing has a number.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a code, if it has one.
    #[must_use]
    pub fn number(&self, code: u64) -> Option<u64> {
        let mut at = self.first_place(code);
        loop {
            match self.entries[at].load(Ordering::Acquire) {
                0 => return None,
                entry if entry >> NUMBER_BITS == code => {
                    return Some((entry & ((1 << NUMBER_BITS) - 1)) - 1);
                }
                _ => at = (at + 1) % self.entries.len(),
            }
        }
    }

    /// The number of a code that was met. If it has none, it gets one where that is done at once and there is room.
    #[must_use]
    pub fn number_of_met(&self, code: u64) -> Option<u64> {
        let known = self.number(code);
        if known.is_some() || !self.is_at_once {
            return known;
        }
        // Another thread may have met it meanwhile.
        let _alone = self.noted();
        let known = self.number(code);
        known.or_else(|| self.add(code).then(|| self.len() as u64 - 1))
    }

    /// The code with a number; 0 if there is none.
    #[must_use]
    pub fn code(&self, number: u64) -> u64 {
        let code = self.codes.get(number as usize);
        code.map_or(0, |code| code.load(Ordering::Acquire))
    }

    /// Notes that a code without a number was met.
    pub fn meet(&self, code: u64) {
        self.noted().insert(code);
        self.has_met.store(true, Ordering::Release);
    }

    /// Whether a code was met that has no number.
    #[must_use]
    pub fn has_met(&self) -> bool {
        self.has_met.load(Ordering::Acquire)
    }

    /// Forgets the codes that were met and have no number.
    pub fn forget_met(&self) {
        self.noted().clear();
        self.has_met.store(false, Ordering::Release);
    }

    /// Gives numbers to the codes that were met, in their order; says whether there was room for all. Nothing may be computed meanwhile.
    #[must_use]
    pub fn number_met(&self) -> bool {
        let mut met = self.noted();
        while let Some(code) = met.pop_first() {
            if self.number(code).is_none() && !self.add(code) {
                met.insert(code);
                return false;
            }
        }
        self.has_met.store(false, Ordering::Release);
        self.forget();
        true
    }

    /// Says that words are computed from all numbers that there are: they become 0 when there are twice as many.
    pub fn note_computed(&self, words: &Arc<[AtomicU64]>) {
        lock(&self.computed).words.push(Arc::downgrade(words));
    }

    /// Lets what was computed from all numbers be computed again, if there are twice as many.
    fn forget(&self) {
        let mut computed = lock(&self.computed);
        if self.len() < 2 * computed.known {
            return;
        }
        computed.known = self.len();
        computed.words.retain(|words| match words.upgrade() {
            Some(words) => {
                let each = words.iter();
                each.for_each(|word| word.store(0, Ordering::Relaxed));
                true
            }
            None => false,
        });
    }

    /// A dictionary in which what has a number keeps it, and what was met has one; none if it would be too large. It has more room if it is
    /// full, and also if it is half full, for it is made when all that was visited is visited again.
    #[must_use]
    pub fn widened(&self) -> Option<Arc<Self>> {
        let met = self.noted();
        let needed = self.len() + met.len();
        let mut room = self.codes.len();
        while room < needed || (room < MOST && needed > room / GROWTH) {
            room *= GROWTH;
        }
        // The last step may be a smaller one.
        let room = match needed <= MOST {
            true => room.min(MOST),
            false => return None,
        };
        let wider = Self::with_room(room, self.is_at_once);
        let known = (0..self.len() as u64).map(|number| self.code(number));
        known.chain(met.iter().copied()).for_each(|code| {
            if wider.number(code).is_none() {
                wider.add(code);
            }
        });
        Some(Arc::new(wider))
    }

    /// An empty one with as much room.
    #[must_use]
    pub fn emptied(&self) -> Arc<Self> {
        Arc::new(Self::with_room(self.codes.len(), self.is_at_once))
    }

    /// Gives the next number to a code that has none; says whether there was room for it.
    fn add(&self, code: u64) -> bool {
        let number = self.len();
        let Some(place) = self.codes.get(number) else {
            return false;
        };
        place.store(code, Ordering::Release);
        let mut at = self.first_place(code);
        while self.entries[at].load(Ordering::Relaxed) != 0 {
            at = (at + 1) % self.entries.len();
        }
        let entry = code << NUMBER_BITS | (number as u64 + 1);
        self.entries[at].store(entry, Ordering::Release);
        self.known.store(number + 1, Ordering::Release);
        true
    }

    /// The entries, as machine code reads them: from [the first place](Self::shift) of a code on, one after the other and then from the
    /// beginning, until it is found or there is none.
    #[must_use]
    pub fn entries(&self) -> &[AtomicU64] {
        &self.entries
    }

    /// How many numbers there are, as machine code reads it.
    #[must_use]
    pub fn known(&self) -> &AtomicUsize {
        &self.known
    }

    /// The codes by their numbers, as machine code reads them.
    #[must_use]
    pub fn codes(&self) -> &[AtomicU64] {
        &self.codes
    }

    /// The first place of a code is the code times [`SPREAD`], shifted right by so many bits.
    #[must_use]
    pub fn shift(&self) -> u32 {
        u64::BITS - self.entries.len().ilog2()
    }

    fn first_place(&self, code: u64) -> usize {
        (code.wrapping_mul(SPREAD) >> self.shift()) as usize
    }

    fn noted(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        lock(&self.met)
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Dictionaries are equal if they are the same one: what has a number in it changes.
impl PartialEq for Dictionary {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Dictionary {}

impl Hash for Dictionary {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_get_numbers_in_their_order_whoever_meets_them_first() {
        let dictionary = Dictionary::new();
        for code in [900, 7, 1 << 40, 7, 12] {
            assert_eq!(dictionary.number(code), None);
            dictionary.meet(code);
        }
        assert!(dictionary.number_met());
        let numbers = [7, 12, 900, 1 << 40].map(|code| dictionary.number(code));
        assert_eq!(numbers, [Some(0), Some(1), Some(2), Some(3)]);
        dictionary.meet(8);
        assert!(dictionary.number_met());
        assert_eq!(dictionary.number(8), Some(4), "later ones come behind");
        assert_eq!((dictionary.code(4), dictionary.code(60)), (8, 0));
        assert_eq!(dictionary.number(13), None);
    }

    #[test]
    fn several_threads_give_one_number_to_each_code() {
        let dictionary = Dictionary::new().at_once();
        std::thread::scope(|threads| {
            for first in 0..4 {
                let numbers = &dictionary;
                threads.spawn(move || {
                    for code in (0..FIRST as u64).map(|at| 1_000 * ((at + 7 * first) % 60)) {
                        let number = numbers.number_of_met(code);
                        assert_eq!(number.map(|n| numbers.code(n)), Some(code));
                    }
                });
            }
        });
        assert_eq!(dictionary.len(), 60);
        assert!((60..64).all(|code| dictionary.number_of_met(code).is_some()));
        assert_eq!(dictionary.number_of_met(99), None, "there is no room");
        dictionary.meet(99);
        let wider = dictionary.widened().expect("it is not too large");
        assert_eq!(wider.number_of_met(99), Some(64));
        assert_eq!(wider.number_of_met(98), Some(65), "at once as before");
    }

    #[test]
    fn a_full_dictionary_is_widened_and_keeps_its_numbers() {
        let mut dictionary = Dictionary::new();
        let code = |at: u64| (64 * at).wrapping_mul(SPREAD) % (1 << MAX_CODE_BITS);
        let mut told = 0;
        for at in 0..MOST as u64 {
            dictionary.meet(code(at));
            if !dictionary.number_met() {
                let before = Arc::clone(&dictionary);
                dictionary = before.widened().expect("it is not too large yet");
                told += 1;
                let numbers = 0..before.len() as u64;
                assert!(
                    numbers
                        .into_iter()
                        .all(|n| before.code(n) == dictionary.code(n))
                );
            }
            assert_eq!(dictionary.number(code(at)), Some(at));
        }
        assert_eq!(told, 3);
        dictionary.meet(1);
        assert!(!dictionary.number_met());
        assert_eq!(dictionary.widened(), None);
        assert!(dictionary.emptied().is_empty());
    }
}
