//! An event graph as SVG.

use super::lanes;
use crate::execution::lanes::{Event, Lanes};
use crate::execution::{Execution, TraceError};

/// What tells such a picture from others.
pub const MARK: &str = "<!-- Events of ";

/// Pixels between two hosts at least, between two steps, and above the first step.
const LANE: usize = 90;
const ROW: usize = 26;
const TOP: usize = 48;

/// Pixels that a character takes, generously.
const CHARACTER: usize = 8;

/// An execution as a picture that follows the reader's choice of dark or light.
///
/// # Errors
/// The hosts asked for are not there.
pub fn picture(execution: &Execution, hosts: &[String]) -> Result<String, TraceError> {
    let lanes = lanes(execution, hosts)?;
    let name = escaped(&execution.automaton).replace("--", "- -");
    Ok(format!("{MARK}{name} -->\n{}", drawn(execution, &lanes)))
}

/// The picture itself; what belongs to a step carries its number.
pub(super) fn drawn(execution: &Execution, lanes: &Lanes) -> String {
    let longest = lanes.hosts.iter().map(|name| name.chars().count()).max();
    let lane = LANE.max(longest.unwrap_or(0) * CHARACTER + 20);
    let label = execution
        .steps
        .iter()
        .map(|step| step.label().chars().count())
        .max();
    let texts = 50 + lane * lanes.hosts.len();
    let width = texts + label.unwrap_or(0) * CHARACTER + 20;
    let height = TOP + ROW * (execution.steps.len() + 1);
    let place = |event: &Event| {
        (
            50 + lane * event.host + lane / 2,
            TOP + ROW * (event.step + 1),
        )
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n{STYLE}"
    );
    for (host, name) in lanes.hosts.iter().enumerate() {
        let x = 50 + lane * host + lane / 2;
        let name = escaped(name);
        out.push_str(&format!(
            "<text class=\"host\" x=\"{x}\" y=\"24\">{name}</text><line class=\"lane\" x1=\"{x}\" y1=\"34\" x2=\"{x}\" y2=\"{height}\"/>\n"
        ));
    }
    for (number, step) in execution.steps.iter().enumerate() {
        let y = TOP + ROW * (number + 1) + 4;
        let title = escaped(&step.label());
        out.push_str(&format!(
            "<g data-step=\"{0}\"><text class=\"number\" x=\"40\" y=\"{y}\">{0}</text><text x=\"{texts}\" y=\"{y}\">{title}</text></g>\n",
            number + 1
        ));
    }
    for (event, causes) in lanes.events.iter().zip(lanes.causes()) {
        let (x, y) = place(event);
        for cause in causes {
            let (from, above) = place(&lanes.events[cause]);
            out.push_str(&arrow((from, above), (x, y), event.step + 1));
        }
        let kind = if event.is_input {
            " class=\"input\""
        } else {
            ""
        };
        out.push_str(&format!(
            "<g data-step=\"{}\"><circle{kind} cx=\"{x}\" cy=\"{y}\" r=\"5\"/></g>\n",
            event.step + 1
        ));
    }
    out + "</svg>\n"
}

/// An arrow to an event from one that it learns of, with a head that ends before the circle.
fn arrow((from, above): (usize, usize), (to, y): (usize, usize), step: usize) -> String {
    format!(
        "<g data-step=\"{step}\"><line class=\"arrow\" x1=\"{from}\" y1=\"{above}\" x2=\"{to}\" y2=\"{y}\" marker-end=\"url(#head)\"/></g>\n"
    )
}

/// A text in which nothing means anything to SVG or HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

const STYLE: &str = "\
<style>
svg { color-scheme: light dark; background: #fff; color: #222; font: 13px ui-monospace, monospace; }
text { fill: #222; } .host { text-anchor: middle; font-weight: bold; } .number { text-anchor: end; fill: #777; }
.lane { stroke: #bbb; } .arrow { stroke: #1667b7; } #head path { fill: #1667b7; }
circle { fill: #1667b7; } circle.input { fill: #fff; stroke: #1667b7; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  svg { background: #1b1d21; } text { fill: #ddd; } .number { fill: #999; } .lane { stroke: #555; }
  .arrow { stroke: #6db3f2; } #head path, circle { fill: #6db3f2; } circle.input { fill: #1b1d21; stroke: #6db3f2; }
}
</style>
<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"16\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\"/></marker></defs>
";
