//! How much may be written out at a time: some texts of a few lines say more than there is time to write down.
//!
//! A sequence that is appended to itself is twice as long, and says once more where each of its elements comes from. The
//! limit counts work rather than time, so that what has a reading has one on every machine.

use std::cell::Cell;

use crate::logic::{Encoded, unsupported};

/// Work on one obligation, or on what several share, in calls of symbolic functions: some seconds'.
const WORK: u32 = 400_000;

/// The work of a call of a symbolic function.
pub(in crate::logic) const CALL: u32 = 1;

/// The work of a quantifier, which the solver has to abstract from its body.
pub(in crate::logic) const QUANTIFIER: u32 = 20;

thread_local! {
    /// How much is left. A vocabulary belongs to one thread, which states one thing at a time.
    static LEFT: Cell<u32> = const { Cell::new(WORK) };
}

/// Begins to state something else.
pub(in crate::logic) fn renew() {
    LEFT.set(WORK);
}

/// Spends some work.
///
/// # Errors
/// There is not so much left.
pub(in crate::logic) fn spend(work: u32) -> Encoded<()> {
    match LEFT.get().checked_sub(work) {
        Some(left) => {
            LEFT.set(left);
            Ok(())
        }
        None => unsupported("terms that grow beyond measure when they are written out"),
    }
}
