//! The search itself: attempts with some ranges of integers until none outgrows its range, with a clock beside them and a
//! checkpoint behind them.

mod alike;
mod attempt;
mod checkpoint;
mod concluded;
mod packing;
mod prospect;
mod ranges;
mod reduction;
mod steps;
mod time_limit;

pub(super) use attempt::{Attempt, or_stopped, workers};
pub use checkpoint::{DISK_MARK, MARK, make_sums_right};
pub(super) use concluded::unstarted;
#[cfg(test)]
pub(super) use concluded::{look_back, summed_up};
pub use packing::{explore, storage};
pub(in crate::pipeline) use ranges::{FirstRanges, Numbering};
pub(in crate::pipeline) use steps::{Steps, labelled, steps};
pub(in crate::pipeline) use time_limit::TimeLimit;
