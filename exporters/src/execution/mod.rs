//! Executions in forms for people to look at: ShiViz logs, Mermaid diagrams, event graphs, and ITF for its viewers.
//!
//! All of them are made from a trace file alone. It says about each step what was done, with which parameters, and in a
//! composition who took part: the component that controls the action first, then those that receive it. A file that
//! contradicts itself is refused.

mod agreement;
mod graph;
mod itf;
mod lanes;
mod mark;
mod mermaid;
mod messages;
mod reading;
mod shiviz;
mod trace_error;
mod words;

pub use graph::{PAGE_MARK, PANEL_SCRIPT, PANEL_STYLE, PICTURE_MARK, Panel, page, picture, sketch};
pub use itf::strict;
pub use mermaid::{MARK as DIAGRAM_MARK, MOST_CHARACTERS, diagram};
pub use reading::Execution;
pub use shiviz::{PARSER, log};
pub use trace_error::TraceError;
