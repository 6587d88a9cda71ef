//! References to actions: by name, with a kind, with a number of parameters.

use crate::check::report::{Report, wrong_number};
use crate::check::world::{DeclaredAction, Header};
use crate::core::{ActionId, ActionKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::Ident;

impl Header {
    /// The action of this name; that there is none is reported.
    pub(in crate::check) fn find_action(
        &self,
        name: &Ident,
        report: &mut Report,
    ) -> Option<ActionId> {
        let found = self.action_ids.get(&name.name).copied();
        if found.is_none() {
            let known = self.action_ids.keys().map(|name| &**name);
            let what = format!("action of {}", self.name.name);
            let diagnostic = report.unknown(&what, name, known);
            report.add_absence(&name.name, diagnostic);
        }
        found
    }

    /// The action of this name, where one of this kind is meant: what a composition hides of an output is an internal
    /// action by the composition's name, and may be named like the output.
    pub(in crate::check) fn find_action_of_kind(
        &self,
        name: &Ident,
        kind: Option<ActionKind>,
        report: &mut Report,
    ) -> Option<ActionId> {
        self.action_of_kind(name, kind)
            .or_else(|| self.find_action(name, report))
    }

    /// The same, but an unknown name is not reported.
    pub(in crate::check) fn action_of_kind(
        &self,
        name: &Ident,
        kind: Option<ActionKind>,
    ) -> Option<ActionId> {
        let hidden = format!("{}.{}", self.name.name, name.name);
        let hidden = self.action_ids.get(&*hidden);
        let hidden = hidden.filter(|_| kind == Some(ActionKind::Internal));
        hidden.or_else(|| self.action_ids.get(&name.name)).copied()
    }
}

impl DeclaredAction {
    /// Whether the action has the kind that is written before its name; reports it if not.
    pub(in crate::check) fn has_kind(
        &self,
        name: &Ident,
        written: ActionKind,
        report: &mut Report,
    ) -> bool {
        if written != self.kind {
            let message = format!(
                "`{}` is an {} action, not an {} one",
                name.name,
                self.kind.keyword(),
                written.keyword()
            );
            report.add(
                Diagnostic::error(Code::WrongKind, name.span, message)
                    .related(self.span, "its signature"),
            );
        }
        written == self.kind
    }

    /// Whether the action has the given number of parameters; reports it if not.
    pub(in crate::check) fn has_parameters(
        &self,
        name: &Ident,
        found: usize,
        report: &mut Report,
    ) -> bool {
        let expected = self.params.len();
        if expected != found {
            let what = format!("the action `{}`", name.name);
            let diagnostic = wrong_number(name.span, &what, "parameter", expected, found);
            report.add_absence(&name.name, diagnostic.related(self.span, "its signature"));
        }
        expected == found
    }
}
