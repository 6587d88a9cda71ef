//! What a random model is made from, in a form that proptest can shrink.

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rand::{Rng, RngExt};

/// The choices of a model, part by part: a part is something that can be left out of a model, such as a variable, an action
/// or a component. The first part is about the model as a whole. The choices of a part are followed by zeros, which select
/// what is simplest.
pub type Draft = Vec<Vec<u32>>;

/// The number of choices of a part.
const CHOICES: std::ops::Range<usize> = 20..300;

/// Drafts, one for each seed.
#[derive(Clone, Copy, Debug)]
pub struct Drafts {
    parts: usize,
}

impl Drafts {
    /// Drafts with up to the given number of parts after the first.
    #[must_use]
    pub fn of_parts(parts: usize) -> Self {
        Self { parts }
    }

    fn tree(self, seed: u64) -> Shrinking {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        self.new_tree(&mut runner)
            .expect("lists of numbers are never rejected")
    }

    /// The draft of a seed.
    #[must_use]
    pub fn draft(self, seed: u64) -> Draft {
        self.tree(seed).current()
    }

    /// The smallest draft that is found with the given number of attempts from the draft of a seed, among those with a
    /// property.
    pub fn shrunk(
        self,
        seed: u64,
        attempts: usize,
        mut still: impl FnMut(&Draft) -> bool,
    ) -> Draft {
        let mut tree = self.tree(seed);
        let mut moved = tree.simplify();
        for _ in 0..attempts {
            if !moved {
                break;
            }
            moved = match still(&tree.current()) {
                true => tree.simplify(),
                false => tree.complicate(),
            };
        }
        tree.smallest
    }
}

impl Strategy for Drafts {
    type Tree = Shrinking;
    type Value = Draft;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let rng = runner.rng();
        let parts = rng.random_range(2..=self.parts) + 1;
        let part = |_| {
            let choices = rng.random_range(CHOICES);
            (0..choices).map(|_| rng.next_u32()).collect()
        };
        Ok(Shrinking::of((0..parts).map(part).collect()))
    }
}

/// A way to make a draft smaller.
#[derive(Clone, Copy, Debug)]
enum Edit {
    RemovePart,
    HalvePart,
    /// Removes this many choices.
    Remove(usize),
    /// Sets this many choices to zero.
    Zero(usize),
    /// Shifts a choice right by this many bits.
    Shift(u32),
}

/// The edits that are tried, one after the other, and again as long as any of them helps.
const EDITS: [Edit; 10] = [
    Edit::RemovePart,
    Edit::HalvePart,
    Edit::Zero(16),
    Edit::Remove(8),
    Edit::Zero(4),
    Edit::Remove(2),
    Edit::Remove(1),
    Edit::Zero(1),
    Edit::Shift(16),
    Edit::Shift(2),
];

/// The state of shrinking a draft.
#[derive(Clone, Debug)]
pub struct Shrinking {
    smallest: Draft,
    /// The current attempt.
    current: Draft,
    /// The edit that is tried, and where: the part, and the choice in it.
    edit: usize,
    part: usize,
    at: usize,
    /// Whether something has helped since the first edit was tried.
    helped: bool,
}

impl Shrinking {
    fn of(draft: Draft) -> Self {
        Self {
            current: draft.clone(),
            smallest: draft,
            edit: 0,
            part: 0,
            at: 0,
            helped: false,
        }
    }

    /// The smallest draft with the next edit applied; none if that changes nothing.
    fn edited(&self) -> Option<Draft> {
        let mut draft = self.smallest.clone();
        let part = draft.get_mut(self.part)?;
        match EDITS[self.edit] {
            Edit::RemovePart => {
                if self.part == 0 || self.at > 0 {
                    return None;
                }
                draft.remove(self.part);
            }
            Edit::HalvePart => {
                if part.is_empty() || self.at > 0 {
                    return None;
                }
                part.truncate(part.len() / 2);
            }
            Edit::Remove(count) => {
                let end = part.len().min(self.at + count);
                part.drain(self.at.min(end)..end);
            }
            Edit::Zero(count) => {
                let end = part.len().min(self.at + count);
                part[self.at.min(end)..end].fill(0);
            }
            Edit::Shift(bits) => *part.get_mut(self.at)? >>= bits,
        }
        (draft != self.smallest).then_some(draft)
    }

    /// Advances to the next place, or the next edit, and returns whether there is one.
    fn next_place(&mut self) -> bool {
        self.at += match EDITS[self.edit] {
            Edit::Zero(count) => count,
            Edit::RemovePart | Edit::HalvePart => usize::MAX - self.at,
            _ => 1,
        };
        let length = |part: usize| self.smallest.get(part).map_or(0, Vec::len);
        if self.at < length(self.part) {
            return true;
        }
        (self.at, self.part) = (0, self.part + 1);
        if self.part < self.smallest.len() {
            return true;
        }
        (self.part, self.edit) = (0, self.edit + 1);
        if self.edit < EDITS.len() {
            return true;
        }
        self.edit = 0;
        std::mem::take(&mut self.helped)
    }

    /// Tries the next edit that changes something.
    fn try_next(&mut self) -> bool {
        loop {
            if let Some(draft) = self.edited() {
                self.current = draft;
                return true;
            }
            if !self.next_place() {
                self.current.clone_from(&self.smallest);
                return false;
            }
        }
    }
}

impl ValueTree for Shrinking {
    type Value = Draft;

    fn current(&self) -> Draft {
        self.current.clone()
    }

    /// The last attempt is the smallest draft so far.
    fn simplify(&mut self) -> bool {
        if self.current != self.smallest {
            self.smallest.clone_from(&self.current);
            self.helped = true;
        }
        self.try_next()
    }

    /// The last attempt is too small.
    fn complicate(&mut self) -> bool {
        self.next_place() && self.try_next()
    }
}
