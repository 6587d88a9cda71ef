//! A hash of a core without its spans, by which a trace knows the model it belongs to.

use std::fmt;
use std::hash::Hash;

use siphasher::sip128::{Hasher128, SipHasher13};

/// 128 bits that two cores share if and (but for a collision) only if they mean the same text, layout aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u128);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The fingerprint of anything made of core: hash a tuple of the parts that matter.
///
/// The hash function is fixed (SipHash-1-3, 128 bits, zero key), so a fingerprint written to a file stays valid.
#[must_use]
pub fn fingerprint(parts: &impl Hash) -> Fingerprint {
    let mut hasher = SipHasher13::new();
    parts.hash(&mut hasher);
    Fingerprint(hasher.finish128().as_u128())
}
