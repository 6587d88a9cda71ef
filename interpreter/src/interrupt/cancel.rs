//! Cancellation from outside: because time is up, or because the caller needs no more results.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether work on an instance has been cancelled. All threads that work on the instance share this flag.
///
/// Enumerations check it: those of start states, of the enabled steps of a state, and of the results of a step. A question
/// about one state, such as whether an invariant holds there, is never stopped halfway, so an incomplete answer cannot be
/// mistaken for a complete one.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// Sets whether the work is cancelled.
    pub fn set(&self, cancelled: bool) {
        self.0.store(cancelled, Ordering::Relaxed);
    }

    /// Whether the work is cancelled.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
