//! Logs for ShiViz (<https://bestchai.bitbucket.io/shiviz/>): two lines an event, with its vector clock.

use serde_json::json;

use super::lanes::Lanes;
use super::{Execution, TraceError};

/// The regular expression that reads the events. ShiViz takes it from the first line of a file.
pub const PARSER: &str = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})";

/// An execution as a log. The first line is the regular expression that reads it; the second would separate several
/// executions, and is empty for one.
///
/// # Errors
/// The hosts asked for are not there, or have to be asked for.
pub fn log(execution: &Execution, hosts: &[String]) -> Result<String, TraceError> {
    let lanes = Lanes::of(execution, hosts)?;
    let mut out = format!("{PARSER}\n\n");
    // A host's name ends at the first blank.
    let names = lanes.hosts.iter().map(|name| name.replace(' ', ""));
    let names: Vec<String> = names.collect();
    for event in &lanes.events {
        let clock = event.clock.iter();
        let clock: serde_json::Map<_, _> = clock
            .map(|(host, count)| (names[*host].clone(), json!(count)))
            .collect();
        let clock = serde_json::Value::Object(clock);
        let label = event.label.replace(['\n', '\r'], " ");
        out.push_str(&format!("{label}\n{} {clock}\n", names[event.host]));
    }
    Ok(out)
}
