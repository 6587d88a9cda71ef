//! An event graph as SVG.

use std::ops::Range;

use super::lanes;
use crate::execution::lanes::{Event, Lanes};
use crate::execution::mark::Mark;
use crate::execution::{Execution, TraceError};

/// What tells such a picture from others.
pub const MARK: &str = "<!-- Events of ";

/// Pixels left of the lanes, between two of them at least, between two steps, and above the first step.
const LEFT: usize = 50;
const LANE: usize = 90;
const ROW: usize = 26;
const TOP: usize = 48;

/// Pixels that a character takes, generously.
const CHARACTER: usize = 8;

/// The height of an arrow's head, and its distance from the middle of the event that it points to.
const HEAD: f64 = 8.0;
const CLEAR: f64 = 6.0;

/// An execution as a picture that follows the reader's choice of dark or light.
///
/// # Errors
/// The hosts asked for are not there.
pub fn picture(execution: &Execution, hosts: &[String]) -> Result<String, TraceError> {
    let lanes = lanes(execution, hosts)?;
    let name = escaped(&execution.automaton).replace("--", "- -");
    let drawn = drawn(execution, &lanes);
    Ok(format!("{MARK}{name} -->\n{drawn}"))
}

/// Where things stand, in pixels.
struct Plan {
    /// The distance between two lanes.
    lane: usize,
    /// Where the actions are written.
    texts: usize,
    width: usize,
    height: usize,
}

impl Plan {
    fn of(execution: &Execution, lanes: &Lanes) -> Self {
        let characters = |text: &String| text.chars().count() * CHARACTER;
        let longest = lanes.hosts.iter().map(characters).max().unwrap_or(0);
        let lane = LANE.max(longest + 20);
        let labels = execution.steps.iter().map(|step| characters(&step.label));
        let texts = LEFT + lane * lanes.hosts.len();
        Self {
            lane,
            texts,
            width: texts + labels.max().unwrap_or(0) + 20,
            height: TOP + ROW * (execution.steps.len() + 1),
        }
    }

    /// The middle of a lane.
    fn x(&self, host: usize) -> usize {
        LEFT + self.lane * host + self.lane / 2
    }

    fn place(&self, event: &Event) -> (usize, usize) {
        (self.x(event.host), height_of(event.step + 1))
    }
}

/// Where a step stands that has this number, counted from 1.
fn height_of(step: usize) -> usize {
    TOP + ROW * step
}

/// The picture itself; what belongs to a step carries its number.
pub(super) fn drawn(execution: &Execution, lanes: &Lanes) -> String {
    let plan = Plan::of(execution, lanes);
    let (width, height) = (plan.width, plan.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"events\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n{STYLE}"
    );
    for (host, name) in lanes.hosts.iter().enumerate() {
        let (x, name) = (plan.x(host), escaped(name));
        out.push_str(&format!(
            "<text class=\"host\" x=\"{x}\" y=\"24\">{name}</text><line class=\"lane\" x1=\"{x}\" y1=\"34\" x2=\"{x}\" y2=\"{height}\"/>\n"
        ));
    }
    for (number, step) in (1..).zip(&execution.steps) {
        let (x, y) = (plan.texts, height_of(number) + 4);
        let title = escaped(&step.label);
        out.push_str(&format!(
            "<g data-step=\"{number}\"><text class=\"number\" x=\"40\" y=\"{y}\">{number}</text><text x=\"{x}\" y=\"{y}\">{title}</text></g>\n"
        ));
    }
    for (event, causes) in lanes.events.iter().zip(lanes.causes()) {
        let to = plan.place(event);
        let causes = causes.iter().map(|cause| plan.place(&lanes.events[*cause]));
        out.extend(causes.map(|from| arrow(from, to, event.step + 1)));
        out.push_str(&dot(event, to));
    }
    out.push_str(&repetition(&execution.cycle()));
    out + "</svg>\n"
}

fn dot(event: &Event, (x, y): (usize, usize)) -> String {
    let step = event.step + 1;
    let shape = match event.mark {
        Some(Mark::Loss) => cross((x, y)),
        Some(Mark::Crash) => bolt((x, y)),
        None if event.is_input => {
            format!("<circle class=\"input\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>")
        }
        None => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"5\"/>"),
    };
    format!("<g data-step=\"{step}\">{shape}</g>\n")
}

/// A cross: a message is lost here.
fn cross((x, y): (usize, usize)) -> String {
    let (left, right, top, bottom) = (x - 6, x + 6, y - 6, y + 6);
    format!(
        "<path class=\"loss\" d=\"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}\"><title>a message is lost</title></path>"
    )
}

/// A flash of lightning: a component fails here.
fn bolt((x, y): (usize, usize)) -> String {
    format!(
        "<path class=\"crash\" d=\"M{x} {y}m2 -9l-8 10h5l-2 8l9 -11h-6l4 -7z\"><title>a failure</title></path>"
    )
}

/// An arrow to an event from one that it learns about, with a head that ends before the circle.
#[allow(clippy::cast_precision_loss, reason = "pixels")]
fn arrow((from, above): (usize, usize), (to, y): (usize, usize), step: usize) -> String {
    let (across, down) = (to as f64 - from as f64, y as f64 - above as f64);
    let length = across.hypot(down).max(1.0);
    let (across, down) = (across / length, down / length);
    let behind = |distance: f64, aside: f64| {
        let x = to as f64 - across * distance - down * aside;
        let y = y as f64 - down * distance + across * aside;
        format!("{x:.1} {y:.1}")
    };
    let [tip, left, right] = [(0.0, 0.0), (HEAD, HEAD / 2.0), (HEAD, -HEAD / 2.0)]
        .map(|(distance, aside)| behind(CLEAR + distance, aside));
    format!(
        "<g data-step=\"{step}\"><line class=\"arrow\" x1=\"{from}\" y1=\"{above}\" x2=\"{to}\" y2=\"{y}\"/>\
         <path class=\"head\" d=\"M{tip}L{left}L{right}z\"/></g>\n"
    )
}

/// A line beside the steps that are repeated forever, from the last back to the first.
fn repetition(cycle: &Range<usize>) -> String {
    if cycle.is_empty() {
        return String::new();
    }
    let (top, bottom) = (height_of(cycle.start + 1), height_of(cycle.end));
    format!(
        "<path class=\"again\" d=\"M14 {bottom}H6V{top}H14m-5 -4l5 4l-5 4\"><title>then, again and again</title></path>\n"
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
.events { color-scheme: light dark; background: #fff; font: 13px ui-monospace, \"DejaVu Sans Mono\", monospace; }
.events text { fill: #222; } .events .host { text-anchor: middle; font-weight: bold; } .events .number { text-anchor: end; fill: #6a7280; }
.events .lane { stroke: #b8bec6; } .events .arrow { stroke: #1667b7; } .events .head, .events circle { fill: #1667b7; }
.events circle.input { fill: #fff; stroke: #1667b7; stroke-width: 2; } .events .again { fill: none; stroke: #8a5a00; stroke-width: 2; }
.events .loss { fill: none; stroke: #b3261e; stroke-width: 3; } .events .crash { fill: #b3261e; }
@media (prefers-color-scheme: dark) {
  .events { background: #1b1d21; } .events text { fill: #ddd; } .events .number { fill: #9aa3ad; } .events .lane { stroke: #555d66; }
  .events .arrow { stroke: #6db3f2; } .events .head, .events circle { fill: #6db3f2; }
  .events circle.input { fill: #1b1d21; stroke: #6db3f2; } .events .again { stroke: #f3cf7e; }
  .events .loss { stroke: #ff8a80; } .events .crash { fill: #ff8a80; }
}
</style>
";
