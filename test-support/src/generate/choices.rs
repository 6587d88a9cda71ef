//! Where the choices of a generator come from.

use std::convert::Infallible;
use std::vec::IntoIter;

use rand::{Rng, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;

/// The choices of a generator: drawn from a seed, or listed.
#[derive(Clone, Debug)]
pub(super) enum Choices {
    Seeded(Box<ChaCha8Rng>),
    Listed(IntoIter<u32>),
}

impl Choices {
    pub(super) fn seeded(seed: u64) -> Self {
        Self::Seeded(Box::new(ChaCha8Rng::seed_from_u64(seed)))
    }

    /// The given choices, followed by zeros. A smaller choice selects a later alternative: the generator's simplest
    /// alternatives come last, and a zero never selects a rare event.
    pub(super) fn listed(choices: &[u32]) -> Self {
        Self::Listed(Vec::from(choices).into_iter())
    }
}

impl TryRng for Choices {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(match self {
            Self::Seeded(rng) => rng.next_u32(),
            Self::Listed(choices) => !choices.next().unwrap_or(0),
        })
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(match self {
            Self::Seeded(rng) => rng.next_u64(),
            Self::Listed(_) => {
                let high = u64::from(self.next_u32());
                high << 32 | u64::from(u32::MAX)
            }
        })
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = self.next_u32().to_le_bytes()[3];
        }
        Ok(())
    }
}
