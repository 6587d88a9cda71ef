//! Being told from outside to stop: by a bound on time, or by whoever has seen enough.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether what is computed of an instance is still wanted. All threads that work on the instance share it.
///
/// What lists possibilities heeds it: start states, the enabled steps of a state, the results of a step. What answers a
/// question about one state (whether an invariant holds there) is never stopped halfway, so that no question is taken
/// for answered that is not.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// Says whether it is no longer wanted.
    pub fn set(&self, cancelled: bool) {
        self.0.store(cancelled, Ordering::Relaxed);
    }

    /// Whether it is no longer wanted.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
