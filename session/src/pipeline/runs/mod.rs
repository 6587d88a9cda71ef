//! Runs of one automaton, with its invariants tested at every state.

mod exercised;
mod findings;
mod making;
mod tally;

pub(super) use exercised::{by_runs, in_block};
pub(super) use findings::{cut_short, fault_account, limit_account};
pub use findings::{findings, tell, tell_ending};
pub(super) use making::limits;
pub use making::{again, all, one};
pub use tally::{Failure, Shortening, Tally, verdict, words};
