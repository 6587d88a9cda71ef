//! Literals of collections and tuples: `{}`, `{a, b}`, `[a, b]`.
//!
//! `{a, b}` is a set, unless its context requires a multiset.

use super::operators;
use crate::check::checker::{Checker, Reason, Want};
use crate::check::report::wrong_number;
use crate::check::widen::widens;
use crate::core::{Expr, Op, Type};
use crate::diagnostic::{Code, Diagnostic};
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
            return self.operator("{}", operators::literal("{}"), &[], span, want);
        }
        if elements.len() > SET_LITERAL_LIMIT {
            self.report.add(
                Diagnostic::error(Code::LongSet, span, "this set literal is too long").label(
                    format!(
                        "{} elements, of at most {SET_LITERAL_LIMIT}",
                        elements.len()
                    ),
                ),
            );
            return None;
        }
        let element_want = match want {
            Want::Type(Type::Set(element) | Type::Mset(element), reason) => {
                Want::Type(element, reason)
            }
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
        let (empty, insert, collection) = match want {
            Want::Type(Type::Mset(_), _) => (Op::EmptyMset, Op::MsetInsert, Type::mset(ty)),
            _ => (Op::EmptySet, Op::Insert, Type::set(ty)),
        };
        let empty = Expr::apply(empty, Vec::new(), collection.clone(), span);
        let literal = elements.into_iter().rev().fold(empty, |rest, element| {
            Expr::apply(insert, vec![element, rest], collection.clone(), span)
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

    /// Terms that must all have the same type: the expected one, or otherwise the type of those terms that have one of their
    /// own.
    pub(super) fn of_one_type(
        &mut self,
        terms: &[&ast::Expr],
        want: Want<'_>,
    ) -> Option<(Vec<Expr>, Type)> {
        if let Want::Type(ty, _) = want {
            let checked: Vec<_> = terms.iter().map(|e| self.term(e, want)).collect();
            return Some((checked.into_iter().collect::<Option<_>>()?, ty.clone()));
        }
        let mut given: Vec<Option<Expr>> = terms.iter().map(|_| None).collect();
        let mut mistaken = false;
        for flexible in [false, true] {
            let settled = common_type(&given).is_some_and(|(ty, _)| has_multiset(ty));
            for (e, given) in terms.iter().zip(&mut given) {
                let now = is_literal(e) == flexible && !(flexible && settled);
                let checked = (now && self.has_own_type(e)).then(|| self.term(e, Want::Anything));
                mistaken |= matches!(checked, Some(None));
                *given = checked.flatten().or(given.take());
            }
        }
        let common = common_type(&given);
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

/// The type that all these terms can have, and the term that says so.
fn common_type(terms: &[Option<Expr>]) -> Option<(&Type, Span)> {
    let types = terms.iter().flatten().map(|e| (&e.ty, e.span));
    types.reduce(
        |(ty, span), (next, next_span)| match ty != next && widens(ty, next) {
            true => (next, next_span),
            false => (ty, span),
        },
    )
}

/// Whether a term is a literal with braces, which may be a set or a multiset.
pub(super) fn is_literal(e: &ast::Expr) -> bool {
    match &e.kind {
        ast::ExprKind::Braces(_) => true,
        ast::ExprKind::If(_, a, b) => is_literal(a) || is_literal(b),
        _ => false,
    }
}

/// Whether a type tells literals with braces to be multisets.
pub(super) fn has_multiset(ty: &Type) -> bool {
    match ty {
        Type::Mset(_) => true,
        other => other.args().into_iter().any(has_multiset),
    }
}
