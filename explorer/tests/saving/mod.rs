//! Searches that are saved as a list of words, and go on from it. (Unit tests of the crate use it too, so it names nothing of the crate.)

/// The words that something puts.
pub(crate) fn words_of(
    save: impl FnOnce(&mut dyn FnMut(&[u64]) -> Result<(), ()>) -> Result<(), ()>,
) -> Vec<u64> {
    let mut words = Vec::new();
    let put = &mut |more: &[u64]| {
        words.extend_from_slice(more);
        Ok(())
    };
    save(put).expect("a list takes all words");
    words
}

/// Gives words one after the other, as many as there are.
pub(crate) fn giving(words: &[u64]) -> impl FnMut(&mut [u64]) -> Result<(), &'static str> {
    let mut left = words;
    move |room| {
        let (these, rest) = left.split_at_checked(room.len()).ok_or("cut short")?;
        room.copy_from_slice(these);
        left = rest;
        Ok(())
    }
}
