//! Words with a sum over them, as they go to a file and come from it.

use std::io::{self, BufReader, BufWriter, Read, Write};

use super::unusable::Unusable;

/// A sum with one more word in it. Each word changes it for good: the step can be undone only with the same word.
fn with(sum: u64, word: u64) -> u64 {
    let mixed = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 32)).wrapping_add(1)
}

/// Makes the sums in a checkpoint right, whatever its other words are. They tell accidents, not intent: this is to try
/// what a checkpoint can do whose words are made up.
pub fn make_sums_right(bytes: &mut [u8]) {
    let (words, _) = bytes.as_chunks_mut::<{ size_of::<u64>() }>();
    // The format, an identity, a sum; the number of ranges, these, a sum; and the last word.
    let head = 4;
    let count = words.get(head + 1).map(|w| u64::from_le_bytes(*w));
    let count = count.and_then(|n| usize::try_from(n).ok());
    let ranges = count.and_then(|n| n.checked_add(head + 2));
    let last = words.len().checked_sub(1);
    let mut sum = 0_u64;
    for (at, word) in words.iter_mut().enumerate() {
        if at == head || Some(at) == ranges || Some(at) == last {
            *word = sum.to_le_bytes();
        }
        sum = with(sum, u64::from_le_bytes(*word));
    }
}

/// Where words go, with the sum over them.
pub(super) struct Sink<W: Write> {
    pub(super) out: BufWriter<W>,
    pub(super) sum: u64,
}

impl<W: Write> Sink<W> {
    pub(super) fn put(&mut self, words: &[u64]) -> io::Result<()> {
        for word in words {
            self.sum = with(self.sum, *word);
            self.out.write_all(&word.to_le_bytes())?;
        }
        Ok(())
    }

    pub(super) fn seal(&mut self) -> io::Result<()> {
        self.put(&[self.sum])
    }
}

/// Where words come from, with the sum over them.
pub(super) struct Source<R> {
    pub(super) input: BufReader<R>,
    pub(super) sum: u64,
}

impl<R: Read> Source<R> {
    pub(super) fn add(&mut self, words: &[u64]) {
        self.sum = words.iter().fold(self.sum, |sum, w| with(sum, *w));
    }

    pub(super) fn get(&mut self, words: &mut [u64]) -> io::Result<()> {
        let mut bytes = [0; size_of::<u64>()];
        for word in words.iter_mut() {
            self.input.read_exact(&mut bytes)?;
            *word = u64::from_le_bytes(bytes);
        }
        self.add(words);
        Ok(())
    }

    pub(super) fn word(&mut self) -> io::Result<u64> {
        let mut word = [0];
        self.get(&mut word)?;
        Ok(word[0])
    }

    pub(super) fn check_seal(&mut self) -> Result<(), Unusable> {
        let expected = self.sum;
        match self.word()? == expected {
            true => Ok(()),
            false => Err(Unusable::Damaged),
        }
    }

    pub(super) fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.input.read(&mut [0])? == 0)
    }
}
