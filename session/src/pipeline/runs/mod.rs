//! Runs of one automaton, with its invariants tested at every state.

mod accounts;
mod critical;
mod exercised;
mod failure;
mod findings;
mod making;
mod ready;
mod repeat;
mod tally;
mod temperature;
mod turns;
mod watching;

pub use accounts::unrepeated;
pub(super) use accounts::{fault_account, limit_account};
pub use critical::{Effort, Executions, critical};
pub(super) use exercised::{by_runs, in_block, never_happened};
pub(crate) use failure::STEPS_OF_SHORTENING;
pub use failure::{Failure, Shortening};
pub(super) use findings::cut_short;
pub use findings::{findings, tell, tell_ending};
pub use making::{again, all, one};
pub(super) use making::{are_many_random, with_packed_states};
pub(super) use ready::{Job, Means, Queue, alone, threads, unless_stopped, workers};
pub(super) use repeat::flags;
pub use tally::{Tally, verdict, words};
