//! Terms and formulas: from what was written to a well-typed expression of the core.
//!
//! The check is bidirectional. A term is given the type that its context expects; terms that have no type of their own
//! (`{}`, `nil`, `[a, b]`, `constant(e)`) take it from there. For an operator, the arguments that have a type of their own
//! are checked first; these types and the context then determine what the remaining arguments are expected to be.

mod apply;
mod call;
mod enabled;
mod literals;
mod meaning;
mod names;
pub(crate) mod operators;
mod paths;
mod pattern;
mod theory;
mod unions;

use num_bigint::Sign;

use self::apply::Call;
use super::checker::{Checker, Want};
use super::unused::UseCheck;
use super::widen::as_written;
use crate::core::{Expr, ExprKind, Infix, Op, Prefix, Quantifier, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, Ident};

pub(super) use self::enabled::action_of;

/// How deep terms may be nested, so that no reader of the core can run out of stack.
pub(super) const MAX_DEPTH: usize = 400;

/// Whether the language itself gives a meaning to a name that is applied to arguments.
pub(super) fn operator_named(name: &str) -> bool {
    matches!(name, "enabled" | "tag") || operators::function(name).is_some()
}

impl Checker<'_, '_> {
    /// Checks a term whose context expects `want`.
    pub(super) fn term(&mut self, e: &ast::Expr, want: Want<'_>) -> Option<Expr> {
        self.deeper(1, e.span, |c| c.form(e, want))
    }

    /// Checks what is nested a number of levels below the term at `span`.
    fn deeper<T>(
        &mut self,
        levels: usize,
        span: Span,
        check: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.depth + levels > MAX_DEPTH {
            self.report.add(
                Diagnostic::error(Code::TooDeep, span, "this term is nested too deeply")
                    .label(format!("more than {MAX_DEPTH} levels")),
            );
            return None;
        }
        self.depth += levels;
        let checked = check(self);
        self.depth -= levels;
        checked
    }

    fn form(&mut self, e: &ast::Expr, want: Want<'_>) -> Option<Expr> {
        use ast::ExprKind as Form;
        match &e.kind {
            Form::Bool(value) => self.constant(ExprKind::Bool(*value), Type::Bool, e.span, want),
            Form::Number(n) => self.constant(ExprKind::Int(n.clone()), Type::Nat, e.span, want),
            Form::Decimal(n) => self.constant(ExprKind::Real(n.clone()), Type::Real, e.span, want),
            Form::Char(c) => self.constant(ExprKind::Char(*c), Type::Char, e.span, want),
            Form::Text(text) => {
                self.constant(ExprKind::Text(text.clone()), Type::String, e.span, want)
            }
            Form::Element(sort, index) => self.element(sort, *index, e.span, want),
            Form::Name(name) => self.name(name, want),
            Form::Call(name, args) => self.call(name, args, e.span, want),
            Form::Index(collection, index) => self.operator(
                "[ ]",
                operators::index(),
                &[collection, index],
                e.span,
                want,
            ),
            Form::Field(base, field) => self.field(base, field, e.span, want),
            Form::Qualified(term, ty) => self.qualified(term, ty, e.span, want),
            Form::Unary(op, operand) => self.unary(*op, operand, e.span, want),
            Form::Binary(op, _, left, right) => {
                let (symbol, overloads) = (op.row().text, operators::infix(*op));
                self.operator(symbol, overloads, &[left, right], e.span, want)
            }
            Form::Chain(op, operands) => self.chain(*op, operands, e.span, want),
            Form::If(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, e.span, want)
            }
            Form::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, body, e.span, want)
            }
            Form::Braces(elements) => self.braces(elements, e.span, want),
            Form::Comprehension(binder, body) => self.comprehension(binder, body, e.span, want),
            Form::Brackets(parts) => self.brackets(parts, e.span, want),
            Form::Entries(indices, entry) => self.entries(indices, entry, e.span, want),
            Form::Error => None,
        }
    }

    fn constant(&mut self, kind: ExprKind, ty: Type, span: Span, want: Want<'_>) -> Option<Expr> {
        self.fit(Expr::new(kind, ty, span), want)
    }

    /// `t:T`: the term checked with the expected type `T`; it keeps this type in any context.
    fn qualified(
        &mut self,
        term: &ast::Expr,
        written: &ast::TypeExpr,
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let ty = self.world.resolve(written, self.report);
        let reason = (written.span, "the type that is written here".to_owned());
        let term = self.term(term, Want::of(ty.as_ref(), Some(&reason)));
        let (ty, term) = (ty?, term?);
        let term = as_written(term, ty, span);
        self.qualified.insert(term.id());
        self.fit(term, want)
    }

    fn operator(
        &mut self,
        name: &str,
        overloads: &'static [operators::Overload],
        args: &[&ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let call = Call {
            name,
            overloads,
            args,
            span,
        };
        self.apply(&call, want)
    }

    fn unary(
        &mut self,
        op: Prefix,
        operand: &ast::Expr,
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        match (op, &operand.kind) {
            // `-0` would be read again as a `Nat`.
            (Prefix::Neg, ast::ExprKind::Number(n)) if n.sign() != Sign::NoSign => {
                self.constant(ExprKind::Int(-n), Type::Int, span, want)
            }
            (Prefix::Neg, ast::ExprKind::Decimal(n)) => {
                self.constant(ExprKind::Real(-n), Type::Real, span, want)
            }
            _ => self.operator(op.text(), operators::prefix(op), &[operand], span, want),
        }
    }

    /// A chain of `/\` or of `\/`; those among its operands that are chains of the same operator become part of it.
    fn chain(
        &mut self,
        op: Infix,
        operands: &[ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let op = if op == Infix::And { Op::And } else { Op::Or };
        let checked: Vec<Option<Expr>> = operands.iter().map(|o| self.formula(o)).collect();
        let mut args = Vec::new();
        for operand in checked.into_iter().collect::<Option<Vec<_>>>()? {
            match operand.kind {
                ExprKind::Apply(inner, parts)
                    if inner == op && !self.qualified.contains(&operand.id()) =>
                {
                    args.extend(parts);
                }
                _ => args.push(operand),
            }
        }
        self.fit(Expr::apply(op, args, Type::Bool, span), want)
    }

    fn conditional(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let condition = self.formula(condition);
        let (branches, ty) = self.of_one_type(&[then, otherwise], want)?;
        let [then, otherwise] = <[Expr; 2]>::try_from(branches).ok()?;
        let kind = ExprKind::If(Box::new(condition?), Box::new(then), Box::new(otherwise));
        Some(Expr::new(kind, ty, span))
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[ast::Binder],
        body: &ast::Expr,
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let part = UseCheck::begin("the bound variable", self.report);
        let (ids, body) = self.block(|c| {
            let ids: Vec<_> = binders.iter().map(|b| c.bind_written(b)).collect();
            (ids, c.formula(body))
        });
        part.end(ids.iter().copied().flatten(), self);
        let binders = ids.into_iter().collect::<Option<Vec<_>>>()?;
        let kind = ExprKind::Quantified(quantifier, binders, Box::new(body?));
        self.constant(kind, Type::Bool, span, want)
    }

    fn comprehension(
        &mut self,
        binder: &ast::Binder,
        body: &ast::Expr,
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let part = UseCheck::begin("the bound variable", self.report);
        let (bound, formula) = self.block(|c| (c.bind_written(binder), c.formula(body)));
        // `{x: T where true}` is the set of all values.
        let is_whole = matches!(body.kind, ast::ExprKind::Bool(true));
        part.end(bound.filter(|_| !is_whole), self);
        let (binder, body) = (bound?, formula?);
        let ty = Type::set(self.scope.locals[binder.index()].ty.clone());
        self.constant(
            ExprKind::Comprehension(binder, Box::new(body)),
            ty,
            span,
            want,
        )
    }

    /// `[x: T, y: U -> e]`: an array of arrays if there are several indices.
    fn entries(
        &mut self,
        indices: &[ast::Binder],
        entry: &ast::Expr,
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        // An index that nothing reads is no mistake: `[x: T -> 0]` is 0 everywhere.
        let (ids, entry) = self.block(|c| {
            let ids: Vec<_> = indices.iter().map(|b| c.bind_written(b)).collect();
            (ids, c.term(entry, want.of_entry(indices.len())))
        });
        let ids = ids.into_iter().collect::<Option<Vec<_>>>()?;
        let array = ids.into_iter().rev().fold(entry?, |entry, index| {
            let ty = self.scope.locals[index.index()].ty.clone();
            let ty = Type::array(ty, entry.ty.clone());
            Expr::new(ExprKind::Entries(index, Box::new(entry)), ty, span)
        });
        self.fit(array, want)
    }

    /// Whether a term has a type of its own, that is, without help from its context.
    fn has_own_type(&self, e: &ast::Expr) -> bool {
        match &e.kind {
            ast::ExprKind::Name(name) => self.name_has_own_type(name),
            ast::ExprKind::Brackets(_) => false,
            ast::ExprKind::Entries(_, entry) => self.has_own_type(entry),
            ast::ExprKind::Braces(elements) => elements.iter().any(|e| self.has_own_type(e)),
            ast::ExprKind::If(_, a, b) => self.has_own_type(a) || self.has_own_type(b),
            ast::ExprKind::Index(collection, _) => self.has_own_type(collection),
            ast::ExprKind::Binary(op, _, a, b) => self.determines(operators::infix(*op), &[a, b]),
            ast::ExprKind::Call(name, _) if self.world.named_expression(&name.name).is_some() => {
                true
            }
            ast::ExprKind::Call(name, args) if self.updated_field(name).is_some() => {
                args.first().is_some_and(|tuple| self.has_own_type(tuple))
            }
            ast::ExprKind::Call(name, _) if self.world.variants.contains_key(&name.name) => {
                self.world.variants[&name.name].len() == 1
            }
            ast::ExprKind::Call(name, args) => {
                operators::function(&name.name).is_none_or(|overloads| {
                    let args: Vec<&ast::Expr> = args.iter().collect();
                    self.determines(overloads, &args)
                })
            }
            _ => true,
        }
    }

    fn name_has_own_type(&self, name: &Ident) -> bool {
        if self.scope.find(&name.name).is_some() {
            return true;
        }
        match self.world.enumerators.get(&name.name) {
            Some(values) => values.len() == 1,
            None => !matches!(&*name.name, "nil" | "empty"),
        }
    }

    /// Whether the arguments that have a type of their own determine the type of the result.
    fn determines(&self, overloads: &[operators::Overload], args: &[&ast::Expr]) -> bool {
        // Asked once for each: a long chain of operators asks at each of its levels.
        let own: Vec<bool> = args.iter().map(|arg| self.has_own_type(arg)).collect();
        overloads.iter().all(|overload| {
            let mut free = false;
            overload.result.variables(&mut |wanted| {
                free |= !overload.params.iter().zip(&own).any(|(param, own)| {
                    let mut occurs = false;
                    param.variables(&mut |v| occurs |= v == wanted);
                    occurs && *own
                });
            });
            !free
        })
    }
}
