//! Proofs that are remembered, so that nothing is proved twice.
//!
//! An obligation is known by its *fingerprint*: a hash of all formulas that are asserted when it is asked, with what they
//! declare, and of the solver's version. So whatever changes an obligation, be it the model, the way it is stated in logic, or
//! another Z3, also changes its fingerprint, and what was proved before is then not found.

mod stated;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub(crate) use stated::{Stated, stated};

/// What an obligation, or another question, is known by: 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fingerprint(String);

/// A proof that was found, with what it cost then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proved {
    /// How many questions the solver was asked.
    pub queries: u32,
    /// The solver's work, in its own unit.
    pub resources: u64,
    /// The invariants without which it fails, if that was asked for: positions among those that were assumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed: Option<Vec<usize>>,
    /// The invariants that it uses, if that was asked for: positions among those that were assumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<Vec<usize>>,
}

/// A memory of proofs, which may forget but must not make up any.
pub trait Proofs: Sync {
    /// The proof of an obligation, if there was one before.
    fn recall(&self, obligation: &Fingerprint) -> Option<Proved>;

    /// Remembers the proof of an obligation.
    fn remember(&self, obligation: &Fingerprint, proof: &Proved);
}

impl Fingerprint {
    /// The fingerprint of a question that is put in these texts, one after the other.
    pub fn of_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut hash = Sha256::new();
        for text in texts {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        Self::of_hash(hash)
    }

    /// The fingerprint of the obligation that states these sets of formulas, one after the other.
    pub(crate) fn of(stated: impl IntoIterator<Item = Stated>) -> Self {
        let mut hash = Sha256::new();
        hash.update(z3::full_version());
        for part in stated {
            hash.update(part.0);
        }
        Self::of_hash(hash)
    }

    fn of_hash(hash: Sha256) -> Self {
        let digits = hash.finalize();
        Self(digits.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
