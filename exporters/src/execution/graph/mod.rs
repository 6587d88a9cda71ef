//! Event graphs: hosts across, steps down, and an arrow from each event to those that learn of it.

mod page;
mod picture;
mod sketch;

use super::lanes::Lanes;
use super::{Execution, TraceError};

pub use page::{MARK as PAGE_MARK, page};
pub use picture::{MARK as PICTURE_MARK, picture};
pub use sketch::sketch;

/// The events with their hosts; where nothing says whose they are, all are the automaton's.
fn lanes(execution: &Execution, hosts: &[String]) -> Result<Lanes, TraceError> {
    match Lanes::of(execution, hosts) {
        Err(TraceError::NoHosts { .. }) => Ok(Lanes::alone(execution)),
        other => other,
    }
}
