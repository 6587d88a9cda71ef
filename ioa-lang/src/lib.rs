//! The IOA language: from text to the core, and what the core is about.
//!
//! Text goes through [`syntax`] (what was written) and [`check`] (what it means) to a [`core::Model`]. Neither stops at
//! the first mistake: both return what they understood together with every [`diagnostic::Diagnostic`]. The crate
//! performs no input or output: files are given to it as text.

use std::collections::BTreeSet;

pub mod check;
pub mod core;
pub mod diagnostic;
pub mod finite;
pub mod format;
mod notation;
pub mod print;
pub mod source;
pub mod syntax;
pub mod value;

pub use diagnostic::{Diagnostic, Severity};
pub use source::{FileId, Name, Sources, Span};
pub use value::Value;

/// What a set of files means.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// All that was understood. Meant to be run or proved only if no diagnostic is an error.
    pub model: core::Model,
    /// Every diagnostic of every file, by file and place.
    pub diagnostics: Vec<Diagnostic>,
}

/// A formula over the state of an automaton that stands in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The file, whose text is the formula.
    pub file: FileId,
    /// The name of the automaton.
    pub automaton: Name,
    /// What the formula is called in the model.
    pub name: Name,
}

/// Parses and checks all files together, in one name space. Never fails and never stops at the first mistake.
#[must_use]
pub fn load(sources: &Sources) -> Loaded {
    load_with(sources, &[])
}

/// The same, where some files are one formula each: these become invariants of the model, behind all others.
#[must_use]
pub fn load_with(sources: &Sources, stated: &[Stated]) -> Loaded {
    let mut items = Vec::new();
    let mut diagnostics = Vec::new();
    let mut unread = BTreeSet::new();
    for (id, file) in sources.iter() {
        if stated.iter().any(|s| s.file == id) {
            continue;
        }
        let parsed = syntax::parse(id, &file.text);
        items.extend(parsed.items);
        diagnostics.extend(parsed.diagnostics);
        for span in parsed.unread {
            let text = sources.text(span);
            unread.extend(
                text.split(|c: char| c != '_' && !c.is_alphanumeric())
                    .map(Name::from),
            );
        }
    }
    for stated in stated {
        let (item, found) = invariant(stated, &sources.file(stated.file).text);
        items.extend(item.map(syntax::ast::Item::Invariant));
        diagnostics.extend(found);
    }
    let (model, found) = check::check(&items, unread);
    diagnostics.extend(found);
    check::sort_and_dedup(&mut diagnostics);
    Loaded { model, diagnostics }
}

/// The invariant that a formula in a file of its own is.
fn invariant(stated: &Stated, text: &str) -> (Option<syntax::ast::InvariantItem>, Vec<Diagnostic>) {
    let (formula, diagnostics) = syntax::formula(stated.file, text);
    let span = Span::new(stated.file, 0, text.len());
    let ident = |name: &Name| syntax::ast::Ident {
        name: name.clone(),
        span,
    };
    let item = formula.map(|formula| syntax::ast::InvariantItem {
        name: ident(&stated.name),
        automaton: ident(&stated.automaton),
        formula,
        span,
    });
    (item, diagnostics)
}
