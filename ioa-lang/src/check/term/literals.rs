//! Literals of collections and tuples: `{}`, `{a, b}`, `[a, b]`.

use super::operators;
use crate::check::checker::{Checker, Reason, Want};
use crate::check::report::wrong_number;
use crate::check::widen::widens;
use crate::core::{Expr, Op, Type};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast;

/// How many elements a set literal may have: it becomes as many nested insertions.
const SET_LITERAL_LIMIT: usize = 256;

impl Checker<'_, '_> {
    pub(super) fn braces(
        &mut self,
        elements: &[ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        if elements.is_empty() {
            return self.operator("{}", operators::EMPTY, &[], span, want);
        }
        if elements.len() > SET_LITERAL_LIMIT {
            self.report.add(
                Diagnostic::error(span, "this set literal is too long").label(format!(
                    "{} elements, of at most {SET_LITERAL_LIMIT}",
                    elements.len()
                )),
            );
            return None;
        }
        let element_want = match want {
            Want::Type(Type::Set(element), reason) => Want::Type(element, reason),
            Want::Type(Type::Seq(_), reason) => {
                return self.refuse_sequence(elements, span, want, reason);
            }
            Want::Type(..) | Want::Anything => Want::Anything,
            Want::Unknown => Want::Unknown,
        };
        let references: Vec<&ast::Expr> = elements.iter().collect();
        // Each element stands one insertion deeper than the one before it.
        let (elements, ty) = self.deeper(elements.len(), span, |c| {
            c.of_one_type(&references, element_want)
        })?;
        let set = Type::set(ty);
        let empty = Expr::apply(Op::EmptySet, Vec::new(), set.clone(), span);
        let literal = elements.into_iter().rev().fold(empty, |rest, element| {
            Expr::apply(Op::Insert, vec![element, rest], set.clone(), span)
        });
        self.fit(literal, want)
    }

    fn refuse_sequence(
        &mut self,
        elements: &[ast::Expr],
        span: Span,
        want: Want<'_>,
        reason: Option<&Reason>,
    ) -> Option<Expr> {
        for element in elements {
            let _ = self.term(element, Want::Unknown);
        }
        if let Want::Type(ty, _) = want {
            self.report_unexpected(span, ty, "a set", reason);
        }
        None
    }

    /// Terms that must all be of one type: the wanted one, or else the one that those say which have their own.
    pub(super) fn of_one_type(
        &mut self,
        terms: &[&ast::Expr],
        want: Want<'_>,
    ) -> Option<(Vec<Expr>, Type)> {
        if let Want::Type(ty, _) = want {
            let checked: Vec<_> = terms.iter().map(|e| self.term(e, want)).collect();
            return Some((checked.into_iter().collect::<Option<_>>()?, ty.clone()));
        }
        let mut given = Vec::new();
        let mut mistaken = false;
        for e in terms {
            let checked = self.has_own_type(e).then(|| self.term(e, Want::Anything));
            mistaken |= matches!(checked, Some(None));
            given.push(checked.flatten());
        }
        let common = given.iter().flatten().map(|e| (&e.ty, e.span)).reduce(
            |(ty, span), (next, next_span)| match widens(ty, next) {
                true => (next, next_span),
                false => (ty, span),
            },
        );
        let (ty, origin) = match common {
            Some((ty, span)) if !mistaken => (Some(ty.clone()), span),
            _ => (None, terms[0].span),
        };
        let reason = (origin, "the type follows from this".to_owned());
        let mut checked = Vec::new();
        for (written, given) in terms.iter().zip(given) {
            let fitted = match (given, &ty) {
                (Some(given), Some(ty)) => self.coerce(given, ty, Some(&reason)),
                (None, Some(ty)) => self.term(written, Want::Type(ty, Some(&reason))),
                (None, None) if !mistaken => {
                    mistaken = true;
                    self.term(written, want)
                }
                (None, None) if !self.has_own_type(written) => self.term(written, Want::Unknown),
                (_, None) => None,
            };
            checked.push(fitted);
        }
        Some((checked.into_iter().collect::<Option<_>>()?, ty?))
    }

    /// `[a, b]` at a tuple type.
    pub(super) fn brackets(
        &mut self,
        parts: &[ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let model = self.model();
        let (tuple, reason) = match want {
            Want::Type(Type::Tuple(id), reason) => (&model.tuples[id.index()], reason),
            _ => {
                for part in parts {
                    let _ = self.term(part, Want::Unknown);
                }
                match want {
                    Want::Type(ty, reason) => self.report_unexpected(span, ty, "a tuple", reason),
                    Want::Anything => self.report_no_type("[..]", span),
                    Want::Unknown => {}
                }
                return None;
            }
        };
        if parts.len() != tuple.fields.len() {
            let what = format!("a {}", tuple.name);
            let mut diagnostic =
                wrong_number(span, &what, "field", tuple.fields.len(), parts.len())
                    .related(tuple.span, "declared here");
            if let Some((span, text)) = reason {
                diagnostic = diagnostic.related(*span, text.clone());
            }
            self.report.add_absence(&tuple.name, diagnostic);
            return None;
        }
        let checked: Vec<Option<Expr>> = parts
            .iter()
            .zip(&tuple.fields)
            .map(|(part, (field, ty))| {
                let reason = (tuple.span, format!("the field `{field}` is declared here"));
                self.term(part, Want::Type(ty, Some(&reason)))
            })
            .collect();
        let args = checked.into_iter().collect::<Option<Vec<_>>>()?;
        let Want::Type(ty, _) = want else { return None };
        Some(Expr::apply(Op::Tuple, args, ty.clone(), span))
    }
}
