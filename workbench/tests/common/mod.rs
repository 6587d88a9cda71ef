//! What the tests over case studies share.

use std::path::{Path, PathBuf};

use clap::Parser;
use workbench::args::{Cli, Command, Common};
use workbench::console::Console;
use workbench::finding::Finding;
use workbench::manifest::MANIFEST_NAME;
use workbench::study::Study;

/// The folders of all case studies.
pub(crate) fn studies() -> Vec<PathBuf> {
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
pub(crate) fn load(folder: &Path) -> Study {
    Study::load(&[folder.to_owned()]).unwrap_or_else(|bad| panic!("{}", bad.render(false)))
}

/// The common flags as they are when none is given.
fn flags() -> Common {
    match Cli::parse_from(["ioa", "check", "."]).command {
        Command::Check(args) => args.common,
        _ => unreachable!("the command line says check"),
    }
}

/// What `ioa verify` finds.
pub(crate) fn verify(study: &Study) -> Vec<Finding> {
    workbench::pipeline::verify(study, &flags(), &Console::silent())
        .unwrap_or_else(|bad| panic!("{}", bad.render(false)))
}

/// The findings, one a line.
pub(crate) fn summary(findings: &[Finding]) -> String {
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
