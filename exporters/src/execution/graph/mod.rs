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

/// The events with their hosts. Where nobody asked for any and there is no component, or one alone, the hosts are the elements of
/// the sort that occurs in the parameters of most steps; where none does, all events are the component's or the automaton's.
fn lanes(execution: &Execution, hosts: &[String]) -> Result<Lanes, TraceError> {
    match (Lanes::of(execution, hosts), execution.busiest_sort()) {
        (Err(TraceError::NoHosts { .. }), Some(sort)) => Lanes::of(execution, &[sort]),
        (Err(TraceError::NoHosts { .. }), None) => Ok(Lanes::alone(execution)),
        (Ok(lanes), Some(sort)) if hosts.is_empty() && lanes.hosts.len() == 1 => {
            Lanes::of(execution, &[sort])
        }
        (other, _) => other,
    }
}
