//! Statements.

use pest::iterators::Pair;

use super::{Builder, action_kind, error_type, expected, parts};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Binder, Choose, Expr, ForRange, Ident, Rhs, Stmt, StmtKind, YieldRow};
use crate::syntax::grammar::Rule;

impl Builder {
    pub(super) fn stmts(&self, pair: Pair<'_, Rule>) -> Vec<Stmt> {
        parts(pair).filter_map(|part| self.stmt(part)).collect()
    }

    /// A statement; none where a mistake was reported.
    fn stmt(&self, pair: Pair<'_, Rule>) -> Option<Stmt> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::if_stmt => self.if_stmt(pair),
            Rule::for_stmt => self.for_stmt(pair),
            Rule::while_stmt => self.while_stmt(pair),
            Rule::fire => self.fire(pair)?,
            Rule::patch => return None,
            _ => self.assignment(pair),
        };
        Some(Stmt { kind, span })
    }

    fn assignment(&self, pair: Pair<'_, Rule>) -> StmtKind {
        let mut parts = parts(pair);
        let (place, rhs) = (expected(parts.next()), expected(parts.next()));
        StmtKind::Assign(self.place(place), self.rhs(rhs))
    }

    pub(super) fn rhs(&self, pair: Pair<'_, Rule>) -> Rhs {
        let inner = expected(parts(pair).next());
        match inner.as_rule() {
            Rule::choose => self.choose(inner),
            _ => Rhs::Expr(self.expr(inner)),
        }
    }

    fn choose(&self, pair: Pair<'_, Rule>) -> Rhs {
        let span = self.span(&pair);
        let (mut binder, mut predicate, mut det) = (None, None, Vec::new());
        for part in parts(pair) {
            match part.as_rule() {
                Rule::name => binder = Some(self.ident(&part)),
                Rule::det => det = self.det(part),
                _ => predicate = Some(self.expr(part)),
            }
        }
        Rhs::Choose(Choose {
            binder,
            predicate,
            det,
            span,
        })
    }

    /// `det do yield t1; yield t2 od`
    pub(super) fn det(&self, pair: Pair<'_, Rule>) -> Vec<YieldRow> {
        let span = self.span(&pair);
        let rows: Vec<YieldRow> = parts(expected(parts(pair).next()))
            .map(|row| YieldRow {
                span: self.span(&row),
                terms: self.exprs(row),
            })
            .collect();
        if rows.is_empty() {
            self.report(
                Diagnostic::error(span, "this determinator yields nothing")
                    .help("write `det do yield t1; yield t2 od`, or leave it out"),
            );
        }
        rows
    }

    fn if_stmt(&self, pair: Pair<'_, Rule>) -> StmtKind {
        let (mut branches, mut otherwise) = (Vec::new(), Vec::new());
        for part in parts(pair) {
            match part.as_rule() {
                Rule::stmts => otherwise = self.stmts(part),
                _ => branches.push(self.guarded(part)),
            }
        }
        StmtKind::If(branches, otherwise)
    }

    /// A condition and the statements under it.
    fn guarded(&self, pair: Pair<'_, Rule>) -> (Expr, Vec<Stmt>) {
        let mut parts = parts(pair);
        let (condition, body) = (expected(parts.next()), expected(parts.next()));
        (self.expr(condition), self.stmts(body))
    }

    fn while_stmt(&self, pair: Pair<'_, Rule>) -> StmtKind {
        let (condition, body) = self.guarded(pair);
        StmtKind::While(condition, body)
    }

    /// The binder of a loop; where a mistake was reported, its name is empty like its type's.
    fn loop_binder(&self, pair: Pair<'_, Rule>) -> Binder {
        let first = expected(parts(pair.clone()).next());
        if first.as_rule() != Rule::patch {
            return self.binder(pair);
        }
        let ty = error_type(self.span(&first));
        Binder {
            name: ty.name.clone(),
            ty,
        }
    }

    fn for_stmt(&self, pair: Pair<'_, Rule>) -> StmtKind {
        let mut parts = parts(pair);
        let binder = self.loop_binder(expected(parts.next()));
        let range = expected(parts.next());
        let is_in = range.as_rule() == Rule::range_in;
        let term = self.expr(expected(super::parts(range).next()));
        let range = match is_in {
            true => ForRange::In(term),
            false => ForRange::Where(term),
        };
        StmtKind::For(binder, range, self.stmts(expected(parts.next())))
    }

    fn fire(&self, pair: Pair<'_, Rule>) -> Option<StmtKind> {
        let (mut kind, mut action, mut args, mut using) = (None, None, Vec::new(), Vec::new());
        let mut steps = Vec::new();
        for part in parts(pair) {
            match part.as_rule() {
                Rule::kind => kind = Some(action_kind(part)),
                Rule::path_step => steps.push(part),
                Rule::name => {
                    let (name, indices) = self.action_name(std::mem::take(&mut steps), &part);
                    (action, args) = (Some(name), indices);
                }
                Rule::arguments => args.extend(self.exprs(part)),
                Rule::patch => return None,
                _ => using.push(self.using_term(part)),
            }
        }
        Some(StmtKind::Fire {
            kind,
            action: expected(action),
            args,
            using,
        })
    }

    fn using_term(&self, pair: Pair<'_, Rule>) -> (Expr, Ident) {
        let mut parts = parts(pair);
        let (term, name) = (expected(parts.next()), expected(parts.next()));
        (self.expr(term), self.ident(&name))
    }
}
