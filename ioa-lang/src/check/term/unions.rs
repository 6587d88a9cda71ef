//! Unions: `num(3)`, `x.num`, `tag(x)`.

use crate::check::checker::{Checker, Want};
use crate::check::report::wrong_number;
use crate::core::{Expr, Op, Type, UnionId};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, Ident};

impl Checker<'_, '_> {
    /// `num(3)`; if several unions have such a variant, it belongs to the expected one.
    pub(super) fn variant(
        &mut self,
        name: &Ident,
        args: &[ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let world = self.world;
        let unions = &world.variants[&name.name];
        let wanted = unions
            .iter()
            .find(|(union, _)| matches!(want, Want::Type(Type::Union(id), _) if id == union));
        let (union, position) = match (wanted, &unions[..]) {
            (Some(found), _) | (None, [found]) => *found,
            (None, several) => {
                self.refuse_arguments(args);
                let types = several.iter().map(|(id, _)| Type::Union(*id));
                let types: Vec<Type> = types.collect();
                self.report_ambiguous(name, &types, want);
                return None;
            }
        };
        let [value] = args else {
            self.refuse_arguments(args);
            let what = format!("`{}`", name.name);
            self.report
                .add(wrong_number(span, &what, "argument", 1, args.len()));
            return None;
        };
        let declared = &world.model.unions[union.index()];
        self.report.mark_type_used(&declared.name);
        let (_, carried) = &declared.variants[position as usize];
        let reason = (
            declared.span,
            format!("the tag `{}` is declared here", name.name),
        );
        let value = self.term(value, Want::Type(carried, Some(&reason)))?;
        let variant = Expr::apply(Op::Variant(position), vec![value], Type::Union(union), span);
        self.fit(variant, want)
    }

    /// `tag(x)`
    pub(super) fn tag(&mut self, args: &[ast::Expr], span: Span, want: Want<'_>) -> Option<Expr> {
        let [union] = args else {
            self.refuse_arguments(args);
            self.report
                .add(wrong_number(span, "`tag`", "argument", 1, args.len()));
            return None;
        };
        let union = self.term(union, Want::Anything)?;
        let Type::Union(id) = union.ty else {
            let found = self.model().type_name(&union.ty);
            self.report.add(
                Diagnostic::error(
                    Code::WrongType,
                    union.span,
                    format!("this is of type {found}, but a value of a union is expected here"),
                )
                .label(format!("expected a value of a union, found {found}")),
            );
            return None;
        };
        let tags = self.model().unions[id.index()].tags;
        let tag = Expr::apply(Op::Tag, vec![union], Type::Enum(tags), span);
        self.fit(tag, want)
    }

    /// The position of a variant, and the type of what it carries.
    pub(super) fn variant_of(&mut self, union: UnionId, tag: &Ident) -> Option<(u32, Type)> {
        let union = &self.model().unions[union.index()];
        let position = union
            .variants
            .iter()
            .position(|(name, _)| *name == tag.name);
        let Some(position) = position else {
            let known = union.variants.iter().map(|(name, _)| &**name);
            let what = format!("tag of {}", union.name);
            let diagnostic = self.report.unknown(&what, tag, known);
            let diagnostic = diagnostic.related(union.span, "declared here");
            self.report.add_absence(&tag.name, diagnostic);
            return None;
        };
        let id = u32::try_from(position).ok()?;
        Some((id, union.variants[position].1.clone()))
    }

    /// Looks at arguments of something that is mistaken, for mistakes of their own.
    pub(in crate::check) fn refuse_arguments(&mut self, args: &[ast::Expr]) {
        for arg in args {
            let _ = self.term(arg, Want::Unknown);
        }
    }
}
