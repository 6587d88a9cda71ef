//! A term of the core as the syntax tree that one gets by reading its text.

use std::collections::BTreeMap;

use num_bigint::{BigInt, Sign};

use super::literal::literal;
use crate::core::{
    Expr, ExprKind, Form as Written, FunctionId, Infix, Level, Meaning, Model, Op, Prefix,
    Rational, Type,
};
use crate::source::{FileId, Name, Span};
use crate::syntax::ast::{self, Ident, TypeExpr};
use crate::write::{Context, Qualified};

/// A core expression as a syntax tree.
pub(super) struct Writer<'w, 'e> {
    pub(super) model: &'w Model,
    pub(super) context: &'w Context<'w>,
    pub(super) qualified: &'w Qualified,
    /// For each type the name of a variable of it, which is also a name of the type.
    pub(super) types: BTreeMap<Type, Name>,
    /// The terms by the places that they get.
    pub(super) terms: Vec<&'e Expr>,
}

impl<'e> Writer<'_, 'e> {
    pub(super) fn term(&mut self, e: &'e Expr) -> ast::Expr {
        let span = self.place(e);
        let kind = self.form(e, span);
        let term = ast::Expr { kind, span };
        if !self.qualified.contains(e) {
            return term;
        }
        let span = self.place(e);
        let ty = TypeExpr {
            name: ident(&self.name(&e.ty), span),
            args: Vec::new(),
            span,
        };
        let kind = ast::ExprKind::Qualified(Box::new(term), ty);
        ast::Expr { kind, span }
    }

    fn place(&mut self, e: &'e Expr) -> Span {
        let at = self.terms.len();
        self.terms.push(e);
        Span::new(FileId::default(), at, at + 1)
    }

    fn name(&mut self, ty: &Type) -> Name {
        let number = self.types.len();
        let name = self.types.entry(ty.clone());
        name.or_insert_with(|| format!("#{number}").into()).clone()
    }

    fn form(&mut self, e: &'e Expr, span: Span) -> ast::ExprKind {
        use ast::ExprKind as Form;
        match &e.kind {
            ExprKind::Int(n) if n.sign() == Sign::Minus => negative(Form::Number(-n), span),
            ExprKind::Int(n) => Form::Number(n.clone()),
            ExprKind::Real(n) if *n.numer() < BigInt::ZERO => negative(Form::Decimal(-n), span),
            ExprKind::Real(n) => Form::Decimal(Rational::clone(n)),
            ExprKind::If(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|part| Box::new(self.term(part)));
                Form::If(a, b, c)
            }
            ExprKind::Theory(function, args) => self.theory(*function, args, span),
            ExprKind::Random(draw, args) => self.call(draw.row().name, args, span),
            ExprKind::Apply(op, args) => self.apply(*op, args, e, span),
            _ => {
                let ty = self.context.declared_type(e);
                Form::Name(ident(&self.name(&ty), span))
            }
        }
    }

    fn theory(&mut self, function: FunctionId, args: &'e [Expr], span: Span) -> ast::ExprKind {
        let declared = &self.model.functions[function.index()];
        match (declared.meaning, args) {
            (Meaning::Less(_), [a, b]) => self.binary(Infix::Lt, a, b, span),
            (Meaning::InGroup { .. }, [a, b]) => self.binary(Infix::In, a, b, span),
            (_, []) => {
                let functions = self.model.functions.iter();
                let namesakes = functions.filter(|function| function.name == declared.name);
                let name = match namesakes.count() {
                    1 => self.name(&declared.result),
                    _ => declared.name.clone(),
                };
                ast::ExprKind::Name(ident(&name, span))
            }
            _ => self.call(&declared.name, args, span),
        }
    }

    fn call(&mut self, name: &str, args: &'e [Expr], span: Span) -> ast::ExprKind {
        let args = args.iter().map(|arg| self.term(arg)).collect();
        ast::ExprKind::Call(ident(name, span), args)
    }

    fn binary(&mut self, op: Infix, a: &'e Expr, b: &'e Expr, span: Span) -> ast::ExprKind {
        let (a, b) = (Box::new(self.term(a)), Box::new(self.term(b)));
        ast::ExprKind::Binary(op, span, a, b)
    }

    fn apply(&mut self, op: Op, args: &'e [Expr], whole: &'e Expr, span: Span) -> ast::ExprKind {
        use ast::ExprKind as Form;
        if let Some(elements) = literal(whole) {
            return Form::Braces(elements.into_iter().map(|e| self.term(e)).collect());
        }
        match (op.form(), args) {
            (Written::Infix(sign), _) if sign.row().level == Level::Junction => {
                Form::Chain(sign, self.terms(args))
            }
            (Written::Infix(sign), [a, b]) => self.binary(sign, a, b, span),
            (Written::Prefix(sign), [a]) => Form::Unary(sign, Box::new(self.term(a))),
            (Written::Function(name), []) | (Written::Literal(name), _) => {
                Form::Name(ident(name, span))
            }
            (Written::Function(name), _) => self.call(name, args, span),
            (Written::Index, [a, i]) => Form::Index(Box::new(self.term(a)), Box::new(self.term(i))),
            (Written::Part, [a]) => {
                let name = self.model.part_name(&a.ty, op.part());
                Form::Field(Box::new(self.term(a)), ident(&name, span))
            }
            (Written::Update, _) => {
                let name = self.model.part_name(&whole.ty, op.part());
                self.call(&format!("set_{name}"), args, span)
            }
            (Written::Variant, _) => {
                let name = self.model.part_name(&whole.ty, op.part());
                self.call(&name, args, span)
            }
            (Written::Brackets, _) => Form::Brackets(self.terms(args)),
            (Written::Silent, [number]) => self.term(number).kind,
            (form, _) => unreachable!("{form:?} is no form of {} arguments", args.len()),
        }
    }

    fn terms(&mut self, args: &'e [Expr]) -> Vec<ast::Expr> {
        args.iter().map(|arg| self.term(arg)).collect()
    }
}

fn ident(name: &str, span: Span) -> Ident {
    let name = name.into();
    Ident { name, span }
}

fn negative(number: ast::ExprKind, span: Span) -> ast::ExprKind {
    let number = ast::Expr { kind: number, span };
    ast::ExprKind::Unary(Prefix::Neg, Box::new(number))
}
