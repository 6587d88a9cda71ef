//! Visits of small instances.
//!
//! ```text
//! places   which instances, and within which bounds
//! bounds   the formula that keeps executions within bounds
//! few      few numbers for parameters that may have any
//! visit    which states are reached in one of them, and which refute candidates
//! seen     states that were seen, by their hashes
//! dive     searches that go deep, where there are too many states
//! far      states far from the start, by random runs, where there are too many
//! first    the first visits: the states that are learnt from
//! ```

mod bounds;
mod dive;
mod far;
#[cfg(feature = "smt")]
mod few;
mod first;
mod places;
mod seen;
mod visit;

pub(super) use bounds::{Bound, may_grow};
pub(super) use dive::{DIVES, DiveLimits};
pub(super) use far::telling_key;
#[cfg(feature = "smt")]
pub(super) use few::take_few_numbers;
#[cfg(feature = "smt")]
pub(in crate::pipeline) use places::TELLING;
pub(super) use places::{Place, Places};
pub(super) use seen::Seen;
pub(super) use visit::{
    Asked, LIKE_A_VISIT, Reach, Visit, Visitor, Widened, bare, without_steps, words,
};
