//! The library of environments that studies compose with: channels, failures, membership. The program contains the texts, so a
//! study finds them wherever it is.
//!
//! A part is named `library:channels` wherever a file can be named: in the sources of a study, and on the command line. Its
//! text comes from the study `case-studies/environments`, which explores its automata and proves what is said about them.

use ioa_lang::diagnostic;

/// What the name of a part begins with, where files are named.
pub const PREFIX: &str = "library:";

/// A part of the library: a text that is read as if it were a file of the study.
#[derive(Debug, PartialEq, Eq)]
pub struct LibraryText {
    /// Its name after [`PREFIX`].
    pub name: &'static str,
    /// The text, in the language of studies. Its automata have types for parameters, so they declare nothing by themselves.
    pub text: &'static str,
}

/// All parts, by name.
pub const PARTS: [LibraryText; 3] = [
    LibraryText {
        name: "channels",
        text: include_str!("../../../case-studies/environments/channels.ioa"),
    },
    LibraryText {
        name: "failures",
        text: include_str!("../../../case-studies/environments/failures.ioa"),
    },
    LibraryText {
        name: "membership",
        text: include_str!("../../../case-studies/environments/membership.ioa"),
    },
];

impl LibraryText {
    /// The name under which messages and reports show the text.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{PREFIX}{}", self.name)
    }
}

/// The part that the name of a file stands for; `None` if it is the name of a file.
///
/// # Errors
/// The name begins like that of a part, but there is no such part.
pub fn named(file: &str) -> Option<Result<&'static LibraryText, String>> {
    file.strip_prefix(PREFIX).map(part)
}

/// The part with this name.
///
/// # Errors
/// There is none; the message says which parts there are.
pub fn part(name: &str) -> Result<&'static LibraryText, String> {
    let found = PARTS.iter().find(|part| part.name == name);
    found.ok_or_else(|| {
        let hint = match diagnostic::nearest(name, PARTS.each_ref().map(|part| part.name)) {
            Some(nearest) => format!("did you mean {PREFIX}{nearest}?"),
            None => format!(
                "there is {}",
                PARTS.each_ref().map(LibraryText::place).join(", ")
            ),
        };
        format!("the library has no part `{name}`; {hint}")
    })
}

#[cfg(test)]
mod tests {
    use ioa_lang::{FileId, Sources, format};

    use super::*;

    #[test]
    fn each_part_stands_alone_without_a_warning_and_is_well_laid_out() {
        for part in &PARTS {
            let mut sources = Sources::new();
            sources.add(part.place(), part.text);
            assert_eq!(ioa_lang::load(&sources).diagnostics, [], "{}", part.name);
            assert_eq!(
                format::format(FileId(0), part.text).as_deref(),
                Ok(part.text)
            );
        }
    }

    #[test]
    fn names_are_parts_or_files_or_refused() {
        assert_eq!(named("library:channels"), Some(Ok(&PARTS[0])));
        assert_eq!(named("channels.ioa"), None);
        assert_eq!(named("./library:channels"), None);
        let refused = |name| {
            named(name)
                .expect("a part is meant")
                .expect_err("there is none")
        };
        assert!(refused("library:chanels").contains("did you mean library:channels?"));
        assert!(refused("library:../channels").contains("the library has no part"));
        assert!(refused("library:").contains("library:membership"));
    }
}
