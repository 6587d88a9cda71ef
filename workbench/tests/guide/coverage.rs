//! What the guide leaves out: constructs of the grammar, and diagnostics of the front end.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use ioa_lang::syntax;

use super::chapter::Chapter;

/// Rules that are no constructs of a file: a formula by itself, and parts of what is shown.
const NO_CONSTRUCTS: [&str; 3] = ["formula_piece", "reserved", "sign"];

/// How a diagnostic is made in the source of the front end.
const MAKERS: [&str; 2] = ["Diagnostic::error(", "Diagnostic::warning("];

/// What is covered, of how many.
pub(crate) struct Coverage {
    rules: usize,
    missing_rules: Vec<String>,
    checks: usize,
    missing_checks: Vec<String>,
}

impl Coverage {
    pub(crate) fn of(chapters: &[Chapter]) -> Self {
        let used: BTreeSet<&String> = chapters.iter().flat_map(|chapter| &chapter.rules).collect();
        let mut rules = syntax::rules();
        rules.retain(|rule| !NO_CONSTRUCTS.contains(&&**rule));
        let seen: BTreeSet<&(String, u32)> = chapters
            .iter()
            .flat_map(|chapter| &chapter.checks)
            .collect();
        let checks = checks();
        let missing = checks
            .iter()
            .filter(|check| !seen.contains(&(check.file.clone(), check.line)));
        Self {
            rules: rules.len(),
            missing_rules: rules
                .iter()
                .filter(|rule| !used.contains(rule))
                .cloned()
                .collect(),
            checks: checks.len(),
            missing_checks: missing
                .map(|check| format!("{}: {}", check.file, check.text))
                .collect(),
        }
    }

    /// Fails where anything is left out.
    pub(crate) fn judge(&self) {
        assert!(
            self.rules > 100 && self.checks > 60,
            "the grammar or the checks were not found"
        );
        assert!(self.missing_rules.is_empty(), "{self}");
        assert!(self.missing_checks.is_empty(), "{self}");
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let covered = |all: usize, missing: &Vec<String>| all - missing.len();
        writeln!(
            f,
            "constructs in the guide: {} of {}",
            covered(self.rules, &self.missing_rules),
            self.rules
        )?;
        self.missing_rules
            .iter()
            .try_for_each(|rule| writeln!(f, "  not shown: {rule}"))?;
        writeln!(
            f,
            "diagnostics in the guide: {} of {}",
            covered(self.checks, &self.missing_checks),
            self.checks
        )?;
        self.missing_checks
            .iter()
            .try_for_each(|check| writeln!(f, "  not shown: {check}"))
    }
}

/// A place where a diagnostic is made.
struct Check {
    file: String,
    line: u32,
    text: String,
}

/// All places of the front end where diagnostics are made.
fn checks() -> Vec<Check> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    collect(&root.join("ioa-lang/src"), &mut files);
    files.sort();
    let mut checks = Vec::new();
    for path in files {
        let name = path
            .strip_prefix(&root)
            .expect("it is in there")
            .display()
            .to_string();
        let text = fs::read_to_string(&path).expect("a source can be read");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines: Vec<&str> = code.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            if MAKERS.iter().any(|maker| line.contains(maker)) {
                let around = lines[number.saturating_sub(2)..lines.len().min(number + 3)].iter();
                let around: Vec<&str> = around.map(|line| line.trim()).collect();
                checks.push(Check {
                    file: name.clone(),
                    line: u32::try_from(number + 1).expect("a short file"),
                    text: format!("{} ({})", number + 1, around.join(" ")),
                });
            }
        }
    }
    checks
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        match path.extension().and_then(|e| e.to_str()) {
            _ if path.is_dir() => collect(&path, files),
            Some("rs") if !path.ends_with("diagnostic/mod.rs") => files.push(path),
            _ => {}
        }
    }
}
