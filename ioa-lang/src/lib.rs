//! The IOA language: from text to the core, and facts about the core.
//!
//! Text goes through [`syntax`] (what was written) and [`check`] (what it means) to a [`core::Model`]. Neither stops at
//! the first mistake: both return what they understood together with every [`diagnostic::Diagnostic`]. The crate
//! performs no input or output: files are given to it as text.
//!
//! **Boundary.** [`load`] returns a model together with the meaning of its names, and [`formula`], [`term`] and [`guard`] read
//! one more formula, term or condition about it. The [`core`] is what every other crate reads; [`print`](mod@print) and
//! [`format`](mod@format) write it as text.
//!
//! **What it never knows.** How a model is run, explored or proved, and who asks.

use std::collections::BTreeSet;

#[macro_use]
mod notation;

pub mod check;
pub mod core;
pub mod diagnostic;
pub mod format;
mod selection;
pub mod source;
pub mod syntax;
pub mod value;
mod write;

pub use check::Resolved;
pub use diagnostic::{Diagnostic, Severity};
pub use source::{FileId, Name, Sources, Span};
pub use value::Value;

/// From the core back to text: expressions as legal IOA, with as few parentheses as the grammar allows.
///
/// When the text is read in the place of the expression, it yields the same expression. In a term that was constructed
/// rather than parsed, the context may not determine the type of a part, or may suggest another type: such a part is written
/// with its type, as in `{}:Set[Node]`.
pub mod print {
    pub use crate::check::reread::{Abbreviations, expr, liveness, placed};
    pub use crate::write::{Context, Places, action, placed_action};
}

/// What a set of files means.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// Everything that was understood. It should be run or proved only if no diagnostic is an error.
    pub model: core::Model,
    /// What its names stand for, so that further terms about it can be checked. It should be used only if no diagnostic is
    /// an error.
    pub names: Resolved,
    /// Every diagnostic of every file, by file and place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and checks all files together, in one name space. Never fails and never stops at the first mistake. Automata of
/// libraries that no file needs are left out.
#[must_use]
pub fn load(sources: &Sources) -> Loaded {
    let mut items = Vec::new();
    let mut diagnostics = Vec::new();
    let mut unread = BTreeSet::new();
    for (id, file) in sources.iter() {
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
    let items = selection::select(items, sources, &unread);
    let (model, names, found) = check::check(&items, unread);
    diagnostics.extend(found);
    check::sort_and_dedup(&mut diagnostics);
    Loaded {
        model,
        names,
        diagnostics,
    }
}

/// Parses and checks a file that is one formula over the state of an automaton: the invariant of that name that it is.
///
/// # Errors
/// Every mistake in it.
pub fn formula(
    names: &Resolved,
    (file, text): (FileId, &str),
    (automaton, extent): (core::AutomatonId, core::Extent),
    name: &Name,
) -> Result<core::Invariant, Vec<Diagnostic>> {
    let (formula, mut diagnostics) = syntax::formula(file, text);
    let span = Span::new(file, 0, text.len());
    let found = formula.and_then(|formula| {
        let (invariant, found) = names.invariant(name, (automaton, extent), &formula, span);
        diagnostics.extend(found);
        invariant
    });
    understood(found, diagnostics)
}

/// Parses and checks a file of the form `send(m, p): m.number < 3`: an action with names for its parameters, or without
/// them, and a formula over these and the state before. Steps by the action are taken only where the formula holds.
///
/// # Errors
/// Every mistake in it.
pub fn guard(
    names: &Resolved,
    (file, text): (FileId, &str),
    about: (core::AutomatonId, core::Extent),
) -> Result<core::Guard, Vec<Diagnostic>> {
    let parts = text.split_once(':');
    let parts = parts.filter(|(action, formula)| {
        !action.trim_start().is_empty() && !formula.trim_start().is_empty()
    });
    let Some((action, _)) = parts else {
        let span = Span::new(file, 0, text.len());
        let message = "an action, a colon and a formula should stand here";
        let missing = Diagnostic::error(diagnostic::Code::Unexpected, span, message)
            .help("such as `send(m, p): m.number < 3`");
        return Err(vec![missing]);
    };
    // Each part is read with blanks in the other's place, so that what is found in it is at its place in the text.
    let before = " ".repeat(action.len() + 1);
    let condition = format!("{before}{}", &text[before.len()..]);
    let (action, mut diagnostics) = syntax::formula(file, action);
    let (condition, found) = syntax::formula(file, &condition);
    diagnostics.extend(found);
    let guard = action.zip(condition).and_then(|(action, condition)| {
        let (guard, found) = names.guard(about, (&action, &condition));
        diagnostics.extend(found);
        guard
    });
    understood(guard, diagnostics)
}

/// Parses and checks a file that is one term over the state of an automaton, with the expected type if there is one.
///
/// # Errors
/// Every mistake in it.
pub fn term(
    names: &Resolved,
    (file, text): (FileId, &str),
    about: (core::AutomatonId, core::Extent),
    wanted: Option<&core::Type>,
) -> Result<core::StateTerm, Vec<Diagnostic>> {
    let (term, mut diagnostics) = syntax::formula(file, text);
    let found = term.and_then(|term| {
        let (term, found) = names.term(about, &term, wanted);
        diagnostics.extend(found);
        term
    });
    understood(found, diagnostics)
}

/// Parses and checks a file that is one term over the state of an automaton, in which names that stand for nothing else are
/// variables of sorts and enumerations; with the expected type if there is one.
///
/// # Errors
/// Every mistake in it.
pub fn open_term(
    names: &Resolved,
    (file, text): (FileId, &str),
    automaton: core::AutomatonId,
    wanted: Option<&core::Type>,
) -> Result<core::OpenTerm, Vec<Diagnostic>> {
    let (term, mut diagnostics) = syntax::formula(file, text);
    let found = term.and_then(|term| {
        let (term, found) = names.open_term(automaton, &term, wanted);
        diagnostics.extend(found);
        term
    });
    understood(found, diagnostics)
}

/// What was understood, if nothing is wrong with it.
fn understood<T>(found: Option<T>, mut diagnostics: Vec<Diagnostic>) -> Result<T, Vec<Diagnostic>> {
    check::sort_and_dedup(&mut diagnostics);
    match found {
        Some(found) if !diagnostic::has_errors(&diagnostics) => Ok(found),
        _ => Err(diagnostics),
    }
}
