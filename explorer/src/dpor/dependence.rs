//! Which labels depend on each other.

use interpreter::{Footprint, Label, TransitionSystem, Watch};
use rustc_hash::FxHashMap;

use super::independence::{ByFootprints, Independence};

/// A label, by its number.
pub(super) type LabelId = u32;

/// A label with its footprint is taken to need so many bytes.
const LABEL_BYTES: usize = 1_024;

/// What is known about a pair of labels needs about so many bytes.
const PAIR_BYTES: usize = 16;

/// All labels that were met, and how they depend on each other.
pub(super) struct Dependence<'i> {
    watches: Vec<Watch>,
    /// Says of labels that depend on each other by their footprints that they do not.
    independence: Box<dyn Independence + 'i>,
    numbers: FxHashMap<Label, LabelId>,
    labels: Vec<(Label, Footprint)>,
    /// What is known about pairs, the smaller number first.
    pairs: FxHashMap<(LabelId, LabelId), bool>,
    /// Of labels and watches, by position, whether the label keeps what the watch looks at.
    kept: FxHashMap<(LabelId, usize), bool>,
    refined: u64,
}

impl<'i> Dependence<'i> {
    /// No label yet. The writers of what one of the watches looks at depend on each other.
    pub(super) fn new(watches: Vec<Watch>) -> Self {
        Self {
            watches,
            independence: Box::new(ByFootprints),
            numbers: FxHashMap::default(),
            labels: Vec::new(),
            pairs: FxHashMap::default(),
            kept: FxHashMap::default(),
            refined: 0,
        }
    }

    /// Asks for more independence than footprints show. No pair may have been asked about yet.
    pub(super) fn refine(&mut self, independence: Box<dyn Independence + 'i>) {
        debug_assert!(self.pairs.is_empty(), "a dependence does not change");
        self.independence = independence;
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

    /// How many pairs of labels are independent though their footprints do not show it.
    pub(super) fn refined(&self) -> u64 {
        self.refined
    }

    /// About how many bytes are used.
    pub(super) fn memory(&self) -> u64 {
        let pairs = self.pairs.len() + self.kept.len();
        (self.labels.len() * LABEL_BYTES + pairs * PAIR_BYTES) as u64
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
        let overlap = !self.footprint(one).is_independent_of(self.footprint(other));
        let together = self.watched_together(one, other);
        let dependent = self.is_decided_together(pair, &together) || overlap && !self.commute(pair);
        self.refined += u64::from(!dependent && (overlap || !together.is_empty()));
        self.pairs.insert(pair, dependent);
        dependent
    }

    /// Whether two labels are known to be independent, but for what others they decide about.
    fn commute(&mut self, (one, other): (LabelId, LabelId)) -> bool {
        let [one, other] = [one, other].map(|label| &self.labels[label as usize].0);
        self.independence.are_independent(one, other)
    }

    /// Whether one of two labels may disable something that both decide about, where these are the watches of both.
    fn is_decided_together(
        &mut self,
        (one, other): (LabelId, LabelId),
        together: &[usize],
    ) -> bool {
        let mut together = together.iter();
        together.any(|watch| !self.keeps(one, *watch) || !self.keeps(other, *watch))
    }

    fn keeps(&mut self, label: LabelId, watch: usize) -> bool {
        let (labels, independence) = (&self.labels, &mut self.independence);
        let known = self.kept.entry((label, watch));
        *known.or_insert_with(|| independence.keeps(&labels[label as usize].0, watch))
    }

    /// The watches that depend on what both labels write, by position.
    fn watched_together(&self, one: LabelId, other: LabelId) -> Vec<usize> {
        let (one, other) = (self.footprint(one), self.footprint(other));
        let depends = |(_, watch): &(usize, &Watch)| {
            let mut writes = one.writes.iter();
            writes.any(|a| other.writes.iter().any(|b| watch.depends_on_both(a, b)))
        };
        let watches = self.watches.iter().enumerate().filter(depends);
        watches.map(|(position, _)| position).collect()
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

    /// Whether a sequence is equivalent to one that begins with a label, or can be put after it: the label is a *weak
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
