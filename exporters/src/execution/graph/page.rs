//! An event graph as a page of HTML through which the reader steps both ways. It asks no network for anything.

use super::lanes;
use super::picture::{drawn, escaped};
use crate::execution::{Execution, TraceError, words};

/// What tells such a page from others.
pub const MARK: &str = "<!-- Steps of an execution -->";

/// An execution as a page: the picture, and beside it the state after the step that the reader is at, with what the step
/// changed. The arrow keys and the buttons go forward and back, and so does a click on a step.
///
/// # Errors
/// The hosts asked for are not there.
pub fn page(execution: &Execution, hosts: &[String]) -> Result<String, TraceError> {
    let lanes = lanes(execution, hosts)?;
    let title = escaped(&execution.automaton);
    let states: String = (0..execution.states.len())
        .map(|at| state(execution, at))
        .collect();
    Ok(format!(
        "<!DOCTYPE html>\n{MARK}\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>{STYLE}</style></head>\n\
         <body><header><h1>{title}</h1><button id=\"back\">&#8592; back</button> <button id=\"forward\">forward &#8594;</button> \
         <span id=\"where\"></span><p>{}</p></header>\n<main><div id=\"graph\">{}</div><div id=\"states\">{states}</div></main>\n\
         <script>{SCRIPT}</script></body></html>\n",
        escaped(&execution.description),
        drawn(execution, &lanes),
    ))
}

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
        None => "the first state".to_owned(),
        Some(step) => format!("{at}: {}", escaped(&execution.steps[step].label())),
    };
    format!("<section hidden><h2>{title}</h2><table>{rows}</table></section>\n")
}

const STYLE: &str = "
:root { color-scheme: light dark; --new: #fff1c2; --here: #1667b722; }
@media (prefers-color-scheme: dark) { :root { --new: #4a3f16; --here: #6db3f233; } }
body { font: 15px system-ui, sans-serif; margin: 1rem; } h1 { font-size: 1.2rem; } h2 { font-size: 1rem; }
main { display: flex; gap: 1rem; align-items: flex-start; } #graph { overflow: auto; max-height: 80vh; flex: 2; }
#states { flex: 1; overflow: auto; max-height: 80vh; } table { border-collapse: collapse; font-family: ui-monospace, monospace; }
td { padding: .1rem .6rem; vertical-align: top; overflow-wrap: anywhere; } td:first-child { white-space: nowrap; } .new { background: var(--new); }
[data-step] { cursor: pointer; } .later { opacity: .25; } .here text { font-weight: bold; text-decoration: underline; }
";

const SCRIPT: &str = "
const states = [...document.querySelectorAll('section')], marks = [...document.querySelectorAll('[data-step]')];
let at = 0;
function go(to) {
  at = Math.max(0, Math.min(states.length - 1, to));
  states.forEach((state, n) => state.hidden = n !== at);
  for (const mark of marks) {
    const step = Number(mark.dataset.step);
    mark.classList.toggle('later', step > at);
    mark.classList.toggle('here', step === at);
    if (step === at && mark.querySelector('text')) mark.scrollIntoView({ block: 'nearest' });
  }
  document.getElementById('where').textContent = 'step ' + at + ' of ' + (states.length - 1);
}
document.addEventListener('keydown', event => {
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: states.length - 1 }[event.key];
  if (to !== undefined) { event.preventDefault(); go(to); }
});
document.getElementById('back').onclick = () => go(at - 1);
document.getElementById('forward').onclick = () => go(at + 1);
for (const mark of marks) mark.onclick = () => go(Number(mark.dataset.step));
go(0);
";
