//! An event graph as a page of HTML through which the reader steps both ways. It asks no network for anything.

use super::panel::{PANEL_SCRIPT, PANEL_STYLE, Panel};
use super::picture::escaped;
use crate::execution::{Execution, TraceError};

/// What tells such a page from others.
pub const MARK: &str = "<!-- Steps of an execution -->";

/// An execution as a page: a [`Panel`] with a heading.
///
/// # Errors
/// The hosts asked for are not there.
pub fn page(execution: &Execution, hosts: &[String]) -> Result<String, TraceError> {
    let panel = Panel {
        execution,
        hosts,
        is_alone: true,
    };
    let title = escaped(&execution.automaton);
    Ok(format!(
        "<!DOCTYPE html>\n{MARK}\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>{STYLE}{PANEL_STYLE}</style></head>\n<body><h1>{title}</h1><p>{}</p>\n{}<script>{PANEL_SCRIPT}</script></body></html>\n",
        escaped(&execution.description),
        panel.html()?,
    ))
}

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 15px system-ui, sans-serif; margin: 1rem; background: #fff; color: #222; } h1 { font-size: 1.2rem; }
@media (prefers-color-scheme: dark) { body { background: #1b1d21; color: #ddd; } }
";
