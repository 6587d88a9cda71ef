//! Event graphs: hosts across, steps down, and an arrow from each event to those that learn of it.

mod page;
mod panel;
mod picture;
mod sketch;

use super::lanes::Lanes;
use super::{Execution, TraceError};

pub use page::{MARK as PAGE_MARK, page};
pub use panel::{PANEL_SCRIPT, PANEL_STYLE, Panel};
pub use picture::{MARK as PICTURE_MARK, picture};
pub use sketch::sketch;

/// The events with their hosts. Where there are no components and nobody asked for a sort, the hosts are the elements of
/// the sort that occurs in the parameters of most steps; where none does, all events are the automaton's.
fn lanes(execution: &Execution, hosts: &[String]) -> Result<Lanes, TraceError> {
    match (Lanes::of(execution, hosts), execution.busiest_sort()) {
        (Err(TraceError::NoHosts { .. }), Some(sort)) => Lanes::of(execution, &[sort]),
        (Err(TraceError::NoHosts { .. }), None) => Ok(Lanes::alone(execution)),
        (other, _) => other,
    }
}
