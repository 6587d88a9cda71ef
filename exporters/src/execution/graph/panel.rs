//! An execution in a page of HTML, through which the reader steps both ways.

use super::lanes;
use super::picture::{drawn, escaped};
use crate::execution::{Execution, TraceError, words};

/// How a page shows the panels in it, as CSS: light and dark, on a screen and in print.
pub const PANEL_STYLE: &str = include_str!("panel.css");

/// What makes the panels of a page follow keys and clicks, as JavaScript. Without it, and in print, a panel shows all states.
pub const PANEL_SCRIPT: &str = include_str!("panel.js");

/// An execution that a page shows.
#[derive(Clone, Copy, Debug)]
pub struct Panel<'e> {
    /// The execution.
    pub execution: &'e Execution,
    /// Whose lanes are shown: components or one sort; where none is named, those that are chosen by how they talk.
    pub hosts: &'e [String],
    /// Whether the page is about this execution alone, so that keys go to it from the beginning, and the start state is
    /// shown first; otherwise its last state is.
    pub is_alone: bool,
}

impl Panel<'_> {
    /// The picture, and beside it the state that the reader is at, in which what the step changed is marked. The buttons and
    /// the arrow keys go forward and back, Home and End to the ends, and a click goes to a step.
    ///
    /// # Errors
    /// The hosts asked for are not there.
    pub fn html(&self) -> Result<String, TraceError> {
        let execution = self.execution;
        let lanes = lanes(execution, self.hosts)?;
        let states: String = (0..execution.states.len())
            .map(|at| state(execution, at))
            .collect();
        let begin = match self.is_alone {
            true => " data-focus",
            false => " data-begin=\"end\"",
        };
        Ok(format!(
            "<div class=\"execution\" tabindex=\"0\" role=\"group\" aria-label=\"An execution of {}, step by step\"{begin}>\n{CONTROLS}\
             <div class=\"panes\"><div class=\"lanes\">{}</div>\n<div class=\"states\">{states}</div></div></div>\n",
            escaped(&execution.automaton),
            drawn(execution, &lanes),
        ))
    }
}

const CONTROLS: &str = "\
<div class=\"controls\" hidden><button data-go=\"first\" title=\"Home\">first</button> \
<button data-go=\"back\" title=\"left arrow\">&#8592; back</button> \
<button data-go=\"forward\" title=\"right arrow\">forward &#8594;</button> \
<button data-go=\"last\" title=\"End\">last</button> \
<span class=\"where\" role=\"status\"></span> <span class=\"keys\">also the arrow keys, Home and End, and a click on a step</span></div>
";

/// A state with what led to it. What changed is marked.
fn state(execution: &Execution, at: usize) -> String {
    let before = at.checked_sub(1).map(|before| &execution.states[before]);
    let rows = execution.states[at]
        .iter()
        .enumerate()
        .map(|(v, (name, value))| {
            let is_new = before.is_some_and(|before| before[v].1 != *value);
            let class = if is_new { " class=\"new\"" } else { "" };
            format!(
                "<tr{class}><td>{}</td><td>{}</td></tr>",
                escaped(name),
                escaped(&words::value(value))
            )
        });
    let rows: String = rows.collect();
    let title = match at.checked_sub(1) {
        None => "the start state".to_owned(),
        Some(step) => format!("{at}: {}", escaped(&execution.steps[step].label)),
    };
    format!("<section data-at=\"{at}\"><h4>{title}</h4><table>{rows}</table></section>\n")
}
