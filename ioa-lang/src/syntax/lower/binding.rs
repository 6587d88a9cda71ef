//! Flat sequences of operators and operands get their binding here.

use super::Builder;
use crate::diagnostic::{Code, Diagnostic};
use crate::notation::{Infix, Level, Prefix, Side};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind};
use crate::syntax::grammar::{Binding, infix};
use crate::syntax::tree::{Kind, Node};
use crate::syntax::view::{self, View};

/// From how many operands on a chain of an associative operator is joined in halves.
const LONG_CHAIN: usize = 64;

/// A term on its way up, with what the operators around it need to know.
pub(super) struct Operand {
    pub(super) expr: Expr,
    /// The number of levels of the term.
    pub(super) height: u32,
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
    pub(super) fn leaf(kind: ExprKind, span: Span) -> Self {
        Self::closed(kind, span, 0)
    }

    pub(super) fn closed(kind: ExprKind, span: Span, height: u32) -> Self {
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
    fn binary(&self, op: Infix, left: Operand, sign: Span, right: Operand) -> Operand {
        let span = left.expr.span.to(right.expr.span);
        let below = left.height.max(right.height);
        let (l, r) = (Box::new(left.expr), Box::new(right.expr));
        self.node(ExprKind::Binary(op, sign, l, r), span, below)
    }

    /// The operand with nothing left to join.
    pub(super) fn joined(&self, mut operand: Operand) -> Operand {
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
}

/// What the grammar guarantees to be there.
fn expected<T>(part: Option<T>) -> T {
    part.expect("the grammar requires this part")
}

/// How deep the parser of operators may have to call itself for this sequence. What binds tighter than a connective ends
/// at it, so that a long chain of short operands is not deep.
pub(super) fn right_nesting(pair: &Node<'_>) -> usize {
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
