//! Sets of labels, as bits.

/// A label, by its number.
pub(super) type LabelId = usize;

/// Labels, out of a number that is fixed.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels(Box<[u64]>);

impl Labels {
    /// None of so many.
    pub(super) fn none_of(labels: usize) -> Self {
        Self(vec![0; labels.div_ceil(u64::BITS as usize)].into())
    }

    /// Removes all.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    pub(super) fn put(&mut self, label: LabelId) {
        let (word, bit) = place(label);
        self.0[word] |= bit;
    }

    pub(super) fn has(&self, label: LabelId) -> bool {
        let (word, bit) = place(label);
        self.0[word] & bit != 0
    }

    pub(super) fn put_all(&mut self, others: &Self) {
        let words = self.0.iter_mut().zip(&others.0);
        words.for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// How many are in both.
    pub(super) fn common(&self, others: &Self) -> usize {
        let words = self.0.iter().zip(&others.0);
        let common = words.map(|(mine, theirs)| (mine & theirs).count_ones());
        common.sum::<u32>() as usize
    }

    /// One that is not in the others.
    pub(super) fn any_but(&self, others: &Self) -> Option<LabelId> {
        let words = self.0.iter().zip(&others.0);
        let mut left = words.map(|(mine, theirs)| mine & !theirs).enumerate();
        let (at, word) = left.find(|(_, word)| *word != 0)?;
        Some(at * u64::BITS as usize + word.trailing_zeros() as usize)
    }
}

/// The word and the bit of a label.
fn place(label: LabelId) -> (usize, u64) {
    let bits = u64::BITS as usize;
    (label / bits, 1 << (label % bits))
}
