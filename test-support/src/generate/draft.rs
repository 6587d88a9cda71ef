//! What a random model is made from, in a form that proptest can shrink.

use proptest::collection::{VecStrategy, vec};
use proptest::num::u32::Any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The choices of a model, part by part: a part is something that a model can do without, such as a variable, an action
/// or a component. The first part is about the model as a whole.
pub type Draft = Vec<Vec<u32>>;

/// How many choices a part has at most; those behind are zeros.
const CHOICES: usize = 60;

/// No more attempts are made to shrink a draft.
const ATTEMPTS: usize = 1_500;

/// Drafts, one for each seed.
#[derive(Clone, Debug)]
pub struct Drafts {
    strategy: VecStrategy<VecStrategy<Any>>,
}

impl Drafts {
    /// Drafts with up to so many parts beside the first.
    #[must_use]
    pub fn of_parts(parts: usize) -> Self {
        Self {
            strategy: vec(vec(proptest::num::u32::ANY, 4..CHOICES), 3..parts + 2),
        }
    }

    fn tree(&self, seed: u64) -> <VecStrategy<VecStrategy<Any>> as Strategy>::Tree {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let tree = self.strategy.new_tree(&mut runner);
        tree.expect("lists of numbers are never rejected")
    }

    /// The draft of a seed.
    #[must_use]
    pub fn draft(&self, seed: u64) -> Draft {
        self.tree(seed).current()
    }

    /// The smallest draft that proptest comes to from that of a seed, among those of which something is still true.
    pub fn shrunk(&self, seed: u64, mut still: impl FnMut(&Draft) -> bool) -> Draft {
        let mut tree = self.tree(seed);
        let mut smallest = tree.current();
        let mut moved = tree.simplify();
        for _ in 0..ATTEMPTS {
            if !moved {
                break;
            }
            let draft = tree.current();
            moved = if still(&draft) {
                smallest = draft;
                tree.simplify()
            } else {
                tree.complicate()
            };
        }
        smallest
    }
}
