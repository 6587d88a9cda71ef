//! Terms and formulas: flat sequences of operators and operands get their binding here.

use super::{Builder, MAX_HEIGHT};
use crate::diagnostic::{Code, Diagnostic};
use crate::notation::{Infix, Level, Prefix, Quantifier, Side};
use crate::source::{Name, Span};
use crate::syntax::ast::{Binder, Expr, ExprKind, Ident};
use crate::syntax::grammar::{Binding, infix};
use crate::syntax::tree::{Kind, Node};
use crate::syntax::view::{self, View};

/// From how many operands on a chain of an associative operator is joined in halves.
const LONG_CHAIN: usize = 64;

/// A term on its way up, with what the operators around it need to know.
pub(super) struct Operand {
    expr: Expr,
    /// The number of levels of the term.
    height: u32,
    /// The operator at its root, unless parentheses or other brackets enclose it.
    open: Option<OpenOperator>,
    /// If the operator at the root is associative and the sequence may continue: each sign so far with its right operand.
    /// `expr` is then only the first operand.
    rest: Vec<(Span, Operand)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenOperator {
    Infix(Infix, Span),
    Not(Span),
}

impl Operand {
    fn leaf(kind: ExprKind, span: Span) -> Self {
        Self::closed(kind, span, 0)
    }

    fn closed(kind: ExprKind, span: Span, height: u32) -> Self {
        Self {
            expr: Expr { kind, span },
            height,
            open: None,
            rest: Vec::new(),
        }
    }
}

impl<'t> Binding<'t> for Builder {
    type Term = Operand;

    fn operand(&self, node: Node<'t>) -> Operand {
        self.primary(node)
    }

    fn prefix(&self, op: Node<'t>, operand: Operand) -> Operand {
        let operand = self.joined(operand);
        let op_span = self.span(op);
        let span = op_span.to(operand.expr.span);
        match op.kind() {
            Kind::neg => self.unary(Prefix::Neg, operand, span),
            Kind::not => Operand {
                open: Some(OpenOperator::Not(op_span)),
                ..self.unary(Prefix::Not, operand, span)
            },
            _ => self.choice(expected(view::Choice::cast(op)), operand, span),
        }
    }

    fn postfix(&self, base: Operand, op: Node<'t>) -> Operand {
        self.applied(base, expected(view::Postfix::cast(op)))
    }

    fn infix(&self, left: Operand, op: Node<'t>, right: Operand) -> Operand {
        let right = self.joined(right);
        let op_span = self.span(op);
        let span = left.expr.span.to(right.expr.span);
        let binary = expected(infix(op.kind()));
        self.check_binding(&left, binary, op_span, &right);
        let open = Some(OpenOperator::Infix(binary, op_span));
        let goes_on = matches!(left.open, Some(OpenOperator::Infix(other, _)) if other == binary);
        let left = match goes_on {
            true => left,
            false => self.joined(left),
        };
        let operand = if is_junction(binary) {
            self.chain(left, binary, right, span)
        } else if binary.row().is_associative {
            let mut first = left;
            first.rest.push((op_span, right));
            first
        } else {
            self.binary(binary, left, op_span, right)
        };
        Operand { open, ..operand }
    }
}

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
    fn node(&self, kind: ExprKind, span: Span, below: u32) -> Operand {
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
    fn primary(&self, node: Node<'_>) -> Operand {
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

    fn unary(&self, op: Prefix, operand: Operand, span: Span) -> Operand {
        let kind = ExprKind::Unary(op, Box::new(operand.expr));
        self.node(kind, span, operand.height)
    }

    /// `if c then a elseif d then b else` in front of `e`.
    fn choice(&self, head: view::Choice<'_>, other: Operand, span: Span) -> Operand {
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

    /// An index, a field or a type behind a term.
    fn applied(&self, base: Operand, postfix: view::Postfix<'_>) -> Operand {
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

    fn binary(&self, op: Infix, left: Operand, sign: Span, right: Operand) -> Operand {
        let span = left.expr.span.to(right.expr.span);
        let below = left.height.max(right.height);
        let (l, r) = (Box::new(left.expr), Box::new(right.expr));
        self.node(ExprKind::Binary(op, sign, l, r), span, below)
    }

    /// The operand with nothing left to join.
    fn joined(&self, mut operand: Operand) -> Operand {
        let (Some(OpenOperator::Infix(op, _)), false) = (operand.open, operand.rest.is_empty())
        else {
            return operand;
        };
        let rest = std::mem::take(&mut operand.rest);
        Operand {
            open: operand.open,
            ..self.join(op, operand, rest)
        }
    }

    /// Operands with an associative operator between them: from left to right if they are few, and in halves if they are
    /// many, for the term would be as deep as it is long. The operands are evaluated in the same order, and the operator
    /// itself is defined for all of them, so that the two mean the same.
    fn join(&self, op: Infix, first: Operand, mut rest: Vec<(Span, Operand)>) -> Operand {
        if rest.len() < LONG_CHAIN {
            return rest.into_iter().fold(first, |left, (sign, right)| {
                self.binary(op, left, sign, right)
            });
        }
        let mut second = rest.split_off(rest.len() / 2).into_iter();
        let (sign, middle) = expected(second.next());
        let left = self.join(op, first, rest);
        let right = self.join(op, middle, second.collect());
        self.binary(op, left, sign, right)
    }

    /// Continues a chain of the same operator, or starts one.
    fn chain(&self, left: Operand, op: Infix, right: Operand, span: Span) -> Operand {
        let goes_on = matches!(left.open, Some(OpenOperator::Infix(other, _)) if other == op);
        match left.expr.kind {
            ExprKind::Chain(_, mut operands) if goes_on => {
                // The node that stands already is one level above its operands.
                let below = right.height.max(left.height.saturating_sub(1));
                operands.push(right.expr);
                self.node(ExprKind::Chain(op, operands), span, below)
            }
            kind => {
                let below = left.height.max(right.height);
                let first = Expr { kind, ..left.expr };
                self.node(ExprKind::Chain(op, vec![first, right.expr]), span, below)
            }
        }
    }

    /// Reports operators that may not stand side by side without parentheses.
    fn check_binding(&self, left: &Operand, op: Infix, span: Span, right: &Operand) {
        for side in [left.open, right.open].into_iter().flatten() {
            match side {
                OpenOperator::Infix(other, at)
                    if is_junction(op) && is_junction(other) && op != other =>
                {
                    self.report(mixed_junctions(at, span));
                }
                OpenOperator::Infix(other, at) if is_comparison(op) && is_comparison(other) => {
                    self.report(chained_comparison(at, span));
                }
                _ => {}
            }
        }
        if let Some(OpenOperator::Not(at)) = right.open
            && binds_tighter_than_not(op)
        {
            self.report(loose_not(at, span));
        }
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

/// What the grammar guarantees to be there.
fn expected<T>(part: Option<T>) -> T {
    part.expect("the grammar requires this part")
}

/// How deep the parser of operators may have to call itself for this sequence. What binds tighter than a connective ends
/// at it, so that a long chain of short operands is not deep.
fn right_nesting(pair: &Node<'_>) -> usize {
    let (mut outer, mut inner, mut deepest) = (0, 0, 0);
    for part in pair.inner() {
        (outer, inner) = match part.kind() {
            // Everything that follows an `else`, up to the end, belongs to it.
            Kind::choice => (outer + inner + 1, 0),
            Kind::neg | Kind::not => (outer, inner + 1),
            rule => {
                match infix(rule).map(|sign| (sign.row().level < Level::Not, sign.row().side)) {
                    Some((true, Side::Right)) => (outer + 1, 0),
                    Some((true, _)) => (outer, 0),
                    Some((false, Side::Right)) => (outer, inner + 1),
                    _ => (outer, inner),
                }
            }
        };
        deepest = deepest.max(outer + inner);
    }
    deepest
}

fn is_junction(sign: Infix) -> bool {
    sign.row().level == Level::Junction
}

fn is_comparison(sign: Infix) -> bool {
    sign.row().level == Level::Comparison
}

fn binds_tighter_than_not(sign: Infix) -> bool {
    sign.row().level > Level::Not
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

fn mixed_junctions(first: Span, second: Span) -> Diagnostic {
    Diagnostic::error(
        Code::MixedJunctions,
        second,
        r"`/\` and `\/` are mixed without parentheses",
    )
    .label("which of the two comes first?")
    .related(first, "the other one")
    .help(r"write `(a /\ b) \/ c` or `a /\ (b \/ c)`")
}

fn chained_comparison(first: Span, second: Span) -> Diagnostic {
    Diagnostic::error(
        Code::ChainedComparison,
        second,
        "comparisons cannot be chained",
    )
    .label("a second comparison")
    .related(first, "the first one")
    .help(r"write `a < b /\ b < c` for `a < b < c`, and parentheses in `(a = b) = c`")
}

fn loose_not(not: Span, op: Span) -> Diagnostic {
    Diagnostic::error(
        Code::LooseNot,
        not,
        "`~` binds looser than the operator before it",
    )
    .label("needs parentheses")
    .related(op, "this operator")
    .help("write `a = (~b)`")
}
