//! Terms and formulas.

use super::binding::{Operand, right_nesting};
use super::{Builder, MAX_HEIGHT};
use crate::diagnostic::{Code, Diagnostic};
use crate::notation::{Prefix, Quantifier};
use crate::source::{Name, Span};
use crate::syntax::ast::{Binder, Expr, ExprKind, Ident};
use crate::syntax::grammar::Binding;
use crate::syntax::tree::{Kind, Node};
use crate::syntax::view::{self, View};

impl Builder {
    pub(super) fn expr(&self, term: view::Term<'_>) -> Expr {
        self.term(term).expr
    }

    pub(super) fn exprs<'t>(&self, terms: impl Iterator<Item = view::Term<'t>>) -> Vec<Expr> {
        terms.map(|term| self.expr(term)).collect()
    }

    /// A term that may be left out.
    pub(super) fn optional(&self, term: Option<view::Term<'_>>) -> Option<Expr> {
        term.map(|term| self.expr(term))
    }

    /// In the place of a term that could not be read.
    pub(super) fn unread<'t>(&self, part: impl View<'t>) -> Expr {
        Expr {
            kind: ExprKind::Error,
            span: self.span(part),
        }
    }

    /// Reads a flat sequence of operators and operands.
    fn term(&self, term: view::Term<'_>) -> Operand {
        let node = term.node();
        if right_nesting(&node) > MAX_HEIGHT as usize {
            return self.too_deep(self.span(node));
        }
        let operand = match node.kind() {
            Kind::expr => self.bind(node),
            _ => Operand::leaf(ExprKind::Error, self.span(node)),
        };
        self.joined(operand)
    }

    /// A node over operands, unless it is one level too high.
    pub(super) fn node(&self, kind: ExprKind, span: Span, below: u32) -> Operand {
        if below >= MAX_HEIGHT {
            return self.too_deep(span);
        }
        Operand::closed(kind, span, below + 1)
    }

    /// Reports that a term is nested too deep, once for each piece, since enclosing terms may be too deep as well.
    fn too_deep(&self, span: Span) -> Operand {
        if !self.too_deep.replace(true) {
            self.report(too_deep(span));
        }
        Operand::leaf(ExprKind::Error, span)
    }

    /// What stands between operators; an error where a mistake was reported.
    pub(super) fn primary(&self, node: Node<'_>) -> Operand {
        let span = self.span(node);
        let Some(operand) = view::Operand::cast(node) else {
            return Operand::leaf(ExprKind::Error, span);
        };
        match operand {
            view::Operand::Named(named) => self.named(named, span),
            view::Operand::Paren(paren) => self.paren(paren),
            view::Operand::Number(_) => Operand::leaf(self.number(node.text(), span), span),
            view::Operand::Literal(_) => Operand::leaf(self.quoted(node.text(), span), span),
            view::Operand::True(_) => Operand::leaf(ExprKind::Bool(true), span),
            view::Operand::False(_) => Operand::leaf(ExprKind::Bool(false), span),
            view::Operand::Empty(_) => Operand::leaf(ExprKind::Braces(Vec::new()), span),
            view::Operand::Braces(braces) => self.list(braces.terms(), span, ExprKind::Braces),
            view::Operand::Brackets(list) => self.list(list.terms(), span, ExprKind::Brackets),
            view::Operand::Entries(array) => self.entries(array, span),
            view::Operand::Comprehension(set) => self.comprehension(set, span),
            view::Operand::Quantified(formula) => self.quantified(formula),
        }
    }

    /// A name, an element or a call.
    fn named(&self, named: view::Named<'_>, span: Span) -> Operand {
        let name = self.sort_name(named.name(), named.tail());
        match (named.arguments(), named.element()) {
            (Some(arguments), _) => {
                self.list(arguments.terms(), span, |args| ExprKind::Call(name, args))
            }
            (None, Some(number)) => self.element(name, number, span),
            (None, None) => Operand::leaf(ExprKind::Name(name), span),
        }
    }

    fn element(&self, sort: Ident, number: view::Number<'_>, span: Span) -> Operand {
        let Ok(index) = number.node().text().parse() else {
            let message = "the index of an element is a number below 4294967296";
            self.report(Diagnostic::error(
                Code::LargeElement,
                self.span(number),
                message,
            ));
            return Operand::leaf(ExprKind::Error, span);
        };
        Operand::leaf(ExprKind::Element(sort, index), span)
    }

    fn list<'t>(
        &self,
        terms: impl Iterator<Item = view::Term<'t>>,
        span: Span,
        kind: impl FnOnce(Vec<Expr>) -> ExprKind,
    ) -> Operand {
        let operands = terms.map(|term| self.term(term));
        let (exprs, heights): (Vec<_>, Vec<_>) = operands.map(|o| (o.expr, o.height)).unzip();
        self.node(kind(exprs), span, heights.into_iter().max().unwrap_or(0))
    }

    fn paren(&self, paren: view::Paren<'_>) -> Operand {
        let inner = self.term(paren.term());
        Operand::closed(inner.expr.kind, self.span(paren), inner.height)
    }

    fn comprehension(&self, set: view::Comprehension<'_>, span: Span) -> Operand {
        let binder = Binder {
            name: self.ident(set.name()),
            ty: self.type_expr(set.ty()),
        };
        let predicate = self.term(set.predicate());
        let kind = ExprKind::Comprehension(Box::new(binder), Box::new(predicate.expr));
        self.node(kind, span, predicate.height)
    }

    fn entries(&self, array: view::Entries<'_>, span: Span) -> Operand {
        let indices = array.groups().flat_map(|group| self.binder_group(group));
        let indices = indices.collect();
        let value = self.term(array.value());
        self.node(
            ExprKind::Entries(indices, Box::new(value.expr)),
            span,
            value.height,
        )
    }

    fn quantified(&self, formula: view::Quantified<'_>) -> Operand {
        let quantifiers: Vec<_> = formula.quantifiers().collect();
        let body = self.paren(formula.body());
        quantifiers
            .into_iter()
            .rev()
            .fold(body, |body, quantifier| {
                let span = self.span(quantifier).to(body.expr.span);
                let sign = match quantifier.sign().kind() {
                    Kind::for_all => Quantifier::ForAll,
                    _ => Quantifier::Exists,
                };
                let groups: Vec<_> = quantifier.groups().collect();
                groups.into_iter().rev().fold(body, |body, group| {
                    let binders = self.binder_group(group);
                    let kind = ExprKind::Quantified(sign, binders, Box::new(body.expr));
                    self.node(kind, span, body.height)
                })
            })
    }

    pub(super) fn unary(&self, op: Prefix, operand: Operand, span: Span) -> Operand {
        let kind = ExprKind::Unary(op, Box::new(operand.expr));
        self.node(kind, span, operand.height)
    }

    /// `if c then a elseif d then b else` in front of `e`.
    pub(super) fn choice(&self, head: view::Choice<'_>, other: Operand, span: Span) -> Operand {
        let mut branches = vec![head];
        branches.extend(head.elseifs());
        let branches = branches.into_iter().rev();
        branches.fold(other, |other, branch| {
            let span = self.span(branch).to(span);
            self.choice_of_two(branch, other, span)
        })
    }

    /// The term that a condition chooses, where there is another one if it does not hold.
    fn choice_of_two(&self, branch: view::Choice<'_>, other: Operand, span: Span) -> Operand {
        let condition = self.term(branch.condition());
        let then = self.term(branch.value());
        let below = condition.height.max(then.height).max(other.height);
        let boxed = |operand: Operand| Box::new(operand.expr);
        let kind = ExprKind::If(boxed(condition), boxed(then), boxed(other));
        self.node(kind, span, below)
    }

    /// An index, a field or a type after a term.
    pub(super) fn applied(&self, base: Operand, postfix: view::Postfix<'_>) -> Operand {
        let span = base.expr.span.to(self.span(postfix));
        let height = base.height;
        match postfix {
            // `a[i, j]` is `a[i][j]`.
            view::Postfix::Index(index) => index.terms().fold(base, |base, term| {
                let index = self.term(term);
                let below = base.height.max(index.height);
                let kind = ExprKind::Index(Box::new(base.expr), Box::new(index.expr));
                self.node(kind, span, below)
            }),
            view::Postfix::Field(field) => {
                let name = self.ident(field.name());
                match field.arguments() {
                    Some(arguments) => self.component_action(&base, &name, arguments, span),
                    None => {
                        let kind = ExprKind::Field(Box::new(base.expr), name);
                        self.node(kind, span, height)
                    }
                }
            }
            view::Postfix::Qualification(qualification) => {
                let ty = self.type_expr(qualification.ty());
                self.node(ExprKind::Qualified(Box::new(base.expr), ty), span, height)
            }
        }
    }

    /// `P[i].act(x)`, named as by `fire`.
    fn component_action(
        &self,
        base: &Operand,
        act: &Ident,
        arguments: view::Arguments<'_>,
        span: Span,
    ) -> Operand {
        let of = base.expr.span;
        let Some((mut path, mut args)) = path_of(&base.expr) else {
            self.report(
                Diagnostic::error(
                    Code::NoComponent,
                    of,
                    "this is no component, and has no actions",
                )
                .help("an action is written `P[i].act(x)`, inside of `enabled(..)`"),
            );
            return Operand::leaf(ExprKind::Error, span);
        };
        path.push(&act.name);
        let name = Ident {
            name: Name::from(path.join(".")),
            span: of.to(act.span),
        };
        let more: Vec<Operand> = arguments.terms().map(|term| self.term(term)).collect();
        let below = more.iter().map(|o| o.height).fold(base.height, u32::max);
        args.extend(more.into_iter().map(|o| o.expr));
        self.node(ExprKind::Call(name, args), span, below)
    }

    /// A place that is assigned to, as a term.
    pub(super) fn place(&self, place: view::Place<'_>) -> Expr {
        let name = self.ident(place.name());
        let span = name.span;
        let start = Operand::leaf(ExprKind::Name(name), span);
        let postfixes = place.postfixes();
        postfixes
            .fold(start, |base, postfix| self.applied(base, postfix))
            .expr
    }
}

/// The names on a path such as `P[i].Q`, and the indices on the way.
pub(crate) fn path_of(expr: &Expr) -> Option<(Vec<&str>, Vec<Expr>)> {
    match &expr.kind {
        ExprKind::Name(name) => Some((vec![&name.name], Vec::new())),
        ExprKind::Field(base, name) => {
            let (mut names, indices) = path_of(base)?;
            names.push(&name.name);
            Some((names, indices))
        }
        ExprKind::Index(base, index) => {
            let (names, mut indices) = path_of(base)?;
            indices.push((**index).clone());
            Some((names, indices))
        }
        _ => None,
    }
}

pub(crate) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::TooDeep,
        span,
        format!("nested deeper than {MAX_HEIGHT} levels"),
    )
    .label("too deep")
    .help("split it into several smaller ones")
    .help("`a - b - c` is `a - (b + c)`, which may be as long as you like; so may `s || t || u`")
    .help("terms are read and evaluated recursively, which takes room on the stack for each level")
}
