//! What the tests over case studies share.

use std::path::{Path, PathBuf};

use clap::Parser;
use workbench::cli::Console;
use workbench::cli::args::{Cli, Command, Common};
use workbench::finding::Finding;
use workbench::manifest::MANIFEST_NAME;
use workbench::study::{BadInput, Study};

/// The folders of all case studies.
pub fn studies() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies");
    let entries = std::fs::read_dir(root).expect("the case studies are there");
    let folders = entries.map(|entry| entry.expect("a readable folder").path());
    let mut studies: Vec<PathBuf> = folders
        .filter(|f| f.join(MANIFEST_NAME).is_file())
        .collect();
    studies.sort();
    studies
}

/// A study from its folder.
pub fn load(folder: &Path) -> Study {
    Study::load(&[folder.to_owned()]).unwrap_or_else(|bad| panic!("{}", bad.render(false)))
}

/// The common flags as they are when none is given.
pub fn flags() -> Common {
    match Cli::parse_from(["ioa", "check", "."]).command {
        Command::Check(common) => common,
        _ => unreachable!("the command line says check"),
    }
}

/// What `ioa verify` finds.
pub fn verify(study: &Study) -> Vec<Finding> {
    try_verify(study).unwrap_or_else(|bad| panic!("{}", bad.render(false)))
}

/// What `ioa verify` finds, or why it cannot begin.
pub fn try_verify(study: &Study) -> Result<Vec<Finding>, BadInput> {
    workbench::pipeline::verify(study, &flags(), &Console::silent())
}

/// The findings, one a line.
pub fn summary(findings: &[Finding]) -> String {
    let line = |f: &Finding| {
        format!(
            "{} {}: {} ({})",
            f.kind.word(),
            f.name,
            f.verdict.word(),
            f.summary
        )
    };
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}
