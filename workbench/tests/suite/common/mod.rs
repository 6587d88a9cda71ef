//! What the tests over case studies share.

use std::path::{Path, PathBuf};

use session::finding::Finding;
use session::manifest::MANIFEST_NAME;
use session::pipeline;
use session::setup::Setup;
use session::study::Study;
use workbench::console::Console;
use workbench::reading;

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
    reading::study(&[folder.to_owned()]).unwrap_or_else(|bad| panic!("{}", bad.render(false)))
}

/// What `ioa verify` finds.
pub(crate) fn verify(study: &Study) -> Vec<Finding> {
    let setup = Setup {
        threads: 2,
        ..Setup::default()
    };
    pipeline::verify(study, &setup, &Console::silent())
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
