//! Statements.

use crate::syntax::tree::{Kind, Node};

use super::{Builder, action_kind, error_type, expected, parts};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Binder, Choose, Expr, ForRange, Ident, Rhs, Stmt, StmtKind, YieldRow};

impl Builder {
    pub(super) fn stmts(&self, pair: Node<'_>) -> Vec<Stmt> {
        parts(pair).filter_map(|part| self.stmt(part)).collect()
    }

    /// A statement; none if a mistake was reported.
    fn stmt(&self, pair: Node<'_>) -> Option<Stmt> {
        let span = self.span(&pair);
        let kind = match pair.kind() {
            Kind::if_stmt => self.if_stmt(pair),
            Kind::for_stmt => self.for_stmt(pair),
            Kind::while_stmt => self.while_stmt(pair),
            Kind::fire => self.fire(pair)?,
            Kind::ignore_stmt => StmtKind::Ignore,
            Kind::error | Kind::rhs => return None,
            _ => self.assignment(pair),
        };
        Some(Stmt { kind, span })
    }

    fn assignment(&self, pair: Node<'_>) -> StmtKind {
        let mut parts = parts(pair);
        let (place, rhs) = (expected(parts.next()), expected(parts.next()));
        StmtKind::Assign(self.place(place), self.rhs(rhs))
    }

    pub(super) fn rhs(&self, pair: Node<'_>) -> Rhs {
        match parts(pair).next() {
            Some(inner) if inner.kind() == Kind::choose => self.choose(inner),
            Some(inner) => Rhs::Expr(self.expr(inner)),
            // An error instead of a term.
            None => Rhs::Expr(self.expr(pair)),
        }
    }

    fn choose(&self, pair: Node<'_>) -> Rhs {
        let span = self.span(&pair);
        let (mut binder, mut predicate, mut det) = (None, None, Vec::new());
        for part in parts(pair) {
            match part.kind() {
                Kind::name => binder = Some(self.ident(&part)),
                Kind::det => det = self.det(part),
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
    pub(super) fn det(&self, pair: Node<'_>) -> Vec<YieldRow> {
        let span = self.span(&pair);
        let rows: Vec<YieldRow> = parts(expected(parts(pair).next()))
            .map(|row| YieldRow {
                span: self.span(&row),
                terms: self.exprs(row),
            })
            .collect();
        if rows.is_empty() {
            self.report(
                Diagnostic::error(
                    Code::YieldsNothing,
                    span,
                    "this determinator yields nothing",
                )
                .help("write `det do yield t1; yield t2 od`, or leave it out"),
            );
        }
        rows
    }

    fn if_stmt(&self, pair: Node<'_>) -> StmtKind {
        let (mut branches, mut otherwise) = (Vec::new(), Vec::new());
        for part in parts(pair) {
            match part.kind() {
                Kind::stmts => otherwise = self.stmts(part),
                _ => branches.push(self.guarded(part)),
            }
        }
        StmtKind::If(branches, otherwise)
    }

    /// A condition and the statements under it.
    fn guarded(&self, pair: Node<'_>) -> (Expr, Vec<Stmt>) {
        let mut parts = parts(pair);
        let (condition, body) = (expected(parts.next()), expected(parts.next()));
        (self.expr(condition), self.stmts(body))
    }

    fn while_stmt(&self, pair: Node<'_>) -> StmtKind {
        let (condition, body) = self.guarded(pair);
        StmtKind::While(condition, body)
    }

    /// The binder of a loop; where a mistake was reported, its name is empty like its type's.
    fn loop_binder(&self, pair: Node<'_>) -> Binder {
        if pair.kind() == Kind::loop_binder {
            return self.binder(pair);
        }
        let ty = error_type(self.span(&pair));
        Binder {
            name: ty.name.clone(),
            ty,
        }
    }

    fn for_stmt(&self, pair: Node<'_>) -> StmtKind {
        let mut parts = parts(pair);
        let binder = self.loop_binder(expected(parts.next()));
        let range = expected(parts.next());
        let is_in = range.kind() == Kind::range_in;
        let term = self.expr(super::parts(range).next().unwrap_or(range));
        let range = match is_in {
            true => ForRange::In(term),
            false => ForRange::Where(term),
        };
        StmtKind::For(binder, range, self.stmts(expected(parts.next())))
    }

    fn fire(&self, pair: Node<'_>) -> Option<StmtKind> {
        let (mut kind, mut action, mut args, mut using) = (None, None, Vec::new(), Vec::new());
        let mut steps = Vec::new();
        for part in parts(pair) {
            match part.kind() {
                Kind::fire_any => return Some(StmtKind::FireAny(self.weights(part))),
                Kind::action_kind => kind = Some(action_kind(part)),
                Kind::path_step => steps.push(part),
                Kind::name => {
                    let (name, indices) = self.action_name(std::mem::take(&mut steps), &part);
                    (action, args) = (Some(name), indices);
                }
                Kind::arguments => args.extend(self.exprs(part)),
                Kind::error | Kind::missing => return None,
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

    fn weights(&self, any: Node<'_>) -> Vec<(Ident, Ident)> {
        let weight = |weight| {
            let mut parts = parts(weight);
            let (action, number) = (expected(parts.next()), expected(parts.next()));
            (self.ident(&action), self.ident(&number))
        };
        parts(any).map(weight).collect()
    }

    fn using_term(&self, pair: Node<'_>) -> (Expr, Ident) {
        let mut parts = parts(pair);
        let (term, name) = (expected(parts.next()), expected(parts.next()));
        (self.expr(term), self.ident(&name))
    }
}
