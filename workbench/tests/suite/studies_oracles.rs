//! The table of `docs/oracles.md`: what `ioa explore` counts is what stands there, and what stands there is what TLC
//! counted (`exporters/tests/tlc.sh` counts again with both).

use std::fs;
use std::path::{Path, PathBuf};

use crate::sandbox::Sandbox;

/// A row of the table.
struct Row {
    /// A folder, a file, or a listing of a chapter as `chapter#file`.
    model: String,
    automaton: String,
    sizes: Vec<String>,
    ours: String,
    tlc: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rows() -> Vec<Row> {
    let page = fs::read_to_string(root().join("docs/oracles.md")).expect("the page is there");
    let lines = page.lines().filter(|line| line.starts_with("| `"));
    lines.map(row).collect()
}

fn row(line: &str) -> Row {
    let cells = line.trim_matches('|').split('|');
    let cells: Vec<String> = cells.map(|c| c.trim().replace('`', "")).collect();
    let [model, automaton, sizes, ours, tlc] = cells.as_slice() else {
        panic!("five cells are expected in {line}");
    };
    Row {
        model: model.clone(),
        automaton: automaton.clone(),
        sizes: sizes.split_whitespace().map(str::to_owned).collect(),
        ours: ours.clone(),
        tlc: tlc.clone(),
    }
}

/// The listing of a chapter that begins with this file's name, with what continues it.
fn listing(chapter: &str, file: &str) -> String {
    let page = fs::read_to_string(root().join(chapter)).expect("the chapter is there");
    let blocks = page.split("```ioa\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("\n```").next());
    let is_of = |block: &&str| {
        let first = block.lines().next().unwrap_or_default();
        [format!("% {file}"), format!("% {file} continued")].contains(&first.to_owned())
    };
    blocks.filter(is_of).collect::<Vec<_>>().join("\n")
}

/// What `ioa explore` counts for a row.
fn counted(row: &Row) -> String {
    let sandbox = Sandbox::new();
    let input = match row.model.split_once('#') {
        Some((chapter, file)) => {
            sandbox.write(file, listing(chapter, file));
            file.to_owned()
        }
        None => root().join(&row.model).display().to_string(),
    };
    let mut args = vec!["explore", &input, "--automaton", &row.automaton];
    // The module that TLC reads has one interpretation of the theories.
    let mut interpretation = "1";
    for size in &row.sizes {
        match size.strip_prefix("interpretation=") {
            Some(number) => interpretation = number,
            None => args.extend(["--sort", size]),
        }
    }
    args.extend(["--interpretation", interpretation]);
    args.extend(["--allow-deadlock", "--keep-going", "--json"]);
    let answer = sandbox.ioa(&args);
    let document = answer.json();
    document["results"][0]["figures"]["distinct_states"].to_string()
}

#[test]
fn the_states_of_every_model_are_as_many_as_tlc_counts() {
    let rows = rows();
    assert!(rows.len() >= 30, "only {} models", rows.len());
    for row in &rows {
        let about = format!("{} of {} at {:?}", row.automaton, row.model, row.sizes);
        assert_eq!(row.ours, row.tlc, "{about}");
        assert_eq!(counted(row), row.ours, "{about}");
    }
}
