//! The words that a search is saved as: how they are put, and how they are taken again.

/// At most so many words are asked for at once, so that a length that is wrong costs nothing.
pub(super) const AT_ONCE: usize = 1 << 12;

/// Takes words, or says why it cannot.
pub type Put<'p, E> = dyn FnMut(&[u64]) -> Result<(), E> + 'p;

/// Gives the next words, as many as there is room for, or says why it cannot.
pub type Get<'g, E> = dyn FnMut(&mut [u64]) -> Result<(), E> + 'g;

/// Why a search cannot be taken up again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost<E> {
    /// Words could not be had.
    Unread(E),
    /// They are not what a search of such states has written.
    Wrong,
    /// A file of a search on disk cannot be read, or is not what was written.
    File(String),
}

impl<E> From<E> for Lost<E> {
    fn from(error: E) -> Self {
        Self::Unread(error)
    }
}

/// Puts a list after its length.
pub(super) fn put_list<E>(words: &[u64], put: &mut Put<'_, E>) -> Result<(), E> {
    put(&[words.len() as u64])?;
    put(words)
}

/// A number of things in memory.
pub(super) fn size<E>(word: u64) -> Result<usize, Lost<E>> {
    usize::try_from(word).map_err(|_| Lost::Wrong)
}

/// The next words.
pub(super) fn take<E, const N: usize>(get: &mut Get<'_, E>) -> Result<[u64; N], E> {
    let mut words = [0; N];
    get(&mut words)?;
    Ok(words)
}

/// A list that was put after its length.
pub(super) fn take_list<E>(get: &mut Get<'_, E>) -> Result<Vec<u64>, Lost<E>> {
    let [length] = take(get)?;
    let (length, mut words) = (size(length)?, Vec::new());
    while words.len() < length {
        let from = words.len();
        words.resize(length.min(from + AT_ONCE), 0);
        get(&mut words[from..])?;
    }
    Ok(words)
}
