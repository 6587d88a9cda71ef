//! `enabled(act(x))`, expanded to what it says: some clause of the action can be taken.

use crate::diagnostic::Code;
use std::borrow::Cow;

use crate::check::checker::{Checker, Want};
use crate::core::{
    ActionId, AutomatonId, Expr, ExprKind, LocalId, Op, Quantifier, Substitution, Transition, Type,
};
use crate::source::Span;
use crate::syntax::ast::{self, Ident};
use crate::syntax::path_of;

impl Checker<'_, '_> {
    pub(super) fn enabled(
        &mut self,
        args: &[ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let automaton = match self.scope.enabled {
            Ok(automaton) => automaton,
            Err(reason) => {
                self.error(Code::NotHere, span, reason);
                return None;
            }
        };
        if matches!(args, [only] if only.kind == ast::ExprKind::Error) {
            return None;
        }
        let action = match args {
            [only] => action_of(only),
            _ => None,
        };
        let Some((name, actuals)) = action else {
            self.error(
                Code::NoAction,
                span,
                "`enabled` takes one action with its parameters: `enabled(act(x))`",
            );
            return None;
        };
        let header = self.world.header(automaton);
        let action = header.find_action(&name, self.report)?;
        let actuals = self.copied(|c| c.actuals(automaton, action, &name, &actuals))?;
        let formula = self.some_clause(automaton, action, &actuals, span)?;
        self.fit(formula, want)
    }

    /// The arguments may be copied, so they can neither draw at random nor ask what is enabled.
    fn copied<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let (random, enabled) = (self.scope.random, self.scope.enabled);
        self.scope.random = Err("each draw would be made several times inside `enabled`");
        self.scope.enabled = Err("`enabled` cannot occur inside `enabled`");
        let result = body(self);
        (self.scope.random, self.scope.enabled) = (random, enabled);
        result
    }

    /// The actual parameters of an action.
    pub(in crate::check) fn actuals(
        &mut self,
        automaton: AutomatonId,
        action: ActionId,
        name: &Ident,
        args: &[ast::Expr],
    ) -> Option<Vec<Expr>> {
        let declared = self.world.header(automaton).action(action);
        if !declared.has_parameters(name, args.len(), self.report) {
            for arg in args {
                let _ = self.term(arg, Want::Unknown);
            }
            return None;
        }
        let checked: Vec<Option<Expr>> = args
            .iter()
            .zip(&declared.params)
            .map(|(arg, param)| {
                let reason = (param.name.span, "its place in the signature".to_owned());
                self.term(arg, Want::of(param.ty.as_ref(), Some(&reason)))
            })
            .collect();
        checked.into_iter().collect()
    }

    fn some_clause(
        &mut self,
        automaton: AutomatonId,
        action: ActionId,
        actuals: &[Expr],
        span: Span,
    ) -> Option<Expr> {
        let world = self.world;
        let clauses = world.clauses.get(automaton.index())?;
        if clauses.incomplete[action.index()] {
            return None;
        }
        let of_action = clauses.understood.iter().filter(|t| t.action == action);
        let mut cases = of_action
            .map(|clause| self.can_be_taken(clause, actuals, span))
            .collect::<Option<Vec<Expr>>>()?;
        Some(match cases.len() {
            0 => Expr::falsehood(span),
            1 => cases.remove(0),
            _ => Expr::apply(Op::Or, cases, Type::Bool, span),
        })
    }

    /// `\E hidden (applies /\ pre)`, with the actual parameters.
    fn can_be_taken(&mut self, clause: &Transition, actuals: &[Expr], span: Span) -> Option<Expr> {
        let guard = Expr::conjunction([clause.applies.clone(), clause.pre.clone()], span);
        let nodes: usize = actuals.iter().map(crate::check::checker::size).sum();
        let mut copies = 1;
        guard.walk(&mut |e| copies += usize::from(matches!(e.kind, ExprKind::Local(_))));
        self.report
            .may_copy(crate::check::checker::size(&guard) + nodes * copies, span)?;
        let values = clause.params.iter().copied().zip(actuals.iter().cloned());
        let mut copy = Substitution::new(&clause.locals, &mut self.scope.locals, values);
        let hidden: Vec<LocalId> = clause.hidden.iter().map(|h| copy.rebind(*h)).collect();
        let body = copy.copy(&guard);
        Some(hidden.into_iter().rev().fold(body, |body, hidden| {
            let kind = ExprKind::Quantified(Quantifier::Exists, vec![hidden], Box::new(body));
            Expr::new(kind, Type::Bool, span)
        }))
    }
}

/// The action that a term names, as inside `enabled(..)`, with its actual parameters: the indices of the component first, if it is one's own.
pub(in crate::check) fn action_of(only: &ast::Expr) -> Option<(Ident, Cow<'_, [ast::Expr]>)> {
    if let ast::ExprKind::Call(name, args) = &only.kind {
        return Some((name.clone(), Cow::Borrowed(args)));
    }
    let (names, indices) = path_of(only)?;
    let name = Ident {
        name: names.join(".").into(),
        span: only.span,
    };
    Some((name, Cow::Owned(indices)))
}
