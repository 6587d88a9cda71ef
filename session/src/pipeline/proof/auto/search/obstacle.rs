//! What stands in the way of a proof, as a search for lemmas has left it.

use crate::finding::{Finding, Verdict};

/// What stands in the way of a proof.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Obstacle {
    /// The name of the obligation that is not proved for that reason, if it is one.
    obligation: Option<String>,
    /// What is said of it, as a sentence without its full stop.
    pub(in super::super) words: String,
}

impl Obstacle {
    /// What is not about one obligation.
    pub(in super::super) fn general(words: impl Into<String>) -> Self {
        Self {
            obligation: None,
            words: words.into(),
        }
    }

    /// What is said of an obligation.
    pub(in super::super) fn to(obligation: &str, said: &str) -> Self {
        Self {
            obligation: Some(obligation.to_owned()),
            words: format!("{obligation}{said}"),
        }
    }

    /// Whether a proof shows by a counterexample of its own why the obligation is not proved. What the search says of another one
    /// would then contradict it.
    pub(in super::super) fn is_shown_by(&self, proof: &[Finding]) -> bool {
        let mut items = proof.iter().flat_map(|finding| &finding.items);
        items.any(|item| {
            let is_shown = matches!(item.verdict, Some(Verdict::Refuted | Verdict::Conditional));
            is_shown && self.obligation.as_ref() == Some(&item.name)
        })
    }
}
