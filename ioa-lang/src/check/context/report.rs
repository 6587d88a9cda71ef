//! Where diagnostics are gathered, and the wording that several checks share.

use std::collections::BTreeSet;

use crate::core::{Model, Type};
use crate::diagnostic::{Code, Diagnostic, Severity, nearest};
use crate::source::{Name, Span};
use crate::syntax::ast::Ident;

/// A declaration that something should use: its position among those that a [`Report`] was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::check) struct DeclarationId(usize);

/// How many nodes of formulas sugar may copy in all (`enabled(..)`, a signature's `where` in each clause). Copies of
/// copies grow fast, and no model for people comes near this.
const COPY_LIMIT: usize = 1_000_000;

/// Maximum number of unknown names for which a similar name is searched, since each is compared with all known names.
const SUGGESTION_LIMIT: usize = 200;

/// The diagnostics found so far.
pub(in crate::check) struct Report {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    /// Names that may be declared all the same: the words that occur where a syntax error was reported, and what declarations
    /// would have declared that have mistakes.
    missed: BTreeSet<Name>,
    copied: usize,
    /// How many names were looked for that are near to an unknown one.
    suggestions: usize,
    /// The first name in a term that stands for nothing, and whether a known one is near to it.
    unknown: Option<(Ident, bool)>,
    /// What is declared, with the warnings in case that nothing uses it.
    declarations: Vec<(Name, Diagnostic)>,
    /// The declarations that something uses.
    used: BTreeSet<DeclarationId>,
    /// The names of types that something uses.
    used_types: BTreeSet<Name>,
}

impl Report {
    pub(in crate::check) fn new(unread: BTreeSet<Name>) -> Self {
        Self {
            diagnostics: Vec::new(),
            errors: 0,
            missed: unread,
            copied: 0,
            suggestions: 0,
            unknown: None,
            declarations: Vec::new(),
            used: BTreeSet::new(),
            used_types: BTreeSet::new(),
        }
    }

    pub(in crate::check) fn add(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.diagnostics.push(diagnostic);
    }

    /// Remembers that `name` would be declared if a declaration that was reported had no mistake.
    pub(in crate::check) fn miss(&mut self, name: Name) {
        self.missed.insert(name);
    }

    /// Adds a diagnostic that `name` is missing, unless it may be declared in text that could not be read, or in a
    /// declaration with a mistake.
    pub(in crate::check) fn add_absence(&mut self, name: &str, diagnostic: Diagnostic) {
        if !self.missed.contains(name.trim_end_matches('\'')) {
            self.add(diagnostic);
        }
    }

    /// A name that nothing visible bears, with the nearest one of those that are known.
    pub(in crate::check) fn unknown<'a>(
        &mut self,
        what: &str,
        ident: &Ident,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Diagnostic {
        let message = format!("unknown {what} `{}`", ident.name);
        let diagnostic = Diagnostic::error(Code::UnknownName, ident.span, message);
        self.suggestions += 1;
        let near = (self.suggestions <= SUGGESTION_LIMIT).then(|| nearest(&ident.name, known));
        match near.flatten() {
            Some(name) => diagnostic.help(format!("did you mean `{name}`?")),
            None => diagnostic,
        }
    }

    /// Remembers a name in a term that stands for nothing, if it is the first one; near to it is a known one, or none.
    pub(in crate::check) fn note_unknown(&mut self, ident: &Ident, has_near: bool) {
        self.unknown
            .get_or_insert_with(|| (ident.clone(), has_near));
    }

    /// The first name in a term that stands for nothing, and whether a known one is near to it.
    pub(in crate::check) fn first_unknown(&self) -> Option<&(Ident, bool)> {
        self.unknown.as_ref()
    }

    /// Adds advice to what was said about a name.
    pub(in crate::check) fn advise(
        &mut self,
        ident: &Ident,
        advice: impl IntoIterator<Item = String>,
    ) {
        let mut said = self.diagnostics.iter_mut();
        if let Some(said) = said.find(|said| said.span == ident.span) {
            said.help.extend(advice);
        }
    }

    /// Adds a declaration, with the warning in case that nothing uses it.
    pub(in crate::check) fn declare(&mut self, name: &Name, unused: Diagnostic) -> DeclarationId {
        self.declarations.push((name.clone(), unused));
        DeclarationId(self.declarations.len() - 1)
    }

    /// Remembers that a declaration is used.
    pub(in crate::check) fn mark_used(&mut self, declaration: DeclarationId) {
        self.used.insert(declaration);
    }

    /// The names of the declarations that nothing uses, with the warnings about them.
    pub(in crate::check) fn unused(&self) -> Vec<(Name, Diagnostic)> {
        let declarations = (0..).map(DeclarationId).zip(&self.declarations);
        let unused = declarations.filter(|(id, _)| !self.used.contains(id));
        unused.map(|(_, declaration)| declaration.clone()).collect()
    }

    pub(in crate::check) fn mark_type_used(&mut self, name: &Name) {
        if !self.used_types.contains(name) {
            self.used_types.insert(name.clone());
        }
    }

    pub(in crate::check) fn is_type_used(&self, name: &Name) -> bool {
        self.used_types.contains(name)
    }

    /// How many errors there are so far.
    pub(in crate::check) fn errors(&self) -> usize {
        self.errors
    }

    /// The diagnostics in source order, each once.
    pub(in crate::check) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        sort_and_dedup(&mut diagnostics);
        diagnostics
    }

    /// Allows the copying of `nodes` more nodes, or reports that the text at `span` expands to too much.
    pub(in crate::check) fn may_copy(&mut self, nodes: usize, span: Span) -> Option<()> {
        let before = self.copied;
        self.copied = before.saturating_add(nodes);
        if self.copied <= COPY_LIMIT {
            return Some(());
        }
        if before <= COPY_LIMIT {
            self.add(
                Diagnostic::error(
                    Code::LargeFormula,
                    span,
                    "this expands to too large a formula",
                )
                .label(format!("all expansions together exceed {COPY_LIMIT} terms")),
            );
        }
        None
    }
}

/// Brings diagnostics into source order and drops repetitions.
pub(crate) fn sort_and_dedup(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        (a.span.file, a.span.start, a.span.end, &a.message).cmp(&(
            b.span.file,
            b.span.start,
            b.span.end,
            &b.message,
        ))
    });
    diagnostics.dedup();
}

/// A second declaration of a name.
pub(in crate::check) fn duplicate(what: &str, ident: &Ident, first: Span) -> Diagnostic {
    Diagnostic::error(
        Code::DeclaredTwice,
        ident.span,
        format!("{what} `{}` is declared twice", ident.name),
    )
    .related(first, "first declared here")
}

/// A wrong number of things: `what` says which thing takes how many of what.
pub(in crate::check) fn wrong_number(
    span: Span,
    what: &str,
    unit: &str,
    expected: usize,
    found: usize,
) -> Diagnostic {
    let plural = if expected == 1 { "" } else { "s" };
    Diagnostic::error(
        Code::WrongNumber,
        span,
        format!("{what} takes {expected} {unit}{plural}, {found} given"),
    )
}

/// A term of one type where another is expected.
pub(in crate::check) fn mismatch(
    model: &Model,
    span: Span,
    expected: &Type,
    found: &Type,
) -> Diagnostic {
    let (expected_name, found_name) = (model.type_name(expected), model.type_name(found));
    let diagnostic = Diagnostic::error(
        Code::WrongType,
        span,
        format!("this is of type {found_name}, but {expected_name} is expected here"),
    )
    .label(format!("expected {expected_name}, found {found_name}"));
    match (expected, found) {
        (Type::Nat, Type::Int) => diagnostic
            .help("an Int may be negative: take its `abs`, or declare what it is made of as Nat"),
        (Type::Null(inner), found) if **inner == *found => {
            diagnostic.help("write `embed(..)` to make it a value that may be nil")
        }
        (expected, Type::Null(inner)) if **inner == *expected => {
            diagnostic.help("write `.val` for the value, where it is not nil")
        }
        (Type::Set(inner), found) if **inner == *found => {
            diagnostic.help("write `{..}` for the set of this one element")
        }
        _ => diagnostic,
    }
}
