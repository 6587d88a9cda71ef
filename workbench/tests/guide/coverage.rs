//! What the guide leaves out: constructs of the grammar, and diagnostics of the front end.

use std::collections::BTreeSet;
use std::fmt;

use ioa_lang::diagnostic::Code;
use ioa_lang::syntax;

use super::chapter::Chapter;

/// Rules that are no constructs of a file: a formula by itself, and parts of what is shown.
const NO_CONSTRUCTS: [&str; 3] = ["formula_piece", "reserved", "sign"];

/// What is covered, of how many.
pub(crate) struct Coverage {
    rules: usize,
    missing_rules: Vec<String>,
    codes: usize,
    missing_codes: Vec<String>,
}

impl Coverage {
    pub(crate) fn of(chapters: &[Chapter]) -> Self {
        let used: BTreeSet<&String> = chapters.iter().flat_map(|chapter| &chapter.rules).collect();
        let mut rules = syntax::rules();
        rules.retain(|rule| !NO_CONSTRUCTS.contains(&&**rule));
        let missing = Code::ALL.iter().filter(|code| {
            let explained = chapters
                .iter()
                .filter_map(|chapter| chapter.explained.get(code.name()));
            !explained.into_iter().any(|shown| shown.contains(code))
        });
        Self {
            rules: rules.len(),
            missing_rules: rules
                .iter()
                .filter(|rule| !used.contains(rule))
                .cloned()
                .collect(),
            codes: Code::ALL.len(),
            missing_codes: missing
                .map(|code| format!("{code}: {}", code.title()))
                .collect(),
        }
    }

    /// Fails where anything is left out.
    pub(crate) fn judge(&self) {
        assert!(
            self.rules > 100 && self.codes > 60,
            "the grammar or the codes were not found"
        );
        assert!(self.missing_rules.is_empty(), "{self}");
        assert!(self.missing_codes.is_empty(), "{self}");
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
            "codes in the guide: {} of {}",
            covered(self.codes, &self.missing_codes),
            self.codes
        )?;
        self.missing_codes
            .iter()
            .try_for_each(|code| writeln!(f, "  not explained: {code}"))
    }
}
