//! Which terms must be written with their types, so that what is printed of the core means the same when it is read.
//!
//! A term that stands where it was written needs no types. A term that replaces a parameter of a `let` or of an action may
//! need them: where `a + b` meant integers, `2 + 0` would be read as a sum of natural numbers, and `{} = {}` would not be
//! readable at all. Instead of repeating the rules for types, this module calls the checker on the printed term. Parts that
//! are read differently are written with their types, until the whole term is read as it was.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::{BigInt, Sign};

use super::checker::{Checker, Want};
use super::report::Report;
use super::scope::{Scope, Visible};
use super::world::{Namespace, World};
use crate::core::{
    Expr, ExprKind, Form as Written, FunctionId, Infix, Level, Local, LocalId, Meaning, Model, Op,
    Prefix, Rational, TermId, Type, UnionId,
};
use crate::source::{FileId, Name, Span};
use crate::syntax::ast::{self, Ident, TypeExpr};

/// Nodes of a term: of equal ones in several places, some may need their types and others not.
#[derive(Default)]
pub(crate) struct Qualified(BTreeSet<TermId>);

impl Qualified {
    /// Whether a term must be written with its type.
    pub(crate) fn contains(&self, term: &Expr) -> bool {
        self.0.contains(&term.id())
    }

    fn add(&mut self, term: &Expr) {
        self.0.insert(term.id());
    }

    /// Adds all parts of a term.
    fn add_parts(&mut self, term: &Expr) {
        for part in parts(term) {
            self.add(part);
            self.add_parts(part);
        }
    }
}

/// The terms in `expr` that must be written with their types, if the context of `expr` determines its type. `declared` is
/// the type of a variable, which may be smaller than that of a term that reads it.
pub(crate) fn qualified(model: &Model, expr: &Expr, declared: &dyn Fn(&Expr) -> Type) -> Qualified {
    let mut world = world(model);
    let mut found = Qualified::default();
    let mut whole = vec![expr];
    expr.walk(&mut |e| {
        // Bound variables and the formula over them do not depend on the context.
        if let ExprKind::Quantified(_, _, body) | ExprKind::Comprehension(_, body) = &e.kind {
            whole.push(body);
        }
    });
    for root in whole {
        loop {
            let missed = missed(&mut world, root, declared, &found);
            if missed.is_empty() {
                break;
            }
            let before = found.0.len();
            missed.iter().for_each(|term| found.add(term));
            if found.0.len() == before {
                // The types of these terms do not help; those of all their parts may, or otherwise those of all terms.
                missed.iter().for_each(|term| found.add_parts(term));
            }
            if found.0.len() == before {
                found.add_parts(root);
            }
            if found.0.len() == before {
                break;
            }
        }
    }
    found
}

/// What the reader must know about a model: its types and its operators.
fn world(model: &Model) -> World {
    let mut world = World {
        model: Model {
            sorts: model.sorts.clone(),
            enumerations: model.enumerations.clone(),
            tuples: model.tuples.clone(),
            unions: model.unions.clone(),
            functions: model.functions.clone(),
            ..Model::default()
        },
        tuple_sizes: vec![1; model.tuples.len()],
        union_sizes: vec![1; model.unions.len()],
        ..World::default()
    };
    for (id, union) in model.unions.iter().enumerate() {
        for (position, (name, _)) in (0..).zip(&union.variants) {
            let known = world.variants.entry(name.clone()).or_default();
            known.push((UnionId::at(id), position));
        }
    }
    for (id, function) in model.functions.iter().enumerate() {
        let id = FunctionId::at(id);
        match function.meaning {
            Meaning::Less(sort) => drop(world.namespace(Namespace::All).orders.insert(sort, id)),
            Meaning::InGroup { member, group } => {
                world
                    .namespace(Namespace::All)
                    .groups
                    .insert(group, (member, id));
            }
            Meaning::Axioms => {
                let known = world.namespace(Namespace::All);
                let named = known.operators.entry(function.name.clone());
                named.or_default().push(id);
            }
        }
    }
    world
}

/// The terms that would be read differently, or that prevent the whole from being read.
fn missed<'e>(
    world: &mut World,
    root: &'e Expr,
    declared: &dyn Fn(&Expr) -> Type,
    qualified: &Qualified,
) -> Vec<&'e Expr> {
    let mut writer = Writer {
        model: &world.model,
        declared,
        qualified,
        types: BTreeMap::new(),
        terms: Vec::new(),
    };
    let written = writer.term(root);
    let (types, terms) = (writer.types, writer.terms);
    let mut scope = Scope::empty();
    scope.random = Ok(());
    world.types.clear();
    for (ty, name) in types {
        scope.visible.push(Visible {
            name: name.clone(),
            span: Span::default(),
            id: Some(LocalId::at(scope.locals.len())),
        });
        scope.locals.push(Local {
            name: name.clone(),
            ty: ty.clone(),
            span: Span::default(),
        });
        world.types.insert(name, Some(ty));
    }
    let mut report = Report::new(BTreeSet::new());
    let mut checker = Checker::new(world, &mut report, scope);
    let read = checker.term(&written, Want::Type(&root.ty, None));
    let mut missed = Vec::new();
    match read {
        Some(read) => compare(&read, root, &mut missed),
        None => {
            for mistake in report.into_diagnostics() {
                let related = mistake.related.iter().map(|(span, _)| *span);
                let places = [mistake.span].into_iter().chain(related);
                let mut terms = places.filter_map(|span| terms.get(span.start as usize));
                missed.extend(terms.find(|term| !qualified.contains(term)));
            }
        }
    }
    missed
}

/// A core expression as a syntax tree.
struct Writer<'w, 'e> {
    model: &'w Model,
    declared: &'w dyn Fn(&Expr) -> Type,
    qualified: &'w Qualified,
    /// For each type the name of a variable of it, which is also a name of the type.
    types: BTreeMap<Type, Name>,
    /// The terms by the places that they get.
    terms: Vec<&'e Expr>,
}

impl<'e> Writer<'_, 'e> {
    fn term(&mut self, e: &'e Expr) -> ast::Expr {
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
                let ty = (self.declared)(e);
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

/// The elements of what is written with braces.
fn literal(e: &Expr) -> Option<Vec<&Expr>> {
    let (mut elements, mut rest) = (Vec::new(), e);
    while let Some((element, others)) = insertion(rest) {
        elements.push(element);
        rest = others;
    }
    let is_empty = matches!(rest.kind, ExprKind::Apply(op, _) if op.is_like(Op::EmptySet));
    is_empty.then_some(elements)
}

/// The element and the collection of an insertion.
fn insertion(e: &Expr) -> Option<(&Expr, &Expr)> {
    match &e.kind {
        ExprKind::Apply(op, args) if op.is_like(Op::Insert) => Some((&args[0], &args[1])),
        _ => None,
    }
}

/// The terms directly below one that are written as terms of their own.
fn parts(e: &Expr) -> Vec<&Expr> {
    match (&e.kind, literal(e)) {
        (ExprKind::Quantified(..) | ExprKind::Comprehension(..), _) => Vec::new(),
        (_, Some(elements)) => elements,
        _ => e.children().collect(),
    }
}

/// Finds the outermost terms that were read differently.
fn compare<'e>(read: &Expr, meant: &'e Expr, missed: &mut Vec<&'e Expr>) {
    match (&read.kind, &meant.kind) {
        (ExprKind::Apply(Op::ToReal, read), ExprKind::Apply(Op::ToReal, meant)) => {
            return compare(&read[0], &meant[0], missed);
        }
        // Its parts were made real numbers, and not their result.
        (_, ExprKind::Apply(Op::ToReal, meant)) if read.ty == Type::Real => {
            return missed.push(&meant[0]);
        }
        // `-5` is a number.
        (ExprKind::Int(_) | ExprKind::Real(_), ExprKind::Apply(Op::Neg, meant)) => {
            return missed.push(&meant[0]);
        }
        _ if read.ty != meant.ty || !same_form(read, meant) => return missed.push(meant),
        _ => {}
    }
    if !same_literal(read, meant) {
        return missed.push(meant);
    }
    for (read, meant) in parts(read).into_iter().zip(parts(meant)) {
        compare(read, meant, missed);
        if missed.last().is_some_and(|last| last.id() == meant.id()) {
            // Once it has its type, the others may be clear.
            break;
        }
    }
}

/// Whether two terms are the same but for their parts. What has no parts is read as it stands.
fn same_form(read: &Expr, meant: &Expr) -> bool {
    match (&read.kind, &meant.kind) {
        (ExprKind::Apply(one, a), ExprKind::Apply(other, b)) => one == other && a.len() == b.len(),
        (ExprKind::Theory(one, _), ExprKind::Theory(other, _)) => one == other,
        (ExprKind::Int(one), ExprKind::Int(other)) => one == other,
        (ExprKind::Real(_), ExprKind::Real(_))
        | (ExprKind::If(..), ExprKind::If(..))
        | (ExprKind::Random(..), ExprKind::Random(..)) => true,
        (ExprKind::Local(_), kind) => !matches!(
            kind,
            ExprKind::Apply(..)
                | ExprKind::If(..)
                | ExprKind::Int(_)
                | ExprKind::Real(_)
                | ExprKind::Random(..)
        ),
        _ => false,
    }
}

/// Whether two terms, if they are written with braces, have the same type at each of their insertions.
fn same_literal(read: &Expr, meant: &Expr) -> bool {
    let (mut read, mut meant) = (read, meant);
    while let (Some((_, a)), Some((_, b))) = (insertion(read), insertion(meant)) {
        (read, meant) = (a, b);
        if literal(meant).is_some() && (read.ty != meant.ty || !same_form(read, meant)) {
            return false;
        }
    }
    true
}
