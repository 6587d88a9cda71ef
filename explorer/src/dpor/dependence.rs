//! Which labels depend on each other.

use interpreter::{Footprint, Label, TransitionSystem, Watch};
use rustc_hash::FxHashMap;

/// A label, by its number.
pub(super) type LabelId = u32;

/// A label with its footprint is taken to need so many bytes.
const LABEL_BYTES: usize = 1_024;

/// What is known of a pair of labels needs about so many bytes.
const PAIR_BYTES: usize = 16;

/// All labels that were met, and how they depend on each other.
#[derive(Debug)]
pub(super) struct Dependence {
    watches: Vec<Watch>,
    numbers: FxHashMap<Label, LabelId>,
    labels: Vec<(Label, Footprint)>,
    /// What is known of pairs, the smaller number first.
    pairs: FxHashMap<(LabelId, LabelId), bool>,
}

impl Dependence {
    /// No label yet. The writers of what one of the watches looks at depend on each other.
    pub(super) fn new(watches: Vec<Watch>) -> Self {
        Self {
            watches,
            numbers: FxHashMap::default(),
            labels: Vec::new(),
            pairs: FxHashMap::default(),
        }
    }

    /// The number of a label, which is new if the label is.
    pub(super) fn number<T: TransitionSystem>(&mut self, system: &mut T, label: Label) -> LabelId {
        if let Some(number) = self.numbers.get(&label) {
            return *number;
        }
        let number = LabelId::try_from(self.labels.len()).expect("fewer than 2^32 labels");
        let footprint = system.footprint(&label.firing);
        self.labels.push((label.clone(), footprint));
        self.numbers.insert(label, number);
        number
    }

    /// The label with a number.
    pub(super) fn label(&self, number: LabelId) -> &Label {
        &self.labels[number as usize].0
    }

    /// How many labels were met.
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// About how many bytes are used.
    pub(super) fn memory(&self) -> u64 {
        (self.labels.len() * LABEL_BYTES + self.pairs.len() * PAIR_BYTES) as u64
    }

    /// Whether two labels are dependent.
    pub(super) fn are_dependent(&mut self, one: LabelId, other: LabelId) -> bool {
        if one == other {
            return true;
        }
        let pair = (one.min(other), one.max(other));
        if let Some(known) = self.pairs.get(&pair) {
            return *known;
        }
        let (one, other) = (self.footprint(one), self.footprint(other));
        let dependent = !one.is_independent_of(other) || self.are_watched_together(one, other);
        self.pairs.insert(pair, dependent);
        dependent
    }

    fn are_watched_together(&self, one: &Footprint, other: &Footprint) -> bool {
        let watched = |a, b| self.watches.iter().any(|watch| watch.depends_on_both(a, b));
        let mut writes = one.writes.iter();
        writes.any(|a| other.writes.iter().any(|b| watched(a, b)))
    }

    /// Whether a step by the first label may change whether the second one is enabled.
    pub(super) fn decides_about(&self, one: LabelId, other: LabelId) -> bool {
        let conditions = &self.footprint(other).conditions;
        let mut writes = self.footprint(one).writes.iter();
        writes.any(|write| conditions.iter().any(|read| write.overlaps(read)))
    }

    fn footprint(&self, number: LabelId) -> &Footprint {
        &self.labels[number as usize].1
    }

    /// Whether a sequence is equivalent to one that begins with a label, or can be put behind it: the label is a *weak
    /// initial* of the sequence (Abdulla and others, definition 4.1).
    pub(super) fn is_weak_initial(&mut self, label: LabelId, sequence: &[LabelId]) -> bool {
        for &step in sequence {
            if step == label {
                return true;
            }
            if self.are_dependent(step, label) {
                return false;
            }
        }
        true
    }
}
