//! Statements.

use super::{Builder, action_kind, error_type};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Binder, Choose, Expr, ForRange, Ident, Rhs, Stmt, StmtKind, YieldRow};
use crate::syntax::tree::Kind;
use crate::syntax::view::{self, Statement, View};

impl Builder {
    pub(super) fn stmts(&self, block: view::Block<'_>) -> Vec<Stmt> {
        let statements = block.statements();
        statements.filter_map(|stmt| self.stmt(stmt)).collect()
    }

    /// A statement; none if a mistake was reported.
    fn stmt(&self, statement: Statement<'_>) -> Option<Stmt> {
        let kind = match statement {
            Statement::Assignment(it) => {
                StmtKind::Assign(self.place(it.place()), self.rhs(it.value()))
            }
            Statement::If(it) => self.if_stmt(it),
            Statement::While(it) => {
                StmtKind::While(self.expr(it.condition()), self.stmts(it.body()))
            }
            Statement::For(it) => self.for_stmt(it),
            Statement::Fire(it) => self.fire(it)?,
            Statement::Ignore(_) => StmtKind::Ignore,
        };
        Some(Stmt {
            kind,
            span: self.span(statement),
        })
    }

    pub(super) fn rhs(&self, rhs: view::Rhs<'_>) -> Rhs {
        match (rhs.choose(), rhs.term()) {
            (Some(choose), _) => self.choose(choose),
            (None, Some(term)) => Rhs::Expr(self.expr(term)),
            (None, None) => Rhs::Expr(self.unread(rhs)),
        }
    }

    fn choose(&self, choose: view::Choose<'_>) -> Rhs {
        Rhs::Choose(Choose {
            binder: choose.name().map(|name| self.ident(name)),
            predicate: choose.predicate().map(|term| self.expr(term)),
            det: self.det(choose.det()),
            span: self.span(choose),
        })
    }

    /// `det do yield t1; yield t2 od`
    pub(super) fn det(&self, det: Option<view::Det<'_>>) -> Vec<YieldRow> {
        let Some(det) = det else {
            return Vec::new();
        };
        let row = |row: view::YieldRow<'_>| YieldRow {
            span: self.span(row),
            terms: self.exprs(row.terms()),
        };
        let rows: Vec<YieldRow> = det.rows().map(row).collect();
        if rows.is_empty() {
            self.report(
                Diagnostic::error(
                    Code::YieldsNothing,
                    self.span(det),
                    "this determinator yields nothing",
                )
                .help("write `det do yield t1; yield t2 od`, or leave it out"),
            );
        }
        rows
    }

    fn if_stmt(&self, stmt: view::If<'_>) -> StmtKind {
        let branch = |it: view::Branch<'_>| (self.expr(it.condition()), self.stmts(it.body()));
        let branches = stmt.branches().map(branch).collect();
        let otherwise = stmt.otherwise().map(|block| self.stmts(block));
        StmtKind::If(branches, otherwise.unwrap_or_default())
    }

    /// The binder of a loop; where a mistake was reported, its name is empty like its type's.
    fn loop_binder(&self, binder: view::LoopBinder<'_>) -> Binder {
        match view::Binder::cast(binder.node()) {
            Some(binder) => self.binder(binder),
            None => {
                let ty = error_type(self.span(binder));
                Binder {
                    name: ty.name.clone(),
                    ty,
                }
            }
        }
    }

    fn for_stmt(&self, stmt: view::For<'_>) -> StmtKind {
        let range = stmt.range();
        let term = match range.term() {
            Some(term) => self.expr(term),
            None => self.unread(range),
        };
        let range = match range.node().kind() {
            Kind::range_in => ForRange::In(term),
            _ => ForRange::Where(term),
        };
        let binder = self.loop_binder(stmt.binder());
        StmtKind::For(binder, range, self.stmts(stmt.body()))
    }

    fn fire(&self, fire: view::Fire<'_>) -> Option<StmtKind> {
        if let Some(any) = fire.any() {
            return Some(StmtKind::FireAny(self.weights(any)));
        }
        let (action, mut args) = self.action_name(fire.steps(), fire.name()?);
        args.extend(self.arguments(fire.arguments()));
        let using = |using: view::Using<'_>| (self.expr(using.term()), self.ident(using.name()));
        Some(StmtKind::Fire {
            kind: fire.kind().map(action_kind),
            action,
            args,
            using: fire.using().map(using).collect(),
        })
    }

    /// The arguments in parentheses; none where they are left out.
    pub(super) fn arguments(&self, arguments: Option<view::Arguments<'_>>) -> Vec<Expr> {
        self.exprs(arguments.into_iter().flat_map(view::Arguments::terms))
    }

    fn weights(&self, any: view::FireAny<'_>) -> Vec<(Ident, Ident)> {
        let weight = |it: view::Weight<'_>| (self.ident(it.action()), self.ident(it.number()));
        any.weights().map(weight).collect()
    }
}
