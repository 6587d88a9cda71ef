//! Statements: assignments and their places, branches, loops.

use crate::check::checker::{Checker, Reason, Want};
use crate::check::loops;
use crate::check::report::wrong_number;
use crate::check::unreachable;
use crate::check::unused::UseCheck;
use crate::core::{Expr, LocalId, Range, Stmt, StmtKind, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};
use crate::syntax::ast::{self, Rhs};

impl Checker<'_, '_> {
    /// Statements that are run in order. All are checked, also after a mistake.
    pub(in crate::check) fn statements(&mut self, body: &[ast::Stmt]) -> Option<Vec<Stmt>> {
        let checked: Vec<Option<Vec<Stmt>>> =
            body.iter().map(|stmt| self.statement(stmt)).collect();
        let checked: Option<Vec<Vec<Stmt>>> = checked.into_iter().collect();
        Some(checked?.into_iter().flatten().collect())
    }

    /// A statement; `ignore` means none.
    fn statement(&mut self, stmt: &ast::Stmt) -> Option<Vec<Stmt>> {
        let kind = match &stmt.kind {
            ast::StmtKind::Ignore => return self.ignore(stmt.span).map(|()| Vec::new()),
            ast::StmtKind::Assign(place, rhs) => self.assignment(place, rhs),
            ast::StmtKind::If(branches, otherwise) => self.branches(branches, otherwise),
            ast::StmtKind::For(binder, range, body) => {
                self.for_loop(binder, range, body, stmt.span)
            }
            ast::StmtKind::While(condition, body) => self.while_loop(condition, body, stmt.span),
            ast::StmtKind::Fire {
                kind,
                action,
                args,
                using,
            } => self.fire(*kind, action, args, using, stmt.span),
            ast::StmtKind::FireAny(weights) => self.fire_any(weights, stmt.span),
        }?;
        Some(vec![Stmt::written(kind, stmt.span)])
    }

    fn ignore(&mut self, span: Span) -> Option<()> {
        let allowed = self.scope.program.ignore;
        if let Err(reason) = allowed {
            let message = "`ignore` cannot stand here";
            self.report
                .add(Diagnostic::error(Code::NoIgnore, span, message).label(reason));
        }
        allowed.ok()
    }

    fn assignment(&mut self, place: &ast::Expr, rhs: &Rhs) -> Option<StmtKind> {
        let place = self.place(place);
        let reason = place.as_ref().map(|place| {
            let variable = self.variable_span(place.root);
            (variable, "the variable that is assigned".to_owned())
        });
        let ty = place.as_ref().map(|place| &place.ty);
        match rhs {
            Rhs::Expr(value) => {
                let value = self.term(value, Want::of(ty, reason.as_ref()));
                Some(StmtKind::Assign(place?, value?))
            }
            Rhs::Choose(choose) => {
                let allowed = self.choose_allowed(choose.span);
                let name = place.as_ref().map(|place| self.variable_name(place.root));
                let chosen = self.choice(choose, name, ty, reason.as_ref());
                allowed?;
                let (binder, predicate, det) = chosen?;
                Some(StmtKind::Choose {
                    place: place?,
                    binder,
                    predicate,
                    det,
                })
            }
        }
    }

    fn choose_allowed(&mut self, span: Span) -> Option<()> {
        let Err(reason) = self.scope.program.choose else {
            return Some(());
        };
        self.report.add(
            Diagnostic::error(Code::NoChoose, span, "`choose` cannot stand here").label(reason),
        );
        None
    }

    /// `choose binder where predicate det ..`, for a value of type `ty`: the binder, the predicate, and what is yielded.
    /// A binder that is not written bears `name`.
    pub(in crate::check) fn choice(
        &mut self,
        choose: &ast::Choose,
        name: Option<Name>,
        ty: Option<&Type>,
        reason: Option<&Reason>,
    ) -> Option<(LocalId, Expr, Vec<Expr>)> {
        let rows = self.yields(&choose.det, &[ty], reason);
        let part = UseCheck::begin("the bound variable", self.report);
        let (binder, predicate) = self.block(|c| {
            let ty = ty.cloned();
            let binder = match &choose.binder {
                Some(binder) => c.bind(binder, ty),
                None => ty
                    .zip(name)
                    .map(|(ty, name)| c.anonymous(name, ty, choose.span)),
            };
            let predicate = c.optional_formula(choose.predicate.as_ref(), choose.span);
            (binder, predicate)
        });
        let is_asked = choose.binder.is_some() && choose.predicate.is_some();
        part.end(binder.filter(|_| is_asked), self);
        Some((binder?, predicate?, rows?.into_iter().flatten().collect()))
    }

    /// The rows of a determinator, each with a term for each type.
    pub(in crate::check) fn yields(
        &mut self,
        rows: &[ast::YieldRow],
        types: &[Option<&Type>],
        reason: Option<&Reason>,
    ) -> Option<Vec<Vec<Expr>>> {
        let checked: Vec<Option<Vec<Expr>>> = rows
            .iter()
            .map(|row| {
                if row.terms.len() != types.len() {
                    let found = row.terms.len();
                    let diagnostic = wrong_number(row.span, "`yield`", "value", types.len(), found);
                    self.report
                        .add(diagnostic.help("one for each of what is chosen"));
                    return None;
                }
                let terms = row.terms.iter().zip(types);
                let terms: Vec<Option<Expr>> = terms
                    .map(|(term, ty)| self.term(term, Want::of(*ty, reason)))
                    .collect();
                terms.into_iter().collect()
            })
            .collect();
        checked.into_iter().collect()
    }

    fn branches(
        &mut self,
        branches: &[(ast::Expr, Vec<ast::Stmt>)],
        otherwise: &[ast::Stmt],
    ) -> Option<StmtKind> {
        let checked: Vec<_> = branches
            .iter()
            .map(|(condition, body)| (self.formula(condition), self.statements(body)))
            .collect();
        unreachable::branches(branches, otherwise, self.report);
        let otherwise = self.statements(otherwise);
        let branches = checked
            .into_iter()
            .map(|(condition, body)| Some((condition?, body?)))
            .collect::<Option<Vec<_>>>()?;
        Some(StmtKind::If {
            branches,
            otherwise: otherwise?,
        })
    }

    fn for_loop(
        &mut self,
        binder: &ast::Binder,
        range: &ast::ForRange,
        body: &[ast::Stmt],
        span: Span,
    ) -> Option<StmtKind> {
        let part = UseCheck::begin("the loop variable", self.report);
        let ty = self.world.resolve(&binder.ty, self.report);
        let elements = match range {
            ast::ForRange::In(elements) => {
                let set = ty.clone().map(Type::set);
                let reason = (
                    binder.ty.span,
                    "the loop variable is declared here".to_owned(),
                );
                Some(self.term(elements, Want::of(set.as_ref(), Some(&reason))))
            }
            ast::ForRange::Where(_) => None,
        };
        let name = &binder.name;
        let (binder, range, body) = self.block(|c| {
            let binder = c.bind(name, ty);
            let range = match (range, elements) {
                (ast::ForRange::Where(predicate), _) => c.formula(predicate).map(Range::Where),
                (_, elements) => elements.flatten().map(Range::In),
            };
            (binder, range, c.statements(body))
        });
        let (binder, range, body) = (binder?, range?, body?);
        if !self.scope.program.ordered_loops
            && let Err(dependence) = loops::check(binder, &range, &body)
        {
            let variable = self.variable_name(dependence.variable);
            self.report.add(dependence.explain(span, &variable));
            return None;
        }
        part.end([binder], self);
        Some(StmtKind::For {
            binder,
            range,
            body,
        })
    }

    fn while_loop(
        &mut self,
        condition: &ast::Expr,
        body: &[ast::Stmt],
        span: Span,
    ) -> Option<StmtKind> {
        let allowed = self.scope.program.repeat;
        if let Err(reason) = allowed {
            self.report.add(
                Diagnostic::error(Code::NoWhile, span, "`while` cannot stand here").label(reason),
            );
        }
        let condition = self.formula(condition);
        let body = self.statements(body);
        allowed.ok()?;
        Some(StmtKind::While(condition?, body?))
    }
}
