//! Lines of formulas in the guide: each is true in the start state of an automaton.

use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

/// Complaints about the formulas of a block that are not true in the start state of the automaton in `model`.
///
/// Each becomes an invariant of that automaton, which the tool tests on a run that takes no step.
pub(crate) fn compare(formulas: &str, model: &str, folder: &Path) -> Vec<String> {
    let lines: Vec<&str> = formulas
        .lines()
        .map(|line| line.split('%').next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty())
        .collect();
    let Some(automaton) = automaton(model) else {
        return vec!["the file has no automaton".into()];
    };
    let mut text = model.to_owned();
    for (number, line) in lines.iter().enumerate() {
        text.push_str(&format!("\ninvariant Line{number} of {automaton}: {line}"));
    }
    text.push_str(&format!("\nschedule Still of {automaton}\n  do\n  od\n"));
    std::fs::write(folder.join("values.ioa"), text).expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_ioa"))
        .args(["run", "values.ioa", "--schedule", "Still", "--json"])
        .args(sorts(model).map(|sort| format!("--sort={sort}=2")))
        .current_dir(folder)
        .output()
        .expect("ioa runs");
    let document: Json = serde_json::from_slice(&output.stdout).expect("it prints a document");
    let verdict = |number: usize| {
        let name = format!("Line{number}");
        let results = document["results"].as_array().into_iter().flatten();
        let mut of_line = results.filter(|result| result["name"] == name.as_str());
        of_line.next_back().map(|result| result["verdict"].clone())
    };
    let wrong = lines
        .iter()
        .enumerate()
        .filter(|(number, _)| verdict(*number) != Some("tested".into()));
    let mut complaints: Vec<String> = wrong.map(|(_, line)| format!("not true: {line}")).collect();
    if !complaints.is_empty() {
        complaints.push(document["diagnostics"].to_string());
    }
    complaints
}

/// The name of the first automaton in a text.
fn automaton(model: &str) -> Option<&str> {
    let heading = model
        .lines()
        .find_map(|line| line.strip_prefix("automaton "))?;
    heading.split(|c: char| !c.is_alphanumeric()).next()
}

/// The sorts that a text declares.
fn sorts(model: &str) -> impl Iterator<Item = &str> {
    let declared = model.lines().filter_map(|line| line.strip_prefix("type "));
    declared.filter(|name| name.chars().all(char::is_alphanumeric))
}
